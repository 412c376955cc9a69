package commands

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// card is the timestamp of the order's card, and so of its thread.
const card = "100.1"

// inThread is an order of #shoots with its card in the channel.
func (r *rig) inThread() string {
	r.t.Helper()
	id := r.inReview()
	order, err := r.store.Order(r.t.Context(), id)
	require.NoError(r.t, err)
	require.NoError(r.t, r.store.CardPosted(r.t.Context(), id, order.Owner.Generation, card, order.Version))
	return id
}

// relays sets what #shoots relays.
func (r *rig) relays(mode store.Relay) {
	r.t.Helper()
	require.NoError(r.t, r.store.SaveSettings(r.t.Context(), "T1", "C1", store.Settings{Relay: mode}))
}

// event is one of Slack's, by maria in the order's thread unless it says otherwise.
func (r *rig) event(kind string, fields map[string]any) bot.Request {
	r.t.Helper()
	inner := map[string]any{"type": kind, "user": "maria", "channel": "C1", "thread_ts": card, "ts": "200.1"}
	maps.Copy(inner, fields)
	r.clicks++
	raw, err := json.Marshal(map[string]any{
		"type": "event_callback", "team_id": "T1", "event_id": fmt.Sprintf("Ev%d", r.clicks),
		"event_time": time.Now().Unix(), "event": inner,
	})
	require.NoError(r.t, err)
	q, err := bot.DecodeEvent(raw, time.Now())
	require.NoError(r.t, err)
	return q
}

// hears is an event that arrives, as often as it does.
func (r *rig) hears(events ...bot.Request) {
	r.t.Helper()
	for _, q := range events {
		reply, err := r.handle(r.t.Context(), q)
		require.NoError(r.t, err)
		require.Equal(r.t, bot.Ack(), reply)
	}
	r.settle(time.Second)
}

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
		events func(r *rig) []bot.Request
		sent   bool
	}{
		"when it mentions the app": {"", func(r *rig) []bot.Request {
			return []bot.Request{r.event("app_mention", named), r.event("message", named)}
		}, true},
		"when every reply is, once": {store.RelayReplies, func(r *rig) []bot.Request {
			return []bot.Request{r.event("message", named), r.event("app_mention", named)}
		}, true},
		"once however often Slack says it": {store.RelayReplies, func(r *rig) []bot.Request {
			q := r.event("message", said)
			return []bot.Request{q, q, q, r.event("message", said)}
		}, true},
		"when every reply is": {store.RelayReplies, func(r *rig) []bot.Request { return []bot.Request{r.event("message", said)} }, true},
		"when it was shown to the channel too": {store.RelayReplies, func(r *rig) []bot.Request {
			return []bot.Request{r.event("message", with(said, "subtype", "thread_broadcast"))}
		}, true},
		"not when replies are private": {"", func(r *rig) []bot.Request { return []bot.Request{r.event("message", said)} }, false},
		"not when only mentions are":   {store.RelayMentions, func(r *rig) []bot.Request { return []bot.Request{r.event("message", said)} }, false},
		"not after two slashes": {store.RelayReplies, func(r *rig) []bot.Request {
			return []bot.Request{r.event("message", with(said, "text", " // just us"))}
		}, false},
		"not a bot's":         {store.RelayReplies, func(r *rig) []bot.Request { return []bot.Request{r.event("message", with(said, "bot_id", "B1"))} }, false},
		"not a bot's mention": {"", func(r *rig) []bot.Request { return []bot.Request{r.event("app_mention", with(named, "bot_id", "B1"))} }, false},
		"not our own":         {store.RelayReplies, func(r *rig) []bot.Request { return []bot.Request{r.event("message", with(said, "user", "UDARKROOM"))} }, false},
		"not somebody who joined": {store.RelayReplies, func(r *rig) []bot.Request {
			return []bot.Request{r.event("message", with(said, "subtype", "channel_join"))}
		}, false},
		"not in another thread": {store.RelayReplies, func(r *rig) []bot.Request { return []bot.Request{r.event("message", with(said, "thread_ts", "1.1"))} }, false},
		"not outside threads":   {store.RelayReplies, func(r *rig) []bot.Request { return []bot.Request{r.event("message", with(said, "thread_ts", ""))} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inThread()
				if test.mode != "" {
					r.relays(test.mode)
				}
				r.hears(test.events(r)...)
				if !test.sent {
					require.Empty(r.t, r.conversation())
					require.Empty(r.t, r.screen.marks)
					require.Empty(r.t, r.screen.told)
					return
				}
				require.Equal(r.t, []string{"Soft light (https://e.com), says @someone & I"}, r.conversation())
				require.Equal(r.t, []string{"200.1 white_check_mark"}, r.screen.marks)
				require.Empty(r.t, r.screen.told, "the mark says it all")
				require.Len(r.t, r.eventsOf(order.EventMessage), 1)
				require.Equal(r.t, "maria", r.eventsOf(order.EventMessage)[0].Actor)
			})
		})
	}
}

func TestAMentionThatCannotBeRelayedSaysWhy(t *testing.T) {
	for name, test := range map[string]struct {
		event map[string]any
		says  string
		marks int
	}{
		"outside an order's thread": {map[string]any{"text": "<@UDARKROOM> hi", "thread_ts": ""}, "This is no order's thread", 0},
		"without words":             {map[string]any{"text": "<@UDARKROOM>"}, "There are no words", 0},
		"by a guest":                {map[string]any{"text": "<@UDARKROOM> hi", "user": "gus"}, "Guests may look", 0},
		"marked as private":         {map[string]any{"text": "// <@UDARKROOM> is nice"}, "kept it among you", 0},
		"private behind a name":     {map[string]any{"text": "<@UDARKROOM> // only for us"}, "kept it among you", 0},
		"too long":                  {map[string]any{"text": "<@UDARKROOM> " + strings.Repeat("ä", 5001)}, "5,001 characters", 1},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inThread()
				r.relays(store.RelayReplies)
				r.screen.guests = map[string]bool{"gus": true}
				r.hears(r.event("app_mention", test.event), r.event("message", test.event), r.event("app_mention", test.event))
				require.Len(r.t, r.screen.told, 1, "once")
				require.Contains(r.t, r.screen.lastTold(), test.says)
				require.Len(r.t, r.screen.marks, test.marks)
				require.Empty(r.t, r.conversation())
			})
		})
	}
}

func TestAnOutsiderHearsWhatIsSaidWhereThereIsNoOrder(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.screen.out = map[string]bool{"otto": true}
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> hi", "user": "otto"}))
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> hi", "user": "otto", "thread_ts": "7.1", "ts": "7.2"}))
		require.Empty(r.t, r.conversation())
		require.Len(r.t, r.screen.told, 2, "nobody's words vanish without a word")
		require.Equal(r.t, r.screen.told[0], r.screen.told[1])
	})
}

func TestExactly5000CharactersAreRelayed(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM>: " + strings.Repeat("&amp;", 5000)}))
		require.Equal(r.t, []string{strings.Repeat("&", 5000)}, r.conversation())
	})
}

func TestARelayThatTheServiceRefuses(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.service.nextMessage = append(r.service.nextMessage, refused("the order is archived"))
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Hello & welcome"}))
		require.Equal(r.t, []string{"200.1 warning"}, r.screen.marks)
		require.Contains(r.t, r.screen.lastTold(), "the order is archived")
		require.Contains(r.t, r.screen.lastTold(), "Hello &amp; welcome")
		require.Contains(r.t, r.screen.lastTold(), cards.ActionMessage, "what next")
	})
}

func TestARelayWhileTheServiceIsAwaySaysSoOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		for range 8 {
			r.service.nextMessage = append(r.service.nextMessage, unsent)
		}
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Hello"}))
		r.settle(15 * time.Minute)
		require.Len(r.t, r.screen.told, 1)
		require.Contains(r.t, r.screen.lastTold(), "as soon as the service is back")
		require.Equal(r.t, []string{"200.1 white_check_mark"}, r.screen.marks)
		require.Equal(r.t, []string{"Hello"}, r.conversation())
	})
}

func TestARelayThatCanNeverBeDoneIsMarked(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		body := jobs.RelayArgs{Order: "order1", TS: "200.1"}
		body.Team, body.User, body.Channel = "T1", "maria", "C1"
		raw, err := json.Marshal(body)
		require.NoError(r.t, err)
		r.jobs.Died(r.t.Context(), queue.DeadLetter{Job: queue.Job{ID: "relay:x", Lane: "order:order1", Kind: jobs.RelayJob, Body: raw}})
		r.settle(time.Second)
		require.Equal(r.t, []string{"200.1 warning"}, r.screen.marks)
		require.Contains(r.t, strings.Join(r.screen.dms, ""), "sending a message to an editor")
	})
}

func TestAnEditedRelayOffersACorrectionOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		edit := func(was, now string) bot.Request {
			return r.event("message", map[string]any{
				"subtype": "message_changed", "ts": "300.1", "thread_ts": "", "user": "",
				"message":          map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": now},
				"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": was},
			})
		}
		r.hears(edit("<@UDARKROOM> Softer", "<@UDARKROOM> Softer")) // a preview
		r.hears(edit("<@UDARKROOM> Softer", "<@UDARKROOM>  Softer "))
		require.Empty(r.t, r.screen.told)

		changed := edit("<@UDARKROOM> Softer", "<@UDARKROOM> Harder")
		r.hears(changed, changed, edit("x", "<@UDARKROOM> Harder"))
		require.Len(r.t, r.screen.told, 1)
		require.Contains(r.t, r.screen.lastTold(), "The service cannot take it back")
		require.Contains(r.t, r.screen.lastTold(), "Harder")

		r.presses(cards.ActionCorrect, "correct:"+jobs.Hash("edit:"+changed.ID))
		require.Contains(r.t, r.screen.modal(), "Harder")
		r.writes(nil)
		require.Equal(r.t, []string{"Softer", "Harder"}, r.conversation())

		r.click(bot.Request{Kind: bot.KindAction, Name: cards.ActionCorrect, Value: "correct:" + jobs.Hash("edit:"+changed.ID), User: "peter"})
		require.Contains(r.t, r.screen.lastTold(), "I no longer keep", "it is maria's alone")
	})
}

func TestADeletedRelayOffersACorrectionOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}))
		gone := func() bot.Request {
			return r.event("message", map[string]any{
				"subtype": "message_deleted", "ts": "300.1", "deleted_ts": "200.1", "thread_ts": "", "user": "",
				"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": "<@UDARKROOM> Softer"},
			})
		}
		q := gone()
		r.hears(q, q, gone())
		require.Len(r.t, r.screen.told, 1)
		require.Contains(r.t, r.screen.lastTold(), "You deleted")
		r.presses(cards.ActionCorrect, "correct:"+jobs.Hash("edit:"+q.ID))
		r.writes(map[string]string{"Message": "Forget that."})
		require.Equal(r.t, []string{"Softer", "Forget that."}, r.conversation())
	})
}

func TestAnEditOfWhatWasNeverRelayedDoesNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.hears(r.event("message", map[string]any{
			"subtype": "message_changed", "ts": "300.1", "thread_ts": "",
			"message":          map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": "b"},
			"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": "a"},
		}))
		r.hears(r.event("message", map[string]any{
			"subtype": "message_changed", "ts": "300.2", "thread_ts": "", // our card was edited
			"message":          map[string]any{"user": "UDARKROOM", "bot_id": "BDARKROOM", "ts": card, "text": "b"},
			"previous_message": map[string]any{"user": "UDARKROOM", "bot_id": "BDARKROOM", "ts": card, "text": "a"},
		}))
		require.Empty(r.t, r.screen.told)
		require.Empty(r.t, r.conversation())
	})
}

func TestAnEditOfWhatWasRefusedDoesNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.service.nextMessage = append(r.service.nextMessage, refused("not now"))
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}), r.event("message", map[string]any{
			"subtype": "message_changed", "ts": "300.1", "thread_ts": "",
			"message":          map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": "<@UDARKROOM> Harder"},
			"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": "<@UDARKROOM> Softer"},
		}))
		require.Len(r.t, r.screen.told, 1)
		require.Contains(r.t, r.screen.lastTold(), "not now")
	})
}

func TestAnEditBeforeTheRelayArrivedIsNoticedToo(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.service.nextMessage = append(r.service.nextMessage, unsent, lost)
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"}), r.event("message", map[string]any{
			"subtype": "message_changed", "ts": "300.1", "thread_ts": "",
			"message":          map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": "<@UDARKROOM> Harder"},
			"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": "<@UDARKROOM> Softer"},
		}))
		r.settle(time.Minute)
		require.Equal(r.t, []string{"Softer"}, r.conversation())
		require.Contains(r.t, r.screen.lastTold(), "You edited")
	})
}

// shortcut is maria using one on a message.
func (r *rig) shortcut(name string, m slack.Msg) {
	r.t.Helper()
	r.click(bot.Request{
		Kind: bot.KindShortcut, Name: name, MessageTS: m.Timestamp, Thread: m.ThreadTimestamp,
		Message: &slack.Message{Msg: m},
	})
}

func TestSendToEditor(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inThread()
		r.shortcut(ShortcutSend, slack.Msg{User: "peter", Text: "Peter &amp; I like it", Timestamp: "200.1", ThreadTimestamp: card})
		require.Equal(r.t, []string{"Peter & I like it"}, r.conversation())
		require.Equal(r.t, "maria", r.eventsOf(order.EventMessage)[0].Actor)
		require.Equal(r.t, []string{"200.1 white_check_mark"}, r.screen.marks)

		r.shortcut(ShortcutSend, slack.Msg{User: "peter", Text: "Peter &amp; I like it", Timestamp: "200.1", ThreadTimestamp: card})
		require.Len(r.t, r.conversation(), 1)
		require.Contains(r.t, r.screen.lastTold(), "has this message already")
		require.Len(r.t, r.screen.marks, 1)

		r.shortcut(ShortcutSend, slack.Msg{User: "peter", Text: "From <@PETER>", Timestamp: "9.1"})
		require.Contains(r.t, r.screen.modal(), "From @someone")
		reply := r.writes(nil)
		require.Contains(r.t, text(reply.Body), "Choose the order")
		r.writes(map[string]string{"Order": cards.Value(id, 0)})
		require.Equal(r.t, []string{"Peter & I like it", "From @someone"}, r.conversation())

		r.shortcut(ShortcutSend, slack.Msg{User: "UDARKROOM", BotID: "BDARKROOM", Text: "Ready for review", Timestamp: card})
		require.NotContains(r.t, r.screen.modal(), "Ready for review", "our own posts never echo")
		require.Contains(r.t, r.screen.modal(), "To the editor of")
	})
}

func TestWhatIsAttachedIsOffered(t *testing.T) {
	for name, words := range map[string]string{"with words": "Like these", "without": ""} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inThread()
				r.signs()
				q := r.event("app_mention", map[string]any{"text": "<@UDARKROOM> " + words, "subtype": "file_share", "files": []map[string]any{
					{"id": "F1", "name": "mood.jpg", "mimetype": "image/jpeg", "size": 1000},
					{"id": "F2", "name": "terms.pdf", "mimetype": "application/pdf", "size": 1000},
				}})
				r.hears(q, q)
				require.Len(r.t, r.screen.told, 1)
				require.Contains(r.t, r.screen.lastTold(), "Add as reference")
				require.Len(r.t, r.conversation(), min(1, len(words)))
				require.Len(r.t, r.screen.marks, min(1, len(words)))

				r.presses(cards.ActionAttach, "album:"+jobs.Hash("relay:T1:C1:200.1"))
				require.Contains(r.t, r.screen.modal(), "mood.jpg")
				require.Contains(r.t, r.screen.modal(), "this is no picture")
				r.adds(map[string]string{"Instruction": "The light"})
				require.Len(r.t, r.service.references, 1)
				require.Equal(r.t, "The light", r.service.references[0].Instruction)
				require.Equal(r.t, []string{"mood.jpg", "The light"}, r.eventsOf(order.EventReferences)[0].Words)
			})
		})
	}
}

// signs gives the app a public address.
func (r *rig) signs() {
	r.t.Helper()
	signer, err := files.NewSigner("https://darkroom.example.com", []string{"0123456789abcdef0123456789abcdef"})
	require.NoError(r.t, err)
	r.sign(signer)
}

func TestTheFirstRelayOfATrackedOrderKeepsOldTalkSilent(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.service.edit("order1", func(o *order.Order) {
			o.Conversation = append(o.Conversation, order.Entry{From: "service", Content: "Shall I?", CreatedAt: time.Now()})
		})
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Yes"}))
		require.Len(r.t, r.eventsOf(order.EventMessage), 1)
		require.Len(r.t, r.eventsOf(order.EventEditor), 1, "what came back with the answer")
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Really", "ts": "200.2"}))
		require.Len(r.t, r.eventsOf(order.EventEditor), 1, "once")
	})
}

// Whatever the service and the app do, a relayed message is at the service at most once
// and marked exactly once; and every event of Slack's may come again.
func TestARelayIsDeliveredAtMostOnceAndMarkedOnce(t *testing.T) {
	outcomes := map[string]func(func() order.Order) (order.Order, error){
		"lost": lost, "never": never, "unsent": unsent, "killed": killed, "refused": refused("not now"),
		"fine": func(do func() order.Order) (order.Order, error) { return do(), nil },
	}
	names := slices.Sorted(maps.Keys(outcomes))
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	require.NoError(t, checks.Value.Set("15")) // each takes minutes, though not of ours
	t.Cleanup(func() { require.NoError(t, checks.Value.Set(before)) })
	rapid.Check(t, func(rt *rapid.T) {
		drawn := rapid.SliceOfN(rapid.SampledFrom(names), 0, 5).Draw(rt, "outcomes")
		replays := rapid.IntRange(0, 3).Draw(rt, "replays")
		bubble(t, func(r *rig) {
			r.inThread()
			r.relays(store.RelayReplies)
			for _, name := range drawn {
				r.service.nextMessage = append(r.service.nextMessage, outcomes[name])
			}
			said := map[string]any{"text": "<@UDARKROOM> Softer"}
			for range replays + 1 {
				r.hears(r.event("message", said), r.event("app_mention", said))
			}
			r.settle(2 * time.Minute)
			require.LessOrEqual(r.t, len(r.conversation()), 1)
			require.Len(r.t, r.screen.marks, 1)
			if r.screen.marks[0] == "200.1 white_check_mark" {
				require.Len(r.t, r.conversation(), 1)
				require.Len(r.t, r.eventsOf(order.EventMessage), 1)
			}
		})
	})
}
