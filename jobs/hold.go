package jobs

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"darkroom/cards/place"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// Holds asks approvers about held orders, and shows the outcome in the questions.
type Holds struct {
	holds     *store.Holds
	queue     *queue.Queue
	operators *answers.Operators
	credits   *accounts.Credits
	messages  *answers.Messages
	once      *job.Once
	log       *slog.Logger
}

// Ask asks the approvers, and puts the job that ends the question.
func (j *Holds) Ask(ctx context.Context, h store.Hold) error {
	h.Hides = !j.credits.AllRead(ctx, h.Team, h.Channel)
	if err := j.holds.AskHold(ctx, h); err != nil {
		return err
	}
	ends, err := job.New(job.Decision, job.Decision+":"+h.ID()+":ends", holdLane(h), decisionArgs{Hold: h.ID(), Ends: true})
	if err == nil {
		_, err = j.queue.PutAfter(ctx, ends, store.HoldLife)
	}
	if err != nil {
		return err
	}
	j.notifyLimit(ctx, h)
	return nil
}

// notifyLimit notifies the operations channel once a day that the account's limit is reached. The operators may not be
// in the order's channel.
func (j *Holds) notifyLimit(ctx context.Context, h store.Hold) {
	note := "over-limit:" + h.Team
	if h.Why != store.HoldAccount || !j.operators.Reachable() || !j.once.First(ctx, note, 24*time.Hour) {
		return
	}
	if said, err := j.operators.Notify(ctx, place.OpsLimit(h)); !said {
		j.log.WarnContext(ctx, "operations channel not told that a limit is reached", "err", err)
		j.once.Forget(ctx, note)
	}
}

// end ends a question with how, unless it has an answer.
func (j *Holds) end(ctx context.Context, h store.Hold, how store.HoldDecision) error {
	if _, err := j.holds.DecideHold(ctx, h.ID(), how); err != nil {
		return err
	}
	return j.holds.ShowHold(ctx, h.ID(), "decided")
}

// EndHold ends the question about a draft that was placed or discarded without an answer. The question of a batch stays
// open for its other orders.
func (j *Holds) EndHold(ctx context.Context, d store.Draft) error {
	if d.Hold != nil && d.Hold.Batch == "" && !slices.Contains(d.Allowed.Questions(), d.Hold.ID()) {
		if err := j.end(ctx, *d.Hold, store.HoldDecision{At: time.Now(), Became: d.State}); err != nil {
			return err
		}
	}
	return j.showAllowed(ctx, d, string(d.State))
}

// showAllowed updates the questions whose answer allowed the draft. stage identifies the update.
func (j *Holds) showAllowed(ctx context.Context, d store.Draft, stage string) error {
	for _, id := range d.Allowed.Questions() {
		if err := j.holds.ShowHold(ctx, id, stage+strconv.Itoa(d.Attempt)); err != nil {
			return err
		}
	}
	return nil
}

// notifyAllower shows the outcome in the questions about the order, and notifies the approver if an allowed order is not
// placed. A batch does that at its end.
func (j *Holds) notifyAllower(ctx context.Context, d store.Draft, batch string) error {
	h, allowed := d.Hold, d.Allowed
	switch {
	case h == nil || batch != "":
		return nil
	case d.State == store.DraftPlaced:
		return j.EndHold(ctx, d)
	case !allowed.Covers(d):
		return nil
	}
	if err := j.showAllowed(ctx, d, string(d.State)); err != nil || d.IsHeld() || allowed.By == d.User {
		return err
	}
	return j.messages.Inform(ctx, answers.AllowerOf(*h, store.HoldDecision{By: allowed.By, At: allowed.At}), place.HoldNotPlaced(d))
}
