package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

const moveJob = "move"

// moving is the body of the job that hands an order to another channel.
type moving struct {
	Order     string    `json:"order"`
	To        string    `json:"to"`
	Confirmed bool      `json:"confirmed,omitempty"` // the others may see it there
	Team      string    `json:"team"`
	User      string    `json:"user"`
	Channel   string    `json:"channel,omitempty"` // where the form was opened
	View      string    `json:"view"`
	At        time.Time `json:"at"`
}

// moveOrder does the job and answers in the form's modal.
func (c *Commands) moveOrder(ctx context.Context, d *queue.Delivery) error {
	var body moving
	if err := json.Unmarshal(d.Body, &body); err != nil {
		return queue.Dead(fmt.Errorf("move %s: %w", d.ID, err))
	}
	view, err := c.moved(ctx, body, d.First)
	if err != nil {
		return err
	}
	return c.answer(ctx, body.window(), view)
}

func (b moving) window() window {
	return window{View: b.View, User: b.User, Channel: postable(b.Channel), Acked: b.At}
}

// moved moves the order and says what came of it; what stands against it is said in the
// form, with the channel still chosen.
func (c *Commands) moved(ctx context.Context, body moving, first bool) (slack.ModalViewRequest, error) {
	r := bot.Request{Team: body.Team, User: body.User, Channel: body.Channel}
	t, err := c.visible(ctx, r, body.Order)
	if errors.Is(err, errNotFound) {
		return cards.Missing(cards.TitleMove, body.Order, "", body.View), nil
	}
	if err != nil {
		return slack.ModalViewRequest{}, err
	}
	if !first && t.Owner.Channel == body.To { // an earlier run moved it and died
		return cards.Moved(t, body.View), nil
	}
	v, err := c.mayMoveTo(ctx, r, t, body.To)
	if err != nil {
		return slack.ModalViewRequest{}, err
	}
	if v.problem != "" || v.widens != "" && !body.Confirmed {
		form := cards.MoveTo{Channel: body.To, From: body.Channel, Problem: v.problem, Widens: v.widens}
		return cards.Move(t, form, body.View), nil
	}
	t, err = c.store.Move(ctx, t.ID, body.To, body.User)
	if errors.Is(err, store.ErrNotTracked) {
		return cards.Missing(cards.TitleMove, body.Order, "", body.View), nil
	}
	if err != nil {
		return slack.ModalViewRequest{}, err
	}
	c.homeChanged(ctx, body.Team, body.User)
	return cards.Moved(t, body.View), nil
}
