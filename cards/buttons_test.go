package cards_test

import (
	"testing"
	"time"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

func TestOnlyWhatCanSucceedNowHasAButton(t *testing.T) {
	tests := map[string]struct {
		order order.Order
		gone  bool
		want  []string
	}{
		"reviewing":               {order.Order{Status: order.StatusReviewing}, false, []string{"Approve", "Request Changes", "Message the Editor"}},
		"new":                     {order.Order{Status: order.StatusEditing, OrderedAt: cardstest.Now.Add(-14 * time.Minute)}, false, []string{"Message the Editor", "Cancel Order"}},
		"after the cancel window": {order.Order{Status: order.StatusEditing, OrderedAt: cardstest.Now.Add(-15 * time.Minute)}, false, []string{"Message the Editor"}},
		"revising":                {order.Order{Status: order.StatusRevising, OrderedAt: cardstest.Now}, false, []string{"Message the Editor", "Cancel Order"}},
		"paused":                  {order.Order{Status: order.StatusPaused, OrderedAt: cardstest.Now}, false, []string{"Message the Editor", "Cancel Order"}},
		"closed":                  {order.Order{Status: order.StatusClosed}, false, nil},
		"canceled":                {order.Order{Status: order.StatusCanceled}, false, nil},
		"gone":                    {order.Order{Status: order.StatusReviewing}, true, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			row := cards.PossibleButtons(store.Tracked{ID: "7", Known: order.Known{Order: tt.order, Gone: tt.gone}}, cardstest.Now)
			var labels []string
			for _, b := range row {
				labels = append(labels, b.(*slack.ButtonBlockElement).Text.Text)
			}
			require.Equal(t, tt.want, labels)
		})
	}
}

// The card has at most two buttons, and none that its live review has.
func TestTheButtonsOfAReviewStandInOnePlace(t *testing.T) {
	s := cardstest.Of("beach", 1)
	labels := func(o store.Tracked) (all []string) {
		for _, b := range cards.Pressable(o, cards.Moment(o, cardstest.Now)) {
			all = append(all, b.(*slack.ButtonBlockElement).AccessibilityLabel)
		}
		return all
	}
	require.Equal(t, []string{"Approve beach", "Request Changes to beach"}, labels(s.Tracked(order.StatusReviewing)))
	o := s.Reviewed()
	require.Equal(t, []string{"Cancel Order beach"}, labels(o))
	require.Contains(t, cards.Card(o, cardstest.Links, cardstest.Now).Text, "changes in <https://acme.slack.com/archives/C0PHOTOS/p1795166800000200?thread_ts=1795166700.000100&amp;cid=C0PHOTOS|its review>.")
	require.Contains(t, cards.Card(o, "", cardstest.Now).Text, "changes in its review.")

	without := s.Reviewed()
	without.Thread[0].Buttons = false
	require.Contains(t, labels(without), "Approve beach", "they were taken off the review")
	newer := s.Reviewed()
	newer.Order.Revision = new(2)
	require.Contains(t, labels(newer), "Approve beach", "the review of the next round is not out")
	again := s.Reviewed()
	again.Thread = append(again.Thread, store.Posted{Event: 4, ID: "ready:r1:abc", TS: "1795166900.000300"})
	require.Contains(t, labels(again), "Approve beach", "the last review has none")
	require.Equal(t, []string{"Message the Editor of beach", "Cancel Order beach"}, labels(s.Tracked(order.StatusPaused)))
}

// A card names waiting requests, and offers no button that would only wait behind them.
func TestTheButtonsDoNotPretendWhileAChangeWaits(t *testing.T) {
	o := cardstest.Of("beach", 1).Waiting()
	m := cards.Card(o, cardstest.Links, cardstest.Now)
	require.Contains(t, m.Text, ":hourglass_flowing_sand: *Approval by <@U0MARIA> is waiting for the service*\n:hourglass_flowing_sand: *A message by <@U0PETER> is")
	require.Contains(t, m.Text, "and 1 more")
	require.Empty(t, cards.Moment(o, cardstest.Now))
	require.NotContains(t, m.Text, "its review")
	later := cardstest.Now.Add(time.Minute)
	require.NotContains(t, cards.Card(o, cardstest.Links, later).Text, "waiting", "nobody notes it any more")
	o.Waits = o.Waits[1:3]
	require.Len(t, cards.Moment(o, cardstest.Now), 1, "a message that waits keeps nobody from canceling")
	o.Order.Status = order.StatusClosed
	require.NotContains(t, cards.Card(o, cardstest.Links, cardstest.Now).Text, "waiting", "it is over")
}

func TestASupersededReplyHasNoButtons(t *testing.T) {
	s := cardstest.Of("beach", 1)
	m := cards.Reply(s.Tracked(order.StatusReviewing), s.Event(order.EventReady, order.StatusReviewing), false, cardstest.Previews)
	require.NotContains(t, cardstest.Pretty(t, m), `"actions"`)
}

func TestAButtonsValueComesBack(t *testing.T) {
	for _, id := range []string{"1042", "a:r1", ":r"} {
		order, revision, ok := cards.ParseValue(cards.Value(id, 3))
		require.True(t, ok)
		require.Equal(t, id, order)
		require.Equal(t, 3, revision)
	}
	for _, bad := range []string{"", "1042", ":r1", "1042:r", "1042:rx", "1042:r-1"} {
		_, _, ok := cards.ParseValue(bad)
		require.False(t, ok, bad)
	}
}

// The service turns the ID into a number; cards show it as typed.
func TestACustomersIDIsShownAsItWasTyped(t *testing.T) {
	s := cardstest.Of("beach", 1)
	o := s.Tracked(order.StatusEditing)
	o.Brief.CustomerID, o.Order.CustomerID = "0042", "42"
	for name, says := range map[string]string{
		"card": cards.Card(o, cardstest.Links, cardstest.Now).Text, "show": cardstest.AllText(t, cards.Show(o, nil, true, cardstest.Previews, cardstest.Now)), "list": cards.List(cards.Listing{Orders: []store.Tracked{o}, Total: 1, Now: cardstest.Now}).Text,
	} {
		require.Contains(t, says, "customer 0042", name)
	}
	o.Brief = nil
	require.Contains(t, cards.Card(o, cardstest.Links, cardstest.Now).Text, "customer 42", "it was ordered elsewhere")
}
