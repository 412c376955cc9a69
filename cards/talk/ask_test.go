package talk_test

import (
	"testing"
	"time"

	"darkroom/cards/cardstest"
	"darkroom/cards/talk"
	"darkroom/order"

	"github.com/stretchr/testify/require"
)

func TestAQuestionIsAskedWhileNothingCameAfterTheMessage(t *testing.T) {
	tracked := cardstest.Scenes()["plain"].Tracked(order.StatusEditing)
	message := order.Event{ID: "message:a", Kind: order.EventMessage}
	require.Empty(t, talk.WhyNotAsk(tracked, "message:a", []order.Event{message, {Kind: order.EventPaused}}))
	require.Contains(t, talk.WhyNotAsk(tracked, "message:a", []order.Event{message, {Kind: order.EventEditor}}), "has written since")
	require.Contains(t, talk.WhyNotAsk(tracked, "message:a", []order.Event{message, {Kind: order.EventMessage, Actor: "U0BEN"}}), "<@U0BEN> wrote to the editor")
}

func TestNoTwoQuestionsAreAlike(t *testing.T) {
	require.Equal(t, "Is there news on this? (@Maria, 20 Nov 09:30:00 UTC)", talk.AskText("@Maria", cardstest.Now))
	require.NotEqual(t, talk.AskText("@Maria", cardstest.Now), talk.AskText("@Maria", cardstest.Now.Add(time.Second)))
	require.NotEqual(t, talk.AskText("@Maria", cardstest.Now), talk.AskText("@Ben", cardstest.Now))
}
