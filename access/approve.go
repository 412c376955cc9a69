package access

import (
	"context"

	"darkroom/bot"
	"darkroom/store"
)

// ApprovalKeptFor returns who alone may approve the order, when its channel names some and the person
// is none of them; nobody when the person may, as far as the channel's settings have a say in it.
// [Control.Authorize] says the rest. Whoever does not see the order must not hear of them.
func (a *Control) ApprovalKeptFor(ctx context.Context, user string, t store.Tracked) ([]string, error) {
	settings, err := a.cfg.Store.Settings(ctx, t.Owner.Team, t.Owner.Channel)
	if err != nil || settings.Decides.MayApprove(user) {
		return nil, err
	}
	return settings.Decides.Approvers, nil
}

// MaySetDecisions reports whether the person may change who decides about a channel's orders from what
// holds now: who was named to decide, and operators; every member while nobody is named.
func (a *Control) MaySetDecisions(ctx context.Context, r bot.Request, now store.Decides) (bool, error) {
	if now.MayApprove(r.User) {
		return true, nil
	}
	return a.IsOperatorNow(ctx, r)
}
