package jobs_test

import (
	"encoding/json"
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

func TestExactly5000CharactersAreRelayed(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM>: " + strings.Repeat("&amp;", 5000)}))
		require.Equal(r.T, []string{strings.Repeat("&", 5000)}, r.Conversation())
	})
}

func TestARelayThatTheServiceRefuses(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Service.NextMessage = append(r.Service.NextMessage, commandstest.Refused("the order is archived"))
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Hello & welcome"}))
		require.Equal(r.T, []string{"200.1 warning"}, r.Screen.Marks)
		require.Contains(r.T, r.Screen.LastMessage(), "the order is archived")
		require.Contains(r.T, r.Screen.LastMessage(), "Hello &amp; welcome")
		require.Contains(r.T, r.Screen.LastMessage(), cards.ActionMessage, "what next")
	})
}

func TestARelayWhileTheServiceIsAwaySaysSoOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		for range 8 {
			r.Service.NextMessage = append(r.Service.NextMessage, commandstest.Unsent)
		}
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Hello"}))
		r.Settle(15 * time.Minute)
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.LastMessage(), "when it is back")
		require.Equal(r.T, []string{"200.1 white_check_mark"}, r.Screen.Marks)
		require.Equal(r.T, []string{"Hello"}, r.Conversation())
	})
}

func TestARelayThatCanNeverBeDoneIsMarked(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		body := jobs.RelayArgs{Order: "order1", TS: "200.1"}
		body.Team, body.User, body.Channel = "T1", "maria", "C1"
		raw, err := json.Marshal(body)
		require.NoError(r.T, err)
		require.NoError(r.T, r.Jobs.Died(r.T.Context(), queue.DeadLetter{Job: queue.Job{ID: "relay:x", Lane: "order:order1", Kind: job.Relay, Body: raw}}))
		r.Settle(time.Second)
		require.Equal(r.T, []string{"200.1 warning"}, r.Screen.Marks)
		require.Contains(r.T, strings.Join(r.Screen.DMs, ""), "sending a message to an editor")
	})
}

func TestTheFirstRelayOfATrackedOrderKeepsOldTalkSilent(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Service.Edit("order1", func(o *order.Order) {
			o.Conversation = append(o.Conversation, order.Entry{From: "service", Content: "Shall I?", CreatedAt: time.Now()})
		})
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Yes"}))
		require.Len(r.T, r.Events(order.EventMessage), 1)
		require.Len(r.T, r.Events(order.EventEditor), 1, "what came back with the answer")
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Really", "ts": "200.2"}))
		require.Len(r.T, r.Events(order.EventEditor), 1, "once")
	})
}

// Whatever the service and the app do, a relayed message arrives at most once and is marked exactly once. Every event of
// Slack may come again.
func TestARelayIsDeliveredAtMostOnceAndMarkedOnce(t *testing.T) {
	outcomes := map[string]func(func() order.Order) (order.Order, error){
		"lost": commandstest.Lost, "never": commandstest.Never, "unsent": commandstest.Unsent, "killed": killed, "refused": commandstest.Refused("not now"),
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
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.InThread()
			r.Relays(store.RelayReplies)
			for _, name := range drawn {
				r.Service.NextMessage = append(r.Service.NextMessage, outcomes[name])
			}
			said := map[string]any{"text": "<@UDARKROOM> Softer"}
			for range replays + 1 {
				r.Hears(r.Event("message", said), r.Event("app_mention", said))
			}
			r.Settle(2 * time.Minute)
			require.LessOrEqual(r.T, len(r.Conversation()), 1)
			require.Len(r.T, r.Screen.Marks, 1)
			if r.Screen.Marks[0] == "200.1 white_check_mark" {
				require.Len(r.T, r.Conversation(), 1)
				require.Len(r.T, r.Events(order.EventMessage), 1)
			}
		})
	})
}

func TestAMentionThatCannotBeRelayedSaysWhy(t *testing.T) {
	for name, test := range map[string]struct {
		event map[string]any
		says  string
		marks int
	}{
		"outside an order's thread": {map[string]any{"text": "<@UDARKROOM> hi", "thread_ts": ""}, "Mention me with photos", 0},
		"without words":             {map[string]any{"text": "<@UDARKROOM>"}, "There are no words", 0},
		"by a guest":                {map[string]any{"text": "<@UDARKROOM> hi", "user": "gus"}, "Guests may look", 0},
		"marked as private":         {map[string]any{"text": "// <@UDARKROOM> is nice"}, "did not send it to the editor", 0},
		"private behind a name":     {map[string]any{"text": "<@UDARKROOM> // only for us"}, "did not send it to the editor", 0},
		"too long":                  {map[string]any{"text": "<@UDARKROOM> " + strings.Repeat("ä", 5001)}, "5,001 characters", 1},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InThread()
				r.Relays(store.RelayReplies)
				r.Screen.Guests = map[string]bool{"gus": true}
				r.Hears(r.Event("app_mention", test.event), r.Event("message", test.event), r.Event("app_mention", test.event))
				require.Len(r.T, r.Screen.Messages, 1, "once")
				require.Contains(r.T, r.Screen.LastMessage(), test.says)
				require.Len(r.T, r.Screen.Marks, test.marks)
				require.Empty(r.T, r.Conversation())
			})
		})
	}
}

func TestThePhotosOfAMessageAreOfferedAsReferenceOnce(t *testing.T) {
	for words, sent := range map[string]int{"<@UDARKROOM> Like these": 1, "<@UDARKROOM>": 0} {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.InThread()
			r.Signs()
			q := r.Event("app_mention", map[string]any{"text": words, "subtype": "file_share", "files": []map[string]any{
				{"id": "F1", "name": "mood.jpg", "mimetype": "image/jpeg", "size": 1000},
			}})
			r.Hears(q, q)
			require.Len(r.T, r.Screen.DMs, 1)
			require.Contains(r.T, r.Screen.LastMessage(), "Add Reference Images")
			require.Len(r.T, r.Conversation(), sent)
			require.Empty(r.T, r.Service.References, "nothing is added before somebody says so")
		})
	}
}
