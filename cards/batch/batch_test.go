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
		problems := []order.BatchProblem{{Line: 0, Message: "The file is larger than 1 MB."}, {Line: 4, Message: "Not a link (http:// or https://): " + s.Words}}
		for len(problems) < 60 {
			problems = append(problems, order.BatchProblem{Line: len(problems) + 3, Message: "There are no photos."})
		}
		return map[string]any{
			"reading": batch.Reading(b.Name, "x1"), "check": batch.Check(b, "118", "x1"), "check_many": batch.Check(none, "", "x1"),
			"wrong": batch.Wrong(b.Name, problems[:2], place.BatchBack{Draft: "draft1", UploadGen: 2, Credits: "118"}, "x1"), "wrong_many": batch.Wrong(b.Name, problems, place.BatchBack{}, "x1"),
			"refused": batch.Refused(cards.CannotPost("C0PHOTOS", order.DeniedNotInChannel), place.BatchBack{Draft: "draft1", UploadGen: 2, Credits: "118"}, "x1"),
			"begun":   batch.Window(standOf(b, store.DraftOpen), "x1"), "underway": batch.Message(standOf(b, store.DraftPlaced, store.DraftPlacing, store.DraftRefused)),
			"placed": batch.Message(placed.WithFile()), "placed_window": batch.Window(placed, "x1"),
			"failed": batch.Message(standOf(b, store.DraftPlaced, store.DraftRefused, store.DraftUnknown, store.DraftDiscarded)),
			"held":   batch.Message(standOf(b, store.DraftPlaced, heldState)), "held_failed": batch.Window(standOf(b, heldState, store.DraftRefused), "x1"),
			"card": batch.CardOf(channelOf(s, 12)), "card_begun": batch.CardOf(channelOf(s, 0)), "card_done": batch.CardOf(doneOf(channelOf(s, 3))),
			"deliveries": batch.Deliveries(channelOf(s, 12), told(12, "U0MARIA")), "deliveries_done": batch.Deliveries(doneOf(channelOf(s, 3)), told(3, "U0MARIA")),
			"orders": batch.Orders(channelOf(s, 12), 0, "x1"), "orders_last": batch.Orders(channelOf(s, 12), 1, "x1"), "orders_none": batch.Orders(channelOf(s, 0), 0, "x1"),
			"several":     batch.WhichOrder(),
			"failed_many": batch.Message(standOf(none, store.DraftRefused)), "placed_many": batch.Message(standOf(none, store.DraftPlaced)),
		}
	})
}

// channelOf returns a batch of n orders in its channel. They are in different states, and the newest three are in review.
func channelOf(s cardstest.Scene, n int) batch.Channel {
	c := batch.Channel{Card: store.BatchCard{ID: "b1", Team: "T1", Channel: "C0PHOTOS", Name: s.Words + ".csv", Total: n + 4, Held: 1, Failed: 1, Left: 1}, Links: "https://acme.slack.com/"}
	states := []order.Status{order.StatusReviewing, order.StatusReviewing, order.StatusReviewing, order.StatusPaused, order.StatusEditing, order.StatusRevising, order.StatusClosed, order.StatusCanceled}
	for i := range n {
		t := s.Reviewed()
		t.ID, t.Batch, t.Root, t.Order.Status = fmt.Sprint("order", i), "b1", "1795166600.000100", states[i%len(states)]
		c.Orders = append(c.Orders, t)
	}
	return c
}

// doneOf returns the batch with all orders approved.
func doneOf(c batch.Channel) batch.Channel {
	c.Card.Total, c.Card.Held, c.Card.Failed, c.Card.Left = len(c.Orders), 0, 0, 0
	for i := range c.Orders {
		c.Orders[i].Order.Status = order.StatusClosed
	}
	return c
}

// told returns a message about the first deliveries of n orders.
func told(n int, asks ...string) store.DeliveryMessage {
	m := store.DeliveryMessage{Number: 1, Asks: asks}
	for i := range n {
		m.Orders = append(m.Orders, store.Delivery{Order: fmt.Sprint("order", i), Event: "ready:r1", Round: 1})
	}
	return m
}

func TestTheCardOfABatchCountsItsOrdersByState(t *testing.T) {
	c := channelOf(cardstest.Of("Smith", 3), 8)
	text := batch.CardOf(c).Text
	require.Contains(t, text, ":large_yellow_circle: *12 orders* · 3 ready for review · 1 paused · 1 being edited · 1 being changed · 1 approved · 1 canceled · 1 waits for an approver · 1 not placed · 1 no longer in this channel · 1 being placed")
	require.Equal(t, 4, strings.Count(text, "\n• "), "it names what waits for somebody")
	require.Contains(t, batch.CardOf(doneOf(c)).Text, ":white_check_mark: *8 orders* · 8 approved")
	require.NotContains(t, batch.CardOf(doneOf(c)).Text, "Needs attention")
	require.NotContains(t, batch.CardOf(c).Text, "<@", "nobody is called each time it is edited")
}

func TestDeliveriesCallSomebodyOnlyWhileOneWaits(t *testing.T) {
	c := channelOf(cardstest.Of("Smith", 3), 3)
	m := told(3, "U0MARIA")
	require.Contains(t, batch.Deliveries(c, m).Text, "<@U0MARIA> 3 orders wait for a decision.")
	c.Orders[1].Order.Status = order.StatusRevising
	require.Contains(t, batch.Deliveries(c, m).Text, "2 orders wait for a decision.")
	require.Contains(t, batch.Deliveries(c, m).Text, "changes requested")
	c.Orders = c.Orders[1:] // one moved away
	require.Contains(t, batch.Deliveries(c, m).Text, "An order that is no longer in this channel")
	require.NotContains(t, batch.Deliveries(doneOf(c), m).Text, "<@")
}

func TestAPageOfABatchsOrdersLeadsToTheNext(t *testing.T) {
	c := channelOf(cardstest.Of("Smith", 3), 12)
	raw := cardstest.Pretty(t, batch.Orders(c, 0, "x1"))
	require.Contains(t, raw, `"1 b1"`)
	id, page := batch.PageAsked(batch.ActionOrdersPage+"older", "1 b1")
	require.Equal(t, "b1", id)
	require.Equal(t, 1, page)
	id, page = batch.PageAsked(batch.ActionOrders, "b1")
	require.Equal(t, "b1", id)
	require.Zero(t, page)
}

func TestABatchIsShownByWhatItWouldPlace(t *testing.T) {
	v := batch.Check(batchOf(cardstest.Of("Smith", 3), 4), "118", "x1")
	require.Equal(t, "Place 6 Orders", v.Submit.Text)
	require.Contains(t, kit.TextIn(v.Blocks.BlockSet[0]), "6 orders, 129 photos")
	require.Nil(t, batch.Wrong("a.csv", []order.BatchProblem{{Line: 2, Message: "There are no photos."}}, place.BatchBack{}, "x1").Submit, "nothing can be placed while there is a problem")
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
