// Package answer is how a request is answered: in its acknowledgement, by a message that only its person sees, or in
// a window. It knows nothing about orders.
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

// NewMessages makes the handler from what it uses.
func NewMessages(slack answers.Slack, jobs *jobs.Jobs, log *slog.Logger) *Messages {
	return &Messages{slack: slack, jobs: jobs, log: log}
}

// Fail says what went wrong, with a reference that is also in the log. Slack has taken
// a line away when it was sent: it is shown again.
func (c *Messages) Fail(ctx context.Context, r bot.Request, err error) error {
	if no, ok := errors.AsType[Refusal](err); ok {
		return c.Send(ctx, r, no.Message)
	}
	ref := job.ShortRef(r.ID)
	c.log.ErrorContext(ctx, "click not done", "name", r.Name, "verb", r.Verb, "user", r.User, "ref", ref, "err", err)
	return c.Send(ctx, r, kit.SayWith(c.jobs.Operators.Sentence(ctx, err, ref), TypedLine(r)))
}

// Replace puts an answer in the place of the one whose button was pressed; where that
// is no longer possible, below it.
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

// Send answers a click so that only that person sees it: in the acknowledgement, when that is
// still open and the message is sure to be taken there, because of one that is not, nobody hears.
func (c *Messages) Send(ctx context.Context, r bot.Request, m kit.Message) error {
	if a, ok := ctx.Value(ackKey{}).(*ack); ok && fitsAck(m) && a.with(bot.Ephemeral(m.Text, m.Blocks...)) {
		return nil
	}
	acked(ctx)
	return c.jobs.Messages.SendEphemeral(ctx, r, m)
}

// Zone is the person's time zone; false when Slack does not tell it, and it is UTC.
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

// TypedLine returns a command line as it was typed; "" for another kind of request, and for a line with no more than
// a verb and an order.
func TypedLine(r bot.Request) string {
	if r.Kind != bot.KindCommand || len(strings.Fields(r.Text)) < 3 {
		return ""
	}
	return r.Name + " " + client.AsTyped(strings.TrimSpace(r.Text))
}

// OriginChannel is the channel in which somebody acts: for a modal the one it was opened in;
// "" in a direct message and in the Home.
func OriginChannel(r bot.Request) string {
	if r.Channel == "" && r.View != nil {
		return jobs.Postable(kit.DecodeMeta(r.View.PrivateMetadata).Channel)
	}
	return jobs.Postable(r.Channel)
}
