package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/cards"
	cardsaccount "darkroom/cards/account"
	"darkroom/commands/commandstest"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

const disconnectWindow = "disconnect window"

// connectedWorkspace makes a workspace with an account and an order, and boss as its admin.
func connectedWorkspace(r *commandstest.Rig) (*commandstest.Accounts, tenants.ServiceAccount) {
	r.T.Helper()
	r.SetUpWorkspace()
	vault := r.Connects(nil)
	account := tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "k3y", Secret: "s3cret", By: "boss", At: time.Now().UTC()}
	require.NoError(r.T, vault.Connect(r.T.Context(), account))
	require.NoError(r.T, r.Store.Connection.NoteConnected(r.T.Context(), account, tenants.Connection{}))
	r.Owns("order001", "C1", "maria", commandstest.InStatus(order.StatusReviewing))
	return vault, account
}

// disconnecting returns the job's arguments for a submitted window.
func disconnecting(user string, data cardsaccount.DataChoice, leaving tenants.Leaving) accounts.DisconnectArgs {
	asker := answers.Asker{Team: "T1", User: user, View: disconnectWindow, Request: "R1", At: time.Now()}
	return accounts.DisconnectArgs{Asker: asker, Data: data, Leaving: leaving}
}

// disconnects submits that window, which shows the current account.
func disconnects(r *commandstest.Rig, user string, data cardsaccount.DataChoice, leaving tenants.Leaving) {
	r.T.Helper()
	body := disconnecting(user, data, leaving)
	if r.Connecting != nil {
		account, _ := r.Connecting.Accounts.Account(r.T.Context())
		body.Connected = account.At
	}
	require.NoError(r.T, r.Jobs.Disconnect.Put(r.T.Context(), body))
	r.Settle(time.Second)
}

func connection(r *commandstest.Rig) tenants.Connection {
	r.T.Helper()
	c, err := r.Store.Connection.Read(r.T.Context())
	require.NoError(r.T, err)
	return c
}

func TestWhoDisconnectsReadsWhatBecomesOfTheData(t *testing.T) {
	for data, says := range map[cardsaccount.DataChoice]string{
		cardsaccount.DataKeep: "are saved", cardsaccount.DataExport: "on its way by direct message", cardsaccount.DataForget: "are being deleted",
	} {
		t.Run(string(data), func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				vault, _ := connectedWorkspace(r)
				r.Comes("boss")
				disconnects(r, "boss", data, tenants.LeavingKeeps)
				require.Nil(r.T, vault.Now)
				shown := r.Screen.Window(disconnectWindow)
				require.True(r.T, commandstest.ContainsAll(shown, "no longer connected to *api.example.com*", says), shown)
				require.Equal(r.T, tenants.LeavingKeeps, connection(r).Leaving)
				require.Contains(r.T, r.Home("boss"), "not connected", "their Home says so, too")
				require.Equal(r.T, data == cardsaccount.DataExport, r.JobCount(job.Export) == 1)
				r.Settle(10 * time.Minute)
				require.Equal(r.T, data == cardsaccount.DataForget, r.JobCount(job.Forget) == 1)
				require.Zero(r.T, r.Stats().Jobs)
			})
		})
	}
}

// The person reads that a copy is on its way, or that the data is being forgotten, only when that was put.
func TestACopyOrForgettingThatCannotBeBegunIsNotToldAsDone(t *testing.T) {
	for data, kind := range map[cardsaccount.DataChoice]string{cardsaccount.DataExport: job.Export, cardsaccount.DataForget: job.Forget} {
		t.Run(string(data), func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				vault, _ := connectedWorkspace(r)
				r.Comes("boss")
				var away atomic.Int64 // how often it met the job
				r.Redis.AddHook(beforeCommand(func(cmd redis.Cmder) error {
					if away.Load() < 0 || !mentions(cmd, kind+":R1") {
						return nil
					}
					away.Add(1)
					return io.EOF
				}))
				disconnects(r, "boss", data, tenants.LeavingKeeps)
				r.Settle(time.Minute)
				require.Positive(r.T, away.Load())
				require.Nil(r.T, vault.Now)
				require.Empty(r.T, r.Screen.Window(disconnectWindow))
				require.Empty(r.T, r.Screen.AllMessages())
				away.Store(-1)
				r.Settle(10 * time.Minute)
				require.Contains(r.T, r.Screen.Window(disconnectWindow), map[cardsaccount.DataChoice]string{
					cardsaccount.DataExport: "on its way by direct message", cardsaccount.DataForget: "are being deleted",
				}[data])
				require.Equal(r.T, 1, r.JobCount(kind))
			})
		})
	}
}

// The choice for the data holds also if the account is gone, or cannot be read.
func TestTheDataIsDecidedAboutWithoutAnAccount(t *testing.T) {
	for name, row := range map[string]struct {
		account func(a *commandstest.Accounts)
		says    string
	}{
		"none":                     {func(a *commandstest.Accounts) { a.Now = nil }, ""},
		"one that cannot be read":  {func(a *commandstest.Accounts) { a.Sealed = true }, "no longer connected to *api.example.com*"},
		"one that can, as always:": {func(*commandstest.Accounts) {}, "no longer connected to *api.example.com*"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				vault, _ := connectedWorkspace(r)
				row.account(vault)
				disconnects(r, "boss", cardsaccount.DataKeep, tenants.LeavingForgets)
				require.Nil(r.T, vault.Now)
				require.Equal(r.T, tenants.LeavingForgets, connection(r).Leaving)
				require.Contains(r.T, r.Screen.Window(disconnectWindow), row.says)
				require.Equal(r.T, row.says != "", strings.Contains(r.Screen.Window(disconnectWindow), "no longer connected to"))
			})
		})
	}
}

func TestOnlyAnAdminDisconnectsOrExports(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		vault, _ := connectedWorkspace(r)
		before := connection(r)
		disconnects(r, "maria", cardsaccount.DataForget, tenants.LeavingForgets)
		require.Contains(r.T, r.Screen.Window(disconnectWindow), "Only workspace admins")
		require.NotNil(r.T, vault.Now)
		require.Equal(r.T, before, connection(r))
		exports(r, "maria")
		require.Contains(r.T, r.Screen.LastMessage(), "Only workspace admins")
		require.Empty(r.T, r.Screen.Uploads)
	})
}

func TestAnAccountOfTheConfigurationIsNotDisconnected(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		disconnects(r, "boss", cardsaccount.DataKeep, "")
		r.Settle(time.Minute)
		require.Equal(r.T, 1, r.Stats().Dead)
	})
}

// While the account cannot be read, the job waits.
func TestWhileTheAccountCannotBeReadNothingIsDisconnected(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		vault, _ := connectedWorkspace(r)
		broken := &unread{Accounts: vault, err: io.EOF}
		r.Connecting.Accounts = broken
		body := disconnecting("boss", cardsaccount.DataKeep, tenants.LeavingForgets)
		body.Connected = vault.Now.At
		require.NoError(r.T, r.Jobs.Putter.Put(r.T.Context(), job.Disconnect, "disconnect:R1", "workspace", body))
		r.Settle(time.Minute)
		require.NotNil(r.T, vault.Now)
		require.Zero(r.T, connection(r).Leaving)
		broken.set(nil)
		vault.Lock()
		vault.Broken = io.EOF
		vault.Unlock()
		r.Settle(time.Minute)
		require.Empty(r.T, r.Screen.Window(disconnectWindow), "it is connected still")
		vault.Lock()
		vault.Broken = nil
		vault.Unlock()
		r.Settle(time.Minute)
		require.Nil(r.T, vault.Now)
		require.Contains(r.T, r.Screen.Window(disconnectWindow), "no longer connected to")
	})
}

// unread fails to read the account for a while.
type unread struct {
	*commandstest.Accounts

	mu  sync.Mutex
	err error
}

func (u *unread) set(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.err = err
}

func (u *unread) Account(ctx context.Context) (tenants.ServiceAccount, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.err != nil {
		return tenants.ServiceAccount{}, u.err
	}
	return u.Accounts.Account(ctx)
}

// A late job is still about the account that its person saw, or about a workspace without one.
func TestAnAccountThatWasConnectedSinceStays(t *testing.T) {
	at := func(d time.Duration) time.Time { return time.Now().UTC().Add(d) }
	for name, row := range map[string]struct {
		connected func() time.Time // what the job says
		account   time.Duration    // when that was connected which is there, from when the job was put
		stays     bool
	}{
		"the same":                  {func() time.Time { return at(-time.Hour) }, -time.Hour, false},
		"another":                   {func() time.Time { return at(-time.Hour) }, -time.Minute, true},
		"one, where there was none": {func() time.Time { return time.Time{} }, -time.Minute, true},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Settle(2 * time.Hour)
				vault, account := connectedWorkspace(r)
				account.At = time.Now().UTC().Add(row.account)
				require.NoError(r.T, vault.Connect(r.T.Context(), account))
				body := disconnecting("boss", cardsaccount.DataForget, tenants.LeavingForgets)
				body.Connected = row.connected()
				raw, err := json.Marshal(body)
				require.NoError(r.T, err)
				d := &queue.Delivery{Job: queue.Job{ID: "disconnect:R1", Kind: job.Disconnect, Body: raw}, PutAt: time.Now().Add(300 * time.Millisecond)}
				require.NoError(r.T, r.Doing(job.Disconnect)(r.T.Context(), d))
				require.Equal(r.T, row.stays, vault.Now != nil)
				require.Equal(r.T, row.stays, strings.Contains(r.Screen.Window(disconnectWindow), "was connected again after you asked to disconnect it"))
				require.Equal(r.T, row.stays, connection(r).Forgetting.IsZero())
				require.Equal(r.T, row.stays, connection(r).Leaving == "")
			})
		})
	}
}

// exports asks for a copy of the data.
func exports(r *commandstest.Rig, user string) {
	r.T.Helper()
	body := map[string]any{"team": "T1", "user": user, "request": fmt.Sprint("R", time.Now().UnixNano()), "at": time.Now()}
	require.NoError(r.T, r.Jobs.Putter.Put(r.T.Context(), job.Export, fmt.Sprint("export:", time.Now().UnixNano()), "workspace", body))
	r.Settle(time.Minute)
}

func TestACopyOfTheDataIsSentOrItIsToldWhyNot(t *testing.T) {
	for name, row := range map[string]struct {
		meets func(s *commandstest.Screen)
		says  string
		sent  bool
		waits bool
	}{
		"sent":                    {func(*commandstest.Screen) {}, "", true, false},
		"no right to upload":      {func(s *commandstest.Screen) { s.Scopes = []string{"im:history"} }, cardsaccount.ExportNoRights, false, false},
		"refused":                 {func(s *commandstest.Screen) { s.NoFiles = client.ErrNotAllowed }, cardsaccount.ExportUnsent, false, false},
		"perhaps sent":            {func(s *commandstest.Screen) { s.NoFiles = client.ErrUnknownOutcome }, cardsaccount.ExportUnsure, false, false},
		"slack is away":           {func(s *commandstest.Screen) { s.NoFiles = client.ErrTryLater }, "", false, true},
		"slack wants an operator": {func(s *commandstest.Screen) { s.NoFiles = client.ErrToken }, "Your request goes on when it is fixed", false, true},
		"nobody knows the app":    {func(s *commandstest.Screen) { s.NoIdentity = client.ErrTryLater }, "", false, true},
		"nobody knows the person": {func(s *commandstest.Screen) { s.NoUsers = client.ErrTryLater }, "", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				connectedWorkspace(r)
				row.meets(r.Screen)
				exports(r, "boss")
				file := string(r.Screen.Uploads[cardsaccount.ExportFileName])
				require.Equal(r.T, row.sent, strings.Contains(file, "Project order001"))
				require.NotContains(r.T, file, "s3cret")
				require.Equal(r.T, row.waits, r.Stats().Jobs > 0)
				if row.says != "" {
					require.Len(r.T, r.Screen.AllMessages(), 1)
					require.Contains(r.T, r.Screen.LastMessage(), row.says)
				}
				if !row.waits {
					return
				}
				require.Equal(r.T, row.says == "", len(r.Screen.AllMessages()) == 0)
				r.Screen.Set(func(s *commandstest.Screen) { s.NoFiles, s.NoIdentity, s.NoUsers = nil, nil, nil })
				r.Settle(time.Hour)
				require.Contains(r.T, string(r.Screen.Uploads[cardsaccount.ExportFileName]), "Project order001")
			})
		})
	}
}

// Data that grows while it is sent is sent again, whole.
func TestACopyOfDataThatGrowsIsSentWhole(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		connectedWorkspace(r)
		r.Screen.BeforeFile = func() {
			for i := range 6 { // more than there is room for
				p := store.Preset{Name: fmt.Sprint("Preset ", i), Brief: order.Brief{Instructions: []string{strings.Repeat("x", 15_000)}}}
				require.NoError(r.T, r.Store.Presets.SavePreset(r.T.Context(), "T1", "C1", p, "", false))
			}
		}
		exports(r, "boss")
		file := string(r.Screen.Uploads[cardsaccount.ExportFileName])
		require.Contains(r.T, file, "Project order001")
		require.Contains(r.T, file, "Preset 5")
		require.Equal(r.T, 1, r.Screen.Uploaded())
		require.Len(r.T, r.Screen.AllMessages(), 1, "only of the file")
		require.Zero(r.T, r.Stats().Jobs)
	})
}

// A request to the service takes a minute at most. Forgetting begins after that, and a new account ends it.
func TestForgettingBeginsAfterAMinuteAndEndsWhenItIsDecidedAnew(t *testing.T) {
	for name, row := range map[string]struct {
		decides func(r *commandstest.Rig)
		forgets bool
	}{
		"nobody decides anew": {func(*commandstest.Rig) {}, true},
		"connected again": {func(r *commandstest.Rig) {
			require.NoError(r.T, r.Store.Connection.NoteConnected(r.T.Context(), tenants.ServiceAccount{URL: "https://b.example.com"}, connection(r)))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				connectedWorkspace(r)
				disconnects(r, "boss", cardsaccount.DataForget, "")
				r.Settle(57 * time.Second)
				require.NotEmpty(r.T, r.Stored("order001").ID)
				row.decides(r)
				r.Settle(10 * time.Minute)
				_, err := r.Store.Orders.Order(r.T.Context(), "order001")
				require.Equal(r.T, row.forgets, errors.Is(err, store.ErrNotTracked), err)
				require.Equal(r.T, row.forgets, strings.Contains(r.Screen.LastMessage(), "are deleted ("))
				require.Zero(r.T, r.Stats().Jobs)
			})
		})
	}
}

func TestDeadLettersAreForgottenWithTheData(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		connectedWorkspace(r)
		for i := range cards.PageSize + 1 {
			id := fmt.Sprint("typed", i)
			require.NoError(r.T, r.Jobs.Putter.Put(r.T.Context(), job.Message, id, id, json.RawMessage(`[]`)))
		}
		r.Settle(time.Second)
		require.Equal(r.T, cards.PageSize+1, r.Stats().Dead)
		disconnects(r, "boss", cardsaccount.DataForget, "")
		r.Settle(10 * time.Minute)
		require.Zero(r.T, r.Stats().Dead, "what was typed is in them")
	})
}

func TestARemovedWorkspaceIsForgottenAsItsAdminsChose(t *testing.T) {
	const day = 24 * time.Hour
	for name, row := range map[string]struct {
		leaving tenants.Leaving
		after   time.Duration
		want    bool
	}{
		"before thirty days": {tenants.LeavingForgets30, 30*day - time.Second, false},
		"after thirty days":  {tenants.LeavingForgets30, 30 * day, true},
		"at once":            {tenants.LeavingForgets, 0, true},
		"never":              {tenants.LeavingKeeps, 1000 * day, false},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				vault, _ := connectedWorkspace(r)
				ctx := r.T.Context()
				require.NoError(r.T, r.Store.Connection.SetLeaving(ctx, row.leaving))
				now := time.Now()
				gone := now.Add(-row.after)
				look := func() accounts.Removed {
					<-time.After(time.Second)
					became, err := accounts.ForgetRemoved(ctx, r.Store, r.Queue, vault, gone, now, slog.New(slog.DiscardHandler))
					require.NoError(r.T, err)
					return became
				}
				if !row.want {
					require.Equal(r.T, accounts.RemovedKept, look())
					require.NotNil(r.T, vault.Now)
					require.NotEmpty(r.T, r.Stored("order001").ID)
					return
				}
				require.Equal(r.T, accounts.RemovedForgotten, look(), "what is under way may leave something")
				require.Nil(r.T, vault.Now)
				_, err := r.Store.Orders.Order(ctx, "order001")
				require.ErrorIs(r.T, err, store.ErrNotTracked)
				require.Equal(r.T, accounts.RemovedForgotten, look(), "too early to say that nothing is left")
				now = now.Add(2 * time.Minute)
				<-time.After(2 * time.Minute)
				require.Equal(r.T, accounts.RemovedDone, look())
			})
		})
	}
}

// The app never reports data as forgotten that it could not forget. A second request forgets it.
func TestForgettingThatFailsIsNotToldAsDone(t *testing.T) {
	for name, row := range map[string]func(ctx context.Context, r *commandstest.Rig, a accounts.Accounts, gone time.Time) (done bool, err error){
		"of who removed the app": func(ctx context.Context, r *commandstest.Rig, a accounts.Accounts, gone time.Time) (bool, error) {
			became, err := accounts.ForgetRemoved(ctx, r.Store, r.Queue, a, gone, time.Now(), slog.New(slog.DiscardHandler))
			return became != accounts.RemovedKept, err
		},
		"at once": func(ctx context.Context, r *commandstest.Rig, a accounts.Accounts, _ time.Time) (bool, error) {
			_, err := accounts.ForgetNow(ctx, r.Store, r.Queue, a)
			return err == nil, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			failed := 0
			for breaks, broke := int64(0), true; broke; breaks++ {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					vault, _ := connectedWorkspace(r)
					ctx := context.WithValue(r.T.Context(), commandstest.AtWork{}, true)
					require.NoError(r.T, r.Store.Connection.SetLeaving(ctx, tenants.LeavingForgets))
					gone := time.Now()
					<-time.After(time.Second)
					putsLater(r, "typed", time.Hour)
					r.Flaky.Left.Store(breaks)
					if breaks == 0 {
						vault.Broken = io.EOF
					}
					done, err := row(ctx, r, vault, gone)
					broke = breaks == 0 || r.Flaky.Left.Load() <= 0
					require.Equal(r.T, err == nil, done, "at command %d", breaks)
					vault.Broken = nil
					if !done {
						failed++
						done, err = row(ctx, r, vault, gone)
						require.NoError(r.T, err)
						require.True(r.T, done)
					}
					require.Nil(r.T, vault.Now)
					_, err = r.Store.Orders.Order(r.T.Context(), "order001")
					require.ErrorIs(r.T, err, store.ErrNotTracked)
					require.Zero(r.T, r.Stats().Delayed, "what was put for later is about what is no more")
				})
			}
			require.Greater(t, failed, 5)
		})
	}
}

// putsLater puts a job for later.
func putsLater(r *commandstest.Rig, id string, after time.Duration) {
	r.T.Helper()
	_, err := r.Queue.PutAfter(r.T.Context(), queue.Job{ID: id, Lane: id, Kind: job.Home, Body: json.RawMessage(`{}`)}, after)
	require.NoError(r.T, err)
}

// An admin may connect the workspace again while its data is forgotten. New data stays.
func TestForgettingAWorkspaceThatLeftEndsWhenItIsConnectedAnew(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		vault, account := connectedWorkspace(r)
		require.NoError(r.T, r.Store.Connection.SetLeaving(r.T.Context(), tenants.LeavingForgets))
		gone := time.Now()
		<-time.After(time.Second)
		putsLater(r, "new", time.Hour)
		var anew sync.Once
		r.Redis.AddHook(beforeCommand(func(cmd redis.Cmder) error {
			if cmd.Name() == "scan" {
				anew.Do(func() { require.NoError(r.T, r.Store.Connection.NoteConnected(r.T.Context(), account, connection(r))) })
			}
			return nil
		}))
		became, err := accounts.ForgetRemoved(r.T.Context(), r.Store, r.Queue, vault, gone, time.Now(), slog.New(slog.DiscardHandler))
		require.NoError(r.T, err)
		require.Equal(r.T, accounts.RemovedKept, became)
		require.Equal(r.T, 1, r.Stats().Delayed)
	})
}

func TestAWorkspaceIsForgottenAtOnceWhateverItsAdminsChose(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		vault, _ := connectedWorkspace(r)
		require.NoError(r.T, r.Store.Connection.SetLeaving(r.T.Context(), tenants.LeavingKeeps))
		putsLater(r, "later", time.Hour)
		keys, err := accounts.ForgetNow(r.T.Context(), r.Store, r.Queue, vault)
		require.NoError(r.T, err)
		require.Positive(r.T, keys)
		require.Nil(r.T, vault.Now)
		_, err = r.Store.Orders.Order(r.T.Context(), "order001")
		require.ErrorIs(r.T, err, store.ErrNotTracked)
		require.Zero(r.T, r.Stats().Delayed)
	})
}

// Redis goes away at each command of the job in turn. The workspace is still disconnected and forgotten, and its person
// notified.
func TestDisconnectingOutlivesARedisThatGoesAway(t *testing.T) {
	for breaks, broke := int64(1), true; broke; breaks++ {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			vault, _ := connectedWorkspace(r)
			r.Flaky.After = breaks%2 == 0
			r.Flaky.Left.Store(breaks)
			disconnects(r, "boss", cardsaccount.DataForget, tenants.LeavingKeeps)
			r.Settle(20 * time.Minute)
			broke = r.Flaky.Left.Load() <= 0
			require.Nil(r.T, vault.Now)
			require.Contains(r.T, r.Screen.Window(disconnectWindow), "are being deleted", "at command %d", breaks)
			_, err := r.Store.Orders.Order(r.T.Context(), "order001")
			require.ErrorIs(r.T, err, store.ErrNotTracked, "at command %d", breaks)
			require.Contains(r.T, r.Screen.LastMessage(), "are deleted (", "at command %d", breaks)
			require.Zero(r.T, r.Stats().Jobs+r.Stats().Dead, "at command %d", breaks)
		})
	}
}
