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

// connectWait is the longest wait of a job between two checks for an account.
const connectWait = 2 * time.Minute

// waitForAccount makes a job wait if its kind needs the service and the workspace has no account. It notifies the
// job's person once. The job goes on with the next account, unless the workspace's data was deleted after it was put:
// then it is dropped. It may begin if it is not dropped and err is nil.
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

// needsService reports whether the job's kind needs the service.
func (j *Jobs) needsService(job queue.Job) bool {
	k, _ := j.kinds.Kind(job.Kind)
	return k.NeedsService
}

// unconnectedDoc names the document that marks the job's person as notified.
func unconnectedDoc(id string) string { return "unconnected:" + job.Hash(id) }

// notifyWaitsForAccount notifies the person of a waiting job once.
func (j *Jobs) notifyWaitsForAccount(ctx context.Context, waits queue.Job) {
	j.notifyWaits(ctx, waits, unconnectedDoc(waits.ID), tenants.LeavingLife, func(user, asked string) (kit.Message, error) {
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
