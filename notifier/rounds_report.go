package notifier

import (
	"context"
	"log/slog"
	"time"
)

// sumOfPolls is what the log is told of many polls in one line.
type sumOfPolls struct {
	said          time.Time
	polls, failed int
	late          time.Duration // of the latest one that was not slow
}

// add counts a poll. Once an hour it returns what there is to say; nil: nothing now.
func (s *sumOfPolls) add(v Visit, now time.Time) *sumOfPolls {
	s.polls++
	if v.Err != nil {
		s.failed++
	}
	if !v.Slow {
		s.late = max(s.late, v.Late)
	}
	if now.Sub(s.said) < sayQuiet {
		return nil
	}
	sum := *s
	*s = sumOfPolls{said: now}
	return &sum
}

// report tells of a poll, and of many. A failure is told when it is new: ten thousand workspaces must not fill a log up.
func (r *Rounds) report(ctx context.Context, v Visit, news bool, sum *sumOfPolls) {
	if r.Observe != nil {
		r.Observe(v)
	}
	if v.Err != nil {
		level := slog.LevelDebug
		if news {
			level = slog.LevelWarn
		}
		r.Log.Log(ctx, level, "poll failed", "workspace", v.Workspace, "err", v.Err)
	}
	if sum != nil {
		r.Log.InfoContext(ctx, "rounds", "polls", sum.polls, "failed", sum.failed, "latest", sum.late.Round(time.Millisecond))
	}
}

// putOff says, once a minute at most, that the rounds cannot go on: Redis does not tell what they need.
func (r *Rounds) putOff(ctx context.Context, lacking string, err error) {
	if ctx.Err() != nil {
		return
	}
	r.mu.Lock()
	soon := time.Since(r.told) < sayNews
	if !soon {
		r.told = time.Now()
	}
	r.mu.Unlock()
	if !soon {
		r.Log.WarnContext(ctx, "rounds put off", "lacking", lacking, "err", err)
	}
}
