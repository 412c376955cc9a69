package commands_test

import (
	"regexp"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
)

var mentionNote = regexp.MustCompile(`"value":"(mention:[^"]+)"`)

// offered returns the value of the button that offers to order photos.
func offered(r *commandstest.Rig) string {
	r.T.Helper()
	found := mentionNote.FindStringSubmatch(r.Screen.LastMessage())
	require.NotNil(r.T, found, r.Screen.LastMessage())
	return found[1]
}

func TestAMentionWithPhotosOffersThemToItsPersonAlone(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		r.Hears(r.Event("app_mention", map[string]any{
			"text": "<@UDARKROOM> Brighten &amp; crop.", "thread_ts": "", "files": []slack.File{commandstest.SlackPhoto("a.jpg"), commandstest.SlackPhoto("notes.pdf")},
		}))
		require.Contains(r.T, r.Screen.LastMessage(), "I can order editing for this photo.")
		note := offered(r)
		r.Click(bot.Request{Kind: bot.KindAction, Name: place.ActionMentioned, Value: note, User: "peter"})
		require.Contains(r.T, r.Screen.LastMessage(), "This button has expired")
		r.Click(bot.Request{Kind: bot.KindAction, Name: place.ActionMentioned, Value: note})
		form := r.Sheet()
		require.Contains(r.T, form.Shown(), "1 photo in this order")
		require.Contains(r.T, form.Shown(), "notes.pdf")
		require.Empty(r.T, r.Service.Placed, "nothing is sent yet")
		require.Empty(r.T, form.Submits())
		require.Equal(r.T, []string{"Brighten & crop."}, ordered(r).Instructions)
		require.Len(r.T, ordered(r).Images, 1)
	})
}

func TestAMentionInTheThreadOfPhotosOffersThose(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		root := r.Begins("150.1", "peter", cards.About{})
		root.Text, root.Files = "Straight from the camera", []slack.File{commandstest.SlackPhoto("a.jpg")}
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM>", "thread_ts": "150.1"}))
		r.Click(bot.Request{Kind: bot.KindAction, Name: place.ActionMentioned, Value: offered(r)})
		require.Empty(r.T, r.Sheet().Submits())
		require.Equal(r.T, []string{"Straight from the camera"}, ordered(r).Instructions, "those of the photos, as the mention has none")
	})
}
