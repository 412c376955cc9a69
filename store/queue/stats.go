package queue

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Stats counts what the queue holds.
type Stats struct {
	Jobs    int // in lanes, those being worked on included
	Lanes   int // with at least one job
	Running int // lanes being worked on
	Waiting int // lanes that come back later
	Later   int // jobs put with a delay that is not over
	Dead    int // dead letters
}

// Stats counts in one atomic step; it looks at every lane that has a job.
func (q *Queue) Stats(ctx context.Context) (Stats, error) {
	n, err := statsScript.Run(ctx, q.rdb, q.keys(), q.key("")).Int64Slice()
	if err != nil {
		return Stats{}, errorf("count", "jobs", err)
	}
	return Stats{
		Jobs: int(n[0]), Lanes: int(n[1]), Running: int(n[2]),
		Waiting: int(n[3]), Later: int(n[4]), Dead: int(n[5]),
	}, nil
}

// KEYS: 1 the stream. ARGV: 1 prefix. Returns the fields of Stats in order.
var statsScript = redis.NewScript(`
local p, jobs, running = ARGV[1], 0, 0
local lanes = redis.call('HKEYS', p .. 'tokens')
for _, lane in ipairs(lanes) do
  jobs = jobs + redis.call('LLEN', p .. 'lane:' .. lane)
  running = running + redis.call('EXISTS', p .. 'claim:' .. lane)
end
return {jobs, #lanes, running, redis.call('ZCARD', p .. 'waiting'),
  redis.call('ZCARD', p .. 'later'), redis.call('ZCARD', p .. 'dead')}
`)
