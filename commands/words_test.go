package commands_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/place"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

func TestALineThatCouldNotBeDoneIsShownAgain(t *testing.T) {
	for name, story := range map[string]struct {
		line  string
		meets func(r *commandstest.Rig)
	}{
		"the form came too late": {"approve order1 Great light &amp; colours", func(r *commandstest.Rig) { r.Screen.Late = 1 }},
		"nobody can say who is in the channel": {"message order1 Great light &amp; colours", func(r *commandstest.Rig) {
			r.Screen.Channels = map[string]commandstest.Channel{"C1": {Mute: true}}
		}},
		"the verb is mistyped": {"mesage order1 Great light &amp; colours", func(*commandstest.Rig) {}},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InReview()
				story.meets(r)
				r.Types(story.line)
				require.Contains(r.T, commandstest.Readable(r.Screen.LastMessage()), "order1 Great light &amp; colours", "escaped once")
			})
		})
	}
	t.Run("who only may look", func(t *testing.T) {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.InReview()
			r.Screen.Guests = map[string]bool{"maria": true}
			r.Types("approve order1 Great light &amp; colours")
			require.Contains(r.T, commandstest.Readable(r.Screen.Modal()), "Great light &amp; colours")
			require.NotContains(r.T, commandstest.Readable(r.Screen.Modal()), "&amp;amp;")
		})
	})
	t.Run("what fills the form is away", func(t *testing.T) {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.InReview()
			r.Screen.Channels = map[string]commandstest.Channel{"C1": {Mute: true}}
			r.Types("approve order1 Great light &amp; colours")
			require.Contains(r.T, commandstest.Readable(r.Screen.Modal()), "Great light &amp; colours")
		})
	})
}

func TestAFormThatSomebodyFillsInIsNotEmptiedByASecondDelivery(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		q := bot.Request{
			ID: "again", TriggerID: "again", Team: "T1", User: "maria", Channel: "C1", Kind: bot.KindAction,
			Name: cards.ActionApprove, Value: cards.Value(id, 0), At: time.Now(),
		}
		require.NoError(r.T, works(r.T.Context(), r, q))
		window := r.Screen.Last()
		r.Screen.Lock()
		r.Screen.Shown[window] = "Approving"
		r.Screen.Late = 1 // the trigger was used
		r.Screen.Unlock()
		require.NoError(r.T, works(r.T.Context(), r, q))
		require.Equal(r.T, "Approving", r.Shows(window), "what stands there now is left alone")
	})
}

func TestAPageThatWasTurnedBackTooLateIsNotPaintedOverTheAnswer(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		view := r.FilledIn(window, nil)
		view.Hash = "1"
		r.Screen.Lock()
		r.Screen.Shown[window], r.Screen.Moved = "Requesting", 1
		r.Screen.Unlock()
		r.Click(bot.Request{Kind: bot.KindAction, Name: place.ActionBack, View: &view})
		require.Equal(r.T, "Requesting", r.Shows(window))
	})
}

func TestAnEditedMessageMayBeSentToItsEditorAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		said := slack.Msg{User: "maria", Text: "Soft light", Timestamp: "200.1", ThreadTimestamp: commandstest.CardTS}
		r.Shortcut(commands.ShortcutSend, said)
		said.Text = "Hard light"
		r.Shortcut(commands.ShortcutSend, said)
		require.Equal(r.T, []string{"Soft light", "Hard light"}, r.Conversation())
		r.Shortcut(commands.ShortcutSend, said)
		require.Len(r.T, r.Conversation(), 2)
		require.Contains(r.T, r.Screen.LastMessage(), "has this message already")
	})
}

func TestAChosenOrderThatIsHiddenReadsLikeOneThatDoesNotExist(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("84521", "CWEDDING", "boss", commandstest.InStatus(order.StatusReviewing))
		r.Owns("84522", "C1", "tom", commandstest.InStatus(order.StatusReviewing))
		answers := func(order string) (ack, end string) {
			r.Click(bot.Request{
				Kind: bot.KindShortcut, Name: commands.ShortcutSend, User: "tom", MessageTS: "9.1",
				Message: &slack.Message{Msg: slack.Msg{User: "tom", Text: "Soft light", Timestamp: "9.1"}},
			})
			reply, err := r.Handle(r.T.Context(), r.Filled("tom", map[string]string{"Order": cards.Value(order, 0)}))
			require.NoError(r.T, err)
			r.Settle(time.Second)
			return commandstest.WindowIDs.ReplaceAllString(commandstest.Text(reply.Body), ""), commandstest.WindowIDs.ReplaceAllString(r.Screen.Modal(), "")
		}
		hiddenAck, hidden := answers("84521")
		absentAck, absent := answers("99999")
		require.Equal(r.T, absentAck, hiddenAck)
		require.Equal(r.T, replace(absent, "99999"), replace(hidden, "84521"))
		require.Contains(r.T, hidden, "Soft light", "nobody's words are lost")
		require.Empty(r.T, r.Service.Find("84521").Conversation)
	})
}

func TestAFormWhoseDraftWasDiscardedElsewhereShowsWhatItHeld(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		window := r.Screen.Last()
		r.Presses(place.ActionDiscard, r.Draft().ID)
		reply := r.SubmitsForm(window)
		require.True(r.T, commandstest.ContainsAll(commandstest.Text(reply.Body), "discarded this order", "Brighten it.", "https://example.com/a.jpg", "Smith wedding"), commandstest.Text(reply.Body))
		creates, _ := r.Service.Sent()
		require.Zero(r.T, creates)
		require.Equal(r.T, store.DraftDiscarded, r.Draft().State)
	})
}

func TestAFileOfAnotherOrganisationSaysSo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		m := slack.Msg{User: "maria", Text: "x", Timestamp: "9.1", Files: []slack.File{{ID: "F1", FileAccess: "check_file_info"}}}
		r.Screen.Files = map[string]commandstest.SeenFile{"F1": {File: m.Files[0]}}
		r.Shortcut(commands.ShortcutPhotos, m)
		require.Contains(r.T, r.Screen.Modal(), "another organization")
		r.Owns("order001", "C1", "maria", nil)
		r.Shortcut(commands.ShortcutReference, m)
		require.Contains(r.T, r.Screen.Modal(), "another organization")
	})
}

func TestALineWhoseJobDiedIsGivenBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		body, err := json.Marshal(bot.Request{
			Kind: bot.KindCommand, Name: commands.Slash, User: "maria", Verb: "message", Args: "84521 Soft light", Text: "message 84521 Soft light",
		})
		require.NoError(r.T, err)
		require.NoError(r.T, r.Jobs.Died(r.T.Context(), queue.DeadLetter{Job: queue.Job{ID: "click:x", Lane: "click:x", Kind: commands.ClickJob, Body: body}}))
		require.Contains(r.T, r.Screen.DMs[0], "/order message 84521 Soft light")
	})
}
