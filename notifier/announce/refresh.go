package announce

import (
	"context"
	"fmt"
	"time"

	"darkroom/store"
	"darkroom/store/queue"
)

const (
	// mostRefreshed bounds the cards that one change of a setting edits: those of the newest open orders.
	mostRefreshed = 200
	// refreshEvery is the time between their edits. Slack takes fifty edits a minute.
	refreshEvery = 1500 * time.Millisecond
)

// refresh edits the cards of a channel's open orders, which show one of its settings.
type refresh struct {
	orders orders
	later  later
}

// handle does a [store.RefreshKind] job: it puts one announcement for each card. It runs in the channel's lane.
func (r *refresh) handle(ctx context.Context, d *queue.Delivery, job store.RefreshJob) error {
	open := func(t store.Tracked) bool { return !t.Ended() && !t.Untracked } // of a summary, which has no card
	found, _, err := r.orders.InChannels(ctx, job.Team, []string{job.Channel}, open, 0, mostRefreshed)
	if err != nil {
		return err
	}
	for i, t := range found {
		card := queue.Job{ID: fmt.Sprintf("announce:%s:g%d:%s", t.ID, t.Owner.Generation, d.ID), Lane: d.Lane, Kind: store.AnnounceKind}
		body := store.AnnounceJob{Order: t.ID, Generation: t.Owner.Generation, Refresh: true}
		if err := r.later.put(ctx, card, body, time.Duration(i)*refreshEvery); err != nil {
			return err
		}
	}
	return nil
}
