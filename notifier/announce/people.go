package announce

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/order"
)

type userReader interface {
	UserNow(ctx context.Context, id string) (slack.User, error)
}

// people finds out which requesters are deactivated.
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
	return cmp.Or(who.Profile.DisplayName, who.RealName, who.Profile.RealName, who.Name, order.FormerPerson)
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
