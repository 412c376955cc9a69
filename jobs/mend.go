package jobs

import (
	"context"
	"errors"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store/queue"
)

// What only an operator can mend, a missing permission or a refused token, is no reason to
// throw away what people asked for: the job waits, they are told, and so are the operators.

// mendPatience is how long such a job waits; then it is dead like any other that
// cannot be done, and its person is told what became of it.
const mendPatience = 24 * time.Hour

// waitForMend puts the job off and tells of it, once each, the operators, the person, and those
// whose jobs stand behind it.
func (j *Jobs) waitForMend(ctx context.Context, d *queue.Delivery, err error) error {
	j.log.WarnContext(ctx, "job waits until an operator mends what slack refuses", "job", d.ID, "kind", d.Kind, "err", err)
	if d.Now().Sub(d.PutAt) > mendPatience {
		return queue.Dead(err)
	}
	told := j.tellOperators(ctx, err)
	k, _ := j.kinds.Kind(d.Kind)
	j.tellWaits(ctx, d.Job, told, k.Asked != "" && k.Truth(queue.DeadLetter{Job: d.Job, State: d.State}) == NothingSent)
	behind, err := j.queue.Inspector().Behind(ctx, d.Lane, mostBehind)
	if err != nil {
		j.log.WarnContext(ctx, "not all who wait were told", "job", d.ID, "err", err)
	}
	for _, job := range behind {
		if k, _ := j.kinds.Kind(job.Kind); k.Blocked != nil {
			j.tellWaits(ctx, job, told, false) // one that was revived may have sent something
		}
	}
	return queue.Wait(min(5*time.Second<<min(d.Deliveries-1, 4), time.Minute))
}

// tellWaits tells the person of a job that waits; told says that operators know, none that
// nothing of it was sent.
func (j *Jobs) tellWaits(ctx context.Context, job queue.Job, told, none bool) {
	user, name := j.asker(ctx, job), "mend:"+Hash(job.ID)
	if user == "" || !j.first(ctx, name, mendPatience) {
		return
	}
	k, _ := j.kinds.Kind(job.Kind)
	if err := j.dm(ctx, user, cards.MustWait(k.Asked, told, none)); err != nil {
		j.log.ErrorContext(ctx, "person not told that the job waits", "job", job.ID, "user", user, "err", err)
		if isWorthRetrying(err) {
			j.forgetSaid(ctx, name)
		}
	}
}

// tellOperators tells the operations channel what Slack refuses, once a day for each thing.
// It tells whether they know.
func (j *Jobs) tellOperators(ctx context.Context, err error) bool {
	refused, ok := errors.AsType[*bot.Error](err)
	if !ok || j.ops == nil {
		return false
	}
	name := "refused:" + Hash(refused.Method+" "+refused.Code+" "+refused.Needed)
	if !j.first(ctx, name, mendPatience) {
		return true
	}
	says := cards.OpsRefused(refused.Method, refused.Code, refused.Needed)
	if j.connecting != nil {
		says = cards.OpsRefusedHere(refused.Code)
	}
	said, err := j.ops(ctx, says)
	if err != nil {
		j.log.WarnContext(ctx, "operations channel not told", "err", err)
	}
	if !said {
		j.forgetSaid(ctx, name)
	}
	return said
}

// forgetSaid takes back that something was said: it is said next time.
func (j *Jobs) forgetSaid(ctx context.Context, name string) {
	if err := j.store.Delete(ctx, name); err != nil {
		j.log.WarnContext(ctx, "what was not said is not said again", "note", name, "err", err)
	}
}

// first tells whether that was not yet said; when nobody knows, it is said.
func (j *Jobs) first(ctx context.Context, name string, life time.Duration) bool {
	first, err := j.store.PutIfAbsent(ctx, name, true, life)
	return first || err != nil
}
