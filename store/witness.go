package store

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// Finished returns the newest order, of those of the same team, that is done and was placed
// before that time: the service knows it as long as it knows us. [ErrNotTracked]: there is none.
func (s *Store) Finished(ctx context.Context, like string, before time.Time) (string, error) {
	t, err := s.Order(ctx, like)
	if err != nil {
		return "", err
	}
	channels, err := s.Channels(ctx, t.Owner.Team)
	if err != nil {
		return "", fmt.Errorf("channels: %w", err)
	}
	done, _, err := s.InChannels(ctx, t.Owner.Team, channels, func(other Tracked) bool {
		return other.Order.Status.Final() && !other.Gone && other.Order.OrderedAt.Before(before)
	}, 0, 1)
	if err != nil || len(done) == 0 {
		return "", orderError(like, cmp.Or(err, error(ErrNotTracked)))
	}
	return done[0].ID, nil
}
