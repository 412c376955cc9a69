package bot

import (
	"context"
	"errors"
	"time"
)

// Answered is the outcome of one request, for metrics.
type Answered struct {
	Kind    Kind
	Name    string        // see [Request]; untrusted text if the request has no handler
	Verb    string        // the command's first word, as typed
	Outcome string        // [OutcomeOK] or why the request was not confirmed
	Took    time.Duration // from arrival until the answer was ready
}

// The outcomes of a request. The log has a reference for each except [OutcomeOK].
const (
	OutcomeOK     = "ok"
	OutcomeLate   = "late"   // the handler took longer than 2.5 s
	OutcomeBusy   = "busy"   // all handler slots were taken
	OutcomeFailed = "failed" // the handler failed or panicked, or a form has no handler
)

// Observe sets a function that is called once for each request, before its answer is sent. It must return
// at once. Set it before the first request.
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
