package announce

import (
	"context"

	"darkroom/order"
)

// asks are whom a review, or its reminder, mentions in place of who ordered: those who alone may approve in its channel. It
// is kept with the review, which names the same people whenever it is edited; nil: nobody is named.
func (v *announceRun) asks(ctx context.Context, e order.Event, live bool) ([]string, error) {
	review := e.Kind == order.EventReady || e.Kind == order.EventReminder && !v.t.Paused()
	if !live || !review {
		return nil, nil
	}
	settings, err := v.Store.Settings(ctx, v.t.Owner.Team, v.t.Owner.Channel)
	return settings.Decides.AskedOf(), err
}
