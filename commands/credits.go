package commands

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/store"
)

// The credits are the account's: full members read them, unless the operators keep them to
// themselves; guests and people of other organisations never do.

// readsCredits reports whether the person may read what the account has left.
func (c *Commands) readsCredits(ctx context.Context, r bot.Request) (bool, error) {
	why, err := c.whyOnlySee(ctx, r.User)
	if err != nil || why != "" {
		return false, err
	}
	account, err := c.store.Account(ctx, r.Team)
	if err != nil || account.Credits != store.CreditsOperators {
		return err == nil, err
	}
	return c.isOperator(ctx, r)
}

// creditsFor are the credits for one person's eyes: not valid when they are not theirs to
// read, or not known in time. They decorate an answer that is as good without them.
func (c *Commands) creditsFor(ctx context.Context, r bot.Request) decimal.NullDecimal {
	quick, cancel := brief(ctx)
	defer cancel()
	reads, err := c.readsCredits(quick, r)
	if err != nil {
		c.log.InfoContext(ctx, "not known who reads the credits", "user", r.User, "err", err)
	}
	if err != nil || !reads {
		return decimal.NullDecimal{}
	}
	return c.creditsLeft(ctx)
}

// creditPatience is how long a form waits for the credits that it shows.
const creditPatience = 1500 * time.Millisecond

// creditWords is creditsFor as words for a form that somebody waits for, "" when there are none.
func (c *Commands) creditWords(ctx context.Context, r bot.Request) string {
	quick, cancel := context.WithTimeout(ctx, creditPatience)
	defer cancel()
	if credits := c.creditsFor(quick, r); credits.Valid {
		return credits.Decimal.String()
	}
	return ""
}

// creditsIn are the credits for all who read a channel.
func (c *Commands) creditsIn(ctx context.Context, team, channel string) decimal.NullDecimal {
	quick, cancel := brief(ctx)
	defer cancel()
	all, err := c.allReadCredits(quick, team, channel)
	if err != nil {
		c.log.InfoContext(ctx, "not known who reads the channel", "channel", channel, "err", err)
	}
	if err != nil || !all {
		return decimal.NullDecimal{}
	}
	return c.creditsLeft(ctx)
}

// mostReaders are looked at one by one; a larger channel is told no credits.
const mostReaders = 30

// allReadCredits reports whether everybody who reads a channel may read the credits: it is
// shared with nobody, and all its members are full members.
func (c *Commands) allReadCredits(ctx context.Context, team, channel string) (bool, error) {
	account, err := c.store.Account(ctx, team)
	if err != nil || account.Credits == store.CreditsOperators {
		return false, err
	}
	where, err := c.slack.Channel(ctx, channel)
	if err != nil || sharedOut(where) || where.NumMembers > mostReaders {
		return false, err
	}
	readers, whole, err := c.slack.Members(ctx, channel)
	if err != nil || !whole || len(readers) > mostReaders {
		return false, err
	}
	return c.allMembers(ctx, readers)
}

// sharedOut tells whether people of other organisations read the channel, or will when they
// accept an invitation. Channels that workspaces of one Grid organisation share are its own.
func sharedOut(c slack.Channel) bool {
	return c.IsExtShared || c.IsPendingExtShared || c.IsShared && !c.IsOrgShared
}

// allMembers reports whether all of them are full members; our own app is nobody.
func (c *Commands) allMembers(ctx context.Context, users map[string]bool) (bool, error) {
	me, err := c.slack.Identity(ctx)
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
			why, err := c.whyOnlySee(ctx, user)
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

// creditsLeft are what the account has left, not valid when the service does not tell.
func (c *Commands) creditsLeft(ctx context.Context) decimal.NullDecimal {
	quick, cancel := brief(ctx)
	defer cancel()
	left, err := c.service.Balance(quick)
	if err != nil {
		c.log.InfoContext(ctx, "credits not known", "err", err)
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(left)
}
