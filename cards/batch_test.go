package cards

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// batchOf is a batch of so many rows, the first of which is three orders.
func batchOf(s scene, rows int) store.OrderBatch {
	b := store.OrderBatch{ID: "b1", Team: "T1", User: "U0MARIA", Channel: "C0PHOTOS", Name: s.words + ".csv"}
	for i := range rows {
		r := order.BatchRow{Line: i + 2, Name: clip(fmt.Sprintf("%s %d", s.words, i+1), order.MaxProjectName), Service: order.ServiceBasic, Instructions: []string{s.words}, CustomerID: "C-7"}
		for n := range map[bool]int{true: 120, false: s.images}[i == 0] {
			r.Images = append(r.Images, fmt.Sprintf("https://example.com/%d/%d.jpg", i, n))
		}
		if i == 1 {
			r.References, r.CustomerID = []string{"https://example.com/mood.jpg"}, ""
		}
		b.Rows = append(b.Rows, r)
	}
	return b
}

// standOf is how far it is, with its orders in these states, in turn.
func standOf(b store.OrderBatch, states ...store.DraftState) BatchStand {
	s := BatchStand{Batch: b, Drafts: b.Drafts(), Links: map[string]string{}}
	for i := range s.Drafts {
		d := &s.Drafts[i]
		d.State = states[i%len(states)]
		switch d.State {
		case store.DraftPlaced:
			d.OrderID, d.Reference = fmt.Sprint("order", i), "K7Q2XM"
			s.Links[d.ID] = fmt.Sprintf("https://acme.slack.com/archives/C0PHOTOS/p%d", i)
		case heldState: // an approver is asked
			d.State, d.Attempt = store.DraftRefused, 2
			d.Held = &store.Hold{Draft: d.ID, Attempt: 2, Why: store.HoldOrder, Limit: 10, Images: 3, Asks: []string{"U0ANN"}}
		case store.DraftRefused:
			d.Problems = []string{"one file is not accessible from our server: https://example.com/<!channel>.jpg"}
		}
	}
	return s
}

// heldState stands in a test for an order that waits for an approver.
const heldState store.DraftState = "held"

func TestABatchSaysWhatWaitsForAnApprover(t *testing.T) {
	b := batchOf(scene{"Smith", 3}, 4) // the first row is three orders
	for name, at := range map[string]struct {
		states []store.DraftState
		says   string
	}{
		"some placed":     {[]store.DraftState{store.DraftPlaced, heldState}, "3 of 6 orders are placed, 3 wait for an approver."},
		"one failed":      {[]store.DraftState{store.DraftPlaced, heldState, store.DraftRefused}, "2 of 6 orders are placed, 2 wait for an approver, 2 are not."},
		"all wait":        {[]store.DraftState{heldState}, "0 of 6 orders are placed, 6 wait for an approver."},
		"still under way": {[]store.DraftState{heldState, store.DraftPlacing}, "0 of 6 orders placed …* 3 wait for an approver."},
	} {
		t.Run(name, func(t *testing.T) {
			m := BatchMessage(standOf(b, at.states...))
			require.Contains(t, m.Text, at.says)
			require.Contains(t, strings.Join(each(m.Blocks, func(_ int, b slack.Block) string { return wordsIn(b) }), " "), "It waits for an approver. Nothing was charged. That is more than 10 credits, the limit of one order.")
			require.NotContains(t, m.Text, "could not be.", "who waits has not failed")
		})
	}
	require.Contains(t, string(BatchCSV(standOf(b, heldState))), "waits for an approver")
	require.True(t, standOf(b, heldState).Ended(), "the batch does not wait for the approver")
}

func TestGoldenBatch(t *testing.T) {
	golden(t, func(s scene) map[string]any {
		b, none := batchOf(s, 4), batchOf(s, 200)
		placed := standOf(b, store.DraftPlaced)
		problems := []order.BatchProblem{{Line: 0, Says: "The file is larger than 1 MB."}, {Line: 4, Says: "Not a web address (http:// or https://): " + s.words}}
		for len(problems) < 60 {
			problems = append(problems, order.BatchProblem{Line: len(problems) + 3, Says: "There are no images."})
		}
		return map[string]any{
			"reading": BatchReading(b.Name, "x1"), "check": BatchCheck(b, "118", "x1"), "check_many": BatchCheck(none, "", "x1"),
			"wrong": BatchWrong(b.Name, problems[:2], BatchBack{"draft1", 2, "118"}, "x1"), "wrong_many": BatchWrong(b.Name, problems, BatchBack{}, "x1"),
			"refused": BatchRefused(CannotPost("C0PHOTOS", order.DeniedNotInChannel), BatchBack{"draft1", 2, "118"}, "x1"),
			"begun":   BatchWindow(standOf(b, store.DraftOpen), "x1"), "underway": BatchMessage(standOf(b, store.DraftPlaced, store.DraftPlacing, store.DraftRefused)),
			"placed": BatchMessage(placed.WithFile()), "placed_window": BatchWindow(placed, "x1"),
			"failed": BatchMessage(standOf(b, store.DraftPlaced, store.DraftRefused, store.DraftUnknown, store.DraftDiscarded)),
			"held":   BatchMessage(standOf(b, store.DraftPlaced, heldState)), "held_failed": BatchWindow(standOf(b, heldState, store.DraftRefused), "x1"),
			"failed_many": BatchMessage(standOf(none, store.DraftRefused)), "placed_many": BatchMessage(standOf(none, store.DraftPlaced)),
		}
	})
}

func TestABatchIsShownByWhatItWouldPlace(t *testing.T) {
	v := BatchCheck(batchOf(scene{"Smith", 3}, 4), "118", "x1")
	require.Equal(t, "Place 6 orders", v.Submit.Text)
	require.Contains(t, wordsIn(v.Blocks.BlockSet[0]), "6 orders, 129 images")
	require.Nil(t, BatchWrong("a.csv", []order.BatchProblem{{Line: 2, Says: "There are no images."}}, BatchBack{}, "x1").Submit, "nothing can be placed while there is a problem")
}

// A file of orders is ordered by itself: what is beside it in the form would be ordered with none of its rows.
func TestAFileOfOrdersIsAloneInItsForm(t *testing.T) {
	file := Photo{ID: "F1", Name: "shop.csv"}
	for name, row := range map[string]struct {
		form Form
		fits bool
	}{
		"alone":                {Form{Photos: []Photo{file}}, true},
		"with a photo":         {Form{Photos: []Photo{file, {ID: "F2", Name: "a.jpg"}}}, false},
		"with one of before":   {Form{Photos: []Photo{file}, Kept: []string{"F2"}}, false},
		"with an image's name": {Form{Photos: []Photo{file}, URLs: []string{"https://example.com/a.jpg"}}, false},
	} {
		row.form.Channel, row.form.Service = "C1", order.ServiceBasic
		wrong := row.form.BatchTable(slack.View{})
		require.Equal(t, row.fits, len(wrong) == 0, "%s: %v", name, wrong)
	}
}
