package commands_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards/home"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

// waitForMaria gives C1 n orders in review, the newest with the highest number.
func waitForMaria(r *commandstest.Rig, n int) {
	r.SetUpWorkspace()
	for i := range n {
		r.Owns(fmt.Sprintf("order%03d", i+1), "C1", "maria", func(o *order.Order) {
			o.Status, o.OrderedAt = order.StatusReviewing, time.Now().Add(time.Duration(i-n)*time.Minute)
			o.EditedImages = []order.EditedImage{{ID: fmt.Sprint("image", i), Name: "beach.jpg"}}
		})
	}
}

// selects returns the submission of maria's selection form with these orders ticked.
func selects(r *commandstest.Rig, ids ...string) bot.Request {
	r.T.Helper()
	return selectsAs(r, "maria", ids...)
}

// selectsAs is selects for another person.
func selectsAs(r *commandstest.Rig, user string, ids ...string) bot.Request {
	r.T.Helper()
	r.Does(bot.Request{Name: home.ActionSelect, Value: "select", User: user})
	q := r.Completed(nil)
	q.User = user
	ticked := 0
	for _, block := range q.View.Blocks.BlockSet {
		input, _ := block.(*slack.InputBlock)
		if input == nil {
			continue
		}
		boxes := input.Element.(*slack.CheckboxGroupsBlockElement)
		require.Nil(r.T, boxes.InitialOptions, "nothing is ticked before somebody looked")
		held := slack.BlockAction{}
		if id, _, _ := strings.Cut(boxes.Options[0].Value, ":"); slices.Contains(ids, id) {
			held.SelectedOptions, ticked = []slack.OptionBlockObject{*boxes.Options[0]}, ticked+1
		}
		q.View.State.Values[input.BlockID] = map[string]slack.BlockAction{"selected": held}
	}
	require.Equal(r.T, len(ids), ticked)
	return q
}

func TestSeveralOrdersAreApprovedInOneForm(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		waitForMaria(r, 12)
		q := selects(r, "order012", "order010")
		require.Contains(r.T, r.Screen.Modal(), "10 of 12 waiting orders")
		require.Contains(r.T, r.Answers(q), "Approving 2 orders")
		r.Answers(q) // Slack delivers it again
		r.Settle(10 * time.Second)
		for i := range 12 {
			id := fmt.Sprintf("order%03d", i+1)
			require.Equal(r.T, i == 11 || i == 9, r.Stored(id).Order.Status == order.StatusClosed, id)
		}
		require.Equal(r.T, 2, r.Service.Called("approve"))
		require.Equal(r.T, 2, strings.Count(r.Screen.Modal(), "is approved."))
		require.NotContains(r.T, r.Screen.Modal(), "on the way", "the last word is that both are")
		require.Empty(r.T, r.Screen.DMs)
	})
}

func TestEachOfSeveralIsBoundToWhatWasSeen(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		waitForMaria(r, 3)
		q := selects(r, "order001", "order002", "order003")
		r.Service.Edit("order002", func(o *order.Order) {
			o.EditedImages = append(o.EditedImages, order.EditedImage{ID: "late", Name: "late.jpg"})
		})
		r.Service.Edit("order003", func(o *order.Order) { o.Status = order.StatusRevising })
		r.Answers(q)
		r.Settle(10 * time.Second)
		shown := r.Screen.Modal()
		require.Equal(r.T, 1, r.Service.Called("approve"))
		require.True(r.T, commandstest.ContainsAll(shown, "Project order001* is approved.", "newer photos than those you saw", "Project order003"))
		require.Equal(r.T, order.StatusReviewing, r.Stored("order002").Order.Status)

		r.Does(bot.Request{Name: home.ActionSelect, Value: "select", User: "maria"})
		require.Contains(r.T, r.Screen.Modal(), "order002", "it is offered again, as it is now")
	})
}

func TestWhoHasClosedTheFormHearsOnlyOfWhatWentWrong(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		waitForMaria(r, 3)
		q := selects(r, "order001", "order002", "order003")
		r.Service.Edit("order002", func(o *order.Order) { o.Status = order.StatusCanceled })
		r.Screen.Closes()
		r.Answers(q)
		r.Settle(10 * time.Second)
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.DMs[0], "order002")
	})
}

func TestNothingTickedApprovesNothing(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		waitForMaria(r, 2)
		require.Contains(r.T, r.Answers(selects(r)), "Tick at least one order")
		require.Zero(r.T, r.JobCount("approve"))
		r.Does(bot.Request{Name: home.ActionSelect, Value: "select", User: "ines"})
		require.Contains(r.T, r.Screen.Modal(), "Guests may look")
		r.Does(bot.Request{Name: home.ActionSelect, Value: "select", User: "tom"})
		require.Contains(r.T, r.Screen.Modal(), "No order waits for your review")
	})
}
