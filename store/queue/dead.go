package queue

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/script"
)

// DeadLetter is a job that died, and why. Dead letters are kept until somebody
// revives, drops or forgets them: their number is not bounded, since each is a person's
// words or money. Watch [Stats].Dead.
type DeadLetter struct {
	Job
	State  json.RawMessage // what [Delivery.SetState] left last; nil when nothing
	Reason string
	At     time.Time // by the clock of Redis

	trace string // what the job carries, see [carried]
}

// ErrNotDead says that no dead letter has that id.
var ErrNotDead = errors.New("queue: no such dead letter")

// tellAgain is how long the worker under which a job died has to tell of it before
// somebody else does.
const tellAgain = time.Minute

// Dead lists dead letters, the newest first; limit 0 means all.
func (q *Queue) Dead(ctx context.Context, limit int) ([]DeadLetter, error) {
	found, err := q.rdb.ZRevRangeWithScores(ctx, q.deadKey(), 0, int64(limit)-1).Result()
	if err != nil {
		return nil, errorf("list", "dead letters", err)
	}
	letters := make([]DeadLetter, 0, len(found))
	for _, z := range found {
		id, _ := z.Member.(string)
		letter, err := q.deadLetter(ctx, id, int64(z.Score))
		if err != nil {
			return nil, err
		}
		letters = append(letters, letter)
	}
	return letters, nil
}

// deadLetter reads the dead letter that the queue calls id.
func (q *Queue) deadLetter(ctx context.Context, id string, at int64) (DeadLetter, error) {
	job, err := q.rdb.HGetAll(ctx, q.key("job", id)).Result()
	return DeadLetter{
		Job:   q.job(id, job["lane"], job["kind"], job["body"]),
		State: raw(job["state"]), Reason: job["reason"], At: time.UnixMilli(at), trace: job["trace"],
	}, errorf("read dead letter", id, err)
}

// Revive puts a dead job back at the end of its lane with all its attempts and
// the state it had; its next delivery is not its first. [ErrNotDead] otherwise.
func (q *Queue) Revive(ctx context.Context, id string) error {
	return q.removeDead(ctx, "revive", id)
}

// Drop forgets a dead job for good; its id stays known for 25 hours more.
func (q *Queue) Drop(ctx context.Context, id string) error {
	return q.removeDead(ctx, "drop", id)
}

// Forget drops dead letters, so many at most, that are older than that by the clock of
// Redis, and that somebody was told of.
func (q *Queue) Forget(ctx context.Context, older time.Duration, most int) error {
	return errorf("forget", "dead letters", q.script(ctx, "forget", script.Args{"age": older, "most": most, "tenant": q.tenant}).Err())
}

func (q *Queue) removeDead(ctx context.Context, verb, id string) error {
	dead, err := q.did(ctx, verb, script.Args{"id": q.name(id), "remember": idempotencyTTL})
	if err == nil && !dead {
		return ErrNotDead
	}
	return errorf(verb, id, err)
}

// tell tells OnDead of a death, of the job that the queue calls id, and then that it was told. A process that ends
// in between leaves the job among the untold, and so does an OnDead that fails.
func (q *Queue) tell(ctx context.Context, id string) error {
	if q.o.OnDead != nil {
		at, err := q.rdb.ZScore(ctx, q.key("dead"), id).Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			return errorf("tell of", id, err)
		}
		if err == nil { // neither revived nor dropped meanwhile
			letter, err := q.deadLetter(ctx, id, int64(at))
			if err != nil {
				return err
			}
			ctx := continued(ctx, letter.trace, id)
			told := true
			q.recoverPanic(ctx, id, func() {
				if err := q.o.OnDead(ctx, letter); err != nil { // whoever is to tell of it has said why
					q.log.DebugContext(ctx, "a dead job is told of later", "job", id, "err", err)
					told = false
				}
			})
			if !told {
				return nil
			}
		}
	}
	return errorf("tell of", id, q.rdb.ZRem(ctx, q.key("untold"), id).Err())
}

// recoverPanic keeps a panic of OnDead from ending the process.
func (q *Queue) recoverPanic(ctx context.Context, id string, f func()) {
	defer func() {
		if p := recover(); p != nil {
			q.log.ErrorContext(ctx, "telling of a dead job panicked", "job", id, "panic", p)
		}
	}()
	f()
}

// unnotified returns the dead jobs whose teller is overdue, each to one caller.
func (q *Queue) unnotified(ctx context.Context) ([]string, error) {
	return q.script(ctx, "unnotified", script.Args{"again": tellAgain}).StringSlice()
}
