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

// ErrOpensNothing keeps an app from being ready though Redis takes what is put.
var ErrOpensNothing = errors.New("ENCRYPTION_KEY opens no token of a workspace in Redis: set the key that they were written with")

// How an app looks whether its key opens something: so many entries of each shard, for so long.
const (
	entriesTried  = 100
	openingBudget = 500 * time.Millisecond
)

// errSeen ends a look at entries that has seen enough.
var errSeen = errors.New("seen enough")

// OpensSomething returns [ErrOpensNothing] when there are secrets and none opens. Once one did, nobody looks again. While a
// part of Redis is away nobody knows, and nothing is said.
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
				if e.Token == tenants.SealedNot {
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
