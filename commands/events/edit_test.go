package events_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards/talk"
	"darkroom/commands/commandstest"
	"darkroom/jobs/job"
)

func TestAnEditedRelayOffersACorrectionOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		edit := func(was, now string) bot.Request {
			return r.Event("message", map[string]any{
				"subtype": "message_changed", "ts": "300.1", "thread_ts": "", "user": "",
				"message":          map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": now},
				"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": was},
			})
		}
		r.Hears(edit("<@UDARKROOM> Softer", "<@UDARKROOM> Softer")) // a preview
		r.Hears(edit("<@UDARKROOM> Softer", "<@UDARKROOM>  Softer "))
		require.Empty(r.T, r.Screen.Messages)

		changed := edit("<@UDARKROOM> Softer", "<@UDARKROOM> Harder")
		r.Hears(changed, changed, edit("x", "<@UDARKROOM> Harder"))
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.LastMessage(), "I cannot take it back")
		require.Contains(r.T, r.Screen.LastMessage(), "Harder")

		r.Presses(talk.ActionCorrect, "correct:"+job.Hash("edit:"+changed.ID))
		require.Contains(r.T, r.Screen.Modal(), "Harder")
		r.Fills(nil)
		require.Equal(r.T, []string{"Softer", "Harder"}, r.Conversation())

		r.Click(bot.Request{Kind: bot.KindAction, Name: talk.ActionCorrect, Value: "correct:" + job.Hash("edit:"+changed.ID), User: "peter"})
		require.Contains(r.T, r.Screen.LastMessage(), "This button has expired", "it is maria's alone")
	})
}

func TestADeletedRelayOffersACorrectionOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		gone := func() bot.Request {
			return r.Event("message", map[string]any{
				"subtype": "message_deleted", "ts": "300.1", "deleted_ts": "200.1", "thread_ts": "", "user": "",
				"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": "<@UDARKROOM> Softer"},
			})
		}
		q := gone()
		r.Hears(q, q, gone())
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.LastMessage(), "You deleted")
		r.Presses(talk.ActionCorrect, "correct:"+job.Hash("edit:"+q.ID))
		r.Fills(map[string]string{"Message": "Forget that."})
		require.Equal(r.T, []string{"Softer", "Forget that."}, r.Conversation())
	})
}
