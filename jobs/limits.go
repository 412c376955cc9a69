package jobs

import (
	"context"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/access"
	"darkroom/jobs/accounts"
	"darkroom/order"
	"darkroom/store"
)

// An approver must allow an order over a channel's limits, or by a person who may not spend. That is checked here,
// where every way of ordering ends: the form, Order again, Try again, an old form, another replica. The draft goes back
// to its person like a refused one. An approval submits its next attempt, once.

// Limits checks orders against the limits of their channel and of the account.
type Limits struct {
	ledgers  *store.Ledgers
	settings *store.ChannelSettings
	access   *access.Control
	operator *accounts.Account // has the price list
	weighing sync.Mutex        // held while an order is checked against a month's limit and counted
}

// limits are the limits of one order.
type limits struct {
	store.Decides
	spends  bool // the person needs no approval within the limits
	account int  // credits a month of all channels together; 0: no limit
	counts  bool // the order counts for a month's limit, even if it was allowed
	prices  order.PriceList
}

// of returns the limits of the draft. An approver's permission lifts those of the channel, an operator's also the
// account's.
func (j *Limits) of(ctx context.Context, d store.Draft, decides store.Decides) (l limits, err error) {
	account, err := j.settings.Account(ctx, d.Team)
	if err != nil {
		return l, err
	}
	l = limits{Decides: decides, account: account.MonthLimit, counts: decides.Limited() || account.MonthLimit > 0}
	if l.prices, err = j.operator.Prices(ctx); err != nil {
		return l, err
	}
	if !d.Allowed.Covers(d) {
		l.spends, err = j.access.Spends(ctx, d.User, decides)
		return l, err
	}
	if l.Decides, l.spends = (store.Decides{}), true; d.Allowed.Account {
		l.account = 0
	}
	return l, nil
}

// reserve counts the cost of an order before it is sent, or returns the question to ask first; without one, its Why is
// "". Without a month's limit, the order counts once it is placed.
func (j *Limits) reserve(ctx context.Context, d *store.Draft, window string, now time.Time, l limits) (h store.Hold, err error) {
	if l.spends && !l.counts {
		return h, nil
	}
	j.weighing.Lock() // spares conflicts in Redis within this process
	defer j.weighing.Unlock()
	d.SpentIn = store.SpendingMonth(now)
	err = j.ledgers.Reserve(ctx, *d, now, func(spent order.Ledger) bool {
		h = j.weigh(*d, spent, now, l)
		h.View = window
		return h.Why == ""
	})
	return h, err
}

// weigh returns the question to ask; without one, its Why is "".
func (j *Limits) weigh(d store.Draft, spent order.Ledger, now time.Time, l limits) store.Hold {
	images := d.Brief().Services()
	h := store.Hold{
		Draft: d.ID, Attempt: d.Attempt + 1, Print: d.Print(), Team: d.Team, Channel: d.Channel, User: d.User,
		Name: d.ProjectName, Images: d.Brief().Edited(), Spent: spent.Spent(d.Channel), Asks: l.AskedOf(), At: now,
	}
	h.Cost, h.Guessed = spent.Cost(d.Channel, images)
	if listed, source := (order.PriceGuide{List: l.prices}).Cost(d.ByService()); source == order.FromList {
		h.Cost, h.Guessed, h.Listed = listed, false, true
	}
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
		h.Why, h.Limit, h.Spent, h.Asks = store.HoldAccount, l.account, all, j.access.Operators()
	}
	return h
}
