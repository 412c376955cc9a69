package jobs

import (
	"context"
	"time"

	"darkroom/bot"
	"darkroom/cards/account"
	"darkroom/cards/kit"
	"darkroom/jobs/job"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

// connectWait is the longest that a job waits until it looks for an account again.
const connectWait = 2 * time.Minute

// waitForAccount puts off a job whose kind needs the service in a workspace that has no account, and tells its person
// once: what people asked for is not lost, and goes on with the next account. What was put before the workspace's data
// was forgotten is dropped with it. The job may begin when it is not dropped and there is no error.
func (j *Jobs) waitForAccount(ctx context.Context, d *queue.Delivery) (dropped bool, err error) {
	if !j.Account.Connectable() || !j.needsService(d.Job) {
		return false, nil
	}
	connected, err := j.Account.Connected(ctx)
	if err != nil || connected {
		return false, err
	}
	c, err := j.store.Connection.Read(ctx)
	if err != nil {
		return false, err
	}
	if c.Forgot(d.PutAt) {
		j.log.InfoContext(ctx, "job dropped with its workspace's data", "job", d.ID, "kind", d.Kind)
		return true, nil
	}
	j.notifyWaitsForAccount(ctx, d.Job)
	for _, job := range j.Waiting.Behind(ctx, d) {
		if j.needsService(job) {
			j.notifyWaitsForAccount(ctx, job)
		}
	}
	return false, queue.Wait(min(5*time.Second<<min(d.Deliveries-1, 5), connectWait))
}

// needsService reports whether a job's kind does.
func (j *Jobs) needsService(job queue.Job) bool {
	k, _ := j.kinds.Kind(job.Kind)
	return k.NeedsService
}

// unconnectedNote names the document that the person of a job was notified of its wait.
func unconnectedNote(id string) string { return "unconnected:" + job.Hash(id) }

// notifyWaitsForAccount notifies the person of a job that waits, once.
func (j *Jobs) notifyWaitsForAccount(ctx context.Context, waits queue.Job) {
	j.notifyWaits(ctx, waits, unconnectedNote(waits.ID), tenants.LeavingLife, func(user, asked string) (kit.Message, error) {
		c, err := j.Account.Connection(ctx, bot.Request{User: user})
		switch {
		case err != nil:
			return kit.Message{}, err
		case c.Unreadable:
			return account.WaitsUnreadable(asked, *c), nil
		}
		return account.WaitsForAccount(asked, *c), nil
	})
}
