package bot

import (
	"context"
	"sync"
	"time"

	"github.com/jellydator/ttlcache/v3"
)

// cache keeps values for a while, at most so many.
type cache[V any] struct{ *ttlcache.Cache[string, V] }

func newCache[V any](ttl time.Duration, most uint64) cache[V] {
	return cache[V]{ttlcache.New(
		ttlcache.WithTTL[string, V](ttl), ttlcache.WithCapacity[string, V](most), ttlcache.WithDisableTouchOnHit[string, V](),
	)}
}

// get returns a value and how old it is at most.
func (c cache[V]) get(key string) (value V, age time.Duration, ok bool) {
	item := c.Get(key)
	if item == nil || time.Until(item.ExpiresAt()) <= 0 { // to the library it ends a moment later
		return value, 0, false
	}
	age = item.TTL() - time.Until(item.ExpiresAt()) // asked before the value, in whose place a newer one may be put
	return item.Value(), age, true
}

func (c cache[V]) put(key string, value V) { c.Set(key, value, ttlcache.DefaultTTL) }

const maxCooldowns = 2048 // remembered

// cooldowns tells until when something must wait: a channel for its next message, a method
// that Slack limits. What is not in it need not wait. It is the [Pacer] of one process.
type cooldowns struct {
	mu    sync.Mutex // between looking and reserving
	until cache[struct{}]
}

func newCooldowns() *cooldowns {
	return &cooldowns{until: newCache[struct{}](ttlcache.NoTTL, maxCooldowns)}
}

func (c *cooldowns) left(of string) time.Duration {
	if item := c.until.Get(of); item != nil {
		return max(0, time.Until(item.ExpiresAt()))
	}
	return 0
}

// set makes room by what need not wait any more, before anything else is forgotten.
func (c *cooldowns) set(of string, wait time.Duration) {
	c.until.DeleteExpired()
	c.until.Set(of, struct{}{}, wait)
}

// Reserve implements [Pacer].
func (c *cooldowns) Reserve(_ context.Context, of string, every time.Duration) (time.Duration, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := c.left(of)
	if left == 0 {
		c.set(of, every)
	}
	return left, nil
}

// Delay implements [Pacer].
func (c *cooldowns) Delay(_ context.Context, of string) (time.Duration, error) {
	return c.left(of), nil
}

// Block implements [Pacer].
func (c *cooldowns) Block(_ context.Context, of string, wait time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if wait > c.left(of) {
		c.set(of, wait)
	}
	return nil
}
