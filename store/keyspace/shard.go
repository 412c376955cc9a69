package keyspace

import (
	"hash/fnv"
	"strconv"
)

// Shards is the number of shards in an app for many workspaces. Each shard has its own hash tag, and so a slot of a
// Redis Cluster, and its own queue. The tags are part of the keys: another number would move keys.
const Shards = 16

// tags are the numbers in the shards' hash tags. Their slots lie in the middle of each sixteenth of a cluster's slots, so
// that the nodes of a balanced cluster have about the same number of shards.
var tags = [Shards]int{597, 487, 817, 907, 581, 491, 801, 911, 941, 851, 430, 187, 957, 847, 426, 191}

// Shard returns the keyspace of shard n, from 0, for its queue and the list of its workspaces.
func Shard(n int) Keyspace { return New(Default + ":" + strconv.Itoa(tags[n])) }

// ShardOf returns the shard of a workspace.
func ShardOf(workspace string) int {
	sum := fnv.New32a()
	sum.Write([]byte(workspace))
	return int(sum.Sum32() % Shards)
}

// OfWorkspace returns the keyspace of a workspace by its id; the zero value for "".
func OfWorkspace(id string) Keyspace {
	if id == "" {
		return Keyspace{}
	}
	return Shard(ShardOf(id)).In(id)
}

// OfAccount returns the keyspace for an account at a service, by its id. Workspaces with the same account share it.
func OfAccount(id string) Keyspace { return Shard(ShardOf(id)) }
