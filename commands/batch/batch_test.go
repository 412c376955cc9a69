package batch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	cardsbatch "darkroom/cards/batch"
	"darkroom/commands"
	"darkroom/commands/commandstest"
)

// handsIn chooses *Order these photos* on a message with a file of that content.
func handsIn(r *commandstest.Rig, content string) {
	r.T.Helper()
	r.Screen.Contents = map[string][]byte{"F1": []byte(content)}
	message := &slack.Message{Msg: slack.Msg{Text: "Brighten it.", Files: []slack.File{{ID: "F1", Name: "shop.csv", Mimetype: "text/csv", Size: len(content)}}}}
	r.Does(bot.Request{Kind: bot.KindShortcut, Name: commands.ShortcutPhotos, User: "maria", Channel: "C1", Message: message})
}

func TestNothingOfABatchIsSentWhileARowHasAProblem(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		handsIn(r, "images\nhttps://example.com/a.jpg\nb.jpg\n")
		require.Contains(r.T, r.Screen.Modal(), "*Line 3:* Not a link")
		require.NotContains(r.T, r.Screen.Modal(), `"callback_id":"batch"`)
		r.Settle(time.Minute)
		creates, _ := r.Service.Sent()
		require.Zero(r.T, creates)
	})
}

func TestABatchIsPlacedOnceHoweverOftenItIsPressed(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		handsIn(r, "name,images\nSmith,https://example.com/a.jpg\n,https://example.com/b.jpg\n")
		require.Contains(r.T, r.Screen.Modal(), "Place 2 Orders")
		q := r.Completed(nil)
		for range 3 {
			r.Answers(q)
		}
		r.Settle(10 * time.Minute)
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 2, creates)
		require.Contains(r.T, r.Screen.Modal(), "Every order is placed: 2 orders.")
		require.Contains(r.T, string(r.Screen.Uploads["shop-result.csv"]), "2,Smith,1,placed,order")
		require.Contains(r.T, string(r.Screen.Uploads["shop-result.csv"]), "3,")
	})
}

// ordersOf presses Show Orders of the only batch's card, or a paging button.
func ordersOf(r *commandstest.Rig, user, action, value string) {
	r.T.Helper()
	r.Does(bot.Request{Kind: bot.KindAction, Name: action, Value: value, User: user, Channel: "C1"})
}

func TestShowOrdersListsABatch(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		lines := "name,images\n"
		for i := range 12 {
			lines += fmt.Sprintf("Shoot %02d,https://example.com/%d.jpg\n", i+1, i)
		}
		handsIn(r, lines)
		r.Answers(r.Completed(nil))
		r.Settle(10 * time.Minute)
		placed, err := r.Store.Orders.Order(r.T.Context(), "order1")
		require.NoError(r.T, err)
		require.NotEmpty(r.T, placed.Batch)
		ordersOf(r, "maria", cardsbatch.ActionOrders, placed.Batch)
		require.Contains(r.T, r.Screen.Modal(), "12 orders, page 1 of 2")
		first := r.Screen.Modal()
		ordersOf(r, "maria", cardsbatch.ActionOrdersPage+"older", "1 "+placed.Batch)
		for i := range 12 { // all were placed in the same moment, so no page is certain
			name := fmt.Sprintf("Shoot %02d", i+1)
			require.NotEqual(r.T, strings.Contains(first, name), strings.Contains(r.Screen.Modal(), name), name)
		}
		ordersOf(r, "zoe", cardsbatch.ActionOrders, placed.Batch) // who is in none of its channels
		require.Contains(r.T, r.Screen.Modal(), "None of these orders is in a channel that you can see.")
		require.NotContains(r.T, r.Screen.Modal(), "shop.csv")
		ordersOf(r, "maria", cardsbatch.ActionOrders, "another")
		require.Contains(r.T, r.Screen.Modal(), "I no longer have the list of these orders.")
	})
}

func TestWhoMayNotOrderPlacesNoBatch(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		handsIn(r, "images\nhttps://example.com/a.jpg\n")
		q := r.Completed(nil)
		r.Screen.Lock()
		r.Screen.Guests = map[string]bool{"maria": true}
		r.Screen.Unlock()
		r.Answers(q)
		r.Settle(time.Minute)
		creates, _ := r.Service.Sent()
		require.Zero(r.T, creates)
		require.Contains(r.T, r.Screen.Modal(), "Nothing was sent")
	})
}

func TestABatchOfSomebodyElseIsNotPlaced(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		handsIn(r, "images\nhttps://example.com/a.jpg\n")
		q := r.Completed(nil)
		q.User = "ben"
		require.Contains(r.T, r.Answers(q), "I no longer have this order file")
		r.Settle(time.Minute)
		creates, _ := r.Service.Sent()
		require.Zero(r.T, creates)
	})
}

// A guest is refused at once, remembered or not, before the file is read.
func TestAGuestHandsInNoBatch(t *testing.T) {
	for _, known := range []bool{true, false} {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.Screen.Guests, r.Screen.NoFileContent = map[string]bool{"maria": true}, client.ErrTryLater
			r.Screen.Unremembered = map[string]bool{"maria": !known}
			before := r.Seen()
			handsIn(r, "images\nhttps://example.com/a.jpg\n")
			require.Contains(r.T, r.Since(before), "Guests")
		})
	}
}
