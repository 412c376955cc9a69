package store

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// Counts is how many orders there are of some kinds, for whoever watches the app.
type Counts struct {
	Active      int // that can still change
	Unannounced int // whose channel does not show all yet
}

// Counts counts without looking at any order.
func (s *Orders) Counts(ctx context.Context) (Counts, error) {
	var active, lagging *redis.IntCmd
	_, err := s.db.Redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		active, lagging = p.HLen(ctx, s.db.Key("active")), p.SCard(ctx, s.db.Key("lagging"))
		return nil
	})
	if err != nil {
		return Counts{}, fmt.Errorf("count orders: %w", err)
	}
	return Counts{Active: int(active.Val()), Unannounced: int(lagging.Val())}, nil
}
