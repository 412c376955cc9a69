package announce

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"darkroom/bot/client"
	"darkroom/store/queue"
)

type slots interface {
	// Slot returns the time until the channel accepts a message; 0: now.
	Slot(ctx context.Context, channel string) time.Duration
}

type postingSlack interface {
	slots
	Post(ctx context.Context, p client.Post) (ts string, err error)
}

// sender posts messages in a channel's slots, each after its mark.
type sender struct {
	slack         postingSlack
	announcements announcements
	log           *slog.Logger
}

// cardMark identifies the card, where events have their number.
const cardMark int64 = 0

// slot waits for the channel's slot, in the queue: the worker serves other channels meanwhile, and the
// next replica with the lane keeps the rate limit.
func (s *sender) slot(ctx context.Context, a *announcement) error {
	if a.hasSlot {
		return nil
	}
	after := s.slack.Slot(ctx, a.tracked.Owner.Channel)
	if after <= 0 {
		a.hasSlot = true
		return nil
	}
	if a.unsaved {
		if err := a.save(ctx, a.state); err != nil {
			return err
		}
	}
	return queue.Wait(after)
}

// post leaves a mark and posts the first form that Slack accepts. A sure refusal is saved as unsent, so
// that it needs no search.
func (s *sender) post(ctx context.Context, a *announcement, mark int64, p client.Post, forms []form) (string, error) {
	if err := s.slot(ctx, a); err != nil {
		return "", err
	}
	var ts string
	err := offer(ctx, s.log, a, p, plainer(forms, a.state.unansweredOf(mark)), func(p client.Post) (err error) {
		if err := s.announcements.BeginPost(ctx, a.id, a.generation, mark); err != nil {
			return err
		}
		a.hasSlot = false
		ts, err = s.slack.Post(ctx, p)
		return err
	})
	if surelyNotSent(err) {
		err = errors.Join(err, s.rememberUnsent(ctx, a))
	}
	return ts, err
}

// surelyNotSent reports whether Slack certainly posted nothing.
func surelyNotSent(err error) bool {
	_, out := outOfReach(err)
	refused := out || errors.Is(err, client.ErrTryLater) || errors.Is(err, client.ErrPayload) || errors.Is(err, client.ErrGone)
	return refused && !errors.Is(err, client.ErrUnknownOutcome)
}

// rememberUnsent saves the mark of a refused post, with the store's time.
func (s *sender) rememberUnsent(ctx context.Context, a *announcement) error {
	t, _, err := s.announcements.Pending(ctx, a.id)
	if err != nil || t.InFlight == nil {
		return err
	}
	m := a.state
	m.Unsent = t.InFlight
	return a.save(ctx, m)
}
