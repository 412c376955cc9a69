package announce_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
)

// slowPictures is a Slack that never answers messages with pictures.
type slowPictures struct {
	whole
	posts, edits int
}

func pictures(blocks []slack.Block) bool {
	raw, _ := json.Marshal(blocks)
	return strings.Contains(string(raw), "image_url")
}

func (s *slowPictures) Post(ctx context.Context, p client.Post) (string, error) {
	if pictures(p.Blocks) {
		s.posts++
		return "", fmt.Errorf("chat.postMessage: %w", client.ErrUnknownOutcome)
	}
	return s.whole.Post(ctx, p)
}

func (s *slowPictures) Edit(ctx context.Context, ts string, p client.Post) error {
	if pictures(p.Blocks) {
		s.edits++
		return fmt.Errorf("chat.update: %w", client.ErrTryLater)
	}
	return s.whole.Edit(ctx, ts, p)
}

func TestPicturesThatTakeSlackTooLongAreLeftOut(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	slow := &slowPictures{whole: r.slack}
	r.place(t, shoots)
	r.config.Slack = slow
	r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Name: "beach.jpg", Thumb: "https://slow.test/t.jpg", Origin: "https://slow.test/o.jpg"})
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
	require.Equal(t, 2, slow.posts)
	require.Equal(t, 2, buttons(r.reply(t, shoots, "ready:r0")))

	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0", "approved"}, r.thread(t, shoots))
	require.LessOrEqual(t, slow.edits, 2)
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")))
}

// awayOnce is a store that fails once.
type awayOnce struct {
	*store.Announcements
	asked int
}

func (a *awayOnce) Pending(ctx context.Context, id string) (store.Tracked, []order.Event, error) {
	if a.asked++; a.asked == 1 {
		return store.Tracked{}, nil, fmt.Errorf("order: %w", io.EOF)
	}
	return a.Announcements.Pending(ctx, id)
}

func TestARecordThatIsAwayUsesNoAttempt(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.config.Store.Announcements = &awayOnce{Announcements: r.Announcements}
	require.Positive(t, waits(t, r.try(t)))
	r.announce(t)
	require.Equal(t, []string{"card", "placed"}, r.thread(t, shoots))
}

// lostPosts is a Slack that loses the first posts and their answers.
type lostPosts struct {
	whole
	lost int
}

func (l *lostPosts) Post(ctx context.Context, p client.Post) (string, error) {
	if l.lost > 0 {
		l.lost--
		return "", fmt.Errorf("chat.postMessage: %w", client.ErrUnknownOutcome)
	}
	return l.whole.Post(ctx, p)
}

func TestACardPostedPlainlyInDoubtIsMadeWholeAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.config.Slack = &lostPosts{whole: r.slack, lost: 2}
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
	require.Contains(t, shown(t, r.reply(t, shoots, "card")), "order:review", "the card is whole")
}

func TestAnEditThatComesLateDoesNotLeaveTheCardAsItWas(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	hasty := client.New(client.Config{Token: "xoxb-sandbox-token", APIURL: r.w.APIURL(), Rate: 10000, Timeout: 100 * time.Millisecond})
	t.Cleanup(hasty.Close)
	r.place(t, shoots)
	r.announce(t)
	r.config.Slack, r.config.OutcomeAfter = wholeOf(hasty), time.Second
	r.w.Misbehave("chat.update", workspace.Slow(2*time.Second), 1)
	r.happens(t, order.StatusReviewing, 0)
	before := len(r.put.jobs)
	require.Error(t, r.try(t), "the edit was not answered")
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	late := func() bool { return strings.Contains(shown(t, r.reply(t, shoots, "card")), "Ready for review") }
	require.Eventually(t, late, 20*time.Second, 10*time.Millisecond, "the older edit arrives after the newer one")
	require.Greater(t, len(r.put.jobs), before)
	r.job.Job, r.job.State = r.put.jobs[before], nil
	r.announce(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "card")), "Approved")
}

func TestAnEditOfAWorkerThatDiedDoesNotLeaveTheCardAsItWas(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.config.OutcomeAfter = time.Second
	r.place(t, shoots)
	r.announce(t)
	r.w.Misbehave("chat.update", workspace.Slow(2*time.Second), 1)
	r.happens(t, order.StatusReviewing, 0)
	before := len(r.put.jobs)
	repairs := func() (all []queue.Job) {
		for _, job := range r.put.jobs[before:] {
			if strings.Contains(job.ID, ":interrupted:") {
				all = append(all, job)
			}
		}
		return all
	}
	ctx, dies := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer dies()
	require.Error(t, handler(announce.New(r.config), store.AnnounceKind)(ctx, r.job), "it does not live to hear the answer")
	r.happens(t, order.StatusClosed, 0)
	r.job.Interrupted, r.job.Deliveries = true, 2
	r.announce(t)
	late := func() bool { return strings.Contains(shown(t, r.reply(t, shoots, "card")), "Ready for review") }
	require.Eventually(t, late, 20*time.Second, 10*time.Millisecond, "the older edit arrives after the newer one")
	require.Len(t, repairs(), 1)
	require.Equal(t, r.config.OutcomeAfter, r.put.delays[slices.IndexFunc(r.put.jobs, func(j queue.Job) bool { return j.ID == repairs()[0].ID })], "once it must have been carried out")
	r.job.Job, r.job.State, r.job.Interrupted = repairs()[0], nil, false
	r.announce(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "card")), "Approved")
	require.Len(t, repairs(), 1, "nobody died over this one")
}
