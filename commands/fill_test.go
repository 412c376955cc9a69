package commands

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// ackTime is how long Slack may take to paint an acknowledgement, as jobs wait for it.
const ackTime = 400 * time.Millisecond

// largeForm is a form that no acknowledgement holds.
func largeForm() slack.ModalViewRequest {
	d := store.Draft{ID: "d1", Attempt: 1, Channel: "C1", Instructions: []string{"Brighten."}}
	for i := range 50 {
		d.Files = append(d.Files, store.DraftFile{ID: fmt.Sprint("F", i), Name: strings.Repeat("beach ", 50) + ".jpg", Size: 7, URL: fmt.Sprint("https://d/", i)})
	}
	return cards.NewOrder(d, cards.Around{Upload: true, Problems: cards.Problems{"No."}, Balance: "88"}, "w1")
}

func TestALargeViewComesAfterItsAcknowledgement(t *testing.T) {
	bubble(t, func(r *rig) {
		large := largeForm()
		raw, err := json.Marshal(large)
		require.NoError(r.t, err)
		require.Greater(r.t, len(raw), ackView)
		r.screen.views = append(r.screen.views, "w1")
		began := time.Now()
		reply, err := r.commands.replyView(r.t.Context(), bot.Request{ID: "s1", User: "maria"}, large)
		require.NoError(r.t, err)
		require.Contains(r.t, text(reply.Body), "One moment")
		r.settle(ackTime - time.Millisecond)
		require.Empty(r.t, r.screen.window("w1"), "it must not overtake its acknowledgement")
		r.settle(time.Second)
		require.JSONEq(r.t, string(raw), r.screen.window("w1"), "nothing is lost on the way")
		require.Less(r.t, time.Since(began), 3*time.Second)
	})
}

func TestALargeViewIsNeverPaintedOverANewerOne(t *testing.T) {
	bubble(t, func(r *rig) {
		r.screen.views = append(r.screen.views, "w1")
		large := largeForm()
		_, err := r.commands.replyView(r.t.Context(), bot.Request{ID: "s1", User: "maria"}, large)
		require.NoError(r.t, err)
		r.settle(ackTime / 2) // its job is waiting
		shown := &slack.View{ExternalID: "w1", Blocks: large.Blocks}
		_, err = r.commands.replyView(r.t.Context(), bot.Request{ID: "s2", User: "maria", View: shown}, cards.Notice("Done", "Done.", "w1"))
		require.NoError(r.t, err)
		r.settle(5 * time.Second)
		require.NotContains(r.t, r.screen.shown["w1"], "Brighten.")
	})
}
