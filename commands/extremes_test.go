package commands_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards/talk"
	"darkroom/commands/commandstest"
	"darkroom/store"
)

// typed returns the submission of a form with the same text in each box of those names.
func typed(r *commandstest.Rig, view slack.ModalViewRequest, boxes map[string]string) bot.Request {
	r.T.Helper()
	err := r.Screen.OpenView(r.T.Context(), "t", view)
	require.NoError(r.T, err)
	fields := map[string]slack.BlockAction{}
	for name, words := range boxes {
		fields[name] = slack.BlockAction{Value: words}
	}
	return r.Completed(fields)
}

// The longest text has no room in an acknowledgement of Socket Mode, but must not be lost when the window closes.
func TestTheLongestWordsAreShownAgainWhenTheirOrderIsGone(t *testing.T) {
	nowhere, words := store.Tracked{ID: "84521"}, strings.Repeat("&", 2490)+"🎉 the end"
	for name, row := range map[string]struct {
		view   slack.ModalViewRequest
		boxes  map[string]string
		submit func(r *commandstest.Rig, q bot.Request) (bot.Reply, error)
	}{
		"message": {
			talk.MessageEditor(nowhere, "", "C1", "w1"),
			map[string]string{"message": words},
			func(r *commandstest.Rig, q bot.Request) (bot.Reply, error) { return r.Handle(r.T.Context(), q) },
		},
		"reference": {
			talk.References(nowhere, talk.RefForm{}, "w1"),
			map[string]string{"instruction": words, "images": "https://e.com/?" + strings.Repeat("&", 2500)},
			func(r *commandstest.Rig, q bot.Request) (bot.Reply, error) { return r.Handle(r.T.Context(), q) },
		},
		"reference without its photos": {
			talk.References(nowhere, talk.RefForm{Note: "forgotten"}, "w1"),
			map[string]string{"instruction": words, "images": "https://e.com/?" + strings.Repeat("&", 2500)},
			func(r *commandstest.Rig, q bot.Request) (bot.Reply, error) { return r.Handle(r.T.Context(), q) },
		},
	} {
		for _, closed := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					reply, err := row.submit(r, typed(r, row.view, row.boxes))
					require.NoError(t, err)
					require.Less(t, len(commandstest.Text(reply.Body)), 20_000, "a frame of Socket Mode")
					require.Contains(t, commandstest.Text(reply.Body), `"response_action":"update"`)
					if closed {
						r.Screen.Closes()
					}
					r.Settle(5 * time.Second)
					shown := r.Screen.Modal()
					if closed {
						shown = strings.Join(slices.Concat(r.Screen.Ephemerals, r.Screen.DMs), "")
					}
					require.Contains(t, shown, "🎉 the end")
					require.GreaterOrEqual(t, strings.Count(shown, "amp;"), 2490)
				})
			})
		}
	}
}
