package announce_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
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

// previewSource fetches previews that only the app can reach.
type previewSource struct {
	mu      sync.Mutex // guards fetched
	fetched []string
	refuses string // one address it cannot fetch either
}

func (l *previewSource) Fetch(_ context.Context, url string) ([]byte, error) {
	l.mu.Lock()
	l.fetched = append(l.fetched, url)
	l.mu.Unlock()
	if url == l.refuses {
		return nil, errors.New("no such picture")
	}
	return []byte("\x89PNG\r\n\x1a\nsmall"), nil
}

func (l *previewSource) Look(context.Context, string) error { return nil }

// previews delivers the job that fills previews in until it is done, and returns how often it waited for
// Slack.
func (r *rig) previews(t *testing.T) (waited int) {
	t.Helper()
	before := len(r.put.jobs)
	d := &queue.Delivery{Job: r.put.jobs[before-1], Interrupted: true, Deliveries: 2} // by a worker that died
	require.True(t, strings.HasPrefix(d.Lane, "previews:"), "the channel's lane is free")
	require.Eventually(t, func() bool {
		err := handler(announce.New(r.config), store.AnnounceKind)(t.Context(), d)
		if err != nil {
			require.Equal(t, 3*time.Second, waits(t, err), "Slack needs a moment for an upload")
			waited++
		}
		return err == nil
	}, 10*time.Second, 20*time.Millisecond)
	require.Len(t, r.put.jobs, before, "nothing announces but in the lane of its channel")
	return waited
}

func TestPreviewsThatSlackCannotFetchAreFilledInFromCopies(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(gone.Close)
	images := []order.EditedImage{
		{ID: "i1", Name: "beach.jpg", Thumb: gone.URL + "/1.png"},
		{ID: "i2", Name: "dunes.jpg", Thumb: gone.URL + "/2.png"},
	}
	r := newRig(t, workspace.Options{FileProcessing: 150 * time.Millisecond})
	l := &previewSource{refuses: images[1].Thumb}
	r.config.Pictures = l
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0, images...)

	require.NoError(t, r.try(t), "the message goes out at once")
	require.Empty(t, l.fetched)
	said := shown(t, r.reply(t, shoots, "ready:r0"))
	require.Contains(t, said, "beach.jpg")
	require.NotContains(t, said, "/1.png\",\"type\":\"image")
	require.NotContains(t, said, `"slack_file"`)

	require.Positive(t, r.previews(t))
	require.Len(t, l.fetched, 2, "each is fetched once")
	said = shown(t, r.reply(t, shoots, "ready:r0"))
	require.Equal(t, 2, strings.Count(said, `"slack_file"`), said)
	require.Contains(t, said, "dunes.jpg", "the other is named")
	require.Positive(t, buttons(r.reply(t, shoots, "ready:r0")))
}

// cut is a queue that fails once, when the job for previews is put.
type cut struct {
	*recorder
	off bool
}

func (q *cut) PutAfter(ctx context.Context, job queue.Job, delay time.Duration) (bool, error) {
	if strings.HasPrefix(job.Lane, "previews:") && !q.off {
		q.off = true
		return false, errors.New("connection reset")
	}
	return q.recorder.PutAfter(ctx, job, delay)
}

func TestAnAdoptedReplyGetsItsPreviewsToo(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.config.Pictures, r.config.Queue = &previewSource{}, &cut{recorder: r.put}
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Name: "beach.jpg", Thumb: "http://127.0.0.1:1/1.png"})
	require.Error(t, r.try(t), "the reply is out, and nobody knows")
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
	i := slices.IndexFunc(r.put.jobs, func(j queue.Job) bool { return strings.HasPrefix(j.Lane, "previews:") })
	require.NotEqual(t, -1, i, "nobody would fill its previews in")
	r.put.jobs = r.put.jobs[:i+1]
	r.previews(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r0")), `"slack_file"`)
}

// A worker that stops during the copies has not finished them.
func TestCopiesThatAreCutShortAreMadeAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.config.Pictures = &previewSource{}
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Name: "beach.jpg", Thumb: "http://127.0.0.1:1/1.png"})
	r.announce(t)
	stopping, stop := context.WithCancel(t.Context())
	r.config.Pictures = stopped(stop)
	before := len(r.put.jobs)
	d := &queue.Delivery{Job: r.put.jobs[before-1], Interrupted: true, Deliveries: 2} // by a worker that died
	require.ErrorIs(t, handler(announce.New(r.config), store.AnnounceKind)(stopping, d), context.Canceled)
	r.config.Pictures = &previewSource{}
	r.previews(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r0")), `"slack_file"`)
}

// stopped is a service whose fetch stops the worker.
type stopped context.CancelFunc

func (stop stopped) Fetch(ctx context.Context, _ string) ([]byte, error) {
	stop()
	return nil, ctx.Err()
}

func (stop stopped) Look(context.Context, string) error { return nil }

// lateEdit is a Slack that does not answer the first edit with previews, and executes it on demand.
type lateEdit struct {
	whole
	carriesOut func() error
}

func (s *lateEdit) Edit(ctx context.Context, ts string, p client.Post) error {
	raw, err := json.Marshal(p.Blocks)
	if err == nil && s.carriesOut == nil && strings.Contains(string(raw), `"slack_file"`) {
		s.carriesOut = func() error { return s.whole.Edit(context.WithoutCancel(ctx), ts, p) }
		return fmt.Errorf("chat.update: %w", client.ErrTryLater)
	}
	return s.whole.Edit(ctx, ts, p)
}

// The edit that fills previews in shows a live review. Slack may execute it after the order was approved.
func TestPreviewsThatSlackFillsInLateDoNotAskForApprovalAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	late := &lateEdit{whole: r.slack}
	r.config.Pictures = &previewSource{}
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Name: "beach.jpg", Thumb: "http://127.0.0.1:1/1.png"})
	r.announce(t)
	r.config.Slack = late
	d := &queue.Delivery{Job: r.put.jobs[len(r.put.jobs)-1]}
	fill := func() error { return handler(announce.New(r.config), store.AnnounceKind)(t.Context(), d) }
	waits(t, fill())
	require.NotNil(t, late.carriesOut)
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)

	r.config.OutcomeAfter = time.Hour
	require.Greater(t, waits(t, fill()), 50*time.Minute, "it may still be carried out")
	require.NoError(t, late.carriesOut())
	require.Equal(t, 2, buttons(r.reply(t, shoots, "ready:r0")))
	r.config.OutcomeAfter = time.Nanosecond
	require.NoError(t, fill())
	require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")))
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r0")), "*Approved*")
}

// A review that ended before its previews were filled in is not edited.
func TestNoPreviewsAreFilledIntoAReviewThatIsOver(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.config.Pictures = &previewSource{}
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Name: "beach.jpg", Thumb: "http://127.0.0.1:1/1.png"})
	r.announce(t)
	d := &queue.Delivery{Job: r.put.jobs[len(r.put.jobs)-1]}
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	before := len(r.w.Requests())
	require.NoError(t, handler(announce.New(r.config), store.AnnounceKind)(t.Context(), d))
	require.Len(t, r.w.Requests(), before)
}

// An upload that Slack never processes costs only its picture.
func TestPreviewsThatSlackNeverShowsAreLeftOut(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.config.Pictures = &previewSource{}
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Name: "beach.jpg", Thumb: "http://127.0.0.1:1/1.png"})
	r.announce(t)
	d := &queue.Delivery{Job: r.put.jobs[len(r.put.jobs)-1], State: json.RawMessage(`{"copies":{"http://127.0.0.1:1/1.png":"F404"},"copied":"2026-01-01T00:00:00Z"}`)}
	require.NoError(t, handler(announce.New(r.config), store.AnnounceKind)(t.Context(), d))
	require.NotContains(t, shown(t, r.reply(t, shoots, "ready:r0")), `"slack_file"`)
}

func TestWithoutAWayToCopyTheReplyGoesOutWithoutPreviews(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(gone.Close)
	l := &previewSource{}
	for name, cause := range map[string]func(r *rig){
		"nothing fetches": func(*rig) {},
		"no permission any more": func(r *rig) {
			r.config.Pictures = &previewSource{}
			r.w.Misbehave("files.getUploadURLExternal", workspace.Fails("missing_scope"), 9)
		},
		"no permission": func(r *rig) {
			r.config.Pictures = l
			r.w.SetScopes(slices.DeleteFunc(workspace.DefaultScopes(), func(s string) bool { return s == "files:write" })...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			cause(r)
			r.place(t, shoots)
			r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Name: "beach.jpg", Thumb: gone.URL + "/1.png"})
			r.announce(t)
			if name != "nothing fetches" {
				require.Zero(t, r.previews(t))
			}
			said := shown(t, r.reply(t, shoots, "ready:r0"))
			require.Contains(t, said, "beach.jpg")
			require.NotContains(t, said, `"image"`)
		})
	}
	require.Empty(t, l.fetched, "nothing is fetched that may not be shown")
}

func shown(t *testing.T, m workspace.Message) string {
	t.Helper()
	raw, err := json.Marshal(m.Blocks)
	require.NoError(t, err)
	return fmt.Sprint(m.Text, string(raw))
}

// stuckPreviews returns pictures only when a test allows it.
type stuckPreviews struct {
	previewSource
	asked, may chan struct{}
}

func (s *stuckPreviews) Fetch(ctx context.Context, url string) ([]byte, error) {
	s.asked <- struct{}{}
	select {
	case <-s.may:
		return s.previewSource.Fetch(ctx, url)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Hanging pictures use all slots. Those of another review wait and are not given up.
func TestPreviewsForWhichThereIsNoRoomAreCopiedLater(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	gone := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(gone.Close)
	var images []order.EditedImage
	for n := range 2 {
		images = append(images, order.EditedImage{ID: fmt.Sprint("i", n), Name: fmt.Sprint(n, ".jpg"), Thumb: fmt.Sprint(gone.URL, "/", n, ".png")})
	}
	stuck := &stuckPreviews{asked: make(chan struct{}, 16), may: make(chan struct{})}
	r.config.Pictures = stuck
	r.place(t, shoots)
	r.announce(t)
	r.happens(t, order.StatusReviewing, 0, images...)
	r.announce(t)

	r.config.CopyTime = time.Second
	fill := handler(announce.New(r.config), store.AnnounceKind)
	again := func() error { return fill(t.Context(), &queue.Delivery{Job: r.put.jobs[len(r.put.jobs)-1]}) }
	var others sync.WaitGroup
	for range 8 { // as many reviews whose pictures do not come
		others.Go(func() { _ = again() })
	}
	for range 8 {
		<-stuck.asked
	}
	late := &queue.Delivery{Job: r.put.jobs[len(r.put.jobs)-1]}
	require.Equal(t, 3*time.Second, waits(t, fill(t.Context(), late)))
	close(stuck.may)
	others.Wait()
	fetched := len(stuck.fetched)
	require.Eventually(t, func() bool { return fill(t.Context(), late) == nil }, 10*time.Second, 20*time.Millisecond)
	require.Len(t, stuck.fetched, fetched+2)
	require.Equal(t, 2, strings.Count(shown(t, r.reply(t, shoots, "ready:r0")), `"slack_file"`)/2)
}
