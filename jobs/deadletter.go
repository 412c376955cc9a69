package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// Died tells the person who acted that their job could not be done, and what became of it.
// The job itself is kept among the dead letters, with every word, until an operator decides.
func (j *Jobs) Died(ctx context.Context, l queue.DeadLetter) {
	k := j.kinds[l.Kind]
	if k.died != nil && k.died(ctx, l) {
		return
	}
	user := j.asker(ctx, l.Job)
	if user == "" {
		return
	}
	says := fmt.Sprintf("I could not finish what you asked for (%s), and I have stopped trying. %s "+
		"Nothing you typed is lost: whoever runs me can see it and try it again. Please show them the reference *%s*.",
		k.Asked, k.Truth(l), ShortRef(l.ID))
	typed := ""
	if k.Typed != nil {
		typed = k.Typed(l.Job)
	}
	if err := j.dm(ctx, user, cards.SayWith(says, typed)); err != nil {
		j.log.ErrorContext(ctx, "person not told of a dead job", "job", l.ID, "user", user, "err", err)
	}
}

// placeDied gives an order that can no longer be followed to the person, like one that
// nobody finds: with Try again and Discard, its reference watched. Whether anything was sent
// the draft says, unless Redis may have forgotten it.
func (j *Jobs) placeDied(ctx context.Context, l queue.DeadLetter) bool {
	var body PlaceArgs
	if err := json.Unmarshal(l.Body, &body); err != nil {
		return false
	}
	draft, err := j.store.Draft(ctx, body.Draft)
	if err != nil || draft.Attempt != body.Attempt || draft.State != store.DraftPlacing {
		return false
	}
	draft.Search.Stopped = true
	if run, lost := j.store.Run(ctx); draft.SentAt.IsZero() && (lost != nil || run.ID != draft.Run) {
		draft.SentAt = l.At
	}
	err = errors.Join(j.GiveUp(ctx, draft), j.followDead(ctx, draft, body))
	if err != nil {
		j.log.ErrorContext(ctx, "order of a dead job not given up", "job", l.ID, "err", err)
	}
	return err == nil
}

// threadDied tells who only talked in a thread that nobody could find out whose it is.
func (j *Jobs) threadDied(ctx context.Context, l queue.DeadLetter) bool {
	var body ThreadArgs
	if err := json.Unmarshal(l.Body, &body); err != nil || !body.Overheard {
		return false
	}
	if err := j.whisper(ctx, body.Asker, cards.RelayUnsure()); err != nil {
		j.log.ErrorContext(ctx, "person not told of a dead job", "job", l.ID, "user", body.User, "err", err)
	}
	return true
}

// overheard is what was said to nobody.
func overheard(_ context.Context, job queue.Job) bool {
	var body ThreadArgs
	return json.Unmarshal(job.Body, &body) == nil && body.Overheard
}

// editedUnsent is the edit of what no editor has.
func (j *Jobs) editedUnsent(ctx context.Context, job queue.Job) bool {
	var body EditArgs
	if err := json.Unmarshal(job.Body, &body); err != nil {
		return false
	}
	was, err := j.relayedAs(ctx, RelayNote(body.Team, body.Channel, body.TS))
	return err == nil && !was.Delivered
}

// homeUnopened is a Home that is only kept current.
func homeUnopened(_ context.Context, job queue.Job) bool {
	var body HomeArgs
	return json.Unmarshal(job.Body, &body) == nil && !body.Opened
}

// asker is who asked for the job, "" when nobody did.
func (j *Jobs) asker(ctx context.Context, job queue.Job) string {
	k := j.kinds[job.Kind]
	if k.Asked == "" || k.quiet != nil && k.quiet(ctx, job) {
		return ""
	}
	return j.actor(ctx, job)
}

// actor is who asked for the job, "" when that cannot be told.
func (j *Jobs) actor(ctx context.Context, job queue.Job) string {
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
	draft, err := j.store.Draft(ctx, body.Draft)
	if err != nil {
		return ""
	}
	return draft.User
}
