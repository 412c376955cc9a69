package notifier

import (
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// ParseSchedule reads when to poll: a cron line of five fields, or of six
// with seconds first, or a descriptor such as "@every 30s". Less than a second
// between two ticks is refused.
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
