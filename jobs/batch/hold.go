package batch

import (
	"context"
	"errors"
	"slices"
	"time"

	cardsbatch "darkroom/cards/batch"
	"darkroom/cards/place"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
)

// The orders of a batch that must be asked about are asked about together, once each of the batch has an outcome: in one
// question for its approvers, and in one for operators where the account's limit is concerned.

// askTogether asks what is to be asked about the batch, once.
func (b *batchRun) askTogether(ctx context.Context, stand cardsbatch.Progress) error {
	for _, account := range []bool{false, true} {
		h := b.together(stand, account)
		if len(h.Orders) == 0 || slices.Contains(b.kept.Asked, h.ID()) {
			continue
		}
		if err := b.askSum(ctx, h); err != nil {
			return err
		}
		b.kept.Asked = append(b.kept.Asked, h.ID())
		if err := b.save(ctx); err != nil {
			return err
		}
	}
	return nil
}

// together is the question about the orders that wait: those that operators are asked about, or the others.
func (b *batchRun) together(stand cardsbatch.Progress, account bool) (h store.Hold) {
	for _, d := range stand.Drafts {
		if !d.IsHeld() || d.Held.Batch != b.batch.ID || (d.Held.Why == store.HoldAccount) != account {
			continue
		}
		one, all := *d.Held, h
		h = one
		h.Draft, h.Name, h.Print, h.View, h.At = b.batch.ID, b.batch.Name, "", "", b.d.Now()
		if account {
			h.Draft += "-account"
		}
		h.Orders = append(all.Orders, d.ID)
		h.Attempt = max(one.Attempt, all.Attempt)
		h.Images, h.Cost, h.Guessed = all.Images+one.Images, all.Cost.Add(one.Cost), all.Guessed || one.Guessed
		if all.Why == store.HoldMonth { // it says more than that one order costs much
			h.Why, h.Limit, h.Asks = all.Why, all.Limit, all.Asks
		}
	}
	return h
}

// askSum asks, with what the month has cost by now.
func (b *batchRun) askSum(ctx context.Context, h store.Hold) error {
	ledger, err := b.batches.Store.Ledgers.Ledger(ctx, h.Team, b.d.Now(), "")
	if err != nil {
		return err
	}
	h.Spent = h.SpentOf(ledger)
	return b.batches.Holds.Ask(ctx, h)
}

// Follow tells again how far a batch has come, after something was decided about orders of it.
func (j *Batches) Follow(ctx context.Context, id string, after store.Hold) error {
	b, err := j.Store.Batches.Batch(ctx, id)
	if errors.Is(err, store.ErrNoBatch) {
		return nil
	}
	if err != nil {
		return err
	}
	args := batchArgs{Batch: b.ID, User: b.User, At: after.At, Hold: after.ID()}
	return j.Putter.Put(ctx, job.Batch, job.Batch+":"+b.ID+":"+after.ID(), batchLane(b.ID), args)
}

// batchToldNote holds what a batch that has ended told of itself, for what is decided later.
func batchToldNote(id string) string { return "batch-told:" + id }

// goesOn takes up what the batch told before something was decided about orders of it.
func (b *batchRun) goesOn(ctx context.Context) error {
	if b.body.Hold == "" || b.kept.Submitted > 0 {
		return nil
	}
	if err := b.batches.Store.Documents.GetIfThere(ctx, batchToldNote(b.batch.ID), &b.kept); err != nil {
		return err
	}
	b.kept.Submitted, b.kept.Ended = len(b.batch.Drafts()), time.Time{}
	b.kept.File, b.kept.Sharing, b.kept.Filed = "", time.Time{}, false // another file takes its place
	return b.save(ctx)
}

// ends keeps what it told, and says how it ended to who allowed some of it.
func (b *batchRun) ends(ctx context.Context, stand cardsbatch.Progress) error {
	if err := b.batches.Store.Documents.PutPersonal(ctx, b.batch.User, batchToldNote(b.batch.ID), b.kept, store.HeldLife); err != nil {
		return err
	}
	if b.body.Hold == "" {
		return nil
	}
	for _, id := range b.kept.Asked { // an order that one allowed may have come to the other
		if err := b.batches.Store.Holds.ShowHold(ctx, id, "ended:"+b.body.Hold); err != nil {
			return err
		}
	}
	h, decision, err := b.batches.Store.Holds.Hold(ctx, b.body.Hold)
	if errors.Is(err, store.ErrAbsent) || err == nil && (decision == nil || !decision.Allowed) {
		return nil
	}
	if err != nil {
		return err
	}
	unplaced := slices.DeleteFunc(stand.Drafts, func(d store.Draft) bool {
		return d.State == store.DraftPlaced || d.IsHeld() || d.Allowed == nil || d.Allowed.Hold != h.ID()
	})
	if len(unplaced) == 0 || decision.By == h.User {
		return nil
	}
	return b.batches.Messages.Inform(ctx, answers.AllowerOf(h, *decision), place.HoldNotPlaced(unplaced...))
}
