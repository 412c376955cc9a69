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

// askHeld asks about all held orders of the batch, once each has an outcome: in one question for approvers, and in
// one for operators about the account's limit.
func (b *batchRun) askHeld(ctx context.Context, progress cardsbatch.Progress) error {
	for _, account := range []bool{false, true} {
		h := b.heldQuestion(progress, account)
		if len(h.Orders) == 0 || slices.Contains(b.saved.Asked, h.ID()) {
			continue
		}
		if err := b.askSum(ctx, h); err != nil {
			return err
		}
		b.saved.Asked = append(b.saved.Asked, h.ID())
		if err := b.save(ctx); err != nil {
			return err
		}
	}
	return nil
}

// heldQuestion returns the question about the held orders: for operators if account is set, else for approvers.
func (b *batchRun) heldQuestion(progress cardsbatch.Progress, account bool) (h store.Hold) {
	for _, d := range progress.Drafts {
		if !d.IsHeld() || d.Hold.Batch != b.batch.ID || (d.Hold.Why == store.HoldAccount) != account {
			continue
		}
		one, all := *d.Hold, h
		h = one
		h.Draft, h.Name, h.Print, h.View, h.At = b.batch.ID, b.batch.Name, "", "", b.d.Now()
		if account {
			h.Draft += "-account"
		}
		h.Orders = append(all.Orders, d.ID)
		h.Attempt = max(one.Attempt, all.Attempt)
		h.Images, h.Cost, h.Guessed = all.Images+one.Images, all.Cost.Add(one.Cost), all.Guessed || one.Guessed
		h.Listed = one.Listed && (all.Listed || len(all.Orders) == 0)
		if all.Why == store.HoldMonth { // it matters more than the limit of one order
			h.Why, h.Limit, h.Asks = all.Why, all.Limit, all.Asks
		}
	}
	return h
}

// askSum asks the question, with the month's credits until now.
func (b *batchRun) askSum(ctx context.Context, h store.Hold) error {
	ledger, err := b.batches.Store.Ledgers.Ledger(ctx, h.Team, b.d.Now(), "")
	if err != nil {
		return err
	}
	h.Spent = h.SpentOf(ledger)
	return b.batches.Holds.Ask(ctx, h)
}

// Follow puts the job that reports a batch's progress again, after a decision about its orders.
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

// endedDoc names the document with the state of an ended batch, for a later decision.
func endedDoc(id string) string { return "batch-told:" + id }

// restore restores the state of an ended batch after a decision about its orders.
func (b *batchRun) restore(ctx context.Context) error {
	if b.body.Hold == "" || b.saved.Submitted > 0 {
		return nil
	}
	if err := b.batches.Store.Documents.GetIfThere(ctx, endedDoc(b.batch.ID), &b.saved); err != nil {
		return err
	}
	b.saved.Submitted, b.saved.Ended = len(b.batch.Drafts()), time.Time{}
	b.saved.File, b.saved.Sharing, b.saved.Filed = "", time.Time{}, false // a new file replaces the old one
	return b.save(ctx)
}

// finishEnded saves the state of the ended batch, and notifies the approver of allowed orders that were not placed.
func (b *batchRun) finishEnded(ctx context.Context, progress cardsbatch.Progress) error {
	if err := b.batches.Store.Documents.PutPersonal(ctx, b.batch.User, endedDoc(b.batch.ID), b.saved, store.HeldLife); err != nil {
		return err
	}
	if b.body.Hold == "" {
		return nil
	}
	for _, id := range b.saved.Asked { // an order allowed by approvers may be in the operators' question now
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
	unplaced := slices.DeleteFunc(progress.Drafts, func(d store.Draft) bool {
		return d.State == store.DraftPlaced || d.IsHeld() || d.Allowed == nil || d.Allowed.Hold != h.ID()
	})
	if len(unplaced) == 0 || decision.By == h.User {
		return nil
	}
	return b.batches.Messages.Inform(ctx, answers.AllowerOf(h, *decision), place.HoldNotPlaced(unplaced...))
}
