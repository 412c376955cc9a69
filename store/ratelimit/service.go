package ratelimit

import (
	"context"
	"crypto/rand"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"darkroom/store/keyspace"
	"darkroom/store/script"
)

// How long a call may wait for Redis to say its turn, and how long Redis is
// left alone after it did not.
const (
	ratePatience = 500 * time.Millisecond
	ratePause    = 2 * time.Second
)

// burst is for how long people's calls may be ahead of their pace.
const burst = time.Second

// Rate is the pace of calls to the service, of all replicas together. People
// may take a second's calls at once, and wait for nobody but people. Background
// work takes its turns in batches, see [Background]: what people take meanwhile
// puts it off. When Redis does not answer, each replica keeps the pace by
// itself: a call is never stopped for want of Redis.
//
// In any stretch of time no more calls go out than the rate has turns in it,
// but for a second's calls and what a batch or two may hold.
type Rate struct {
	rdb   redis.UniversalClient
	key   string
	local *rate.Limiter
	every time.Duration // between two turns
	away  atomic.Int64  // Redis is left alone until then, unix ns
	batch batch
}

// NewRate returns a rate of perSecond calls a second, at least 1, that all replicas keep in a keyspace.
func NewRate(rdb redis.UniversalClient, space keyspace.Keyspace, perSecond int) *Rate {
	perSecond = max(perSecond, 1)
	r := &Rate{
		rdb: rdb, key: space.Key("turns"),
		local: rate.NewLimiter(rate.Limit(perSecond), perSecond),
		every: max(time.Second/time.Duration(perSecond), time.Microsecond),
	}
	r.batch.init(rand.Text(), r.every)
	return r
}

// People are the turns of calls that somebody waits for.
type People struct{ rate *Rate }

// People is for calls that somebody waits for.
func (r *Rate) People() *People { return &People{r} }

// Wait returns when it is the caller's turn, or with the context's error.
func (p *People) Wait(ctx context.Context) error {
	err := p.take(ctx)
	if err == nil {
		p.rate.batch.yield()
	}
	return err
}

func (p *People) take(ctx context.Context) error {
	for !p.rate.left() {
		after, given, err := p.rate.ask(ctx, script.Args{"people": true})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			continue // Redis is left alone by now
		case given:
			return nil
		}
		if err := pause(ctx, after); err != nil {
			return err
		}
	}
	return p.rate.local.Wait(ctx)
}

// left says that Redis did not answer a moment ago and is left alone.
func (r *Rate) left() bool { return time.Now().UnixNano() < r.away.Load() }

// ask asks Redis for turns. It returns how long it is until the first of them or, when none was given,
// until asking again makes sense. A Redis that does not answer is left alone for a while; a caller who gave up
// says nothing of Redis.
func (r *Rate) ask(ctx context.Context, args script.Args) (after time.Duration, given bool, err error) {
	soon, cancel := context.WithTimeout(ctx, ratePatience)
	defer cancel()
	args["every"], args["burst"], args["most"] = r.every.Microseconds(), burst.Microseconds(), mostTurns
	micros, err := scripts.Run(soon, r.rdb, "take_turns", script.Keys{"turns": r.key}, args).Int64()
	if err != nil {
		if ctx.Err() == nil {
			r.away.Store(time.Now().Add(ratePause).UnixNano())
		}
		return 0, false, err
	}
	after = time.Duration(micros) * time.Microsecond
	return after.Abs(), micros >= 0, nil
}

// pause waits, if the context lasts so long.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
