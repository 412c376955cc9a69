package queue

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Behind returns the jobs behind the first of a lane, in order, most at most. By the time they are read they may be under
// way.
func (in Inspector) Behind(ctx context.Context, lane string, most int) ([]Job, error) {
	ids, err := in.space.rdb.LRange(ctx, in.space.laneKey(lane), 1, int64(most)).Result()
	if err != nil {
		return nil, errorf("look at", lane, err)
	}
	held := make([]*redis.SliceCmd, len(ids))
	err = in.space.readAll(ctx, func(p redis.Pipeliner) {
		for i, id := range ids {
			held[i] = p.HMGet(ctx, in.space.key("job", id), "kind", "body")
		}
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

// Busy reports whether a lane has an unsettled job.
func (in Inspector) Busy(ctx context.Context, lane string) (bool, error) {
	n, err := in.space.rdb.Exists(ctx, in.space.laneKey(lane)).Result()
	return n > 0, errorf("look at", lane, err)
}

// LaneKey names the list of a lane's jobs, for a script that must know atomically whether the lane has any. The key exists
// as long as there is one. The script may only read it.
func (q *Queue) LaneKey(lane string) string { return q.space.laneKey(lane) }

func (s *space) laneKey(lane string) string { return s.key("lane", s.name(lane)) }
