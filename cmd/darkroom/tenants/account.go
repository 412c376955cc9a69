package tenants

import (
	"context"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/jobs/accounts"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// account reads and writes one workspace's account in the directory.
type account struct {
	directory *tenants.Directory
	workspace string
}

// Account implements [jobs.Accounts].
func (a account) Account(ctx context.Context) (tenants.ServiceAccount, error) {
	return a.directory.Accounts.Account(ctx, a.workspace)
}

// Connect implements [jobs.Accounts].
func (a account) Connect(ctx context.Context, to tenants.ServiceAccount) error {
	return a.directory.Accounts.Connect(ctx, a.workspace, to)
}

// Disconnect implements [jobs.Accounts].
func (a account) Disconnect(ctx context.Context) error {
	return a.directory.Accounts.Disconnect(ctx, a.workspace)
}

// accountConfig returns the configuration of a client for an account.
func accountConfig(a tenants.ServiceAccount, limiter upstream.Limiter, shared *upstream.Connections) upstream.Config {
	return upstream.Config{
		URL: a.URL, Key: a.Key, Secret: a.Secret, Params: a.Params, Signature: a.Signature,
		Numbers: a.Numbers, BasicAuth: a.BasicAuth, Limiter: limiter, Connections: shared,
	}
}

// connected is the order service of a workspace whose admins connect it. Each call uses the present account.
// Without an account it sends nothing, see [accounts.Unconnected].
type connected struct {
	account accounts.Accounts
	dial    func(a tenants.ServiceAccount) (*upstream.Client, error)
	seen    func(ctx context.Context, left decimal.Decimal) // called with each balance; may be nil

	mu     sync.Mutex
	of     tenants.ServiceAccount // the client's account
	client *upstream.Client
}

// now returns the service of the present account.
func (c *connected) now(ctx context.Context) (job.Service, error) {
	account, err := c.account.Account(ctx)
	if tenants.NoAccount(err) {
		return accounts.Unconnected{}, nil
	}
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.client == nil || account != c.of {
		client, err := c.dial(account)
		if err != nil {
			return nil, err
		}
		c.client, c.of = client, account
	}
	return c.client, nil
}

// ask calls the present service.
func ask[T any](ctx context.Context, c *connected, what func(s job.Service) (T, error)) (T, error) {
	s, err := c.now(ctx)
	if err != nil {
		var none T
		return none, err
	}
	return what(s)
}

// Balance implements [jobs.Service].
func (c *connected) Balance(ctx context.Context) (decimal.Decimal, error) {
	left, err := ask(ctx, c, func(s job.Service) (decimal.Decimal, error) { return s.Balance(ctx) })
	if err == nil && c.seen != nil {
		c.seen(ctx, left)
	}
	return left, err
}

// List implements [jobs.Service].
func (c *connected) List(ctx context.Context, f order.Filter) (order.Page, error) {
	return ask(ctx, c, func(s job.Service) (order.Page, error) { return s.List(ctx, f) })
}

// Fetch implements [jobs.Service].
func (c *connected) Fetch(ctx context.Context, id string) (order.Order, error) {
	return ask(ctx, c, func(s job.Service) (order.Order, error) { return s.Fetch(ctx, id) })
}

// Create implements [jobs.Service].
func (c *connected) Create(ctx context.Context, o upstream.NewOrder) (order.Order, error) {
	return ask(ctx, c, func(s job.Service) (order.Order, error) { return s.Create(ctx, o) })
}

// Approve implements [jobs.Service].
func (c *connected) Approve(ctx context.Context, id string, feedback []string) (order.Order, error) {
	return ask(ctx, c, func(s job.Service) (order.Order, error) { return s.Approve(ctx, id, feedback) })
}

// Cancel implements [jobs.Service].
func (c *connected) Cancel(ctx context.Context, id string, reason []string) (order.Order, error) {
	return ask(ctx, c, func(s job.Service) (order.Order, error) { return s.Cancel(ctx, id, reason) })
}

// Revise implements [jobs.Service].
func (c *connected) Revise(ctx context.Context, id string, instructions map[string][]string) (order.Order, error) {
	return ask(ctx, c, func(s job.Service) (order.Order, error) { return s.Revise(ctx, id, instructions) })
}

// Message implements [jobs.Service].
func (c *connected) Message(ctx context.Context, id, text string) (order.Order, error) {
	return ask(ctx, c, func(s job.Service) (order.Order, error) { return s.Message(ctx, id, text) })
}

// AddReferences implements [jobs.Service].
func (c *connected) AddReferences(ctx context.Context, id string, images []upstream.RefImage) (order.Order, error) {
	return ask(ctx, c, func(s job.Service) (order.Order, error) { return s.AddReferences(ctx, id, images) })
}

// Timeout implements [jobs.Service]: it returns the last client's timeout.
func (c *connected) Timeout() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.client == nil {
		return upstream.DefaultTimeout
	}
	return c.client.Timeout()
}
