package commands

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/files"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
)

const (
	// connectTime is what asking a service and keeping its account may take.
	connectTime = time.Minute
	// connectsAtOnce is how many are asked for one workspace.
	connectsAtOnce = 2
	// connectNoteLife is how long Slack, or somebody's second press, may bring the same submission.
	connectNoteLife = 10 * time.Minute
)

// gate registers what people can do so that it is heard only in a workspace that is connected: see
// [Commands.whenConnected].
type gate struct {
	*bot.Router
	c *Commands
}

// Command is [bot.Router.Command] behind the gate.
func (g gate) Command(name string, h bot.HandlerFunc) {
	g.Router.Command(name, g.c.whenConnected(h))
}

// Shortcut is [bot.Router.Shortcut] behind the gate.
func (g gate) Shortcut(callback string, h bot.HandlerFunc) {
	g.Router.Shortcut(callback, g.c.whenConnected(h))
}

// Action is [bot.Router.Action] behind the gate.
func (g gate) Action(id string, h bot.HandlerFunc) { g.Router.Action(id, g.c.whenConnected(h)) }

// Submit is [bot.Router.Submit] behind the gate.
func (g gate) Submit(callback string, h bot.HandlerFunc) {
	g.Router.Submit(callback, g.c.whenConnected(h))
}

// Event is [bot.Router.Event] behind the gate.
func (g gate) Event(kind string, h bot.HandlerFunc) { g.Router.Event(kind, g.c.whenConnected(h)) }

// whenConnected is where requests are accepted: what needs the order service is answered, in a workspace that has no
// account there, with who can connect it. A Redis that does not answer is for the handler to meet.
func (c *Commands) whenConnected(h bot.HandlerFunc) bot.HandlerFunc {
	if !c.jobs.Account.Connectable() {
		return h
	}
	return func(ctx context.Context, r bot.Request) (bot.Reply, error) {
		if worksAlone(r) {
			return h(ctx, r)
		}
		if connected, err := c.jobs.Account.Connected(ctx); err != nil || connected {
			return h(ctx, r)
		}
		if r.Kind == bot.KindSubmit {
			return c.unconnectedForm(ctx, r)
		}
		return c.look(ctx, r, c.sayUnconnected)
	}
}

// worksAlone tells what needs no order service: help, what belongs to this workspace alone, and what people write
// while a form of theirs is open. What somebody says in a thread goes to a job, which waits.
func worksAlone(r bot.Request) bool {
	switch r.Kind {
	case bot.KindCommand:
		return r.Verb == helpHelp.Verb || r.Verb == settingsHelp.Verb
	case bot.KindAction:
		for _, id := range []string{
			cards.ActionConnect, cards.ActionDisconnect, cards.ActionHomeFilter, cards.ActionHomePage, cards.ActionDiscard, cards.ActionTyped,
		} {
			if r.Name == id || strings.HasSuffix(id, ":") && strings.HasPrefix(r.Name, id) {
				return true
			}
		}
	case bot.KindSubmit:
		return r.Name == cards.CallbackConnect || r.Name == cards.CallbackDisconnect || r.Name == cards.CallbackSettings
	case bot.KindEvent:
		return r.Name != "app_mention"
	}
	return false
}

// sayUnconnected answers what needs the order service where there is none.
func (c *Commands) sayUnconnected(ctx context.Context, r bot.Request) error {
	if m, ok := messageIn(r); r.Kind == bot.KindEvent && (!ok || !m.byPerson()) {
		return nil
	}
	connection, err := c.jobs.Account.Connection(ctx, r)
	if err != nil {
		return err
	}
	return c.tell(ctx, r, cards.NotConnected(*connection))
}

// unconnectedForm is the same for a form, which stays open with what was typed when it has a field to say so beside.
func (c *Commands) unconnectedForm(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if r.Shown.Input != "" {
		return bot.Errors(map[string]string{r.Shown.Input: cards.NotConnectedPlain}), nil
	}
	connection, err := c.jobs.Account.Connection(ctx, r)
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Update(cards.Notice(cards.TitleConnect, cards.NotConnectedYet(*connection), r.View.ExternalID)), nil
}

// connectButtons are those of a workspace whose admins connect it.
func (c *Commands) connectButtons() map[string]action {
	return map[string]action{cards.ActionConnect: {c.openConnect, shows}, cards.ActionDisconnect: {c.openDisconnect, shows}}
}

// openConnect opens the form that connects the workspace, or changes its account.
func (c *Commands) openConnect(ctx context.Context, r bot.Request) error {
	return c.modal(ctx, r, "connect", cards.TitleConnect, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if err := c.adminsOnly(ctx, r); err != nil {
			return nil, inWindow(err)
		}
		was, err := c.jobs.Account.WhoseOrders(ctx, store.ServiceAccount{})
		if err != nil && !errors.Is(err, accounts.ErrOtherAccount) {
			return nil, err
		}
		connection, err := c.jobs.Account.Connection(ctx, r)
		if err != nil {
			return nil, err
		}
		form := cards.ConnectForm{Was: was}
		if connection.Account != nil {
			form.URL = connection.Account.URL
		}
		return plainView(cards.ConnectAccountForm(form, window)), nil
	})
}

// inWindow is a refusal that is said in the window that opened.
func inWindow(err error) error {
	if no, ok := errors.AsType[refusal](err); ok && no.sentence == "" {
		no.sentence = no.message.Text
		return no
	}
	return err
}

// connectingNote remembers that a submission was taken; it tells nothing of it.
func connectingNote(request string) string { return "connecting:" + job.Hash(request) }

// submitConnect takes an account that was typed. It is no job: a job is kept, and its body would hold a secret. What
// can be seen at once is answered beside the fields; the service is asked after the acknowledgement.
func (c *Commands) submitConnect(ctx context.Context, r bot.Request) (bot.Reply, error) {
	account, same, problems, err := c.typedAccount(ctx, r)
	if err != nil || problems != nil {
		return bot.Errors(problems), err
	}
	progress := bot.Update(cards.Connecting(account.Host(), r.View.ExternalID))
	first, err := c.store.PutIfAbsent(ctx, connectingNote(r.ID), true, connectNoteLife)
	if err != nil || !first {
		return progress, err
	}
	if !c.connects.TryAcquire(1) {
		return bot.Errors(cards.ServiceURLProblem(*r.View, "Accounts are being connected already. Try again in a minute.")), c.store.Delete(ctx, connectingNote(r.ID))
	}
	end, ok := c.begin()
	if !ok {
		c.connects.Release(1)
		return bot.Errors(cards.ServiceURLProblem(*r.View, cards.Busy)), c.store.Delete(ctx, connectingNote(r.ID))
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTime)
	acked := time.After(connectAck)
	go func() {
		defer end()
		defer c.connects.Release(1)
		defer cancel()
		became := c.connect(ctx, r, account, same)
		<-acked // what is painted before the acknowledgement would be painted over
		c.showConnect(ctx, r, became)
	}()
	return progress, nil
}

// typedAccount reads the account, whether it is said to be the one from before, and what is wrong with it as far as that
// can be seen at once.
func (c *Commands) typedAccount(ctx context.Context, r bot.Request) (a store.ServiceAccount, same bool, problems map[string]string, err error) {
	a, same, problems = cards.DecodeConnect(*r.View)
	if len(problems) > 0 {
		return a, same, problems, nil
	}
	if err := files.CheckService(a.URL, c.jobs.Account.AllowsPrivate()); err != nil {
		return a, same, cards.ServiceURLProblem(*r.View, addressProblem(err)), nil
	}
	was, err := c.jobs.Account.WhoseOrders(ctx, a)
	switch {
	case !errors.Is(err, accounts.ErrOtherAccount):
		return a, same, nil, err
	case same:
		return a, same, nil, nil
	}
	return a, same, cards.OtherAccountProblem(*r.View, was), nil
}

// addressProblem is a sentence beside the base URL.
func addressProblem(err error) string {
	switch {
	case errors.Is(err, files.ErrHasMore):
		return "Leave out user names, passwords, and what follows a ? or a #: the base URL ends with its path."
	case errors.Is(err, files.ErrNotHTTPS):
		return "It must begin with https://, so that nobody reads the key and the orders on the way."
	case errors.Is(err, files.ErrPrivateHost):
		return cards.NotPublicAddress
	}
	return "This is not a complete web address: it begins with https:// and a host, as in https://api.example.com/v1"
}

// connectAck is how long Slack may take to paint the acknowledgement of the form.
const connectAck = 400 * time.Millisecond

// connectEnd is how connecting an account ended: what its window shows, and what is told who has closed that.
type connectEnd struct {
	view      slack.ModalViewRequest
	message   cards.Message
	connected bool
}

// connect asks the service and keeps the account, once its person was asked for again: they may no longer be an admin.
func (c *Commands) connect(ctx context.Context, r bot.Request, account store.ServiceAccount, same bool) connectEnd {
	var found cards.ServiceFound
	err := c.runLook(ctx, r, func(ctx context.Context, r bot.Request) (err error) {
		if err = c.adminsOnly(ctx, r); err == nil {
			found, err = c.jobs.Account.Connect(ctx, r.User, account, same)
		}
		return err
	})
	if err != nil {
		return c.connectFailed(ctx, r, account, err)
	}
	view := cards.AccountConnected(found, r.View.ExternalID)
	return connectEnd{view, cards.AsMessage(view), true}
}

// connectFailed says why the account is not connected, in the form with all that was typed but the secret.
func (c *Commands) connectFailed(ctx context.Context, r bot.Request, account store.ServiceAccount, err error) connectEnd {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sorryTime)
	defer cancel()
	if no, ok := errors.AsType[refusal](err); ok {
		return connectEnd{view: cards.Notice(cards.TitleConnect, no.message.Text, r.View.ExternalID), message: no.message}
	}
	form := cards.ConnectForm{URL: account.URL, Key: account.Key, Attempt: cards.ConnectAttempt(*r.View) + 1}
	form.Was, _ = c.jobs.Account.WhoseOrders(ctx, store.ServiceAccount{}) // without it, the box comes with the next problem
	if wrong, ok := errors.AsType[accounts.NotConnectable](err); ok {
		form.Wrong, form.Fix = wrong.Says, wrong.Fix
	} else {
		ref := job.ShortRef(r.ID)
		c.log.ErrorContext(ctx, "account not connected", "host", account.Host(), "user", r.User, "ref", ref, "err", err)
		form.Wrong = c.jobs.Operators.Sentence(ctx, err, ref)
	}
	return connectEnd{view: cards.ConnectAccountForm(form, r.View.ExternalID), message: cards.NotConnectedBecause(form)}
}

// showConnect puts the outcome into the window, or tells it who has closed that.
func (c *Commands) showConnect(ctx context.Context, r bot.Request, end connectEnd) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sorryTime)
	defer cancel()
	err := c.paint(ctx, r.View.ExternalID, "", end.view)
	if errors.Is(err, bot.ErrGone) {
		err = c.jobs.Messages.Tell(ctx, r, end.message)
	}
	if err != nil {
		c.log.ErrorContext(ctx, "person not told", "user", r.User, "err", err)
	}
	if !end.connected {
		return
	}
	if err := c.jobs.Home.Show(ctx, r, nil); err != nil {
		c.log.WarnContext(ctx, "home not published anew", "user", r.User, "err", err)
	}
}

// openDisconnect asks what becomes of the workspace's data, before its account is taken away.
func (c *Commands) openDisconnect(ctx context.Context, r bot.Request) error {
	return c.modal(ctx, r, "disconnect", cards.TitleConnect, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if err := c.adminsOnly(ctx, r); err != nil {
			return nil, inWindow(err)
		}
		connection, err := c.jobs.Account.Connection(ctx, r)
		if err != nil {
			return nil, err
		}
		now, err := c.store.Connection(ctx)
		return plainView(cards.DisconnectForm(*connection, now.Leaving, window)), err
	})
}

// submitDisconnect puts the job that does what was chosen; who may is asked there.
func (c *Commands) submitDisconnect(ctx context.Context, r bot.Request) (bot.Reply, error) {
	chosen, problems := cards.DecodeDisconnect(*r.View)
	if problems != nil {
		return bot.Errors(problems), nil
	}
	now, err := c.store.Connection(ctx)
	if err != nil {
		return bot.Reply{}, err
	}
	if chosen.Met(now.Leaving) {
		return bot.Errors(cards.LeavingMet(*r.View, now.Leaving)), nil
	}
	body := accounts.DisconnectArgs{Asker: answers.AskerOf(r), Data: chosen.Data, Leaving: chosen.LeavingNow(now.Leaving), Connected: chosen.Connected}
	return bot.Update(cards.DisconnectingNow(r.View.ExternalID)), c.jobs.Disconnect.Put(ctx, body)
}
