package batch_test

import (
	"fmt"
	"strings"
	"testing"

	"darkroom/cards"
	"darkroom/cards/batch"
	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// batchOf returns a batch of so many rows. The first row is three orders.
func batchOf(s cardstest.Scene, rows int) store.OrderBatch {
	b := store.OrderBatch{ID: "b1", Team: "T1", User: "U0MARIA", Channel: "C0PHOTOS", Name: s.Words + ".csv"}
	for i := range rows {
		r := order.BatchRow{Line: i + 2, Name: kit.Clip(fmt.Sprintf("%s %d", s.Words, i+1), order.MaxProjectName), Service: order.ServiceBasic, Instructions: []string{s.Words}, CustomerID: "C-7"}
		for n := range map[bool]int{true: 120, false: s.Images}[i == 0] {
			r.Images = append(r.Images, fmt.Sprintf("https://example.com/%d/%d.jpg", i, n))
		}
		if i == 1 {
			r.References, r.CustomerID = []string{"https://example.com/mood.jpg"}, ""
		}
		b.Rows = append(b.Rows, r)
	}
	return b
}

// standOf returns the batch's progress, with its orders in these states.
func standOf(b store.OrderBatch, states ...store.DraftState) batch.Progress {
	s := batch.Progress{Batch: b, Drafts: b.Drafts(), Links: map[string]string{}}
	for i := range s.Drafts {
		d := &s.Drafts[i]
		d.State = states[i%len(states)]
		switch d.State {
		case store.DraftPlaced:
			d.OrderID, d.Reference = fmt.Sprint("order", i), "K7Q2XM"
			s.Links[d.ID] = fmt.Sprintf("https://acme.slack.com/archives/C0PHOTOS/p%d", i)
		case heldState: // an approver is asked
			d.State, d.Attempt = store.DraftRefused, 2
			d.Hold = &store.Hold{Draft: d.ID, Attempt: 2, Why: store.HoldOrder, Limit: 10, Images: 3, Asks: []string{"U0ANN"}}
		case store.DraftRefused:
			d.Problems = []string{"one file is not accessible from our server: https://example.com/<!channel>.jpg"}
		}
	}
	return s
}

// heldState marks an order that waits for an approver.
const heldState store.DraftState = "held"

func TestABatchSaysWhatWaitsForAnApprover(t *testing.T) {
	b := batchOf(cardstest.Of("Smith", 3), 4) // the first row is three orders
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
			m := batch.Message(standOf(b, at.states...))
			require.Contains(t, m.Text, at.says)
			require.Contains(t, strings.Join(kit.Map(m.Blocks, func(_ int, b slack.Block) string { return kit.TextIn(b) }), " "), "It waits for an approver. Nothing was charged. It passes the limit of 10 credits for one order.")
			require.NotContains(t, m.Text, "could not be.", "who waits has not failed")
		})
	}
	require.Contains(t, string(batch.CSV(standOf(b, heldState))), "waits for an approver")
	require.True(t, standOf(b, heldState).Ended(), "the batch does not wait for the approver")
}

func TestGoldenBatch(t *testing.T) {
	cardstest.Golden(t, func(s cardstest.Scene) map[string]any {
		b, none := batchOf(s, 4), batchOf(s, 200)
		placed := standOf(b, store.DraftPlaced)
		problems := []order.BatchProblem{{Line: 0, Message: "The file is larger than 1 MB."}, {Line: 4, Message: "Not a web address (http:// or https://): " + s.Words}}
		for len(problems) < 60 {
			problems = append(problems, order.BatchProblem{Line: len(problems) + 3, Message: "There are no images."})
		}
		return map[string]any{
			"reading": batch.Reading(b.Name, "x1"), "check": batch.Check(b, "118", "x1"), "check_many": batch.Check(none, "", "x1"),
			"wrong": batch.Wrong(b.Name, problems[:2], place.BatchBack{Draft: "draft1", UploadGen: 2, Credits: "118"}, "x1"), "wrong_many": batch.Wrong(b.Name, problems, place.BatchBack{}, "x1"),
			"refused": batch.Refused(cards.CannotPost("C0PHOTOS", order.DeniedNotInChannel), place.BatchBack{Draft: "draft1", UploadGen: 2, Credits: "118"}, "x1"),
			"begun":   batch.Window(standOf(b, store.DraftOpen), "x1"), "underway": batch.Message(standOf(b, store.DraftPlaced, store.DraftPlacing, store.DraftRefused)),
			"placed": batch.Message(placed.WithFile()), "placed_window": batch.Window(placed, "x1"),
			"failed": batch.Message(standOf(b, store.DraftPlaced, store.DraftRefused, store.DraftUnknown, store.DraftDiscarded)),
			"held":   batch.Message(standOf(b, store.DraftPlaced, heldState)), "held_failed": batch.Window(standOf(b, heldState, store.DraftRefused), "x1"),
			"failed_many": batch.Message(standOf(none, store.DraftRefused)), "placed_many": batch.Message(standOf(none, store.DraftPlaced)),
		}
	})
}

func TestABatchIsShownByWhatItWouldPlace(t *testing.T) {
	v := batch.Check(batchOf(cardstest.Of("Smith", 3), 4), "118", "x1")
	require.Equal(t, "Place 6 Orders", v.Submit.Text)
	require.Contains(t, kit.TextIn(v.Blocks.BlockSet[0]), "6 orders, 129 images")
	require.Nil(t, batch.Wrong("a.csv", []order.BatchProblem{{Line: 2, Message: "There are no images."}}, place.BatchBack{}, "x1").Submit, "nothing can be placed while there is a problem")
}

// Other images in the form would belong to no row of the file.
func TestAFileOfOrdersIsAloneInItsForm(t *testing.T) {
	file := kit.Photo{ID: "F1", Name: "shop.csv"}
	for name, row := range map[string]struct {
		form place.Form
		fits bool
	}{
		"alone":                {place.Form{Photos: []kit.Photo{file}}, true},
		"with a photo":         {place.Form{Photos: []kit.Photo{file, {ID: "F2", Name: "a.jpg"}}}, false},
		"with one of before":   {place.Form{Photos: []kit.Photo{file}, Kept: []string{"F2"}}, false},
		"with an image's name": {place.Form{Photos: []kit.Photo{file}, URLs: []string{"https://example.com/a.jpg"}}, false},
	} {
		row.form.Channel, row.form.Service = "C1", order.ServiceBasic
		wrong := row.form.BatchTable(slack.View{})
		require.Equal(t, row.fits, len(wrong) == 0, "%s: %v", name, wrong)
	}
}
