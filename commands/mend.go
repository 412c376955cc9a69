package commands

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

// mendPatience is how long such a job waits; then it is set aside like any other that
// cannot be done, and its person is told what became of it.
const mendPatience = 24 * time.Hour

// waitForMend puts the job off and tells of it, once each, the operators, the person, and those
// whose jobs stand behind it.
func (c *Commands) waitForMend(ctx context.Context, d *queue.Delivery, err error) error {
	c.log.WarnContext(ctx, "job waits until an operator mends what slack refuses", "job", d.ID, "kind", d.Kind, "err", err)
	if d.Now().Sub(d.PutAt) > mendPatience {
		return queue.Dead(err)
	}
	told := c.tellOperators(ctx, err)
	k := c.kinds[d.Kind]
	c.tellWaits(ctx, d.Job, told, !k.unasked && k.truth(queue.DeadLetter{Job: d.Job, State: d.State}) == nothingSent)
	behind, err := c.queue.Behind(ctx, d.Lane, mostBehind)
	if err != nil {
		c.log.WarnContext(ctx, "not all who wait were told", "job", d.ID, "err", err)
	}
	for _, job := range behind {
		if c.kinds[job.Kind].behind != nil {
			c.tellWaits(ctx, job, told, false) // one that was revived may have sent something
		}
	}
	return queue.Wait(min(5*time.Second<<min(d.Deliveries-1, 4), time.Minute))
}

// tellWaits tells the person of a job that waits; told says that operators know, none that
// nothing of it was sent.
func (c *Commands) tellWaits(ctx context.Context, job queue.Job, told, none bool) {
	user, name := c.asker(ctx, job), "mend:"+hash(job.ID)
	if user == "" || !c.first(ctx, name, mendPatience) {
		return
	}
	err := c.dm(ctx, user, cards.MustWait(c.kinds[job.Kind].asked, told, none))
	if err == nil {
		return
	}
	c.log.ErrorContext(ctx, "person not told that the job waits", "job", job.ID, "user", user, "err", err)
	if sayLater(err) {
		c.unsaid(ctx, name)
	}
}

// tellOperators tells the operations channel what Slack refuses, once a day for each thing.
// It tells whether they know.
func (c *Commands) tellOperators(ctx context.Context, err error) bool {
	refused, ok := errors.AsType[*bot.Error](err)
	if !ok || c.ops == nil {
		return false
	}
	name := "refused:" + hash(refused.Method+" "+refused.Code+" "+refused.Needed)
	if !c.first(ctx, name, mendPatience) {
		return true
	}
	said, err := c.ops(ctx, cards.OpsRefused(refused.Method, refused.Code, refused.Needed))
	if err != nil {
		c.log.WarnContext(ctx, "operations channel not told", "err", err)
	}
	if !said {
		c.unsaid(ctx, name)
	}
	return said
}

// unsaid takes back that something was said: it is said next time.
func (c *Commands) unsaid(ctx context.Context, name string) {
	if err := c.store.DropNote(ctx, name); err != nil {
		c.log.WarnContext(ctx, "what was not said is not said again", "note", name, "err", err)
	}
}

// first tells whether that was not yet said; when nobody knows, it is said.
func (c *Commands) first(ctx context.Context, name string, life time.Duration) bool {
	first, err := c.store.NoteOnce(ctx, name, true, life)
	return first || err != nil
}
