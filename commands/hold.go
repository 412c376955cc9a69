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

// holds handles approvers' answers to orders that wait for permission to spend.
type holds struct {
	holds   *store.Holds
	ledgers *store.Ledgers
	jobs    *jobs.Jobs
	access  *access.Control
	answers *answer.Messages
}

// decideHold handles *Allow* and *Decline*. A hold is decided once, by a person who is an approver at that moment.
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

// holdFor returns the hold of a button that the person may decide, and its decision, nil while open.
func (c *holds) holdFor(ctx context.Context, r bot.Request) (store.Hold, *store.HoldDecision, error) {
	h, decided, err := c.holds.Hold(ctx, r.Value)
	if errors.Is(err, store.ErrAbsent) || err == nil && h.Team != r.Team {
		err = answer.Refuse(place.HoldGone, "")
	}
	if err == nil {
		err = c.mayDecideHold(ctx, r, h)
	}
	return h, decided, err
}

// answerHold stores the decision with the month's spending, and returns the first stored one. Approvers cannot allow
// their own order while another approver exists.
func (c *holds) answerHold(ctx context.Context, r bot.Request, h store.Hold) (*store.HoldDecision, error) {
	decision := store.HoldDecision{By: r.User, At: time.Now(), Allowed: r.Name == place.ActionAllow}
	if decision.Allowed && h.User == r.User {
		here := store.Tracked{Owner: store.Owner{Team: h.Team, Channel: h.Channel}}
		if another, err := c.access.AnotherDecides(ctx, r.User, here, h.Why == store.HoldAccount); err != nil || another {
			return nil, cmp.Or(err, answer.Refuse(place.NotOwnHold, ""))
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

// showHoldCredits shows an approver the credits that the question leaves out, if they may read them.
func (c *holds) showHoldCredits(ctx context.Context, r bot.Request) error {
	h, _, err := c.holdFor(ctx, r)
	if err != nil {
		return err
	}
	reads, err := c.access.ReadsCredits(ctx, r)
	if err == nil && !reads {
		err = answer.Refuse(place.HoldCreditsDenied, "")
	}
	if err != nil {
		return err
	}
	return c.answers.Send(ctx, r, place.HoldCredits(h))
}

// mayDecideHold refuses a person who is not an approver of the hold.
func (c *holds) mayDecideHold(ctx context.Context, r bot.Request, h store.Hold) error {
	here := store.Tracked{Owner: store.Owner{Team: h.Team, Channel: h.Channel}}
	permit, err := c.access.Authorize(ctx, r, here)
	if err == nil && !permit.Sees {
		return answer.Refuse(place.HoldGone, "")
	}
	if err := answer.CannotPost(h.Channel, permit.Denial, "", err); err != nil {
		return err
	}
	if h.Why == store.HoldAccount {
		if operator, err := c.access.IsOperatorNow(ctx, r); err != nil || operator {
			return err
		}
		return answer.Refuse(place.NotAllower(h.Channel, nil), "")
	}
	named, err := c.access.RequiredApprovers(ctx, r.User, here)
	if err != nil || len(named) == 0 {
		return err
	}
	return answer.Refuse(place.NotAllower(h.Channel, named), "")
}
