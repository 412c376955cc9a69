package jobs

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

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
	// later stays. nil: no account is connected here by its admins.
	Connected *time.Time `json:"connected,omitempty"`
}

// workspaceLane is the lane of what concerns the whole workspace.
const workspaceLane = "workspace"

// PutDisconnect puts the job that disconnects the workspace.
func (j *Jobs) PutDisconnect(ctx context.Context, body DisconnectArgs) error {
	if j.connecting != nil && body.Connected == nil {
		account, err := j.connecting.Accounts.Account(ctx)
		if err != nil && !store.NoAccount(err) {
			return err
		}
		body.Connected = &account.At
	}
	added, err := j.add(ctx, DisconnectJob, DisconnectJob+":"+body.Request, workspaceLane, body)
	if err != nil || added {
		return err
	}
	return j.Repaint(ctx, workspaceLane, body.View, body.User)
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
		return j.Answer(ctx, b.Asker, cards.Notice(cards.TitleConnect, cards.AdminsOnly().Text, b.View))
	}
	account, err := j.connecting.Accounts.Account(ctx)
	there := !errors.Is(err, store.ErrNotConnected)
	switch {
	case err != nil && !store.NoAccount(err):
		return err
	case there && b.isOlder(account):
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
	return j.ShowHome(ctx, b.request(), nil)
}

// isOlder reports whether another account is connected than the one that the job is about.
func (b DisconnectArgs) isOlder(a store.ServiceAccount) bool {
	return b.Connected != nil && !a.At.Equal(*b.Connected)
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
	j.log.InfoContext(ctx, "photo service disconnected", "host", host, "user", b.User, "data", b.Data, "leaving", b.Leaving)
	return host, nil
}

func (j *Jobs) disconnectKind() queue.Declared {
	return queue.Kind[DisconnectArgs]{
		Name: DisconnectJob, Work: j.disconnect, Asked: "disconnecting the photo service",
		Truth: Always("The App Home shows whether the workspace is connected still; trying again is safe."),
	}.Declare()
}
