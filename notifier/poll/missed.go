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

// An order that the service does not know may be gone. Or the key is another account's, or
// a replica of the service's lags behind: then it will know it again. What else the service
// knows tells the one from the other, and time does.
const (
	missEvery   = 15 * time.Minute // between two misses that are written down
	goneAfter   = 15 * time.Minute // for a few orders, while it knows as many others
	longUnknown = 24 * time.Hour   // for most of our orders, while it knows some; and for the only one there is
	never       = time.Duration(-1)
)

// unknownNote is kept while the operations channel knows that the service seems to know our
// orders no longer, see [downNote].
const unknownNote = "orders-unknown"

// strangeNote is kept for a while after the service knew none of our orders, or was away.
const strangeNote = "orders-strange"

// isOlder says that an order was placed before the first of those that are missed was: only
// such a one proves anything. What was placed since may lie on another account.
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

// knowsNone says that the service knew none of the orders that it was asked for, and that
// they were enough to tell.
func (r *pollRun) knowsNone() bool {
	r.mu.Lock()
	missed := len(r.missed)
	r.mu.Unlock()
	return missed >= fewOrders && r.knownOlder() == 0
}

// probe asks for a few orders while it is doubted that the service knows ours. When it knows
// none of those, the others of their time are not looked for in this poll: only what was
// placed since may have news.
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

// decideMissed decides what the misses of this poll mean.
func (r *pollRun) decideMissed(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err // cut short
	}
	maps.DeleteFunc(r.missed, func(id string, _ time.Time) bool { return r.isKnown(id) }) // a page showed it later
	if len(r.missed) == 0 && (len(r.errs) > 0 || r.known == 0) {
		return r.afterOutage(ctx)
	}
	patience, err := r.goneWait(ctx)
	if err != nil {
		return err
	}
	given, err := r.markGone(ctx, patience)
	if err != nil {
		return err
	}
	return r.reportUnknown(ctx, patience != goneAfter && given < len(r.missed), given)
}

// afterOutage remembers that nothing was heard of a service that is away: like one that knew
// none of our orders, it proves nothing for a while.
func (r *pollRun) afterOutage(ctx context.Context) error {
	if !r.outage {
		return nil
	}
	return r.poller.Store.Documents.PutTTL(ctx, strangeNote, time.Now().UTC(), goneAfter)
}

// markGone marks as gone what was missed for so long, and says how many they were. Right after
// it knew none, or was away, nothing is given up: it must know some of ours again for a while.
func (r *pollRun) markGone(ctx context.Context, patience time.Duration) (int, error) {
	if patience == never {
		return 0, r.poller.Store.Documents.PutTTL(ctx, strangeNote, time.Now().UTC(), goneAfter)
	}
	due := slices.DeleteFunc(slices.Sorted(maps.Keys(r.missed)), func(id string) bool { return time.Since(r.missed[id]) < patience })
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

// goneWait is how long these orders must be missed to be gone: a few are gone soon while
// the service knows others of ours. Many at once are rather the account's fault, and while
// it knows none of ours it proves nothing.
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

// knowsFinished asks for an order of ours that is done, and so was not looked at: the service
// knows it while the key is right. It returns false without such an order.
func (r *pollRun) knowsFinished(ctx context.Context) (bool, error) {
	done, err := r.poller.Store.Orders.NewestFinished(ctx, slices.Min(slices.Collect(maps.Keys(r.missed))), r.since)
	if err != nil {
		return false, untracked(err)
	}
	_, err = r.ask(done)
	return err == nil, err
}

// reportUnknown tells the operations channel once that the service knows our orders no longer,
// and once when that is over. Who cannot be told now is told at the next poll.
func (r *pollRun) reportUnknown(ctx context.Context, doubt bool, given int) error {
	switch {
	case doubt == r.unknown:
		return nil
	case doubt:
		all := r.active
		if r.knownOlder() == 0 {
			all = len(r.missed)
		}
		says := ops.OrdersUnknown
		if r.poller.Here {
			says = ops.OrdersUnknownHere
		}
		return r.poller.notify(ctx, unknownNote, says(len(r.missed), all), false)
	case given > 0:
		return r.poller.notify(ctx, unknownNote, ops.OrdersGivenUp(given), true)
	}
	return r.poller.notify(ctx, unknownNote, ops.OrdersKnown, true)
}
