package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

// acts are changes that two people may make to one order, with their text and the resulting message.
var acts = map[string]struct {
	action, field, words, did string
}{
	"approve": {cards.ActionApprove, "Feedback", "Lovely light", "approved it"},
	"revise":  {cards.ActionRevise, "1 · 1.jpg", "Warmer, please", "requested changes to it"},
	"cancel":  {cards.ActionCancel, "Reason", "The wrong photos", "canceled it"},
}

func TestWhoComesSecondReadsWhoWasFirst(t *testing.T) {
	for _, pair := range [][2]string{
		{"approve", "approve"},
		{"approve", "revise"},
		{"revise", "approve"},
		{"cancel", "approve"},
		{"approve", "cancel"},
		{"cancel", "revise"},
		{"cancel", "cancel"},
	} {
		first, second := acts[pair[0]], acts[pair[1]]
		t.Run(pair[0]+" then "+pair[1], func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Delivers(1)
				theirs := r.Opens("ben", first.action, cards.Value(id, 0))
				mine := r.Opens("maria", second.action, cards.Value(id, 0))
				r.Sends("ben", theirs, map[string]string{first.field: first.words})
				r.Sends("maria", mine, map[string]string{second.field: second.words})
				shown := commandstest.Readable(r.Shows(mine))
				require.Contains(r.T, shown, "ben "+first.did+" a moment ago")
				require.Contains(r.T, shown, second.words, "her words")
			})
		})
	}
}

func TestWhoComesSecondReadsThatItWasDoneElsewhere(t *testing.T) {
	for name, test := range map[string]struct {
		status order.Status
		says   string
	}{
		"approved": {order.StatusClosed, "It was approved elsewhere a moment ago"},
		"canceled": {order.StatusCanceled, "It was canceled elsewhere a moment ago"},
		"revised":  {order.StatusRevising, "Changes to it were requested elsewhere a moment ago"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Delivers(1)
				mine := r.Opens("maria", cards.ActionApprove, cards.Value(id, 0))
				r.Service.Edit(id, func(o *order.Order) { o.Status = test.status })
				r.Sends("maria", mine, map[string]string{"Feedback": "Lovely light"})
				shown := commandstest.Readable(r.Shows(mine))
				require.Contains(r.T, shown, test.says, "known by the fetch alone")
				require.Contains(r.T, shown, "Lovely light")
			})
		})
	}
}

func TestAButtonPressedTooLateSaysWhoWasFirst(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Sends("ben", r.Opens("ben", cards.ActionApprove, cards.Value(id, 0)), nil)
		for _, action := range []string{cards.ActionApprove, cards.ActionRevise, cards.ActionCancel} {
			require.Contains(r.T, commandstest.Readable(r.Shows(r.Opens("maria", action, cards.Value(id, 0)))), "ben approved it a moment ago")
			require.Contains(r.T, commandstest.Readable(r.Shows(r.Opens("ben", action, cards.Value(id, 0)))), "You approved it a moment ago")
		}
		r.Settle(time.Hour)
		require.Contains(r.T, r.Shows(r.Opens("maria", cards.ActionApprove, cards.Value(id, 0))), `ben approved it \u003c!date^`, "an hour later")
	})
}
