package access

import (
	"context"
	"errors"
	"maps"
	"slices"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/store"
)

// RequiredApprovers returns the ids of the people and user groups that may approve the order, if the
// channel names some and the person is not among them. It returns nil when the channel's settings let the
// person approve; [Control.Authorize] decides the rest. Do not show the ids to a person who cannot see the order.
func (a *Control) RequiredApprovers(ctx context.Context, user string, t store.Tracked) ([]string, error) {
	settings, err := a.cfg.Settings.Of(ctx, t.Owner.Team, t.Owner.Channel)
	if err != nil {
		return nil, err
	}
	if may, err := a.isNamed(ctx, user, settings.Decides.MayApprove); may || err != nil {
		return nil, err
	}
	return settings.Decides.AskedOf(), nil
}

// Approving returns the channels with orders that name the person as an approver, and those that name only others.
func (a *Control) Approving(ctx context.Context, r bot.Request) (named []string, others map[string]bool, err error) {
	channels, err := a.cfg.Orders.Channels(ctx, r.Team)
	if err != nil {
		return nil, nil, err
	}
	all, err := a.cfg.Settings.OfAll(ctx, r.Team, channels)
	others = map[string]bool{}
	for place, settings := range all {
		if len(settings.Decides.AskedOf()) == 0 {
			continue
		}
		may, unknown := a.isNamed(ctx, r.User, settings.Decides.MayApprove)
		err = errors.Join(err, unknown)
		if others[place.Channel] = !may; may {
			named = append(named, place.Channel)
		}
	}
	return named, others, err
}

// Spends reports whether the person's orders need no approval, as long as they stay within the limits.
func (a *Control) Spends(ctx context.Context, user string, limits store.Decides) (bool, error) {
	return a.isNamed(ctx, user, limits.MaySpend)
}

// mostAsked is how many people [Control.AnotherDecides] checks at most.
const mostAsked = 30

// AnotherDecides reports whether a person other than user can decide about the order now: an approver of its
// channel, or with account a named operator.
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
			if unanswered(ctx, err) && !errors.Is(err, client.ErrMissingScope) {
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

// MaySetDecisions reports whether the person may change who decides about a channel's orders. now are the
// present settings: the approvers they name may change them, and operators. While they name nobody, every member may.
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

// UserGroups returns the user groups that settings can name as approvers; nil if the app may not read user groups.
func (a *Control) UserGroups(ctx context.Context) ([]client.UserGroup, error) {
	me, err := a.cfg.Slack.Identity(ctx)
	if err != nil || !me.Granted(client.ScopeGroups) {
		return nil, err
	}
	return a.cfg.Slack.UserGroups(ctx)
}

// isNamed reports whether named lists the person, or a user group that has the person as a member now.
// It returns an error when Slack did not answer for a group, so that the person is neither let through nor refused.
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

// inGroup reports whether the person is in a user group. A group that Slack refuses to list counts as empty.
func (a *Control) inGroup(ctx context.Context, group, user string) (bool, error) {
	members, err := a.cfg.Slack.GroupMembers(ctx, group)
	if err != nil && (errors.Is(err, client.ErrMissingScope) || !unanswered(ctx, err)) {
		a.cfg.Log.WarnContext(ctx, "not told who is in a user group", "group", group, "err", err)
		return false, nil
	}
	return members[user], err
}
