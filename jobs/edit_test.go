package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
)

func TestAnEditOfWhatWasNeverRelayedDoesNothing(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Hears(r.Event("message", map[string]any{
			"subtype": "message_changed", "ts": "300.1", "thread_ts": "",
			"message":          map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": "b"},
			"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": "a"},
		}))
		r.Hears(r.Event("message", map[string]any{
			"subtype": "message_changed", "ts": "300.2", "thread_ts": "", // our card was edited
			"message":          map[string]any{"user": "UDARKROOM", "bot_id": "BDARKROOM", "ts": commandstest.CardTS, "text": "b"},
			"previous_message": map[string]any{"user": "UDARKROOM", "bot_id": "BDARKROOM", "ts": commandstest.CardTS, "text": "a"},
		}))
		require.Empty(r.T, r.Screen.Ephemerals)
		require.Empty(r.T, r.Conversation())
	})
}

func TestAnEditOfWhatWasRefusedDoesNothing(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Service.NextMessage = append(r.Service.NextMessage, commandstest.Refused("not now"))
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}), r.Event("message", map[string]any{
			"subtype": "message_changed", "ts": "300.1", "thread_ts": "",
			"message":          map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": "<@UDARKROOM> Harder"},
			"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": "<@UDARKROOM> Softer"},
		}))
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.LastMessage(), "not now")
	})
}

func TestAnEditBeforeTheRelayArrivedIsNoticedToo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Service.NextMessage = append(r.Service.NextMessage, commandstest.Unsent, commandstest.Lost)
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}), r.Event("message", map[string]any{
			"subtype": "message_changed", "ts": "300.1", "thread_ts": "",
			"message":          map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": "<@UDARKROOM> Harder"},
			"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": "<@UDARKROOM> Softer"},
		}))
		r.Settle(time.Minute)
		require.Equal(r.T, []string{"Softer"}, r.Conversation())
		require.Contains(r.T, r.Screen.LastMessage(), "You edited")
	})
}
