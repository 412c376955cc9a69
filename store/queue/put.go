package queue

import (
	"crypto/rand"
	"time"
)

// remember is how long the id of a job stays known after it was put or settled.
const remember = 25 * time.Hour

// PutLua is Lua for a script that must put a job in the same atomic step as its own writes.
// Prepend it to the script, hand it the job's [Queue.PutArgs] as JSON and call queue_put:
//
//	script := redis.NewScript(queue.PutLua + `
//	  local a = cjson.decode(ARGV[1])
//	  redis.call('HSET', KEYS[1], 'status', a.status)
//	  return queue_put(a.job)`)
//	argument, err := json.Marshal(approval{Status: "approved", Job: q.PutArgs(job)})
//	script.Run(ctx, rdb, []string{orderKey(id)}, argument)
//
// It returns 1 when the job was added and 0 when a job of that id is known. The script may
// change the job before the call. The queue's keys have the tag {darkroom}: the script's own
// keys must have it too. The fragment defines only locals whose names begin with queue_.
var PutLua = keysLua + putLua

var putScript = newScript("put", PutLua)

// PutArgs is a job as queue_put of [PutLua] takes it. As JSON it holds text only.
type PutArgs struct {
	Prefix   string `json:"prefix"` // of the queue's keys
	ID       string `json:"id"`
	Lane     string `json:"lane"`
	Kind     string `json:"kind"`
	Body     string `json:"body"`            // JSON
	Delay    int64  `json:"delay,string"`    // ms until it joins its lane
	Nonce    string `json:"nonce"`           // of this put
	Remember int64  `json:"remember,string"` // ms that the id stays known
}

// PutArgs returns job for queue_put of [PutLua]. Take fresh ones for each put, and the same
// ones when a put is repeated because its answer was lost.
func (q *Queue) PutArgs(job Job) PutArgs { return q.putArgs(job, 0) }

func (q *Queue) putArgs(job Job, delay time.Duration) PutArgs {
	return PutArgs{
		Prefix: q.key(""), ID: job.ID, Lane: job.Lane, Kind: job.Kind, Body: string(job.Body),
		Delay: millis(delay), Nonce: rand.Text(), Remember: remember.Milliseconds(),
	}
}

// millis rounds up: a wait is never shorter than asked.
func millis(d time.Duration) int64 {
	return max(0, (d + time.Millisecond - 1).Milliseconds())
}
