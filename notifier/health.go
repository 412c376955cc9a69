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
	downNote    = "service-down"
	troubleLife = 30 * 24 * time.Hour
)

// sayHealth tells the operations channel once that the service is down, and once that
// it is back. Who cannot be told now is told at the next tick.
func (p *Poller) sayHealth(ctx context.Context, r *pollRun) error {
	if err := ctx.Err(); err != nil {
		return err // cut short
	}
	if !r.answered && !r.outage {
		return nil // nothing was heard
	}
	if down := !r.answered; r.down == down {
		return nil // no news
	}
	if r.answered {
		return p.tell(ctx, downNote, cards.ServiceBack, true)
	}
	return p.tell(ctx, downNote, cards.ServiceDown, false)
}

// noted says whether the operations channel knows of a trouble that is not over.
func (p *Poller) noted(ctx context.Context, name string) (bool, error) {
	_, known, err := noted[time.Time](ctx, p.Store, name)
	return known, err
}

// notes are what is remembered of what was seen or said, each under its name and for a while.
type notes interface {
	PutTTL(ctx context.Context, name string, doc any, life time.Duration) error
	Get(ctx context.Context, name string, doc any) error
	Delete(ctx context.Context, name string) error
}

// noted reads a note; false when there is none.
func noted[T any](ctx context.Context, notes notes, name string) (note T, known bool, err error) {
	err = notes.Get(ctx, name, &note)
	if errors.Is(err, store.ErrAbsent) {
		return note, false, nil
	}
	return note, err == nil, err
}

// tell tells of a trouble, or that it is over, and remembers which.
func (p *Poller) tell(ctx context.Context, name, sentence string, over bool) error {
	if _, err := p.Ops(ctx, sentence); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if over {
		return p.Store.Delete(ctx, name)
	}
	return p.Store.PutTTL(ctx, name, time.Now().UTC(), troubleLife)
}
