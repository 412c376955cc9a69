package poll

import (
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// ParseSchedule parses a poll schedule: a cron line of five fields, of six with seconds first, or a
// descriptor such as "@every 30s". It rejects periods below a second.
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

// parseEvery is stricter than cron, which silently rounds a shorter period up.
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

// maxSpread bounds the offsets after a time of day: an operator who sets nine o'clock means about nine.
const maxSpread = 5 * time.Minute

// pollSchedule computes a workspace's poll times: the schedule's times plus the workspace's offset, so
// that thousands do not start in the same second. The offset is derived from the workspace's id, so all
// replicas agree.
type pollSchedule struct {
	schedule cron.Schedule
	period   time.Duration // shortest time between two polls
	offset   time.Duration // the workspace's
}

// newPollSchedule parses a schedule for a workspace. The workspace "" has no offset.
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

// aligned is due at whole multiples of a period; cron's own schedule counts from the time of the call.
type aligned time.Duration

// Next implements [cron.Schedule].
func (a aligned) Next(after time.Time) time.Time {
	return after.Truncate(time.Duration(a)).Add(time.Duration(a))
}

// comparedTimes is how many times of a schedule are compared to find its shortest period.
const comparedTimes = 200

// shortest returns the shortest period between the schedule's next times. A schedule that never fires,
// such as 30 February, has the longest period.
func shortest(schedule cron.Schedule, from time.Time) time.Duration {
	least := time.Duration(math.MaxInt64)
	at := schedule.Next(from)
	for range comparedTimes {
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

// mixed spreads the bits of a hash. Consecutive ids differ in their last letters, which FNV puts into the
// low bits.
func mixed(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// next returns the workspace's first due time after a time.
func (t pollSchedule) next(after time.Time) time.Time {
	due := t.schedule.Next(after.Add(-t.offset))
	if due.IsZero() {
		return after.Add(math.MaxInt64) // never
	}
	return due.Add(t.offset)
}

// maxBackoff bounds the wait for a silent service.
const maxBackoff = 3 * time.Minute

// backoff returns the wait after a number of polls in a row without an answer: the period, doubled each
// time.
func (t pollSchedule) backoff(silent int) time.Duration {
	wait := t.period
	for ; silent > 1 && wait < maxBackoff; silent-- {
		wait *= 2
	}
	return max(min(wait, maxBackoff), t.period)
}
