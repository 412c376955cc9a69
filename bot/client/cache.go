package client

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jellydator/ttlcache/v3"
)

// cache keeps at most size values for a while. It is allocated on first use, so an unused one costs next
// to nothing.
type cache[V any] struct {
	ttl  time.Duration
	size uint64
	lib  atomic.Pointer[ttlcache.Cache[string, V]]
}

func newCache[V any](ttl time.Duration, size uint64) cache[V] { return cache[V]{ttl: ttl, size: size} }

// get returns a value and its maximum age.
func (c *cache[V]) get(key string) (value V, age time.Duration, ok bool) {
	item := c.item(key)
	if item == nil || time.Until(item.ExpiresAt()) <= 0 { // the library expires it a moment later
		return value, 0, false
	}
	age = item.TTL() - time.Until(item.ExpiresAt()) // before Value: a concurrent put only makes the value newer
	return item.Value(), age, true
}

// item returns the cached item of a key, or nil.
func (c *cache[V]) item(key string) *ttlcache.Item[string, V] {
	if lib := c.lib.Load(); lib != nil {
		return lib.Get(key)
	}
	return nil
}

func (c *cache[V]) has(key string) bool {
	lib := c.lib.Load()
	return lib != nil && lib.Has(key)
}

func (c *cache[V]) put(key string, value V) { c.putFor(key, value, ttlcache.DefaultTTL) }

// putFor stores a value with its own lifetime.
func (c *cache[V]) putFor(key string, value V, ttl time.Duration) { c.make().Set(key, value, ttl) }

func (c *cache[V]) drop(key string) {
	if lib := c.lib.Load(); lib != nil {
		lib.Delete(key)
	}
}

// dropExpired deletes expired values.
func (c *cache[V]) dropExpired() {
	if lib := c.lib.Load(); lib != nil {
		lib.DeleteExpired()
	}
}

// make returns the library's cache, and creates it on first use.
func (c *cache[V]) make() *ttlcache.Cache[string, V] {
	if lib := c.lib.Load(); lib != nil {
		return lib
	}
	c.lib.CompareAndSwap(nil, ttlcache.New(
		ttlcache.WithTTL[string, V](c.ttl), ttlcache.WithCapacity[string, V](c.size), ttlcache.WithDisableTouchOnHit[string, V](),
	))
	return c.lib.Load()
}

const maxCooldowns = 2048

// cooldowns records until when a channel or a method must wait. It implements [Limiter] for one process.
type cooldowns struct {
	mu    sync.Mutex // makes reading and reserving one step
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

// set records a wait. It deletes expired ones first, so that no current one is evicted.
func (c *cooldowns) set(of string, wait time.Duration) {
	c.until.dropExpired()
	c.until.putFor(of, struct{}{}, wait)
}

// Reserve implements [Limiter].
func (c *cooldowns) Reserve(_ context.Context, of string, every time.Duration) (time.Duration, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := c.left(of)
	if left == 0 {
		c.set(of, every)
	}
	return left, nil
}

// Delay implements [Limiter].
func (c *cooldowns) Delay(_ context.Context, of string) (time.Duration, error) {
	return c.left(of), nil
}

// Block implements [Limiter].
func (c *cooldowns) Block(_ context.Context, of string, wait time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if wait > c.left(of) {
		c.set(of, wait)
	}
	return nil
}
