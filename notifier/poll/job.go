package poll

import (
	"context"
	"errors"
	"time"

	"darkroom/store/queue"
)

// A workspace's poll is one job that never finishes, see [tenants.PollJob]. The queue delivers it when it
// is due, to one replica at a time, and to another if a replica dies.

const (
	answerTime  = 10 * time.Second // bounds the wait for a service's first answer
	patientTime = time.Minute      // the same for every fourth poll of a silent service
	patientPoll = 4
	pollTime    = 20 * time.Minute // for a whole poll: 100,000 orders at five calls a second
	idleTime    = 24 * time.Hour   // an idle workspace is polled after this; new work wakes it
)

// pollState is what a poll saves for the next one, on any replica.
type pollState struct {
	Silent int           `json:"silent,omitempty"` // polls in a row without an answer
	Cutoff *pagingCutoff `json:"cutoff,omitempty"`
}

// Work handles one delivery of the workspace's poll. It polls, and returns when the next poll is due as a
// [queue.Wait] or [queue.Idle]. A failed poll returns an ordinary wait, so the job never dies.
func (p *Poller) Work(ctx context.Context, d *queue.Delivery) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	before, err := queue.State[pollState](d)
	if err != nil {
		p.Log.InfoContext(ctx, "state of the poll not read, it begins anew", "err", err)
	}
	p.state = before
	now := d.Now()
	if !p.Only && before.Silent == 0 && now.Before(p.dueOf(d)) {
		return queue.Wait(p.schedule.next(now).Sub(now)) // it was woken, or it is new
	}
	work, cancel := context.WithTimeout(ctx, pollTime)
	defer cancel()
	err = contained(work, p.Log, func() error { return p.poll(work, max(now.Sub(p.dueOf(d)), 0)) })
	if ctx.Err() != nil {
		return ctx.Err() // the claim was lost or the process stops: another worker polls
	}
	p.logFailure(ctx, err)
	silent := errors.Is(err, ErrNoAnswer)
	p.state.Silent++
	if !silent {
		p.state.Silent = 0
	}
	if p.state != before { // a changed cutoff has another address
		if err := d.SetState(ctx, p.state); err != nil {
			p.Log.InfoContext(ctx, "state of the poll not kept", "err", err)
		}
	}
	if silent {
		return queue.Idle(p.schedule.backoff(p.state.Silent))
	}
	if err == nil {
		if wait, idle := p.idles(ctx); idle {
			return queue.Idle(wait)
		}
	}
	now = d.Now()
	return queue.Wait(p.schedule.next(now).Sub(now))
}

// dueOf returns when the delivery was due. A new job is due at the workspace's next time.
func (p *Poller) dueOf(d *queue.Delivery) time.Time {
	if d.WaitedUntil.IsZero() {
		return p.schedule.next(d.PutAt)
	}
	return d.WaitedUntil
}

// answerWait returns how long this poll waits for a first answer.
func (p *Poller) answerWait() time.Duration {
	if p.state.Silent%patientPoll == patientPoll-1 {
		return patientTime
	}
	return answerTime
}

// idles reports whether the workspace has nothing to poll, and for how long at most.
func (p *Poller) idles(ctx context.Context) (time.Duration, bool) {
	if p.Only || p.busy {
		return 0, false
	}
	if reminds, err := p.Reminders.wanted(ctx); reminds || err != nil {
		return 0, false
	}
	next := idleTime
	if p.Retention.Full > 0 {
		var err error
		if next, err = p.Store.Retirement.ApplyRetention(ctx, p.Retention); err != nil {
			return 0, false
		}
	}
	return max(next, p.schedule.period), true
}

// Busy reports whether the last poll had something to poll.
func (p *Poller) Busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.busy
}

// logFailure logs a failed poll. With many workspaces, only the first failure in a row is a warning, so
// that the log stays short.
func (p *Poller) logFailure(ctx context.Context, err error) {
	if err == nil {
		p.failing = false
		return
	}
	if p.failing && !p.Only {
		p.Log.DebugContext(ctx, "poll failed again", "err", err)
		return
	}
	p.failing = true
	p.Log.WarnContext(ctx, "poll failed", "err", err)
}
