package jobs

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards/talk"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// Edits follows the edits of what was relayed.
type Edits struct {
	documents *store.DocumentStore
	orders    *store.Orders
	queue     *queue.Queue
	talk      *Talk
	threads   *Threads
	messages  *answers.Messages
	putter    *job.Putter
}

// EditArgs is the body of the job that follows an edit of a message, or its deletion.
type EditArgs struct {
	answers.Asker
	TS      string `json:"ts"`
	Raw     string `json:"raw,omitempty"` // as it is now
	Deleted bool   `json:"deleted,omitempty"`
	Waits   bool   `json:"waits,omitempty"` // behind the message, in its thread's lane
}

// Correction is what a button *Send a correction* begins with.
type Correction struct {
	Order string `json:"order"`
	User  string `json:"user"`
	Text  string `json:"text,omitempty"`
}

// PutEdit puts that job for a message that was relayed, into its order's lane, or may be on its way,
// behind it. On the way to the acknowledgement only Redis is asked.
func (j *Edits) PutEdit(ctx context.Context, r bot.Request, body EditArgs) error {
	order, waits, err := j.orderOf(ctx, body)
	thread := threadLane(body.Team, body.Channel, body.Thread)
	if err == nil && order != "" && body.Thread != "" { // the message may still wait there
		waits, err = j.queue.Inspector().Busy(ctx, thread)
	}
	lane := "order:" + order
	switch {
	case err != nil:
		return err
	case waits:
		body.Waits, lane = true, thread
	case order == "":
		return nil
	}
	return j.putter.Put(ctx, job.Edit, job.Edit+":"+r.ID, lane, body)
}

// orderOf is the order whose editor has that message, or may have it soon; else "". A
// message may wait itself until its thread's order is found.
func (j *Edits) orderOf(ctx context.Context, body EditArgs) (order string, waits bool, err error) {
	was, err := j.talk.relayedAs(ctx, relayNote(body.Team, body.Channel, body.TS))
	if err != nil || was.Order != "" {
		return was.Order, false, err
	}
	t, err := j.threads.ThreadOf(ctx, body.AsRequest())
	if errors.Is(err, store.ErrNotTracked) {
		return "", was.Author != "" && body.Thread != "", nil
	}
	return t.ID, false, err
}

// followMessage hands the edit on to the lane of its order, as the message was before.
func (j *Edits) followMessage(ctx context.Context, d *queue.Delivery, body EditArgs) error {
	order, _, err := j.orderOf(ctx, body)
	if err != nil || order == "" {
		return err
	}
	body.Waits = false
	return j.putter.Put(ctx, job.Edit, d.ID+":found", "order:"+order, body)
}

// edited follows an edit: the editor keeps what was sent, and the writer is told, once, when the
// words are other ones now.
func (j *Edits) edited(ctx context.Context, d *queue.Delivery, body EditArgs) error {
	if body.Waits {
		return j.followMessage(ctx, d, body)
	}
	name := relayNote(body.Team, body.Channel, body.TS)
	was, err := j.talk.relayedAs(ctx, name)
	if err != nil || !was.Delivered {
		return err
	}
	t, err := j.orders.Order(ctx, was.Order)
	if errors.Is(err, store.ErrNotTracked) {
		return nil
	}
	if err != nil {
		return err
	}
	text, tell, err := j.differs(ctx, body, was)
	if err != nil {
		return err
	}
	if !tell && len(d.State) == 0 {
		return j.seen(ctx, name, was, body)
	}
	return j.offerCorrection(ctx, d, body, was, t, text)
}

// offerCorrection tells the writer. What was told is noted before, so that the state
// tells a second delivery to tell it still.
func (j *Edits) offerCorrection(ctx context.Context, d *queue.Delivery, body EditArgs, was relayed, t store.Tracked, text string) error {
	if err := d.SetState(ctx, "told"); err != nil {
		return err
	}
	if err := j.seen(ctx, relayNote(body.Team, body.Channel, body.TS), was, body); err != nil {
		return err
	}
	note := "correct:" + job.Hash(d.ID)
	if err := j.documents.PutPersonal(ctx, body.User, note, Correction{Order: t.ID, User: body.User, Text: text}, answers.TypedLife); err != nil {
		return err
	}
	return j.messages.InformOf(ctx, body.Asker, t, talk.RelayEdited(t, text, body.Deleted, note))
}

// differs tells whether a message says something else now than when it was seen last,
// and than what the editor has; text are its words.
func (j *Edits) differs(ctx context.Context, body EditArgs, was relayed) (text string, differs bool, err error) {
	if body.Deleted {
		return "", !was.Deleted, nil
	}
	text, _, err = j.talk.wordsOf(ctx, RelayArgs{Raw: body.Raw})
	if err != nil || text == was.Text {
		return text, false, err
	}
	last, _, err := j.talk.wordsOf(ctx, RelayArgs{Raw: was.Raw})
	return text, text != last, err
}

func (j *Edits) seen(ctx context.Context, name string, was relayed, body EditArgs) error {
	was.Deleted = was.Deleted || body.Deleted
	if !body.Deleted {
		was.Raw = body.Raw
	}
	return j.documents.PutPersonal(ctx, was.Author, name, was, relayLife)
}

func (j *Edits) editKind() queue.Declared {
	return queue.Kind[EditArgs]{
		Name: job.Edit, Work: j.edited, Quiet: j.editedUnsent,
		Asked: "following the edit of a message",
		Truth: job.Always("The editor keeps the words that were sent first: write again if they should read others."),
		Typed: func(b EditArgs) string { return job.Written(client.AsTyped(b.Raw)) },
	}.Declare()
}

// editedUnsent is the edit of what no editor has.
func (j *Edits) editedUnsent(ctx context.Context, body EditArgs) bool {
	was, err := j.talk.relayedAs(ctx, relayNote(body.Team, body.Channel, body.TS))
	return err == nil && !was.Delivered
}
