package queue

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/script"
)

// DeadLetter is a dead job with its reason. Dead letters stay until they are revived, dropped or forgotten. Their number has
// no bound, since each holds a person's text or money. Watch [Stats].Dead.
type DeadLetter struct {
	Job
	State  json.RawMessage // saved last by [Delivery.SetState]; nil: none
	Reason string
	At     time.Time // by the clock of Redis

	trace string // see [traceOf]
}

// ErrNotDead says that no dead letter has that id.
var ErrNotDead = errors.New("queue: no such dead letter")

// notifyAgain is how long a worker has to report a death. Then another one reports it.
const notifyAgain = time.Minute

// DeadLetters has the dead letters of a queue, or of a tenant's view of it.
type DeadLetters struct{ space *space }

// DeadLetters returns the queue's dead letters.
func (q *Queue) DeadLetters() DeadLetters { return DeadLetters{q.space} }

// List returns dead letters, the newest first; limit 0 means all.
func (d DeadLetters) List(ctx context.Context, limit int) ([]DeadLetter, error) {
	found, err := d.space.rdb.ZRevRangeWithScores(ctx, d.space.deadKey(), 0, int64(limit)-1).Result()
	if err != nil {
		return nil, errorf("list", "dead letters", err)
	}
	letters := make([]DeadLetter, 0, len(found))
	for _, z := range found {
		id, _ := z.Member.(string)
		letter, err := d.space.deadLetter(ctx, id, int64(z.Score))
		if err != nil {
			return nil, err
		}
		letters = append(letters, letter)
	}
	return letters, nil
}

// deadLetter reads a dead letter by its name in the queue.
func (s *space) deadLetter(ctx context.Context, id string, at int64) (DeadLetter, error) {
	job, err := s.rdb.HGetAll(ctx, s.key("job", id)).Result()
	return DeadLetter{
		Job:   s.job(id, job["lane"], job["kind"], job["body"]),
		State: raw(job["state"]), Reason: job["reason"], At: time.UnixMilli(at), trace: job["trace"],
	}, errorf("read dead letter", id, err)
}

// Revive puts a dead job back at the end of its lane with all its attempts and
// the state it had; its next delivery is not its first. [ErrNotDead] otherwise.
func (d DeadLetters) Revive(ctx context.Context, id string) error {
	return d.removeDead(ctx, "revive", id)
}

// Drop forgets a dead job for good; its id stays known for 25 hours more.
func (d DeadLetters) Drop(ctx context.Context, id string) error {
	return d.removeDead(ctx, "drop", id)
}

// Forget drops dead letters, most at most, that were reported and are older than that by the clock of Redis.
func (d DeadLetters) Forget(ctx context.Context, older time.Duration, most int) error {
	return errorf("forget", "dead letters", d.space.script(ctx, "forget", script.Args{"age": older, "most": most, "tenant": d.space.tenant}).Err())
}

func (d DeadLetters) removeDead(ctx context.Context, verb, id string) error {
	dead, err := d.space.did(ctx, verb, script.Args{"id": d.space.name(id), "remember": idempotencyTTL})
	if err == nil && !dead {
		return ErrNotDead
	}
	return errorf(verb, id, err)
}

// deathNotifier reports deaths to [Options].OnDead.
type deathNotifier struct {
	space  *space
	onDead func(context.Context, DeadLetter) error
	log    *slog.Logger
}

func (q *Queue) deathNotifier() deathNotifier { return deathNotifier{q.space, q.o.OnDead, q.log} }

// notify reports the death of a job, by its name in the queue, and then records that. If the process ends in between, or
// OnDead fails, another worker reports it again.
func (t deathNotifier) notify(ctx context.Context, id string) error {
	if t.onDead != nil {
		if reported, err := t.report(ctx, id); err != nil || !reported {
			return err
		}
	}
	return errorf("tell of", id, t.space.rdb.ZRem(ctx, t.space.key("untold"), id).Err())
}

// report reports the death of a job, unless it was revived or dropped meanwhile. It returns false if OnDead failed. One that
// panics is not called again.
func (t deathNotifier) report(ctx context.Context, id string) (reported bool, err error) {
	at, err := t.space.rdb.ZScore(ctx, t.space.key("dead"), id).Result()
	if errors.Is(err, redis.Nil) {
		return true, nil
	}
	if err != nil {
		return false, errorf("tell of", id, err)
	}
	letter, err := t.space.deadLetter(ctx, id, int64(at))
	if err != nil {
		return false, err
	}
	ctx, reported = withTrace(ctx, letter.trace, id), true
	t.recoverPanic(ctx, id, func() {
		if err := t.onDead(ctx, letter); err != nil { // OnDead has logged it
			t.log.DebugContext(ctx, "a dead job is told of later", "job", id, "err", err)
			reported = false
		}
	})
	return reported, nil
}

// recoverPanic keeps a panic of OnDead from ending the process.
func (t deathNotifier) recoverPanic(ctx context.Context, id string, f func()) {
	defer func() {
		if p := recover(); p != nil {
			t.log.ErrorContext(ctx, "telling of a dead job panicked", "job", id, "panic", p)
		}
	}()
	f()
}

// unnotified returns the dead jobs whose report is overdue, each to one caller.
func (u upkeep) unnotified(ctx context.Context) ([]string, error) {
	return u.space.script(ctx, "unnotified", script.Args{"again": notifyAgain}).StringSlice()
}
