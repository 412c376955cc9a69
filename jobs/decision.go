package jobs

import (
	"context"
	"errors"

	"darkroom/cards/place"
	"darkroom/jobs/answers"
	"darkroom/jobs/batch"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// Decisions does what approvers decide.
type Decisions struct {
	storedDrafts *store.Drafts
	storedHolds  *store.Holds
	place        *Place
	batches      *batch.Batches
	drafts       *Drafts
	holds        *Holds
	messages     *answers.Messages
	putter       *job.Putter
}

// heldArgs is the body of the job that does what an approver decided.
type heldArgs struct {
	Hold string `json:"hold"`
	Ends bool   `json:"ends,omitempty"` // its time is over: unless somebody has answered, nobody will
}

// heldLane is that of the draft that is asked about, or of what stands for several.
func heldLane(h store.Hold) string { return "draft:" + h.Draft }

// PutHeld puts the job that does what was decided about a question, once, behind what is done with its draft.
func (j *Decisions) PutHeld(ctx context.Context, h store.Hold) error {
	return j.putter.Put(ctx, job.Held, job.Held+":"+h.ID(), heldLane(h), heldArgs{Hold: h.ID()})
}

// held places what was allowed, once however many approvers pressed, and tells who ordered of what was not.
func (j *Decisions) held(ctx context.Context, d *queue.Delivery, args heldArgs) error {
	h, decision, err := j.storedHolds.Hold(ctx, args.Hold)
	if errors.Is(err, store.ErrAbsent) {
		return nil // it is too old
	}
	if err == nil && decision == nil && args.Ends {
		var first store.HoldDecision
		first, err = j.storedHolds.DecideHold(ctx, h.ID(), store.HoldDecision{At: d.Now(), Ended: true})
		decision = &first
	}
	switch {
	case err != nil:
		return err
	case decision == nil: // Redis lost the answer: the question can be answered again
		return nil
	case args.Ends && !decision.Ended: // the job of that answer does it
		return nil
	}
	decided := heldRun{decisions: j, d: d, hold: h, by: *decision}
	if decision.Allowed {
		err = decided.allow(ctx)
	} else {
		err = decided.refuse(ctx)
	}
	if err != nil {
		return err
	}
	if err := j.storedHolds.ShowHold(ctx, h.ID(), "decided"); err != nil || h.Batch == "" {
		return err
	}
	return j.batches.Follow(ctx, h.Batch, h)
}

// heldRun does what was decided about a question.
type heldRun struct {
	decisions *Decisions
	d         *queue.Delivery
	hold      store.Hold
	by        store.HoldDecision
}

// each does something with every draft that the question is about. One of several may be kept no more.
func (r heldRun) each(ctx context.Context, do func(draft store.Draft) error) error {
	for _, id := range r.hold.Drafts() {
		draft, err := r.decisions.drafts.draftOf(ctx, r.d, id)
		if errors.Is(err, store.ErrNoDraft) && len(r.hold.Orders) > 0 {
			continue
		}
		if err == nil {
			err = do(draft)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// asked says that the draft is still as it was shown to the approver. Who ordered may have changed it since, or thrown
// it away: then it stays as it is, and is asked about when it is submitted.
func (r heldRun) asked(draft store.Draft) bool {
	return draft.IsHeld() && draft.Held.Batch == r.hold.Batch && (r.hold.Batch != "" || draft.Attempt == r.hold.Attempt) &&
		draft.Print() == draft.Held.Print
}

// allow submits each draft that is as it was shown. The approver hears of one that is not.
func (r heldRun) allow(ctx context.Context) error {
	changed := 0
	err := r.each(ctx, func(draft store.Draft) error {
		if r.asked(draft) {
			draft.Allowed = r.allowance(draft)
			var err error
			if draft, _, err = r.decisions.storedDrafts.Submit(ctx, draft); err != nil {
				return err
			}
		}
		if draft.State == store.DraftPlacing && draft.Allowed.Covers(draft) && draft.Allowed.Hold == r.hold.ID() {
			return r.decisions.place.PutPlace(ctx, draft, r.view())
		}
		if a := draft.Allowed; a == nil || a.Hold != r.hold.ID() {
			changed++
		}
		return nil
	})
	if err != nil || changed == 0 {
		return err
	}
	return r.decisions.messages.Inform(ctx, r.allower(), place.HoldChanged(r.hold, changed))
}

// allowance is what lets the draft be placed.
func (r heldRun) allowance(draft store.Draft) *store.Allowed {
	a := &store.Allowed{By: r.by.By, At: r.by.At, Print: draft.Print(), Account: r.hold.Why == store.HoldAccount, Hold: r.hold.ID()}
	if draft.Allowed.Covers(draft) {
		a.First = draft.Allowed.Hold
	}
	return a
}

// view is the window that waits for the order; a batch tells of its own.
func (r heldRun) view() string {
	if r.hold.Batch != "" {
		return ""
	}
	return r.hold.View
}

// allower is who answered.
func (r heldRun) allower() answers.Asker { return answers.AllowerOf(r.hold, r.by) }

// refuse notes with each draft that it waits for nobody any more, and tells who ordered.
func (r heldRun) refuse(ctx context.Context) error {
	if r.by.Anew || r.by.Became != "" {
		return nil
	}
	waited := false // whether an order still waits for this answer
	err := r.each(ctx, func(draft store.Draft) error {
		now, err := r.decisions.storedDrafts.EditDraft(ctx, draft.ID, func(now *store.Draft) error {
			if r.asked(*now) {
				now.Held.Answer = &r.by
			}
			waited = waited || now.Held != nil && now.Held.Answer != nil && now.Held.Answer.At.Equal(r.by.At)
			return nil
		})
		if errors.Is(err, store.ErrDraftMoved) {
			return nil
		}
		if err != nil || r.hold.Batch != "" {
			return err
		}
		return r.decisions.holds.showAllowed(ctx, now, "declined")
	})
	if err != nil || !waited {
		return err
	}
	a := answers.Asker{Team: r.hold.Team, User: r.hold.User, Channel: r.hold.Channel, View: r.hold.View, At: r.hold.At}
	return r.decisions.messages.Inform(ctx, a, place.HoldRefused(r.hold, r.by))
}

func (j *Decisions) heldKind() queue.Declared {
	return queue.Kind[heldArgs]{
		Name: job.Held, NeedsService: true, Work: j.held,
		Asked: "placing an order that was allowed", Truth: job.Always("Nothing was placed: the order is kept with who ordered, who may submit it again."),
	}.Declare()
}
