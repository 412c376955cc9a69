package bot

import (
	"context"
	"errors"
	"time"
)

// Answered is one request that was answered, for whoever counts them.
type Answered struct {
	Kind    Kind
	Name    string        // what its handler is registered for: see [Request]; foreign text where it has none
	Verb    string        // of a command, as it was typed
	Outcome string        // [OutcomeOK] or why the request was not confirmed
	Took    time.Duration // from when it was heard to when its answer was ready
}

// How a request was answered. Of all but [OutcomeOK] the log has a reference.
const (
	OutcomeOK     = "ok"
	OutcomeLate   = "late"   // its handler did not answer within 2.5 s
	OutcomeBusy   = "busy"   // as many handlers ran as may
	OutcomeFailed = "failed" // its handler failed or panicked, or it is a form that nobody handles
)

// Observe sets what is told of each request, once, when its answer is ready and has not been sent yet: it
// must return at once. Set it before the first request.
func (r *Router) Observe(observe func(Answered)) { r.observe = observe }

func outcomeOf(err error) string {
	switch {
	case err == nil:
		return OutcomeOK
	case errors.Is(err, errLate), errors.Is(err, context.DeadlineExceeded):
		return OutcomeLate
	case errors.Is(err, errBusy):
		return OutcomeBusy
	}
	return OutcomeFailed
}
