package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/upstream"
)

// looks are the moments after sending at which an order of unknown outcome is looked
// for; from the last on, complete scans that find nothing begin to count.
var looks = []time.Duration{0, 5 * time.Second, 15 * time.Second, 60 * time.Second, 120 * time.Second}

const (
	// settled is how long after the request's own deadline the service may still be
	// working on it: a scan that began earlier proves nothing.
	settled = 2 * time.Minute
	// enough scans without the order: then the person is told.
	enough = 2
	// between two scans that count.
	between = 5 * time.Second
	// longest is when the looking ends although the service's list never held still.
	longest = time.Hour
	// before the submission: how far back a scan reads, for clocks that differ.
	before = time.Hour
	// mostPages bounds a scan.
	mostPages = 500
)

// sighting is what a search of the service saw.
type sighting struct {
	owned    bool            // an order that a channel owns already counts as well
	order    *upstream.Order // the order with our reference, nil when not seen
	began    time.Time
	complete bool // every order since an hour before submission was read, and their number held still
	total    int
}

// lookForOrder looks whether an order that may be out has arrived.
func (c *Commands) lookForOrder(ctx context.Context, p *placement) error {
	seen, err := c.search(ctx, p.draft, sighting{})
	if err != nil {
		return c.serviceAway(ctx, p, err)
	}
	if seen.order != nil {
		return c.adopt(ctx, p, *seen.order)
	}
	p.state.Looks++
	p.count(seen, c.service.Timeout())
	if p.state.Misses >= enough || now().Sub(p.state.SentAt) > longest {
		return c.notThere(ctx, p)
	}
	if err := c.tellWaiting(ctx, p, p.state.Looks == 1); err != nil {
		return err
	}
	if err := p.d.SetState(ctx, p.state); err != nil {
		return err
	}
	return queue.Wait(p.nextLook(now(), c.service.Timeout()))
}

// notThere ends the looking. What was only suspected of having been sent, and is surely
// not there, is sent now.
func (c *Commands) notThere(ctx context.Context, p *placement) error {
	if p.state.Doubt && p.state.Misses >= enough && p.draft.State == store.DraftPlacing {
		p.state = placeState{Told: p.state.Told}
		return c.send(ctx, p)
	}
	return c.missing(ctx, p)
}

// count takes a scan into account when it is complete, began late enough, and saw as
// many orders as the one before it.
func (p *placement) count(seen sighting, timeout time.Duration) {
	if !seen.complete || seen.began.Before(p.state.SentAt.Add(timeout+settled)) {
		return
	}
	if p.state.Misses > 0 && p.state.Total != seen.total {
		p.state.Misses = 0
	}
	p.state.Misses++
	p.state.Total = seen.total
}

// nextLook is the time until the next look.
func (p *placement) nextLook(now time.Time, timeout time.Duration) time.Duration {
	for _, after := range looks {
		if wait := p.state.SentAt.Add(after).Sub(now); wait > 0 {
			return wait
		}
	}
	return max(p.state.SentAt.Add(timeout+settled).Sub(now), between)
}

// missing gives up looking: the draft is kept, the person decides, and the reference
// stays watched.
func (c *Commands) missing(ctx context.Context, p *placement) error {
	if err := c.giveUp(ctx, p.draft); err != nil {
		return err
	}
	return c.follow(ctx, p.draft, p.body.Attempt, p.body.View, p.body.At)
}

// giveUp leaves the draft to the person; one that moved on meanwhile stays as it is.
func (c *Commands) giveUp(ctx context.Context, draft store.Draft) error {
	if err := c.watchReference(ctx, draft); err != nil {
		return err
	}
	draft.State, draft.UpdatedAt = store.DraftUnknown, now()
	if err := c.store.SaveDraft(ctx, draft); err != nil && !errors.Is(err, store.ErrDraftMoved) {
		return err
	}
	return nil
}

// search looks for the draft's reference: by keyword, then by reading the list back to
// an hour before the reference was given. A refused keyword search proves nothing, and
// costs nothing: the list is read all the same.
func (c *Commands) search(ctx context.Context, d store.Draft, seen sighting) (sighting, error) {
	seen.began = now()
	page, err := c.service.List(ctx, upstream.Filter{Keywords: []string{d.Reference}})
	if err != nil && !errors.Is(err, upstream.ErrRefused) {
		return seen, err
	}
	if seen.order, err = c.named(ctx, page.Orders, d, seen.owned); err != nil || seen.order != nil {
		return seen, err
	}
	return c.scan(ctx, d, seen)
}

// scan reads the list page by page. Pages shift while they are read; a total that
// changed on the way makes the scan incomplete.
func (c *Commands) scan(ctx context.Context, d store.Draft, seen sighting) (sighting, error) {
	oldest := d.ReferenceAt.Add(-before)
	for n := 1; n <= mostPages; n++ {
		page, err := c.service.List(ctx, upstream.Filter{Page: n})
		if err != nil {
			return seen, fmt.Errorf("looking for %s: %w", d.Reference, err)
		}
		if n > 1 && page.Total != seen.total {
			return seen, nil
		}
		seen.total = page.Total
		if seen.order, err = c.named(ctx, page.Orders, d, seen.owned); err != nil || seen.order != nil {
			return seen, err
		}
		if last(page, n) || reaches(page.Orders, oldest) {
			seen.complete = true
			return seen, nil
		}
	}
	return seen, nil
}

// named is the order whose project name ends in the draft's reference. One that a channel
// owns already belongs to an earlier attempt, and counts only where it is asked for.
func (c *Commands) named(ctx context.Context, orders []upstream.Order, d store.Draft, owned bool) (*upstream.Order, error) {
	for i, o := range orders {
		if !strings.HasSuffix(strings.TrimSpace(o.ProjectName), "["+d.Reference+"]") {
			continue
		}
		_, err := c.store.Order(ctx, o.ID)
		if errors.Is(err, store.ErrNotTracked) || err == nil && owned && o.Status != upstream.Canceled {
			return &orders[i], nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// last tells whether there is no page after this one: the service says how many there
// are, or else shows an empty one.
func last(page upstream.Page, n int) bool {
	if page.TotalPages > 0 {
		return n >= page.TotalPages
	}
	return len(page.Orders) == 0
}

// reaches tells whether the newest-first list has come to orders older than that.
func reaches(orders []upstream.Order, oldest time.Time) bool {
	if len(orders) == 0 {
		return false
	}
	last := orders[len(orders)-1].OrderedAt
	return !last.IsZero() && last.Before(oldest)
}
