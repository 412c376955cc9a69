package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/store"
)

// cardless makes an order of #shoots whose card is not recorded.
func cardless(r *commandstest.Rig) cards.About {
	return cards.About{Order: r.InReview(), Event: cards.CardEvent, Generation: 1}
}

// mention has maria mention the app in the thread of a possible card.
func mention(r *commandstest.Rig, fields map[string]any) bot.Request {
	if fields == nil {
		fields = map[string]any{"text": "<@UDARKROOM> Softer"}
	}
	return r.Event("app_mention", fields)
}

func TestAThreadBelongsToTheOrderThatItsFirstMessageNames(t *testing.T) {
	for name, test := range map[string]struct {
		user  string
		about func(cards.About) cards.About
		says  string // "": it is sent
	}{
		"our card":                     {"UDARKROOM", func(a cards.About) cards.About { return a }, ""},
		"our reply, its card deleted":  {"UDARKROOM", func(a cards.About) cards.About { a.Event = "ready:r0"; return a }, ""},
		"a stranger's copy of it":      {"UEVIL", func(a cards.About) cards.About { return a }, "Mention me with photos"},
		"an earlier place's card":      {"UDARKROOM", func(a cards.About) cards.About { a.Generation = 0; return a }, "no longer belongs to its order"},
		"an order that is not known":   {"UDARKROOM", func(a cards.About) cards.About { a.Order = "order9"; return a }, "no longer belongs to its order"},
		"something else that we wrote": {"UDARKROOM", func(cards.About) cards.About { return cards.About{} }, "could not find out which order"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				root := r.Begins(commandstest.CardTS, test.user, test.about(cardless(r)))
				r.Relays(store.RelayReplies)
				r.Hears(mention(r, nil), r.Event("message", map[string]any{"text": "<@UDARKROOM> Softer"}))
				require.Equal(r.T, kit.Either(test.user == "UEVIL", 2, 1), root.Looks(), "people's threads are looked through for photos")
				if test.says != "" {
					require.Empty(r.T, r.Conversation())
					require.Len(r.T, r.Screen.Ephemerals, 1, "once")
					require.Contains(r.T, r.Screen.LastMessage(), test.says)
					return
				}
				require.Equal(r.T, []string{"Softer"}, r.Conversation())
				require.Empty(r.T, r.Screen.Ephemerals)
				r.Hears(r.Event("message", map[string]any{"text": "Warmer", "ts": "200.2"}))
				require.Equal(r.T, []string{"Softer", "Warmer"}, r.Conversation())
				require.Equal(r.T, 1, root.Looks(), "it is known now")
			})
		})
	}
}

// The thread of a batch's card belongs to no single order: a wrong editor must not get what is said there.
func TestWhatIsSaidInTheThreadOfABatchReachesNoEditor(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Relays(store.RelayReplies)
		cardless(r)
		root := r.Begins(commandstest.CardTS, "UDARKROOM", cards.About{})
		root.Metadata = slack.SlackMetadata{EventType: cards.MetadataBatch, EventPayload: map[string]any{"batch": "b1"}}
		r.Hears(mention(r, nil))
		require.Len(r.T, r.Screen.Ephemerals, 1)
		require.Contains(r.T, r.Screen.LastMessage(), "This thread has several orders, so nothing was sent to an editor.")
		for _, ts := range []string{"200.2", "200.3"} {
			r.Hears(r.Event("message", map[string]any{"text": "Lunch?", "ts": ts}))
		}
		require.Len(r.T, r.Screen.Ephemerals, 2, "who did not call is told once")
		require.Empty(r.T, r.Conversation())
	})
}

func TestWhatIsSaidWhileACardIsInDoubtWaitsForIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		about := cardless(r)
		r.Begins(commandstest.CardTS, "UDARKROOM", cards.About{}) // Slack took it in no form that says whose it is
		require.NoError(r.T, r.Store.Announcements.BeginPost(r.T.Context(), about.Order, 1, 0))
		r.Hears(mention(r, nil))
		r.Settle(time.Minute)
		require.Empty(r.T, r.Screen.Ephemerals)
		require.Empty(r.T, r.Conversation())
		require.NoError(r.T, r.Store.Announcements.CardPosted(r.T.Context(), about.Order, 1, commandstest.CardTS, 1))
		r.Settle(jobs.ThreadPause)
		require.Equal(r.T, []string{"Softer"}, r.Conversation())
		require.Zero(r.T, r.Stats().Dead)
	})
}

// A message that mentions the app comes as two events, in either order.
func TestWhoCallsTheAppIsAnsweredWhicheverEventComesFirst(t *testing.T) {
	text := map[string]any{"text": "<@UDARKROOM> Softer"}
	for name, kinds := range map[string][]string{
		"the mention": {"app_mention", "message"},
		"the message": {"message", "app_mention"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Relays(store.RelayReplies)
				r.Begins(commandstest.CardTS, "UDARKROOM", cards.About{}) // something else that we said
				r.Hears(r.Event(kinds[0], text), r.Event(kinds[1], text))
				require.Len(r.T, r.Screen.Ephemerals, 1)
				require.Contains(r.T, r.Screen.LastMessage(), "could not find out which order")
				r.Hears(r.Event("message", map[string]any{"text": "Lunch?", "ts": "200.2"}))
				require.Len(r.T, r.Screen.Ephemerals, 1, "who did not call is not disturbed")
			})
		})
	}
}

func TestADoubtThatDoesNotEndIsToldToWhoSpoke(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		about := cardless(r)
		r.Relays(store.RelayReplies)
		r.Begins(commandstest.CardTS, "UDARKROOM", cards.About{})
		require.NoError(r.T, r.Store.Announcements.BeginPost(r.T.Context(), about.Order, 1, 0))
		r.Hears(r.Event("message", map[string]any{"text": "Softer"}))
		r.Settle(jobs.ThreadPatience + time.Minute)
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.LastMessage(), "could not find out which order")
		require.Empty(r.T, r.Conversation())
	})
}

func TestWhatIsSaidWhileSlackDoesNotAnswerWaits(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		root := r.Begins(commandstest.CardTS, "UDARKROOM", cardless(r))
		root.Meets(fmt.Errorf("conversations.replies: %w", client.ErrTryLater))
		r.Hears(mention(r, nil))
		r.Settle(time.Hour)
		require.Empty(r.T, r.Conversation())
		root.Meets(nil)
		r.Settle(time.Minute)
		require.Equal(r.T, []string{"Softer"}, r.Conversation())
		require.Empty(r.T, r.Screen.Ephemerals)
	})
}

func TestTalkAmongPeopleCostsOneQuestionAThread(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Relays(store.RelayReplies)
		root := r.Begins("50.1", "ben", cards.About{})
		for i := range 5 {
			r.Hears(r.Event("message", map[string]any{"text": "Lunch?", "thread_ts": "50.1", "ts": fmt.Sprint("60.", i)}))
		}
		require.Equal(r.T, 1, root.Looks())
		other := r.Begins("51.1", "ben", cards.About{})
		r.Hears(r.Event("message", map[string]any{"text": "Lunch?", "thread_ts": "51.1", "ts": "61.1", "parent_user_id": "ben"}))
		require.Zero(r.T, other.Looks(), "slack has told who began it")
		require.Empty(r.T, r.Screen.Ephemerals)
	})
}

func TestAnEditOfWhatWaitsForItsOrderFollowsIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		root := r.Begins(commandstest.CardTS, "UDARKROOM", cardless(r))
		root.Meets(fmt.Errorf("conversations.replies: %w", client.ErrTryLater))
		r.Hears(mention(r, nil))
		r.Hears(r.Event("message", map[string]any{
			"subtype": "message_changed", "ts": "300.1", "thread_ts": "", "user": "",
			"message":          map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": "<@UDARKROOM> Harder"},
			"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": "<@UDARKROOM> Softer"},
		}))
		root.Meets(nil)
		r.Settle(time.Minute)
		require.Equal(r.T, []string{"Softer"}, r.Conversation())
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.LastMessage(), "Harder", "the editor keeps the first words, and maria knows")
	})
}

// The editor gets messages in the order of the thread, whenever its order becomes known.
func TestWhatIsSaidOvertakesNothingThatWaitsForItsOrder(t *testing.T) {
	for name, kind := range map[string]string{"a mention": "app_mention", "a reply": "message"} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				about := cardless(r)
				r.Relays(store.RelayReplies)
				root := r.Begins(commandstest.CardTS, "UDARKROOM", about)
				root.Meets(fmt.Errorf("conversations.replies: %w", client.ErrTryLater))
				r.Hears(mention(r, map[string]any{"text": "<@UDARKROOM> First"}))
				require.NoError(r.T, r.Store.Announcements.CardPosted(r.T.Context(), about.Order, 1, commandstest.CardTS, 1))
				r.Hears(r.Event(kind, map[string]any{"text": "<@UDARKROOM> Second", "ts": "200.2"}))
				r.Hears(r.Event("message", map[string]any{
					"subtype": "message_changed", "ts": "300.1", "thread_ts": "", "user": "",
					"message":          map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": "<@UDARKROOM> At first"},
					"previous_message": map[string]any{"user": "maria", "ts": "200.1", "thread_ts": commandstest.CardTS, "text": "<@UDARKROOM> First"},
				}))
				r.Settle(time.Minute)
				require.Equal(r.T, []string{"First", "Second"}, r.Conversation())
				require.Contains(r.T, r.Screen.LastMessage(), "At first", "an edit follows what it is of")
				r.Hears(r.Event(kind, map[string]any{"text": "<@UDARKROOM> Third", "ts": "200.3"}))
				require.Equal(r.T, []string{"First", "Second", "Third"}, r.Conversation(), "at once")
			})
		})
	}
}
