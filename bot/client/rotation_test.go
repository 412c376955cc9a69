package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/bot/client"
	"darkroom/bot/install"
	"darkroom/store/seal"
	"darkroom/store/storetest"
	"darkroom/store/tenants"

	"github.com/stretchr/testify/require"
)

// rotating is a Slack with token rotation: two tokens are valid at a time, and a refresh token works once,
// and for a few seconds more.
type rotating struct {
	mu        sync.Mutex
	n         int
	live      map[string]time.Time // until when
	refresh   string               // the newest
	former    string
	formerFor time.Time
	loses     int // each so many-th answer of a renewal is lost; 0 = none
	dead      []string
	renewed   int
	answered  func() // called once, when a new pair was given
}

const grace = 30 * time.Second

func (s *rotating) pair() (token, refresh string) {
	s.n++
	token, s.former, s.refresh = fmt.Sprintf("xoxe.xoxb-%d", s.n), s.refresh, fmt.Sprintf("xoxe-1-%d", s.n)
	s.formerFor = time.Now().Add(grace)
	s.live[token] = time.Now().Add(12 * time.Hour)
	delete(s.live, fmt.Sprintf("xoxe.xoxb-%d", s.n-2))
	return token, s.refresh
}

func (s *rotating) answer(r *http.Request) (status int, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !strings.HasSuffix(r.URL.Path, "oauth.v2.access") {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !time.Now().Before(s.live[token]) {
			s.dead = append(s.dead, token)
			return 200, `{"ok":false,"error":"token_expired"}`
		}
		return 200, `{"ok":true}`
	}
	raw, _ := io.ReadAll(r.Body)
	form, _ := url.ParseQuery(string(raw))
	if given := form.Get("refresh_token"); given != s.refresh && (given != s.former || time.Now().After(s.formerFor)) {
		return 200, `{"ok":false,"error":"invalid_refresh_token"}`
	}
	s.renewed++
	token, refresh := s.pair()
	if s.answered != nil {
		s.answered()
		s.answered = nil
	}
	if s.loses > 0 && s.renewed%s.loses == 1 {
		return 0, ""
	}
	return 200, fmt.Sprintf(`{"ok":true,"access_token":%q,"refresh_token":%q,"expires_in":43200}`, token, refresh)
}

// replica is the client of a process, wired as in the app.
func replica(t *testing.T, rdb redis.UniversalClient, slack *rotating) *client.Client {
	t.Helper()
	keys, err := seal.NewKeys("a key of thirty-two characters or more")
	require.NoError(t, err)
	d := tenants.NewDirectory(rdb, keys)
	shared := client.HTTPClient(func(http.RoundTripper) http.RoundTripper { return slackOf(slack.answer) })
	oauth := install.NewOAuth(install.OAuthConfig{ClientID: "1.2", ClientSecret: "CLIENT-SECRET-1", HTTP: shared})
	token := func(i tenants.Installation, err error) (client.Token, error) {
		if errors.Is(err, tenants.ErrNotInstalled) {
			err = fmt.Errorf("%w: %w", client.ErrToken, err)
		}
		return client.Token{Text: i.Token, Expires: i.Expires, Renewable: i.Refresh != "", Since: i.Renewed, Due: !i.Renewing.IsZero()}, err
	}
	read := func(ctx context.Context) (tenants.Installation, error) { return d.Installations.Installed(ctx, "T1") }
	source := client.NewTokenSource(client.TokenSourceConfig{
		Read: func(ctx context.Context) (client.Token, error) { return token(read(ctx)) },
		Renew: func(ctx context.Context, old client.Token) (client.Token, error) {
			i, err := read(ctx)
			if err != nil {
				return token(i, err)
			}
			i.Token = old.Text
			return token(d.Renewals.Renew(ctx, i, oauth.Refresh))
		},
	})
	c := client.New(client.Config{Tokens: source, HTTP: shared})
	t.Cleanup(c.Close)
	return c
}

// Replicas call for days, often or seldom, and no call is refused. If a renewal's answer is lost, the next
// renewal ends the token that other replicas use. Each of them then repeats its call once.
func TestNobodyIsRefusedForADeadToken(t *testing.T) {
	for name, row := range map[string]struct {
		every time.Duration
		loses int
	}{
		"a busy workspace":                      {time.Minute, 0},
		"a busy one, with answers lost":         {time.Minute, 2},
		"a quiet one, with answers lost":        {5 * time.Hour, 2},
		"one in which nothing happens for long": {50 * time.Hour, 0},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
				t.Helper()
				slack := &rotating{live: map[string]time.Time{}, loses: row.loses}
				first, refresh := slack.pair()
				keys, err := seal.NewKeys("a key of thirty-two characters or more")
				require.NoError(t, err)
				require.NoError(t, tenants.NewDirectory(rdb, keys).Installations.Install(t.Context(), tenants.Installation{
					ID: "T1", Team: "T1", Token: first, Refresh: refresh, Expires: time.Now().Add(12 * time.Hour), At: time.Now(),
				}))
				replicas := []*client.Client{replica(t, rdb, slack), replica(t, rdb, slack), replica(t, rdb, slack)}
				for began := time.Now(); time.Since(began) < max(30*time.Hour, 2*row.every); <-time.After(row.every) {
					var all sync.WaitGroup
					for _, c := range replicas {
						all.Go(func() {
							if err := c.Messages.React(t.Context(), "C1", "1.1", "x"); err != nil {
								t.Errorf("after %s: %v", time.Since(began), err)
							}
						})
					}
					all.Wait()
				}
				if row.loses == 0 {
					require.Empty(t, slack.dead)
				}
				for _, token := range slack.dead {
					sent := len(slices.DeleteFunc(slices.Clone(slack.dead), func(other string) bool { return other != token }))
					require.LessOrEqual(t, sent, len(replicas), "%s, by each replica once", token)
				}
				require.Less(t, slack.renewed, 30, "one replica at a time renews, each token once")
			})
		})
	}
}

// mortal is the Redis of a process that may be killed; then it does nothing.
type mortal struct{ dead atomic.Bool }

var errKilled = errors.New("the process was killed")

func (m *mortal) DialHook(next redis.DialHook) redis.DialHook { return next }

func (m *mortal) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if m.dead.Load() {
			cmd.SetErr(errKilled)
			return errKilled
		}
		return next(ctx, cmd)
	}
}

func (m *mortal) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// TestAKillRightAfterSlackRenewedCostsNoInstallation: the new tokens are lost with the process, and the
// old refresh token works for half a minute more. The current token is valid for over an hour.
func TestAKillRightAfterSlackRenewedCostsNoInstallation(t *testing.T) {
	for name, after := range map[string]time.Duration{"at once": 0, "ten seconds later": 10 * time.Second, "close to the last moment": grace - time.Second} {
		t.Run(name, func(t *testing.T) {
			storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
				t.Helper()
				slack, killed := &rotating{live: map[string]time.Time{}}, &mortal{}
				first, refresh := slack.pair()
				died := make(chan struct{})
				slack.answered = func() { killed.dead.Store(true); close(died) }
				keys, err := seal.NewKeys("a key of thirty-two characters or more")
				require.NoError(t, err)
				require.NoError(t, tenants.NewDirectory(rdb, keys).Installations.Install(t.Context(), tenants.Installation{
					ID: "T1", Team: "T1", Token: first, Refresh: refresh, Expires: time.Now().Add(12 * time.Hour), At: time.Now(),
				}))
				its := storetest.Another(t, rdb)
				its.AddHook(killed)
				for c := replica(t, its, slack); !killed.dead.Load(); {
					require.NoError(t, c.Messages.React(t.Context(), "C1", "1.1", "x"))
					select {
					case <-died:
					case <-time.After(time.Minute):
					}
				}
				<-time.After(after)
				c := replica(t, rdb, slack)
				for began := time.Now(); time.Since(began) < 24*time.Hour; <-time.After(time.Minute) {
					require.NoError(t, c.Messages.React(t.Context(), "C1", "1.1", "x"), "after %s", time.Since(began))
				}
				require.LessOrEqual(t, len(slack.dead), 1, "what was sent while the renewal was ended, and sent again")
				require.Less(t, slack.renewed, 6)
			})
		})
	}
}
