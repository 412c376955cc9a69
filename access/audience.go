package access

import (
	"context"

	"darkroom/store"
)

// mostStrangers is how many members who may not see the order are looked up, to find out whether they are apps.
const mostStrangers = 10

// AllSee reports whether everybody in the channel may see the order. That holds for the order's own channel, and for a
// channel whose people are all members of the order's channel now. Apps do not count. The answer is false for a channel
// with thousands of members, and for one whose members Slack does not list.
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

// members returns who is in a channel now; false: the list is not complete, or Slack refuses to tell. If Slack does not answer,
// that is an error.
func (a *Control) members(ctx context.Context, channel string) (map[string]bool, bool, error) {
	ids, all, err := a.cfg.Slack.MembersNow(ctx, channel)
	if err != nil && !unanswered(ctx, err) {
		a.cfg.Log.DebugContext(ctx, "members not told", "channel", channel, "err", err)
		return nil, false, nil
	}
	return ids, all, err
}

// isPerson reports whether a user is a person with an active account. A user that Slack refuses to describe counts as one.
func (a *Control) isPerson(ctx context.Context, user string) (bool, error) {
	who, err := a.cfg.Slack.User(ctx, user)
	if err != nil && !unanswered(ctx, err) {
		a.cfg.Log.DebugContext(ctx, "not told who somebody is", "user", user, "err", err)
		return true, nil
	}
	return !who.IsBot && !who.Deleted, err
}
