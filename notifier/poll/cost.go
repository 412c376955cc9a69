package poll

import (
	"context"
	"log/slog"
	"time"
)

// Cost is what one poll did and what it cost.
type Cost struct {
	Orders         int           // that can change
	Pages, Fetches int           // pages of the list, and orders by their ids, that were asked for
	Changes        int           // orders with news
	Turns          int64         // requests, those that were sent again counted
	Batches        int64         // in which their turns came
	Late           time.Duration // how long after it was due it began
	Took           time.Duration // all of it
	Failed         int           // orders that could not be read or recorded
	Blind          bool          // the service's news could not be read: no list of orders, no answer, or none about most orders
	Err            error         // what failed, of whatever kind; nil: nothing
}

// Turns is the pace of the calls that a poll makes.
type Turns interface {
	// Expect says how many calls are about to be made.
	Expect(calls int)
	// Taken is how many turns were taken so far, and in how many batches.
	Taken() (turns, batches int64)
}

// A poll is one line in the log, but an operator's log must not fill up: news is told once a minute at
// most, that all is quiet once an hour; all polls are logged at the level debug, those of one of many workspaces at no other.
const (
	sayNews  = time.Minute
	sayQuiet = time.Hour
)

// report tells of a poll.
func (p *Poller) report(ctx context.Context, c Cost) {
	if p.Observe != nil {
		p.Observe(c)
	}
	level := slog.LevelDebug
	if since := time.Since(p.said); p.Only && (since >= sayQuiet || since >= sayNews && c.Changes > 0) {
		level, p.said = slog.LevelInfo, time.Now()
	}
	p.Log.Log(ctx, level, "polled", "orders", c.Orders, "pages", c.Pages, "fetches", c.Fetches, "changes", c.Changes,
		"requests", c.Turns, "batches", c.Batches, "took", c.Took.Round(time.Millisecond))
}

// measured fills in what a poll took since it began.
func (p *Poller) measured(c Cost, began time.Time, turns, batches int64) Cost {
	c.Took = time.Since(began)
	if p.Turns == nil {
		c.Turns = int64(c.Pages + c.Fetches)
		return c
	}
	now, nowBatches := p.Turns.Taken()
	c.Turns, c.Batches = now-turns, nowBatches-batches
	return c
}
