package poll

import (
	"context"
	"fmt"
	"time"

	"darkroom/cards/ops"
	"darkroom/store"
)

// downNote exists while the service is down and the operations channel was notified. Any replica then
// stays silent, and notifies when the service is back.
const (
	downNote    = "service-down"
	troubleLife = 30 * 24 * time.Hour
)

// notifyHealth notifies the operations channel once when the service is down, and once when it is back. If
// the channel cannot be notified, the next poll tries again.
func (p *Poller) notifyHealth(ctx context.Context, r *pollRun) error {
	if err := ctx.Err(); err != nil {
		return err // cut short
	}
	if !r.answered && !r.outage {
		return nil // no call was made
	}
	if down := !r.answered; r.down == down {
		return nil // unchanged
	}
	if r.answered {
		return p.notify(ctx, downNote, ops.ServiceBack, true)
	}
	return p.notify(ctx, downNote, ops.ServiceDown, false)
}

// saved reports whether a note exists: the operations channel was notified of a trouble that is not over.
func (p *Poller) saved(ctx context.Context, name string) (bool, error) {
	_, known, err := store.Saved[time.Time](ctx, p.Store.Documents, name)
	return known, err
}

// notify sends the start or end of a trouble to the operations channel, and writes or deletes its note.
func (p *Poller) notify(ctx context.Context, name, sentence string, over bool) error {
	if _, err := p.Ops(ctx, sentence); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if over {
		return p.Store.Documents.Delete(ctx, name)
	}
	return p.Store.Documents.PutTTL(ctx, name, time.Now().UTC(), troubleLife)
}
