package queue

import (
	"time"
)

// Worked is one delivery of a job, when it has ended, for whoever counts them.
type Worked struct {
	Kind    string        // as it was put: perhaps one that this process does not know
	Outcome string        // one of [Outcomes]
	First   bool          // nobody had worked on it before
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
	OutcomeLost       = "lost"        // the claim was lost: somebody else works on it
)

// Outcomes are all of them.
func Outcomes() []string {
	return []string{OutcomeDone, OutcomeDead, OutcomeWaited, OutcomeFailed, OutcomeHandedBack, OutcomeLost}
}

// outcomes are the verbs of settle.lua as they are counted.
var outcomes = map[string]string{
	"done": OutcomeDone, "dead": OutcomeDead, "wait": OutcomeWaited, "retry": OutcomeFailed, "back": OutcomeHandedBack,
}

// observed tells of a delivery whose handler began then and ran so long.
func (r *runner) observed(d *Delivery, o outcome, began time.Time, took time.Duration, settled bool) {
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
