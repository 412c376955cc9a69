package bot

import (
	"sync"
	"time"
)

// cache keeps values for a while, at most so many.
type cache[V any] struct {
	mu      sync.Mutex
	ttl     time.Duration
	most    int
	entries map[string]entry[V]
}

type entry[V any] struct {
	value V
	since time.Time
}

func newCache[V any](ttl time.Duration, most int) *cache[V] {
	return &cache[V]{ttl: ttl, most: most, entries: map[string]entry[V]{}}
}

// get returns a value and how old it is.
func (c *cache[V]) get(key string) (value V, age time.Duration, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	age = time.Since(e.since)
	if !ok || age >= c.ttl {
		delete(c.entries, key)
		return value, 0, false
	}
	return e.value, age, true
}

func (c *cache[V]) put(key string, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.entries) >= c.most {
		c.makeRoom()
	}
	c.entries[key] = entry[V]{value, time.Now()}
}

func (c *cache[V]) drop(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, key)
}

// makeRoom forgets what is too old, and then any one until a quarter is free: rarely
// done, it may look at all.
func (c *cache[V]) makeRoom() {
	for key, e := range c.entries {
		if time.Since(e.since) >= c.ttl {
			delete(c.entries, key)
		}
	}
	for key := range c.entries {
		if len(c.entries) <= c.most*3/4 {
			return
		}
		delete(c.entries, key)
	}
}
