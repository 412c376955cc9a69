package commands

import (
	"context"
	"fmt"
	"strings"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/store/queue"
)

const clickJob = "click"

// accept turns a command line, a button or a shortcut into a job. Each has a lane of
// its own: a form must open within three seconds, whatever else that person does.
func (c *Commands) accept(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if inGroup(r) { // where the app cannot be: as in its own direct messages
		r.Channel = ""
	}
	id := clickJob + ":" + r.ID
	return bot.Ack(), c.jobs.Put(ctx, clickJob, id, id, r)
}

// inGroup tells a direct message of several people, by the only thing that Slack tells of
// it to an app that is not in it.
func inGroup(r bot.Request) bool { return strings.HasPrefix(r.ChannelName, "mpdm-") }

// click does what was asked for and tells the person when it cannot be done.
func (c *Commands) click(ctx context.Context, d *queue.Delivery, r bot.Request) error {
	if d.Now().Sub(d.PutAt) > jobs.AnswerLife {
		return queue.Dead(fmt.Errorf("click %s: older than %s", d.ID, jobs.AnswerLife))
	}
	run := c.clicked(r)
	if run == nil {
		return queue.Dead(fmt.Errorf("click %s: nothing is called %q", d.ID, r.Name))
	}
	err := run(ctx, r)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil || queue.Away(err) {
		return err
	}
	return c.apologise(ctx, r, err)
}

// clicked finds the work behind a click.
func (c *Commands) clicked(r bot.Request) clicked {
	if r.Kind != bot.KindCommand {
		if i := strings.LastIndex(r.Name, ":"); c.buttons[r.Name] == nil && i >= 0 {
			return c.buttons[r.Name[:i+1]]
		}
		return c.buttons[r.Name]
	}
	if r.Verb == "" || looksLikeURL(r.Verb) {
		return c.openNew
	}
	for _, v := range c.verbs {
		if v.Verb == r.Verb {
			return v.run
		}
	}
	return c.suggest
}

// apologise says what went wrong, with a reference that is also in the log. Slack has taken
// a line away when it was sent: it is shown again.
func (c *Commands) apologise(ctx context.Context, r bot.Request, err error) error {
	ref := jobs.ShortRef(r.ID)
	c.log.ErrorContext(ctx, "click not done", "name", r.Name, "verb", r.Verb, "user", r.User, "reference", ref, "err", err)
	return c.jobs.Tell(ctx, r, cards.SayWith(c.jobs.Sentence(ctx, err, ref), typedLine(r)))
}

// typedLine is a command line as it was typed, "" when it says no more than a verb and an
// order, or is none.
func typedLine(r bot.Request) string {
	if r.Kind != bot.KindCommand || len(strings.Fields(r.Text)) < 3 {
		return ""
	}
	return Slash + " " + bot.AsTyped(strings.TrimSpace(r.Text))
}

func looksLikeURL(word string) bool {
	return strings.Contains(word, "://") || strings.HasPrefix(word, "<http")
}
