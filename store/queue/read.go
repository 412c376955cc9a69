package queue

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// read hands lanes to workers until ctx ends. It takes free slots before it
// reads, so that no token waits in this process for a worker.
func (r *runner) read(ctx context.Context) {
	pause := newPause()
	for {
		n := r.take(ctx)
		if n == 0 {
			return
		}
		tokens, err := r.tokens(ctx, n)
		r.report(ctx, "read", err)
		r.begin(ctx, tokens, n)
		if err == nil {
			pause.Reset()
			continue
		}
		wait(ctx, pause.NextBackOff())
	}
}

// take waits for a slot and takes all free slots; 0: ctx ended.
func (r *runner) take(ctx context.Context) int {
	if ctx.Err() != nil {
		return 0
	}
	select {
	case <-ctx.Done():
		return 0
	case r.slots <- struct{}{}:
	}
	free := cap(r.slots) - len(r.slots) // workers only free more
	for range free {
		r.slots <- struct{}{}
	}
	return 1 + free
}

// begin starts a worker for each token and frees the other slots. If ctx has ended, it hands the tokens back.
func (r *runner) begin(ctx context.Context, tokens []token, slots int) {
	for _, t := range tokens {
		r.works.Go(func() {
			defer func() { <-r.slots }()
			if ctx.Err() != nil {
				r.giveBack(t.entry)
				return
			}
			r.work(ctx, t)
		})
	}
	for range slots - len(tokens) {
		<-r.slots
	}
}

func (r *runner) giveBack(entry string) {
	if err := r.q.claims().release(r.base, entry); err != nil && r.base.Err() == nil {
		r.q.log.Warn("queue token not handed back, its lease must run out", "entry", entry, "err", err)
	}
}

// tokens returns up to n new tokens. From time to time it first takes over those of dead workers.
func (r *runner) tokens(ctx context.Context, n int) ([]token, error) {
	if time.Since(r.taken) >= r.q.o.Lease/6 {
		tokens, err := r.takeover(ctx, n)
		if len(tokens) > 0 || err != nil {
			return tokens, err
		}
		r.taken = time.Now()
	}
	streams, err := r.q.space.rdb.XReadGroup(ctx, &redis.XReadGroupArgs{
		Group: group, Consumer: r.consumer, Streams: []string{r.q.space.key("stream"), ">"}, Count: int64(n), Block: r.q.o.Idle,
	}).Result()
	if errors.Is(err, redis.Nil) {
		return nil, nil
	}
	if err != nil {
		return nil, r.regroup(ctx, err)
	}
	var tokens []token
	for _, m := range streams[0].Messages {
		lane, _ := m.Values["lane"].(string)
		tokens = append(tokens, token{entry: m.ID, lane: lane})
	}
	return tokens, nil
}

// takeover returns tokens whose worker has not renewed them for a lease.
func (r *runner) takeover(ctx context.Context, n int) ([]token, error) {
	for start := "0-0"; ; {
		// A little more than the lease: the claim must have ended by then.
		entries, next, err := r.q.space.rdb.XAutoClaimJustID(ctx, &redis.XAutoClaimArgs{
			Stream: r.q.space.key("stream"), Group: group, Consumer: r.consumer,
			MinIdle: r.q.o.Lease + 20*time.Millisecond, Start: start, Count: int64(n),
		}).Result()
		if err != nil {
			return nil, r.regroup(ctx, err)
		}
		if len(entries) > 0 || next == "0-0" {
			tokens := make([]token, len(entries))
			for i, entry := range entries {
				tokens[i].entry = entry
			}
			return tokens, nil
		}
		start = next
	}
}

// regroup creates the consumer group if err says that it is missing: at the first start, or after Redis lost its data. The
// group begins with the oldest entry.
func (r *runner) regroup(ctx context.Context, err error) error {
	if !redis.HasErrorPrefix(err, "NOGROUP") && !redis.HasErrorPrefix(err, "UNBLOCKED") {
		return err
	}
	err = r.q.space.rdb.XGroupCreateMkStream(ctx, r.q.space.key("stream"), group, "0").Err()
	if err != nil && !redis.HasErrorPrefix(err, "BUSYGROUP") {
		return err
	}
	r.q.log.Info("queue group created", "group", r.q.space.key("stream"))
	return nil
}
