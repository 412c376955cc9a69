package announce_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
)

// slowPreviews is a service where some previews are slow and some never arrive.
type slowPreviews struct {
	previewSource
	late  []string
	never []string
}

func (l *slowPreviews) Look(ctx context.Context, url string) error {
	if slices.Contains(l.late, url) || slices.Contains(l.never, url) {
		<-ctx.Done()
		return ctx.Err()
	}
	return nil
}

func (l *slowPreviews) Fetch(ctx context.Context, url string) ([]byte, error) {
	if slices.Contains(l.never, url) {
		return nil, context.DeadlineExceeded
	}
	return l.previewSource.Fetch(ctx, url)
}

// thumbs is a rig with two edited images that have previews.
func thumbs(t *testing.T) (*rig, []order.EditedImage) {
	t.Helper()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.config.CheckTime = 20 * time.Millisecond
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("\x89PNG\r\n\x1a\nsmall"))
	}))
	t.Cleanup(host.Close)
	return r, []order.EditedImage{{ID: "i1", Name: "beach.jpg", Thumb: host.URL + "/1.png"}, {ID: "i2", Name: "dunes.jpg", Thumb: host.URL + "/2.png"}}
}

// review counts how often the review shows a picture by its address and as a copy.
func (r *rig) review(t *testing.T) (addresses, copies int) {
	t.Helper()
	said := shown(t, r.reply(t, shoots, "ready:r0"))
	return strings.Count(said, `"image_url"`) / 2, strings.Count(said, `"slack_file"`) / 2
}

func TestAPreviewThatIsLateIsFilledInByAnEdit(t *testing.T) {
	t.Parallel()
	r, images := thumbs(t)
	r.config.Pictures = &slowPreviews{late: []string{images[0].Thumb}}
	r.happens(t, order.StatusReviewing, 0, images...)
	require.NoError(t, r.try(t))
	addresses, copies := r.review(t)
	require.Equal(t, []int{1, 0}, []int{addresses, copies}, "what is there is in the first message")
	posts, _ := r.calls("chat.postMessage")
	require.Equal(t, 3, posts, "and Slack refused none")
	r.previews(t)
	addresses, copies = r.review(t)
	require.Equal(t, []int{1, 1}, []int{addresses, copies})
}

// This process may be behind a firewall that Slack is not.
func TestAPreviewThatOnlySlackCanHaveIsOfferedToItInTheEdit(t *testing.T) {
	t.Parallel()
	r, images := thumbs(t)
	r.config.Pictures = &slowPreviews{never: []string{images[0].Thumb, images[1].Thumb}}
	r.happens(t, order.StatusReviewing, 0, images...)
	require.NoError(t, r.try(t))
	addresses, copies := r.review(t)
	require.Equal(t, []int{0, 0}, []int{addresses, copies})
	r.previews(t)
	addresses, copies = r.review(t)
	require.Equal(t, []int{2, 0}, []int{addresses, copies})
}

// Later deliveries know which pictures Slack was not asked for.
func TestAPreviewThatOnlySlackCanHaveIsOfferedToItAfterADelay(t *testing.T) {
	t.Parallel()
	r, images := thumbs(t)
	r.config.Pictures = &slowPreviews{never: addressesOf(images)}
	r.happens(t, order.StatusReviewing, 0, images...)
	r.config.Slack = &busyOnce{whole: r.slack}
	require.NotZero(t, waits(t, r.try(t)))
	r.announce(t)
	r.previews(t)
	addresses, copies := r.review(t)
	require.Equal(t, []int{2, 0}, []int{addresses, copies})
}

// busyOnce is a Slack that postpones the first review.
type busyOnce struct {
	whole
	was bool
}

func (b *busyOnce) Post(ctx context.Context, p client.Post) (string, error) {
	if !b.was && strings.Contains(p.Text, "Ready for review") {
		b.was = true
		return "", fmt.Errorf("chat.postMessage: %w", client.ErrTryLater)
	}
	return b.whole.Post(ctx, p)
}

// If Slack does not answer the edit either, it is not asked for those pictures again.
func TestAnEditThatPicturesHoldUpIsDoneWithoutThem(t *testing.T) {
	t.Parallel()
	r, images := thumbs(t)
	r.config.Pictures = &slowPreviews{late: addressesOf(images[:1]), never: addressesOf(images[1:])}
	r.happens(t, order.StatusReviewing, 0, images...)
	require.NoError(t, r.try(t))
	slow := &slowPictures{whole: r.slack}
	r.config.Slack, r.config.OutcomeAfter = slow, time.Hour
	d := &queue.Delivery{Job: r.put.jobs[len(r.put.jobs)-1]}
	fill := func() error { return handler(announce.New(r.config), store.AnnounceKind)(t.Context(), d) }
	require.Equal(t, time.Hour, waits(t, fill()), "the edit may still be carried out")
	require.NoError(t, fill())
	require.Equal(t, 1, slow.edits)
	addresses, copies := r.review(t)
	require.Equal(t, []int{0, 1}, []int{addresses, copies})

	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")))
}

func addressesOf(images []order.EditedImage) (addresses []string) {
	for _, i := range images {
		addresses = append(addresses, i.Thumb)
	}
	return addresses
}

// Pictures are fast for this process but hang for Slack, so its post is not answered. The lane is free at
// once, and the next post omits them.
func TestAPostThatItsPicturesHoldUpStepsAside(t *testing.T) {
	t.Parallel()
	r, images := thumbs(t)
	r.config.Pictures = &slowPreviews{}
	slow := &slowPictures{whole: r.slack}
	r.config.Slack, r.config.OutcomeAfter = slow, time.Hour
	r.happens(t, order.StatusReviewing, 0, images...)
	before := len(r.put.jobs)
	require.NoError(t, r.try(t), "the lane goes on")
	require.Len(t, r.put.jobs, before+1)
	aside := r.put.jobs[before]
	require.Equal(t, r.job.Lane, aside.Lane)
	require.Equal(t, time.Hour, r.put.delays[before], "once the outcome can be read")
	require.Equal(t, 1, slow.posts)

	r.placeOrder(t, "other", shoots)
	require.NoError(t, r.announceOrder(t, "other"))
	r.config.OutcomeAfter = time.Nanosecond
	r.job = &queue.Delivery{Job: aside}
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
	require.Equal(t, 1, slow.posts, "Slack is not asked for them again")
	require.True(t, slices.ContainsFunc(r.put.jobs, func(j queue.Job) bool { return strings.HasPrefix(j.Lane, "previews:") }), "but they are filled in")
}

// The post may have been delivered after all; then it is adopted.
func TestAPostThatItsPicturesHeldUpAndThatIsOutIsAdopted(t *testing.T) {
	t.Parallel()
	r, images := thumbs(t)
	r.config.Pictures = &slowPreviews{}
	lost := &lostAnswer{whole: r.slack}
	r.config.Slack = lost
	r.happens(t, order.StatusReviewing, 0, images...)
	require.NoError(t, r.try(t))
	r.job = &queue.Delivery{Job: r.put.jobs[len(r.put.jobs)-1]}
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
	addresses, _ := r.review(t)
	require.Equal(t, 2, addresses)
}

func TestAnAdoptedReviewIsOfferedWhatOnlySlackCanHave(t *testing.T) {
	t.Parallel()
	r, images := thumbs(t)
	r.config.Pictures = &slowPreviews{never: addressesOf(images[:1])}
	r.config.Slack = &lostAnswer{whole: r.slack}
	r.happens(t, order.StatusReviewing, 0, images...)
	require.NoError(t, r.try(t))
	r.job = &queue.Delivery{Job: r.put.jobs[len(r.put.jobs)-1]}
	r.announce(t)
	filling := slices.IndexFunc(r.put.jobs, func(j queue.Job) bool { return strings.HasPrefix(j.Lane, "previews:") })
	require.NotEqual(t, -1, filling)
	r.put.jobs = r.put.jobs[:filling+1]
	r.previews(t)
	addresses, copies := r.review(t)
	require.Equal(t, []int{2, 0}, []int{addresses, copies})
}

// lostAnswer is a Slack that delivers a post and loses the answer.
type lostAnswer struct {
	whole
	lost bool
}

func (l *lostAnswer) Post(ctx context.Context, p client.Post) (string, error) {
	ts, err := l.whole.Post(ctx, p)
	if err == nil && !l.lost && pictures(p.Blocks) {
		l.lost = true
		return "", errors.Join(client.ErrUnknownOutcome, fmt.Errorf("reset"))
	}
	return ts, err
}

// A review that gets its buttons back, after a pause for example, is edited. Slow pictures do not delay
// that.
func TestAReviewThatWaitsAgainIsEditedWithoutLatePictures(t *testing.T) {
	t.Parallel()
	r, images := thumbs(t)
	l := &slowPreviews{}
	r.config.Pictures = l
	r.happens(t, order.StatusReviewing, 0, images...)
	r.announce(t)
	r.happens(t, order.StatusPaused, 0)
	r.announce(t)
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")))
	l.late = addressesOf(images[:1])
	r.happens(t, order.StatusReviewing, 0, images...)
	before := len(r.put.jobs)
	r.announce(t)
	require.Positive(t, buttons(r.reply(t, shoots, "ready:r0")))
	addresses, _ := r.review(t)
	require.Equal(t, 1, addresses)
	i := slices.IndexFunc(r.put.jobs[before:], func(j queue.Job) bool { return strings.HasPrefix(j.Lane, "previews:") })
	require.NotEqual(t, -1, i)
	r.put.jobs = r.put.jobs[:before+i+1]
	r.previews(t)
	addresses, copies := r.review(t)
	require.Equal(t, []int{1, 1}, []int{addresses, copies})
}

// sluggish is a Slack that accepts each post with pictures after a while.
type sluggish struct {
	whole
	pictured int
}

func (s *sluggish) Post(ctx context.Context, p client.Post) (string, error) {
	if pictures(p.Blocks) {
		s.pictured++
		<-time.After(4100 * time.Millisecond)
	}
	return s.whole.Post(ctx, p)
}

// Slow but fetchable pictures delay one message, but not later ones.
func TestPicturesThatSlackFetchedSlowlyAreNotAskedForAgain(t *testing.T) {
	t.Parallel()
	r, images := thumbs(t)
	r.config.Pictures = &slowPreviews{}
	slow := &sluggish{whole: r.slack}
	r.config.Slack = slow
	r.happens(t, order.StatusReviewing, 0, images[:1]...)
	require.NoError(t, r.try(t))
	r.happens(t, order.StatusRevising, 1, images[:1]...)
	r.happens(t, order.StatusReviewing, 1, images...)
	require.NoError(t, r.try(t))
	require.Contains(t, r.thread(t, shoots), "ready:r1")
	require.Equal(t, 1, slow.pictured)
}
