package accounts

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"darkroom/cards/account"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

// forgetArgs is the body of the job that deletes the workspace's data.
type forgetArgs struct {
	answers.Asker
	Since time.Time `json:"since"` // when it was decided; a later decision or a new account ends the job
}

const (
	// forgetAfter is how long the job waits for other work to end: longer than a request to the service.
	forgetAfter = time.Minute
	// forgetPages is the number of pages of keys that one delivery deletes.
	forgetPages = 40
)

func (j *Disconnect) beginForgetting(ctx context.Context, d *queue.Delivery, b DisconnectArgs) error {
	since := d.PutAt.UTC()
	if err := j.Store.Removals.BeginForgetting(ctx, since); err != nil {
		return err
	}
	return j.Putter.Put(ctx, job.Forget, job.Forget+":"+b.Request, workspaceLane, forgetArgs{b.Asker, since})
}

// forget deletes the workspace's data, page by page, until no key is found. A redelivery continues.
func (j *Disconnect) forget(ctx context.Context, d *queue.Delivery, b forgetArgs) error {
	if early := forgetAfter - d.Now().Sub(b.Since); early > 0 {
		return queue.Wait(early)
	}
	w, err := queue.State[tenants.WorkspaceForgetting](d)
	if err != nil {
		return err
	}
	w.Found = w.Found || d.Interrupted
	for page := 0; !w.Done; page++ {
		if page == forgetPages {
			return queue.Wait(time.Second)
		}
		c, err := j.Store.Connection.Read(ctx)
		if err != nil {
			return err
		}
		if !c.Forgetting.Equal(b.Since) {
			j.Log.InfoContext(ctx, "forgetting a workspace ended: it was connected again, or decided anew", "keys", w.Keys)
			return nil
		}
		if w, err = j.Store.Removals.ForgetPage(ctx, w); err != nil {
			return err
		}
		if err := d.SetState(ctx, w); err != nil {
			return err
		}
	}
	if err := j.dropWith(ctx, b.Since); err != nil {
		return err
	}
	j.Log.InfoContext(ctx, "workspace's data forgotten", "user", b.User, "keys", w.Keys)
	if err := j.Messages.Inform(ctx, b.Asker, account.WorkspaceForgotten(w.Keys)); err != nil {
		return err
	}
	return j.ShowHome(ctx, b.AsRequest())
}

// dropWith drops the jobs that belong to the deleted data. It keeps all jobs if the workspace was connected again,
// because they may be new.
func (j *Disconnect) dropWith(ctx context.Context, since time.Time) error {
	c, err := j.Store.Connection.Read(ctx)
	if err != nil || !c.Forgetting.Equal(since) {
		return err
	}
	return dropIdle(ctx, j.Queue)
}

// dropIdle drops dead letters and jobs that were put for later, which contain typed text. It leaves running and waiting
// jobs.
func dropIdle(ctx context.Context, q *queue.Queue) error {
	err := dropLetters(ctx, q.DeadLetters())
	if err == nil {
		_, err = q.DropDelayed(ctx)
	}
	return err
}

// lettersAtOnce is the number of dead letters read at a time.
const lettersAtOnce = 10

// dropLetters drops all dead letters.
func dropLetters(ctx context.Context, dead queue.DeadLetters) error {
	for {
		letters, err := dead.List(ctx, lettersAtOnce)
		if err != nil || len(letters) == 0 {
			return err
		}
		for _, l := range letters {
			if err := dead.Drop(ctx, l.ID); err != nil && !errors.Is(err, queue.ErrNotDead) {
				return err
			}
		}
	}
}

// ForgetKind declares the job that deletes the data.
func (j *Disconnect) ForgetKind() queue.Declared {
	return queue.Kind[forgetArgs]{
		Name: job.Forget, Work: j.forget, Asked: "deleting this workspace's data",
		Truth: job.Always("A part may be deleted already. If it does not go on, a workspace admin can press *Export or Delete Data* on the Home tab after a day."),
	}.Declare()
}

// ForgetRemoved deletes the data of a workspace that removed the app at gone, if its admins' choice is due at now, see
// [tenants.Leaving]. Call it when the app is removed, and every day until it returns [RemovedDone]; the workspace's
// handlers must not run. Work in progress may still write data, so it returns [RemovedForgotten] first. It returns
// RemovedDone once, a minute or more later, no job runs and nothing is left. An interrupted call is continued by the
// next.
func ForgetRemoved(ctx context.Context, s *store.Store, q *queue.Queue, accounts Accounts, gone, now time.Time, log *slog.Logger) (Removed, error) {
	c, err := s.Connection.Read(ctx)
	if err != nil {
		return RemovedKept, err
	}
	if at, ever := c.Leaving.Forgets(gone); !ever || now.Before(at) {
		return RemovedKept, nil
	}
	if err := accounts.Disconnect(ctx); err != nil {
		return RemovedKept, err
	}
	r := c.Removal
	if !c.Removing() || !r.Since.After(gone) {
		again := c.Forgotten && c.Forgetting.After(gone) && now.Sub(c.Forgetting) >= forgetAfter
		if again {
			if again, err = q.Inspector().Idle(ctx); err != nil {
				return RemovedKept, err
			}
		}
		if r, err = s.Removals.BeginRemoval(ctx, time.Now(), again); err != nil {
			return RemovedKept, err
		}
	}
	keys, ended, err := goOnRemoving(ctx, s, r)
	if err == nil && ended {
		err = dropIdle(ctx, q)
	}
	switch {
	case err != nil:
		return RemovedKept, err
	case !ended:
		log.InfoContext(ctx, "forgetting a workspace ended: it was connected again, or decided anew", "keys", keys)
		return RemovedKept, nil
	case r.Again && keys == 0:
		return RemovedDone, nil
	}
	log.InfoContext(ctx, "data forgotten of a workspace that removed the app", "keys", keys)
	return RemovedForgotten, nil
}

// goOnRemoving deletes page after page, from where the last call stopped. It is false if the removal was called off.
func goOnRemoving(ctx context.Context, s *store.Store, r tenants.Removal) (keys int, ended bool, err error) {
	for goesOn := true; !r.Walk.Done; {
		if r.Walk, err = s.Removals.ForgetPage(ctx, r.Walk); err == nil && !r.Walk.Done {
			r.At = time.Now().UTC()
			goesOn, err = s.Removals.SaveRemoval(ctx, r)
		}
		if err != nil || !goesOn {
			return r.Walk.Keys, false, err
		}
	}
	return r.Walk.Keys, true, nil
}

// Removed is the state of the data of a workspace that removed the app.
type Removed int

// The values of Removed.
const (
	RemovedKept      Removed = iota // kept, for now or for ever
	RemovedForgotten                // deleted just now; call again in a minute, for work that was in progress
	RemovedDone                     // nothing is left
)

// ForgetNow deletes all data of a workspace at once, whatever its admins chose, and returns the number of deleted keys.
// Call it again after work in progress has ended. An interrupted call starts over.
func ForgetNow(ctx context.Context, s *store.Store, q *queue.Queue, accounts Accounts) (keys int, err error) {
	if err := errors.Join(accounts.Disconnect(ctx), s.Removals.BeginForgetting(ctx, time.Now())); err != nil {
		return 0, err
	}
	var w tenants.WorkspaceForgetting
	for !w.Done && err == nil {
		w, err = s.Removals.ForgetPage(ctx, w)
	}
	if err == nil {
		err = dropIdle(ctx, q)
	}
	return w.Keys, err
}
