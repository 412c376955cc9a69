package client

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jellydator/ttlcache/v3"
)

// cache keeps values for a while, at most so many. It weighs next to nothing until something is put there.
type cache[V any] struct {
	ttl  time.Duration
	most uint64
	made atomic.Pointer[ttlcache.Cache[string, V]]
}

func newCache[V any](ttl time.Duration, most uint64) cache[V] { return cache[V]{ttl: ttl, most: most} }

// get returns a value and how old it is at most.
func (c *cache[V]) get(key string) (value V, age time.Duration, ok bool) {
	item := c.item(key)
	if item == nil || time.Until(item.ExpiresAt()) <= 0 { // to the library it ends a moment later
		return value, 0, false
	}
	age = item.TTL() - time.Until(item.ExpiresAt()) // asked before the value, in whose place a newer one may be put
	return item.Value(), age, true
}

// item is what is kept of a key; nil: nothing.
func (c *cache[V]) item(key string) *ttlcache.Item[string, V] {
	if made := c.made.Load(); made != nil {
		return made.Get(key)
	}
	return nil
}

func (c *cache[V]) has(key string) bool {
	made := c.made.Load()
	return made != nil && made.Has(key)
}

func (c *cache[V]) put(key string, value V) { c.putFor(key, value, ttlcache.DefaultTTL) }

// putFor keeps a value for another while than the others.
func (c *cache[V]) putFor(key string, value V, ttl time.Duration) { c.make().Set(key, value, ttl) }

func (c *cache[V]) drop(key string) {
	if made := c.made.Load(); made != nil {
		made.Delete(key)
	}
}

// dropExpired makes room by what is over.
func (c *cache[V]) dropExpired() {
	if made := c.made.Load(); made != nil {
		made.DeleteExpired()
	}
}

// make is what keeps the values, made when it is first needed.
func (c *cache[V]) make() *ttlcache.Cache[string, V] {
	if made := c.made.Load(); made != nil {
		return made
	}
	c.made.CompareAndSwap(nil, ttlcache.New(
		ttlcache.WithTTL[string, V](c.ttl), ttlcache.WithCapacity[string, V](c.most), ttlcache.WithDisableTouchOnHit[string, V](),
	))
	return c.made.Load()
}

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
	if item := c.until.item(of); item != nil {
		return max(0, time.Until(item.ExpiresAt()))
	}
	return 0
}

// set makes room by what need not wait any more, before anything else is forgotten.
func (c *cooldowns) set(of string, wait time.Duration) {
	c.until.dropExpired()
	c.until.putFor(of, struct{}{}, wait)
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
