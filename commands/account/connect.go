// Package account handles requests about the account at the order service: connecting, disconnecting, balance.
package account

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/slack-go/slack"
	"golang.org/x/sync/semaphore"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	cardsaccount "darkroom/cards/account"
	"darkroom/cards/kit"
	"darkroom/commands/answer"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/tenants"
)

const (
	// connectTime bounds a call to a service and the saving of its account.
	connectTime = time.Minute
	// connectsAtOnce is the number of concurrent calls for one workspace.
	connectsAtOnce = 2
	// connectDocLife is the time in which Slack may deliver the same submission again.
	connectDocLife = 10 * time.Minute
)

// Handler connects the workspace to its account at the order service, and reads its balance.
type Handler struct {
	service    balanceService
	connection *tenants.Connections
	documents  *store.DocumentStore
	jobs       *jobs.Jobs
	access     *access.Control
	log        *slog.Logger
	connects   *semaphore.Weighted
	guard      *answer.Guard
	answers    *answer.Messages
	readOnly   *answer.ReadOnly
	windows    *answer.Windows
}

// New returns the handler.
func New(service balanceService, store *store.Store, jobs *jobs.Jobs, access *access.Control, log *slog.Logger, guard *answer.Guard, answers *answer.Messages, readOnly *answer.ReadOnly, windows *answer.Windows) *Handler {
	return &Handler{service: service, connection: store.Connection, documents: store.Documents, jobs: jobs, access: access, log: log, guard: guard, answers: answers, readOnly: readOnly, windows: windows, connects: semaphore.NewWeighted(connectsAtOnce)}
}

// OpenConnect opens the form that connects the workspace, or changes its account.
func (c *Handler) OpenConnect(ctx context.Context, r bot.Request) error {
	return c.windows.Open(ctx, r, "connect", cardsaccount.TitleConnect, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if err := c.guard.AdminsOnly(ctx, r); err != nil {
			return nil, inWindow(err)
		}
		was, err := c.jobs.Account.OrdersHost(ctx, tenants.ServiceAccount{})
		if err != nil && !errors.Is(err, accounts.ErrOtherAccount) {
			return nil, err
		}
		connection, err := c.jobs.Account.Connection(ctx, r)
		if err != nil {
			return nil, err
		}
		form := cardsaccount.Form{FormerHost: was}
		if connection.Account != nil {
			form.URL, form.Prices = connection.Account.URL, connection.Account.Prices
		}
		return answer.Static(cardsaccount.ConnectWindow(form, window)), nil
	})
}

// inWindow makes a refusal's message the sentence of the window that opened.
func inWindow(err error) error {
	if refusal, ok := errors.AsType[answer.Refusal](err); ok && refusal.Sentence == "" {
		refusal.Sentence = refusal.Message.Text
		return refusal
	}
	return err
}

// connectingDoc names the document that marks a submission as accepted. It holds nothing else.
func connectingDoc(request string) string { return "connecting:" + job.Hash(request) }

// Connect handles a submitted account. It puts no job, because a saved job would hold the account's secret. Problems
// that need no call appear below their fields; the service is called after the acknowledgement.
func (c *Handler) Connect(ctx context.Context, r bot.Request) (bot.Reply, error) {
	account, same, problems, err := c.typedAccount(ctx, r)
	if err != nil || problems != nil {
		return bot.Errors(problems), err
	}
	progress := bot.Update(cardsaccount.Connecting(account.Host(), r.View.ExternalID))
	first, err := c.documents.PutIfAbsent(ctx, connectingDoc(r.ID), true, connectDocLife)
	if err != nil || !first {
		return progress, err
	}
	if !c.connects.TryAcquire(1) {
		return bot.Errors(cardsaccount.ServiceURLProblem(*r.View, "Too many accounts are being connected right now. Try again in a minute.")), c.documents.Delete(ctx, connectingDoc(r.ID))
	}
	end, ok := c.readOnly.Begin()
	if !ok {
		c.connects.Release(1)
		return bot.Errors(cardsaccount.ServiceURLProblem(*r.View, cards.Busy)), c.documents.Delete(ctx, connectingDoc(r.ID))
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTime)
	acked := time.After(connectAck)
	go func() {
		defer end()
		defer c.connects.Release(1)
		defer cancel()
		became := c.connect(ctx, r, account, same)
		<-acked // Slack would replace an earlier update by the acknowledgement's view
		c.showConnect(ctx, r, became)
	}()
	return progress, nil
}

// typedAccount decodes the form. same reports whether the person says that it is the former account. problems are those
// that need no call, by field.
func (c *Handler) typedAccount(ctx context.Context, r bot.Request) (a tenants.ServiceAccount, same bool, problems map[string]string, err error) {
	a, same, problems = cardsaccount.DecodeConnect(*r.View)
	if len(problems) > 0 {
		return a, same, problems, nil
	}
	if err := files.CheckService(a.URL, c.jobs.Account.AllowsPrivate()); err != nil {
		return a, same, cardsaccount.ServiceURLProblem(*r.View, addressProblem(err)), nil
	}
	was, err := c.jobs.Account.OrdersHost(ctx, a)
	switch {
	case !errors.Is(err, accounts.ErrOtherAccount):
		return a, same, nil, err
	case same:
		return a, same, nil, nil
	}
	return a, same, cardsaccount.OtherAccountProblem(*r.View, was), nil
}

// addressProblem returns the sentence below the base URL.
func addressProblem(err error) string {
	switch {
	case errors.Is(err, files.ErrHasMore):
		return "Leave out user names, passwords, and everything after a ? or a #."
	case errors.Is(err, files.ErrNotHTTPS):
		return "It must begin with https://, so that nobody else can read the key and the orders."
	case errors.Is(err, files.ErrPrivateHost):
		return cardsaccount.NotPublicAddress
	}
	return "This link is not complete. It begins with https:// and a host, as in https://api.example.com/v1"
}

// connectAck is the time that Slack may take to show the form's acknowledgement.
const connectAck = 400 * time.Millisecond

// connectEnd is the result of connecting: the window's view, and the message for a person who closed the window.
type connectEnd struct {
	view      slack.ModalViewRequest
	message   kit.Message
	connected bool
}

// connect calls the service and saves the account, after checking again that the person is an admin.
func (c *Handler) connect(ctx context.Context, r bot.Request, account tenants.ServiceAccount, same bool) connectEnd {
	var found cardsaccount.ServiceFound
	err := c.readOnly.Run(ctx, r, func(ctx context.Context, r bot.Request) (err error) {
		if err = c.guard.AdminsOnly(ctx, r); err == nil {
			found, err = c.jobs.Account.Connect(ctx, r.User, account, same)
		}
		return err
	})
	if err != nil {
		return c.connectFailed(ctx, r, account, err)
	}
	view := cardsaccount.Connected(found, r.View.ExternalID)
	return connectEnd{view, kit.AsMessage(view), true}
}

// connectFailed returns the form with the reason and all content but the secret.
func (c *Handler) connectFailed(ctx context.Context, r bot.Request, account tenants.ServiceAccount, err error) connectEnd {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answer.FailureTime)
	defer cancel()
	if refusal, ok := errors.AsType[answer.Refusal](err); ok {
		return connectEnd{view: kit.Notice(cardsaccount.TitleConnect, refusal.Message.Text, r.View.ExternalID), message: refusal.Message}
	}
	form := cardsaccount.Form{URL: account.URL, Key: account.Key, Prices: account.Prices, Attempt: cardsaccount.Attempt(*r.View) + 1}
	form.FormerHost, _ = c.jobs.Account.OrdersHost(ctx, tenants.ServiceAccount{}) // on a failure, the next submission shows the box
	if wrong, ok := errors.AsType[accounts.NotConnectable](err); ok {
		form.Wrong, form.Fix = wrong.Message, wrong.Fix
	} else {
		ref := job.ShortRef(r.ID)
		c.log.ErrorContext(ctx, "account not connected", "host", account.Host(), "user", r.User, "ref", ref, "err", err)
		form.Wrong = c.jobs.Operators.Sentence(ctx, err, ref)
	}
	return connectEnd{view: cardsaccount.ConnectWindow(form, r.View.ExternalID), message: cardsaccount.NotConnectedBecause(form)}
}

// showConnect shows the result in the window, or in a direct message if the window was closed.
func (c *Handler) showConnect(ctx context.Context, r bot.Request, end connectEnd) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answer.FailureTime)
	defer cancel()
	err := c.windows.Update(ctx, r.View.ExternalID, "", end.view)
	if errors.Is(err, client.ErrGone) {
		err = c.jobs.Messages.SendEphemeral(ctx, r, end.message)
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
