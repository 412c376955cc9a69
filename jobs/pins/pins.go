// Package pins keeps the pins that people set on delivered photos, shows them in the form that they belong to, and sends
// the marked crops.
//
// pins.go sets a pin and shows it in the form; crops.go draws the crops once the changes are requested.
package pins

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/files"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Pins sets pins and sends their crops.
type Pins struct {
	Slack     answers.Slack
	Drafts    *store.PinDrafts
	Orders    *store.Orders
	Documents *store.DocumentStore
	Access    *access.Control
	History   *job.Orders
	Forms     *answers.Forms
	Putter    *job.Putter
	Maker     *files.Sheets // draws the crops
	Files     *files.Signer // their addresses; nil: no crops
	// AddReferences puts the job that adds the crops to an order. A second call with the same id does nothing.
	AddReferences func(ctx context.Context, id string, a answers.Asker, crops answers.Album) error
	Log           *slog.Logger
}

// Draft returns the pins of a link. The error is [store.ErrMayNotPin] or [store.ErrPinsSent].
func (p *Pins) Draft(ctx context.Context, t store.Tracked, m store.Marking) (order.Pins, error) {
	if err := p.authorize(ctx, t, m); err != nil {
		return nil, err
	}
	d, err := p.Drafts.Read(ctx, m.Order, m.User)
	if err == nil && d.Number != m.Number {
		err = store.ErrPinsSent
	}
	return d.Pins, err
}

// Set sets a pin, or removes the one with its ID if it has no words, and puts the job that shows it in the form. It
// returns the pins of the draft. The error is [store.ErrMayNotPin], [store.ErrPinsSent], or one of [order.Pins.With].
func (p *Pins) Set(ctx context.Context, t store.Tracked, m store.Marking, pin order.Pin) (order.Pins, error) {
	if err := p.authorize(ctx, t, m); err != nil {
		return nil, err
	}
	latest := order.Latest(t.Order.EditedImages)
	at := slices.IndexFunc(latest, func(image order.EditedImage) bool { return image.ID != "" && image.Edit() == pin.Edit })
	if at < 0 {
		return nil, order.ErrPinPlace
	}
	pin.Image, pin.Name = latest[at].ID, latest[at].Name
	d, err := p.Drafts.Change(ctx, m.Order, m.User, m.Number, func(had order.Pins) (order.Pins, error) {
		if pin.Words == "" {
			return had.Without(pin), nil
		}
		return had.With(pin)
	})
	if err != nil {
		return nil, err
	}
	if err := p.Putter.Put(ctx, job.ShowPins, "pins:"+rand.Text(), "order:"+m.Order, m); err != nil {
		p.Log.WarnContext(ctx, "pin not shown in the form", "order", m.Order, "err", err) // it is saved: the form shows it later
	}
	return d.Pins, nil
}

// authorize asks anew whether the person may change the order.
func (p *Pins) authorize(ctx context.Context, t store.Tracked, m store.Marking) error {
	permit, err := p.Access.Authorize(ctx, bot.Request{Team: t.Owner.Team, User: m.User}, t)
	if err == nil && !permit.Acts() {
		err = store.ErrMayNotPin
	}
	return err
}

// ShowKind declares the job that shows pins in the form that they belong to.
func (p *Pins) ShowKind() queue.Declared {
	return queue.Kind[store.Marking]{
		Name: job.ShowPins, Asked: "showing your pins in the form", Work: p.show,
		Truth: job.Always("Your pins are saved. Close the form and open it again."),
	}.Declare()
}

// show redraws the form, unless it is closed, submitted, or shows other photos.
func (p *Pins) show(ctx context.Context, _ *queue.Delivery, m store.Marking) error {
	t, err := p.Orders.Order(ctx, m.Order)
	if errors.Is(err, store.ErrNotTracked) || err == nil && (!t.Can(order.VerbRevise) || cards.Newer(t, m.Round, m.Pictures)) {
		return nil
	}
	if err != nil {
		return err
	}
	d, err := p.Drafts.Read(ctx, m.Order, m.User)
	if err != nil {
		return err
	}
	had, err := answers.ChangesIn(ctx, p.Documents, m.Window)
	if err != nil || had.Submitted() {
		return err
	}
	history := p.History.RoundHistory(ctx, t.ID)
	typed := had.WithPins(m.User, d)
	err = p.Forms.ShowView(ctx, func(thumbs cards.Thumbs) slack.ModalViewRequest {
		return change.RevisePart(t, history, typed, m.Page, thumbs, m.Window)
	}, func(view slack.ModalViewRequest) error { return p.Slack.UpdateView(ctx, m.Window, "", "", view) })
	if errors.Is(err, client.ErrGone) { // the person closed it
		return nil
	}
	return err
}
