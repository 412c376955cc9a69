package store

import "context"

// Requested returns the orders that a person asked for, newest first, as far as where
// says yes (nil = all): limit of them after the first offset, and how many fit in all.
func (s *Store) Requested(ctx context.Context, team, user string, where func(Tracked) bool, offset, limit int) ([]Tracked, int, error) {
	return nil, 0, errNotBuilt
}

// InChannels is Requested for the orders of these channels.
func (s *Store) InChannels(ctx context.Context, team string, channels []string, where func(Tracked) bool, offset, limit int) ([]Tracked, int, error) {
	return nil, 0, errNotBuilt
}

// Channels returns the channels of a team that own orders.
func (s *Store) Channels(ctx context.Context, team string) ([]string, error) {
	return nil, errNotBuilt
}
