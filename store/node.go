package store

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// scanPage is how many keys one SCAN looks at.
const scanPage = 500

// node returns the Redis that has this store's keys: a cluster's client would ask any of its nodes.
func (s *Store) node(ctx context.Context) (redis.Cmdable, error) {
	if cluster, ok := clustered(s.rdb); ok {
		return cluster.MasterForKey(ctx, s.key("active"))
	}
	return s.rdb, nil
}
