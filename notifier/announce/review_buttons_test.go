package announce_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
)

// If Slack accepts no form of a review, it is left out, and the card has the buttons.
func TestTheCardHasTheButtonsOfAReviewThatIsNotOut(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.happens(t, order.StatusReviewing, 0)
	r.w.Misbehave("chat.postMessage", workspace.Fails("invalid_blocks"), 20)
	r.announce(t)
	require.Equal(t, []string{"card", "placed"}, r.thread(t, shoots))
	require.Equal(t, 2, buttons(r.reply(t, shoots, "card")))
}

// If the answer to a review's post is lost, still only the review has the buttons.
func TestTheCardHasNoButtonsOfAReviewThatWasAdopted(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.happens(t, order.StatusReviewing, 0)
	r.w.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
	require.Equal(t, 2, buttons(r.reply(t, shoots, "ready:r0")))
	require.Zero(t, buttons(r.reply(t, shoots, "card")))
}

// busyAfter is a Slack whose channel accepts nothing for a second after the first post.
type busyAfter struct {
	whole
	posts, turns int
}

func (s *busyAfter) Post(ctx context.Context, p client.Post) (string, error) {
	s.posts++
	return s.whole.Post(ctx, p)
}

func (s *busyAfter) Slot(context.Context, string) time.Duration {
	if s.posts == 0 || s.turns > 0 {
		return 0
	}
	s.turns++
	return time.Second
}

// The same holds if the next message must wait for the channel's slot.
func TestTheCardHasNoButtonsOfAReviewWhenTheNextReplyWaits(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	for _, status := range []order.Status{order.StatusReviewing, order.StatusPaused, order.StatusReviewing} {
		r.happens(t, status, 0)
	}
	r.config.Slack = &busyAfter{whole: r.slack}
	require.ErrorContains(t, r.try(t), "wait 1s")
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0", "paused", "resumed"}, r.thread(t, shoots))
	require.Equal(t, 2, buttons(r.reply(t, shoots, "ready:r0")))
	require.Zero(t, buttons(r.reply(t, shoots, "card")))
}

// While an approval waits, neither card nor review has buttons. If it fails, the review gets them back.
func TestAReviewAsksForNothingWhileAnApprovalWaits(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	waits := func(waits ...store.Wait) {
		t.Helper()
		require.NoError(t, r.Changes.NoteWaits(t.Context(), orderID, waits, time.Now().Add(time.Minute)))
		r.job = delivery(store.AnnounceKind, store.AnnounceJob{Order: orderID, Generation: 1, Refresh: true}, shoots)
		r.announce(t)
	}
	waits(store.Wait{Verb: order.VerbApprove, Actor: "U0MARIA"})
	for _, shows := range []string{"card", "ready:r0"} {
		require.Contains(t, shown(t, r.reply(t, shoots, shows)), "Approval by Maria is waiting for the photo service")
		require.Zero(t, buttons(r.reply(t, shoots, shows)))
	}
	require.Contains(t, r.put.jobs[len(r.put.jobs)-1].ID, ":waits-over:", "should nobody say any more that it waits")
	waits()
	require.NotContains(t, shown(t, r.reply(t, shoots, "card")), "waiting for")
	require.Contains(t, shown(t, r.reply(t, shoots, "card")), "order:review")
	require.Zero(t, buttons(r.reply(t, shoots, "card")))
	require.Equal(t, 2, buttons(r.reply(t, shoots, "ready:r0")))
}

func blockText(m workspace.Message) string {
	text := ""
	for _, b := range m.Blocks {
		if s, ok := b["text"].(map[string]any); ok {
			text += s["text"].(string) + "\n"
		}
	}
	return text
}

// A deleted review is not posted again: the card gets its buttons and has no link to it.
func TestTheCardHasTheButtonsOfAReviewThatWasDeleted(t *testing.T) {
	t.Parallel()
	for name, notices := range map[string]func(*testing.T, *rig, string){
		"slack tells of it": func(t *testing.T, r *rig, ts string) {
			t.Helper()
			r.job = delivery(store.AnnounceKind, store.AnnounceJob{Order: orderID, Generation: 1, Deleted: ts}, shoots)
		},
		"it is edited": func(t *testing.T, r *rig, _ string) {
			t.Helper()
			_, _, err := r.Verdicts.Judge(t.Context(), orderID, "U0MARIA", []order.Tick{{Edit: order.EditedImage{ID: "i1"}.Edit(), Good: true}})
			require.NoError(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, workspace.Options{})
			r.place(t, shoots)
			r.announce(t)
			r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Revision: 0}, order.EditedImage{ID: "i2", Revision: 0})
			r.announce(t)
			require.Zero(t, buttons(r.reply(t, shoots, "card")))
			review := r.reply(t, shoots, "ready:r0").TS
			r.w.DeleteMessage(shoots, review)
			notices(t, r, review)
			r.announce(t)
			require.Equal(t, []string{"card", "placed"}, r.thread(t, shoots))
			require.Equal(t, 2, buttons(r.reply(t, shoots, "card")))
			require.NotContains(t, fmt.Sprint(r.reply(t, shoots, "card").Blocks), strings.ReplaceAll(review, ".", ""), "no link to it")
		})
	}
}
