package poll

import (
	"context"
	"log/slog"
	"time"
)

// Cost is the work of one poll.
type Cost struct {
	Orders         int           // active orders
	Pages, Fetches int           // list pages, and orders by id, that were requested
	Changes        int           // orders with new events
	Requests       int64         // requests, including retries
	Batches        int64         // in which the requests' slots were reserved
	Late           time.Duration // delay after the due time
	Took           time.Duration // total duration
	Failed         int           // orders that could not be read or recorded
	Blind          bool          // most changes could not be read: no list, no answer, or no answer for most orders
	Err            error         // all errors, joined
}

// Slots is the rate limit of a poll's calls.
type Slots interface {
	// Expect announces how many calls are about to be made.
	Expect(calls int)
	// Taken returns how many slots were taken so far, and in how many batches.
	Taken() (turns, batches int64)
}

// Each poll is one log line at debug. For the only workspace, polls with changes are logged at info once a
// minute at most, and quiet ones once an hour, to keep an operator's log short.
const (
	changesEvery = time.Minute
	quietEvery   = time.Hour
)

// report observes and logs a poll.
func (p *Poller) report(ctx context.Context, c Cost) {
	if p.Observe != nil {
		p.Observe(c)
	}
	level := slog.LevelDebug
	if since := time.Since(p.lastInfo); p.Only && (since >= quietEvery || since >= changesEvery && c.Changes > 0) {
		level, p.lastInfo = slog.LevelInfo, time.Now()
	}
	p.Log.Log(ctx, level, "polled", "orders", c.Orders, "pages", c.Pages, "fetches", c.Fetches, "changes", c.Changes,
		"requests", c.Requests, "batches", c.Batches, "took", c.Took.Round(time.Millisecond))
}

// measured adds duration and requests to a poll's cost.
func (p *Poller) measured(c Cost, began time.Time, turns, batches int64) Cost {
	c.Took = time.Since(began)
	if p.Slots == nil {
		c.Requests = int64(c.Pages + c.Fetches)
		return c
	}
	now, nowBatches := p.Slots.Taken()
	c.Requests, c.Batches = now-turns, nowBatches-batches
	return c
}
