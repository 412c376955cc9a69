package events_test

import (
	"maps"
	"testing"

	"darkroom/cards/talk"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/commands/commandstest"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

func TestAMessageIsRelayed(t *testing.T) {
	said := map[string]any{"text": "Soft <https://e.com|light>, says <@PETER> &amp; I"}
	named := map[string]any{"text": "<@UDARKROOM> Soft <https://e.com|light>, says <@PETER> &amp; I"}
	with := func(base map[string]any, name string, value any) map[string]any {
		more := maps.Clone(base)
		more[name] = value
		return more
	}
	for name, test := range map[string]struct {
		mode   store.Relay
		events func(r *commandstest.Rig) []bot.Request
		sent   bool
	}{
		"when it mentions the app": {"", func(r *commandstest.Rig) []bot.Request {
			return []bot.Request{r.Event("app_mention", named), r.Event("message", named)}
		}, true},
		"when every reply is, once": {store.RelayReplies, func(r *commandstest.Rig) []bot.Request {
			return []bot.Request{r.Event("message", named), r.Event("app_mention", named)}
		}, true},
		"once however often Slack says it": {store.RelayReplies, func(r *commandstest.Rig) []bot.Request {
			q := r.Event("message", said)
			return []bot.Request{q, q, q, r.Event("message", said)}
		}, true},
		"when every reply is": {store.RelayReplies, func(r *commandstest.Rig) []bot.Request { return []bot.Request{r.Event("message", said)} }, true},
		"when it was shown to the channel too": {store.RelayReplies, func(r *commandstest.Rig) []bot.Request {
			return []bot.Request{r.Event("message", with(said, "subtype", "thread_broadcast"))}
		}, true},
		"not when replies are private": {"", func(r *commandstest.Rig) []bot.Request { return []bot.Request{r.Event("message", said)} }, false},
		"not when only mentions are":   {store.RelayMentions, func(r *commandstest.Rig) []bot.Request { return []bot.Request{r.Event("message", said)} }, false},
		"not after two slashes": {store.RelayReplies, func(r *commandstest.Rig) []bot.Request {
			return []bot.Request{r.Event("message", with(said, "text", " // just us"))}
		}, false},
		"not a bot's": {store.RelayReplies, func(r *commandstest.Rig) []bot.Request {
			return []bot.Request{r.Event("message", with(said, "bot_id", "B1"))}
		}, false},
		"not a bot's mention": {"", func(r *commandstest.Rig) []bot.Request {
			return []bot.Request{r.Event("app_mention", with(named, "bot_id", "B1"))}
		}, false},
		"not our own": {store.RelayReplies, func(r *commandstest.Rig) []bot.Request {
			return []bot.Request{r.Event("message", with(said, "user", "UDARKROOM"))}
		}, false},
		"not somebody who joined": {store.RelayReplies, func(r *commandstest.Rig) []bot.Request {
			return []bot.Request{r.Event("message", with(said, "subtype", "channel_join"))}
		}, false},
		"not in another thread": {store.RelayReplies, func(r *commandstest.Rig) []bot.Request {
			return []bot.Request{r.Event("message", with(said, "thread_ts", "1.1"))}
		}, false},
		"not outside threads": {store.RelayReplies, func(r *commandstest.Rig) []bot.Request {
			return []bot.Request{r.Event("message", with(said, "thread_ts", ""))}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InThread()
				if test.mode != "" {
					r.Relays(test.mode)
				}
				r.Hears(test.events(r)...)
				if !test.sent {
					require.Empty(r.T, r.Conversation())
					require.Empty(r.T, r.Screen.Marks)
					require.Empty(r.T, r.Screen.Ephemerals)
					return
				}
				require.Equal(r.T, []string{"Soft light (https://e.com), says @someone & I"}, r.Conversation())
				require.Equal(r.T, []string{"200.1 white_check_mark"}, r.Screen.Marks)
				require.Empty(r.T, r.Screen.Messages, "the mark says it all")
				require.Len(r.T, r.Events(order.EventMessage), 1)
				require.Equal(r.T, "maria", r.Events(order.EventMessage)[0].Actor)
			})
		})
	}
}

func TestAnOutsiderHearsWhatIsSaidWhereThereIsNoOrder(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Screen.Out = map[string]bool{"otto": true}
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> hi", "user": "otto"}))
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> hi", "user": "otto", "thread_ts": "7.1", "ts": "7.2"}))
		require.Empty(r.T, r.Conversation())
		require.Len(r.T, r.Screen.Ephemerals, 2, "nobody's words vanish without a word")
		require.Equal(r.T, r.Screen.Ephemerals[0], r.Screen.Ephemerals[1])
	})
}

func TestSlashesBehindTheMentionKeepAMessagePrivate(t *testing.T) {
	for _, mode := range []store.Relay{store.RelayMentions, store.RelayReplies} {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.InThread()
			r.Relays(mode)
			said := map[string]any{"text": "<@UDARKROOM> // the client is difficult"}
			r.Hears(r.Event("message", said), r.Event("app_mention", said))
			require.Empty(r.T, r.Conversation())
			require.Len(r.T, r.Screen.Ephemerals, 1)
			require.Contains(r.T, r.Screen.LastMessage(), "did not send it to the editor")
		})
	}
}

func TestWhatIsAttachedIsOffered(t *testing.T) {
	for name, words := range map[string]string{"with words": "Like these", "without": ""} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InThread()
				r.Signs()
				q := r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> " + words, "subtype": "file_share", "files": []map[string]any{
					{"id": "F1", "name": "mood.jpg", "mimetype": "image/jpeg", "size": 1000},
					{"id": "F2", "name": "terms.pdf", "mimetype": "application/pdf", "size": 1000},
				}})
				r.Hears(q, q)
				require.Len(r.T, r.Screen.DMs, 1)
				require.Contains(r.T, r.Screen.LastMessage(), "Add Reference Images")
				require.Len(r.T, r.Conversation(), min(1, len(words)))
				require.Len(r.T, r.Screen.Marks, min(1, len(words)))

				r.Presses(talk.ActionAttach, "album:"+job.Hash("relay:T1:C1:200.1"))
				require.Contains(r.T, r.Screen.Modal(), "mood.jpg")
				require.Contains(r.T, r.Screen.Modal(), "this is not a photo")
				r.Fills(map[string]string{"Instruction": "The light"})
				require.Len(r.T, r.Service.References, 1)
				require.Equal(r.T, "The light", r.Service.References[0].Instruction)
				require.Equal(r.T, []string{"mood.jpg", "The light"}, r.Events(order.EventReferences)[0].Words)
			})
		})
	}
}
