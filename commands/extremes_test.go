package commands

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// typed is a form of an order that is no longer known, as it is submitted with the same
// words in each of its boxes of that name.
func (r *rig) typed(view slack.ModalViewRequest, boxes map[string]string) bot.Request {
	r.t.Helper()
	_, err := r.screen.OpenView(r.t.Context(), "t", view)
	require.NoError(r.t, err)
	fields := map[string]slack.BlockAction{}
	for name, words := range boxes {
		fields[name] = slack.BlockAction{Value: words}
	}
	return r.completed(fields)
}

// The longest words for which nothing can be done: in an acknowledgement of Socket Mode
// they have no room, and without it the window would close over them.
func TestTheLongestWordsAreShownAgainWhenTheirOrderIsGone(t *testing.T) {
	nowhere, words := store.Tracked{ID: "84521"}, strings.Repeat("&", 2490)+"🎉 the end"
	for name, row := range map[string]struct {
		view   slack.ModalViewRequest
		boxes  map[string]string
		submit func(r *rig, q bot.Request) (bot.Reply, error)
	}{
		"message": {
			cards.MessageEditor(nowhere, "", "C1", "w1"),
			map[string]string{"message": words},
			func(r *rig, q bot.Request) (bot.Reply, error) { return r.handle(r.t.Context(), q) },
		},
		"reference": {
			cards.References(nowhere, cards.RefForm{}, "w1"),
			map[string]string{"instruction": words, "images": "https://e.com/?" + strings.Repeat("&", 2500)},
			func(r *rig, q bot.Request) (bot.Reply, error) { return r.handle(r.t.Context(), q) },
		},
		"reference without its photos": {
			cards.References(nowhere, cards.RefForm{Note: "forgotten"}, "w1"),
			map[string]string{"instruction": words, "images": "https://e.com/?" + strings.Repeat("&", 2500)},
			func(r *rig, q bot.Request) (bot.Reply, error) { return r.handle(r.t.Context(), q) },
		},
	} {
		for _, closed := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				bubble(t, func(r *rig) {
					reply, err := row.submit(r, r.typed(row.view, row.boxes))
					require.NoError(t, err)
					require.Less(t, len(text(reply.Body)), 20_000, "a frame of Socket Mode")
					require.Contains(t, text(reply.Body), `"response_action":"update"`)
					if closed {
						r.screen.closes()
					}
					r.settle(5 * time.Second)
					shown := r.screen.modal()
					if closed {
						shown = strings.Join(slices.Concat(r.screen.told, r.screen.dms), "")
					}
					require.Contains(t, shown, "🎉 the end")
					require.GreaterOrEqual(t, strings.Count(shown, "amp;"), 2490)
				})
			})
		}
	}
}
