package poll

import (
	"context"
	"fmt"
	"time"

	"darkroom/cards/ops"
	"darkroom/store"
)

// downNote is kept while the service is down and the operations channel knows it: whichever
// replica polls then says nothing more, and says when it is back.
const (
	downNote    = "service-down"
	troubleLife = 30 * 24 * time.Hour
)

// sayHealth tells the operations channel once that the service is down, and once that
// it is back. Who cannot be told now is told at the next poll.
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
		return p.notify(ctx, downNote, ops.ServiceBack, true)
	}
	return p.notify(ctx, downNote, ops.ServiceDown, false)
}

// saved says whether the operations channel knows of a trouble that is not over.
func (p *Poller) saved(ctx context.Context, name string) (bool, error) {
	_, known, err := store.Saved[time.Time](ctx, p.Store.Documents, name)
	return known, err
}

// notify tells of a trouble, or that it is over, and remembers which.
func (p *Poller) notify(ctx context.Context, name, sentence string, over bool) error {
	if _, err := p.Ops(ctx, sentence); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if over {
		return p.Store.Documents.Delete(ctx, name)
	}
	return p.Store.Documents.PutTTL(ctx, name, time.Now().UTC(), troubleLife)
}
