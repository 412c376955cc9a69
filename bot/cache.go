package bot

import (
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

const maxTurns = 2048 // remembered

// turns tells until when something must wait: a channel for its next message, a method that
// Slack limits. What is not in it need not wait.
type turns struct {
	mu   sync.Mutex // between looking and taking
	next cache[struct{}]
}

func newTurns() *turns { return &turns{next: newCache[struct{}](ttlcache.NoTTL, maxTurns)} }

// take takes the turn, if it has come, and makes the next one wait for every; else it says
// how long until then.
func (t *turns) take(of string, every time.Duration) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if left := t.left(of); left > 0 {
		return left
	}
	t.set(of, every)
	return 0
}

func (t *turns) left(of string) time.Duration {
	if item := t.next.Get(of); item != nil {
		return max(0, time.Until(item.ExpiresAt()))
	}
	return 0
}

// hold puts the next turn off, never forward.
func (t *turns) hold(of string, wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if wait > t.left(of) {
		t.set(of, wait)
	}
}

// set makes room by what need not wait any more, before anything else is forgotten.
func (t *turns) set(of string, wait time.Duration) {
	t.next.DeleteExpired()
	t.next.Set(of, struct{}{}, wait)
}
