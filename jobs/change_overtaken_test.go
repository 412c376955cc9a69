package jobs_test

import (
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

// next has the editor deliver the requested revision.
func next(r *commandstest.Rig, id string) {
	r.T.Helper()
	r.Service.Edit(id, func(o *order.Order) {
		o.Status = order.StatusReviewing
		o.EditedImages = []order.EditedImage{{ID: "i1", Name: "1.jpg", Revision: o.Rev()}}
	})
	r.Record()
}

func TestWhoIsOvertakenHearsByWhom(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Sends("ben", r.Opens("ben", cards.ActionRevise, cards.Value(id, 0)), map[string]string{"1 · 1.jpg": "Brighter"})
		next(r, id)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 1))
		r.Sends("tom", r.Opens("tom", cards.ActionRevise, cards.Value(id, 1)), map[string]string{"1 · 1.jpg": "Darker"})
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Warmer"})
		shown := commandstest.Readable(r.Shows(window))
		require.Contains(r.T, shown, "tom has already requested changes")
		require.Contains(r.T, shown, "Darker", "and what")
		require.Contains(r.T, shown, "Warmer", "her words")
	})
}

func TestWhoComesAfterTheEndHearsOfTheEnd(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Sends("ben", r.Opens("ben", cards.ActionRevise, cards.Value(id, 0)), map[string]string{"1 · 1.jpg": "Brighter"})
		next(r, id)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 1))
		r.Service.Edit(id, func(o *order.Order) { o.Status = order.StatusClosed })
		r.Record()
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Warmer"})
		shown := commandstest.Readable(r.Shows(window))
		require.NotContains(r.T, shown, "has already requested", "nobody was faster with the same")
		require.Contains(r.T, shown, "approved")
		require.Contains(r.T, shown, "Warmer", "her words")
	})
}

func TestAFormThatIsOvertakenByAMoveSaysSo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		r.Says("maria", "C1", "move order001")
		window := r.Screen.Last()
		r.Says("boss", "C1", "move order001 CPUBLIC")
		require.Equal(r.T, window, r.Screen.Last())
		require.Contains(r.T, r.Moves("maria", "CPUBLIC", false), "in <#CPUBLIC> already")
		require.Equal(r.T, 2, r.Stored("order001").Owner.Generation)
	})
}

// A leading mention of the app is removed. A later one is part of the text.
func TestTheAppsNameIsTakenFromTheFrontAlone(t *testing.T) {
	for raw, sent := range map[string]string{
		"<@UDARKROOM|darkroom>, softer light": "softer light",
		"<@UDARKROOM> as <@UDARKROOM> said":   "as @someone said", // whose name the screen does not know
	} {
		t.Run(raw, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InThread()
				r.Hears(r.Event("app_mention", map[string]any{"text": raw}))
				require.Equal(r.T, []string{sent}, r.Conversation())
			})
		})
	}
}

func TestAMessageMarkedAsPrivateIsSentByWhoAsksForIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Shortcut(commands.ShortcutSend, slack.Msg{User: "maria", Text: "// just the sky, please", Timestamp: "200.1", ThreadTimestamp: commandstest.CardTS})
		require.Equal(r.T, []string{"// just the sky, please"}, r.Conversation())
	})
}
