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

// Decisions carries out what approvers decide.
type Decisions struct {
	drafts    *store.Drafts
	holds     *store.Holds
	place     *Place
	batches   *batch.Batches
	draftJobs *Drafts
	questions *Holds
	messages  *answers.Messages
	putter    *job.Putter
}

// decisionArgs is the body of the job that carries out a decision.
type decisionArgs struct {
	Hold string `json:"hold"`
	Ends bool   `json:"ends,omitempty"` // the question has expired: it ends if it has no answer
}

// holdLane returns the lane of the question's draft, or of its batch.
func holdLane(h store.Hold) string { return "draft:" + h.Draft }

// PutDecision puts the job that carries out the decision about a question, once, in the lane of its draft.
func (j *Decisions) PutDecision(ctx context.Context, h store.Hold) error {
	return j.putter.Put(ctx, job.Decision, job.Decision+":"+h.ID(), holdLane(h), decisionArgs{Hold: h.ID()})
}

// held places an allowed order once, however many approvers pressed. It notifies the requester of a declined one.
func (j *Decisions) held(ctx context.Context, d *queue.Delivery, args decisionArgs) error {
	h, decision, err := j.holds.Hold(ctx, args.Hold)
	if errors.Is(err, store.ErrAbsent) {
		return nil // expired
	}
	if err == nil && decision == nil && args.Ends {
		var first store.HoldDecision
		first, err = j.holds.DecideHold(ctx, h.ID(), store.HoldDecision{At: d.Now(), Ended: true})
		decision = &first
	}
	switch {
	case err != nil:
		return err
	case decision == nil: // Redis lost the answer; the question can be answered again
		return nil
	case args.Ends && !decision.Ended: // another job carries out that answer
		return nil
	}
	decided := decisionRun{decisions: j, d: d, hold: h, decision: *decision}
	if decision.Allowed {
		err = decided.allow(ctx)
	} else {
		err = decided.refuse(ctx)
	}
	if err != nil {
		return err
	}
	if err := j.holds.ShowHold(ctx, h.ID(), "decided"); err != nil || h.Batch == "" {
		return err
	}
	return j.batches.Follow(ctx, h.Batch, h)
}

// decisionRun is one delivery of the job.
type decisionRun struct {
	decisions *Decisions
	d         *queue.Delivery
	hold      store.Hold
	decision  store.HoldDecision
}

// each calls do for every draft that the question is about. It skips expired drafts of a batch.
func (r decisionRun) each(ctx context.Context, do func(draft store.Draft) error) error {
	for _, id := range r.hold.Drafts() {
		draft, err := r.decisions.draftJobs.draftOf(ctx, r.d, id)
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

// unchanged reports whether the draft is still as the approver saw it. A draft that its person changed or discarded
// since stays as it is, and needs a new approval when it is submitted.
func (r decisionRun) unchanged(draft store.Draft) bool {
	return draft.IsHeld() && draft.Hold.Batch == r.hold.Batch && (r.hold.Batch != "" || draft.Attempt == r.hold.Attempt) &&
		draft.Print() == draft.Hold.Print
}

// allow submits each draft that is still as it was shown, and notifies the approver of the others.
func (r decisionRun) allow(ctx context.Context) error {
	changed := 0
	err := r.each(ctx, func(draft store.Draft) error {
		if r.unchanged(draft) {
			draft.Allowed = r.allowance(draft)
			var err error
			if draft, _, err = r.decisions.drafts.Submit(ctx, draft); err != nil {
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
	return r.decisions.messages.Inform(ctx, answers.AllowerOf(r.hold, r.decision), place.HoldChanged(r.hold, changed))
}

// allowance returns the approval of a draft.
func (r decisionRun) allowance(draft store.Draft) *store.Allowed {
	a := &store.Allowed{By: r.decision.By, At: r.decision.At, Print: draft.Print(), Account: r.hold.Why == store.HoldAccount, Hold: r.hold.ID()}
	if draft.Allowed.Covers(draft) {
		a.First = draft.Allowed.Hold
	}
	return a
}

// view returns the window that waits for the order, or "" for a batch, which reports its orders itself.
func (r decisionRun) view() string {
	if r.hold.Batch != "" {
		return ""
	}
	return r.hold.View
}

// refuse saves the answer with each draft and notifies the requester.
func (r decisionRun) refuse(ctx context.Context) error {
	if r.decision.Anew || r.decision.Became != "" {
		return nil
	}
	waited := false // an order still waits for this answer
	err := r.each(ctx, func(draft store.Draft) error {
		now, err := r.decisions.drafts.EditDraft(ctx, draft.ID, func(now *store.Draft) error {
			if r.unchanged(*now) {
				now.Hold.Answer = &r.decision
			}
			waited = waited || now.Hold != nil && now.Hold.Answer != nil && now.Hold.Answer.At.Equal(r.decision.At)
			return nil
		})
		if errors.Is(err, store.ErrDraftMoved) {
			return nil
		}
		if err != nil || r.hold.Batch != "" {
			return err
		}
		return r.decisions.questions.showAllowed(ctx, now, "declined")
	})
	if err != nil || !waited {
		return err
	}
	a := answers.Asker{Team: r.hold.Team, User: r.hold.User, Channel: r.hold.Channel, View: r.hold.View, At: r.hold.At}
	return r.decisions.messages.Inform(ctx, a, place.HoldRefused(r.hold, r.decision))
}

func (j *Decisions) decisionKind() queue.Declared {
	return queue.Kind[decisionArgs]{
		Name: job.Decision, NeedsService: true, Work: j.held,
		Asked: "placing an order that was allowed", Truth: job.Always("Nothing was placed. The requester has the order saved, and may submit it again."),
	}.Declare()
}
