package answer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/commands/answer"
	"darkroom/commands/commandstest"
	"darkroom/store"
)

// ackTime is the time that jobs give Slack to show an acknowledgement.
const ackTime = 400 * time.Millisecond

// largeForm returns a form that is too large for an acknowledgement.
func largeForm() slack.ModalViewRequest {
	d := store.Draft{ID: "d1", Attempt: 1, Channel: "C1", Instructions: []string{"Brighten."}}
	for i := range 50 {
		d.Files = append(d.Files, store.DraftFile{ID: fmt.Sprint("F", i), Name: strings.Repeat("beach ", 50) + ".jpg", Size: 7, URL: fmt.Sprint("https://d/", i)})
	}
	return place.Window(d, place.FormExtras{Upload: true, Problems: kit.Problems{"No."}, Balance: "88"}, "w1")
}

func TestALargeViewComesAfterItsAcknowledgement(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		large := largeForm()
		raw, err := json.Marshal(large)
		require.NoError(r.T, err)
		require.Greater(r.T, len(raw), answer.AckView)
		r.Screen.Views = append(r.Screen.Views, "w1")
		began := time.Now()
		reply, err := answer.NewWindows(r.Screen, r.Store, r.Jobs, r.Log).Reply(r.T.Context(), bot.Request{ID: "s1", User: "maria"}, large)
		require.NoError(r.T, err)
		require.Contains(r.T, commandstest.Text(reply.Body), "One moment")
		r.Settle(ackTime - time.Millisecond)
		require.Empty(r.T, r.Screen.Window("w1"), "it must not overtake its acknowledgement")
		r.Settle(time.Second)
		require.JSONEq(r.T, string(raw), r.Screen.Window("w1"), "nothing is lost on the way")
		require.Less(r.T, time.Since(began), 3*time.Second)
	})
}

func TestALargeViewIsNeverPaintedOverANewerOne(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Screen.Views = append(r.Screen.Views, "w1")
		large := largeForm()
		_, err := answer.NewWindows(r.Screen, r.Store, r.Jobs, r.Log).Reply(r.T.Context(), bot.Request{ID: "s1", User: "maria"}, large)
		require.NoError(r.T, err)
		r.Settle(ackTime / 2) // its job is waiting
		blocks, err := json.Marshal(large.Blocks)
		require.NoError(r.T, err)
		_, err = answer.NewWindows(r.Screen, r.Store, r.Jobs, r.Log).Reply(r.T.Context(), bot.Request{
			ID: "s2", User: "maria", View: &slack.View{ExternalID: "w1"}, ViewSummary: bot.ViewSummary{Bytes: len(blocks)},
		}, kit.Notice("Done", "Done.", "w1"))
		require.NoError(r.T, err)
		r.Settle(5 * time.Second)
		require.NotContains(r.T, r.Screen.Shown["w1"], "Brighten.")
	})
}
