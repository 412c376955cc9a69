package upstream

import (
	"context"
	"errors"
	"time"

	"darkroom/order"
)

// Call is one attempt at an operation, for metrics.
type Call struct {
	Op      string        // "create", "list": one of ours, never text of the service
	Outcome string        // one of [Outcomes]
	Again   bool          // a repeated read
	Waited  time.Duration // for the rate limit
	Took    time.Duration // from then until the answer was read; 0: nothing was sent
}

// The outcomes of an attempt.
const (
	OutcomeOK          = "ok"
	OutcomeRefused     = "refused"
	OutcomeUnknown     = "unknown"      // a write that the service may have carried out
	OutcomeUnavailable = "unavailable"  // no answer, or not one of the service
	OutcomeLimited     = "rate_limited" // the service's rate limit turned it away
	OutcomeNoSuchPath  = "no_such_path" // the service lacks the operation
	OutcomeNotSent     = "not_sent"     // given up before it was sent, or by the caller
)

// Outcomes returns all outcomes.
func Outcomes() []string {
	return []string{OutcomeOK, OutcomeRefused, OutcomeUnknown, OutcomeUnavailable, OutcomeLimited, OutcomeNoSuchPath, OutcomeNotSent}
}

// counted reports an attempt to the observer.
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
