package tenants

import (
	"cmp"

	"github.com/redis/go-redis/v9"

	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
)

// OnlyWorkspace is what the command line calls the workspace that the environment configures, where there are others.
const OnlyWorkspace = "-"

// WorkspaceName is what the command line calls a workspace, by its id.
func WorkspaceName(id string) string { return cmp.Or(id, OnlyWorkspace) }

// QueuesIn are all queues of a Redis, to look at: that of an app for one workspace, and those of an app for many. Those of
// the kind that does not use this Redis are empty.
func QueuesIn(rdb redis.UniversalClient) []*queue.Queue {
	all := []*queue.Queue{queue.New(rdb, queue.Options{})}
	for n := range keyspace.Shards {
		all = append(all, queue.New(rdb, queue.Options{Keyspace: keyspace.Shard(n), Share: share}))
	}
	return all
}

// QueueOf is the queue of a workspace, by its id, to look at and to act on.
func QueueOf(rdb redis.UniversalClient, id string) *queue.Queue {
	if id == "" {
		return queue.New(rdb, queue.Options{})
	}
	return queue.New(rdb, queue.Options{Keyspace: keyspace.Shard(keyspace.ShardOf(id)), Share: share}).In(id)
}

// StoreOf is the store of a workspace, by its id.
func StoreOf(rdb redis.UniversalClient, id string) *store.Store {
	return store.New(rdb, QueueOf(rdb, id))
}
