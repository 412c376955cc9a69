package jobs

import (
	"cmp"
	"time"
)

// Waits are the times that jobs wait for a request that may still arrive. Zero stands for the constant named beside
// the field. Only tests that run in real time set others.
type Waits struct {
	Settle   time.Duration   // settleAfter
	Late     time.Duration   // lateAfter
	Scan     time.Duration   // readingInterval
	Searches []time.Duration // searchTimes
	Outcome  time.Duration   // outcomeAfter
}

// orReal replaces zero waits by their constants.
func (w Waits) orReal() Waits {
	if len(w.Searches) == 0 {
		w.Searches = searchTimes
	}
	w.Settle = cmp.Or(w.Settle, settleAfter)
	w.Late = cmp.Or(w.Late, lateAfter)
	w.Scan = cmp.Or(w.Scan, readingInterval)
	w.Outcome = cmp.Or(w.Outcome, outcomeAfter)
	return w
}

// outcomeAfter is how long a post that Slack did not confirm may still arrive: the bot client's ten seconds, and some
// for Slack.
const outcomeAfter = 15 * time.Second
