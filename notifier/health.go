package notifier

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/cards"
	"darkroom/store"
)

// downNote is kept while the service is down and the operations channel knows it: whichever
// replica polls then says nothing more, and says when it is back.
const (
	downNote = "service-down"
	downLife = 30 * 24 * time.Hour
)

// sayHealth tells the operations channel once that the service is down, and once that
// it is back. Who cannot be told now is told at the next tick.
func (p *Poller) sayHealth(ctx context.Context, r *round) error {
	if err := ctx.Err(); err != nil {
		return err // cut short
	}
	if !r.answered && !r.outage {
		return nil // nothing was heard
	}
	var since time.Time
	err := p.store.Noted(ctx, downNote, &since)
	down := err == nil
	if err != nil && !errors.Is(err, store.ErrNoNote) {
		return fmt.Errorf("health: %w", err)
	}
	switch {
	case r.answered && down:
		if err := p.ops(ctx, cards.ServiceBack()); err != nil {
			return fmt.Errorf("health: %w", err)
		}
		return p.store.DropNote(ctx, downNote)
	case !r.answered && !down:
		if err := p.ops(ctx, cards.ServiceDown()); err != nil {
			return fmt.Errorf("health: %w", err)
		}
		return p.store.Note(ctx, downNote, time.Now().UTC(), downLife)
	}
	return nil
}
