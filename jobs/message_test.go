package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/job"
	"darkroom/order"
)

// killed carries the call out, and ends the app before the answer.
func killed(do func() order.Order) (order.Order, error) {
	do()
	panic("killed")
}

func TestAMessageOfUnknownOutcome(t *testing.T) {
	for name, answers := range map[string][]func(func() order.Order) (order.Order, error){
		"that arrived":          {commandstest.Lost},
		"that did not":          {commandstest.Never, commandstest.Never},
		"of an app that died":   {killed},
		"that never left":       {commandstest.Unsent, commandstest.Unsent, commandstest.Unsent, commandstest.Lost},
		"whatever the order":    {commandstest.Never, commandstest.Unsent, killed},
		"for longer than a few": {commandstest.Never, commandstest.Never, commandstest.Never, commandstest.Never, commandstest.Never, commandstest.Never, commandstest.Never, commandstest.Never, commandstest.Lost},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InReview()
				r.Service.NextMessage = answers
				r.Types("message order1 Soft shadows, please.")
				r.Settle(10 * time.Minute)
				require.Equal(r.T, []string{"Soft shadows, please."}, r.Conversation())
				require.Len(r.T, r.Events(order.EventMessage), 1)
				require.Equal(r.T, "maria", r.Events(order.EventMessage)[0].Actor)
				require.Contains(r.T, r.Screen.LastMessage(), "Sent to the editor of")
				order, err := r.Store.Orders.Order(r.T.Context(), "order1")
				require.NoError(r.T, err)
				require.Nil(r.T, order.Intent)
			})
		})
	}
}

func TestADuplicateAtTheFirstTryIsShown(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Types("message order1 Soft shadows, please.")
		r.Types("message order1 Soft shadows, please.")
		require.Contains(r.T, r.Screen.LastMessage(), "has this message already")
		require.Contains(r.T, r.Screen.LastMessage(), "Please do not post duplicated message")
		require.Contains(r.T, r.Screen.LastMessage(), "Soft shadows, please.", "the words are kept")

		r.Presses(cards.ActionMessage, cards.Value(id, 0))
		r.Fills(map[string]string{"Message": "Soft shadows, please."})
		require.Contains(r.T, r.Screen.Modal(), "has this message already")
		r.Fills(map[string]string{"Message": "Soft shadows, please!"})
		require.Len(r.T, r.Conversation(), 2)
		require.Len(r.T, r.Events(order.EventMessage), 2)
	})
}

func TestARefusedMessageIsKeptWordForWord(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Service.NextMessage = append(r.Service.NextMessage, commandstest.Refused("the order is <archived>"))
		r.Types("message order1 5 < 6 &amp;&amp; 7 > 6")
		require.Contains(r.T, r.Screen.LastMessage(), "the order is &lt;archived&gt;")
		order, err := r.Store.Orders.Order(r.T.Context(), "order1")
		require.NoError(r.T, err)
		require.Nil(r.T, order.Intent)
		// the button of the answer opens the form, filled in
		r.Click(bot.Request{
			Kind: bot.KindAction, Name: cards.ActionMessage, Value: cards.Value("order1", 0),
			BlockID: cards.PickBlock + "words:" + job.Hash("message:"+fmt.Sprintf("trigger%d", r.Clicks)),
		})
		r.Fills(nil)
		require.Equal(r.T, []string{"5 < 6 && 7 > 6"}, r.Conversation())
	})
}

func TestAMessageWaitsForTheServiceAndSaysSoOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		for range 9 {
			r.Service.NextMessage = append(r.Service.NextMessage, commandstest.Unsent)
		}
		r.Types("message order1 Soft shadows, please.")
		r.Settle(2 * time.Minute)
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.LastMessage(), "when it is back")
		r.Settle(10 * time.Minute)
		require.Len(r.T, r.Screen.DMs, 2, "done late")
		require.Len(r.T, r.Conversation(), 1)
	})
}

func TestWhatIsNeverAnsweredIsGivenBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		for range 2 * jobs.MaxTries {
			r.Service.NextMessage = append(r.Service.NextMessage, commandstest.Never)
		}
		r.Types("message order1 Soft shadows, please.")
		r.Settle(25 * time.Minute)
		require.Contains(r.T, r.Screen.LastMessage(), "I have stopped trying")
		require.Contains(r.T, r.Screen.LastMessage(), "Soft shadows, please.")
	})
}
