package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// DisconnectArgs is the body of the job that disconnects a workspace, or only decides about its data.
type DisconnectArgs struct {
	Asker
	Data    cards.DataChoice `json:"data"`
	Leaving store.Leaving    `json:"leaving,omitempty"`
	// Connected is when the account was connected that is meant, the zero time when there was none: one that is connected
	// later stays. nil: an earlier version put the job.
	Connected *time.Time `json:"connected,omitempty"`
}

// workspaceLane is the lane of what concerns the whole workspace.
const workspaceLane = "workspace"

// PutDisconnect puts the job that disconnects the workspace.
func (j *Jobs) PutDisconnect(ctx context.Context, body DisconnectArgs) error {
	if j.connecting != nil {
		account, err := j.connecting.Accounts.Account(ctx)
		if err != nil && !store.NoAccount(err) {
			return err
		}
		body.Connected = &account.At
	}
	return j.Put(ctx, DisconnectJob, DisconnectJob+":"+body.Request, workspaceLane, body)
}

// disconnect takes the account away, and begins what was chosen for the data. Each step done twice is done once.
func (j *Jobs) disconnect(ctx context.Context, d *queue.Delivery, b DisconnectArgs) error {
	if j.connecting == nil {
		return queue.Dead(errors.New("the account is part of the configuration"))
	}
	operator, err := j.access.IsOperatorNow(ctx, b.request())
	if err != nil {
		return err
	}
	if !operator {
		return j.Answer(ctx, b.Asker, cards.Notice(cards.TitleConnect, cards.OperatorsOnly(cards.ConnectAccount).Text, b.View))
	}
	account, err := j.connecting.Accounts.Account(ctx)
	there := !errors.Is(err, store.ErrNotConnected)
	switch {
	case err != nil && !store.NoAccount(err):
		return err
	case there && b.isOlder(account, d.PutAt):
		j.log.InfoContext(ctx, "nothing disconnected: the workspace was connected since", "user", b.User, "data", b.Data)
		return j.answerDisconnect(ctx, b, cards.ConnectedSince(b.View))
	}
	host, err := j.takeAccount(ctx, b, account, there)
	if err != nil {
		return err
	}
	switch b.Data {
	case cards.DataExport:
		err = j.Put(ctx, ExportJob, ExportJob+":"+b.Request, workspaceLane, exportArgs{b.Asker})
	case cards.DataForget:
		err = j.beginForgetting(ctx, d, b)
	}
	if err != nil {
		return err
	}
	return j.answerDisconnect(ctx, b, cards.Disconnected(host, cards.Disconnecting{Data: b.Data, Leaving: b.Leaving}, b.View))
}

func (j *Jobs) answerDisconnect(ctx context.Context, b DisconnectArgs, view slack.ModalViewRequest) error {
	if err := j.Answer(ctx, b.Asker, view); err != nil {
		return err
	}
	return j.ShowHome(ctx, b.Team, b.User, nil)
}

// isOlder reports whether an account was connected after the job was put, whose person meant another one, or none. It
// compares no clocks, but for a job of an earlier version: an account's time has whole seconds there, and is kept in doubt.
func (b DisconnectArgs) isOlder(a store.ServiceAccount, put time.Time) bool {
	if b.Connected != nil {
		return !a.At.Equal(*b.Connected)
	}
	return !a.At.Before(put.Truncate(time.Second))
}

// takeAccount keeps what was chosen and forgets the account, when there is one. It returns the host of one that it took,
// which is remembered also of an account that does not open.
func (j *Jobs) takeAccount(ctx context.Context, b DisconnectArgs, account store.ServiceAccount, there bool) (host string, err error) {
	if err := j.store.SetLeaving(ctx, b.Leaving); err != nil {
		return "", err
	}
	if !there {
		j.log.InfoContext(ctx, "workspace's data decided about", "user", b.User, "data", b.Data, "leaving", b.Leaving)
		return "", nil
	}
	c, err := j.store.Connection(ctx)
	if err == nil {
		err = j.connecting.Accounts.Disconnect(ctx)
	}
	if err != nil {
		return "", err
	}
	host = cmp.Or(account.Host(), c.Host)
	j.log.InfoContext(ctx, "order service disconnected", "host", host, "user", b.User, "data", b.Data, "leaving", b.Leaving)
	return host, nil
}

func (j *Jobs) disconnectKind() queue.Declared {
	return queue.Kind[DisconnectArgs]{
		Name: DisconnectJob, Work: j.disconnect, Asked: "disconnecting the order service",
		Truth: Always("The App Home shows whether the workspace is connected still; trying again is safe."),
	}.Declare()
}

// exportArgs is the body of the job that sends somebody a copy of the workspace's data.
type exportArgs struct{ Asker }

// export sends it, as a file in their direct messages. A second delivery may send it again, which does no harm.
func (j *Jobs) export(ctx context.Context, _ *queue.Delivery, b exportArgs) error {
	operator, err := j.access.IsOperatorNow(ctx, b.request())
	if err != nil {
		return err
	}
	if !operator {
		return j.inform(ctx, b.Asker, cards.OperatorsOnly(cards.ConnectAccount))
	}
	me, err := j.slack.Identity(ctx)
	if err != nil {
		return err
	}
	if !me.Granted("files:write") {
		return j.inform(ctx, b.Asker, cards.Say(cards.ExportNoRights))
	}
	size, err := j.store.ExportSize(ctx)
	if err != nil {
		return err
	}
	if !cards.FitsExport(size) {
		return j.inform(ctx, b.Asker, cards.Say(cards.ExportTooLarge))
	}
	err = j.sendExport(ctx, b.User, size)
	switch {
	case err == nil:
		j.log.InfoContext(ctx, "workspace's data exported", "user", b.User, "bytes", size)
		return nil
	case errors.Is(err, store.ErrExportGrew):
		return queue.Wait(time.Second)
	case errors.Is(err, bot.ErrUnknownOutcome):
		return j.inform(ctx, b.Asker, cards.Say(cards.ExportUnsure))
	case queue.Away(err) || isWorthRetrying(err) || ctx.Err() != nil:
		return err
	}
	j.log.WarnContext(ctx, "workspace's data not exported", "user", b.User, "err", err)
	return j.inform(ctx, b.Asker, cards.Say(cards.ExportUnsent))
}

// sendExport uploads the export while it is written: it is never whole in memory, nor on a disk.
func (j *Jobs) sendExport(ctx context.Context, user string, size int64) error {
	read, write := io.Pipe()
	written := make(chan error, 1)
	go func() {
		err := j.store.ExportSized(ctx, write, size)
		_ = write.CloseWithError(err)
		written <- err
	}()
	err := j.slack.SendFileFrom(ctx, user, cards.ExportFileName, cards.ExportFileComment, size, read)
	_ = read.CloseWithError(io.ErrClosedPipe) // whoever is still writing need not go on
	if wrote := <-written; wrote != nil && !errors.Is(wrote, io.ErrClosedPipe) {
		return wrote // which is why the upload failed
	}
	return err
}

func (j *Jobs) exportKind() queue.Declared {
	return queue.Kind[exportArgs]{
		Name: ExportJob, Work: j.export, Asked: "sending you a copy of this workspace's data",
		Truth: Always("Nothing is lost: choose it again on the App Home."),
	}.Declare()
}

// forgetArgs is the body of the job that forgets the workspace's data.
type forgetArgs struct {
	Asker
	Since time.Time `json:"since"` // when that was decided: another decision, or a new account, ends it
}

const (
	// forgetAfter is how long forgetting waits for what is under way: longer than a request to the service takes.
	forgetAfter = time.Minute
	// forgetPages is how many pages of keys are removed before others have a turn.
	forgetPages = 40
)

func (j *Jobs) beginForgetting(ctx context.Context, d *queue.Delivery, b DisconnectArgs) error {
	since := d.PutAt.UTC()
	if err := j.store.BeginForgetting(ctx, since); err != nil {
		return err
	}
	return j.Put(ctx, ForgetJob, ForgetJob+":"+b.Request, workspaceLane, forgetArgs{b.Asker, since})
}

// forget removes the workspace's data, page by page, until nothing is found. It goes on where it was cut off.
func (j *Jobs) forget(ctx context.Context, d *queue.Delivery, b forgetArgs) error {
	if early := forgetAfter - d.Now().Sub(b.Since); early > 0 {
		return queue.Wait(early)
	}
	var w store.WorkspaceForgetting
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
		c, err := j.store.Connection(ctx)
		if err != nil {
			return err
		}
		if !c.Forgetting.Equal(b.Since) {
			j.log.InfoContext(ctx, "forgetting a workspace ended: it was connected again, or decided anew", "keys", w.Keys)
			return nil
		}
		if w, err = j.store.ForgetPage(ctx, w); err != nil {
			return err
		}
		if err := d.SetState(ctx, w); err != nil {
			return err
		}
	}
	if err := dropLetters(ctx, j.queue); err != nil {
		return err
	}
	j.log.InfoContext(ctx, "workspace's data forgotten", "user", b.User, "keys", w.Keys)
	if err := j.inform(ctx, b.Asker, cards.WorkspaceForgotten(w.Keys)); err != nil {
		return err
	}
	return j.ShowHome(ctx, b.Team, b.User, nil)
}

// dropLetters drops the jobs that were set aside: what was typed is in them.
func dropLetters(ctx context.Context, q *queue.Queue) error {
	for {
		letters, _, err := q.DeadPage(ctx, 0, cards.PageSize)
		if err != nil || len(letters) == 0 {
			return err
		}
		for _, l := range letters {
			if err := q.Drop(ctx, l.ID); err != nil && !errors.Is(err, queue.ErrNotDead) {
				return err
			}
		}
	}
}

func (j *Jobs) forgetKind() queue.Declared {
	return queue.Kind[forgetArgs]{
		Name: ForgetJob, Work: j.forget, Asked: "forgetting this workspace's data",
		Truth: Always("A part may be forgotten already: disconnect again, with the same choice, to go on."),
	}.Declare()
}

// ForgetRemoved forgets what is kept of a workspace that removed the app at that time, once its admins' choice says so:
// see [store.Leaving]; now is the time at which that is judged. It is to be called when the app was removed and every day
// from then on, without anybody who works in that workspace, until it says that it is done. What was under way may leave
// something behind it, so that it is [RemovedForgotten] at first, and [RemovedDone] when a minute or more later nothing
// more is found: nobody needs to ask again. Cut off and called again, it goes on where it was.
func ForgetRemoved(ctx context.Context, s *store.Store, q *queue.Queue, accounts Accounts, gone, now time.Time, log *slog.Logger) (Removed, error) {
	c, err := s.Connection(ctx)
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
		if r, err = s.BeginRemoval(ctx, time.Now(), again); err != nil {
			return RemovedKept, err
		}
	}
	keys, ended, err := goOnRemoving(ctx, s, r)
	if err == nil && ended {
		err = dropWaiting(ctx, q)
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
func goOnRemoving(ctx context.Context, s *store.Store, r store.Removal) (keys int, ended bool, err error) {
	for goesOn := true; !r.Walk.Done; {
		if r.Walk, err = s.ForgetPage(ctx, r.Walk); err == nil && !r.Walk.Done {
			r.At = time.Now().UTC()
			goesOn, err = s.KeepRemoval(ctx, r)
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
	RemovedDone                     // there is none
)

// ForgetNow forgets at once all that is kept of a workspace, whatever its admins chose, and says how many keys that
// were. What is under way in it meanwhile may leave something, for which it is to be called again. Cut off, it begins anew.
func ForgetNow(ctx context.Context, s *store.Store, q *queue.Queue, accounts Accounts) (keys int, err error) {
	if err := errors.Join(accounts.Disconnect(ctx), s.BeginForgetting(ctx, time.Now())); err != nil {
		return 0, err
	}
	var w store.WorkspaceForgetting
	for !w.Done && err == nil {
		w, err = s.ForgetPage(ctx, w)
	}
	if err == nil {
		err = dropWaiting(ctx, q)
	}
	return w.Keys, err
}

// dropWaiting drops the jobs that were set aside, and those that were put for later.
func dropWaiting(ctx context.Context, q *queue.Queue) error {
	err := dropLetters(ctx, q)
	if err == nil {
		_, err = q.DropDelayed(ctx)
	}
	return err
}
