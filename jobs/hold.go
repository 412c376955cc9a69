package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// What goes over a channel's limits, or is ordered by somebody who may not spend, is asked of an approver
// before it is sent. It is found here, where every way of ordering ends: the form, Order again, Try again, a
// form that was open before the limit was set, another replica. The draft is given back as one that was
// refused is, and what an approver allows is its next attempt, which is submitted once.

// priceMonths is how many months before this one tell what an image costs in a channel.
const priceMonths = 2

const (
	spendLease = 2 * time.Minute // for which an order is weighed and sent before the next may be, should its replica die
	spendWait  = time.Second     // until the next tries again
)

// inTurn does what weighs and sends an order. Those of a channel that has a limit for a month go one after the other:
// weighed at the same moment, none would count what the others cost.
func (p *placeRun) inTurn(ctx context.Context, limits store.Decides, do func(context.Context, store.Decides) error) error {
	if limits.MonthLimit == 0 {
		return do(ctx, limits)
	}
	turn := p.store.Lock("spend:"+p.draft.Team+":"+p.draft.Channel, spendLease)
	held, err := turn.Hold(ctx)
	if err != nil {
		return err
	}
	if !held {
		return queue.Wait(spendWait)
	}
	defer func() {
		if err := turn.Release(context.WithoutCancel(ctx)); err != nil {
			p.log.InfoContext(ctx, "the next order of the channel waits for the lease", "draft", p.draft.ID, "err", err)
		}
	}()
	return do(ctx, limits)
}

// asksFirst holds the order back if an approver must be asked, and asks. An approval stands for exactly
// what was shown: what was changed since is asked anew.
func (p *placeRun) asksFirst(ctx context.Context, limits store.Decides) (bool, error) {
	if p.draft.Allowed.Covers(p.draft) {
		return false, nil
	}
	spends, err := p.access.Spends(ctx, p.draft.User, limits)
	if err != nil || spends && !limits.Limited() {
		return false, err
	}
	h, err := p.weigh(ctx, limits, spends)
	if err != nil || h.Why == "" {
		return false, err
	}
	if old := p.draft.Held; old != nil {
		if err := p.askAnew(ctx, *old); err != nil {
			return false, err
		}
	}
	if err := p.store.AskHold(ctx, h); err != nil {
		return false, err
	}
	p.draft.Held = &h
	return true, p.giveBack(ctx, nil)
}

// weigh is the question that is to be asked; its Why is "" when there is none. spends says that the person orders
// without being asked about what goes over no limit.
func (p *placeRun) weigh(ctx context.Context, limits store.Decides, spends bool) (store.Hold, error) {
	d, now := p.draft, p.d.Now()
	month := order.MonthOf(now, time.UTC)
	rows, _, err := p.store.Report(ctx, d.Team, []string{d.Channel}, month.Before(priceMonths).Begins(), month.Ends())
	h := store.Hold{
		Draft: d.ID, Attempt: d.Attempt + 1, Print: d.Print(), Team: d.Team, Channel: d.Channel, User: d.User, View: p.body.View,
		Name: d.ProjectName, Images: edited(d), Spent: order.SpentSince(rows, month.Begins()), Asks: limits.AskedOf(), At: now,
	}
	h.Cost, h.Guessed = order.Expected(rows, h.Images)
	over := func(limit int, cost decimal.Decimal) bool {
		return limit > 0 && cost.GreaterThan(decimal.NewFromInt(int64(limit)))
	}
	switch {
	case !spends:
		h.Why = store.HoldSpender
	case over(limits.OrderLimit, h.Cost):
		h.Why, h.Limit = store.HoldOrder, limits.OrderLimit
	case over(limits.MonthLimit, h.Spent.Add(h.Cost)):
		h.Why, h.Limit = store.HoldMonth, limits.MonthLimit
	}
	return h, err
}

// edited is how many of the draft's images are edited, not looked at alone.
func edited(d store.Draft) int {
	n := 0
	for _, image := range d.Images() {
		if image.Service != order.ServiceReference {
			n++
		}
	}
	return n
}

// askAnew ends a question that is asked anew, if nobody has answered it.
func (p *placeRun) askAnew(ctx context.Context, old store.Hold) error {
	_, err := p.store.DecideHold(ctx, old.ID(), store.HoldDecision{At: p.d.Now(), Anew: true})
	if err != nil {
		return err
	}
	return p.store.ShowHold(ctx, old.ID(), "decided")
}

// heldArgs is the body of the job that does what an approver decided.
type heldArgs struct {
	Hold string `json:"hold"`
}

// PutHeld puts the job that does what was decided about a question, once, behind what is done with its draft.
func (j *Jobs) PutHeld(ctx context.Context, h store.Hold) error {
	return j.Put(ctx, HeldJob, HeldJob+":"+h.ID(), "draft:"+h.Draft, heldArgs{h.ID()})
}

// held places what was allowed, once however many approvers pressed, and tells who ordered of what was not.
func (j *Jobs) held(ctx context.Context, d *queue.Delivery, args heldArgs) error {
	h, decision, err := j.store.Hold(ctx, args.Hold)
	if errors.Is(err, store.ErrAbsent) || err == nil && decision == nil {
		return nil // it is too old, or Redis lost the answer: the question can be answered again
	}
	if err != nil {
		return err
	}
	draft, err := j.draftOf(ctx, d, h.Draft)
	if err != nil {
		return err
	}
	if decision.Allowed {
		err = j.placeAllowed(ctx, h, draft, *decision)
	} else {
		err = j.inform(ctx, DraftAsker(draft, h.View, h.At), cards.HoldDeclined(h, *decision))
	}
	if err != nil {
		return err
	}
	return j.store.ShowHold(ctx, h.ID(), "decided")
}

// placeAllowed submits the draft as it was shown to the approver. Who ordered may have changed it since, or
// thrown it away: then it stays as it is, and is asked about when it is submitted.
func (j *Jobs) placeAllowed(ctx context.Context, h store.Hold, draft store.Draft, by store.HoldDecision) error {
	if draft.State == store.DraftRefused && draft.Attempt == h.Attempt && draft.Print() == h.Print {
		draft.Allowed = &store.Allowed{By: by.By, At: by.At, Print: h.Print}
		var err error
		if draft, _, err = j.store.Submit(ctx, draft); err != nil {
			return err
		}
	}
	if draft.Attempt == h.Attempt && draft.Allowed.Covers(draft) {
		return j.PutPlace(ctx, draft, h.View)
	}
	return j.inform(ctx, Asker{Team: h.Team, User: by.By, Channel: h.Channel, At: by.At}, cards.HoldChanged(h))
}

func (j *Jobs) heldKind() queue.Declared {
	return queue.Kind[heldArgs]{
		Name: HeldJob, NeedsService: true, Work: j.held,
		Asked: "placing an order that was allowed", Truth: Always("Nothing was placed: the order is kept with who ordered, who may submit it again."),
	}.Declare()
}
