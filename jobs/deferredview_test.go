package jobs_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
)

// The view's own request, and an older and a newer one.
const mine, older, newer = "r1 20.0", "r0 10.0", "r2 30.0"

// deferred puts a view of window w1 that was too large for its acknowledgement; newest is what
// was asked for last in that window.
func deferred(r *commandstest.Rig, view slack.ModalViewRequest, newest string) {
	r.T.Helper()
	raw, err := json.Marshal(view)
	require.NoError(r.T, err)
	require.NoError(r.T, r.Store.Documents.PutTTL(r.T.Context(), answers.RenderDoc("w1"), newest, time.Hour))
	body := answers.DeferredView{Window: "w1", User: "maria", From: "C1", Render: mine, View: raw, At: time.Now()}
	require.NoError(r.T, r.Jobs.Putter.Put(r.T.Context(), job.DeferredView, "late", "view:w1", body))
}

// words returns a view with these words and a picture.
func words(words string) slack.ModalViewRequest {
	text := slack.NewTextBlockObject(slack.MarkdownType, words, false, false)
	picture := slack.NewImageBlock("https://e.com/1.jpg", "1.jpg", "", nil)
	return slack.ModalViewRequest{
		Type: slack.VTModal, ExternalID: "w1", Title: slack.NewTextBlockObject(slack.PlainTextType, "Order", false, false),
		Blocks: slack.Blocks{BlockSet: []slack.Block{slack.NewSectionBlock(text, nil, nil), picture}},
	}
}

func TestAViewThatComesLateIsShownOnceItMayBe(t *testing.T) {
	form := words("Softer light.")
	form.Submit = slack.NewTextBlockObject(slack.PlainTextType, "Send", false, false)
	answer := words("Softer light.")
	for name, test := range map[string]struct {
		view   slack.ModalViewRequest
		newest string // what was asked for last
		meets  func(s *commandstest.Screen)
		shown  []string // in its window
		told   int      // what the person is told beside it
	}{
		"in its window": {form, mine, nil, []string{"Softer light.", "1.jpg"}, 0},
		"without pictures that Slack cannot fetch": {
			form, mine, func(s *commandstest.Screen) { s.NoPictures = true }, []string{"Softer light."}, 0,
		},
		"not when its form was closed":            {form, mine, (*commandstest.Screen).Closes, nil, 0},
		"an answer though its form is closed":     {answer, mine, (*commandstest.Screen).Closes, nil, 1},
		"not over a newer one":                    {form, newer, nil, nil, 0},
		"over an older one, though it wrote last": {form, older, nil, []string{"Softer light.", "1.jpg"}, 0},
		"not once the form is done":               {form, "", nil, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				if test.meets != nil {
					test.meets(r.Screen)
				}
				deferred(r, test.view, test.newest)
				r.Settle(5 * time.Second)
				for _, words := range test.shown {
					require.Contains(r.T, r.Shows("w1"), words)
				}
				require.Equal(r.T, test.shown == nil, r.Shows("w1") == "")
				require.Len(r.T, r.Screen.DMs, test.told)
				if test.told > 0 {
					require.Contains(r.T, r.Screen.LastMessage(), "Softer light.")
				}
			})
		})
	}
}
