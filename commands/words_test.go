package commands

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

func TestALineThatCouldNotBeDoneIsShownAgain(t *testing.T) {
	for name, story := range map[string]struct {
		line  string
		meets func(r *rig)
	}{
		"the form came too late": {"approve order1 Great light &amp; colours", func(r *rig) { r.screen.late = 1 }},
		"nobody can say who is in the channel": {"message order1 Great light &amp; colours", func(r *rig) {
			r.screen.rooms = map[string]room{"C1": {mute: true}}
		}},
		"the verb is mistyped": {"mesage order1 Great light &amp; colours", func(*rig) {}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inReview()
				story.meets(r)
				r.types(story.line)
				require.Contains(r.t, readable(r.screen.lastTold()), "order1 Great light &amp; colours", "escaped once")
			})
		})
	}
	t.Run("who only may look", func(t *testing.T) {
		bubble(t, func(r *rig) {
			r.inReview()
			r.screen.guests = map[string]bool{"maria": true}
			r.types("approve order1 Great light &amp; colours")
			require.Contains(r.t, readable(r.screen.modal()), "Great light &amp; colours")
			require.NotContains(r.t, readable(r.screen.modal()), "&amp;amp;")
		})
	})
	t.Run("what fills the form is away", func(t *testing.T) {
		bubble(t, func(r *rig) {
			r.inReview()
			r.screen.rooms = map[string]room{"C1": {mute: true}}
			r.types("approve order1 Great light &amp; colours")
			require.Contains(r.t, readable(r.screen.modal()), "Great light &amp; colours")
		})
	})
}

func TestAFormThatSomebodyFillsInIsNotEmptiedByASecondDelivery(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		q := bot.Request{
			ID: "again", TriggerID: "again", Team: "T1", User: "maria", Channel: "C1", Kind: bot.KindAction,
			Name: cards.ActionApprove, Value: cards.Value(id, 0), At: time.Now(),
		}
		require.NoError(r.t, r.works(r.t.Context(), q))
		window := r.screen.last()
		r.screen.Lock()
		r.screen.shown[window] = "Approving"
		r.screen.late = 1 // the trigger was used
		r.screen.Unlock()
		require.NoError(r.t, r.works(r.t.Context(), q))
		require.Equal(r.t, "Approving", r.shows(window), "what stands there now is left alone")
	})
}

func TestAPageThatWasTurnedBackTooLateIsNotPaintedOverTheAnswer(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		view := r.filledIn(window, nil)
		view.Hash = "1"
		r.screen.Lock()
		r.screen.shown[window], r.screen.moved = "Requesting", 1
		r.screen.Unlock()
		r.click(bot.Request{Kind: bot.KindAction, Name: cards.ActionBack, View: &view})
		require.Equal(r.t, "Requesting", r.shows(window))
	})
}

func TestAnEditedMessageMayBeSentToItsEditorAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		said := slack.Msg{User: "maria", Text: "Soft light", Timestamp: "200.1", ThreadTimestamp: card}
		r.shortcut(ShortcutSend, said)
		said.Text = "Hard light"
		r.shortcut(ShortcutSend, said)
		require.Equal(r.t, []string{"Soft light", "Hard light"}, r.conversation())
		r.shortcut(ShortcutSend, said)
		require.Len(r.t, r.conversation(), 2)
		require.Contains(r.t, r.screen.lastTold(), "has this message already")
	})
}

func TestAChosenOrderThatIsHiddenReadsLikeOneThatDoesNotExist(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("84521", "CWEDDING", "boss", inStatus(order.StatusReviewing))
		r.owns("84522", "C1", "tom", inStatus(order.StatusReviewing))
		answers := func(order string) (ack, end string) {
			r.click(bot.Request{
				Kind: bot.KindShortcut, Name: ShortcutSend, User: "tom", MessageTS: "9.1",
				Message: &slack.Message{Msg: slack.Msg{User: "tom", Text: "Soft light", Timestamp: "9.1"}},
			})
			reply, err := r.handle(r.t.Context(), r.filled("tom", map[string]string{"Order": cards.Value(order, 0)}))
			require.NoError(r.t, err)
			r.settle(time.Second)
			return windowIDs.ReplaceAllString(text(reply.Body), ""), windowIDs.ReplaceAllString(r.screen.modal(), "")
		}
		hiddenAck, hidden := answers("84521")
		absentAck, absent := answers("99999")
		require.Equal(r.t, absentAck, hiddenAck)
		require.Equal(r.t, replace(absent, "99999"), replace(hidden, "84521"))
		require.Contains(r.t, hidden, "Soft light", "nobody's words are lost")
		require.Empty(r.t, r.service.find("84521").Conversation)
	})
}

func TestThePhotosOfAnOrderThatTurnsUpAreCounted(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.givenUp()
		draft := r.draft()
		draft.Files = []store.DraftFile{{ID: "F1", Name: "a.jpg", URL: "https://darkroom.example.com/files/a"}}
		require.NoError(r.t, r.store.SaveDraft(r.t.Context(), draft))
		r.service.set(func(f *forgetful) { f.add("Smith wedding [" + draft.Reference + "]") })
		r.settle(20 * time.Minute)
		t, err := r.store.Find(r.t.Context(), draft.Reference)
		require.NoError(r.t, err, id)
		require.Equal(r.t, 2, t.Images)
	})
}

func TestAFormWhoseDraftWasDiscardedElsewhereShowsWhatItHeld(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		window := r.screen.last()
		r.presses(cards.ActionDiscard, r.draft().ID)
		reply := r.submitsForm(window)
		require.True(r.t, containsAll(text(reply.Body), "discarded this order", "Brighten it.", "https://example.com/a.jpg", "Smith wedding"), text(reply.Body))
		creates, _ := r.service.sent()
		require.Zero(r.t, creates)
		require.Equal(r.t, store.DraftDiscarded, r.draft().State)
	})
}

func TestSlashesBehindTheMentionKeepAMessagePrivate(t *testing.T) {
	for _, mode := range []store.Relay{store.RelayMentions, store.RelayReplies} {
		bubble(t, func(r *rig) {
			r.inThread()
			r.relays(mode)
			said := map[string]any{"text": "<@UDARKROOM> // the client is difficult"}
			r.hears(r.event("message", said), r.event("app_mention", said))
			require.Empty(r.t, r.conversation())
			require.Len(r.t, r.screen.told, 1)
			require.Contains(r.t, r.screen.lastTold(), "kept it among you")
		})
	}
}

func TestAFileOfAnotherOrganisationSaysSo(t *testing.T) {
	bubble(t, func(r *rig) {
		r.withFiles()
		m := slack.Msg{User: "maria", Text: "x", Timestamp: "9.1", Files: []slack.File{{ID: "F1", FileAccess: "check_file_info"}}}
		r.screen.files = map[string]seenFile{"F1": {file: m.Files[0]}}
		r.shortcut(ShortcutPhotos, m)
		require.Contains(r.t, r.screen.modal(), "another organisation")
		r.owns("order001", "C1", "maria", nil)
		r.shortcut(ShortcutReference, m)
		require.Contains(r.t, r.screen.modal(), "another organisation")
	})
}

func TestALineWhoseJobDiedIsGivenBack(t *testing.T) {
	bubble(t, func(r *rig) {
		body, err := json.Marshal(bot.Request{
			Kind: bot.KindCommand, User: "maria", Verb: "message", Args: "84521 Soft light", Text: "message 84521 Soft light",
		})
		require.NoError(r.t, err)
		r.jobs.Died(r.t.Context(), queue.DeadLetter{Job: queue.Job{ID: "click:x", Lane: "click:x", Kind: clickJob, Body: body}})
		require.Contains(r.t, r.screen.dms[0], "/order message 84521 Soft light")
	})
}
