package access

import (
	"context"
	"errors"
	"sync"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/store"
)

// ReadsCredits reports whether the person may read what the account has left.
func (a *Control) ReadsCredits(ctx context.Context, r bot.Request) (bool, error) {
	why, err := a.WhyNoMember(ctx, r.User)
	if err != nil || why != "" {
		return false, err
	}
	account, err := a.store.Account(ctx, r.Team)
	if err != nil || account.Credits != store.CreditsOperators {
		return err == nil, err
	}
	return a.IsOperator(ctx, r)
}

// mostReaders are looked at one by one; a larger channel is told no credits.
const mostReaders = 30

// AllReadCredits reports whether everybody who reads a channel may read the credits: it is
// shared with nobody, and all its members are full members.
func (a *Control) AllReadCredits(ctx context.Context, team, channel string) (bool, error) {
	account, err := a.store.Account(ctx, team)
	if err != nil || account.Credits == store.CreditsOperators {
		return false, err
	}
	where, err := a.slack.Channel(ctx, channel)
	if err != nil || SharedOut(where) || where.NumMembers > mostReaders {
		return false, err
	}
	readers, whole, err := a.slack.Members(ctx, channel)
	if err != nil || !whole || len(readers) > mostReaders {
		return false, err
	}
	return a.allMembers(ctx, readers)
}

// SharedOut tells whether people of other organisations read the channel, or will when they
// accept an invitation. Channels that workspaces of one Grid organisation share are its own.
func SharedOut(c slack.Channel) bool {
	return c.IsExtShared || c.IsPendingExtShared || c.IsShared && !c.IsOrgShared
}

// allMembers reports whether all of them are full members; our own app is nobody.
func (a *Control) allMembers(ctx context.Context, users map[string]bool) (bool, error) {
	me, err := a.slack.Identity(ctx)
	if err != nil {
		return false, err
	}
	var asked sync.WaitGroup
	answers := make(chan error, len(users))
	for user := range users {
		if user == me.BotUser {
			continue
		}
		asked.Go(func() {
			why, err := a.WhyNoMember(ctx, user)
			if why != "" {
				err = errOnlySees
			}
			answers <- err
		})
	}
	asked.Wait()
	close(answers)
	for err := range answers {
		if err != nil {
			return false, ignore(err, errOnlySees)
		}
	}
	return true, nil
}

// errOnlySees: somebody who is no full member.
var errOnlySees = errors.New("may only see")

// ignore is the error unless it is the one that is no trouble.
func ignore(err, known error) error {
	if errors.Is(err, known) {
		return nil
	}
	return err
}
