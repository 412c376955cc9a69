package commands

import (
	"context"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs/answers"
	"darkroom/store/queue"
)

const clickJob = "click"

// accept handles a command line, a button or a shortcut. It answers a read-only request and puts a job for a write.
// Each job has its own lane, so that no click waits for an earlier one.
func (c *Commands) accept(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if inGroup(r) { // the app cannot join a group message, so it answers as in a direct message
		r.Channel = ""
	}
	named, act := c.action(r)
	c.recordVerb(ctx, named)
	if !act.writes(named) {
		return c.readOnly.Answer(ctx, named, act.run)
	}
	id := clickJob + ":" + r.ID
	return bot.Ack(), c.jobs.Putter.Put(ctx, clickJob, id, id, r)
}

// inGroup reports whether the request comes from a group direct message. The channel's name is all that Slack tells an
// app outside it.
func inGroup(r bot.Request) bool { return strings.HasPrefix(r.ChannelName, "mpdm-") }

// click runs a write and tells the person if it fails. It also runs read-only requests, which an earlier version queued
// as jobs.
func (c *Commands) click(ctx context.Context, d *queue.Delivery, r bot.Request) error {
	if d.Now().Sub(d.PutAt) > answers.AnswerLife {
		return queue.Dead(fmt.Errorf("click %s: older than %s", d.ID, answers.AnswerLife))
	}
	r, act := c.action(r)
	c.recordVerb(ctx, r)
	if act.run == nil {
		return queue.Dead(fmt.Errorf("click %s: nothing is called %q", d.ID, r.Name))
	}
	err := act.run(ctx, r)
	if err == nil || ctx.Err() != nil || queue.Away(err) {
		return err
	}
	return c.answers.Fail(ctx, r, err)
}

// recordVerb adds the verb to the current span. Unknown verbs are left out: a mistyped line may hold anything.
func (c *Commands) recordVerb(ctx context.Context, r bot.Request) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	if v, ok := c.features.help.verb(r.Verb); ok {
		span.SetAttributes(attribute.String("darkroom.verb", v.Verb))
	}
}

// action finds the work of a request. A menu entry or a picker names a verb: the request then becomes that verb's, for
// the card's or the picked order.
func (c *Commands) action(r bot.Request) (bot.Request, action) {
	verb, picks := strings.CutPrefix(r.Name, cards.ActionPick)
	switch {
	case r.Kind == bot.KindCommand && (r.Verb == "" || looksLikeURL(r.Verb)):
		verb = newHelp.Verb
	case r.Kind == bot.KindCommand:
		verb = r.Verb
	case r.Name == cards.ActionMenu:
		verb, r.Value, _ = strings.Cut(r.Value, " ")
		r.Verb = verb
	case picks:
		r.Verb = verb
	default:
		return r, c.button(r.Name)
	}
	if v, ok := c.features.help.verb(verb); ok {
		return r, v.action
	}
	return r, action{c.features.help.suggest, reads}
}

// button returns the action of a button id, or of its prefix up to the last colon.
func (c *Commands) button(id string) action {
	if act, ok := c.buttons[id]; ok {
		return act
	}
	return c.buttons[id[:strings.LastIndex(id, ":")+1]]
}

func looksLikeURL(word string) bool {
	return strings.Contains(word, "://") || strings.HasPrefix(word, "<http")
}
