package ratelimit

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
	"darkroom/store/script"
)

// Rate limits the calls to the service, of all replicas together. People may make a second's calls at
// once, and wait only for other people. Background work reserves its slots in batches, see
// [Background]; calls of people postpone it. While Redis does not answer, each replica keeps the rate
// by itself, so a call never fails because of Redis.
//
// In any period, no more calls are made than the rate allows, plus a second's calls and one or two
// batches.
type Rate struct {
	*limit
	batch batch
}

// NewRate returns a rate of perSecond calls a second, at least 1. All replicas share it in a keyspace.
func NewRate(rdb redis.UniversalClient, space keyspace.Keyspace, perSecond int) *Rate {
	r := &Rate{limit: newLimit(rdb, space.Key("turns"), perSecond)}
	r.batch.init(rand.Text(), r.every)
	return r
}

// People limits calls that a person waits for.
type People struct{ rate *Rate }

// People returns the limit of calls that a person waits for.
func (r *Rate) People() *People { return &People{r} }

// Wait returns when the caller may call, or with the context's error.
func (p *People) Wait(ctx context.Context) error {
	err := p.take(ctx)
	if err == nil {
		p.rate.batch.postpone()
	}
	return err
}

func (p *People) take(ctx context.Context) error {
	for !p.rate.redisDown() {
		after, reserved, err := p.rate.reserve(ctx, script.Args{"people": true})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			continue // redisDown is true now
		case reserved:
			return nil
		}
		if err := pause(ctx, after); err != nil {
			return err
		}
	}
	return p.rate.local.Wait(ctx)
}

// reserve asks Redis for slots, see [limit.reserve].
func (r *Rate) reserve(ctx context.Context, args script.Args) (after time.Duration, reserved bool, err error) {
	args["most"] = maxBatch
	return r.limit.reserve(ctx, "take_turns", args)
}
