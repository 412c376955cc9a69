package cards_test

import (
	"strings"
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

// labels returns the labels of a card's buttons and of the options in its menu.
func labels(o store.Tracked) (all []string) {
	for _, element := range cards.CardRow(o, cardstest.Links, cardstest.Now) {
		switch e := element.(type) {
		case *slack.ButtonBlockElement:
			all = append(all, e.AccessibilityLabel)
		case *slack.OverflowBlockElement:
			all = append(all, "menu: "+e.Options[0].Text.Text)
		}
	}
	return all
}

// A card has at most two buttons, and none that its live review has. It leads to the review instead.
func TestTheButtonsOfAReviewStandInOnePlace(t *testing.T) {
	s := cardstest.Of("beach", 1)
	require.Equal(t, []string{"Approve beach", "Request Changes to beach", "menu: Cancel order"}, labels(s.Tracked(order.StatusReviewing)))
	o := s.Reviewed()
	require.Equal(t, []string{"Review beach", "menu: Cancel order"}, labels(o))
	toReview := cards.ReviewButton(o, cardstest.Links, cardstest.Now)
	require.Equal(t, "https://acme.slack.com/archives/C0PHOTOS/p1795166800000200?thread_ts=1795166700.000100&cid=C0PHOTOS", toReview.URL)
	require.Nil(t, cards.ReviewButton(o, "", cardstest.Now), "the workspace's address is unknown")

	without := s.Reviewed()
	without.Thread[0].Buttons = false
	require.Contains(t, labels(without), "Approve beach", "they were taken off the review")
	newer := s.Reviewed()
	newer.Order.Revision = new(2)
	require.Contains(t, labels(newer), "Approve beach", "the review of the next round is not out")
	again := s.Reviewed()
	again.Thread = append(again.Thread, store.Posted{Event: 4, ID: "ready:r1:abc", TS: "1795166900.000300"})
	require.Contains(t, labels(again), "Approve beach", "the last review has none")
	require.Equal(t, []string{"Message the Editor of beach", "menu: Cancel order"}, labels(s.Tracked(order.StatusPaused)))
}

// A new order is looked at while it can be canceled. A finished one leads to its photos.
func TestACardHasNoLoudButtonButTheReviews(t *testing.T) {
	s := cardstest.Of("beach", 1)
	require.Equal(t, []string{"Show Details of beach", "menu: Cancel order"}, labels(s.Tracked(order.StatusEditing)))
	late := s.Tracked(order.StatusEditing)
	late.Order.OrderedAt = cardstest.Now.Add(-order.CancelWindow)
	require.Empty(t, labels(late))

	done := s.Tracked(order.StatusClosed)
	require.Empty(t, labels(done), "it never had a photo")
	done.Order.EditedImages = s.Edited(1)
	require.Equal(t, []string{"Show Final Photos of beach"}, labels(done))
	done.Order.EditedImages, done.Shrunk = nil, true
	require.Equal(t, []string{"Show Final Photos of beach"}, labels(done), "only the service has them")
	for status, want := range map[order.Status]slack.Style{order.StatusReviewing: slack.StylePrimary, order.StatusClosed: ""} {
		o := s.Reviewed()
		o.Order.Status = status
		require.Equal(t, want, cards.CardRow(o, cardstest.Links, cardstest.Now)[0].(*slack.ButtonBlockElement).Style)
	}
}

// Slack asks before an order is canceled, and says until when it can be.
func TestCancelingInTheMenuSaysUntilWhen(t *testing.T) {
	for name, s := range cardstest.Scenes() {
		row := cards.CardRow(s.Tracked(order.StatusEditing), cardstest.Links, cardstest.Now)
		menu := row[len(row)-1].(*slack.OverflowBlockElement)
		require.Equal(t, cards.ActionCancelNow, menu.ActionID)
		require.Len(t, menu.Options, 1, "Slack asks before every entry")
		ask := menu.Confirm
		require.True(t, strings.HasPrefix(ask.Title.Text, "Cancel ") && strings.HasSuffix(ask.Title.Text, "?"), "%s: %s", name, ask.Title.Text)
		require.Equal(t, "The photo service promises to take it back until 09:35 UTC, 10 minutes after it was placed. It may still do so until 09:40 UTC. This cannot be undone.", ask.Text.Text)
		require.Equal(t, []string{"Cancel Order", "Keep Order"}, []string{ask.Confirm.Text, ask.Deny.Text})
	}
}

// A card names waiting requests, and offers no button that would only wait behind them.
func TestTheButtonsDoNotPretendWhileAChangeWaits(t *testing.T) {
	o := cardstest.Of("beach", 1).Waiting()
	m := cards.Card(o, cardstest.Links, cardstest.Now)
	require.Contains(t, m.Text, ":hourglass_flowing_sand: *Approval by <@U0MARIA> is waiting for the photo service*\n:hourglass_flowing_sand: *A message by <@U0PETER> is")
	require.Contains(t, m.Text, "and 1 more")
	require.Empty(t, labels(o))
	o.Waits[0].Begun = true
	require.Contains(t, cards.Card(o, cardstest.Links, cardstest.Now).Text, "*Approval by <@U0MARIA> is on the way*")
	later := cardstest.Now.Add(time.Minute)
	require.NotContains(t, cards.Card(o, cardstest.Links, later).Text, "waiting", "nobody notes it any more")
	o.Waits = o.Waits[1:3]
	require.Equal(t, []string{"Review beach", "menu: Cancel order"}, labels(o), "a message that waits keeps nobody from canceling")
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
