package commands

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/order"
	"darkroom/store"
)

// onMessageEdit is a message that somebody edited or deleted. Slack reports a link's preview as an edit
// too.
func (c *Commands) onMessageEdit(ctx context.Context, r bot.Request, m messageEvent) error {
	now, was := m.Message, m.Previous
	deleted := m.Subtype == "message_deleted" || now != nil && now.Subtype == "tombstone"
	if deleted {
		now = was
	}
	if now == nil || !now.byPerson() || !deleted && was != nil && was.Text == now.Text {
		return nil
	}
	body := jobs.EditArgs{Asker: answers.AskerOf(r), TS: cmp.Or(m.DeletedTS, now.TS), Deleted: deleted}
	body.User, body.Thread = now.User, now.ThreadTS
	if !deleted {
		body.Raw = now.Text
	}
	return c.jobs.Edits.PutEdit(ctx, r, body)
}

// correct opens the form for a correction, filled in with what the message says now.
func (c *Commands) correct(ctx context.Context, r bot.Request) error {
	var kept jobs.Correction
	err := c.store.Get(ctx, r.Value, &kept)
	if errors.Is(err, store.ErrAbsent) || err == nil && kept.User != r.User {
		return c.tell(ctx, r, cards.CorrectionOld())
	}
	if err != nil {
		return err
	}
	r.Value = cards.Value(kept.Order, 0)
	return c.openOrder(ctx, r, "message", cards.TitleMessage, func(_ context.Context, f orderForm) (answers.ViewFunc, error) {
		if why := messageProblem(f.order, kept.Text); why != "" {
			return plainView(cards.MessageDenied(why, kept.Text, f.window)), nil
		}
		return plainView(cards.Correction(f.order, kept.Text, r.Channel, f.window)), nil
	})
}

// messageProblem says why such a message cannot be sent to the order's editor, or "".
func messageProblem(t store.Tracked, text string) string {
	why := cards.NoMessage(t)
	if why == "" && utf8.RuneCountInString(text) > order.MaxMessage {
		why = cards.TooLong(text)
	}
	return strings.TrimSpace(why)
}
