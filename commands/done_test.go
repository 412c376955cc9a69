package commands_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

const (
	done1, done2, done3 = "Done: Softer", "Done: Darker", "Done: Straighten"
	box1, box2, box3    = "1 · 1.jpg", "2 · 2.jpg", "3 · 3.jpg"
)

// secondRound requests one change for each of three photos, and delivers them.
func secondRound(r *commandstest.Rig) (id string) {
	r.T.Helper()
	id = r.Delivers(3)
	r.Sends("ben", r.Opens("ben", cards.ActionRevise, cards.Value(id, 0)), map[string]string{box1: "Softer", box2: "Darker", box3: "Straighten"})
	edits(r, "1.jpg", "2.jpg", "3.jpg")
	return id
}

// ticks fills in a form and clicks a checkbox, which redraws the form. n tells clicks apart.
func ticks(r *commandstest.Rig, user, window string, n int, words map[string]string) {
	r.T.Helper()
	view := r.FilledIn(window, words)
	r.Click(bot.Request{Kind: bot.KindAction, Name: change.ActionDone, User: user, View: &view, ActionTS: fmt.Sprintf("1763706000.%06d", n)})
}

// boxes returns the text that the form's boxes show, by label.
func boxes(r *commandstest.Rig, window string) map[string]string {
	r.T.Helper()
	shown := map[string]string{}
	for block, action := range r.FilledIn(window, nil).State.Values {
		for _, a := range action {
			if kit.FieldIn(block) == "image" {
				shown[block[len(block)-2:]] = a.Value
			}
		}
	}
	return shown
}

// What was asked for before stands in the boxes again until it is ticked. What the person typed stays.
func TestWhatHasNoTickIsAskedForAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := secondRound(r)
		window := r.Opens("maria", cards.ActionRevise, cards.SeenValue(r.Stored(id)))
		require.Equal(r.T, map[string]string{"i1": "again: Softer", "i2": "again: Darker", "i3": "again: Straighten"}, boxes(r, window))
		ticks(r, "maria", window, 1, map[string]string{done1: done1, box2: "again: Darker\nand warmer", box3: "again: Straighten it, please"})
		require.Equal(r.T, map[string]string{"i1": "", "i2": "again: Darker\nand warmer", "i3": "again: Straighten it, please"}, boxes(r, window))
		ticks(r, "maria", window, 2, map[string]string{done2: done2})
		require.Equal(r.T, map[string]string{"i1": "", "i2": "and warmer", "i3": "again: Straighten it, please"}, boxes(r, window))
		ticks(r, "maria", window, 3, map[string]string{done2: "", done3: done3})
		require.Equal(r.T, map[string]string{"i1": "", "i2": "and warmer\nagain: Darker", "i3": "again: Straighten it, please"}, boxes(r, window), "a changed line stays")

		r.Sends("maria", window, map[string]string{box3: ""})
		require.Equal(r.T, map[string][]string{"i2": {"and warmer", "again: Darker"}}, r.Asked()[1])
		require.Equal(r.T, &order.DoneCount{Done: 2, Of: 3, By: []string{"maria"}}, r.Events(order.EventChanges)[1].Ticked)
		edits(r, "2.jpg")
		window = r.Opens("maria", cards.ActionRevise, cards.SeenValue(r.Stored(id)))
		require.Equal(r.T, map[string]string{"i1": "", "i2": "again: and warmer\nagain: Darker", "i3": ""}, boxes(r, window), "nothing is asked for again twice")
	})
}

// Ticks are everybody's, and a good photo needs no tick. Whoever approves sees them.
func TestTicksAreKeptWithTheOrder(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := secondRound(r)
		seen := cards.SeenValue(r.Stored(id))
		bens := r.Opens("ben", cards.ActionRevise, seen)
		window := r.Opens("maria", cards.ActionRevise, seen)
		ticks(r, "maria", window, 1, map[string]string{done1: done1, verdict2: verdict2, box3: ""})
		r.Sends("maria", window, nil)
		require.Contains(r.T, r.Shows(window), "2 of 3 requested changes are ticked done, by maria.")
		require.Contains(r.T, r.Shows(window), "1 of 3 is good. Nothing was sent to the editor.")
		require.Len(r.T, r.Asked(), 1)

		ticks(r, "ben", bens, 2, map[string]string{done3: done3})
		require.Equal(r.T, map[string]string{"i1": "again: Softer", "i2": "again: Darker", "i3": ""}, boxes(r, bens), "his form shows what he saw")
		r.Sends("ben", bens, map[string]string{box1: "", box2: ""})
		require.Contains(r.T, r.Shows(bens), "3 of 3 requested changes are ticked done, by maria, ben.", "he takes no tick back")

		window = r.Opens("maria", cards.ActionRevise, seen)
		require.Equal(r.T, map[string]string{"i1": "", "i2": "", "i3": ""}, boxes(r, window))
		window = r.Opens("maria", cards.ActionApprove, seen)
		require.Contains(r.T, r.Shows(window), "3 of 3 requested changes are ticked done")
		r.Approves()
		require.Equal(r.T, &order.DoneCount{Done: 3, Of: 3, By: []string{"maria", "ben"}}, r.Events(order.EventApproved)[0].Ticked)
	})
}

// A tick of a form that was closed comes back with it. Text that somebody typed is not replaced.
func TestAFormThatOpensAgainFillsNothingTwice(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := secondRound(r)
		seen := cards.SeenValue(r.Stored(id))
		window := r.Opens("maria", cards.ActionRevise, seen)
		ticks(r, "maria", window, 1, map[string]string{done1: done1, box2: "", box3: "Mine"})
		bens := r.Opens("ben", cards.ActionRevise, seen)
		r.Sends("ben", bens, map[string]string{done2: done2, box1: "", box3: ""})
		window = r.Opens("maria", cards.ActionRevise, seen)
		require.Equal(r.T, map[string]string{"i1": "", "i2": "", "i3": "Mine"}, boxes(r, window))
		r.Click(bot.Request{Kind: bot.KindAction, Name: kit.ActionClear, User: "maria", View: new(r.FilledIn(window, nil))})
		require.Equal(r.T, map[string]string{"i1": "", "i2": "", "i3": ""}, boxes(r, window), "Clear Text clears")
		ticks(r, "maria", window, 2, map[string]string{done3: done3})
		ticks(r, "maria", window, 3, map[string]string{done3: ""})
		require.Equal(r.T, "again: Straighten", boxes(r, window)["i3"], "a tick that is taken back asks again")
	})
}

// The general instructions are for each photo that took them.
func TestGeneralInstructionsAreTickedForEachPhoto(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(3)
		r.Sends("ben", r.Opens("ben", cards.ActionRevise, cards.Value(id, 0)), map[string]string{verdict1: verdict1, box2: "Darker", "All other photos": "Straighten"})
		edits(r, "2.jpg")
		window := r.Opens("maria", cards.ActionRevise, cards.SeenValue(r.Stored(id)))
		require.Equal(r.T, map[string]string{"i1": "", "i2": "again: Darker", "i3": "again: Straighten"}, boxes(r, window))
		require.NotContains(r.T, r.Shows(window), done1, "nothing was asked for a good photo")
	})
}
