package keyspace

import (
	"hash/fnv"
	"strconv"
)

// Shards is how many parts the keys of an app of many workspaces are in. Each part has a hash tag, and so a slot of a
// Redis Cluster, and a queue of its own. It stands in the keys: another number would mean to move them.
const Shards = 16

// tags are the numbers in the shards' hash tags: those whose slots lie in the middle of each sixteenth of a cluster's
// slots, so that a cluster of any size with equal parts has about as many shards on each of its nodes.
var tags = [Shards]int{597, 487, 817, 907, 581, 491, 801, 911, 941, 851, 430, 187, 957, 847, 426, 191}

// Shard is what a shard, from 0, keeps for all workspaces in it: its queue, and which they are.
func Shard(n int) Keyspace { return New(Default + ":" + strconv.Itoa(tags[n])) }

// ShardOf is the shard that a workspace is in.
func ShardOf(workspace string) int {
	sum := fnv.New32a()
	sum.Write([]byte(workspace))
	return int(sum.Sum32() % Shards)
}

// OfWorkspace is the keyspace of a workspace, by its id; that of "" is the zero value.
func OfWorkspace(id string) Keyspace {
	if id == "" {
		return Keyspace{}
	}
	return Shard(ShardOf(id)).In(id)
}

// OfAccount is the keyspace of what workspaces share that have the same account at a service, by an id of it.
func OfAccount(id string) Keyspace { return Shard(ShardOf(id)) }
