package commands_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/store"
	"darkroom/store/storetest"
)

// counted counts the commands sent to Redis, and blocks them while it is held.
type counted struct {
	sent atomic.Int64
	held chan struct{} // nil: not held
}

func (c *counted) DialHook(next redis.DialHook) redis.DialHook { return next }

func (c *counted) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if c.held != nil {
			<-c.held
		}
		c.sent.Add(1)
		return next(ctx, cmd)
	}
}

func (c *counted) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		c.sent.Add(1)
		return next(ctx, cmds)
	}
}

// The usual submission is one round trip to Redis with exactly these commands.
func TestASubmissionIsOneRoundTrip(t *testing.T) {
	server := storetest.Start(t)
	rdb := server.Client()
	d, count := deskOver(t, rdb, asItIs), &counted{}
	first, form := d.fillsIn(t, 1), d.fillsIn(t, 2)
	d.submits(t, first) // loads the script into Redis
	rdb.AddHook(count)
	before := storetest.Spending(t, server.Client())
	d.submits(t, form)
	require.Equal(t, int64(1), count.sent.Load())
	require.LessOrEqual(t, storetest.Spending(t, server.Client()).Less(before).Commands, 16)

	kept, err := d.drafts.Draft(t.Context(), kit.DecodeMeta(form.View.PrivateMetadata).Draft)
	require.NoError(t, err)
	require.Equal(t, store.DraftPlacing, kept.State)
	require.Len(t, kept.Files, 3)
	require.NotEmpty(t, kept.Run)
	d.submits(t, form)
	require.Equal(t, int64(1), rdb.LLen(t.Context(), "{darkroom}:q:lane:draft:"+kept.ID).Val()-2, "the second one is no order: it follows and repaints")
}

// heldBack is a Slack that unblocks Redis when a window opens, and blocks calls about people until then.
type heldBack struct {
	*commandstest.Screen
	opened chan struct{}
}

func (h heldBack) OpenView(ctx context.Context, trigger string, v slack.ModalViewRequest) error {
	close(h.opened)
	return h.Screen.OpenView(ctx, trigger, v)
}

func (h heldBack) UserNow(ctx context.Context, id string) (slack.User, error) {
	<-h.opened
	return h.Screen.UserNow(ctx, id)
}

// A trigger lives three seconds: the form opens while Redis and users.info hang, and is complete afterwards.
func TestNothingIsAskedBeforeTheFormOpens(t *testing.T) {
	photo := &slack.Message{}
	photo.Files = []slack.File{commandstest.SlackPhoto("beach.jpg")}
	for name, row := range map[string]struct {
		name    string
		message *slack.Message
	}{
		"New photo order": {commands.ShortcutNew, nil}, "Order these photos": {commands.ShortcutPhotos, photo},
	} {
		for who, known := range map[string]bool{"a member": true, "a stranger": false} {
			t.Run(name+" by "+who, func(t *testing.T) {
				rdb, opened := storetest.Client(t), make(chan struct{})
				d := deskOver(t, rdb, func(s *commandstest.Screen) slackOfDesk { return heldBack{s, opened} })
				d.screen.Unremembered = map[string]bool{"maria": !known}
				rdb.AddHook(&counted{held: opened})
				q := newForm(1)
				q.Name, q.Message = row.name, row.message
				d.router.Handle(t.Context(), q)
				require.NoError(t, d.running.Wait(t.Context()))
				require.Contains(t, d.screen.Modal(), "Instructions")
				_, err := d.drafts.Draft(t.Context(), kit.DecodeMeta(d.screen.View(d.screen.Last()).PrivateMetadata).Draft)
				require.NoError(t, err)
			})
		}
	}
}

func TestAGuestOfWhomNothingIsRememberedReadsWhyInTheWindow(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Screen.Guests = map[string]bool{"ines": true}
		r.Screen.Unremembered = map[string]bool{"ines": true}
		r.Click(bot.Request{Kind: bot.KindCommand, Name: commands.Slash, Verb: "new", Args: "https://a/b.jpg", Text: "new https://a/b.jpg", User: "ines"})
		require.True(r.T, commandstest.ContainsAll(r.Screen.Modal(), "Guests may look at orders but not place them", "https://a/b.jpg"))
		require.NotContains(r.T, r.Screen.Modal(), "Instructions")
		require.Empty(r.T, r.Screen.LastMessage(), "once is enough")
		_, err := r.Store.Drafts.Unfinished(r.T.Context(), "T1", "ines")
		require.ErrorIs(r.T, err, store.ErrNoDraft)
		group := bot.Request{Kind: bot.KindCommand, Name: commands.Slash, Verb: "new", Text: "new", User: "ines", ChannelName: "mpdm-ines--ben--ada-1"}
		r.Click(group)
		require.Contains(r.T, r.Screen.Modal(), "Guests may look")
		require.Empty(r.T, r.Screen.LastMessage(), "a channel would not help")
		group.User = "maria"
		r.Click(group)
		require.Contains(r.T, r.Screen.LastMessage(), cards.NeedsChannel)
	})
}

// hung is a Redis that does not answer.
type hung struct{ on atomic.Bool }

func (h *hung) DialHook(next redis.DialHook) redis.DialHook { return next }

func (h *hung) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if h.on.Load() {
			<-ctx.Done()
			cmd.SetErr(ctx.Err())
			return ctx.Err()
		}
		return next(ctx, cmd)
	}
}

func (h *hung) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func TestARedisThatHangsWhileTheFormOpensIsToldInTheWindow(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		h := &hung{}
		r.Redis.AddHook(h)
		h.on.Store(true)
		_, err := r.Handle(r.T.Context(), r.TypedAs("new", "https://a/b.jpg https://a/c.jpg"))
		require.NoError(r.T, err)
		require.NoError(r.T, r.Running.Wait(r.T.Context()))
		h.on.Store(false)
		require.True(r.T, commandstest.ContainsAll(r.Screen.Modal(), cards.Unseen, "https://a/c.jpg"), r.Screen.Modal())
		require.Empty(r.T, r.Screen.AllMessages(), "once is enough")
	})
}

// The window is open when Redis turns out to fail: it says so, and repeats the text.
func TestADraftThatCannotBeKeptIsToldInItsWindow(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Server.SetError("LOADING Redis is loading the dataset in memory")
		r.Clicks++
		q := bot.Request{Kind: bot.KindCommand, ID: "t1", TriggerID: "t1", Name: commands.Slash, Verb: "new", Args: "https://a/b.jpg https://a/c.jpg", Text: "new https://a/b.jpg https://a/c.jpg", Team: "T1", User: "maria", Channel: "C1"}
		_, err := r.Handle(r.T.Context(), q)
		require.NoError(r.T, err)
		require.NoError(r.T, r.Running.Wait(r.T.Context()))
		r.Server.SetError("")
		require.True(r.T, commandstest.ContainsAll(r.Screen.Modal(), cards.Unseen, "https://a/c.jpg"))
		require.NotContains(r.T, r.Screen.Modal(), "One moment")
		require.NotContains(r.T, r.Screen.Modal(), "Instructions")
	})
}
