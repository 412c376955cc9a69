package accounts

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	cardsaccount "darkroom/cards/account"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

// Disconnect deletes the account, and exports or deletes the workspace's data.
type Disconnect struct {
	Connecting *Connecting
	Slack      answers.Slack
	Store      *store.Store
	Queue      *queue.Queue
	Access     *access.Control
	Putter     *job.Putter
	Messages   *answers.Messages
	Forms      *answers.Forms
	ShowHome   func(context.Context, bot.Request) error
	Log        *slog.Logger
}

// DisconnectArgs is the body of the job that disconnects a workspace, or only decides about its data.
type DisconnectArgs struct {
	answers.Asker
	Data      cardsaccount.DataChoice `json:"data"`
	Leaving   tenants.Leaving         `json:"leaving,omitempty"`
	Connected time.Time               `json:"connected,omitzero"` // of the account to delete, zero without one; a later one stays
}

// workspaceLane is the lane of jobs for the whole workspace.
const workspaceLane = "workspace"

// Put puts the job that disconnects the workspace.
func (j *Disconnect) Put(ctx context.Context, body DisconnectArgs) error {
	added, err := j.Putter.Add(ctx, job.Disconnect, job.Disconnect+":"+body.Request, workspaceLane, body)
	if err != nil || added {
		return err
	}
	return j.Forms.Repaint(ctx, workspaceLane, body.View, body.User)
}

// disconnect deletes the account, and begins what was chosen for the data. Each step is idempotent.
func (j *Disconnect) disconnect(ctx context.Context, d *queue.Delivery, b DisconnectArgs) error {
	if j.Connecting == nil {
		return queue.Dead(errors.New("the account is part of the configuration"))
	}
	operator, err := j.Access.IsOperatorNow(ctx, b.AsRequest())
	if err != nil {
		return err
	}
	if !operator {
		return j.Forms.Answer(ctx, b.Asker, kit.Notice(cardsaccount.TitleConnect, cards.AdminsOnly().Text, b.View))
	}
	account, err := j.Connecting.Accounts.Account(ctx)
	there := !errors.Is(err, tenants.ErrNotConnected)
	switch {
	case err != nil && !tenants.NoAccount(err):
		return err
	case there && !account.At.Equal(b.Connected): // connected after the person saw the account
		j.Log.InfoContext(ctx, "nothing disconnected: the workspace was connected since", "user", b.User, "data", b.Data)
		return j.answerDisconnect(ctx, b, cardsaccount.ConnectedSince(b.View))
	}
	host, err := j.takeAccount(ctx, b, account, there)
	if err != nil {
		return err
	}
	switch b.Data {
	case cardsaccount.DataExport:
		err = j.Putter.Put(ctx, job.Export, job.Export+":"+b.Request, workspaceLane, exportArgs{b.Asker})
	case cardsaccount.DataForget:
		err = j.beginForgetting(ctx, d, b)
	}
	if err != nil {
		return err
	}
	return j.answerDisconnect(ctx, b, cardsaccount.Disconnected(host, cardsaccount.Disconnecting{Data: b.Data, Leaving: b.Leaving}, b.View))
}

func (j *Disconnect) answerDisconnect(ctx context.Context, b DisconnectArgs, view slack.ModalViewRequest) error {
	if err := j.Forms.Answer(ctx, b.Asker, view); err != nil {
		return err
	}
	return j.ShowHome(ctx, b.AsRequest())
}

// takeAccount saves the choice and deletes the account, if there is one. It returns the host of the deleted account,
// which is known even if the account cannot be decrypted.
func (j *Disconnect) takeAccount(ctx context.Context, b DisconnectArgs, account tenants.ServiceAccount, there bool) (host string, err error) {
	if err := j.Store.Connection.SetLeaving(ctx, b.Leaving); err != nil {
		return "", err
	}
	if !there {
		j.Log.InfoContext(ctx, "workspace's data decided about", "user", b.User, "data", b.Data, "leaving", b.Leaving)
		return "", nil
	}
	c, err := j.Store.Connection.Read(ctx)
	if err == nil {
		err = j.Connecting.Accounts.Disconnect(ctx)
	}
	if err != nil {
		return "", err
	}
	host = cmp.Or(account.Host(), c.Host)
	j.Log.InfoContext(ctx, "photo service disconnected", "host", host, "user", b.User, "data", b.Data, "leaving", b.Leaving)
	return host, nil
}

// DisconnectKind declares the job that disconnects the workspace.
func (j *Disconnect) DisconnectKind() queue.Declared {
	return queue.Kind[DisconnectArgs]{
		Name: job.Disconnect, Work: j.disconnect, Asked: "disconnecting the photo service",
		Truth: job.Always("The Home tab shows if the workspace is still connected. Trying again is safe."),
	}.Declare()
}
