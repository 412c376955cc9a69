// Package accounts handles the workspace's account at the order service: connecting it, its credits, the names that it
// keeps, disconnecting it, and exporting or deleting the workspace's data.
package accounts

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"darkroom/access"
	"darkroom/bot"
	cardsaccount "darkroom/cards/account"
	"darkroom/files"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// Account is the workspace's account at the order service.
type Account struct {
	Connecting  *Connecting            // nil: the configuration has the account
	Own         tenants.ServiceAccount // account of the configuration, if Connecting is nil
	Connections *tenants.Connections
	Access      *access.Control
	Log         *slog.Logger
}

// An account that admins connect is read each time it matters, so that *Connect* and *Disconnect* take effect in every
// process at once.
//
// Connecting is not a job: a job's body is saved in Redis, and this one would contain a secret. The process that gets
// the request connects, see commands/account/connect.go. A person without an answer may connect again: it is idempotent.

// Accounts stores the account of this workspace, sealed.
type Accounts interface {
	Account(ctx context.Context) (tenants.ServiceAccount, error) // [tenants.ErrNotConnected], [tenants.ErrUnreadable]
	Connect(ctx context.Context, a tenants.ServiceAccount) error
	Disconnect(ctx context.Context) error // succeeds without an account, too
}

// Connecting lets the admins of a workspace connect it to its account.
type Connecting struct {
	Accounts Accounts
	// Discover finds out how the account's service expects requests, see [upstream.Discover]. It makes no requests to
	// the private network unless AllowPrivate is set, see [darkroom/files.Transport].
	Discover     func(ctx context.Context, a tenants.ServiceAccount) (upstream.Findings, error)
	AllowPrivate bool                             // allows private networks, and http: for the sandbox
	InstalledBy  func(ctx context.Context) string // user who added the app; nil, or "": unknown
	AddedAt      string                           // page where the app is added
}

// Connectable reports whether the workspace's admins connect it. Otherwise the configuration has the account.
func (j *Account) Connectable() bool { return j.Connecting != nil }

// AllowsPrivate reports whether a service may be on a private network.
func (j *Account) AllowsPrivate() bool { return j.Connecting != nil && j.Connecting.AllowPrivate }

// Connected reports whether the workspace has an account.
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

// Connection returns what a person sees of the workspace's account; nil if the account is in the configuration.
func (j *Account) Connection(ctx context.Context, r bot.Request) (*cardsaccount.View, error) {
	if j.Connecting == nil {
		return nil, nil //nolint:nilnil // documented above
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
		err = j.fillFormer(ctx, c)
	}
	if j.Connecting.InstalledBy != nil {
		c.InstalledBy = j.Connecting.InstalledBy(ctx)
	}
	return c, err
}

// fillFormer fills in what remains of an earlier account. HasOrders stays false while its data is being deleted.
func (j *Account) fillFormer(ctx context.Context, c *cardsaccount.View) error {
	was, err := j.Connections.Read(ctx)
	if c.Forgetting = was.Busy(time.Now()); err == nil && !c.Forgetting {
		c.HasOrders, err = j.Connections.HasOrders(ctx)
	}
	return err
}

// Prices returns the operator's price list, empty without one or without an account.
func (j *Account) Prices(ctx context.Context) (order.PriceList, error) {
	account, err := j.Own, error(nil)
	if j.Connecting != nil {
		account, err = j.Connecting.Accounts.Account(ctx)
	}
	if err != nil && !tenants.NoAccount(err) {
		return nil, err
	}
	return order.ParsePrices(account.Prices)
}

// ErrOtherAccount says that the orders here belong to another account.
var ErrOtherAccount = errors.New("the orders here are of another account")

// OrdersHost returns the host of the account that placed the orders here, or "" without orders. It fails with
// [ErrOtherAccount] if that is not a.
func (j *Account) OrdersHost(ctx context.Context, a tenants.ServiceAccount) (was string, err error) {
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

// NotConnectable tells the person who typed an account why it cannot be connected.
type NotConnectable struct{ upstream.Advice }

// Error returns the advice, which contains no secret.
func (n NotConnectable) Error() string { return "not connected: " + n.Message }

// adminsWording names the parts of an account as the form does.
var adminsWording = upstream.Wording{
	URL: "the base URL", Key: "API key", Secret: "API secret", Asker: "Darkroom", Here: "Darkroom", Again: "connect again later",
	TooOften: "Try again in a few minutes.", Outside: true,
}

// Connect connects the workspace to an account if its service answers correctly. It is idempotent. same says that it is
// the account of the orders here, with a new key or address. It fails with [NotConnectable] if the account is wrong,
// and then changes nothing.
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
		j.Log.InfoContext(ctx, "photo service not connected", "host", a.Host(), "user", user, "why", why.Message, "err", err)
		return cardsaccount.ServiceFound{}, NotConnectable{why}
	}
	way := found.Found
	a.Params, a.Signature, a.Numbers, a.BasicAuth = way.Params, way.Signature, way.Numbers, way.BasicAuth
	a.By, a.At = user, time.Now().UTC().Truncate(time.Second)
	if was, err := j.OrdersHost(ctx, a); errors.Is(err, ErrOtherAccount) && !same { // somebody ordered meanwhile
		return cardsaccount.ServiceFound{}, NotConnectable{upstream.Advice{Message: cardsaccount.OtherAccount(was)}}
	} else if err != nil && !same {
		return cardsaccount.ServiceFound{}, err
	}
	if err := j.saveAccount(ctx, a, c); err != nil {
		return cardsaccount.ServiceFound{}, err
	}
	j.Log.InfoContext(ctx, "photo service connected", "host", a.Host(), "user", user, "signature", way.Signature, "numbers", way.Numbers, "params", way.Params, "basic_auth", way.BasicAuth)
	return serviceFound(a, found), nil
}

// errForgettingNow says that the workspace's earlier data is being deleted.
var errForgettingNow = NotConnectable{upstream.Advice{Message: cardsaccount.ForgettingNow}}

// saveAccount saves an account, unless the workspace's data was deleted since the connection was read. It records the
// connection first, which ends a running deletion. A deletion that begins after that deletes the account, too.
func (j *Account) saveAccount(ctx context.Context, a tenants.ServiceAccount, was tenants.Connection) error {
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
	case err != nil: // the account is saved all the same
		j.Log.WarnContext(ctx, "account connected, and the one before it not told apart", "host", a.Host(), "err", err)
	case !now.Forgetting.IsZero():
		return cmp.Or(j.Connecting.Accounts.Disconnect(ctx), error(errForgettingNow))
	}
	return nil
}

// unfitService returns why a service cannot be connected; false if it can.
func unfitService(found upstream.Findings, err error) (upstream.Advice, bool) {
	reads := found.Reads == upstream.ReadsWork || found.Reads == upstream.ReadsAlike
	switch {
	case found.Reads == upstream.ReadsRefused:
		return adminsWording.Refused(found), true
	case errors.Is(err, files.ErrRefused), errors.Is(err, upstream.ErrNoSuchHost): // one text, to reveal no internal host names
		return upstream.Advice{Message: "Darkroom finds nothing at this link on the public internet.", Fix: "Check the base URL."}, true
	case err != nil:
		return adminsWording.Reached(found, err), true
	case !reads:
		return adminsWording.Reached(found, upstream.ErrNotOurService), true
	case found.Writes == upstream.WritesRefused, found.Writes == upstream.WritesUnknown:
		return adminsWording.Writes(found, err), true
	}
	return upstream.Advice{}, false
}

// serviceFound returns the findings about a connected service.
func serviceFound(a tenants.ServiceAccount, found upstream.Findings) cardsaccount.ServiceFound {
	f := cardsaccount.ServiceFound{
		Host: a.Host(), Credits: found.Credits, BasicAuth: a.BasicAuth,
	}
	caution := func(said upstream.Advice) {
		if text := strings.TrimSpace(said.Message + " " + said.Fix); text != "" {
			f.Cautions = append(f.Cautions, text)
		}
	}
	if found.Credits.Valid && found.Credits.Decimal.Sign() <= 0 {
		caution(upstream.Advice{Message: "The account has no credits. No order can be placed.", Fix: "Buy credits at the photo service."})
	}
	if found.Reads == upstream.ReadsAlike {
		caution(adminsWording.Alike(found))
	}
	caution(adminsWording.Writes(found, nil))
	if found.Dated {
		caution(upstream.Advice{Message: cardsaccount.ServiceSkew(found.Clock)})
	}
	return f
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

// SentElsewhere reports whether an order was sent to an account that is no longer connected.
func (j *Account) SentElsewhere(ctx context.Context, sent store.SentTo) (bool, error) {
	if sent == (store.SentTo{}) {
		return false, nil
	}
	now, err := j.SendsTo(ctx)
	return err == nil && now.Account != sent.Account, err
}
