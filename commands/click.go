package commands

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store/queue"
)

const clickJob = "click"

// clickLife is how long after a click its answer still makes sense; Slack's response
// URLs live as long.
const clickLife = 30 * time.Minute

// accept turns a command line, a button or a shortcut into a job. Each has a lane of
// its own: a form must open within three seconds, whatever else that person does.
func (c *Commands) accept(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if inGroup(r) { // where the app cannot be: as in its own direct messages
		r.Channel = ""
	}
	id := clickJob + ":" + r.ID
	return bot.Ack(), c.put(ctx, clickJob, id, id, r)
}

// inGroup tells a direct message of several people, by the only thing that Slack tells of
// it to an app that is not in it.
func inGroup(r bot.Request) bool { return strings.HasPrefix(r.ChannelName, "mpdm-") }

// put appends a job; a job of the same id, done or not, is the same job.
func (c *Commands) put(ctx context.Context, kind, id, lane string, body any) error {
	job, err := newJob(kind, id, lane, body)
	if err != nil {
		return err
	}
	_, err = c.queue.Put(ctx, job)
	return err
}

func newJob(kind, id, lane string, body any) (queue.Job, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return queue.Job{}, fmt.Errorf("job %s: %w", id, err)
	}
	return queue.Job{ID: id, Lane: lane, Kind: kind, Body: raw}, nil
}

// click does what was asked for and tells the person when it cannot be done.
func (c *Commands) click(ctx context.Context, d *queue.Delivery) error {
	var r bot.Request
	if err := json.Unmarshal(d.Body, &r); err != nil {
		return queue.Dead(fmt.Errorf("click %s: %w", d.ID, err))
	}
	if d.Now().Sub(d.PutAt) > clickLife {
		return queue.Dead(fmt.Errorf("click %s: older than %s", d.ID, clickLife))
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
	ref := Mark(r.ID)
	c.log.ErrorContext(ctx, "click not done", "name", r.Name, "verb", r.Verb, "user", r.User, "reference", ref, "err", err)
	return c.tell(ctx, r, cards.SayWith(c.sentence(ctx, err, ref), typedLine(r)))
}

// typedLine is a command line as it was typed, "" when it says no more than a verb and an
// order, or is none.
func typedLine(r bot.Request) string {
	if r.Kind != bot.KindCommand || len(strings.Fields(r.Text)) < 3 {
		return ""
	}
	return Slash + " " + bot.AsTyped(strings.TrimSpace(r.Text))
}

// sentence adds to the cards' sentences the few errors that only a click meets. What only
// operators can mend, they are told.
func (c *Commands) sentence(ctx context.Context, err error, ref string) string {
	switch {
	case errors.Is(err, bot.ErrTrigger):
		return "Slack gives me three seconds to open a form, and I was too late. Nothing was sent; please try again."
	case errors.Is(err, bot.ErrTryLater), errors.Is(err, bot.ErrUnknownOutcome):
		return "Slack did not let me answer in time. Nothing was sent; please try again."
	case bot.Mendable(err):
		return cards.NotAllowed(c.tellOperators(ctx, err))
	}
	return cards.Sentence(err, ref)
}

// Mark is a short name of a request or a job, the same in the log, on the screen and in
// the operator's list of dead jobs.
func Mark(id string) string { return strings.ToUpper(hash(id)[:6]) }

// hash makes an id that is safe in keys and in Slack's ids.
func hash(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:8])
}

func looksLikeURL(word string) bool {
	return strings.Contains(word, "://") || strings.HasPrefix(word, "<http")
}
