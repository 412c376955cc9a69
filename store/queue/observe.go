package queue

import (
	"time"
)

// Worked describes a delivery that has ended, for metrics.
type Worked struct {
	Kind    string        // perhaps unknown to this process
	Outcome string        // one of [Outcomes]
	First   bool          // the job's first delivery
	Waited  time.Duration // from when it was due until this delivery began, by the clock of Redis
	Took    time.Duration // its handler
	Age     time.Duration // from when it was due until now, by the clock of Redis
}

// How a delivery ended.
const (
	OutcomeDone       = "done"
	OutcomeDead       = "dead"        // it cannot succeed
	OutcomeWaited     = "waited"      // it comes again, and no attempt was used
	OutcomeFailed     = "failed"      // it comes again, and one attempt was used
	OutcomeHandedBack = "handed_back" // this process stops
	OutcomeLost       = "lost"        // the claim was lost: another worker has it
)

// Outcomes returns all outcomes.
func Outcomes() []string {
	return []string{OutcomeDone, OutcomeDead, OutcomeWaited, OutcomeFailed, OutcomeHandedBack, OutcomeLost}
}

// outcomes maps the verbs of settle.lua to outcomes.
var outcomes = map[string]string{
	"done": OutcomeDone, "dead": OutcomeDead, "wait": OutcomeWaited, "retry": OutcomeFailed, "back": OutcomeHandedBack,
}

// observe reports a delivery to [Options].Observe.
func (r *runner) observe(d *Delivery, o outcome, began time.Time, took time.Duration, settled bool) {
	if r.q.o.Observe == nil {
		return
	}
	w := Worked{
		Kind: d.Kind, Outcome: OutcomeLost, First: d.Deliveries == 1, Took: took,
		Waited: d.claimedAt.Add(began.Sub(d.since)).Sub(d.DueAt), Age: d.Now().Sub(d.DueAt),
	}
	if settled {
		w.Outcome = outcomes[o.verb]
	}
	r.q.o.Observe(w)
}
