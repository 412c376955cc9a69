package access

import (
	"context"
	"errors"
	"maps"
	"slices"

	"darkroom/bot"
	"darkroom/store"
)

// ApprovalKeptFor returns who alone may approve the order, people and user groups, when its channel names some
// and the person is none of them; nobody when the person may, as far as the channel's settings have a say in it.
// [Control.Authorize] says the rest. Whoever does not see the order must not hear of them.
func (a *Control) ApprovalKeptFor(ctx context.Context, user string, t store.Tracked) ([]string, error) {
	settings, err := a.cfg.Settings.Of(ctx, t.Owner.Team, t.Owner.Channel)
	if err != nil {
		return nil, err
	}
	if may, err := a.isNamed(ctx, user, settings.Decides.MayApprove); may || err != nil {
		return nil, err
	}
	return settings.Decides.AskedOf(), nil
}

// Spends reports whether the person orders without being asked about, as long as no limit says otherwise.
func (a *Control) Spends(ctx context.Context, user string, limits store.Decides) (bool, error) {
	return a.isNamed(ctx, user, limits.MaySpend)
}

// mostAsked bounds of how many people it is looked up whether they may decide.
const mostAsked = 30

// AnotherDecides reports whether somebody else than the person decides about orders of the channel: an approver, or, of
// what concerns the account, an operator who is named. They must be able to act there now.
func (a *Control) AnotherDecides(ctx context.Context, user string, t store.Tracked, account bool) (bool, error) {
	others := a.Operators()
	if !account {
		settings, err := a.cfg.Settings.Of(ctx, t.Owner.Team, t.Owner.Channel)
		if err != nil {
			return false, err
		}
		others = slices.Clone(settings.Decides.Approvers)
		for _, group := range settings.Decides.ApproverGroups {
			members, err := a.cfg.Slack.GroupMembers(ctx, group)
			if err != nil && unanswered(ctx, err) && !errors.Is(err, bot.ErrMissingScope) {
				return false, err
			}
			others = slices.AppendSeq(others, maps.Keys(members))
		}
	}
	for _, other := range others[:min(len(others), mostAsked)] {
		if other == user {
			continue
		}
		permit, err := a.Authorize(ctx, bot.Request{Team: t.Owner.Team, User: other}, t)
		if err != nil || permit.Acts() {
			return err == nil, err
		}
	}
	return false, nil
}

// MaySetDecisions reports whether the person may change who decides about a channel's orders from what
// holds now: who was named to decide, and operators; every member while nobody is named.
func (a *Control) MaySetDecisions(ctx context.Context, r bot.Request, now store.Decides) (bool, error) {
	may, unknown := a.isNamed(ctx, r.User, now.MayApprove)
	if may {
		return true, nil
	}
	if operator, err := a.IsOperatorNow(ctx, r); operator || err != nil {
		return operator, err
	}
	return false, unknown
}

// UserGroups are those that can be named to decide; none where the app may not read them.
func (a *Control) UserGroups(ctx context.Context) ([]bot.UserGroup, error) {
	me, err := a.cfg.Slack.Identity(ctx)
	if err != nil || !me.Granted(bot.ScopeGroups) {
		return nil, err
	}
	return a.cfg.Slack.UserGroups(ctx)
}

// isNamed reports whether the person is named for something, by themselves or as a member of a user group by now.
// While Slack does not tell who is in a group, that is an error: nobody is let through, and nobody refused.
func (a *Control) isNamed(ctx context.Context, user string, named func(user string) (may bool, groups []string)) (bool, error) {
	may, groups := named(user)
	var unknown error
	for _, group := range groups {
		in, err := a.inGroup(ctx, group, user)
		if may = may || in; may {
			return true, nil
		}
		unknown = errors.Join(unknown, err)
	}
	return may, unknown
}

// inGroup reports whether the person is in a user group. One that Slack refuses to tell of has no members.
func (a *Control) inGroup(ctx context.Context, group, user string) (bool, error) {
	members, err := a.cfg.Slack.GroupMembers(ctx, group)
	if err != nil && (errors.Is(err, bot.ErrMissingScope) || !unanswered(ctx, err)) {
		a.cfg.Log.WarnContext(ctx, "not told who is in a user group", "group", group, "err", err)
		return false, nil
	}
	return members[user], err
}
