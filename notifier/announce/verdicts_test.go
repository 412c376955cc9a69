package announce_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
)

// editing is a Slack that counts edits by message.
type editing struct {
	whole
	edits map[string]int // by timestamp
}

func (s *editing) Edit(ctx context.Context, ts string, p client.Post) error {
	s.edits[ts]++
	return s.whole.Edit(ctx, ts, p)
}

// Verdicts cause one edit of the card and one of the review, and no message. Verdicts already shown cause
// no edit of the review. An ended review shows none.
func TestVerdictsAreShownWhereTheReviewStands(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	images := []order.EditedImage{{ID: "i1", Name: "1.jpg", UploadedAt: at}, {ID: "i2", Name: "2.jpg", UploadedAt: at}}
	r.happens(t, order.StatusReviewing, 0, images...)
	r.announce(t)
	plain := r.reply(t, shoots, "ready:r0").Text
	slack := &editing{whole: r.slack}
	r.config.Slack = slack
	refresh := func() (card, review int) {
		t.Helper()
		slack.edits = map[string]int{}
		r.job = delivery(store.AnnounceKind, store.AnnounceJob{Order: orderID, Generation: 1, Refresh: true}, shoots)
		r.announce(t)
		return slack.edits[r.reply(t, shoots, "card").TS], slack.edits[r.reply(t, shoots, "ready:r0").TS]
	}
	judge := func(good bool, images ...order.EditedImage) {
		t.Helper()
		for _, image := range images {
			_, _, err := r.Verdicts.Judge(t.Context(), orderID, "U0MARIA", []order.Tick{{Edit: image.Edit(), Good: good}})
			require.NoError(t, err)
		}
	}
	for _, step := range []struct {
		good   bool
		images []order.EditedImage
		says   string
	}{{true, images[:1], "1 of 2 good"}, {true, images[1:], "All 2 are good"}, {false, images[:1], "1 of 2 good"}} {
		judge(step.good, step.images...)
		card, review := refresh()
		require.Equal(t, []int{1, 1}, []int{card, review}, step.says)
		for _, where := range []string{"card", "ready:r0"} {
			require.Contains(t, shown(t, r.reply(t, shoots, where)), step.says)
		}
		_, review = refresh()
		require.Zero(t, review, "it says so already")
	}
	judge(false, images...)
	refresh()
	require.Equal(t, plain, r.reply(t, shoots, "ready:r0").Text, "as if nobody had judged anything")
	require.NotContains(t, shown(t, r.reply(t, shoots, "card")), "good")
	judge(true, images...)
	r.happens(t, order.StatusRevising, 1)
	refresh()
	require.NotContains(t, shown(t, r.reply(t, shoots, "ready:r0")), "are good")
	require.Equal(t, []string{"card", "placed", "ready:r0", "changes:r1"}, r.thread(t, shoots), "no message is new but what happened")
}
