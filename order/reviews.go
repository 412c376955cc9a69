package order

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// Reviews are the figures of the reviews of some orders.
type Reviews struct {
	Approvals   int       // approved orders whose round is known
	First       int       // of Approvals: in round 1
	MedianRound float64   // of Approvals; 0 without any
	Decided     Spread    // see [ReportRow.DecidedAfter]
	Unknown     int       // decided orders without a known round, delivery or decision
	Inspected   Inspected // of all orders, canceled ones too; see [ReportRow.Inspected]
}

// reviewsOf sums up the reviews of some orders.
func reviewsOf(rows []ReportRow) Reviews {
	var v Reviews
	var rounds []int
	var decided []time.Duration
	for _, r := range rows {
		v.Inspected = v.Inspected.Plus(r.Inspected)
		took, timed := r.DecidedAfter()
		if timed {
			decided = append(decided, took)
		}
		approved := r.Status == StatusClosed
		if round, known := r.Round(); known && approved {
			rounds = append(rounds, round)
		}
		_, delivered := r.ReadyAfter()
		if (approved || r.Rounds > 0) && (r.RoundsUnknown || !timed || !delivered) {
			v.Unknown++
		}
	}
	v.Approvals, v.Decided = len(rounds), spreadOf(decided)
	if n := len(rounds); n > 0 {
		slices.Sort(rounds)
		v.MedianRound = float64(rounds[(n-1)/2]+rounds[n/2]) / 2
		v.First, _ = slices.BinarySearch(rounds, 2)
	}
	return v
}

// DecidedAfter returns the time from the first delivery to its approval or request for changes; false without a decision,
// or if a time is unknown.
func (r ReportRow) DecidedAfter() (time.Duration, bool) {
	decided := r.Changes
	if decided.IsZero() && r.Status == StatusClosed && r.Rounds == 0 && !r.RoundsUnknown {
		decided = r.Ended
	}
	return since(r.Ready, decided)
}

// Round returns the round in which the order is in review or was approved, from 1; false for other orders, and if the
// service told no revision.
func (r ReportRow) Round() (int, bool) {
	return r.Rounds + 1, r.delivered() && !r.RoundsUnknown
}

func (r ReportRow) delivered() bool { return r.Status == StatusReviewing || r.Status == StatusClosed }

// Names of groups that have no name of their own.
const (
	NoPreset     = " " // no preset filled the form; a preset's name is trimmed, so none is called so
	NoRound      = "0" // not in review and not approved
	UnknownRound = "?"
)

// preset returns the group of the order's preset; "" if it is hidden from the reader, like the channel.
func (r ReportRow) preset() string {
	if r.Channel == "" {
		return ""
	}
	return cmp.Or(r.Preset, NoPreset)
}

// round returns the group of the order's round.
func (r ReportRow) round() string {
	n, known := r.Round()
	switch {
	case known:
		return strconv.Itoa(n)
	case r.delivered():
		return UnknownRound
	}
	return NoRound
}
