// Package carry brings keys of Redis under other names, also into another hash slot, which Redis has no command for:
// a key is read, written under its new name, and only then removed. It may be cut off anywhere and begun again; what
// is there twice is written again.
//
// One at a time carries: whoever begins later takes over, and what an earlier one still sends is not written. Values
// stay as they are, and so does when they expire.
//
// It knows neither orders nor jobs.
package carry

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"darkroom/store/script"
)

// ErrTakenOver says that somebody else carries meanwhile.
var ErrTakenOver = errors.New("somebody else goes on with it")

//go:embed lua/*.lua
var lua embed.FS

var scripts = script.Load(lua)

// Carrier carries keys of one slot to one slot. Its key in the new one tells who carries.
type Carrier struct {
	rdb    redis.UniversalClient
	node   redis.Cmdable // that has the old keys
	fence  string
	holder string
}

// New returns a carrier whose fence is that key, in the new slot. node is the Redis that has the old keys.
func New(rdb redis.UniversalClient, node redis.Cmdable, fence string) *Carrier {
	return &Carrier{rdb: rdb, node: node, fence: fence, holder: rand.Text()}
}

// Begin takes over from whoever carried before.
func (c *Carrier) Begin(ctx context.Context) error {
	return c.rdb.Set(ctx, c.fence, c.holder, 0).Err()
}

// Fenced is what a script needs whose writes count only while this one carries: its key "fence", and its argument
// "holder". It answers 0 otherwise, which is for [Took].
func (c *Carrier) Fenced() (fence, holder string) { return c.fence, c.holder }

// Took is what such a script's answer means.
func Took(answer int, err error) error {
	if err == nil && answer == 0 {
		return ErrTakenOver
	}
	return err
}

// End says that nothing is left to carry.
func (c *Carrier) End(ctx context.Context) error {
	return Took(scripts.Run(ctx, c.rdb, "end", script.Keys{"fence": c.fence}, script.Args{"holder": c.holder}).Int())
}

// page is about how many keys are read at once, and hands is how many of them are written at the same time.
const page, hands = 100, 8

// Each calls f with the keys of that pattern which it is to take, some at a time, and walks again until a walk finds
// none. f must leave none of them there.
func (c *Carrier) Each(ctx context.Context, pattern string, takes func(key string) bool, f func(ctx context.Context, keys []string) error) error {
	for again := true; again; {
		again = false
		for cursor := uint64(0); ; {
			found, next, err := c.node.Scan(ctx, cursor, pattern, page).Result()
			if err != nil {
				return fmt.Errorf("keys of %s: %w", pattern, err)
			}
			var keys []string
			for _, key := range found {
				if takes(key) {
					keys = append(keys, key)
				}
			}
			if len(keys) > 0 {
				again = true
				if err := f(ctx, keys); err != nil {
					return err
				}
			}
			if cursor = next; cursor == 0 {
				break
			}
		}
	}
	return nil
}

// Copy writes keys under their new names, in place of what is there. One that is gone is left out.
func (c *Carrier) Copy(ctx context.Context, keys []string, named func(key string) string) error {
	dumps, lives := make([]*redis.StringCmd, len(keys)), make([]*redis.DurationCmd, len(keys))
	_, err := c.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, key := range keys {
			lives[i], dumps[i] = p.PTTL(ctx, key), p.Dump(ctx, key)
		}
		return nil
	})
	if err != nil && !errors.Is(err, redis.Nil) {
		return fmt.Errorf("dump: %w", err)
	}
	writes, ctx := errgroup.WithContext(ctx)
	writes.SetLimit(hands)
	for i, key := range keys {
		dump, err := dumps[i].Result()
		if errors.Is(err, redis.Nil) {
			continue
		}
		writes.Go(func() error {
			if err == nil {
				err = c.receive(ctx, named(key), dump, lives[i].Val())
			}
			if err != nil {
				return fmt.Errorf("key %s: %w", key, err)
			}
			return nil
		})
	}
	return writes.Wait()
}

// receive writes what was read. life is what [redis.Cmdable.PTTL] answers: negative for ever.
func (c *Carrier) receive(ctx context.Context, key, dump string, life time.Duration) error {
	ms := int64(0)
	if life >= 0 {
		ms = max(1, life.Milliseconds())
	}
	args := script.Args{"holder": c.holder, "dump": dump, "life": ms}
	return Took(scripts.Run(ctx, c.rdb, "receive", script.Keys{"fence": c.fence, "key": key}, args).Int())
}

// Remove removes old keys.
func (c *Carrier) Remove(ctx context.Context, keys []string) error {
	return c.rdb.Unlink(ctx, keys...).Err()
}

// Move is Copy and then Remove.
func (c *Carrier) Move(ctx context.Context, keys []string, named func(key string) string) error {
	if err := c.Copy(ctx, keys, named); err != nil {
		return err
	}
	return c.Remove(ctx, keys)
}
