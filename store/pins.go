package store

import (
	"context"
	"errors"
	"time"

	"darkroom/order"
	"darkroom/store/kv"
)

// The reasons that the pins of a draft do not change.
var (
	ErrPinsSent  = errors.New("the draft of these pins was sent")
	ErrMayNotPin = errors.New("the person may not change the order")
)

// pinLife is how long pins live after they were last changed. A link to set them lives shorter, so an old one never meets
// a new draft of the same number.
const pinLife = 7 * 24 * time.Hour

// PinDraft is a person's pins on an order until they are sent. The zero value is an empty draft.
type PinDraft struct {
	Number int        `json:"number,omitempty"` // grows when the draft is submitted
	Pins   order.Pins `json:"pins,omitempty"`
}

// Marking is what a link to set pins is bound to.
type Marking struct {
	Order      string `json:"o"`
	Round      int    `json:"r,omitempty"`
	Generation int    `json:"g,omitempty"` // of the order's owner
	User       string `json:"u"`
	Number     int    `json:"n,omitempty"` // of the draft
	Window     string `json:"w"`           // external id of the form that shows the pins
	Pictures   string `json:"p,omitempty"` // fingerprint of the photos that the form shows
	Page       int    `json:"s,omitempty"` // of the form
}

// PinDrafts saves the pins that people set on photos, for each person and order. A step that is done twice is done once.
type PinDrafts struct{ docs *DocumentStore }

// Read returns a person's draft.
func (s *PinDrafts) Read(ctx context.Context, id, user string) (d PinDraft, err error) {
	return d, s.docs.GetIfThere(ctx, pinDoc(id, user), &d)
}

// Change changes the pins of a draft in one step, and returns the draft. The error is [ErrPinsSent] if the draft has
// another number, and otherwise that of change.
func (s *PinDrafts) Change(ctx context.Context, id, user string, number int, change func(order.Pins) (order.Pins, error)) (PinDraft, error) {
	return s.edit(ctx, id, user, func(d *PinDraft) (err error) {
		if d.Number != number {
			return ErrPinsSent
		}
		d.Pins, err = change(d.Pins)
		return err
	})
}

// Close ends a draft and returns its pins. They stay until they are sent, see [PinDrafts.Sent].
func (s *PinDrafts) Close(ctx context.Context, id, user string) (PinDraft, error) {
	return s.edit(ctx, id, user, func(d *PinDraft) error {
		d.Number++
		return nil
	})
}

// Clear ends a draft and removes its pins.
func (s *PinDrafts) Clear(ctx context.Context, id, user string) (PinDraft, error) {
	return s.edit(ctx, id, user, func(d *PinDraft) error {
		*d = PinDraft{Number: d.Number + 1}
		return nil
	})
}

// Sent removes pins that the editor has.
func (s *PinDrafts) Sent(ctx context.Context, id, user string, pins order.Pins) error {
	_, err := s.edit(ctx, id, user, func(d *PinDraft) error {
		d.Pins = d.Pins.Without(pins...)
		return nil
	})
	return err
}

// edit changes a draft in one step. It calls change again after a concurrent edit.
func (s *PinDrafts) edit(ctx context.Context, id, user string, change func(*PinDraft) error) (d PinDraft, err error) {
	name := pinDoc(id, user)
	err = kv.RetryOnConflict(kv.ErrBusy, func() (kv.Result, error) {
		d = PinDraft{}
		before, err := s.docs.read(ctx, name, &d)
		if err == nil {
			err = change(&d)
		}
		if err != nil {
			return kv.Stale, err
		}
		after, err := newDocument(user, d, pinLife)
		if err != nil {
			return kv.Stale, err
		}
		return s.docs.db.ReplaceFor(ctx, s.docs.db.Key("note", name), before, after, pinLife)
	})
	return d, documentError(name, err)
}

// pinDoc names the document of a person's pins on an order.
func pinDoc(id, user string) string { return "pins:" + user + ":" + id }
