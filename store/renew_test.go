package store_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store/keyspace"
	"darkroom/store/seal"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
)

// slackTokens gives a new pair for the newest refresh token, and for a while for the one before it.
type slackTokens struct {
	mu    sync.Mutex
	asked int
	lost  error // how many answers are lost
}

var errDeadRefresh = errors.New("invalid_refresh_token")

func (s *slackTokens) refresh(_ context.Context, refresh string) (token, next string, expires time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !strings.HasPrefix(refresh, "xoxe-1-") {
		return "", "", time.Time{}, errDeadRefresh
	}
	s.asked++
	if s.lost != nil {
		err, s.lost = s.lost, nil
		return "", "", time.Time{}, err
	}
	return fmt.Sprintf("xoxe.xoxb-SECOND-%d", s.asked), fmt.Sprintf("xoxe-1-SECOND-%d", s.asked), noon.Add(24 * time.Hour), nil
}

func TestARenewedTokenIsKeptBeforeItIsUsed(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, _ redis.UniversalClient) {
		t.Helper()
		ctx, slack := t.Context(), &slackTokens{}
		require.NoError(t, d.Installations.Install(ctx, anInstallation("T1")))
		old, err := d.Installations.Installed(ctx, "T1")
		require.NoError(t, err)
		now, err := d.Renewals.Renew(ctx, old, slack.refresh)
		require.NoError(t, err)
		require.Equal(t, "xoxe.xoxb-SECOND-1", now.Token)
		require.True(t, now.Expires.Equal(noon.Add(24*time.Hour)))
		kept, err := d.Installations.Installed(ctx, "T1")
		require.NoError(t, err)
		require.Equal(t, fields(now), fields(kept))
		require.Equal(t, "xoxe-1-SECOND-1", kept.Refresh)
		require.Equal(t, old.Name, kept.Name)

		late, err := d.Renewals.Renew(ctx, old, slack.refresh) // by whoever knows but the old one
		require.NoError(t, err)
		require.Equal(t, now.Token, late.Token)
		require.Equal(t, 1, slack.asked)
	})
}

func TestOneOfManyReplicasRenewsAndAllHaveTheNewToken(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx, slack := t.Context(), &slackTokens{}
		require.NoError(t, d.Installations.Install(ctx, anOrganisation("E1")))
		require.NoError(t, d.Installations.Grant(ctx, "T1", "E1", noon))
		old, err := d.Installations.Installed(ctx, "T1")
		require.NoError(t, err)
		var asking, most atomic.Int32
		slow := func(ctx context.Context, refresh string) (string, string, time.Time, error) {
			most.Store(max(most.Load(), asking.Add(1)))
			defer asking.Add(-1)
			<-time.After(50 * time.Millisecond)
			return slack.refresh(ctx, refresh)
		}
		var all sync.WaitGroup
		for range 8 {
			replica := tenants.NewDirectory(rdb, sealKeys(t, newKey))
			all.Go(func() {
				now, err := replica.Renewals.Renew(ctx, old, slow)
				assert.NoError(t, err)
				assert.Equal(t, "xoxe.xoxb-SECOND-1", now.Token)
				assert.Equal(t, "T1", now.Team)
			})
		}
		all.Wait()
		require.Equal(t, 1, slack.asked)
		require.EqualValues(t, 1, most.Load())
	})
}

func TestAnAnswerThatWasLostCostsNoInstallation(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, _ redis.UniversalClient) {
		t.Helper()
		ctx, slack := t.Context(), &slackTokens{lost: context.DeadlineExceeded}
		require.NoError(t, d.Installations.Install(ctx, anInstallation("T1")))
		old, err := d.Installations.Installed(ctx, "T1")
		require.NoError(t, err)
		_, err = d.Renewals.Renew(ctx, old, slack.refresh)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		kept, err := d.Installations.Installed(ctx, "T1")
		require.NoError(t, err)
		require.WithinDuration(t, time.Now(), kept.Renewing, time.Minute, "whoever comes by knows")
		kept.Renewing = old.Renewing
		require.Equal(t, fields(old), fields(kept))
		now, err := d.Renewals.Renew(ctx, old, slack.refresh)
		require.NoError(t, err)
		require.Equal(t, "xoxe.xoxb-SECOND-2", now.Token)
	})
}

// TestARenewalIsKnownUntilItsEnd: all replicas see it from before Slack is asked until its end, successful or not.
func TestARenewalIsKnownUntilItsEnd(t *testing.T) {
	lost, refused := errors.New("lost"), fmt.Errorf("%w: %w", tenants.ErrRefused, errDeadRefresh)
	for name, row := range map[string]struct {
		answer     error
		meanwhile  func(ctx context.Context, d *tenants.Directory) error
		unfinished bool
	}{
		"kept":    {},
		"lost":    {answer: lost, unfinished: true},
		"refused": {answer: refused},
		"removed meanwhile": {meanwhile: func(ctx context.Context, d *tenants.Directory) error {
			return d.Installations.Leave(ctx, "T1", time.Now())
		}},
		"erased meanwhile": {answer: lost, meanwhile: func(ctx context.Context, d *tenants.Directory) error { return d.Entries.Erase(ctx, "T1") }},
		"added anew": {meanwhile: func(ctx context.Context, d *tenants.Directory) error {
			return d.Installations.Install(ctx, anInstallation("T1"))
		}},
		"lost, and sealed": {answer: lost, meanwhile: resealed, unfinished: true},
		"lost, and connects": {answer: lost, meanwhile: func(ctx context.Context, d *tenants.Directory) error {
			return d.Accounts.Connect(ctx, "T1", anAccount())
		}, unfinished: true},
	} {
		t.Run(name, func(t *testing.T) {
			eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
				t.Helper()
				ctx := t.Context()
				before := tenants.NewDirectory(rdb, sealKeys(t, oldKey))
				both := tenants.NewDirectory(rdb, sealKeys(t, newKey+","+oldKey))
				for _, id := range []string{"T1", "T2"} {
					require.NoError(t, before.Installations.Install(ctx, anInstallation(id)))
				}
				knows := func(want bool) {
					t.Helper()
					i, err := both.Installations.Known(ctx, "T1")
					if !errors.Is(err, tenants.ErrNotInstalled) {
						require.NoError(t, err)
					}
					require.Equal(t, want, !i.Renewing.IsZero())
					other, err := both.Installations.Known(ctx, "T2")
					require.NoError(t, err)
					require.Zero(t, other.Renewing)
				}
				knows(false)
				_, err := both.Renewals.Renew(ctx, anInstallation("T1"), func(context.Context, string) (string, string, time.Time, error) {
					knows(true)
					if row.meanwhile != nil {
						require.NoError(t, row.meanwhile(ctx, both))
					}
					return "xoxe.xoxb-NEXT", "xoxe-1-NEXT", noon, row.answer
				})
				if row.answer != nil {
					require.ErrorIs(t, err, row.answer)
				}
				knows(row.unfinished)
			})
		})
	}
}

func resealed(ctx context.Context, d *tenants.Directory) error {
	_, err := d.Entries.Reseal(ctx, keyspace.ShardOf("T1"))
	return err
}

func TestWhoeverStopsWaitsForRenewals(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, _ redis.UniversalClient) {
		t.Helper()
		ctx, slack, asked, answer := t.Context(), &slackTokens{}, make(chan struct{}), make(chan struct{})
		require.NoError(t, d.Renewals.Wait(ctx))
		require.NoError(t, d.Installations.Install(ctx, anInstallation("T1")))
		go func() {
			_, err := d.Renewals.Renew(ctx, anInstallation("T1"), func(ctx context.Context, refresh string) (string, string, time.Time, error) {
				close(asked)
				<-answer
				return slack.refresh(ctx, refresh)
			})
			assert.NoError(t, err)
		}()
		<-asked
		hasty, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, d.Renewals.Wait(hasty), context.DeadlineExceeded)
		close(answer)
		require.NoError(t, d.Renewals.Wait(ctx))
		now, err := d.Installations.Known(ctx, "T1")
		require.NoError(t, err)
		require.Equal(t, "xoxe.xoxb-SECOND-1", now.Token)
	})
}

func TestWhatSlackGaveOutlivesARedisThatDidNotTakeIt(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx, slack := t.Context(), &slackTokens{}
		require.NoError(t, d.Installations.Install(ctx, anInstallation("T1")))
		old, err := d.Installations.Installed(ctx, "T1")
		require.NoError(t, err)
		away := &refusing{command: "evalsha"}
		rdb.AddHook(away)
		_, err = d.Renewals.Renew(ctx, old, func(ctx context.Context, refresh string) (string, string, time.Time, error) {
			away.next.Store(1)
			return slack.refresh(ctx, refresh)
		})
		require.ErrorIs(t, err, errRefused)
		now, err := d.Renewals.Renew(ctx, old, slack.refresh)
		require.NoError(t, err)
		require.Equal(t, "xoxe.xoxb-SECOND-1", now.Token)
		require.Equal(t, 1, slack.asked, "another pair was not asked for")
	})
}

var errRefused = errors.New("not taken")

// refusing is a Redis that does not do the next so many of a command.
type refusing struct {
	next    atomic.Int32
	command string
}

func (r *refusing) DialHook(next redis.DialHook) redis.DialHook { return next }

func (r *refusing) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if cmd.Name() == r.command && r.next.Add(-1) >= 0 {
			cmd.SetErr(errRefused)
			return errRefused
		}
		return next(ctx, cmd)
	}
}

func (r *refusing) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func TestWhatIsInstalledOrSealedAnewMeanwhileStays(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		old := anInstallation("T1")
		meanwhile := func(do func()) tenants.Refresh {
			return func(context.Context, string) (string, string, time.Time, error) {
				do()
				return "xoxe.xoxb-NEXT", "xoxe-1-NEXT", noon, nil
			}
		}
		install := func() { require.NoError(t, d.Installations.Install(ctx, old)) }

		install()
		again := old
		again.Token, again.Refresh = "xoxe.xoxb-AGAIN", "xoxe-1-AGAIN"
		now, err := d.Renewals.Renew(ctx, old, meanwhile(func() { require.NoError(t, d.Installations.Install(ctx, again)) }))
		require.NoError(t, err)
		require.Equal(t, again.Token, now.Token)

		install()
		_, err = d.Renewals.Renew(ctx, old, meanwhile(func() { require.NoError(t, d.Installations.Leave(ctx, "T1", time.Now())) }))
		require.ErrorIs(t, err, tenants.ErrNotInstalled)
		_, err = d.Renewals.Renew(ctx, old, meanwhile(func() { t.Error("asked for an installation that is gone") }))
		require.ErrorIs(t, err, tenants.ErrNotInstalled)
		require.NotContains(t, fmt.Sprint(dumpAll(t, rdb)), "sealed")

		before := tenants.NewDirectory(rdb, sealKeys(t, oldKey))
		both := tenants.NewDirectory(rdb, sealKeys(t, newKey+","+oldKey))
		require.NoError(t, before.Installations.Install(ctx, old))
		now, err = both.Renewals.Renew(ctx, old, meanwhile(func() {
			n, err := both.Entries.Reseal(ctx, keyspace.ShardOf("T1"))
			require.NoError(t, err)
			require.Equal(t, 1, n)
		}))
		require.NoError(t, err)
		require.Equal(t, "xoxe.xoxb-NEXT", now.Token)
	})
}

// What Slack gave for a token that is not there any more is nobody's: what was installed since is renewed by itself.
func TestWhatCouldNotBeKeptIsNotUsedForWhatWasInstalledSince(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx, again := t.Context(), anInstallation("T1")
		require.NoError(t, d.Installations.Install(ctx, again))
		away := &refusing{command: "evalsha"}
		rdb.AddHook(away)
		_, err := d.Renewals.Renew(ctx, again, func(context.Context, string) (string, string, time.Time, error) {
			away.next.Store(1)
			return "xoxe.xoxb-NEXT", "xoxe-1-NEXT", noon, nil
		})
		require.ErrorIs(t, err, errRefused)
		again.Token, again.Refresh = "xoxe.xoxb-AGAIN", "xoxe-1-AGAIN"
		require.NoError(t, d.Installations.Install(ctx, again))
		now, err := d.Renewals.Renew(ctx, again, func(_ context.Context, refresh string) (string, string, time.Time, error) {
			require.Equal(t, "xoxe-1-AGAIN", refresh)
			return "xoxe.xoxb-THIRD", "xoxe-1-THIRD", noon, nil
		})
		require.NoError(t, err)
		require.Equal(t, "xoxe.xoxb-THIRD", now.Token)
	})
}

// Who was slow may have lost the lock by now: two never ask Slack at the same time.
func TestWhoLostTheLockDoesNotAskSlack(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx, old := t.Context(), anInstallation("T1")
		require.NoError(t, d.Installations.Install(ctx, old))
		slow, reads := &between{}, 0
		slow.do = func() {
			if reads++; reads == 1 { // what is there now; the next one notes that it is being renewed
				slow.on.Store(true)
				return
			}
			for key := range dumpAll(t, rdb) {
				if strings.Contains(key, "lock") {
					require.NoError(t, rdb.Set(ctx, key, "another", time.Minute).Err())
				}
			}
		}
		rdb.AddHook(slow)
		slow.on.Store(true)
		_, err := d.Renewals.Renew(ctx, old, func(context.Context, string) (string, string, time.Time, error) {
			t.Error("Slack is asked")
			return "", "", time.Time{}, tenants.ErrRefused
		})
		require.Error(t, err)
		require.Equal(t, 2, reads)
	})
}

// between does something once behind the next reading of a document.
type between struct {
	on atomic.Bool
	do func()
}

func (b *between) DialHook(next redis.DialHook) redis.DialHook { return next }

func (b *between) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		if cmd.Name() == "get" && b.on.CompareAndSwap(true, false) {
			b.do()
		}
		return err
	}
}

func (b *between) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func TestWhatIsWrittenBetweenReadingAndWritingStays(t *testing.T) {
	eachDirectory(t, func(t *testing.T, _ *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx, again := t.Context(), anInstallation("T1")
		again.Token = "xoxe.xoxb-AGAIN"
		before := tenants.NewDirectory(rdb, sealKeys(t, oldKey))
		both := tenants.NewDirectory(rdb, sealKeys(t, newKey+","+oldKey))
		other := tenants.NewDirectory(storetest.Another(t, rdb), sealKeys(t, newKey))
		meanwhile := &between{do: func() { assert.NoError(t, other.Installations.Install(ctx, again)) }}
		rdb.AddHook(meanwhile)
		for name, change := range map[string]func() error{
			"sealed anew": func() error { _, err := both.Entries.Reseal(ctx, keyspace.ShardOf("T1")); return err },
			"left before": func() error { return both.Installations.Leave(ctx, "T1", noon.Add(-time.Hour)) },
			"granted":     func() error { return both.Installations.Grant(ctx, "T1", "E1", noon) },
		} {
			require.NoError(t, before.Installations.Install(ctx, anInstallation("T1")))
			if name == "granted" {
				require.NoError(t, both.Installations.Leave(ctx, "T1", noon))
			}
			meanwhile.on.Store(true)
			require.NoError(t, change())
			require.False(t, meanwhile.on.Load())
			i, err := both.Installations.Known(ctx, "T1")
			require.NoError(t, err)
			require.Equal(t, again.Token, i.Token, name)
		}
	})
}

func TestATokenWithoutEndIsNotRenewed(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, _ redis.UniversalClient) {
		t.Helper()
		i := anInstallation("T1")
		i.Refresh, i.Expires = "", time.Time{}
		require.NoError(t, d.Installations.Install(t.Context(), i))
		_, err := d.Renewals.Renew(t.Context(), i, (&slackTokens{}).refresh)
		require.ErrorIs(t, err, tenants.ErrNoRefresh)
		require.False(t, i.Expired(time.Now()))
	})
}

// TestAStolenRedisHoldsNoSecret: a copy of Redis without the key shows no secret.
func TestAStolenRedisHoldsNoSecret(t *testing.T) {
	eachDirectory(t, func(t *testing.T, d *tenants.Directory, rdb redis.UniversalClient) {
		t.Helper()
		ctx, slack := t.Context(), &slackTokens{}
		secrets := map[string]bool{anAccount().Key: true, anAccount().Secret: true, anAccount().URL: true, oldKey: true, newKey: true}
		remember := func(i tenants.Installation) { secrets[i.Token], secrets[i.Refresh] = true, true }
		looks := func() {
			t.Helper()
			holdsNone(t, dumpAll(t, rdb), secrets)
		}
		state, err := d.States.NewState(ctx)
		require.NoError(t, err)
		secrets[state] = true
		looks()
		for _, i := range []tenants.Installation{anInstallation("T1"), anOrganisation("E1")} {
			remember(i)
			require.NoError(t, d.Installations.Install(ctx, i))
			looks()
			require.NoError(t, d.Accounts.Connect(ctx, "T1", anAccount()))
			looks()
			now, err := d.Renewals.Renew(ctx, i, func(ctx context.Context, refresh string) (string, string, time.Time, error) {
				looks()
				return slack.refresh(ctx, refresh)
			})
			require.NoError(t, err)
			remember(now)
			looks()
		}
		for shard := range keyspace.Shards {
			_, err := tenants.NewDirectory(rdb, sealKeys(t, "the newest key of thirty-two characters,"+newKey)).Entries.Reseal(ctx, shard)
			require.NoError(t, err)
		}
		looks()
		require.NoError(t, d.Installations.Leave(ctx, "T1", time.Now()))
		looks()
	})
}

// holdsNone looks for secrets in every form in which they could be saved by mistake.
func holdsNone(t *testing.T, all map[string]string, secrets map[string]bool) {
	t.Helper()
	require.NotEmpty(t, all)
	for key, value := range all {
		for secret := range secrets {
			if holds(key+"\n"+value, secret) {
				t.Fatalf("%s holds %q", key, secret)
			}
		}
	}
}

// holds tells whether a text has a secret in clear, in hex or in base64, wherever in a longer one it stands.
func holds(text, secret string) bool {
	raw := []byte(secret)
	forms := []string{secret, hex.EncodeToString(raw), strings.ToUpper(hex.EncodeToString(raw))}
	for skip := range 3 {
		middle := raw[skip : skip+(len(raw)-skip)/3*3]
		forms = append(forms, base64.RawStdEncoding.EncodeToString(middle), base64.RawURLEncoding.EncodeToString(middle))
	}
	return slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(text, form) })
}

func TestASecretIsFoundInEveryForm(t *testing.T) {
	t.Parallel()
	for _, kept := range []string{
		"x" + newKey + "y", base64.StdEncoding.EncodeToString([]byte("a" + newKey)), base64.URLEncoding.EncodeToString([]byte("ab" + newKey)),
		base64.RawURLEncoding.EncodeToString([]byte("abc" + newKey + "d")), fmt.Sprintf("%x", newKey), fmt.Sprintf("%X", "a"+newKey),
	} {
		require.True(t, holds(kept, newKey), kept)
		require.False(t, holds(kept, oldKey))
	}
}

// dumpAll is everything in Redis, by key, on all of its nodes and of every type.
func dumpAll(t *testing.T, rdb redis.UniversalClient) map[string]string {
	t.Helper()
	ctx, all := context.Background(), map[string]string{}
	var mu sync.Mutex
	node := func(ctx context.Context, c *redis.Client) error {
		keys, err := c.Keys(ctx, "*").Result()
		if err != nil {
			return err
		}
		for _, key := range keys {
			value, err := valueOf(ctx, c, key)
			if err != nil {
				return err
			}
			mu.Lock()
			all[key] = value
			mu.Unlock()
		}
		return nil
	}
	switch c := rdb.(type) {
	case *redis.ClusterClient:
		require.NoError(t, c.ForEachMaster(ctx, node))
	case *redis.Client:
		require.NoError(t, node(ctx, c))
	default:
		t.Fatalf("a client of another kind: %T", rdb)
	}
	return all
}

func valueOf(ctx context.Context, c *redis.Client, key string) (string, error) {
	kind, err := c.Type(ctx, key).Result()
	if err != nil {
		return "", err
	}
	switch kind {
	case "hash":
		v, err := c.HGetAll(ctx, key).Result()
		return fmt.Sprint(v), err
	case "list":
		v, err := c.LRange(ctx, key, 0, -1).Result()
		return fmt.Sprint(v), err
	case "set":
		v, err := c.SMembers(ctx, key).Result()
		return fmt.Sprint(v), err
	case "zset":
		v, err := c.ZRangeWithScores(ctx, key, 0, -1).Result()
		return fmt.Sprint(v), err
	case "stream":
		v, err := c.XRange(ctx, key, "-", "+").Result()
		return fmt.Sprint(v), err
	}
	return c.Get(ctx, key).Result()
}

func TestWithoutRedisTheDirectoryPretendsNothing(t *testing.T) {
	t.Parallel()
	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	defer func() { _ = rdb.Close() }()
	d, ctx := tenants.NewDirectory(rdb, sealKeys(t, newKey)), t.Context()
	_, installed := d.Installations.Installed(ctx, "T1")
	_, account := d.Accounts.Account(ctx, "T1")
	_, begun := d.States.NewState(ctx)
	_, renewed := d.Renewals.Renew(ctx, anInstallation("T1"), (&slackTokens{}).refresh)
	_, resealed := d.Entries.Reseal(ctx, 0)
	_, used := d.States.UseState(ctx, "x")
	for _, err := range []error{
		installed, account, begun, renewed, resealed, d.Installations.Install(ctx, anInstallation("T1")), d.Installations.Leave(ctx, "T1", noon), d.Installations.Grant(ctx, "T1", "E1", noon),
		d.Accounts.Connect(ctx, "T1", anAccount()), d.Accounts.Disconnect(ctx, "T1"), d.Entries.Erase(ctx, "T1"), used, d.Entries.EachWorkspace(ctx, 0, func(string) error { return nil }),
	} {
		require.Error(t, err)
		for _, never := range []error{tenants.ErrNotInstalled, tenants.ErrNotConnected, seal.ErrNotOurs} {
			require.NotErrorIs(t, err, never)
		}
		require.NotContains(t, err.Error(), "FIRST")
		require.NotContains(t, err.Error(), "CLEAR")
	}
}
