package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

func TestAskingForAnAnswerBringsWhatTheEditorWrote(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Types("message order1 Soft shadows, please.")
		first := cards.AskValue(r.Stored("order1"), r.Events(order.EventMessage)[0])
		r.Presses(cards.ActionAsk, first)
		require.Contains(r.T, r.Screen.LastMessage(), "has not written yet")
		require.Len(r.T, r.Conversation(), 2)
		require.Contains(r.T, r.Conversation()[1], "Is there news on this? (")

		r.Click(bot.Request{Kind: bot.KindAction, Name: cards.ActionAsk, Value: first, User: "ben"})
		require.Contains(r.T, r.Screen.LastMessage(), "Ask under the newest message")
		require.Len(r.T, r.Conversation(), 2, "one question at a time")

		r.Service.Edit("order1", func(o *order.Order) {
			o.Conversation = append(o.Conversation, order.Entry{From: "service", Content: "Soft they are.", CreatedAt: time.Now()})
		})
		r.Settle(time.Minute)
		second := cards.AskValue(r.Stored("order1"), r.Events(order.EventMessage)[1])
		r.Presses(cards.ActionAsk, second)
		require.Contains(r.T, r.Screen.LastMessage(), "has written")
		require.Len(r.T, r.Events(order.EventEditor), 1)
		r.Presses(cards.ActionAsk, second)
		require.Contains(r.T, r.Screen.LastMessage(), "has written since")
		require.Len(r.T, r.Conversation(), 3, "nothing more was sent")
	})
}

func TestWhoMayOnlyLookAsksNobody(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Types("message order1 Soft shadows, please.")
		r.Screen.Guests = map[string]bool{"maria": true}
		r.Presses(cards.ActionAsk, cards.AskValue(r.Stored("order1"), r.Events(order.EventMessage)[0]))
		require.Len(r.T, r.Conversation(), 1)
		require.Contains(r.T, r.Screen.LastMessage(), "Guests may")
	})
}
