// Package accounts is about the workspace's account at the order service: connecting it, its credits, the names
// that it keeps, disconnecting it, and exporting or forgetting the workspace's data.
package accounts

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"darkroom/access"
	"darkroom/bot"
	cardsaccount "darkroom/cards/account"
	"darkroom/files"
	"darkroom/store"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// Account is the workspace's account at the order service.
type Account struct {
	Connecting  *Connecting            // nil: the account is part of the configuration
	Own         tenants.ServiceAccount // that one
	Connections *tenants.Connections
	Access      *access.Control
	Log         *slog.Logger
}

// In a workspace whose admins connect it, its account is no part of the configuration: it is asked for where it
// matters, so that a press of *Connect* or *Disconnect* holds from then on, in every process.
//
// Connecting is no job: a job's body is kept in Redis, and this one would have a secret in it. It is done by the
// process that heard it, see commands/connect.go. Who does not hear of its end does it again: it may be done twice.

// Accounts is where the account of this workspace is kept, sealed.
type Accounts interface {
	Account(ctx context.Context) (tenants.ServiceAccount, error) // [tenants.ErrNotConnected], [tenants.ErrUnreadable]
	Connect(ctx context.Context, a tenants.ServiceAccount) error
	Disconnect(ctx context.Context) error // one that is not connected is fine
}

// Connecting is what a workspace needs whose admins connect it themselves.
type Connecting struct {
	Accounts Accounts
	// Discover finds out how the service of an account wants to be spoken to; see [upstream.Discover]. It keeps its
	// requests off the private network unless AllowPrivate says otherwise: see [darkroom/files.Transport].
	Discover     func(ctx context.Context, a tenants.ServiceAccount) (upstream.Findings, error)
	AllowPrivate bool                             // services on private networks, and without https: for the sandbox
	InstalledBy  func(ctx context.Context) string // who added the app; nil, or "": not known
	AddedAt      string                           // the page where the app is added
}

// Connectable reports whether the workspace's admins connect it. Else whoever runs the app has set its account.
func (j *Account) Connectable() bool { return j.Connecting != nil }

// AllowsPrivate reports whether a service may be on a private network.
func (j *Account) AllowsPrivate() bool { return j.Connecting != nil && j.Connecting.AllowPrivate }

// Connected reports whether there is an account to work with.
func (j *Account) Connected(ctx context.Context) (bool, error) {
	if j.Connecting == nil {
		return true, nil
	}
	_, err := j.Connecting.Accounts.Account(ctx)
	if tenants.NoAccount(err) {
		return false, nil
	}
	return err == nil, err
}

// Connection is what a person sees of the workspace's account; nil where it is not connected from the Home.
func (j *Account) Connection(ctx context.Context, r bot.Request) (*cardsaccount.View, error) {
	if j.Connecting == nil {
		return nil, nil //nolint:nilnil // not connected here, which is no error
	}
	c := &cardsaccount.View{}
	account, err := j.Connecting.Accounts.Account(ctx)
	switch {
	case err == nil:
		c.Account = &account
	case !tenants.NoAccount(err):
		return nil, err
	}
	if c.Unreadable = errors.Is(err, tenants.ErrUnreadable); c.Unreadable {
		j.Log.WarnContext(ctx, "account of a workspace cannot be read", "err", err)
	}
	if c.MayConnect, err = j.Access.IsOperator(ctx, r); err != nil {
		return nil, err
	}
	if c.Account == nil {
		err = j.keptFor(ctx, c)
	}
	if j.Connecting.InstalledBy != nil {
		c.InstalledBy = j.Connecting.InstalledBy(ctx)
	}
	return c, err
}

// keptFor says what is kept from when there was an account: for the first minute of forgetting it is all there still.
func (j *Account) keptFor(ctx context.Context, c *cardsaccount.View) error {
	was, err := j.Connections.Read(ctx)
	if c.Forgetting = was.Busy(time.Now()); err == nil && !c.Forgetting {
		c.HasOrders, err = j.Connections.HasOrders(ctx)
	}
	return err
}

// ErrOtherAccount says that the orders here were placed with another account.
var ErrOtherAccount = errors.New("the orders here are of another account")

// WhoseOrders returns the host of the account that placed the orders here; "": no orders. [ErrOtherAccount]: it is
// not the given account.
func (j *Account) WhoseOrders(ctx context.Context, a tenants.ServiceAccount) (was string, err error) {
	c, err := j.Connections.Read(ctx)
	if err != nil || c.Print == "" {
		return "", err
	}
	has, err := j.Connections.HasOrders(ctx)
	if err != nil || !has {
		return "", err
	}
	if c.Other(a) {
		return c.Host, ErrOtherAccount
	}
	return c.Host, nil
}

// NotConnectable is why an account cannot be connected, for whoever typed it.
type NotConnectable struct{ upstream.Advice }

// Error is what was found, which has no secret in it.
func (n NotConnectable) Error() string { return "not connected: " + n.Says }

// adminsWords call the parts of an account as the form does.
var adminsWords = upstream.Wording{
	URL: "the base URL", Key: "API key", Secret: "API secret", Asker: "Darkroom", Here: "Darkroom", Again: "connect again later",
	TooOften: "Try again in some minutes.", Outside: true,
}

// Connect connects the workspace to an account, when its service answers as it should. Doing it twice is doing it
// once. same says that it is the account of the orders here, with a new key or address. [NotConnectable] says what is
// wrong with the account; nothing is changed then.
func (j *Account) Connect(ctx context.Context, user string, a tenants.ServiceAccount, same bool) (cardsaccount.ServiceFound, error) {
	c, err := j.Connections.Read(ctx)
	if err != nil {
		return cardsaccount.ServiceFound{}, err
	}
	if c.Busy(time.Now()) {
		return cardsaccount.ServiceFound{}, errForgettingNow
	}
	found, err := j.Connecting.Discover(ctx, a)
	if why, wrong := unfitService(found, err); wrong {
		j.Log.InfoContext(ctx, "photo service not connected", "host", a.Host(), "user", user, "why", why.Says, "err", err)
		return cardsaccount.ServiceFound{}, NotConnectable{why}
	}
	way := found.Found
	a.Params, a.Signature, a.Numbers, a.BasicAuth = way.Params, way.Signature, way.Numbers, way.BasicAuth
	a.By, a.At = user, time.Now().UTC().Truncate(time.Second)
	if was, err := j.WhoseOrders(ctx, a); errors.Is(err, ErrOtherAccount) && !same { // somebody ordered meanwhile
		return cardsaccount.ServiceFound{}, NotConnectable{upstream.Advice{Says: cardsaccount.OtherAccount(was)}}
	} else if err != nil && !same {
		return cardsaccount.ServiceFound{}, err
	}
	if err := j.keepAccount(ctx, a, c); err != nil {
		return cardsaccount.ServiceFound{}, err
	}
	j.Log.InfoContext(ctx, "photo service connected", "host", a.Host(), "user", user, "signature", way.Signature, "numbers", way.Numbers, "params", way.Params)
	return serviceFound(a, found), nil
}

// errForgettingNow says that the account is not kept because what was here before is being forgotten.
var errForgettingNow = NotConnectable{upstream.Advice{Says: cardsaccount.ForgettingNow}}

// keepAccount keeps an account, unless somebody has had the workspace forgotten since its connection was read. The note
// comes first: a forgetting that it does not end takes the account with it, also one that begins between the two.
func (j *Account) keepAccount(ctx context.Context, a tenants.ServiceAccount, was tenants.Connection) error {
	err := j.Connections.NoteConnected(ctx, a, was)
	if errors.Is(err, tenants.ErrForgetting) {
		return errForgettingNow
	}
	if err == nil {
		err = j.Connecting.Accounts.Connect(ctx, a)
	}
	if err != nil {
		return err
	}
	now, err := j.Connections.ConfirmConnected(ctx)
	switch {
	case err != nil: // it is kept all the same
		j.Log.WarnContext(ctx, "account connected, and the one before it not told apart", "host", a.Host(), "err", err)
	case !now.Forgetting.IsZero():
		return cmp.Or(j.Connecting.Accounts.Disconnect(ctx), error(errForgettingNow))
	}
	return nil
}

// unfitService says what is so wrong with a service that it is not connected.
func unfitService(found upstream.Findings, err error) (upstream.Advice, bool) {
	reads := found.Reads == upstream.ReadsWork || found.Reads == upstream.ReadsAlike
	switch {
	case found.Reads == upstream.ReadsRefused:
		return adminsWords.Refused(found), true
	case errors.Is(err, files.ErrRefused), errors.Is(err, upstream.ErrNoSuchHost): // alike: else they tell which names are known inside
		return upstream.Advice{Says: "There is nothing at this address that Darkroom can reach on the public network.", Fix: "Look at the base URL."}, true
	case err != nil:
		return adminsWords.Reached(found, err), true
	case !reads:
		return adminsWords.Reached(found, upstream.ErrNotOurService), true
	case found.Writes == upstream.WritesRefused, found.Writes == upstream.WritesUnknown:
		return adminsWords.Writes(found, err), true
	}
	return upstream.Advice{}, false
}

// serviceFound is what was found of a service that is connected now.
func serviceFound(a tenants.ServiceAccount, found upstream.Findings) cardsaccount.ServiceFound {
	f := cardsaccount.ServiceFound{
		Host: a.Host(), Credits: found.Credits, Signature: a.Signature, Numbers: a.Numbers, Params: a.Params, BasicAuth: a.BasicAuth,
	}
	caution := func(said upstream.Advice) {
		if says := joinedSentences(said.Says, said.Fix); says != "" {
			f.Cautions = append(f.Cautions, says)
		}
	}
	if found.Credits.Valid && found.Credits.Decimal.Sign() <= 0 {
		caution(upstream.Advice{Says: "The account has no credits: no order can be placed.", Fix: "Buy credits at the service."})
	}
	if found.Reads == upstream.ReadsAlike {
		caution(adminsWords.Alike(found))
	}
	caution(adminsWords.Writes(found, nil))
	if found.Dated {
		caution(upstream.Advice{Says: cardsaccount.ServiceSkew(found.Clock)})
	}
	return f
}

func joinedSentences(says, fix string) string {
	if says != "" && fix != "" {
		return says + " " + fix
	}
	return says + fix
}

// SendsTo returns the account that gets new orders; the zero value without an account.
func (j *Account) SendsTo(ctx context.Context) (store.SentTo, error) {
	account := j.Own
	if j.Connecting != nil {
		var err error
		if account, err = j.Connecting.Accounts.Account(ctx); tenants.NoAccount(err) {
			return store.SentTo{}, nil
		} else if err != nil {
			return store.SentTo{}, err
		}
	}
	return store.SentTo{Account: account.ID(), Host: account.Host()}, nil
}

// SentElsewhere reports whether an order may be at an account that is not asked any more.
func (j *Account) SentElsewhere(ctx context.Context, sent store.SentTo) (bool, error) {
	if sent == (store.SentTo{}) {
		return false, nil
	}
	now, err := j.SendsTo(ctx)
	return err == nil && now.Account != sent.Account, err
}
