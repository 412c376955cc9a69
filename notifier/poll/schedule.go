package poll

import (
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// ParseSchedule reads when to poll: a cron line of five fields, or of six
// with seconds first, or a descriptor such as "@every 30s". Less than a second
// between two polls is refused.
func ParseSchedule(spec string) (cron.Schedule, error) {
	if every, ok := strings.CutPrefix(spec, "@every "); ok {
		return parseEvery(every)
	}
	parser := cron.NewParser(cron.SecondOptional | cron.Minute | cron.Hour |
		cron.Dom | cron.Month | cron.Dow | cron.Descriptor)
	schedule, err := parser.Parse(spec)
	if err != nil {
		return nil, fmt.Errorf("schedule %q: %w", spec, err)
	}
	return schedule, nil
}

// parseEvery is stricter than cron, which rounds a shorter period up silently.
func parseEvery(period string) (cron.Schedule, error) {
	d, err := time.ParseDuration(strings.TrimSpace(period))
	if err != nil {
		return nil, fmt.Errorf("schedule @every: %w", err)
	}
	if d < time.Second {
		return nil, fmt.Errorf("schedule @every %s: at least 1s", d)
	}
	return cron.Every(d), nil
}

// maxSpread bounds the spread of polls behind a time of day: an operator who asks for nine o'clock means about nine.
const maxSpread = 5 * time.Minute

// pollSchedule says when each workspace is polled: as often as the schedule says, at its own offset within a period, so that
// thousands do not begin in the same second. The offset comes from the workspace's id, so all replicas agree on it.
type pollSchedule struct {
	schedule cron.Schedule
	period   time.Duration // the shortest between two times of the schedule
	offset   time.Duration // of the workspace
}

// newPollSchedule reads a schedule, see [ParseSchedule], for a workspace; that of "" has no offset.
func newPollSchedule(spec, workspace string) (pollSchedule, error) {
	schedule, err := ParseSchedule(spec)
	if err != nil {
		return pollSchedule{}, err
	}
	if every, is := schedule.(cron.ConstantDelaySchedule); is {
		return pollSchedule{aligned(every.Delay), every.Delay, offset(workspace, every.Delay)}, nil
	}
	period := shortest(schedule, time.Now())
	return pollSchedule{schedule, period, offset(workspace, min(period, maxSpread))}, nil
}

// aligned is due at whole multiples of a period. cron's own schedule counts from the time of the question.
type aligned time.Duration

// Next implements [cron.Schedule].
func (a aligned) Next(after time.Time) time.Time {
	return after.Truncate(time.Duration(a)).Add(time.Duration(a))
}

// foreseen is how many times of a schedule are compared to find its shortest period.
const foreseen = 200

// shortest returns the shortest period between the next times of a schedule. A schedule without a next time, such as
// the 30th of February, has the longest period.
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

// offset spreads workspaces evenly over a period.
func offset(workspace string, spread time.Duration) time.Duration {
	if workspace == "" {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(workspace)) // never fails
	return time.Duration(float64(mixed(h.Sum64())>>11) / (1 << 53) * float64(spread))
}

// mixed spreads the bits of a hash. Consecutive ids differ in their last letters, which FNV puts into the low bits.
func mixed(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// next returns the first time after a time at which the workspace is due.
func (t pollSchedule) next(after time.Time) time.Time {
	due := t.schedule.Next(after.Add(-t.offset))
	if due.IsZero() {
		return after.Add(math.MaxInt64) // never
	}
	return due.Add(t.offset)
}

// maxBackoff bounds how long a service that does not answer is left alone.
const maxBackoff = 3 * time.Minute

// backoff returns how long to wait after the given number of polls in a row without an answer: the period, doubled with
// each of them.
func (t pollSchedule) backoff(silent int) time.Duration {
	wait := t.period
	for ; silent > 1 && wait < maxBackoff; silent-- {
		wait *= 2
	}
	return max(min(wait, maxBackoff), t.period)
}
