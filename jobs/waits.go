package jobs

import (
	"cmp"
	"time"
)

// Waits are how long the jobs wait for what may still be under way. Zero is the real wait, which the constant
// documents. Only tests that run in real time set another.
type Waits struct {
	Settle time.Duration   // settleAfter
	Late   time.Duration   // late
	Scan   time.Duration   // scanInterval
	Looks  []time.Duration // looks
}

// orReal returns the waits with the real one for each that is zero.
func (w Waits) orReal() Waits {
	if len(w.Looks) == 0 {
		w.Looks = looks
	}
	return Waits{Settle: cmp.Or(w.Settle, settleAfter), Late: cmp.Or(w.Late, late), Scan: cmp.Or(w.Scan, scanInterval), Looks: w.Looks}
}
