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

// accept takes a command line, a button or a shortcut: a read-only request is answered, and a write becomes a job.
// Each job has a lane of its own: nobody waits for what they clicked before.
func (c *Commands) accept(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if inGroup(r) { // where the app cannot be: as in its own direct messages
		r.Channel = ""
	}
	named, does := c.action(r)
	c.namesVerb(ctx, named)
	if !does.writes(named) {
		return c.readOnly.Answer(ctx, named, does.run)
	}
	id := clickJob + ":" + r.ID
	return bot.Ack(), c.jobs.Putter.Put(ctx, clickJob, id, id, r)
}

// inGroup tells a direct message of several people, by the only thing that Slack tells of
// it to an app that is not in it.
func inGroup(r bot.Request) bool { return strings.HasPrefix(r.ChannelName, "mpdm-") }

// click does what was asked for and tells the person when it cannot be done. An earlier version
// made jobs of read-only requests as well.
func (c *Commands) click(ctx context.Context, d *queue.Delivery, r bot.Request) error {
	if d.Now().Sub(d.PutAt) > answers.AnswerLife {
		return queue.Dead(fmt.Errorf("click %s: older than %s", d.ID, answers.AnswerLife))
	}
	r, does := c.action(r)
	c.namesVerb(ctx, r)
	if does.run == nil {
		return queue.Dead(fmt.Errorf("click %s: nothing is called %q", d.ID, r.Name))
	}
	err := does.run(ctx, r)
	if err == nil || ctx.Err() != nil || queue.Away(err) {
		return err
	}
	return c.answers.Fail(ctx, r, err)
}

// namesVerb tells the span in hand which verb it is about, if it is one of ours: what somebody mistyped may be
// anything.
func (c *Commands) namesVerb(ctx context.Context, r bot.Request) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	if v, ok := c.features.help.verb(r.Verb); ok {
		span.SetAttributes(attribute.String("darkroom.verb", v.Verb))
	}
}

// action finds the work behind a click. An entry of a card's menu and a picker name a verb: the
// request is then that verb's, for the order of the card or the one that was picked.
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
	return r, action{c.features.help.suggest, shows}
}

// button is the work behind an id, or behind all ids that begin as it does.
func (c *Commands) button(id string) action {
	if does, ok := c.buttons[id]; ok {
		return does
	}
	return c.buttons[id[:strings.LastIndex(id, ":")+1]]
}

func looksLikeURL(word string) bool {
	return strings.Contains(word, "://") || strings.HasPrefix(word, "<http")
}
