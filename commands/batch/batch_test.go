package batch_test

import (
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
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
		require.Contains(r.T, r.Screen.Modal(), "*Line 3:* Not a web address")
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
		require.Contains(r.T, r.Screen.Modal(), "All of the batch is placed: 2 orders.")
		require.Contains(r.T, string(r.Screen.Uploads["shop-result.csv"]), "2,Smith,1,placed,order")
		require.Contains(r.T, string(r.Screen.Uploads["shop-result.csv"]), "3,")
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
		require.Contains(r.T, r.Answers(q), "I no longer have this batch")
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
