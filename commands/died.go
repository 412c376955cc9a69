package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// Died tells the person who acted that their job could not be done, and what became of it.
// The job itself is kept among the dead letters, with every word, until an operator decides.
func (c *Commands) Died(ctx context.Context, l queue.DeadLetter) {
	k := c.kinds[l.Kind]
	if k.died != nil && k.died(ctx, l) {
		return
	}
	user := c.asker(ctx, l.Job)
	if user == "" {
		return
	}
	says := fmt.Sprintf("I could not finish what you asked for (%s), and I have stopped trying. %s "+
		"Nothing you typed is lost: whoever runs me can see it and try it again. Please show them the reference *%s*.",
		k.asked, k.truth(l), Mark(l.ID))
	typed := ""
	if k.typed != nil {
		typed = k.typed(l.Job)
	}
	if err := c.dm(ctx, user, cards.SayWith(says, typed)); err != nil {
		c.log.ErrorContext(ctx, "person not told of a dead job", "job", l.ID, "user", user, "err", err)
	}
}

// deadLine is the command line of a click, to be copied: it is nowhere on the screen.
func deadLine(job queue.Job) string {
	var r bot.Request
	if job.Kind != clickJob || json.Unmarshal(job.Body, &r) != nil {
		return ""
	}
	return typedLine(r)
}

// placeDied gives an order that can no longer be followed to the person, like one that
// nobody finds: with Try again and Discard, its reference watched. Whether anything was sent
// the draft says, unless Redis may have forgotten it.
func (c *Commands) placeDied(ctx context.Context, l queue.DeadLetter) bool {
	var body placing
	if err := json.Unmarshal(l.Body, &body); err != nil {
		return false
	}
	draft, err := c.store.Draft(ctx, body.Draft)
	if err != nil || draft.Attempt != body.Attempt || draft.State != store.DraftPlacing {
		return false
	}
	draft.Search.Stopped = true
	if run, lost := c.store.Run(ctx); draft.SentAt.IsZero() && (lost != nil || run.ID != draft.Run) {
		draft.SentAt = l.At
	}
	err = errors.Join(c.giveUp(ctx, draft), c.followDead(ctx, draft, body))
	if err != nil {
		c.log.ErrorContext(ctx, "order of a dead job not given up", "job", l.ID, "err", err)
	}
	return err == nil
}

// threadDied tells who only talked in a thread that nobody could find out whose it is.
func (c *Commands) threadDied(ctx context.Context, l queue.DeadLetter) bool {
	var body threaded
	if err := json.Unmarshal(l.Body, &body); err != nil || !body.Overheard {
		return false
	}
	if err := c.whisper(ctx, body.asker, cards.RelayUnsure()); err != nil {
		c.log.ErrorContext(ctx, "person not told of a dead job", "job", l.ID, "user", body.User, "err", err)
	}
	return true
}

// overheard is what was said to nobody.
func overheard(_ context.Context, job queue.Job) bool {
	var body threaded
	return json.Unmarshal(job.Body, &body) == nil && body.Overheard
}

// editedUnsent is the edit of what no editor has.
func (c *Commands) editedUnsent(ctx context.Context, job queue.Job) bool {
	var body editing
	if err := json.Unmarshal(job.Body, &body); err != nil {
		return false
	}
	was, err := c.relayedAs(ctx, relayNote(body.Team, body.Channel, body.TS))
	return err == nil && !was.Delivered
}

// homeUnopened is a Home that is only kept current.
func homeUnopened(_ context.Context, job queue.Job) bool {
	var body homing
	return json.Unmarshal(job.Body, &body) == nil && !body.Opened
}

// asker is who asked for the job, "" when nobody did.
func (c *Commands) asker(ctx context.Context, job queue.Job) string {
	k := c.kinds[job.Kind]
	if k.asked == "" || k.quiet != nil && k.quiet(ctx, job) {
		return ""
	}
	return c.actor(ctx, job)
}

// actor is who asked for the job, "" when that cannot be told.
func (c *Commands) actor(ctx context.Context, job queue.Job) string {
	var body struct {
		User  string `json:"user"`
		Draft string `json:"draft"`
	}
	if err := json.Unmarshal(job.Body, &body); err != nil {
		return ""
	}
	if body.User != "" {
		return body.User
	}
	draft, err := c.store.Draft(ctx, body.Draft)
	if err != nil {
		return ""
	}
	return draft.User
}
