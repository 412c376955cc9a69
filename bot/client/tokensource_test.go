package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"darkroom/bot/client"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keeper stores one token, as Redis does for all replicas.
type keeper struct {
	mu      sync.Mutex
	kept    client.Token
	away    error         // of reading
	fails   error         // of renewing
	takes   time.Duration // to renew
	lasts   time.Duration // a new one
	read    int
	renewed int
}

func (k *keeper) Read(context.Context) (client.Token, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.read++
	return k.kept, k.away
}

func (k *keeper) Renew(_ context.Context, old client.Token) (client.Token, error) {
	k.mu.Lock()
	takes := k.takes
	k.mu.Unlock()
	<-time.After(takes)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.renewed++
	if k.fails != nil {
		return client.Token{}, k.fails
	}
	if k.kept.Text == old.Text {
		k.kept = client.Token{Text: fmt.Sprintf("next-%d", k.renewed), Expires: time.Now().Add(k.lasts), Renewable: true, Since: time.Now()}
	}
	return k.kept, nil
}

func (k *keeper) set(change func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	change()
}

// renewals returns the number of renewals so far, including failed ones.
func (k *keeper) renewals() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.renewed
}

func (k *keeper) source(log *slog.Logger) *client.TokenSource {
	return client.NewTokenSource(client.TokenSourceConfig{Read: k.Read, Renew: k.Renew, Log: log})
}

func keeping(lasts time.Duration) *keeper {
	return &keeper{lasts: 12 * time.Hour, kept: client.Token{Text: "first", Expires: time.Now().Add(lasts), Renewable: true}}
}

var errSlackAway = errors.New("slack is away")

func TestATokenIsRememberedForSomeSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := keeping(12 * time.Hour)
		s := k.source(nil)
		for range 100 {
			token, err := s.Token(t.Context())
			require.NoError(t, err)
			require.Equal(t, "first", token)
			<-time.After(90 * time.Millisecond)
		}
		require.Equal(t, 1, k.read)
		k.set(func() { k.kept.Text = "another" }) // by another replica
		<-time.After(2 * time.Second)
		token, err := s.Token(t.Context())
		require.NoError(t, err)
		require.Equal(t, "another", token)
		require.Zero(t, k.renewed)
	})
}

func TestATokenIsRenewedBeforeItsEndWhileItIsUsed(t *testing.T) {
	for name, lasts := range map[string]time.Duration{"of Slack": 12 * time.Hour, "a short one": 3 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := keeping(lasts)
				k.takes = time.Second
				s, ends := k.source(nil), k.kept.Expires
				var left time.Duration // of the first token, when it was given no more
				for time.Now().Before(ends) {
					token, err := s.Token(t.Context())
					require.NoError(t, err)
					if token == "next-1" && left == 0 {
						left = time.Until(ends)
					}
					<-time.After(time.Second)
				}
				require.Equal(t, 1, k.renewed)
				require.Greater(t, left, min(lasts/4, time.Hour-time.Minute), "it was renewed early")
				require.Less(t, left, lasts/2)
			})
		})
	}
}

func TestNoTokenPastItsEndIsGiven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		k := keeping(time.Hour)
		k.fails = errSlackAway
		s, ends := k.source(slog.New(slog.NewTextHandler(&log, nil))), k.kept.Expires
		for time.Now().Before(ends.Add(time.Minute)) {
			token, err := s.Token(t.Context())
			if err != nil {
				require.ErrorIs(t, err, errSlackAway)
				require.NotErrorIs(t, err, client.ErrToken, "it passes")
				require.Greater(t, time.Now(), ends.Add(-time.Minute))
			} else {
				require.Equal(t, "first", token)
				require.Less(t, time.Now(), ends)
			}
			<-time.After(time.Second)
		}
		assert.Less(t, k.renewals(), 500, "it is not asked for all the time")
		assert.Contains(t, log.String(), "slack token not renewed")
		assert.NotContains(t, log.String(), "first")

		k.set(func() { k.fails = nil })
		<-time.After(10 * time.Second)
		var all sync.WaitGroup
		before := k.renewed
		for range 20 {
			all.Go(func() {
				token, err := s.Token(t.Context())
				assert.NoError(t, err)
				assert.Equal(t, k.kept.Text, token)
			})
		}
		all.Wait()
		require.Equal(t, before+1, k.renewed, "once for all who ask")
	})
}

func TestWhoeverGivesUpEndsNobodysRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := keeping(time.Second) // too short to be used
		k.takes = 10 * time.Second
		s := k.source(nil)
		hasty, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := s.Token(hasty)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		token, err := s.Token(t.Context())
		require.NoError(t, err)
		require.Equal(t, "next-1", token)
		require.Equal(t, 1, k.renewed)
	})
}

func TestWhatSlackRefusedIsNotGivenAgain(t *testing.T) {
	gone := fmt.Errorf("%w: the app is not installed", client.ErrToken)
	for name, row := range map[string]struct {
		meanwhile func(k *keeper)
		another   bool
		token     string
	}{
		"renewed":                     {func(*keeper) {}, true, "next-1"},
		"renewed by another replica":  {func(k *keeper) { k.kept.Text = "another" }, true, "another"},
		"Slack gives none any more":   {func(k *keeper) { k.fails = gone }, false, ""},
		"Slack is away":               {func(k *keeper) { k.fails = errSlackAway }, true, ""},
		"it does not expire":          {func(k *keeper) { k.kept.Renewable, k.kept.Expires = false, time.Time{} }, false, ""},
		"the app was removed":         {func(k *keeper) { k.kept, k.away = client.Token{}, gone }, false, ""},
		"Redis is away, Slack is not": {func(k *keeper) { k.away = errors.New("redis is away") }, true, "next-1"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := keeping(12 * time.Hour)
				s := k.source(nil)
				token, err := s.Token(t.Context())
				require.NoError(t, err)
				k.set(func() { row.meanwhile(k) })
				require.Equal(t, row.another, s.Stale(t.Context(), token))
				for range 20 {
					token, err := s.Token(t.Context())
					require.Equal(t, row.token, token)
					require.Equal(t, row.token == "", err != nil)
					require.Equal(t, !row.another, errors.Is(err, client.ErrToken), err)
					<-time.After(100 * time.Millisecond)
				}
				require.LessOrEqual(t, k.renewals(), 3, "it is not asked for by each")
			})
		})
	}
}

// TestATokenThatIsNewAndRefusedIsNotRenewed: Slack refuses all tokens, as if the app's address were not
// allowed, and still issues new ones. Two replicas have jobs that repeat every five seconds.
func TestATokenThatIsNewAndRefusedIsNotRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		k := keeping(12 * time.Hour)
		replicas := []*client.TokenSource{k.source(slog.New(slog.NewTextHandler(&log, nil))), k.source(nil)}
		later, told := 0, 0
		for began := time.Now(); time.Since(began) < time.Hour; <-time.After(5 * time.Second) {
			for _, s := range replicas {
				token, err := s.Token(t.Context())
				if err == nil && s.Stale(t.Context(), token) || err != nil && !errors.Is(err, client.ErrToken) {
					later++
				} else {
					told++
				}
			}
		}
		assert.LessOrEqual(t, k.renewals(), 6, "a few an hour, for all replicas together")
		assert.Less(t, later, 20)
		assert.Greater(t, told, 1400, "so that somebody hears of it")
		assert.LessOrEqual(t, strings.Count(log.String(), "slack refuses a token that it gave not long ago"), 6)

		<-time.After(30 * time.Second) // Slack takes them again
		for _, s := range replicas {
			token, err := s.Token(t.Context())
			require.NoError(t, err)
			require.Equal(t, k.kept.Text, token)
		}
	})
}

// TestALostAnswerIsAskedForAgainInTime: a lost renewal is retried while Slack still accepts the old
// refresh token, even if the current token is valid for long.
func TestALostAnswerIsAskedForAgainInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := keeping(2 * time.Hour)
		k.fails = errSlackAway
		s := k.source(nil)
		var first time.Time
		rounds := 0
		for first.IsZero() || time.Since(first) < 50*time.Second {
			before := k.renewals()
			_, err := s.Token(t.Context())
			require.NoError(t, err)
			<-time.After(time.Second)
			if first.IsZero() && k.renewals() > 0 {
				first = time.Now()
			}
			if k.renewals() > before && time.Since(first) > 15*time.Second {
				rounds++
			}
		}
		require.GreaterOrEqual(t, rounds, 2)
		require.LessOrEqual(t, k.renewals(), 15)
		<-time.After(time.Minute) // until the last try has ended
	})
}

func TestATokenThatWasReplacedOnItsWayIsNoReasonToRenew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := keeping(12 * time.Hour)
		s := k.source(nil)
		_, err := s.Token(t.Context())
		require.NoError(t, err)
		require.True(t, s.Stale(t.Context(), "one before"))
		require.Zero(t, k.renewed)
		require.Equal(t, 1, k.read)
	})
}

func TestATokenPrintsAsNothing(t *testing.T) {
	t.Parallel()
	secret := client.Token{Text: token}
	raw, err := json.Marshal(secret)
	require.NoError(t, err)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v %s %q %d %x", secret, secret, secret, secret, secret, &secret, secret)+string(raw), "SECRET")
}

// tokens returns what a test sets.
type tokens struct {
	token   string
	err     error
	another bool
	stale   []string
}

func (s *tokens) Token(context.Context) (string, error) { return s.token, s.err }

func (s *tokens) Stale(_ context.Context, token string) bool {
	s.stale = append(s.stale, token)
	return s.another
}

func TestNoRequestGoesOutWithoutAToken(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ err, class, not error }{
		"gone":                {fmt.Errorf("%w: not installed", client.ErrToken), client.ErrToken, client.ErrTryLater},
		"cannot be had now":   {errSlackAway, client.ErrTryLater, client.ErrToken},
		"whoever asks is out": {context.DeadlineExceeded, client.ErrTryLater, client.ErrToken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newSlack(t, answers{})
			c := client.New(client.Config{Tokens: &tokens{err: row.err}, APIURL: f.URL + "/proxy/api", Rate: 1000})
			t.Cleanup(c.Close)
			for _, call := range []func() error{func() error { return post(t.Context(), c) }, func() error { _, err := c.Files.File(t.Context(), "F1"); return err }} {
				err := call()
				require.ErrorIs(t, err, row.class)
				require.NotErrorIs(t, err, row.not)
				require.ErrorIs(t, err, row.err)
			}
			require.Empty(t, f.seen)
		})
	}
}

func TestARefusedTokenIsForLaterWhenThereIsAnother(t *testing.T) {
	t.Parallel()
	for code, told := range map[string]bool{"token_expired": true, "invalid_auth": true, "account_inactive": false, "token_revoked": false, "missing_scope": false} {
		for _, another := range []bool{true, false} {
			t.Run(fmt.Sprint(code, another), func(t *testing.T) {
				t.Parallel()
				f := newSlack(t, answers{"chat.postMessage": says(200, `{"ok":false,"error":"`+code+`"}`)})
				s := &tokens{token: token, another: another}
				c := client.New(client.Config{Tokens: s, APIURL: f.URL + "/proxy/api", Rate: 1000})
				t.Cleanup(c.Close)
				err := post(t.Context(), c)
				require.Error(t, err)
				if told {
					require.Equal(t, slices.Repeat([]string{token}, len(f.calls("chat.postMessage"))), s.stale)
					require.Equal(t, another, errors.Is(err, client.ErrTryLater))
					require.Equal(t, !another, errors.Is(err, client.ErrToken))
				} else {
					require.Empty(t, s.stale)
					require.NotErrorIs(t, err, client.ErrTryLater)
				}
				sent := map[bool]int{true: 2, false: 1}[told && another]
				require.Len(t, f.calls("chat.postMessage"), sent, "again, once, when there may be another")
				require.Equal(t, "Bearer "+token, f.calls("chat.postMessage")[0].Header.Get("Authorization"))
			})
		}
	}
}

// A token is renewed during a call: Slack did nothing with the call, so it is repeated silently.
func TestACallWhoseTokenWasRenewedMeanwhileIsSentAgain(t *testing.T) {
	t.Parallel()
	s := &tokens{token: "xoxb-old", another: true}
	f := newSlack(t, answers{"chat.postMessage": func(c call) (int, string) {
		if c.Header.Get("Authorization") == "Bearer xoxb-old" {
			s.token = "xoxb-new"
			return 200, `{"ok":false,"error":"token_expired"}`
		}
		return 200, `{"ok":true,"channel":"C1","ts":"1.1"}`
	}})
	c := client.New(client.Config{Tokens: s, APIURL: f.URL + "/proxy/api", Rate: 1000})
	t.Cleanup(c.Close)
	require.NoError(t, post(t.Context(), c))
	require.Len(t, f.calls("chat.postMessage"), 2)
	require.Equal(t, f.calls("chat.postMessage")[0].Body, f.calls("chat.postMessage")[1].Body)
}

func TestAnOrganisationsTokenSaysWhichWorkspaceIsMeant(t *testing.T) {
	t.Parallel()
	for _, team := range []string{"T1", ""} {
		f := newSlack(t, answers{
			"users.conversations":   says(200, `{"ok":true,"channels":[]}`),
			"usergroups.list":       says(200, `{"ok":true,"usergroups":[]}`),
			"usergroups.users.list": says(200, `{"ok":true,"users":[]}`),
			"auth.test":             says(200, `{"ok":true,"team_id":"E1","enterprise_id":"E1","user_id":"UBOT"}`),
		})
		c := client.New(client.Config{Token: token, Team: team, APIURL: f.URL + "/proxy/api"})
		t.Cleanup(c.Close)
		_, err := c.People.UserChannels(t.Context(), "U1")
		require.NoError(t, err)
		_, err = c.People.UserGroups(t.Context())
		require.NoError(t, err)
		_, err = c.People.GroupMembers(t.Context(), "S1")
		require.NoError(t, err)
		for _, method := range []string{"users.conversations", "usergroups.list", "usergroups.users.list"} {
			require.Equal(t, team, f.calls(method)[0].Form.Get("team_id"), method)
		}
		id, err := c.People.Identity(t.Context())
		require.NoError(t, err)
		require.Equal(t, map[bool]string{true: "T1", false: "E1"}[team != ""], id.Team)
	}
}

// TestManyClientsOfOneProcessShareWhatTheyCan: connections and the outage watch.
func TestManyClientsOfOneProcessShareWhatTheyCan(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log logged
		var away, dead atomic.Bool
		var told, probed atomic.Int32
		shared := client.HTTPClient(func(http.RoundTripper) http.RoundTripper {
			return slackOf(func(r *http.Request) (int, string) {
				switch {
				case away.Load():
					return 0, ""
				case r.URL.Path == "/api/api.test":
					probed.Add(1)
				case dead.Load():
					return 200, `{"ok":false,"error":"invalid_auth"}`
				}
				return 200, `{"ok":true,"ts":"1.2"}`
			})
		})
		watch := client.NewOutageWatch(client.OutageWatchConfig{
			HTTP: shared, Log: slog.New(slog.NewTextHandler(&log, nil)),
			OnOutage: func(context.Context, time.Time, time.Time) { told.Add(1) },
		})
		defer watch.Close()
		var clients []*client.Client
		for n := range 3 {
			c := client.New(client.Config{Token: fmt.Sprint(n), HTTP: shared, Outage: watch})
			defer c.Close()
			clients = append(clients, c)
		}
		each := func() {
			for n, c := range clients {
				_ = c.Messages.React(t.Context(), "C1", "1.1", "x")
				if n == 0 {
					_ = c.Messages.Delete(t.Context(), "C1", "1.1")
				}
			}
		}
		dead.Store(true) // each workspace's token
		each()
		each()
		require.NotContains(t, log.String(), "slack does not answer")
		away.Store(true)
		each()
		require.Equal(t, 1, strings.Count(log.String(), "slack does not answer"), "once for all: %s", log.String())
		<-time.After(time.Minute)
		clients[0].Close() // which leaves the watch to the others
		away.Store(false)
		<-time.After(time.Minute)
		require.EqualValues(t, 1, told.Load())
		require.Positive(t, probed.Load(), "it is noticed without anybody else asking, and without a token")
		require.Equal(t, 1, strings.Count(log.String(), "slack answers again"))
	})
}

// TestAnIdleClientWeighsLittle: one process holds ten thousand of them.
func TestAnIdleClientWeighsLittle(t *testing.T) {
	const many, most = 1000, 4 << 10
	shared, log := client.HTTPClient(nil), slog.New(slog.DiscardHandler)
	watch := client.NewOutageWatch(client.OutageWatchConfig{HTTP: shared})
	defer watch.Close()
	kept := make([]*client.Client, many)
	before := allocated()
	for n := range kept {
		k := &keeper{}
		kept[n] = client.New(client.Config{
			Tokens: client.NewTokenSource(client.TokenSourceConfig{Read: k.Read, Renew: k.Renew, Log: log}), HTTP: shared, Outage: watch, Log: log, Team: "T1",
		})
	}
	each := (allocated() - before) / many
	t.Logf("an idle client weighs %d bytes", each)
	require.Less(t, each, uint64(most))
	require.NotNil(t, kept[many-1])
}

func allocated() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
