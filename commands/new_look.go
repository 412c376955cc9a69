package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"darkroom/bot"
	"darkroom/cards"
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
	// before the submission: how far back a scan reads, for clocks that differ.
	before = time.Hour
	// mostPages bounds a scan.
	mostPages = 500
)

// sighting is what a search of the service saw.
type sighting struct {
	order    *upstream.Order // the order with our reference, nil when not seen
	began    time.Time
	complete bool // every order since an hour before submission was read, and their number held still
	total    int
}

// lookForOrder looks whether an order that may be out has arrived.
func (c *Commands) lookForOrder(ctx context.Context, p *placement) error {
	seen, err := c.search(ctx, p.draft)
	if err != nil {
		p.state.Looks++
		return c.serviceAway(ctx, p, err)
	}
	if seen.order != nil {
		return c.adopt(ctx, p, *seen.order)
	}
	p.state.Looks++
	p.count(seen, c.service.Timeout())
	if p.state.Misses >= enough {
		return c.missing(ctx, p)
	}
	if p.state.Looks == 1 {
		c.progress(ctx, p.window(), cards.Unsettled(p.draft, p.body.View))
	}
	if err := p.d.SetState(ctx, p.state); err != nil {
		return err
	}
	return queue.Wait(p.nextLook(now(), c.service.Timeout()))
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
// stays watched. Unsettled money is always also a direct message.
func (c *Commands) missing(ctx context.Context, p *placement) error {
	p.draft.State, p.draft.UpdatedAt = store.DraftUnknown, now()
	if err := c.watchReference(ctx, p.draft, 0); err != nil {
		return err
	}
	told := cards.Told(cards.NotPlaced(p.draft, p.body.View))
	if err := c.dm(ctx, p.draft.User, told); err != nil && !errors.Is(err, bot.ErrUnknownOutcome) {
		return err
	}
	if err := c.store.SaveDraft(ctx, p.draft); err != nil {
		return err
	}
	return c.follow(ctx, p.draft, p.body.Attempt, p.body.View, p.body.At)
}

// search looks for the draft's reference: by keyword, then by reading the list back to
// an hour before the submission.
func (c *Commands) search(ctx context.Context, d store.Draft) (sighting, error) {
	seen := sighting{began: now()}
	page, err := c.service.List(ctx, upstream.Filter{Keywords: []string{d.Reference}})
	var refused *upstream.Error
	if err != nil && (!errors.As(err, &refused) || errors.Is(err, upstream.ErrUnavailable)) {
		return seen, err
	}
	if seen.order = withReference(page.Orders, d); seen.order != nil {
		return seen, nil
	}
	return c.scan(ctx, d, seen)
}

// scan reads the list page by page. Pages shift while they are read; a total that
// changed on the way makes the scan incomplete.
func (c *Commands) scan(ctx context.Context, d store.Draft, seen sighting) (sighting, error) {
	oldest := d.SubmittedAt.Add(-before)
	for n := 1; n <= mostPages; n++ {
		page, err := c.service.List(ctx, upstream.Filter{Page: n})
		if err != nil {
			return seen, fmt.Errorf("looking for %s: %w", d.Reference, err)
		}
		if n > 1 && page.Total != seen.total {
			return seen, nil
		}
		seen.total = page.Total
		if seen.order = withReference(page.Orders, d); seen.order != nil {
			return seen, nil
		}
		if n >= page.TotalPages || reaches(page.Orders, oldest) {
			seen.complete = true
			return seen, nil
		}
	}
	return seen, nil
}

// withReference is the order whose project name ends in the draft's reference, other
// than the one the draft already became.
func withReference(orders []upstream.Order, d store.Draft) *upstream.Order {
	for i, o := range orders {
		if strings.HasSuffix(strings.TrimSpace(o.ProjectName), "["+d.Reference+"]") && o.ID != d.OrderID {
			return &orders[i]
		}
	}
	return nil
}

// reaches tells whether the newest-first list has come to orders older than that.
func reaches(orders []upstream.Order, oldest time.Time) bool {
	if len(orders) == 0 {
		return true
	}
	last := orders[len(orders)-1].OrderedAt
	return !last.IsZero() && last.Before(oldest)
}
