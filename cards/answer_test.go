package cards

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/order"
)

func TestAMessageIsRepeatedWhereItDoesNotStand(t *testing.T) {
	s := scenes()["plain"]
	here := s.tracked(order.StatusEditing)
	here.CardTS = "1.1"
	e := s.event(order.EventMessage, order.StatusEditing)
	for name, said := range map[string]*order.Said{
		"written in a form":    nil,
		"in another channel":   {Channel: "C0OTHER", TS: "1.2", Thread: "1.1"},
		"below another card":   {Channel: here.Owner.Channel, TS: "1.2", Thread: "0.9"},
		"in this very thread!": {Channel: here.Owner.Channel, TS: "1.2", Thread: "1.1"},
	} {
		e.Said = said
		text := Reply(here, e, false, Thumbs{}).Text
		require.Contains(t, text, "Message sent by <@U0PETER>: Smith wedding")
		if name == "in this very thread!" {
			require.NotContains(t, text, "Thank you")
		} else {
			require.Contains(t, text, "Thank you", name)
		}
	}
}

func TestAQuestionIsAskedWhileNothingCameAfterTheMessage(t *testing.T) {
	tracked := scenes()["plain"].tracked(order.StatusEditing)
	message := order.Event{ID: "message:a", Kind: order.EventMessage}
	require.Empty(t, WhyNotAsk(tracked, "message:a", []order.Event{message, {Kind: order.EventPaused}}))
	require.Contains(t, WhyNotAsk(tracked, "message:a", []order.Event{message, {Kind: order.EventEditor}}), "has written since")
	require.Contains(t, WhyNotAsk(tracked, "message:a", []order.Event{message, {Kind: order.EventMessage, Actor: "U0BEN"}}), "<@U0BEN> has written")
}

func TestNoTwoQuestionsAreAlike(t *testing.T) {
	require.Equal(t, "Is there news on this? (@Maria, 20 Nov 09:30:00 UTC)", AskText("@Maria", now))
	require.NotEqual(t, AskText("@Maria", now), AskText("@Maria", now.Add(time.Second)))
	require.NotEqual(t, AskText("@Maria", now), AskText("@Ben", now))
}

func TestAnApprovalSaysThatAMessageIsUnanswered(t *testing.T) {
	tracked := unheardOf(scenes()["plain"].tracked(order.StatusReviewing))
	require.Contains(t, AsMessage(Approve(tracked, Course{}, "", previews, "x")).Text, "has no answer that I know of")
	tracked.Order.Conversation = append(tracked.Order.Conversation, order.Entry{From: "service", Content: "Done"})
	require.NotContains(t, AsMessage(Approve(tracked, Course{}, "", previews, "x")).Text, "has no answer that I know of")
}

func TestWhatIsCutIsSaid(t *testing.T) {
	s := scenes()["plain"]
	for id, says := range map[string]string{
		order.CutEntries: "more new messages at once than I show. I show the newest, 100 at most. The photo service can tell you the rest.",
		order.CutImages:  "more edited photos than I keep. I keep the newest edits, 500 at most.",
		order.CutEvents:  "more than 300 updates. From now on I show what people here do with it, and how it ends.",
		"cut:later":      "more than I can show of this order.",
	} {
		e := s.event(order.EventCut, order.StatusEditing)
		e.ID = id
		text := Reply(s.tracked(order.StatusEditing), e, false, Thumbs{}).Text
		require.Contains(t, text, "Not all is shown: Smith wedding")
		require.Contains(t, text, says)
	}
}
