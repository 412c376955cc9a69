package announce

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

type userReader interface {
	User(ctx context.Context, id string) (slack.User, error)
	UserNow(ctx context.Context, id string) (slack.User, error)
}

// people finds out what people are called, and which requesters are deactivated.
type people struct {
	slack userReader
	log   *slog.Logger
}

// deactivated returns the name of a person who is deactivated, unknown to Slack, or forgotten. It returns
// "" for everybody else, and if Slack does not answer: news does not wait for that.
func (p *people) deactivated(ctx context.Context, user string) string {
	switch user {
	case "":
		return ""
	case order.FormerPerson:
		return user
	}
	who, err := p.slack.UserNow(ctx, user)
	switch {
	case errors.Is(err, client.ErrNoUser):
		return order.FormerPerson
	case err != nil:
		p.log.InfoContext(ctx, "not told whether somebody is still here", "user", user, "err", err)
		return ""
	case !who.Deleted:
		return ""
	}
	return cmp.Or(displayName(who), order.FormerPerson)
}

// allDeactivated reports whether a direct message would reach none of them, so that the channel is told.
func (p *people) allDeactivated(ctx context.Context, users []string) bool {
	return !slices.ContainsFunc(users, func(user string) bool { return p.deactivated(ctx, user) == "" })
}

func displayName(who slack.User) string {
	return cmp.Or(who.Profile.DisplayName, who.RealName, who.Profile.RealName, who.Name)
}

const (
	maxNames = 20              // people that one message names
	nameTime = 3 * time.Second // for all of them
)

// names returns the display names of people by user id. It leaves out those of whom Slack does not tell: news does
// not wait for that.
func (p *people) names(ctx context.Context, ids ...string) map[string]string {
	ctx, cancel := context.WithTimeout(ctx, nameTime)
	defer cancel()
	names := map[string]string{}
	for _, id := range ids {
		if _, known := names[id]; known || !kit.IsUser(id) || len(names) == maxNames {
			continue
		}
		who, err := p.slack.User(ctx, id)
		if err != nil {
			p.log.InfoContext(ctx, "not told what somebody is called", "user", id, "err", err)
		}
		names[id] = displayName(who)
	}
	return names
}

// named returns the order with the names of its requester, of those whose requests wait, and of others.
func (p *people) named(ctx context.Context, t store.Tracked, others ...string) store.Tracked {
	ids := append(others, t.Owner.Requester)
	for _, w := range t.Waits {
		ids = append(ids, w.Actor)
	}
	t.Names = p.names(ctx, ids...)
	return t
}

// namedIn returns the people whom an event's reply names. events are those of [record.around].
func namedIn(t store.Tracked, e order.Event, events []order.Event) []string {
	ids := []string{e.Actor, e.For}
	switch e.Kind {
	case order.EventReady:
		c := cards.RoundHistoryOf(t, events, e)
		for _, other := range []*order.Event{c.Asked, c.Ended} {
			if other != nil {
				ids = append(ids, other.Actor)
			}
		}
		ids = append(ids, tickers(cards.DoneOf(t, c))...)
		if c.Ended != nil {
			ids = append(ids, tickers(c.Ended.Ticked)...)
		}
	case order.EventReminder:
		for _, other := range events {
			if other.ID == order.SnoozeID(e.ID) {
				ids = append(ids, other.Actor)
			}
		}
	}
	return ids
}

// tickers returns the people who ticked requested changes as done.
func tickers(count *order.DoneCount) []string {
	if count == nil {
		return nil
	}
	return count.By
}

// ownerless reports whether an event needs somebody to act and the requester is deactivated.
func (p *people) ownerless(ctx context.Context, a *announcement, e order.Event, live bool) bool {
	switch e.Kind {
	case order.EventReady, order.EventPaused, order.EventReminder:
		return live && p.deactivated(ctx, a.tracked.Owner.Requester) != ""
	case order.EventEditor:
		return e.For == "" && p.deactivated(ctx, a.tracked.Owner.Requester) != ""
	}
	return false
}
