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

// Edits follows the edits of relayed messages.
type Edits struct {
	documents *store.DocumentStore
	orders    *store.Orders
	queue     *queue.Queue
	talk      *Talk
	threads   *Threads
	messages  *answers.Messages
	putter    *job.Putter
}

// EditArgs is the body of the job that follows an edit or a deletion of a message.
type EditArgs struct {
	answers.Asker
	TS      string `json:"ts"`
	Raw     string `json:"raw,omitempty"` // new text, in Slack's markup
	Deleted bool   `json:"deleted,omitempty"`
	Waits   bool   `json:"waits,omitempty"` // the job is in the thread's lane, behind the message
}

// Correction is the saved content of a button *Send a Correction*.
type Correction struct {
	Order string `json:"order"`
	User  string `json:"user"`
	Text  string `json:"text,omitempty"`
}

// PutEdit puts that job for a relayed message, in its order's lane, or behind a message that still waits in its thread's
// lane. It asks Redis alone, since it runs before the acknowledgement.
func (j *Edits) PutEdit(ctx context.Context, r bot.Request, body EditArgs) error {
	order, waits, err := j.orderOf(ctx, body)
	thread := threadLane(body.Team, body.Channel, body.Thread)
	if err == nil && order != "" && body.Thread != "" { // the message may still wait
		waits, err = j.queue.Inspector().Busy(ctx, thread)
	}
	if own := ownLane(body.Team, body.Channel, body.Thread, body.User); err == nil && !waits && order != "" && body.Thread != "" {
		if waits, err = j.queue.Inspector().Busy(ctx, own); waits {
			thread = own
		}
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

// orderOf returns the order whose editor has the message, or may get it soon; else "". waits reports that the message
// waits until its thread's order is found.
func (j *Edits) orderOf(ctx context.Context, body EditArgs) (order string, waits bool, err error) {
	was, err := j.talk.readRelay(ctx, relayDoc(body.Team, body.Channel, body.TS))
	if err == nil && body.Deleted && was.First { // who deletes it in time takes it back
		_, err = j.talk.claimed(ctx, claimDoc(body.Team, body.Channel, body.TS), claimTaken)
	}
	if err != nil || was.Order != "" {
		return was.Order, false, err
	}
	t, err := j.threads.ThreadOf(ctx, body.AsRequest())
	if errors.Is(err, store.ErrNotTracked) {
		return "", was.Author != "" && body.Thread != "", nil
	}
	return t.ID, false, err
}

// followMessage puts the edit in the lane of its order, where the message went.
func (j *Edits) followMessage(ctx context.Context, d *queue.Delivery, body EditArgs) error {
	order, _, err := j.orderOf(ctx, body)
	if err != nil || order == "" {
		return err
	}
	body.Waits = false
	return j.putter.Put(ctx, job.Edit, d.ID+":found", "order:"+order, body)
}

// edited follows an edit. The editor keeps the sent text, and the writer is notified once if the new text differs.
func (j *Edits) edited(ctx context.Context, d *queue.Delivery, body EditArgs) error {
	if body.Waits {
		return j.followMessage(ctx, d, body)
	}
	name := relayDoc(body.Team, body.Channel, body.TS)
	was, err := j.talk.readRelay(ctx, name)
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
	text, differs, err := j.differs(ctx, body, was)
	if err != nil {
		return err
	}
	if !differs && len(d.State) == 0 {
		return j.seen(ctx, name, was, body)
	}
	return j.offerCorrection(ctx, d, body, was, t, text)
}

// offerCorrection notifies the writer. Its state is saved first, so that a redelivery notifies all the same.
func (j *Edits) offerCorrection(ctx context.Context, d *queue.Delivery, body EditArgs, was relayRecord, t store.Tracked, text string) error {
	if err := d.SetState(ctx, "told"); err != nil {
		return err
	}
	if err := j.seen(ctx, relayDoc(body.Team, body.Channel, body.TS), was, body); err != nil {
		return err
	}
	note := "correct:" + job.Hash(d.ID)
	if err := j.documents.PutPersonal(ctx, body.User, note, Correction{Order: t.ID, User: body.User, Text: text}, answers.TypedLife); err != nil {
		return err
	}
	return j.messages.InformOf(ctx, body.Asker, t, talk.RelayEdited(t, text, body.Deleted, note))
}

// differs reports whether the message's plain text differs from the last seen, and from the text that the editor has.
func (j *Edits) differs(ctx context.Context, body EditArgs, was relayRecord) (text string, differs bool, err error) {
	if body.Deleted {
		return "", !was.Deleted, nil
	}
	text, _, err = j.talk.plainText(ctx, RelayArgs{Raw: body.Raw})
	if err != nil || text == was.Text {
		return text, false, err
	}
	last, _, err := j.talk.plainText(ctx, RelayArgs{Raw: was.Raw})
	return text, text != last, err
}

func (j *Edits) seen(ctx context.Context, name string, was relayRecord, body EditArgs) error {
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
		Truth: job.Always("The editor has the text that was sent first. Write again to correct it."),
		Typed: func(b EditArgs) string { return job.Written(client.AsTyped(b.Raw)) },
	}.Declare()
}

// editedUnsent reports whether the edited message was never delivered.
func (j *Edits) editedUnsent(ctx context.Context, body EditArgs) bool {
	was, err := j.talk.readRelay(ctx, relayDoc(body.Team, body.Channel, body.TS))
	return err == nil && !was.Delivered
}
