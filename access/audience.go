package access

import (
	"context"

	"darkroom/store"
)

// mostStrangers bounds for how many of a channel's members Slack is asked whether they are people.
const mostStrangers = 10

// AllSee reports whether whatever is said of the order in the channel is said to those only who may see it: it is the
// order's own, or its people are all members of that one at this moment. Apps are no people. Of a channel of
// thousands, and of one that Slack tells nothing of, nobody knows: false.
func (a *Control) AllSee(ctx context.Context, team, channel string, t store.Tracked) (bool, error) {
	if team != t.Owner.Team || channel == t.Owner.Channel {
		return team == t.Owner.Team, nil
	}
	audience, all, err := a.members(ctx, channel)
	if err != nil || !all {
		return false, err
	}
	seers, all, err := a.members(ctx, t.Owner.Channel)
	if err != nil || !all {
		return false, err
	}
	strangers := 0
	for user := range audience {
		if seers[user] {
			continue
		}
		if strangers++; strangers > mostStrangers {
			return false, nil
		}
		if is, err := a.isPerson(ctx, user); is || err != nil {
			return false, err
		}
	}
	return true, nil
}

// members are those of a channel at this moment; false: Slack does not tell all of them.
func (a *Control) members(ctx context.Context, channel string) (map[string]bool, bool, error) {
	ids, all, err := a.cfg.Slack.MembersNow(ctx, channel)
	if err != nil && !unanswered(ctx, err) {
		a.cfg.Log.DebugContext(ctx, "members not told", "channel", channel, "err", err)
		return nil, false, nil
	}
	return ids, all, err
}

// isPerson reports whether a member of a channel is one. Whom Slack does not tell of is taken for one.
func (a *Control) isPerson(ctx context.Context, user string) (bool, error) {
	who, err := a.cfg.Slack.User(ctx, user)
	if err != nil && !unanswered(ctx, err) {
		a.cfg.Log.DebugContext(ctx, "not told who somebody is", "user", user, "err", err)
		return true, nil
	}
	return !who.IsBot && !who.Deleted, err
}
