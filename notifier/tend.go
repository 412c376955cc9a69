package notifier

import (
	"context"
	"fmt"
)

// tend shrinks the orders that ended a while ago, and lets go those whose time is over: a
// few at each tick.
func (p *Poller) tend(ctx context.Context) error {
	if p.keep.Full <= 0 {
		return nil
	}
	if err := p.store.Tend(ctx, p.keep); err != nil {
		return fmt.Errorf("tend: %w", err)
	}
	return nil
}
