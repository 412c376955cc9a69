package store

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"golang.org/x/time/rate"
)

// How long a call may wait for Redis to say its turn, and how long Redis is
// left alone after it did not.
const (
	ratePatience = 500 * time.Millisecond
	ratePause    = 2 * time.Second
)

// Rate is the pace of calls to the service, of all replicas together. People
// may take a second's calls at once; background work gets its turn only when
// nobody is ahead, so that people come first. When Redis does not answer, each
// replica keeps the pace by itself: a call is never stopped for want of Redis.
type Rate struct {
	shared    *redis_rate.Limiter
	key       string
	local     *rate.Limiter
	perSecond int
	away      atomic.Int64 // Redis is left alone until then, unix ns
}

// Rate returns a rate of perSecond calls a second, at least 1.
func (s *Store) Rate(perSecond int) *Rate {
	perSecond = max(perSecond, 1)
	return &Rate{
		shared:    redis_rate.NewLimiter(s.rdb),
		key:       s.key("upstream"),
		local:     rate.NewLimiter(rate.Limit(perSecond), perSecond),
		perSecond: perSecond,
	}
}

// Turns is one class of callers of a [Rate].
type Turns struct {
	rate  *Rate
	limit redis_rate.Limit
}

// People is for calls that somebody waits for.
func (r *Rate) People() *Turns { return r.turns(r.perSecond) }

// Background is for calls that nobody waits for.
func (r *Rate) Background() *Turns { return r.turns(1) }

func (r *Rate) turns(burst int) *Turns {
	limit := redis_rate.PerSecond(r.perSecond)
	limit.Burst = burst
	return &Turns{rate: r, limit: limit}
}

// Wait returns when it is the caller's turn, or with the context's error.
func (t *Turns) Wait(ctx context.Context) error {
	for {
		if time.Now().UnixNano() < t.rate.away.Load() {
			return t.rate.local.Wait(ctx)
		}
		after, err := t.ask(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			t.rate.away.Store(time.Now().Add(ratePause).UnixNano())
			continue
		case after == 0:
			return nil
		}
		select {
		case <-time.After(after):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ask takes a turn, or says how long to wait before asking again. Background
// callers ask a little later, so that people waiting for the same turn get it.
func (t *Turns) ask(ctx context.Context) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, ratePatience)
	defer cancel()
	result, err := t.rate.shared.Allow(ctx, t.rate.key, t.limit)
	if err != nil || result.Allowed > 0 {
		return 0, err
	}
	after := max(result.RetryAfter, time.Millisecond)
	if t.limit.Burst == 1 {
		after += rand.N(time.Second / time.Duration(4*t.rate.perSecond))
	}
	return after, nil
}
