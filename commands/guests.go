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

// guests keeps people who cannot order out of the order form.
type guests struct {
	access *access.Control
	log    *slog.Logger
}

// rejectKnownGuest refuses a remembered guest before the form opens, after asking Slack again. People who are not
// remembered are checked while the form opens: nearly all of them may order, and none has to wait.
func (c *guests) rejectKnownGuest(ctx context.Context, r bot.Request) error {
	if !c.access.SeemsNoMember(ctx, r.User) {
		return nil
	}
	return c.rejectGuest(ctx, r)
}

// rejectGuest refuses the form to a person who cannot order. If Slack does not answer in time, the form opens, and its
// submission is checked again.
func (c *guests) rejectGuest(ctx context.Context, r bot.Request) error {
	quick, cancel := context.WithTimeout(ctx, time.Second) // a remembered guest waits for this, and a trigger lives three
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
