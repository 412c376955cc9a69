package store

import (
	"context"
)

// Active is all that EachActive finds, by id.
func (s *Store) Active(ctx context.Context) (map[string]Active, error) {
	all := map[string]Active{}
	err := s.Orders.EachActive(ctx, func(id string, a Active) { all[id] = a })
	return all, err
}
