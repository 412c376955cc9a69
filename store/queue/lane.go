package queue

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Behind returns the jobs that stand behind the first of a lane, in order, at most so
// many. It is a look, not a hold: by the time it is read they may be under way.
func (in Inspector) Behind(ctx context.Context, lane string, most int) ([]Job, error) {
	ids, err := in.space.rdb.LRange(ctx, in.space.laneKey(lane), 1, int64(most)).Result()
	if err != nil {
		return nil, errorf("look at", lane, err)
	}
	held := make([]*redis.SliceCmd, len(ids))
	_, err = in.space.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, id := range ids {
			held[i] = p.HMGet(ctx, in.space.key("job", id), "kind", "body")
		}
		return nil
	})
	if err != nil {
		return nil, errorf("look at", lane, err)
	}
	var jobs []Job
	for i, name := range ids {
		kind, there := held[i].Val()[0].(string)
		body, _ := held[i].Val()[1].(string)
		if there { // not settled meanwhile
			_, id := in.space.own(name)
			jobs = append(jobs, Job{ID: id, Lane: lane, Kind: kind, Body: raw(body), Tenant: in.space.tenant})
		}
	}
	return jobs, nil
}

// Busy tells whether a lane holds a job that is not settled, under way or waiting.
func (in Inspector) Busy(ctx context.Context, lane string) (bool, error) {
	n, err := in.space.rdb.Exists(ctx, in.space.laneKey(lane)).Result()
	return n > 0, errorf("look at", lane, err)
}

// LaneKey names the list of a lane's jobs, for a script that must know whether any wait
// there in the same atomic step as its own writes: the key is there as long as one does.
// Such a script may only look.
func (q *Queue) LaneKey(lane string) string { return q.space.laneKey(lane) }

func (s *space) laneKey(lane string) string { return s.key("lane", s.name(lane)) }
