package notifier

import (
	"hash/fnv"
	"math"
	"time"

	"github.com/robfig/cron/v3"
)

// mostSpread is over how long a round is spread at most whose schedule names times of day: who asked for nine
// o'clock means about then.
const mostSpread = 5 * time.Minute

// timetable is when each workspace is polled: all as often as the schedule says, each at a place of its own
// within a period, so that ten thousand do not begin in one second. The place comes from the workspace's name
// alone: whoever holds its shard, and whenever that began, it is the same.
type timetable struct {
	schedule cron.Schedule
	period   time.Duration // the shortest between two ticks
	spread   time.Duration // of the places of one tick
}

// newTimetable reads a schedule, see [ParseSchedule].
func newTimetable(spec string) (timetable, error) {
	schedule, err := ParseSchedule(spec)
	if err != nil {
		return timetable{}, err
	}
	if every, is := schedule.(cron.ConstantDelaySchedule); is {
		return timetable{aligned(every.Delay), every.Delay, every.Delay}, nil
	}
	period := shortest(schedule, time.Now())
	return timetable{schedule, period, min(period, mostSpread)}, nil
}

// aligned ticks at whole multiples of a period: cron's own counts from when it is asked.
type aligned time.Duration

// Next implements [cron.Schedule].
func (a aligned) Next(after time.Time) time.Time {
	return after.Truncate(time.Duration(a)).Add(time.Duration(a))
}

// foreseen is how many ticks are looked at to learn how close they come.
const foreseen = 200

// shortest is the shortest time between two ticks that come next. A schedule that has none any more, as one for
// the 30th of February, is one that never comes.
func shortest(schedule cron.Schedule, from time.Time) time.Duration {
	least := time.Duration(math.MaxInt64)
	at := schedule.Next(from)
	for range foreseen {
		next := schedule.Next(at)
		if at.IsZero() || next.IsZero() {
			break
		}
		least, at = min(least, next.Sub(at)), next
	}
	return least
}

// place is how long after a tick a workspace is polled.
func (t timetable) place(workspace string) time.Duration {
	h := fnv.New64a()
	_, _ = h.Write([]byte(workspace)) // never fails
	return time.Duration(float64(mixed(h.Sum64())>>11) / (1 << 53) * float64(t.spread))
}

// mixed spreads the bits of a hash: ids of one workspace after the other differ in their last letters alone, which
// FNV brings to the low bits first.
func mixed(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// next is the first time after one that is at the given place behind a tick.
func (t timetable) next(place time.Duration, after time.Time) time.Time {
	tick := t.schedule.Next(after.Add(-place))
	if tick.IsZero() {
		return after.Add(math.MaxInt64) // never
	}
	return tick.Add(place)
}
