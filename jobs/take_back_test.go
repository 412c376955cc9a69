package jobs_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards/talk"
	"darkroom/commands/commandstest"
	"darkroom/store"
	"darkroom/store/settingstest"
)

// overheard has maria write her first reply in a channel that relays all.
func overheard(r *commandstest.Rig) {
	r.T.Helper()
	r.InThread()
	settingstest.Save(r.T, r.Store, "T1", "C1", store.Settings{Relay: store.RelayReplies})
	r.Hears(r.Event("message", map[string]any{"text": "Their invoice is late"}))
	require.Len(r.T, r.Screen.Ephemerals, 1)
	require.Contains(r.T, r.Screen.LastMessage(), "Sent to the editor")
	require.Contains(r.T, r.Screen.LastMessage(), "start it with `//`")
	require.Empty(r.T, r.Conversation(), "it can still be taken back")
}

func takesBack(r *commandstest.Rig, who string) string {
	return r.Does(bot.Request{Name: talk.ActionTakeBack, User: who, Value: "C1 200.1"})
}

// overheardWhileAway is [overheard] while the photo service takes nothing for a while.
func overheardWhileAway(r *commandstest.Rig) {
	r.T.Helper()
	r.Service.NextMessage = slices.Repeat([]commandstest.ServiceAnswer{commandstest.Unsent}, 8)
	overheard(r)
}

// deletes has Maria delete that reply in Slack.
func deletes(r *commandstest.Rig) {
	r.T.Helper()
	r.Hears(r.Event("message", map[string]any{
		"subtype": "message_deleted", "deleted_ts": "200.1", "thread_ts": "",
		"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": "Their invoice is late"},
	}))
}

func TestAFirstOverheardReplyIsTakenBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		overheard(r)
		require.Contains(r.T, takesBack(r, "peter"), "expired", "it is not theirs")
		require.Contains(r.T, takesBack(r, "maria"), "Taken back")
		r.Settle(time.Minute)
		require.Empty(r.T, r.Conversation())
		require.Empty(r.T, r.Screen.Marks)
		before := len(r.Screen.Ephemerals)
		r.Hears(r.Event("message", map[string]any{"text": "Softer", "ts": "200.2"}))
		require.Equal(r.T, []string{"Softer"}, r.Conversation())
		require.Len(r.T, r.Screen.Ephemerals, before, "it is confirmed once")
	})
}

func TestASentReplyIsCorrectedInPlaceOfTakenBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		overheard(r)
		r.Hears(r.Event("message", map[string]any{"text": "Softer", "ts": "200.2"}))
		r.Settle(talk.TakeBackTime)
		require.Equal(r.T, []string{"Their invoice is late", "Softer"}, r.Conversation(), "in the order in which they were written")
		require.Contains(r.T, takesBack(r, "maria"), talk.ActionCorrect)
		require.Len(r.T, r.Conversation(), 2)
	})
}

func TestAReplyDeletedInTimeIsNotSent(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		overheard(r)
		deletes(r)
		r.Settle(time.Minute)
		require.Empty(r.T, r.Conversation())
	})
}

func TestAReplyThatWaitsForTheServiceIsTakenBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		overheardWhileAway(r)
		r.Settle(talk.TakeBackTime)
		require.Contains(r.T, takesBack(r, "maria"), "Taken back")
		r.Settle(15 * time.Minute)
		require.Empty(r.T, r.Conversation())
	})
}

func TestAReplyThatWaitsForTheServiceIsTakenBackByDeletingIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		overheardWhileAway(r)
		r.Settle(talk.TakeBackTime)
		deletes(r)
		r.Settle(15 * time.Minute)
		require.Empty(r.T, r.Conversation())
	})
}
