// Package answer answers requests: in the acknowledgement, by a message that only the person sees, or in a window. It
// knows nothing about orders.
package answer

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
)

// Messages answers a person with messages that only they see.
type Messages struct {
	slack answers.Slack
	jobs  *jobs.Jobs
	log   *slog.Logger
}

// NewMessages returns a sender of private messages.
func NewMessages(slack answers.Slack, jobs *jobs.Jobs, log *slog.Logger) *Messages {
	return &Messages{slack: slack, jobs: jobs, log: log}
}

// Fail tells the person what went wrong. An unexpected error gets a reference that is also in the log. The typed line
// is repeated, because Slack has cleared it.
func (c *Messages) Fail(ctx context.Context, r bot.Request, err error) error {
	if refusal, ok := errors.AsType[Refusal](err); ok {
		return c.Send(ctx, r, refusal.Message)
	}
	ref := job.ShortRef(r.ID)
	c.log.ErrorContext(ctx, "click not done", "name", r.Name, "verb", r.Verb, "user", r.User, "ref", ref, "err", err)
	return c.Send(ctx, r, kit.SayWith(c.jobs.Operators.Sentence(ctx, err, ref), TypedLine(r)))
}

// Replace replaces the message whose button was pressed. If that is no longer possible, it sends a new one.
func (c *Messages) Replace(ctx context.Context, r bot.Request, m kit.Message) error {
	if r.ResponseURL != "" && time.Since(r.At) < answers.AnswerLife {
		err := c.slack.Respond(ctx, r.ResponseURL, m.Text, m.Blocks...)
		if err == nil || ctx.Err() != nil {
			return err
		}
		c.log.DebugContext(ctx, "answer not replaced", "user", r.User, "err", err)
	}
	return c.Send(ctx, r, m)
}

// Send sends a message that only the person sees. It is the acknowledgement if that is still open and the message
// surely fits: Slack reports no error for an acknowledgement.
func (c *Messages) Send(ctx context.Context, r bot.Request, m kit.Message) error {
	if a, ok := ctx.Value(ackKey{}).(*ack); ok && fitsAck(m) && a.send(bot.Ephemeral(m.Text, m.Blocks...)) {
		return nil
	}
	acknowledge(ctx)
	return c.jobs.Messages.SendEphemeral(ctx, r, m)
}

// Zone returns the person's time zone, or UTC and false if Slack does not return it.
func (c *Messages) Zone(ctx context.Context, user string) (*time.Location, bool) {
	who, err := c.slack.User(ctx, user)
	if err == nil && who.TZ != "" && who.TZ != "Local" {
		var zone *time.Location
		if zone, err = time.LoadLocation(who.TZ); err == nil {
			return zone, true
		}
	}
	c.log.DebugContext(ctx, "time zone not known", "user", user, "err", err)
	return time.UTC, false
}

// TypedLine returns a command line as it was typed. It returns "" for other requests, and for a line of only a verb and
// an order.
func TypedLine(r bot.Request) string {
	if r.Kind != bot.KindCommand || len(strings.Fields(r.Text)) < 3 {
		return ""
	}
	return r.Name + " " + client.AsTyped(strings.TrimSpace(r.Text))
}

// OriginChannel returns the channel in which the person acts. A modal's is the channel it was opened in. It is "" in
// direct messages and in the Home tab.
func OriginChannel(r bot.Request) string {
	if r.Channel == "" && r.View != nil {
		return jobs.Postable(kit.DecodeMeta(r.View.PrivateMetadata).Channel)
	}
	return jobs.Postable(r.Channel)
}
