package cards_test

import (
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/stretchr/testify/require"
)

func TestAMessageIsRepeatedWhereItDoesNotStand(t *testing.T) {
	s := cardstest.Scenes()["plain"]
	here := s.Tracked(order.StatusEditing)
	here.CardTS = "1.1"
	e := s.Event(order.EventMessage, order.StatusEditing)
	for name, said := range map[string]*order.SlackMessage{
		"written in a form":    nil,
		"in another channel":   {Channel: "C0OTHER", TS: "1.2", Thread: "1.1"},
		"below another card":   {Channel: here.Owner.Channel, TS: "1.2", Thread: "0.9"},
		"in this very thread!": {Channel: here.Owner.Channel, TS: "1.2", Thread: "1.1"},
	} {
		e.Message = said
		text := cards.Reply(here, e, false, cards.Thumbs{}).Text
		require.Contains(t, text, "Message sent by <@U0PETER>: Smith wedding")
		if name == "in this very thread!" {
			require.NotContains(t, text, "Thank you")
		} else {
			require.Contains(t, text, "Thank you", name)
		}
	}
}

func TestAnApprovalSaysThatAMessageIsUnanswered(t *testing.T) {
	tracked := unheardOf(cardstest.Scenes()["plain"].Tracked(order.StatusReviewing))
	require.Contains(t, kit.AsMessage(change.Approve(tracked, cards.RoundHistory{}, "", cardstest.Previews, "x")).Text, "I know of no answer")
	tracked.Order.Conversation = append(tracked.Order.Conversation, order.Entry{From: "service", Content: "Done"})
	require.NotContains(t, kit.AsMessage(change.Approve(tracked, cards.RoundHistory{}, "", cardstest.Previews, "x")).Text, "I know of no answer")
}

func TestWhatIsCutIsSaid(t *testing.T) {
	s := cardstest.Scenes()["plain"]
	for id, says := range map[string]string{
		order.CutEntries: "many new messages at once. I show the newest 100. The photo service has the rest.",
		order.CutImages:  "very many edited photos. I save the newest 500.",
		order.CutEvents:  "more than 300 updates. From now on I show only what people here do, and how it ends.",
		"cut:later":      "more about this order than I can show.",
	} {
		e := s.Event(order.EventCut, order.StatusEditing)
		e.ID = id
		text := cards.Reply(s.Tracked(order.StatusEditing), e, false, cards.Thumbs{}).Text
		require.Contains(t, text, "Not all is shown: Smith wedding")
		require.Contains(t, text, says)
	}
}
