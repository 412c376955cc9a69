package poll

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"darkroom/cards/ops"
	"darkroom/order"
)

// An order that the service does not know may be gone. Or the key belongs to another account, or a replica
// of the service lags behind and will know the order again. The other orders that the service knows tell
// the difference, and time does.
const (
	missEvery   = 15 * time.Minute // between two recorded misses
	goneAfter   = 15 * time.Minute // for few orders, while the service knows as many others
	longUnknown = 24 * time.Hour   // for most of our orders, or for the only one
	never       = time.Duration(-1)
)

// unknownNote exists while the operations channel knows that the service may have lost our orders, see
// [downNote].
const unknownNote = "orders-unknown"

// strangeNote exists for a while after the service knew none of our orders or was down.
const strangeNote = "orders-strange"

// isOlder reports whether an order was placed before the first miss. Only such an order proves something:
// later ones may belong to another account.
func (r *pollRun) isOlder(id string) bool {
	o := r.tracked.find(id)
	return o != nil && r.predates(o)
}

func (r *pollRun) predates(o *trackedOrder) bool { return o.known.OrderedAt.Before(r.since) }

func (r *pollRun) knownOlder() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.older
}

// knowsNone reports whether the service knew none of the requested orders, and there were enough of them
// to conclude that.
func (r *pollRun) knowsNone() bool {
	r.mu.Lock()
	missed := len(r.missed)
	r.mu.Unlock()
	return missed >= fewOrders && r.knownOlder() == 0
}

// probe requests a few older orders while the service may have lost ours. If it knows none of them, this
// poll skips the other older orders: only newer ones may have changed.
func (r *pollRun) probe(ctx context.Context) {
	if !r.unknown {
		return
	}
	older := slices.DeleteFunc(r.unseen(), func(id string) bool { return !r.isOlder(id) })
	r.fetch(ctx, r.poller.nextFew(older))
	if r.knownOlder() > 0 {
		return
	}
	for _, id := range older {
		r.mark(id, skipped)
	}
}

// decideMissed decides what this poll's misses mean. If the service knew no order but missed none either, it did not
// answer: that was an outage. Otherwise orders that were missed for long enough are gone, and operators hear of many.
func (r *pollRun) decideMissed(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err // cut short
	}
	maps.DeleteFunc(r.missed, func(id string, _ time.Time) bool { return r.isKnown(id) }) // a page showed it later
	if len(r.missed) == 0 && (len(r.errs) > 0 || r.known == 0) {
		return r.afterOutage(ctx)
	}
	wait, err := r.goneWait(ctx)
	if err != nil {
		return err
	}
	gone, err := r.markGone(ctx, wait)
	if err != nil {
		return err
	}
	suspicious := wait != goneAfter // too many are missed for each to be gone
	return r.reportUnknown(ctx, suspicious && gone < len(r.missed), gone)
}

// afterOutage records that the service was down. Its answers prove nothing for a while.
func (r *pollRun) afterOutage(ctx context.Context) error {
	if !r.outage {
		return nil
	}
	return r.poller.Store.Documents.PutTTL(ctx, strangeNote, time.Now().UTC(), goneAfter)
}

// markGone marks orders as gone that were missed for long enough, and returns their number. It marks none
// soon after the service was down or knew none of ours.
func (r *pollRun) markGone(ctx context.Context, wait time.Duration) (int, error) {
	if wait == never {
		return 0, r.poller.Store.Documents.PutTTL(ctx, strangeNote, time.Now().UTC(), goneAfter)
	}
	due := slices.DeleteFunc(slices.Sorted(maps.Keys(r.missed)), func(id string) bool { return time.Since(r.missed[id]) < wait })
	if len(due) == 0 {
		return 0, nil
	}
	if lately, err := r.poller.saved(ctx, strangeNote); err != nil || lately {
		return 0, err
	}
	for i, id := range due {
		if err := untracked(r.poller.Store.Changes.MarkGone(ctx, id, r.missed[id])); err != nil {
			return i, fmt.Errorf("order %s: %w", id, err)
		}
	}
	return len(due), nil
}

// goneWait returns how long the missed orders must be missed to be gone. A few are gone soon while the
// service knows others. Many at once are probably the account's fault. If the service knows none, that
// proves nothing.
func (r *pollRun) goneWait(ctx context.Context) (time.Duration, error) {
	known := r.knownOlder()
	if len(r.missed) == 0 {
		return goneAfter, nil
	}
	if known == 0 {
		knows, err := r.knowsFinished(ctx)
		switch {
		case errors.Is(err, order.ErrInvalidOrder):
			return never, nil
		case err != nil:
			return never, fmt.Errorf("finished order: %w", err)
		case knows:
			known++
		}
	}
	switch {
	case known >= len(r.missed):
		return goneAfter, nil
	case known > 0 || len(r.missed) == 1:
		return longUnknown, nil
	}
	return never, nil
}

// knowsFinished requests a finished order, which the service knows while the key is right. It returns
// false if there is no such order.
func (r *pollRun) knowsFinished(ctx context.Context) (bool, error) {
	done, err := r.poller.Store.Orders.NewestFinished(ctx, slices.Min(slices.Collect(maps.Keys(r.missed))), r.since)
	if err != nil {
		return false, untracked(err)
	}
	_, err = r.ask(done)
	return err == nil, err
}

// reportUnknown notifies the operations channel once that the service may have lost our orders, and once
// when that is over. If the channel cannot be notified, the next poll tries again.
func (r *pollRun) reportUnknown(ctx context.Context, unknown bool, gone int) error {
	switch {
	case unknown == r.unknown:
		return nil
	case unknown:
		all := r.active
		if r.knownOlder() == 0 {
			all = len(r.missed)
		}
		sentence := ops.OrdersUnknown
		if r.poller.SelfConnected {
			sentence = ops.OrdersUnknownHere
		}
		return r.poller.notify(ctx, unknownNote, sentence(len(r.missed), all), false)
	case gone > 0:
		return r.poller.notify(ctx, unknownNote, ops.OrdersGivenUp(gone), true)
	}
	return r.poller.notify(ctx, unknownNote, ops.OrdersKnown, true)
}
