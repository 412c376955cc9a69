package announce_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/files"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/settingstest"
)

// counter serves the delivered images over HTTP.
type counter struct{ images []files.Image }

func (c *counter) Delivery(context.Context, files.Bundle) (files.Delivery, error) {
	return files.Delivery{Images: c.images}, nil
}

// finals gives the announcer a number of final images. Those with the given numbers break off; every other
// one has no Content-Length.
func (r *rig) finals(t *testing.T, n int, broken ...int) {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		var number int
		_, _ = fmt.Sscanf(q.URL.Path, "/%d.png", &number)
		content := fmt.Sprintf("\x89PNG\r\n\x1a\nimage %d", number)
		switch {
		case slices.Contains(broken, number):
			w.Header().Set("Content-Length", "100000")
		case number%2 == 0:
			http.NewResponseController(w).Flush() //nolint:errcheck // chunked from here on
		}
		_, _ = io.WriteString(w, content)
	}))
	t.Cleanup(web.Close)
	c := &counter{}
	for i := range n {
		name := fmt.Sprintf("%d.png", i+1)
		c.images = append(c.images, files.Image{ID: name, Name: name, URL: web.URL + "/" + name})
	}
	r.config.Finals = &announce.Finals{
		Deliveries: c, Fetcher: files.NewFetcher(files.FetcherConfig{AllowPrivate: true, MaxBytes: 1 << 20, Timeout: 10 * time.Second}),
	}
}

// approved plays an order until its approval is announced.
func (r *rig) approved(t *testing.T) {
	t.Helper()
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
}

func (r *rig) wantsFinals(t *testing.T) {
	t.Helper()
	settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{FinalImages: true})
}

// finalsJob returns the job for the final images, or nil.
func (r *rig) finalsJob() *queue.Delivery {
	for _, j := range r.put.jobs {
		if j.Kind == announce.FinalsKind {
			return &queue.Delivery{Job: j, PutAt: time.Now()}
		}
	}
	return nil
}

// brings delivers the job until it is done.
func (r *rig) brings(t *testing.T, d *queue.Delivery) {
	t.Helper()
	var err error
	for range 20 {
		if err = handler(announce.New(r.config), announce.FinalsKind)(t.Context(), d); err == nil {
			return
		}
		r.freshClient(t)
	}
	require.NoError(t, err)
}

// inThread returns the files in the order's thread and their comments.
func (r *rig) inThread(t *testing.T) (content []string, batches []int, comments string) {
	t.Helper()
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	for _, m := range r.w.Thread(shoots, tracked.CardTS) {
		if len(m.Files) == 0 {
			continue
		}
		batches, comments = append(batches, len(m.Files)), comments+m.Text
		for _, f := range m.Files {
			content = append(content, f.Title+"="+strings.TrimPrefix(string(f.Content), "\x89PNG\r\n\x1a\n"))
		}
	}
	return content, batches, comments
}

func TestFinalImagesComeIntoTheThreadOnlyWhereTheChannelWantsThem(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.finals(t, 12)
	r.approved(t)
	require.Nil(t, r.finalsJob())

	r = newRig(t, workspace.Options{})
	r.finals(t, 12)
	r.wantsFinals(t)
	r.approved(t)
	d := r.finalsJob()
	require.NotNil(t, d)
	r.brings(t, d)
	content, batches, comments := r.inThread(t)
	require.Equal(t, []int{10, 2}, batches)
	require.Len(t, content, 12)
	require.Equal(t, "1 · 1.png=image 1", content[0])
	require.Equal(t, "12 · 12.png=image 12", content[11])
	require.Empty(t, comments)
	r.brings(t, d) // once more, as after a crash behind the last step
	again, _, _ := r.inThread(t)
	require.Equal(t, content, again)
}

// unputtable is the queue of a worker that dies before it puts the job for final images.
type unputtable struct{ announce.Later }

func (q unputtable) PutAfter(ctx context.Context, job queue.Job, delay time.Duration) (bool, error) {
	if job.Kind == announce.FinalsKind {
		return false, errCrash
	}
	return q.Later.PutAfter(ctx, job, delay)
}

// The approval is posted, and the worker died before it put the job: the next worker finds the message and
// puts it.
func TestFinalImagesComeThoughTheApprovalWasOnlyFoundAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.finals(t, 2)
	r.wantsFinals(t)
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	r.happens(t, order.StatusClosed, 0)
	r.config.Queue = unputtable{r.put}
	require.ErrorIs(t, r.try(t), errCrash)
	r.config.Queue, r.job.State = r.put, nil
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0", "approved"}, r.thread(t, shoots))
	require.NotNil(t, r.finalsJob())
}

// Slack executed a step without answering, or the worker died before saving it.
func TestFinalImagesComeOnceThoughAnAnswerIsLost(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.finals(t, 12)
	r.wantsFinals(t)
	r.approved(t)
	r.w.Misbehave("files.completeUploadExternal", workspace.Error500After, 2)
	d := r.finalsJob()
	r.brings(t, d)
	_, batches, _ := r.inThread(t)
	require.Equal(t, []int{10, 2}, batches)

	r = newRig(t, workspace.Options{})
	r.finals(t, 3)
	r.wantsFinals(t)
	r.approved(t)
	r.w.Misbehave("files.completeUploadExternal", workspace.Error500, 2)
	r.brings(t, r.finalsJob())
	_, batches, _ = r.inThread(t)
	require.Equal(t, []int{3}, batches, "nothing was out, so it is done again")
}

func TestFinalImagesThatCannotBeUploadedStayLinks(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.finals(t, 4, 2, 3)
	r.wantsFinals(t)
	r.approved(t)
	r.brings(t, r.finalsJob())
	content, batches, comments := r.inThread(t)
	require.Equal(t, []int{2}, batches)
	require.Equal(t, []string{"1 · 1.png=image 1", "4 · 4.png=image 4"}, content)
	require.Contains(t, comments, "I could not upload these photos. Their links: <http://127.0.0.1")
	require.Contains(t, comments, "/2.png|2 · 2.png>, <http")
	require.Contains(t, comments, "/3.png|3 · 3.png>.")

	r = newRig(t, workspace.Options{})
	r.finals(t, 2)
	r.wantsFinals(t)
	r.w.SetScopes(slices.DeleteFunc(workspace.DefaultScopes(), func(s string) bool { return s == "files:write" })...)
	r.approved(t)
	r.brings(t, r.finalsJob())
	_, batches, _ = r.inThread(t)
	require.Empty(t, batches, "the app may not")

	r = newRig(t, workspace.Options{})
	r.finals(t, 2)
	r.wantsFinals(t)
	r.approved(t)
	d := r.finalsJob()
	_, err := r.Changes.Untrack(t.Context(), orderID, "U0OLGA")
	require.NoError(t, err)
	r.brings(t, d)
	_, batches, _ = r.inThread(t)
	require.Empty(t, batches, "the channel has the order no longer")
}
