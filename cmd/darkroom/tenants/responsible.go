package tenants

import (
	"context"
	"errors"
	"log/slog"

	"darkroom/bot/client"
	"darkroom/cards/ops"
	"darkroom/store/tenants"
)

// Person is a person who is responsible in a workspace.
type Person struct {
	User      string
	Connected bool // they connected the account; false: they added the app
}

// responsible notifies the person who is responsible in a workspace.
type responsible struct {
	account account
	slack   *client.Client
	log     *slog.Logger
}

// tell sends a direct message to the person who connected the account. If they are deactivated, the person who added the
// app gets it. Like [workspace.Tenant.TellOps] it reports whether it was sent, and fails only if a retry makes sense.
func (t responsible) tell(ctx context.Context, sentence string) (bool, error) {
	all, err := ResponsibleIn(ctx, t.account.directory, t.account.workspace)
	if err != nil {
		return false, err
	}
	for _, who := range all {
		err := t.tellOne(ctx, who, sentence)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, client.ErrTryLater):
			return false, err
		case !errors.Is(err, client.ErrNoUser):
			t.log.WarnContext(ctx, "person responsible not told", "user", who.User, "err", err)
			return false, nil
		}
	}
	return false, nil
}

// tellOne sends a message to one person. For a deactivated person it returns [client.ErrNoUser].
func (t responsible) tellOne(ctx context.Context, to Person, sentence string) error {
	known, err := t.slack.People.UserNow(ctx, to.User)
	if err == nil && known.Deleted {
		err = client.ErrNoUser
	}
	if err != nil {
		return err
	}
	_, _, err = t.slack.Messages.DM(ctx, to.User, client.Post{Text: ops.ToResponsible(sentence, to.Connected)})
	return err
}

// ResponsibleIn returns the responsible people of a workspace. The first active one gets the messages.
func ResponsibleIn(ctx context.Context, directory *tenants.Directory, workspace string) (all []Person, err error) {
	a, err := directory.Accounts.Account(ctx, workspace)
	if err != nil && !tenants.NoAccount(err) {
		return nil, err
	}
	if a.By != "" {
		all = append(all, Person{a.By, true})
	}
	i, err := directory.Installations.Installed(ctx, workspace)
	if err != nil && !errors.Is(err, tenants.ErrNotInstalled) {
		return nil, err
	}
	if i.By != "" && i.By != a.By {
		all = append(all, Person{i.By, false})
	}
	return all, nil
}
