package commands

import (
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/order"
)

// next is the editor handing in the revision that was asked for.
func (r *rig) next(id string) {
	r.t.Helper()
	r.service.edit(id, func(o *order.Order) {
		o.Status = order.StatusReviewing
		o.EditedImages = []order.EditedImage{{ID: "i1", Name: "1.jpg", Revision: o.Rev()}}
	})
	r.record()
}

func TestWhoIsOvertakenHearsByWhom(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.sends("ben", r.opens("ben", cards.ActionRevise, cards.Value(id, 0)), map[string]string{"1 · 1.jpg": "Brighter"})
		r.next(id)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 1))
		r.sends("tom", r.opens("tom", cards.ActionRevise, cards.Value(id, 1)), map[string]string{"1 · 1.jpg": "Darker"})
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Warmer"})
		shown := readable(r.shows(window))
		require.Contains(r.t, shown, "tom has already requested changes")
		require.Contains(r.t, shown, "Darker", "and what")
		require.Contains(r.t, shown, "Warmer", "her words")
	})
}

func TestWhoComesAfterTheEndHearsOfTheEnd(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.sends("ben", r.opens("ben", cards.ActionRevise, cards.Value(id, 0)), map[string]string{"1 · 1.jpg": "Brighter"})
		r.next(id)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 1))
		r.service.edit(id, func(o *order.Order) { o.Status = order.StatusClosed })
		r.record()
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Warmer"})
		shown := readable(r.shows(window))
		require.NotContains(r.t, shown, "has already requested", "nobody was faster with the same")
		require.Contains(r.t, shown, "approved")
		require.Contains(r.t, shown, "Warmer", "her words")
	})
}

func TestAFormThatIsOvertakenByAMoveSaysSo(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", nil)
		r.says("maria", "C1", "move order001")
		window := r.screen.last()
		r.says("boss", "C1", "move order001 CPUBLIC")
		require.Equal(r.t, window, r.screen.last())
		require.Contains(r.t, r.moves("maria", "CPUBLIC", false), "in <#CPUBLIC> already")
		require.Equal(r.t, 2, r.stored("order001").Owner.Generation)
	})
}

// The app's name before the words is how it is called; within them it is a word.
func TestTheAppsNameIsTakenFromTheFrontAlone(t *testing.T) {
	for raw, sent := range map[string]string{
		"<@UDARKROOM|darkroom>, softer light": "softer light",
		"<@UDARKROOM> as <@UDARKROOM> said":   "as @someone said", // whose name the screen does not know
	} {
		t.Run(raw, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inThread()
				r.hears(r.event("app_mention", map[string]any{"text": raw}))
				require.Equal(r.t, []string{sent}, r.conversation())
			})
		})
	}
}

func TestAMessageMarkedAsPrivateIsSentByWhoAsksForIt(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.shortcut(ShortcutSend, slack.Msg{User: "maria", Text: "// just the sky, please", Timestamp: "200.1", ThreadTimestamp: card})
		require.Equal(r.t, []string{"// just the sky, please"}, r.conversation())
	})
}
