package commands

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/store"
)

// cardless is an order of #shoots whose card the record does not know.
func (r *rig) cardless() cards.About {
	return cards.About{Order: r.inReview(), Event: cards.CardEvent, Generation: 1}
}

// mention is maria's, in the thread of what would be the card.
func (r *rig) mention(fields map[string]any) bot.Request {
	if fields == nil {
		fields = map[string]any{"text": "<@UDARKROOM> Softer"}
	}
	return r.event("app_mention", fields)
}

func TestAThreadBelongsToTheOrderThatItsFirstMessageNames(t *testing.T) {
	for name, test := range map[string]struct {
		user  string
		about func(cards.About) cards.About
		says  string // "": it is sent
	}{
		"our card":                     {"UDARKROOM", func(a cards.About) cards.About { return a }, ""},
		"our reply, its card deleted":  {"UDARKROOM", func(a cards.About) cards.About { a.Event = "ready:r0"; return a }, ""},
		"a stranger's copy of it":      {"UEVIL", func(a cards.About) cards.About { return a }, "This is no order's thread"},
		"an earlier place's card":      {"UDARKROOM", func(a cards.About) cards.About { a.Generation = 0; return a }, "no longer belongs to its order"},
		"an order that is not known":   {"UDARKROOM", func(a cards.About) cards.About { a.Order = "order9"; return a }, "no longer belongs to its order"},
		"something else that we wrote": {"UDARKROOM", func(cards.About) cards.About { return cards.About{} }, "could not find out which order"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				root := r.begins(card, test.user, test.about(r.cardless()))
				r.relays(store.RelayReplies)
				r.hears(r.mention(nil), r.event("message", map[string]any{"text": "<@UDARKROOM> Softer"}))
				require.Equal(r.t, 1, root.looks())
				if test.says != "" {
					require.Empty(r.t, r.conversation())
					require.Len(r.t, r.screen.told, 1, "once")
					require.Contains(r.t, r.screen.lastTold(), test.says)
					return
				}
				require.Equal(r.t, []string{"Softer"}, r.conversation())
				require.Empty(r.t, r.screen.told)
				r.hears(r.event("message", map[string]any{"text": "Warmer", "ts": "200.2"}))
				require.Equal(r.t, []string{"Softer", "Warmer"}, r.conversation())
				require.Equal(r.t, 1, root.looks(), "it is known now")
			})
		})
	}
}

func TestWhatIsSaidWhileACardIsInDoubtWaitsForIt(t *testing.T) {
	bubble(t, func(r *rig) {
		about := r.cardless()
		r.begins(card, "UDARKROOM", cards.About{}) // Slack took it in no form that says whose it is
		require.NoError(r.t, r.store.BeginPost(r.t.Context(), about.Order, 1, 0))
		r.hears(r.mention(nil))
		r.settle(time.Minute)
		require.Empty(r.t, r.screen.told)
		require.Empty(r.t, r.conversation())
		require.NoError(r.t, r.store.CardPosted(r.t.Context(), about.Order, 1, card, 1))
		r.settle(jobs.ThreadPause)
		require.Equal(r.t, []string{"Softer"}, r.conversation())
		require.Zero(r.t, r.stats().Dead)
	})
}

// A message that names the app comes as two events, and either may be the first.
func TestWhoCallsTheAppIsAnsweredWhicheverEventComesFirst(t *testing.T) {
	text := map[string]any{"text": "<@UDARKROOM> Softer"}
	for name, kinds := range map[string][]string{
		"the mention": {"app_mention", "message"},
		"the message": {"message", "app_mention"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.relays(store.RelayReplies)
				r.begins(card, "UDARKROOM", cards.About{}) // something else that we said
				r.hears(r.event(kinds[0], text), r.event(kinds[1], text))
				require.Len(r.t, r.screen.told, 1)
				require.Contains(r.t, r.screen.lastTold(), "could not find out which order")
				r.hears(r.event("message", map[string]any{"text": "Lunch?", "ts": "200.2"}))
				require.Len(r.t, r.screen.told, 1, "who did not call is not disturbed")
			})
		})
	}
}

func TestADoubtThatDoesNotEndIsToldToWhoSpoke(t *testing.T) {
	bubble(t, func(r *rig) {
		about := r.cardless()
		r.relays(store.RelayReplies)
		r.begins(card, "UDARKROOM", cards.About{})
		require.NoError(r.t, r.store.BeginPost(r.t.Context(), about.Order, 1, 0))
		r.hears(r.event("message", map[string]any{"text": "Softer"}))
		r.settle(jobs.ThreadDoubt + time.Minute)
		require.Len(r.t, r.screen.told, 1)
		require.Contains(r.t, r.screen.lastTold(), "could not find out which order")
		require.Empty(r.t, r.conversation())
	})
}

func TestWhatIsSaidWhileSlackDoesNotAnswerWaits(t *testing.T) {
	bubble(t, func(r *rig) {
		root := r.begins(card, "UDARKROOM", r.cardless())
		root.meets(fmt.Errorf("conversations.replies: %w", bot.ErrTryLater))
		r.hears(r.mention(nil))
		r.settle(time.Hour)
		require.Empty(r.t, r.conversation())
		root.meets(nil)
		r.settle(time.Minute)
		require.Equal(r.t, []string{"Softer"}, r.conversation())
		require.Empty(r.t, r.screen.told)
	})
}

func TestTalkAmongPeopleCostsOneQuestionAThread(t *testing.T) {
	bubble(t, func(r *rig) {
		r.relays(store.RelayReplies)
		root := r.begins("50.1", "ben", cards.About{})
		for i := range 5 {
			r.hears(r.event("message", map[string]any{"text": "Lunch?", "thread_ts": "50.1", "ts": fmt.Sprint("60.", i)}))
		}
		require.Equal(r.t, 1, root.looks())
		other := r.begins("51.1", "ben", cards.About{})
		r.hears(r.event("message", map[string]any{"text": "Lunch?", "thread_ts": "51.1", "ts": "61.1", "parent_user_id": "ben"}))
		require.Zero(r.t, other.looks(), "slack has told who began it")
		require.Empty(r.t, r.screen.told)
	})
}

func TestAnEditOfWhatWaitsForItsOrderFollowsIt(t *testing.T) {
	bubble(t, func(r *rig) {
		root := r.begins(card, "UDARKROOM", r.cardless())
		root.meets(fmt.Errorf("conversations.replies: %w", bot.ErrTryLater))
		r.hears(r.mention(nil))
		r.hears(r.event("message", map[string]any{
			"subtype": "message_changed", "ts": "300.1", "thread_ts": "", "user": "",
			"message":          map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": "<@UDARKROOM> Harder"},
			"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": "<@UDARKROOM> Softer"},
		}))
		root.meets(nil)
		r.settle(time.Minute)
		require.Equal(r.t, []string{"Softer"}, r.conversation())
		require.Len(r.t, r.screen.told, 1)
		require.Contains(r.t, r.screen.lastTold(), "Harder", "the editor keeps the first words, and maria knows")
	})
}

// The editor reads words in the order in which they were said, whenever the thread's order
// becomes known.
func TestWhatIsSaidOvertakesNothingThatWaitsForItsOrder(t *testing.T) {
	for name, kind := range map[string]string{"a mention": "app_mention", "a reply": "message"} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				about := r.cardless()
				r.relays(store.RelayReplies)
				root := r.begins(card, "UDARKROOM", about)
				root.meets(fmt.Errorf("conversations.replies: %w", bot.ErrTryLater))
				r.hears(r.mention(map[string]any{"text": "<@UDARKROOM> First"}))
				require.NoError(r.t, r.store.CardPosted(r.t.Context(), about.Order, 1, card, 1))
				r.hears(r.event(kind, map[string]any{"text": "<@UDARKROOM> Second", "ts": "200.2"}))
				r.hears(r.event("message", map[string]any{
					"subtype": "message_changed", "ts": "300.1", "thread_ts": "", "user": "",
					"message":          map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": "<@UDARKROOM> At first"},
					"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": card, "text": "<@UDARKROOM> First"},
				}))
				r.settle(time.Minute)
				require.Equal(r.t, []string{"First", "Second"}, r.conversation())
				require.Contains(r.t, r.screen.lastTold(), "At first", "an edit follows what it is of")
				r.hears(r.event(kind, map[string]any{"text": "<@UDARKROOM> Third", "ts": "200.3"}))
				require.Equal(r.t, []string{"First", "Second", "Third"}, r.conversation(), "at once")
			})
		})
	}
}
