package commands

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

const editJob = "edit"

// editing is the body of the job that follows an edit of a message, or its deletion.
type editing struct {
	asker
	TS      string `json:"ts"`
	Raw     string `json:"raw,omitempty"` // as it is now
	Deleted bool   `json:"deleted,omitempty"`
	Waits   bool   `json:"waits,omitempty"` // behind the message, in its thread's lane
}

// correction is what a button *Send a correction* begins with.
type correction struct {
	Order string `json:"order"`
	User  string `json:"user"`
	Text  string `json:"text,omitempty"`
}

// reworded puts that job, on the ack path, for a message that was relayed or may be on
// its way: it follows in the order's lane. Slack reports a link's preview as an edit too.
func (c *Commands) reworded(ctx context.Context, r bot.Request, s said) error {
	now, was := s.Message, s.Previous
	deleted := s.Subtype == "message_deleted" || now != nil && now.Subtype == "tombstone"
	if deleted {
		now = was
	}
	if now == nil || !now.person() || !deleted && was != nil && was.Text == now.Text {
		return nil
	}
	body := editing{asker: askerOf(r), TS: cmp.Or(s.DeletedTS, now.TS), Deleted: deleted}
	body.User, body.Thread = now.User, now.ThreadTS
	if !deleted {
		body.Raw = now.Text
	}
	order, waits, err := c.orderOf(ctx, body)
	if err == nil && order != "" && body.Thread != "" { // the message may still wait there
		waits, err = c.queue.Busy(ctx, threadLane(body.Team, body.Channel, body.Thread))
	}
	switch {
	case err != nil:
		return err
	case waits:
		body.Waits = true
		return c.put(ctx, editJob, editJob+":"+r.ID, threadLane(body.Team, body.Channel, body.Thread), body)
	case order != "":
		return c.put(ctx, editJob, editJob+":"+r.ID, "order:"+order, body)
	}
	return nil
}

// orderOf is the order whose editor has that message, or may have it soon; else "". A
// message may wait itself until its thread's order is found.
func (c *Commands) orderOf(ctx context.Context, body editing) (order string, waits bool, err error) {
	was, err := c.relayedAs(ctx, relayNote(body.Team, body.Channel, body.TS))
	if err != nil || was.Order != "" {
		return was.Order, false, err
	}
	t, err := c.threadOf(ctx, body.request())
	if errors.Is(err, store.ErrNotTracked) {
		return "", was.Author != "" && body.Thread != "", nil
	}
	return t.ID, false, err
}

// editPlaced follows the message, which was handed on before, to its order's lane.
func (c *Commands) editPlaced(ctx context.Context, d *queue.Delivery, body editing) error {
	order, _, err := c.orderOf(ctx, body)
	if err != nil || order == "" {
		return err
	}
	body.Waits = false
	return c.put(ctx, editJob, d.ID+":found", "order:"+order, body)
}

// edited does the job: the editor keeps what was sent, and the writer is told, once,
// where the words themselves are others now.
func (c *Commands) edited(ctx context.Context, d *queue.Delivery) error {
	var body editing
	if err := json.Unmarshal(d.Body, &body); err != nil {
		return queue.Dead(fmt.Errorf("job %s: %w", d.ID, err))
	}
	if body.Waits {
		return c.editPlaced(ctx, d, body)
	}
	name := relayNote(body.Team, body.Channel, body.TS)
	was, err := c.relayedAs(ctx, name)
	if err != nil || !was.Delivered {
		return err
	}
	t, err := c.store.Order(ctx, was.Order)
	if errors.Is(err, store.ErrNotTracked) {
		return nil
	}
	if err != nil {
		return err
	}
	text, tell, err := c.differs(ctx, body, was)
	if err != nil {
		return err
	}
	if !tell && len(d.State) == 0 {
		return c.seen(ctx, name, was, body)
	}
	return c.offerCorrection(ctx, d, body, was, t, text)
}

// offerCorrection tells the writer. What was told is noted before, so that the state
// tells a second delivery to tell it still.
func (c *Commands) offerCorrection(ctx context.Context, d *queue.Delivery, body editing, was relayed, t store.Tracked, text string) error {
	if err := d.SetState(ctx, "told"); err != nil {
		return err
	}
	if err := c.seen(ctx, relayNote(body.Team, body.Channel, body.TS), was, body); err != nil {
		return err
	}
	note := "correct:" + hash(d.ID)
	if err := c.store.Note(ctx, note, correction{Order: t.ID, User: body.User, Text: text}, keptLife); err != nil {
		return err
	}
	return c.whisper(ctx, body.asker, cards.RelayEdited(t, text, body.Deleted, note))
}

// differs tells whether a message says something else now than when it was seen last,
// and than what the editor has; text are its words.
func (c *Commands) differs(ctx context.Context, body editing, was relayed) (text string, differs bool, err error) {
	if body.Deleted {
		return "", !was.Deleted, nil
	}
	text, _, err = c.wordsOf(ctx, relaying{Raw: body.Raw})
	if err != nil || text == was.Text {
		return text, false, err
	}
	last, _, err := c.wordsOf(ctx, relaying{Raw: was.Raw})
	return text, text != last, err
}

func (c *Commands) seen(ctx context.Context, name string, was relayed, body editing) error {
	was.Deleted = was.Deleted || body.Deleted
	if !body.Deleted {
		was.Raw = body.Raw
	}
	return c.store.Note(ctx, name, was, relayLife)
}

// correct opens the form for a correction, filled in with what the message says now.
func (c *Commands) correct(ctx context.Context, r bot.Request) error {
	var kept correction
	err := c.store.Noted(ctx, r.Value, &kept)
	if errors.Is(err, store.ErrNoNote) || err == nil && kept.User != r.User {
		return c.tell(ctx, r, cards.CorrectionOld())
	}
	if err != nil {
		return err
	}
	r.Value = cards.Value(kept.Order, 0)
	return c.openOrder(ctx, r, orderForm{
		verb: "message", title: cards.TitleMessage,
		fill: func(_ context.Context, t store.Tracked, _, window string) (thumbed, error) {
			return func(bool) slack.ModalViewRequest {
				if why := unsendable(t, kept.Text); why != "" {
					return cards.MessageDenied(why, kept.Text, window)
				}
				return cards.Correction(t, kept.Text, r.Channel, window)
			}, nil
		},
	})
}

// unsendable says why such a message cannot be sent to the order's editor, or "".
func unsendable(t store.Tracked, text string) string {
	why := cards.NoMessage(t)
	if why == "" && utf8.RuneCountInString(text) > order.MaxMessage {
		why = cards.TooLong(text)
	}
	return strings.TrimSpace(why)
}
