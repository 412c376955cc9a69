package queue

import (
	"fmt"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
)

// key names the queue's keys in Redis. Scripts get key("") and name the same parts in
// lua/shared/keys.lua:
//
//	stream        stream: an entry {lane} for each lane that is ready or claimed
//	tokens        hash: lane → its stream entry, "waiting", "idle" (it waits, and may be woken) or "parked"; no field: empty
//	shares        hash: tenant → how many of its lanes have an entry in the stream
//	parked:NAME   list: the lanes of the tenant of that name that are ready and are not in the stream, the oldest first
//	waiting       sorted set: lane → when it is due, ms
//	woken         set: lanes that were woken while they were ready or worked on
//	later         sorted set: job id → when it joins its lane, ms
//	dead          sorted set: job id → when it died, ms; see Forget
//	dead:TENANT   sorted set: the same of its jobs alone
//	untold        sorted set: id of a dead job that was not reported → when to report it, ms
//	sweep         string: a replica sweeps; expires
//	ready         string: the last check whether Redis accepts writes; expires
//	lane:LANE     list: job ids, the oldest first; the first one is being worked on
//	claim:LANE    string: the fence of the worker that holds the lane; expires
//	job:ID        hash: lane kind body put due run failures deliveries state reason trace; due: when a job put for later is due; until: the end of its last wait
//	seen:ID       string: a job of this id was put; expires
//
// In a queue of tenants every lane and every id here begins with its tenant and a slash.
func (s *space) key(parts ...string) string {
	return s.keyspace.Key(append([]string{s.queue}, parts...)...)
}

// space is a queue in Redis, or a tenant's view of it. It names keys, jobs and lanes, and runs scripts.
type space struct {
	rdb      redis.UniversalClient
	keyspace keyspace.Keyspace
	queue    string // the queue's name
	share    int    // see [Options]
	limit    int    // the share as passed to scripts, see lua/shared/keys.lua
	tenant   string // of this view; "": all
}

func newSpace(rdb redis.UniversalClient, o Options) *space {
	s := &space{rdb: rdb, keyspace: o.Keyspace, queue: o.Name, share: o.Share, limit: o.Share}
	if o.Recurring && o.Share > 0 {
		s.limit = -1
	}
	return s
}

// group is the one consumer group of the stream.
const group = "workers"

// errorf names the operation that failed; nil stays nil.
func errorf(op, what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("queue: %s %s: %w", op, what, err)
}
