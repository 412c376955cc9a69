package commands

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards/place"
	"darkroom/commands/answer"
	"darkroom/jobs"
	"darkroom/store"
)

// holds takes the approvers' answers to questions about spending.
type holds struct {
	holds   *store.Holds
	ledgers *store.Ledgers
	jobs    *jobs.Jobs
	access  *access.Control
	answers *answer.Messages
}

// decideHold answers *Allow* and *Decline* of a question to a channel's approvers: once, by one who is an
// approver now.
func (c *holds) decideHold(ctx context.Context, r bot.Request) error {
	h, decided, err := c.holdFor(ctx, r)
	if err == nil && decided == nil {
		decided, err = c.answerHold(ctx, r, h)
	}
	if err != nil {
		return err
	}
	if err := c.jobs.Decisions.PutDecision(ctx, h); err != nil {
		return err
	}
	if decided.By != r.User || decided.Allowed != (r.Name == place.ActionAllow) {
		return c.answers.Send(ctx, r, place.HoldDecided(*decided))
	}
	return nil
}

// holdFor is the question whose button somebody pressed who may decide about it, and how it was answered; nil: not yet.
func (c *holds) holdFor(ctx context.Context, r bot.Request) (store.Hold, *store.HoldDecision, error) {
	h, decided, err := c.holds.Hold(ctx, r.Value)
	if errors.Is(err, store.ErrAbsent) || err == nil && h.Team != r.Team {
		err = answer.Sorry(place.HoldGone, "")
	}
	if err == nil {
		err = c.mayDecideHold(ctx, r, h)
	}
	return h, decided, err
}

// answerHold answers it, with what the month has cost by now, and returns the answer that holds. An approver does not
// allow their own order while there is another.
func (c *holds) answerHold(ctx context.Context, r bot.Request, h store.Hold) (*store.HoldDecision, error) {
	decision := store.HoldDecision{By: r.User, At: time.Now(), Allowed: r.Name == place.ActionAllow}
	if decision.Allowed && h.User == r.User {
		here := store.Tracked{Owner: store.Owner{Team: h.Team, Channel: h.Channel}}
		if another, err := c.access.AnotherDecides(ctx, r.User, here, h.Why == store.HoldAccount); err != nil || another {
			return nil, cmp.Or(err, answer.Sorry(place.NotOwnHold, ""))
		}
	}
	if h.Why == store.HoldMonth || h.Why == store.HoldAccount {
		ledger, err := c.ledgers.Ledger(ctx, h.Team, decision.At, "")
		if err != nil {
			return nil, err
		}
		decision.Spent = decimal.NewNullDecimal(h.SpentOf(ledger))
	}
	first, err := c.holds.DecideHold(ctx, h.ID(), decision)
	return &first, err
}

// showHoldCredits tells who decides about a question the credits that it leaves out, if they may read them.
func (c *holds) showHoldCredits(ctx context.Context, r bot.Request) error {
	h, _, err := c.holdFor(ctx, r)
	if err != nil {
		return err
	}
	reads, err := c.access.ReadsCredits(ctx, r)
	if err == nil && !reads {
		err = answer.Sorry(place.HoldCreditsDenied, "")
	}
	if err != nil {
		return err
	}
	return c.answers.Send(ctx, r, place.HoldCredits(h))
}

// mayDecideHold refuses whoever is no approver of the channel.
func (c *holds) mayDecideHold(ctx context.Context, r bot.Request, h store.Hold) error {
	here := store.Tracked{Owner: store.Owner{Team: h.Team, Channel: h.Channel}}
	permit, err := c.access.Authorize(ctx, r, here)
	if err == nil && !permit.Sees {
		return answer.Sorry(place.HoldGone, "")
	}
	if err := answer.CannotPost(h.Channel, permit.Denial, "", err); err != nil {
		return err
	}
	if h.Why == store.HoldAccount {
		if operator, err := c.access.IsOperatorNow(ctx, r); err != nil || operator {
			return err
		}
		return answer.Sorry(place.NotAllower(h.Channel, nil), "")
	}
	named, err := c.access.RequiredApprovers(ctx, r.User, here)
	if err != nil || len(named) == 0 {
		return err
	}
	return answer.Sorry(place.NotAllower(h.Channel, named), "")
}
