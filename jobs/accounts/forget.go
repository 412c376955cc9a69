package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"darkroom/cards/account"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

// forgetArgs is the body of the job that forgets the workspace's data.
type forgetArgs struct {
	answers.Asker
	Since time.Time `json:"since"` // when that was decided: another decision, or a new account, ends it
}

const (
	// forgetAfter is how long forgetting waits for what is under way: longer than a request to the service takes.
	forgetAfter = time.Minute
	// forgetPages is how many pages of keys are removed before others have a turn.
	forgetPages = 40
)

func (j *Disconnect) beginForgetting(ctx context.Context, d *queue.Delivery, b DisconnectArgs) error {
	since := d.PutAt.UTC()
	if err := j.Store.Removals.BeginForgetting(ctx, since); err != nil {
		return err
	}
	return j.Putter.Put(ctx, job.Forget, job.Forget+":"+b.Request, workspaceLane, forgetArgs{b.Asker, since})
}

// forget removes the workspace's data, page by page, until nothing is found. It goes on where it was cut off.
func (j *Disconnect) forget(ctx context.Context, d *queue.Delivery, b forgetArgs) error {
	if early := forgetAfter - d.Now().Sub(b.Since); early > 0 {
		return queue.Wait(early)
	}
	var w tenants.WorkspaceForgetting
	if len(d.State) > 0 {
		if err := json.Unmarshal(d.State, &w); err != nil {
			return queue.Dead(fmt.Errorf("state of %s: %w", d.ID, err))
		}
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

// dropWith drops the jobs that go with the data that is forgotten since then. When the workspace was connected anew
// meanwhile, those that there are may be of what came after.
func (j *Disconnect) dropWith(ctx context.Context, since time.Time) error {
	c, err := j.Store.Connection.Read(ctx)
	if err != nil || !c.Forgetting.Equal(since) {
		return err
	}
	return dropIdle(ctx, j.Queue)
}

// dropIdle drops dead letters, and jobs that were put for later: what was typed is in them, and what
// they are about is no more. It leaves a job that is being worked on, or waits.
func dropIdle(ctx context.Context, q *queue.Queue) error {
	err := dropLetters(ctx, q.DeadLetters())
	if err == nil {
		_, err = q.DropDelayed(ctx)
	}
	return err
}

// lettersAtOnce bounds how many dead letters are read at a time.
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

// ForgetKind declares the job that forgets the data.
func (j *Disconnect) ForgetKind() queue.Declared {
	return queue.Kind[forgetArgs]{
		Name: job.Forget, Work: j.forget, Asked: "forgetting this workspace's data",
		Truth: job.Always("A part may be forgotten already. If it does not go on, a workspace admin can choose *Export or forget them* on the Home after a day."),
	}.Declare()
}

// ForgetRemoved forgets what is kept of a workspace that removed the app at that time, once its admins' choice says so:
// see [tenants.Leaving]; now is the time at which that is judged. It is to be called when the app was removed and every day
// from then on, without anybody who works in that workspace, until it says that it is done. What was under way may leave
// something behind it, so that it is [RemovedForgotten] at first, and [RemovedDone] when a minute or more later no job is
// under way and nothing more is found: nobody needs to ask again. Cut off and called again, it goes on where it was.
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

// goOnRemoving removes page after page, from where the last look was cut off; false: it is not to end.
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

// Removed is what became of the data of a workspace that removed the app.
type Removed int

// The values of Removed.
const (
	RemovedKept      Removed = iota // it is kept, for now or for ever
	RemovedForgotten                // it was forgotten just now: look again in a minute, for what was under way
	RemovedDone                     // nothing is left
)

// ForgetNow forgets at once all that is kept of a workspace, whatever its admins chose, and says how many keys that
// were. What is under way in it meanwhile may leave something, for which it is to be called again. Cut off, it begins anew.
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
