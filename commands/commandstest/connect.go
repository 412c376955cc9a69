package commandstest

import (
	"context"
	"log/slog"
	"strings"
	"sync"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	cardsaccount "darkroom/cards/account"
	"darkroom/jobs/accounts"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// Accounts holds the account of one workspace in memory.
type Accounts struct {
	sync.Mutex
	Now     *tenants.ServiceAccount // nil: not connected
	Changes int                     // number of connections
	Broken  error                   // error of saving an account
	Sealed  bool                    // the sealing key is lost, and the saved account cannot be read
}

// Account returns the account, or [tenants.ErrNotConnected].
func (a *Accounts) Account(context.Context) (tenants.ServiceAccount, error) {
	a.Lock()
	defer a.Unlock()
	if a.Now == nil {
		return tenants.ServiceAccount{}, tenants.ErrNotConnected
	}
	if a.Sealed {
		return tenants.ServiceAccount{By: a.Now.By, At: a.Now.At}, tenants.ErrUnreadable
	}
	return *a.Now, nil
}

// Connect saves an account.
func (a *Accounts) Connect(_ context.Context, account tenants.ServiceAccount) error {
	a.Lock()
	defer a.Unlock()
	if a.Broken != nil {
		return a.Broken
	}
	a.Now, a.Changes, a.Sealed = &account, a.Changes+1, false
	return nil
}

// Disconnect deletes the account.
func (a *Accounts) Disconnect(context.Context) error {
	a.Lock()
	defer a.Unlock()
	if a.Broken != nil {
		return a.Broken
	}
	a.Now = nil
	return nil
}

// Connects lets the workspace's admins connect an account; UINSTALLER installed the app. It starts without an account.
// Discovery calls the real services.
func (r *Rig) Connects(log *slog.Logger) *Accounts {
	r.T.Helper()
	vault := &Accounts{}
	r.Log = log
	r.Connecting = &accounts.Connecting{
		Accounts: vault, AllowPrivate: true,
		Discover: func(ctx context.Context, a tenants.ServiceAccount) (upstream.Findings, error) {
			return upstream.Discover(ctx, upstream.Config{URL: a.URL, Key: a.Key, Secret: a.Secret, Params: a.Params, Signature: a.Signature, Numbers: a.Numbers, BasicAuth: a.BasicAuth})
		},
		InstalledBy: func(context.Context) string { return "UINSTALLER" },
	}
	r.Assemble()
	return vault
}

// service returns the rig's order service, which fails while the workspace has no account.
func (r *Rig) service() job.Service {
	if r.Connecting == nil {
		return r.Service
	}
	return connected{r.Service, r.Connecting.Accounts}
}

// connected is a service that works while there is an account. It overrides only the methods that tests call without an
// account.
type connected struct {
	*Service
	vault accounts.Accounts
}

func (c connected) now(ctx context.Context) job.Service {
	if _, err := c.vault.Account(ctx); err != nil {
		return accounts.Unconnected{}
	}
	return c.Service
}

// Balance returns the credits.
func (c connected) Balance(ctx context.Context) (decimal.Decimal, error) {
	return c.now(ctx).Balance(ctx)
}

// Fetch returns an order.
func (c connected) Fetch(ctx context.Context, id string) (order.Order, error) {
	return c.now(ctx).Fetch(ctx, id)
}

// Approve approves an order.
func (c connected) Approve(ctx context.Context, id string, feedback []string) (order.Order, error) {
	return c.now(ctx).Approve(ctx, id, feedback)
}

// Message sends a message to the editor.
func (c connected) Message(ctx context.Context, id, text string) (order.Order, error) {
	return c.now(ctx).Message(ctx, id, text)
}

// Routes returns the names that the commands route, by kind.
func (r *Rig) Routes() map[bot.Kind][]string { return r.router.Routes() }

// ConnectedTo sets up a workspace with an account and an order.
func (r *Rig) ConnectedTo(log *slog.Logger) (*Accounts, tenants.ServiceAccount) {
	r.SetUpWorkspace()
	vault := r.Connects(log)
	account := tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "k3y", Secret: "s3cret", By: "UBOSS"}
	require.NoError(r.T, vault.Connect(r.T.Context(), account))
	require.NoError(r.T, r.Store.Connection.NoteConnected(r.T.Context(), account, tenants.Connection{}))
	r.Owns("order001", "C1", "maria", InStatus(order.StatusReviewing))
	return vault, account
}

// Disconnects opens the form that disconnects the account, filled in.
func (r *Rig) Disconnects(data, word, leaving string) slack.View {
	r.T.Helper()
	r.Does(bot.Request{Name: cardsaccount.ActionDisconnect, Value: "disconnect", View: AtHome(), User: "boss"})
	view := r.FilledIn(r.Screen.Last(), map[string]string{"To delete them, type DELETE": word})
	for _, block := range view.Blocks.BlockSet {
		in, ok := block.(*slack.InputBlock)
		if !ok {
			continue
		}
		for field, chosen := range map[string]string{"workspacedata": data, "leaving": leaving} {
			if strings.HasPrefix(in.BlockID, field) {
				view.State.Values[in.BlockID] = map[string]slack.BlockAction{field: {SelectedOption: slack.OptionBlockObject{Value: chosen}}}
			}
		}
	}
	return view
}
