package jobs

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
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
	counts  bool // there is a limit of a month that this order counts for, also when it was allowed
}

// limitsOf are those of the draft. What an approver allowed goes over those of the channel, and what an operator
// allowed over the account's, too.
func (p *placeRun) limitsOf(ctx context.Context, decides store.Decides) (l limits, err error) {
	account, err := p.store.Account(ctx, p.draft.Team)
	if err != nil {
		return l, err
	}
	l = limits{Decides: decides, account: account.MonthLimit, counts: decides.Limited() || account.MonthLimit > 0}
	if !p.draft.Allowed.Covers(p.draft) {
		l.spends, err = p.access.Spends(ctx, p.draft.User, decides)
		return l, err
	}
	if l.Decides, l.spends = (store.Decides{}), true; p.draft.Allowed.Account {
		l.account = 0
	}
	return l, nil
}

// asksFirst holds the order back if an approver must be asked, and asks. An approval stands for exactly
// what was shown: what was changed since is asked anew.
func (p *placeRun) asksFirst(ctx context.Context, decides store.Decides) (bool, error) {
	l, err := p.limitsOf(ctx, decides)
	if err != nil {
		return false, err
	}
	h, err := p.reserve(ctx, l)
	if err != nil {
		return false, err
	}
	if old := p.draft.Held; old != nil && old.Batch == "" {
		if err := p.end(ctx, *old, store.HoldDecision{At: p.d.Now(), Anew: true}); err != nil {
			return false, err
		}
	}
	if h.Why == "" {
		return false, nil
	}
	h.Batch = p.togetherWith()
	if h.Batch == "" {
		if err := p.ask(ctx, h); err != nil {
			return false, err
		}
	}
	p.draft.Held = &h
	return true, p.giveBack(ctx, nil)
}

// togetherWith is the batch whose question the order is part of: that of which a batch tells how it ends. It is ""
// of an order that its person submits themselves.
func (p *placeRun) togetherWith() string {
	if p.body.View != "" {
		return ""
	}
	return p.draft.Batch
}

// ask puts a question to the approvers, and sees to its end.
func (j *Jobs) ask(ctx context.Context, h store.Hold) error {
	h.Hides = !j.allRead(ctx, h.Team, h.Channel)
	if err := j.store.AskHold(ctx, h); err != nil {
		return err
	}
	ends, err := NewJob(HeldJob, HeldJob+":"+h.ID()+":ends", heldLane(h), heldArgs{Hold: h.ID(), Ends: true})
	if err == nil {
		_, err = j.queue.PutAfter(ctx, ends, store.HoldLife)
	}
	if err != nil {
		return err
	}
	j.tellOfLimit(ctx, h)
	return nil
}

// tellOfLimit tells the operations channel, once a day, that the account's limit is reached. Who asks in the order's
// channel may call no operator, and none may be in there.
func (j *Jobs) tellOfLimit(ctx context.Context, h store.Hold) {
	note := "over-limit:" + h.Team
	if h.Why != store.HoldAccount || j.ops == nil || !j.first(ctx, note, 24*time.Hour) {
		return
	}
	if said, err := j.ops(ctx, cards.OpsLimit(h)); !said {
		j.log.WarnContext(ctx, "operations channel not told that a limit is reached", "err", err)
		j.forgetSaid(ctx, note)
	}
}

// reserve counts what the order will cost before it is sent, unless there is a question to be asked: its Why is ""
// when there is none. Where nothing limits what a month costs, the order counts once it is placed.
func (p *placeRun) reserve(ctx context.Context, l limits) (h store.Hold, err error) {
	if l.spends && !l.counts {
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

// end ends a question so, if nobody has answered it.
func (j *Jobs) end(ctx context.Context, h store.Hold, how store.HoldDecision) error {
	if _, err := j.store.DecideHold(ctx, h.ID(), how); err != nil {
		return err
	}
	return j.store.ShowHold(ctx, h.ID(), "decided")
}

// EndHold ends the question about a draft that was placed or discarded without an answer. A question about several
// orders stays open for the others.
func (j *Jobs) EndHold(ctx context.Context, d store.Draft) error {
	if d.Held != nil && d.Held.Batch == "" && !slices.Contains(d.Allowed.Questions(), d.Held.ID()) {
		if err := j.end(ctx, *d.Held, store.HoldDecision{At: time.Now(), Became: d.State}); err != nil {
			return err
		}
	}
	return j.showAllowed(ctx, d, string(d.State))
}

// showAllowed shows at that stage what became of a draft, in the questions whose answer allowed it.
func (j *Jobs) showAllowed(ctx context.Context, d store.Draft, stage string) error {
	for _, id := range d.Allowed.Questions() {
		if err := j.store.ShowHold(ctx, id, stage+strconv.Itoa(d.Attempt)); err != nil {
			return err
		}
	}
	return nil
}
