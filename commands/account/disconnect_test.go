package account_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	cardsaccount "darkroom/cards/account"
	"darkroom/commands/commandstest"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// decides fills in the disconnect window.
func decides(r *commandstest.Rig, user, data, word, leaving string) bot.Reply {
	r.T.Helper()
	view := r.Disconnects(data, word, leaving)
	r.Clicks++
	return r.SendsAs("V2:"+time.Now().String(), user, view)
}

func TestADisconnectedWorkspaceKeepsItsOrders(t *testing.T) {
	log := &heardLog{}
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		vault, account := r.ConnectedTo(log.logger())
		r.Comes("boss")
		decides(r, "boss", "keep", "", "keep")
		shown := r.Screen.Modal()
		require.True(r.T, commandstest.ContainsAll(shown, "no longer connected to *api.example.com*", "are saved"), shown)
		require.Nil(r.T, vault.Now)
		require.True(r.T, commandstest.ContainsAll(r.Home("boss"), "Earlier orders are saved", "Export or Delete Data"), r.Home("boss"))
		require.NotContains(r.T, r.Comes("maria"), "Export or forget")
		require.Contains(r.T, r.Says("maria", "C1", "show order001"), "not connected to a photo service")
		c, err := r.Store.Connection.Read(r.T.Context())
		require.NoError(r.T, err)
		require.Equal(r.T, tenants.LeavingKeeps, c.Leaving)
		require.True(r.T, commandstest.ContainsAll(log.String(), "photo service disconnected", "api.example.com", `"user":"boss"`))
		require.NotContains(r.T, log.String(), "s3cret")

		require.NoError(r.T, vault.Connect(r.T.Context(), account))
		require.Contains(r.T, r.Says("maria", "C1", "show order001"), "Project order001", "it goes on")
	})
}

// An account that cannot be read can still be removed.
func TestAnAccountThatCannotBeReadIsDisconnected(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		vault, _ := r.ConnectedTo(nil)
		vault.Sealed = true
		r.Comes("boss")
		r.Does(bot.Request{Name: cardsaccount.ActionDisconnect, Value: "disconnect", View: commandstest.AtHome(), User: "boss"})
		require.True(r.T, commandstest.ContainsAll(r.Screen.Modal(), "no longer read this workspace's account", "Disconnect"), r.Screen.Modal())
		decides(r, "boss", "keep", "", "30")
		require.True(r.T, commandstest.ContainsAll(r.Screen.Modal(), "no longer connected to *api.example.com*", "are saved"), r.Screen.Modal())
		require.Nil(r.T, vault.Now)
		require.Zero(r.T, r.Stats().Jobs)
		require.Contains(r.T, r.Home("boss"), "Earlier orders are saved")
	})
}

func TestOnlyAdminsDisconnect(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		vault, _ := r.ConnectedTo(nil)
		r.Does(bot.Request{Name: cardsaccount.ActionDisconnect, Value: "disconnect", View: commandstest.AtHome(), User: "maria"})
		require.Contains(r.T, r.Screen.Modal(), "Only workspace admins may connect")
		decides(r, "maria", "forget", "DELETE", "30")
		require.Contains(r.T, r.Screen.Modal(), "Only workspace admins may connect")
		require.NotNil(r.T, vault.Now)
		r.Settle(time.Hour)
		require.Contains(r.T, r.Says("maria", "C1", "show order001"), "Project order001")
	})
}

func TestACopyOfTheDataComesAsAFile(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		_, _ = r.ConnectedTo(nil)
		decides(r, "boss", "export", "", "30")
		require.Contains(r.T, r.Screen.Modal(), "on its way by direct message")
		r.Settle(time.Minute)
		file := r.Screen.Uploads[cardsaccount.ExportFileName]
		require.NotEmpty(r.T, file)
		lines := strings.Split(strings.TrimSpace(string(file)), "\n")
		for _, line := range lines {
			require.True(r.T, json.Valid([]byte(line)), line)
		}
		require.Contains(r.T, string(file), "Project order001")
		require.Contains(r.T, lines[len(lines)-1], `"orders":1`)
		require.NotContains(r.T, string(file), "s3cret")
		require.NotContains(r.T, string(file), "k3y")
		require.Contains(r.T, strings.Join(r.Screen.AllMessages(), "\n"), "to boss: This is your copy")
	})
}

func TestACopyThatCannotBeSentIsTold(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		_, _ = r.ConnectedTo(nil)
		r.Screen.NoFiles = client.ErrNotAllowed
		decides(r, "boss", "export", "", "30")
		r.Settle(time.Minute)
		require.Contains(r.T, strings.Join(r.Screen.AllMessages(), "\n"), cardsaccount.ExportUnsent)
		require.Zero(r.T, r.Stats().Jobs)
	})
}

func TestAWorkspaceIsForgottenByAWordAlone(t *testing.T) {
	log := &heardLog{}
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		vault, account := r.ConnectedTo(log.logger())
		require.Contains(r.T, commandstest.Text(decides(r, "boss", "forget", "delete", "30").Body), "type DELETE in capitals")
		require.NotNil(r.T, vault.Now)

		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		r.Types("message order001 Please keep the shadows.") // waits for the service
		decides(r, "boss", "forget", "DELETE", "30")
		require.Contains(r.T, r.Screen.Modal(), "are being deleted")
		require.Nil(r.T, vault.Now)
		for _, shown := range []string{r.Home("boss"), r.Comes("boss"), r.Comes("maria"), r.Says("boss", "C1", "balance")} {
			require.Contains(r.T, shown, "is being deleted")
			require.NotContains(r.T, shown, "are kept")
			require.NotContains(r.T, shown, "Export or Delete Data")
			require.NotContains(r.T, shown, cardsaccount.ActionConnect, "it would be refused")
		}

		_, err := r.Jobs.Account.Connect(r.T.Context(), "boss", account, false)
		require.ErrorContains(r.T, err, "is being deleted")

		r.Settle(10 * time.Minute)
		_, err = r.Store.Orders.Order(r.T.Context(), "order001")
		require.ErrorIs(r.T, err, store.ErrNotTracked)
		has, err := r.Store.Connection.HasOrders(r.T.Context())
		require.NoError(r.T, err)
		require.False(r.T, has)
		require.Contains(r.T, strings.Join(r.Screen.AllMessages(), "\n"), "are deleted (")
		require.Zero(r.T, r.Stats().Jobs, "what waited is dropped with it")
		require.NotContains(r.T, r.Server.Dump(), "keep the shadows")
		require.NotContains(r.T, r.Home("boss"), "are kept")
		require.NotContains(r.T, r.Home("boss"), "being forgotten")
		require.Contains(r.T, r.Home("boss"), cardsaccount.ActionConnect)
		require.Contains(r.T, log.String(), "workspace's data forgotten")

		c, err := r.Store.Connection.Read(r.T.Context())
		require.NoError(r.T, err)
		require.False(r.T, c.Busy(time.Now()), "from now on it can be connected")
	})
}

// Delayed jobs are deleted, too: they would look for deleted data. Jobs of a later connection stay, even if the
// deletion ends after it.
func TestJobsThatWerePutForLaterAreForgottenToo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		vault, account := r.ConnectedTo(nil)
		ctx := r.T.Context()
		later := func(id string) {
			_, err := r.Queue.PutAfter(ctx, queue.Job{ID: id, Lane: id, Kind: job.Home, Body: json.RawMessage(`{}`)}, 20*time.Hour)
			require.NoError(r.T, err)
		}
		later("old")
		require.NotZero(r.T, r.Stats().Delayed)
		r.Screen.Lock()
		r.Screen.Mute = true // Slack takes no direct message
		r.Screen.Unlock()
		decides(r, "boss", "forget", "DELETE", "30")
		r.Settle(2 * time.Minute)
		require.Zero(r.T, r.Stats().Delayed)

		was, err := r.Store.Connection.Read(ctx)
		require.NoError(r.T, err)
		require.NoError(r.T, r.Store.Connection.NoteConnected(ctx, account, was))
		require.NoError(r.T, vault.Connect(ctx, account))
		later("new")
		r.Screen.Lock()
		r.Screen.Mute = false
		r.Screen.Unlock()
		r.Settle(10 * time.Minute)
		require.Contains(r.T, strings.Join(r.Screen.AllMessages(), "\n"), "are deleted (")
		require.Equal(r.T, 1, r.Stats().Delayed)
	})
}

// An admin who connects again during the deletion keeps the new data: see [jobs.Jobs.Account.Connect], which refuses.
// After a day it no longer refuses, and the deletion ends itself.
func TestForgettingEndsWhenTheWorkspaceWasConnectedAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		_, account := r.ConnectedTo(nil)
		decides(r, "boss", "forget", "DELETE", "30")
		c, err := r.Store.Connection.Read(r.T.Context())
		require.NoError(r.T, err)
		require.NoError(r.T, r.Store.Connection.NoteConnected(r.T.Context(), account, c)) // before its first page
		r.Settle(10 * time.Minute)
		_, err = r.Store.Orders.Order(r.T.Context(), "order001")
		require.NoError(r.T, err)
		require.Zero(r.T, r.Stats().Jobs)
		require.NotContains(r.T, strings.Join(r.Screen.AllMessages(), "\n"), "are deleted (")
	})
}

// A job may run again after a crash, or be requeued days later. It belongs to the account that was connected when it
// was put.
func TestDisconnectingDoneAgainLeavesAnAccountThatWasConnectedSince(t *testing.T) {
	for name, data := range map[string]cardsaccount.DataChoice{"kept": cardsaccount.DataKeep, "forgotten": cardsaccount.DataForget} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				vault, account := r.ConnectedTo(nil)
				ctx := r.T.Context()
				account.At = time.Now().UTC().Truncate(time.Second)
				require.NoError(r.T, vault.Connect(ctx, account))
				r.Settle(time.Hour)
				r.Screen.Denied = client.ErrTryLater // the answer cannot be sent
				body := accounts.DisconnectArgs{Asker: answers.Asker{Team: "T1", User: "boss", Request: "R1", At: time.Now()}, Data: data, Connected: account.At}
				require.NoError(r.T, r.Jobs.Disconnect.Put(ctx, body))
				r.Settle(10 * time.Minute)
				require.Nil(r.T, vault.Now)
				require.NotZero(r.T, r.Stats().Jobs)

				account.At = time.Now().UTC().Truncate(time.Second)
				was, err := r.Store.Connection.Read(ctx)
				require.NoError(r.T, err)
				require.NoError(r.T, r.Store.Connection.NoteConnected(ctx, account, was))
				require.NoError(r.T, vault.Connect(ctx, account))
				r.Screen.Lock()
				r.Screen.Denied = nil
				r.Screen.Unlock()
				r.Settle(time.Hour)
				require.NotNil(r.T, vault.Now)
				require.Zero(r.T, r.Stats().Jobs)
				require.Contains(r.T, strings.Join(r.Screen.AllMessages(), "\n"), "was connected again after you asked to disconnect it")
				c, err := r.Store.Connection.Read(ctx)
				require.NoError(r.T, err)
				require.Zero(r.T, c.Forgetting)
			})
		})
	}
}

// meanwhile connects accounts while another admin deletes the workspace's data: the second one in Redis gives way.
type meanwhile struct {
	*commandstest.Accounts
	connects func()
}

func (m meanwhile) Connect(ctx context.Context, a tenants.ServiceAccount) error {
	m.connects()
	return m.Accounts.Connect(ctx, a)
}

func TestConnectingEndsNoForgettingThatBeganMeanwhile(t *testing.T) {
	works := upstream.Findings{Reads: upstream.ReadsWork, Writes: upstream.WritesWork}
	for name, last := range map[string]bool{"while the service is asked": false, "right before the account is kept": true} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				vault, account := r.ConnectedTo(nil)
				forget := func() { decides(r, "boss", "forget", "DELETE", "30") }
				asked, kept := forget, func() {}
				if last {
					asked, kept = kept, forget
				}
				r.Connecting.Accounts = meanwhile{vault, kept}
				r.Connecting.Discover = func(context.Context, tenants.ServiceAccount) (upstream.Findings, error) { asked(); return works, nil }
				_, err := r.Jobs.Account.Connect(r.T.Context(), "olga", account, false)
				require.ErrorContains(r.T, err, "is being deleted")
				require.Nil(r.T, vault.Now)
				r.Settle(10 * time.Minute)
				_, err = r.Store.Orders.Order(r.T.Context(), "order001")
				require.ErrorIs(r.T, err, store.ErrNotTracked)
				require.Contains(r.T, strings.Join(r.Screen.AllMessages(), "\n"), "are deleted (")
			})
		})
	}
}

// Redis may fail before or right after the account is saved. In both cases the person reads the truth, and the account
// stays the same.
func TestAnAccountThatWasNearlyConnected(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		vault, account := r.ConnectedTo(nil)
		ctx := r.T.Context()
		r.Connecting.Discover = func(context.Context, tenants.ServiceAccount) (upstream.Findings, error) {
			return upstream.Findings{Reads: upstream.ReadsWork, Writes: upstream.WritesWork}, nil
		}
		same := account
		same.Key = "an0ther"
		vault.Broken = errors.New("connection reset")
		_, err := r.Jobs.Account.Connect(ctx, "boss", same, true)
		require.Error(r.T, err)
		for _, a := range []tenants.ServiceAccount{account, same} {
			_, err = r.Jobs.Account.OrdersHost(ctx, a)
			require.NoError(r.T, err)
		}

		vault.Broken = nil
		r.Connecting.Accounts = meanwhile{vault, func() { r.Server.SetError("LOADING") }}
		_, err = r.Jobs.Account.Connect(ctx, "boss", same, true)
		require.NoError(r.T, err, "it is connected, and so its admin reads")
		r.Server.SetError("")
		require.Equal(r.T, "an0ther", vault.Now.Key)

		r.Connecting.Accounts = vault
		_, err = r.Jobs.Account.Connect(ctx, "boss", same, true)
		require.NoError(r.T, err)
		_, err = r.Jobs.Account.OrdersHost(ctx, same)
		require.NoError(r.T, err)
		_, err = r.Jobs.Account.OrdersHost(ctx, account)
		require.ErrorIs(r.T, err, accounts.ErrOtherAccount, "from now on")
	})
}

func TestWhatBecomesOfTheDataWhenTheAppWasRemoved(t *testing.T) {
	const day = 24 * time.Hour
	for name, test := range map[string]struct {
		leaving tenants.Leaving
		after   time.Duration
		want    bool
	}{
		"within thirty days": {tenants.LeavingForgets30, 29 * day, false},
		"after them":         {tenants.LeavingForgets30, 30 * day, true},
		"at once":            {tenants.LeavingForgets, 0, true},
		"never":              {tenants.LeavingKeeps, 1000 * day, false},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				vault, _ := r.ConnectedTo(nil)
				ctx := r.T.Context()
				require.NoError(r.T, r.Store.Connection.SetLeaving(ctx, test.leaving))
				gone := time.Now().Add(-test.after)
				forget := func() accounts.Removed {
					became, err := accounts.ForgetRemoved(ctx, r.Store, r.Queue, vault, gone, time.Now(), slog.New(slog.DiscardHandler))
					require.NoError(r.T, err)
					return became
				}
				was, isLater := accounts.RemovedKept, accounts.RemovedKept
				if test.want {
					was, isLater = accounts.RemovedForgotten, accounts.RemovedDone
				}
				<-time.After(time.Second)
				require.Equal(r.T, was, forget())
				require.Equal(r.T, was, forget(), "what is under way may leave something")
				require.Equal(r.T, test.want, vault.Now == nil)
				has, err := r.Store.Connection.HasOrders(ctx)
				require.NoError(r.T, err)
				require.NotEqual(r.T, test.want, has)
				<-time.After(2 * time.Minute)
				require.Equal(r.T, isLater, forget(), "asked again")
			})
		})
	}
}

// walks scans Redis in pages, which the embedded server cannot do, and can stop after any page.
type walks struct {
	cursors []uint64 // cursor of each page
	most    int      // pages until the scan stops
	cut     context.CancelFunc
}

func (w *walks) DialHook(next redis.DialHook) redis.DialHook { return next }

func (w *walks) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (w *walks) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		scan, is := cmd.(*redis.ScanCmd)
		if !is || cmd.Name() != "scan" {
			return next(ctx, cmd)
		}
		if len(w.cursors) == w.most {
			w.cut()
			return context.Canceled
		}
		page := scan.Args()[1].(uint64)
		w.cursors = append(w.cursors, page)
		scan.Args()[1] = uint64(0)
		err := next(ctx, cmd)
		all, _ := scan.Val()
		scan.SetVal(slices.DeleteFunc(all, func(key string) bool { return crc32.ChecksumIEEE([]byte(key))%walkPages != uint32(page) }), (page+1)%walkPages)
		return err
	}
}

const walkPages = 8

// Deleting a removed workspace runs a minute at a time: a large Redis needs several runs.
func TestForgettingAWorkspaceThatLeftGoesOnWhereItWasCutOff(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		vault, account := r.ConnectedTo(nil)
		ctx := r.T.Context()
		for n := range 100 {
			require.NoError(r.T, r.Store.Documents.PutTTL(ctx, fmt.Sprint("n", n), n, 100*24*time.Hour))
		}
		require.NoError(r.T, r.Store.Connection.SetLeaving(ctx, tenants.LeavingForgets))
		gone := time.Now()
		<-time.After(time.Second)
		w := &walks{}
		r.Redis.AddHook(w)
		forget := func(pages int) (accounts.Removed, error) {
			ctx, cut := context.WithCancel(ctx)
			defer cut()
			w.cursors, w.most, w.cut = nil, pages, cut
			return accounts.ForgetRemoved(ctx, r.Store, r.Queue, vault, gone, time.Now(), slog.New(slog.DiscardHandler))
		}
		_, err := forget(2)
		require.Error(r.T, err)
		require.Zero(r.T, w.cursors[0])
		begun, err := r.Store.Connection.Read(ctx)
		require.NoError(r.T, err)
		require.True(r.T, begun.Busy(time.Now()))
		looks := 1
		for became := accounts.RemovedKept; became != accounts.RemovedForgotten; looks++ {
			require.Less(r.T, looks, 20, "it ends")
			<-time.After(2 * time.Minute)
			if became, err = forget(2); err != nil {
				require.Equal(r.T, uint64(2*looks%walkPages), w.cursors[0], "it goes on where it was cut off")
				now, err := r.Store.Connection.Read(ctx)
				require.NoError(r.T, err)
				require.Equal(r.T, begun.Forgetting, now.Forgetting, "it is the same one that goes on")
			}
		}
		require.Greater(r.T, looks, 2)
		has, err := r.Store.Connection.HasOrders(ctx)
		require.NoError(r.T, err)
		require.False(r.T, has)

		<-time.After(2 * time.Minute)
		_, err = forget(1)
		require.Error(r.T, err)
		became := accounts.RemovedKept
		for range 20 {
			if became, err = forget(1); err == nil {
				break
			}
		}
		require.NoError(r.T, err)
		require.Equal(r.T, accounts.RemovedDone, became, "the second look is known as such when it goes on")

		_, err = forget(1)
		require.Error(r.T, err)
		c, err := r.Store.Connection.Read(ctx)
		require.NoError(r.T, err)
		require.True(r.T, c.Busy(time.Now()))
		require.False(r.T, c.Busy(time.Now().Add(10*time.Minute)), "whoever adds the app again need not wait for what nobody goes on with")
		require.NoError(r.T, r.Store.Connection.NoteConnected(ctx, account, c))
		c, err = r.Store.Connection.Read(ctx)
		require.NoError(r.T, err)
		require.Zero(r.T, c.Removal)
	})
}

// An open form does not undo an account that other admins connected, or their choice about the data.
func TestAStaleFormThatDisconnectsUndoesNothing(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		vault, account := r.ConnectedTo(nil)
		ctx := r.T.Context()
		r.Comes("boss")
		submits := func(leaving string, meanwhile func()) string {
			r.Does(bot.Request{Name: cardsaccount.ActionDisconnect, Value: "disconnect", View: commandstest.AtHome(), User: "boss"})
			q := r.Completed(map[string]slack.BlockAction{
				"workspacedata": {SelectedOption: slack.OptionBlockObject{Value: "keep"}}, "leaving": {SelectedOption: slack.OptionBlockObject{Value: leaving}},
			})
			q.User = "boss"
			meanwhile()
			reply, err := r.Handle(ctx, q)
			require.NoError(r.T, err)
			r.Settle(time.Second)
			return commandstest.Text(reply.Body)
		}
		chooses := func(l tenants.Leaving) func() {
			return func() { require.NoError(r.T, r.Store.Connection.SetLeaving(ctx, l)) }
		}
		left := func() tenants.Leaving {
			c, err := r.Store.Connection.Read(ctx)
			require.NoError(r.T, err)
			return c.Leaving
		}
		require.Contains(r.T, submits("forget", chooses(tenants.LeavingKeeps)), "everything is kept")
		require.Equal(r.T, tenants.LeavingKeeps, left())
		require.NotNil(r.T, vault.Now, "nothing was done")

		account.At = time.Now().UTC().Truncate(time.Second)
		submits("keep", func() { require.NoError(r.T, vault.Connect(ctx, account)) })
		require.NotNil(r.T, vault.Now, "another account than the form named")
		require.Contains(r.T, r.Screen.Modal(), "was connected again")

		submits("keep", chooses(tenants.LeavingForgets))
		require.Nil(r.T, vault.Now)
		require.Equal(r.T, tenants.LeavingForgets, left(), "the form's person had not changed it")
		require.Contains(r.T, submits("forget", func() {}), "One moment")
	})
}
