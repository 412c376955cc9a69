package tenants

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"darkroom/store/keyspace"
	"darkroom/store/tenants"
)

// ErrOpensNothing says that ENCRYPTION_KEY opens no token in Redis. The app is not ready then.
var ErrOpensNothing = errors.New("ENCRYPTION_KEY opens no token of a workspace in Redis: set the key that they were written with")

// The bounds of [Tenants.OpensSomething].
const (
	entriesTried  = 100 // of each shard
	openingBudget = 500 * time.Millisecond
)

// errSeen ends a walk over entries early.
var errSeen = errors.New("seen enough")

// OpensSomething returns [ErrOpensNothing] if Redis has secrets and the key opens none of them. Once it has opened one, it
// does not look again. While a part of Redis is away it returns nil.
func (m *Tenants) OpensSomething(ctx context.Context) error {
	if m.opened.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, openingBudget)
	defer cancel()
	var sealed, away atomic.Bool
	var looks sync.WaitGroup
	for shard := range keyspace.Shards {
		looks.Go(func() {
			tried := 0
			err := m.Directory.Entries.EachEntry(ctx, shard, func(e tenants.Entry) error {
				if tried++; e.Token == tenants.SealedNewest || e.Token == tenants.SealedOlder {
					m.opened.Store(true)
					cancel()
				}
				if e.Token == tenants.SealedUnreadable {
					sealed.Store(true)
				}
				if m.opened.Load() || tried == entriesTried {
					return errSeen
				}
				return nil
			})
			if err != nil && !errors.Is(err, errSeen) {
				away.Store(true)
			}
		})
	}
	looks.Wait()
	if sealed.Load() && !away.Load() && !m.opened.Load() {
		return ErrOpensNothing
	}
	return nil
}
