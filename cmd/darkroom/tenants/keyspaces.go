package tenants

import (
	"cmp"

	"github.com/redis/go-redis/v9"

	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
)

// OnlyWorkspace is the name of the environment's workspace on the command line.
const OnlyWorkspace = "-"

// WorkspaceName returns the name of a workspace on the command line.
func WorkspaceName(id string) string { return cmp.Or(id, OnlyWorkspace) }

// QueuesIn returns all queues of a Redis, for reading: the queue of an app for one workspace, and those of an app for
// many. Queues of the kind of app that does not use this Redis are empty.
func QueuesIn(rdb redis.UniversalClient) []*queue.Queue {
	all := []*queue.Queue{queue.New(rdb, queue.Options{})}
	for n := range keyspace.Shards {
		all = append(all, queue.New(rdb, queue.Options{Keyspace: keyspace.Shard(n), Share: share}))
	}
	return all
}

// QueueOf returns the queue of a workspace, by its id.
func QueueOf(rdb redis.UniversalClient, id string) *queue.Queue {
	if id == "" {
		return queue.New(rdb, queue.Options{})
	}
	return queue.New(rdb, queue.Options{Keyspace: keyspace.Shard(keyspace.ShardOf(id)), Share: share}).In(id)
}

// StoreOf returns the store of a workspace, by its id.
func StoreOf(rdb redis.UniversalClient, id string) *store.Store {
	return store.New(rdb, QueueOf(rdb, id))
}
