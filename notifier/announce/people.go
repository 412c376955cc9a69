package announce

import (
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

// people knows which requesters are no longer here.
type people struct {
	slack userReader
	log   *slog.Logger
}

// deactivated returns the name of somebody who is no longer here: their account is switched off, Slack does not know
// them, or they were forgotten. It returns "" for everybody else, and while Slack does not tell: news does not wait for
// the answer.
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
	for _, name := range []string{who.Profile.DisplayName, who.RealName, who.Profile.RealName, who.Name} {
		if name != "" {
			return name
		}
	}
	return order.FormerPerson
}

// ownerless says that an event needs somebody, and that the requester is no longer here.
func (p *people) ownerless(ctx context.Context, a *announcement, e order.Event, live bool) bool {
	switch e.Kind {
	case order.EventReady, order.EventPaused, order.EventReminder:
		return live && p.deactivated(ctx, a.tracked.Owner.Requester) != ""
	case order.EventEditor:
		return e.For == "" && p.deactivated(ctx, a.tracked.Owner.Requester) != ""
	}
	return false
}
