package main

import (
	"context"
	"errors"
	"sync"

	"darkroom/notifier"
	"darkroom/store"
	"darkroom/store/keyspace"
)

// wireRounds has the orders of all workspaces polled.
func (m *many) wireRounds() (err error) {
	a := m.app
	m.rounds, err = notifier.NewRounds(notifier.RoundsConfig{
		Shards: keyspace.Shards, Places: polls, Kept: keptPollers, Schedule: a.cfg.PollSchedule, Log: a.log, Observe: a.metrics.Rounds.Observe,
		Lock: func(shard int) notifier.Lock {
			return store.New(a.rdb, m.queues[shard]).Lock("poller", notifier.Lease)
		},
		Presence:   a.store.Presence(notifier.Lease),
		Workspaces: m.ofShard,
		Busy: func(ctx context.Context, workspaces []string) ([]bool, error) {
			spaces := make([]keyspace.Keyspace, len(workspaces))
			for i, id := range workspaces {
				spaces[i] = keyspace.OfWorkspace(id)
			}
			return store.Busy(ctx, a.rdb, spaces)
		},
		Poller: m.poller,
	})
	return err
}

// ofShard are the workspaces of a shard.
func (m *many) ofShard(ctx context.Context, shard int) (ids []string, err error) {
	err = m.directory.EachWorkspace(ctx, shard, func(id string) error {
		ids = append(ids, id)
		return nil
	})
	return ids, err
}

// poller makes what polls a workspace; nil: it has no account, or the app is not there. What ended there is let go in its
// time all the same, here and now: what is kept for the next polls would not notice that it is connected again.
func (m *many) poller(ctx context.Context, id string) (notifier.Ticker, error) {
	installed, err := m.directory.Installed(ctx, id)
	if err == nil {
		_, err = m.directory.Account(ctx, id)
	}
	switch {
	case errors.Is(err, store.ErrNotInstalled), errors.Is(err, store.ErrNotConnected):
		return nil, m.applyRetention(ctx, id)
	case err != nil:
		return nil, err
	}
	return notifier.NewUnscheduled(m.tenant(id, installed).polling()), nil
}

// applyRetention lets go what has ended long enough ago in a workspace that nobody polls.
func (m *many) applyRetention(ctx context.Context, id string) error {
	_, err := store.New(m.app.rdb, m.queues[keyspace.ShardOf(id)].In(id)).ApplyRetention(ctx, m.app.retention())
	return err
}

// turnsOf are the turns of whichever account a workspace has. What was taken of those that it had before counts on.
type turnsOf struct {
	mu             sync.Mutex
	rate           *store.AccountRate // nil: none so far
	turns, batches int64              // that were taken of the accounts before it
}

func (t *turnsOf) set(r *store.AccountRate) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.turns, t.batches = t.taken()
	t.rate = r
}

// Expect implements [notifier.Turns].
func (t *turnsOf) Expect(calls int) {
	if r := t.get(); r != nil {
		r.Background().Expect(calls)
	}
}

// Taken implements [notifier.Turns].
func (t *turnsOf) Taken() (turns, batches int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.taken()
}

// taken is Taken; the caller holds the lock.
func (t *turnsOf) taken() (turns, batches int64) {
	if t.rate != nil {
		turns, batches = t.rate.Background().Taken()
	}
	return t.turns + turns, t.batches + batches
}

func (t *turnsOf) get() *store.AccountRate {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rate
}
