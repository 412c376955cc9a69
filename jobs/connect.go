package jobs

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/files"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/upstream"
)

// In a workspace whose admins connect it, its account is no part of the configuration: it is asked for where it
// matters, so that a press of *Connect* or *Disconnect* holds from then on, in every process.
//
// Connecting is no job: a job's body is kept in Redis, and this one would have a secret in it. It is done by the
// process that heard it, see commands/connect.go. Who does not hear of its end does it again: it may be done twice.

// Accounts is where the account of this workspace is kept, sealed.
type Accounts interface {
	Account(ctx context.Context) (store.ServiceAccount, error) // [store.ErrNotConnected]: there is none, [store.ErrUnreadable]
	Connect(ctx context.Context, a store.ServiceAccount) error
	Disconnect(ctx context.Context) error // one that is not connected is fine
}

// Connecting is what a workspace needs whose admins connect it themselves.
type Connecting struct {
	Accounts Accounts
	// Discover finds out how the service of an account wants to be spoken to; see [upstream.Discover]. It keeps its
	// requests off the private network unless AllowPrivate says otherwise: see [darkroom/files.Transport].
	Discover     func(ctx context.Context, a store.ServiceAccount) (upstream.Findings, error)
	AllowPrivate bool                             // services on private networks, and without https: for the sandbox
	InstalledBy  func(ctx context.Context) string // who added the app; nil, or "": not known
	AddedAt      string                           // the page where the app is added
}

// Connectable reports whether the workspace's admins connect it. Else whoever runs the app has set its account.
func (j *Jobs) Connectable() bool { return j.connecting != nil }

// AllowsPrivate reports whether a service may be on a private network.
func (j *Jobs) AllowsPrivate() bool { return j.connecting != nil && j.connecting.AllowPrivate }

// Connected reports whether there is an account to work with.
func (j *Jobs) Connected(ctx context.Context) (bool, error) {
	if j.connecting == nil {
		return true, nil
	}
	_, err := j.connecting.Accounts.Account(ctx)
	if store.NoAccount(err) {
		return false, nil
	}
	return err == nil, err
}

// Connection is what a person sees of the workspace's account; nil where it is not connected from the Home.
func (j *Jobs) Connection(ctx context.Context, r bot.Request) (*cards.Connect, error) {
	if j.connecting == nil {
		return nil, nil //nolint:nilnil // there is none, which is no error
	}
	c := &cards.Connect{}
	account, err := j.connecting.Accounts.Account(ctx)
	switch {
	case err == nil:
		c.Account = &account
	case !store.NoAccount(err):
		return nil, err
	}
	if c.Unreadable = errors.Is(err, store.ErrUnreadable); c.Unreadable {
		j.log.WarnContext(ctx, "account of a workspace cannot be read", "err", err)
	}
	if c.May, err = j.access.IsOperator(ctx, r); err != nil {
		return nil, err
	}
	if c.Account == nil {
		err = j.keptFor(ctx, c)
	}
	if j.connecting.InstalledBy != nil {
		c.InstalledBy = j.connecting.InstalledBy(ctx)
	}
	return c, err
}

// keptFor says what is kept from when there was an account: for the first minute of forgetting it is all there still.
func (j *Jobs) keptFor(ctx context.Context, c *cards.Connect) error {
	was, err := j.store.Connection(ctx)
	if c.Forgetting = was.Busy(time.Now()); err == nil && !c.Forgetting {
		c.Kept, err = j.store.HasOrders(ctx)
	}
	return err
}

// ErrOtherAccount says that the orders here were placed with another account.
var ErrOtherAccount = errors.New("the orders here are of another account")

// WhoseOrders returns the host of the account with which the orders here were placed, "" when there are none; with
// [ErrOtherAccount] it is not the given one.
func (j *Jobs) WhoseOrders(ctx context.Context, a store.ServiceAccount) (was string, err error) {
	c, err := j.store.Connection(ctx)
	if err != nil || c.Print == "" {
		return "", err
	}
	has, err := j.store.HasOrders(ctx)
	if err != nil || !has {
		return "", err
	}
	if c.Other(a) {
		return c.Host, ErrOtherAccount
	}
	return c.Host, nil
}

// NotConnectable is why an account cannot be connected, for whoever typed it.
type NotConnectable struct{ upstream.Said }

// Error is what was found, which has no secret in it.
func (n NotConnectable) Error() string { return "not connected: " + n.Says }

// adminsWords call the parts of an account as the form does.
var adminsWords = upstream.Words{
	URL: "the base URL", Key: "API key", Secret: "API secret", Asker: "Darkroom", Here: "Darkroom", Again: "connect again later",
	TooOften: "Try again in some minutes.", Outside: true,
}

// Connect connects the workspace to an account, when its service answers as it should. Doing it twice is doing it
// once. same says that it is the account of the orders here, with a new key or address. [NotConnectable] says what is
// wrong with the account; nothing is changed then.
func (j *Jobs) Connect(ctx context.Context, user string, a store.ServiceAccount, same bool) (cards.ServiceFound, error) {
	c, err := j.store.Connection(ctx)
	if err != nil {
		return cards.ServiceFound{}, err
	}
	if c.Busy(time.Now()) {
		return cards.ServiceFound{}, errForgettingNow
	}
	found, err := j.connecting.Discover(ctx, a)
	if why, wrong := unfitService(found, err); wrong {
		j.log.InfoContext(ctx, "photo service not connected", "host", a.Host(), "user", user, "why", why.Says, "err", err)
		return cards.ServiceFound{}, NotConnectable{why}
	}
	way := found.Found
	a.Params, a.Signature, a.Numbers, a.BasicAuth = way.Params, way.Signature, way.Numbers, way.BasicAuth
	a.By, a.At = user, time.Now().UTC().Truncate(time.Second)
	if was, err := j.WhoseOrders(ctx, a); errors.Is(err, ErrOtherAccount) && !same { // somebody ordered meanwhile
		return cards.ServiceFound{}, NotConnectable{upstream.Said{Says: cards.OtherAccount(was)}}
	} else if err != nil && !same {
		return cards.ServiceFound{}, err
	}
	if err := j.keepAccount(ctx, a, c); err != nil {
		return cards.ServiceFound{}, err
	}
	j.log.InfoContext(ctx, "photo service connected", "host", a.Host(), "user", user, "signature", way.Signature, "numbers", way.Numbers, "params", way.Params)
	return serviceFound(a, found), nil
}

// errForgettingNow says that the account is not kept because what was here before is being forgotten.
var errForgettingNow = NotConnectable{upstream.Said{Says: cards.ForgettingNow}}

// keepAccount keeps an account, unless somebody has had the workspace forgotten since its connection was read. The note
// comes first: a forgetting that it does not end takes the account with it, also one that begins between the two.
func (j *Jobs) keepAccount(ctx context.Context, a store.ServiceAccount, was store.Connection) error {
	err := j.store.NoteConnected(ctx, a, was)
	if errors.Is(err, store.ErrForgetting) {
		return errForgettingNow
	}
	if err == nil {
		err = j.connecting.Accounts.Connect(ctx, a)
	}
	if err != nil {
		return err
	}
	now, err := j.store.ConfirmConnected(ctx)
	switch {
	case err != nil: // it is kept all the same
		j.log.WarnContext(ctx, "account connected, and the one before it not told apart", "host", a.Host(), "err", err)
	case !now.Forgetting.IsZero():
		return cmp.Or(j.connecting.Accounts.Disconnect(ctx), error(errForgettingNow))
	}
	return nil
}

// unfitService says what is so wrong with a service that it is not connected.
func unfitService(found upstream.Findings, err error) (upstream.Said, bool) {
	reads := found.Reads == upstream.ReadsWork || found.Reads == upstream.ReadsAlike
	switch {
	case found.Reads == upstream.ReadsRefused:
		return adminsWords.Refused(found), true
	case errors.Is(err, files.ErrRefused), errors.Is(err, upstream.ErrNoSuchHost): // alike: else they tell which names are known inside
		return upstream.Said{Says: "There is nothing at this address that Darkroom can reach on the public network.", Fix: "Look at the base URL."}, true
	case err != nil:
		return adminsWords.Reached(found, err), true
	case !reads:
		return adminsWords.Reached(found, upstream.ErrNotOurService), true
	case found.Writes == upstream.WritesRefused, found.Writes == upstream.WritesUnknown:
		return adminsWords.Writes(found, err), true
	}
	return upstream.Said{}, false
}

// serviceFound is what was found of a service that is connected now.
func serviceFound(a store.ServiceAccount, found upstream.Findings) cards.ServiceFound {
	f := cards.ServiceFound{
		Host: a.Host(), Credits: found.Credits, Signature: a.Signature, Numbers: a.Numbers, Params: a.Params, BasicAuth: a.BasicAuth,
	}
	caution := func(said upstream.Said) {
		if says := joinedSentences(said.Says, said.Fix); says != "" {
			f.Cautions = append(f.Cautions, says)
		}
	}
	if found.Credits.Valid && found.Credits.Decimal.Sign() <= 0 {
		caution(upstream.Said{Says: "The account has no credits: no order can be placed.", Fix: "Buy credits at the service."})
	}
	if found.Reads == upstream.ReadsAlike {
		caution(adminsWords.Alike(found))
	}
	caution(adminsWords.Writes(found, nil))
	if found.Dated {
		caution(upstream.Said{Says: cards.ServiceSkew(found.Clock)})
	}
	return f
}

func joinedSentences(says, fix string) string {
	if says != "" && fix != "" {
		return says + " " + fix
	}
	return says + fix
}

// connectWait is the longest that a job waits until it looks for an account again.
const connectWait = 2 * time.Minute

// waitForAccount puts off a job whose kind needs the service in a workspace that has no account, and tells its person
// once: what people asked for is not lost, and goes on with the next account. What was put before the workspace's data
// was forgotten is dropped with it. The job may begin when it is not dropped and there is no error.
func (j *Jobs) waitForAccount(ctx context.Context, d *queue.Delivery) (dropped bool, err error) {
	if j.connecting == nil || !j.needsService(d.Job) {
		return false, nil
	}
	connected, err := j.Connected(ctx)
	if err != nil || connected {
		return false, err
	}
	c, err := j.store.Connection(ctx)
	if err != nil {
		return false, err
	}
	if c.Forgot(d.PutAt) {
		j.log.InfoContext(ctx, "job dropped with its workspace's data", "job", d.ID, "kind", d.Kind)
		return true, nil
	}
	j.tellWaitsForAccount(ctx, d.Job)
	behind, err := j.queue.Inspector().Behind(ctx, d.Lane, mostBehind)
	if err != nil {
		j.log.WarnContext(ctx, "not all who wait were told", "job", d.ID, "err", err)
	}
	for _, job := range behind {
		if j.needsService(job) {
			j.tellWaitsForAccount(ctx, job)
		}
	}
	return false, queue.Wait(min(5*time.Second<<min(d.Deliveries-1, 5), connectWait))
}

// needsService reports whether a job's kind does.
func (j *Jobs) needsService(job queue.Job) bool {
	k, _ := j.kinds.Kind(job.Kind)
	return k.NeedsService
}

// tellWaitsForAccount tells the person of a job that waits, once.
func (j *Jobs) tellWaitsForAccount(ctx context.Context, job queue.Job) {
	user, name := j.asker(ctx, job), "unconnected:"+Hash(job.ID)
	if user == "" || !j.first(ctx, name, store.LeavingLife) {
		return
	}
	c, err := j.Connection(ctx, bot.Request{User: user})
	k, _ := j.kinds.Kind(job.Kind)
	if err == nil {
		says := cards.WaitsForAccount
		if c.Unreadable {
			says = cards.WaitsUnreadable
		}
		err = j.dm(ctx, user, says(k.Asked, *c))
	}
	if err != nil {
		j.log.ErrorContext(ctx, "person not told that the job waits", "job", job.ID, "user", user, "err", err)
		if isWorthRetrying(err) {
			j.forgetSaid(ctx, name)
		}
	}
}

// Unconnected is the order service of a workspace that has no account: nothing leaves, and it may be tried later.
type Unconnected struct{}

func unconnected(op string) error {
	return &order.Error{Op: op, Outcome: order.ErrUnavailable, Cause: store.ErrNotConnected}
}

// Balance is not to be had.
func (Unconnected) Balance(context.Context) (decimal.Decimal, error) {
	return decimal.Zero, unconnected("balance")
}

// List shows nothing.
func (Unconnected) List(context.Context, order.Filter) (order.Page, error) {
	return order.Page{}, unconnected("list")
}

// Fetch finds nothing.
func (Unconnected) Fetch(context.Context, string) (order.Order, error) {
	return order.Order{}, unconnected("fetch")
}

// Create places nothing.
func (Unconnected) Create(context.Context, upstream.NewOrder) (order.Order, error) {
	return order.Order{}, unconnected("create")
}

// Approve approves nothing.
func (Unconnected) Approve(context.Context, string, []string) (order.Order, error) {
	return order.Order{}, unconnected("approve")
}

// Cancel cancels nothing.
func (Unconnected) Cancel(context.Context, string, []string) (order.Order, error) {
	return order.Order{}, unconnected("cancel")
}

// Revise asks for nothing.
func (Unconnected) Revise(context.Context, string, map[string][]string) (order.Order, error) {
	return order.Order{}, unconnected("revise")
}

// Message sends nothing.
func (Unconnected) Message(context.Context, string, string) (order.Order, error) {
	return order.Order{}, unconnected("message")
}

// AddReferences adds nothing.
func (Unconnected) AddReferences(context.Context, string, []upstream.RefImage) (order.Order, error) {
	return order.Order{}, unconnected("reference")
}

// Timeout is short: nothing is under way.
func (Unconnected) Timeout() time.Duration { return time.Second }
