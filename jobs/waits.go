package jobs

import (
	"cmp"
	"time"
)

// Waits are how long the jobs wait for what may still be under way. Zero is the real wait, which the constant
// documents. Only tests that run in real time set another.
type Waits struct {
	Settle  time.Duration   // settleAfter
	Late    time.Duration   // late
	Scan    time.Duration   // scanInterval
	Looks   []time.Duration // looks
	Outcome time.Duration   // outcomeAfter
}

// orReal returns the waits with the real one for each that is zero.
func (w Waits) orReal() Waits {
	if len(w.Looks) == 0 {
		w.Looks = looks
	}
	w.Settle = cmp.Or(w.Settle, settleAfter)
	w.Late = cmp.Or(w.Late, late)
	w.Scan = cmp.Or(w.Scan, scanInterval)
	w.Outcome = cmp.Or(w.Outcome, outcomeAfter)
	return w
}

// outcomeAfter is how long a post that Slack did not confirm may still be under way: the bot client's ten seconds,
// and some for Slack.
const outcomeAfter = 15 * time.Second
