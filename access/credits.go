package access

import (
	"context"
	"sync/atomic"

	"github.com/slack-go/slack"
	"golang.org/x/sync/errgroup"

	"darkroom/bot"
	"darkroom/store"
)

// ReadsCredits reports whether the person may read the account's credits. Full members may, or only
// operators if the account's settings say so.
func (a *Control) ReadsCredits(ctx context.Context, r bot.Request) (bool, error) {
	why, err := a.WhyNoMember(ctx, r.User)
	if err != nil || why != "" {
		return false, err
	}
	account, err := a.cfg.Settings.Account(ctx, r.Team)
	if err != nil || account.Credits != store.CreditsOperators {
		return err == nil, err
	}
	return a.IsOperator(ctx, r)
}

// mostReaders is how many members a channel may have, the app included, to be shown credits. Each is looked up.
const mostReaders = 30

// AllReadCredits reports whether a message in the channel may name the credits. No other organisation
// may share the channel, and all its members must be full members of ours. The answer is false for a
// channel of more than thirty members, and while only operators read the credits.
func (a *Control) AllReadCredits(ctx context.Context, team, channel string) (bool, error) {
	account, err := a.cfg.Settings.Account(ctx, team)
	if err != nil || account.Credits == store.CreditsOperators {
		return false, err
	}
	where, err := a.cfg.Slack.Channel(ctx, channel)
	if err != nil || SharedOut(where) || where.NumMembers > mostReaders {
		return false, err
	}
	readers, whole, err := a.cfg.Slack.Members(ctx, channel)
	if err != nil || !whole || len(readers) > mostReaders {
		return false, err
	}
	return a.allMembers(ctx, readers)
}

// SharedOut reports whether people of other organisations read the channel, or will once they accept an
// invitation. Workspaces of our own Grid organisation do not count.
func SharedOut(c slack.Channel) bool {
	return c.IsExtShared || c.IsPendingExtShared || c.IsShared && !c.IsOrgShared
}

// allMembers reports whether all users are full members of ours. The app itself does not count.
func (a *Control) allMembers(ctx context.Context, users map[string]bool) (bool, error) {
	me, err := a.cfg.Slack.Identity(ctx)
	if err != nil {
		return false, err
	}
	var asked errgroup.Group
	var others atomic.Bool
	for user := range users {
		if user == me.BotUser {
			continue
		}
		asked.Go(func() error {
			why, err := a.WhyNoMember(ctx, user)
			if why != "" {
				others.Store(true)
			}
			return err
		})
	}
	err = asked.Wait()
	return err == nil && !others.Load(), err
}
