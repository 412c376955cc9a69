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

// Died tells the person who acted that their job could not be done. The job itself is
// kept among the dead letters, with every word, until an operator decides.
func (c *Commands) Died(ctx context.Context, job queue.Job) {
	if job.Kind == placeJob && c.placeDied(ctx, job) {
		return
	}
	if job.Kind == relayJob {
		c.relayDied(ctx, job)
	}
	user := c.actor(ctx, job)
	if user == "" {
		return
	}
	says := fmt.Sprintf("I could not finish what you asked for (%s), and I have stopped trying. "+
		"Nothing you typed is lost: whoever runs me can see it and try it again. Please show them the reference *%s*.",
		deadWords[job.Kind], Mark(job.ID))
	if err := c.dm(ctx, user, cards.SayWith(says, deadLine(job))); err != nil {
		c.log.ErrorContext(ctx, "person not told of a dead job", "job", job.ID, "user", user, "err", err)
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
// nobody finds: with Try again and Discard, its reference watched.
func (c *Commands) placeDied(ctx context.Context, job queue.Job) bool {
	var body placing
	if err := json.Unmarshal(job.Body, &body); err != nil {
		return false
	}
	draft, err := c.store.Draft(ctx, body.Draft)
	if err != nil || draft.Attempt != body.Attempt || draft.State != store.DraftPlacing {
		return false
	}
	err = errors.Join(c.giveUp(ctx, draft), c.follow(ctx, draft, body.Attempt, body.View, body.At))
	if err != nil {
		c.log.ErrorContext(ctx, "order of a dead job not given up", "job", job.ID, "err", err)
	}
	return err == nil
}

var deadWords = map[string]string{
	clickJob:     "opening a form or answering a command",
	placeJob:     "placing an order",
	followJob:    "showing how an order stands",
	fillJob:      "showing the next page of a form",
	watchJob:     "watching for an order that may still turn up",
	approveJob:   "approving an order",
	reviseJob:    "requesting changes",
	cancelJob:    "canceling an order",
	messageJob:   "sending a message to an editor",
	relayJob:     "sending a message to an editor",
	editJob:      "following the edit of a message",
	referenceJob: "adding reference images",
	moveJob:      "moving an order",
	homeJob:      "showing your App Home",
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
