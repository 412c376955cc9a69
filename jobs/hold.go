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

// limits are those that an order is weighed by.
type limits struct {
	store.Decides
	spends  bool // the person orders without being asked about what goes over no limit
	account int  // credits of a month, of all channels together; 0: no limit
}

// limitsOf are those of the draft. What an approver allowed goes over those of the channel, and what an operator
// allowed over the account's, too.
func (p *placeRun) limitsOf(ctx context.Context, decides store.Decides) (l limits, err error) {
	allowed := p.draft.Allowed.Covers(p.draft)
	if allowed && p.draft.Allowed.Account {
		return limits{spends: true}, nil
	}
	account, err := p.store.Account(ctx, p.draft.Team)
	if err != nil || allowed {
		return limits{spends: true, account: account.MonthLimit}, err
	}
	l = limits{Decides: decides, account: account.MonthLimit}
	l.spends, err = p.access.Spends(ctx, p.draft.User, decides)
	return l, err
}

// asksFirst holds the order back if an approver must be asked, and asks. An approval stands for exactly
// what was shown: what was changed since is asked anew.
func (p *placeRun) asksFirst(ctx context.Context, decides store.Decides) (bool, error) {
	l, err := p.limitsOf(ctx, decides)
	if err != nil {
		return false, err
	}
	h, err := p.reserve(ctx, l)
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
	p.tellOfLimit(ctx, h)
	p.draft.Held = &h
	return true, p.giveBack(ctx, nil)
}

// tellOfLimit tells the operations channel, once a day, that the account's limit is reached. Who asks in the order's
// channel may call no operator, and none may be in there.
func (p *placeRun) tellOfLimit(ctx context.Context, h store.Hold) {
	note := "over-limit:" + h.Team
	if h.Why != store.HoldAccount || p.ops == nil || !p.first(ctx, note, 24*time.Hour) {
		return
	}
	if said, err := p.ops(ctx, cards.OpsLimit(h)); !said {
		p.log.WarnContext(ctx, "operations channel not told that a limit is reached", "err", err)
		p.forgetSaid(ctx, note)
	}
}

// reserve counts what the order will cost before it is sent, unless there is a question to be asked: its Why is ""
// when there is none. Where nothing limits what a month costs, the order counts once it is placed.
func (p *placeRun) reserve(ctx context.Context, l limits) (h store.Hold, err error) {
	if l.spends && !l.Limited() && l.account == 0 {
		return h, nil
	}
	p.weighing.Lock() // those of other replicas are met seldom
	defer p.weighing.Unlock()
	p.draft.SpentIn = store.SpendingMonth(p.d.Now())
	err = p.store.Reserve(ctx, p.draft, p.d.Now(), func(spent order.Ledger) bool {
		h = p.weigh(spent, l)
		return h.Why == ""
	})
	return h, err
}

// weigh is the question that is to be asked; its Why is "" when there is none.
func (p *placeRun) weigh(spent order.Ledger, l limits) store.Hold {
	d, images := p.draft, p.draft.Brief().Services()
	h := store.Hold{
		Draft: d.ID, Attempt: d.Attempt + 1, Print: d.Print(), Team: d.Team, Channel: d.Channel, User: d.User, View: p.body.View,
		Name: d.ProjectName, Images: d.Brief().Edited(), Spent: spent.Spent(d.Channel), Asks: l.AskedOf(), At: p.d.Now(),
	}
	h.Cost, h.Guessed = spent.Cost(d.Channel, images)
	over := func(limit int, cost decimal.Decimal) bool {
		return limit > 0 && cost.GreaterThan(decimal.NewFromInt(int64(limit)))
	}
	switch all := spent.Spent(""); {
	case !l.spends:
		h.Why = store.HoldSpender
	case over(l.OrderLimit, h.Cost):
		h.Why, h.Limit = store.HoldOrder, l.OrderLimit
	case over(l.MonthLimit, h.Spent.Add(h.Cost)):
		h.Why, h.Limit = store.HoldMonth, l.MonthLimit
	case over(l.account, all.Add(h.Cost)):
		h.Why, h.Limit, h.Spent, h.Asks = store.HoldAccount, l.account, all, p.access.Operators()
	}
	return h
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
		draft.Allowed = &store.Allowed{By: by.By, At: by.At, Print: h.Print, Account: h.Why == store.HoldAccount}
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
