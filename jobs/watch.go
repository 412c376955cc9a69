package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/cards/place"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Watch searches, for a day, for orders that were given up.
type Watch struct {
	changes  *store.Changes
	batches  *store.BatchCards
	drafts   *store.Drafts
	queue    *queue.Queue
	search   *Search
	holds    *Holds
	messages *answers.Messages
	givenUp  func()
}

// watches are the times of the searches, counted from when the order was given up.
var watches = []time.Duration{
	5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 8 * time.Hour, 16 * time.Hour, 24 * time.Hour,
}

// watchArgs is the body of the job that searches once.
type watchArgs struct {
	Draft string    `json:"draft"`
	Step  int       `json:"step"`
	Since time.Time `json:"since"`
	// Attempt is the attempt that was given up. Each attempt has its own watch.
	Attempt int `json:"attempt,omitempty"`
}

// beginWatch begins the watch of a draft. A draft without a reference was never sent.
func (j *Watch) beginWatch(ctx context.Context, d store.Draft) error {
	if d.Reference == "" {
		return nil
	}
	return j.putWatch(ctx, watchArgs{Draft: d.ID, Since: time.Now(), Attempt: d.Attempt}, d)
}

func (j *Watch) putWatch(ctx context.Context, w watchArgs, d store.Draft) error {
	if w.Step >= len(watches) {
		return nil
	}
	id := fmt.Sprintf("watch:%s:%d:%d", d.Reference, w.Attempt, w.Step)
	job, err := job.New(job.Watch, id, "watch:"+d.Reference, w)
	if err != nil {
		return err
	}
	_, err = j.queue.PutAfter(ctx, job, max(time.Until(w.Since.Add(watches[w.Step])), 0))
	return err
}

// watch searches for an order that was given up. It ends without the draft, which was deleted with its workspace.
func (j *Watch) watch(ctx context.Context, d *queue.Delivery, w watchArgs) error {
	err := j.watchOnce(ctx, d, w)
	if errors.Is(err, store.ErrNoDraft) {
		return nil
	}
	return err
}

func (j *Watch) watchOnce(ctx context.Context, d *queue.Delivery, w watchArgs) error {
	draft, err := j.drafts.Draft(ctx, w.Draft)
	if err != nil {
		return err
	}
	if len(d.State) > 0 { // an earlier delivery found it, and its person may not know
		return j.reportLateOrder(ctx, d, w, draft)
	}
	if draft.State == store.DraftPlacing {
		return queue.Wait(time.Minute) // a running attempt finds its order itself
	}
	seen, err := j.search.search(ctx, draft, searchOptions{watching: true})
	if err != nil {
		return w.waitOrEnd(err)
	}
	if seen.order == nil {
		w.Step++
		return j.putWatch(ctx, w, draft)
	}
	if draft, err = j.drafts.Draft(ctx, w.Draft); err != nil {
		return err
	}
	if draft.State == store.DraftPlacing { // while the list was read
		return queue.Wait(time.Minute)
	}
	if err := d.SetState(ctx, seen.order); err != nil {
		return err
	}
	return j.reportLateOrder(ctx, d, w, draft)
}

// waitOrEnd waits while the service does not show its list. If the service answers, but refuses, the watch ends once its
// last search has waited long enough.
func (w watchArgs) waitOrEnd(err error) error {
	refused, limited := errors.Is(err, order.ErrRefused), errors.Is(err, order.ErrRateLimited)
	switch {
	case (refused || limited) && time.Now().After(w.Since.Add(watches[len(watches)-1]+maxSearch)):
		return nil
	case refused, errors.Is(err, order.ErrUnavailable):
		return queue.Wait(time.Minute)
	}
	return err
}

// reportLateOrder gives an order that was found late to its channel and notifies its person. The watch goes on, since
// there may be another order.
func (j *Watch) reportLateOrder(ctx context.Context, d *queue.Delivery, w watchArgs, draft store.Draft) error {
	order, err := queue.State[order.Order](d)
	if err != nil {
		return err
	}
	late := newOrder(draft, order)
	if late.Attempts = attemptsUpTo(draft.Attempt); draft.State == store.DraftPlacing { // the last attempt has its own order
		late.Attempts = attemptsUpTo(draft.Attempt - 1)
	}
	if late.Batch, err = j.batches.Of(ctx, draft); err != nil {
		return err
	}
	tracked, err := j.changes.AddOrder(ctx, late)
	if err != nil {
		return err
	}
	if draft.State == store.DraftUnknown || draft.IsHeld() {
		draft.State, draft.OrderID, draft.UpdatedAt = store.DraftPlaced, order.ID, time.Now()
		if err := j.holds.EndHold(ctx, draft); err != nil { // before the draft is saved: a later delivery skips this
			return err
		}
		if err := j.drafts.SaveDraft(ctx, draft); err != nil && !errors.Is(err, store.ErrDraftMoved) {
			return err
		}
	}
	if err := j.messages.SendOrLog(ctx, draft.User, place.PlacedAfterAll(tracked, time.Now())); err != nil {
		return err
	}
	w.Step++
	return j.putWatch(ctx, w, draft)
}

func (j *Watch) watchKind() queue.Declared {
	return queue.Kind[watchArgs]{
		Name: job.Watch, NeedsService: true, Work: j.watch, Asked: "watching for an order that may still turn up",
		Truth: job.Always("I wanted to tell you if it turns up after all. " + job.OrderUntouched),
	}.Declare()
}
