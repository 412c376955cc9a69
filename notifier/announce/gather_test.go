package announce_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/settingstest"
)

// gathering is a rig whose channel wants one message for several deliveries.
func gathering(t *testing.T) *rig {
	t.Helper()
	r := newRig(t, workspace.Options{})
	settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{Gather: true})
	return r
}

// delivers places an order, and brings it to its review.
func (r *rig) delivers(t *testing.T, id string) {
	t.Helper()
	r.placeOrder(t, id, shoots)
	r.turns(t, id, order.StatusReviewing)
	r.tellsOf(t, id)
}

// turns records that an order has another status.
func (r *rig) turns(t *testing.T, id string, status order.Status) {
	t.Helper()
	tracked, err := r.Order(t.Context(), id)
	require.NoError(t, err)
	zero := 0
	_, _, err = r.Record(t.Context(), id, tracked.Version, order.Order{
		ID: id, Status: status, Revision: &zero, EditedImages: []order.EditedImage{{ID: "i1", Name: "beach.jpg"}},
	})
	require.NoError(t, err)
}

// tellsOf announces an order until its channel is up to date.
func (r *rig) tellsOf(t *testing.T, id string) {
	t.Helper()
	var err error
	for range 50 {
		if err = r.announceOrder(t, id); err == nil {
			return
		}
		if r.config.Slack == announce.Slack(r.slack) {
			r.freshClient(t)
		}
	}
	require.NoError(t, err)
}

// gatherJobs are the jobs that were put to tell of several.
func (r *rig) gatherJobs() (jobs []queue.Job) {
	for _, job := range r.put.jobs {
		if job.Kind == store.GatherKind {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// gathers delivers such a job until it is done.
func (r *rig) gathers(t *testing.T, job queue.Job, state string) {
	t.Helper()
	d := &queue.Delivery{Job: job, State: json.RawMessage(state)}
	if r.seldom {
		r.finishesInTime(t, d)
		return
	}
	var err error
	for range 20 {
		if err = handler(announce.New(r.config), store.GatherKind)(t.Context(), d); err == nil {
			return
		}
		if r.config.Slack == announce.Slack(r.slack) {
			r.freshClient(t)
		}
	}
	require.NoError(t, err)
}

// together are the messages for several in the channel, and reviews those that are shown there.
func (r *rig) together() (texts []string) {
	for _, m := range r.w.Messages(shoots) {
		if strings.Contains(m.Text, "ready for review*") {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

func (r *rig) shownReviews() (n int) {
	for _, m := range r.w.Messages(shoots) {
		if strings.HasPrefix(eventOf(m), "ready") {
			n++
		}
	}
	return n
}

// Orders that become ready together are one message, whatever becomes of its post.
func TestSeveralDeliveriesAreOneMessage(t *testing.T) {
	t.Parallel()
	for name, mishap := range mishaps() {
		slacks(t, name, func(t *testing.T) {
			t.Helper()
			r := gathering(t)
			for _, id := range []string{"o1", "o2", "o3"} {
				r.delivers(t, id)
			}
			require.Zero(t, r.shownReviews(), "they stand in their threads alone")
			require.Len(t, r.gatherJobs(), 1, "one job for all")
			require.Contains(t, r.put.delays, time.Minute)
			mishap(r)
			job := r.gatherJobs()[0]
			r.gathers(t, job, "")
			require.Len(t, r.together(), 1)
			require.Contains(t, r.together()[0], "3 orders are ready for review")
			require.Contains(t, r.together()[0], "<@U0MARIA>")

			r.delivers(t, "o4")
			require.Len(t, r.gatherJobs(), 2, "what comes later begins anew")
			r.gathers(t, r.gatherJobs()[1], "")
			require.Len(t, r.together(), 2)
			require.Contains(t, r.together()[1], "1 order is ready for review")
		})
	}
}

// A channel that set nothing has each review beside its thread, and nothing is gathered.
func TestDeliveriesAreShownOneByOneUnlessAChannelWantsOtherwise(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.delivers(t, "o1")
	require.Equal(t, 1, r.shownReviews())
	require.Empty(t, r.gatherJobs())
	keys, err := r.rdb.Keys(t.Context(), "*gather*").Result()
	require.NoError(t, err)
	require.Empty(t, keys)
}

// What was decided, left, moved or is worked on again when the message goes out is not in it.
func TestNobodyIsAskedForAReviewThatIsOver(t *testing.T) {
	t.Parallel()
	r := gathering(t)
	for _, id := range []string{"closed", "edited", "moved", "left", "waits"} {
		r.delivers(t, id)
	}
	r.turns(t, "closed", order.StatusClosed)
	r.turns(t, "edited", order.StatusRevising)
	_, err := r.Move(t.Context(), "moved", weddings, "U0MARIA")
	require.NoError(t, err)
	_, err = r.Untrack(t.Context(), "left", "U0MARIA")
	require.NoError(t, err)
	r.gathers(t, r.gatherJobs()[0], "")
	require.Len(t, r.together(), 1)
	require.Contains(t, r.together()[0], "1 order is ready for review")

	r.delivers(t, "late")
	r.turns(t, "late", order.StatusClosed)
	r.gathers(t, r.gatherJobs()[1], "")
	require.Len(t, r.together(), 1, "nothing is posted when none is left")
}

// A worker may die between any two of its steps: the channel is told of each review once.
func TestAWorkerThatDiesLosesNoReviewAndRepeatsNone(t *testing.T) {
	t.Parallel()
	t.Run("after the review was posted", func(t *testing.T) {
		t.Parallel()
		r := gathering(t)
		r.placeOrder(t, "o1", shoots)
		r.tellsOf(t, "o1")
		r.turns(t, "o1", order.StatusReviewing)
		r.w.Misbehave("chat.postMessage", workspace.Error500After, 1)
		r.tellsOf(t, "o1")
		require.Len(t, r.gatherJobs(), 1)
		r.gathers(t, r.gatherJobs()[0], "")
		require.Len(t, r.together(), 1)
	})
	for name, dies := range map[string]func(*dying){
		"after it was gathered": func(d *dying) { d.put = true },
		"after the job was put": func(d *dying) { d.posted = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gathering(t)
			r.placeOrder(t, "o1", shoots)
			r.tellsOf(t, "o1")
			r.turns(t, "o1", order.StatusReviewing)
			dead := &dying{Store: r.Store, Later: r.put}
			dies(dead)
			record, put := r.config.Store, r.config.Queue
			r.config.Store, r.config.Queue = dead, dead
			require.ErrorIs(t, r.announceOrder(t, "o1"), errDied)
			r.config.Store, r.config.Queue = record, put
			r.tellsOf(t, "o1")
			require.Len(t, r.gatherJobs(), 1)
			r.gathers(t, r.gatherJobs()[0], "")
			require.Len(t, r.together(), 1)
			require.Contains(t, r.together()[0], "1 order is ready")
		})
	}
	t.Run("after it left its mark", func(t *testing.T) {
		t.Parallel()
		r := gathering(t)
		r.delivers(t, "o1")
		mark := fmt.Sprintf(`{"posting":%q}`, time.Now().Add(-time.Minute).Format(time.RFC3339))
		r.gathers(t, r.gatherJobs()[0], mark)
		require.Len(t, r.together(), 1, "it had not posted")
		r.gathers(t, r.gatherJobs()[0], mark)
		require.Len(t, r.together(), 1, "it had")
	})
}

// A review of which the channel was told is not gathered again, also when its worker comes back later than that.
func TestAReviewIsGatheredOnce(t *testing.T) {
	t.Parallel()
	r := gathering(t)
	place := store.Place{Team: "T0SANDBOX", Channel: shoots}
	review := store.Ready{Order: "o1", Generation: 1, Event: 2}
	first, err := r.Gather(t.Context(), place, review)
	require.NoError(t, err)
	for range 2 { // two replicas
		all, err := r.Gathered(t.Context(), place, first)
		require.NoError(t, err)
		require.Equal(t, []store.Ready{review}, all)
	}
	again, err := r.Gather(t.Context(), place, review)
	require.NoError(t, err)
	require.Equal(t, first, again)
	other := store.Ready{Order: "a:b", Generation: 1, Event: 3}
	second, err := r.Gather(t.Context(), place, other)
	require.NoError(t, err)
	require.True(t, second.After(first))
	all, err := r.Gathered(t.Context(), place, second)
	require.NoError(t, err)
	require.Equal(t, []store.Ready{other}, all)
}

// A channel out of reach is told of its reviews when it is back.
func TestSeveralReviewsWaitForAChannelOutOfReach(t *testing.T) {
	t.Parallel()
	r := gathering(t)
	r.delivers(t, "o1")
	r.w.Misbehave("chat.postMessage", workspace.Fails("is_archived"), 1)
	r.gathers(t, r.gatherJobs()[0], "")
	require.Empty(t, r.together())
	require.Len(t, r.gatherJobs(), 2, "it is tried again")
	r.gathers(t, r.gatherJobs()[1], "")
	require.Len(t, r.together(), 1)
}

var errDied = errors.New("died")

// dying is the record and the queue of a worker that dies before it writes.
type dying struct {
	announce.Store
	announce.Later
	put, posted bool
}

func (d *dying) PutAfter(ctx context.Context, job queue.Job, delay time.Duration) (bool, error) {
	if d.put && job.Kind == store.GatherKind {
		return false, errDied
	}
	return d.Later.PutAfter(ctx, job, delay)
}

func (d *dying) EventPosted(ctx context.Context, id string, generation int, posted store.Posted) error {
	if d.posted && strings.HasPrefix(posted.ID, "ready") {
		return errDied
	}
	return d.Store.EventPosted(ctx, id, generation, posted)
}
