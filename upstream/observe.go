package upstream

import (
	"context"
	"errors"
	"time"

	"darkroom/order"
)

// Call is one attempt at an operation, for whoever counts them.
type Call struct {
	Op      string        // "create", "list": one of ours, never foreign text
	Outcome string        // one of [Outcomes]
	Again   bool          // a read that was sent before
	Waited  time.Duration // until the rate let it go
	Took    time.Duration // from then until its answer was read; 0 = nothing was sent
}

// How an attempt ended.
const (
	OutcomeOK          = "ok"
	OutcomeRefused     = "refused"
	OutcomeUnknown     = "unknown"      // a write that may have been carried out
	OutcomeUnavailable = "unavailable"  // no answer, or none of the service's
	OutcomeLimited     = "rate_limited" // the service turned it away for coming too often
	OutcomeNoSuchPath  = "no_such_path" // not every service offers it
	OutcomeNotSent     = "not_sent"     // given up before it was sent, or by whoever asked
)

// Outcomes are all of them.
func Outcomes() []string {
	return []string{OutcomeOK, OutcomeRefused, OutcomeUnknown, OutcomeUnavailable, OutcomeLimited, OutcomeNoSuchPath, OutcomeNotSent}
}

// counted tells of an attempt.
func (c *Client) counted(call Call, err error) {
	if c.cfg.Observe != nil {
		call.Outcome = call.outcome(err)
		c.cfg.Observe(call)
	}
}

func (c Call) outcome(err error) string {
	switch {
	case err == nil:
		return OutcomeOK
	case c.Took == 0, errors.Is(err, context.Canceled) && !errors.Is(err, order.ErrUnknown):
		return OutcomeNotSent
	case errors.Is(err, order.ErrRateLimited):
		return OutcomeLimited
	case errors.Is(err, order.ErrUnknown):
		return OutcomeUnknown
	case errors.Is(err, order.ErrNoSuchPath):
		return OutcomeNoSuchPath
	case errors.Is(err, order.ErrUnavailable):
		return OutcomeUnavailable
	}
	return OutcomeRefused
}
