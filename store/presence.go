package store

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"darkroom/store/script"
)

// Presence tells replicas of each other, by the clock of Redis: whoever is not heard of for a while is gone. Each
// Presence is a replica of its own.
type Presence struct {
	store *Store
	name  string
	life  time.Duration
}

// Presence returns a replica that is not here yet. It is here for life after each [Presence.Here].
func (s *Store) Presence(life time.Duration) *Presence {
	return &Presence{store: s, name: rand.Text(), life: life}
}

// Here says that the replica is here, and returns its place among those that are, from 0 and the same until one of them
// comes or goes, and how many they are.
func (p *Presence) Here(ctx context.Context) (place, of int, err error) {
	args := script.Args{"name": p.name, "life": p.life}
	answer, err := scripts.Run(ctx, p.store.rdb, "here", script.Keys{"replicas": p.key()}, args).Int64Slice()
	if err != nil {
		return 0, 0, fmt.Errorf("replicas: %w", err)
	}
	return int(answer[0]), int(answer[1]), nil
}

// Leave says that it is not any more.
func (p *Presence) Leave(ctx context.Context) error {
	if err := p.store.rdb.ZRem(ctx, p.key(), p.name).Err(); err != nil {
		return fmt.Errorf("replicas: %w", err)
	}
	return nil
}

func (p *Presence) key() string { return p.store.key("replicas") }
