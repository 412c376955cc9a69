package commands

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards/place"
	"darkroom/commands/answer"
	"darkroom/jobs"
)

// guests refuses the order form to who cannot order.
type guests struct {
	access *access.Control
	log    *slog.Logger
}

// rejectKnownGuest tells somebody before the form opens that they cannot order, if the app remembers that:
// nobody fills in a form for nothing. Slack is asked whether it is still so. Of whom nothing is remembered,
// Slack is asked while it opens the form: nearly all who order may, and none of them waits for that.
func (c *guests) rejectKnownGuest(ctx context.Context, r bot.Request) error {
	if !c.access.SeemsNoMember(ctx, r.User) {
		return nil
	}
	return c.rejectGuest(ctx, r)
}

// rejectGuest refuses the form to somebody who cannot order. When Slack does not say in time who they
// are, they get it, and whoever submits it is looked at again.
func (c *guests) rejectGuest(ctx context.Context, r bot.Request) error {
	quick, cancel := context.WithTimeout(ctx, time.Second) // whoever is remembered as a guest waits for this, and a trigger lives three
	defer cancel()
	why, err := c.access.WhyNoMemberNow(quick, r.User)
	if err != nil {
		c.log.InfoContext(ctx, "not known whether a guest", "user", r.User, "err", err)
		return ctx.Err()
	}
	if why == "" {
		return nil
	}
	channel, urls := jobs.Postable(r.Channel), strings.Join(lineURLs(r), "\n")
	return answer.Refusal{Message: place.GuestOrder(channel, why, urls), Sentence: place.CannotOrder(channel, why), Text: urls}
}
