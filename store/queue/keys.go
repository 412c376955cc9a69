package queue

import "fmt"

// key names everything the queue keeps in Redis. All names share one hash tag,
// so that every script is atomic and Redis Cluster keeps the queue on one node.
// Scripts get key("") and name the same parts in lua/shared/keys.lua:
//
//	stream        stream: an entry {lane} for each lane that is ready or claimed
//	tokens        hash: lane → its stream entry, or "waiting"; no field: idle
//	waiting       sorted set: lane → when it is due, ms
//	later         sorted set: job id → when it joins its lane, ms
//	dead          sorted set: job id → when it died, ms; see Forget
//	untold        sorted set: id of a dead job nobody was told of → when to tell, ms
//	sweep         string: somebody sweeps; expires
//	ready         string: the last look whether Redis takes writes; expires
//	lane:LANE     list: job ids, the oldest first; the first one is being worked on
//	claim:LANE    string: the fence of the worker that holds the lane; expires
//	job:ID        hash: lane kind body put run failures deliveries state reason
//	seen:ID       string: a job of this id was put; expires
func (q *Queue) key(part string) string {
	return "{darkroom}:" + q.o.Name + ":" + part
}

// keys are the KEYS that each script declares; the rest shares their slot.
func (q *Queue) keys() []string { return []string{q.key("stream")} }

// group is the one consumer group of the stream.
const group = "workers"

func errorf(op, what string, err error) error {
	return fmt.Errorf("queue: %s %s: %w", op, what, err)
}
