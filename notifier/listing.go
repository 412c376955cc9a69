package notifier

import (
	"context"
	"fmt"
	"slices"
	"time"

	"darkroom/upstream"
)

// listingCost is what the last look by pages cost, and for which orders: it
// says nothing once the oldest of them is done.
type listingCost struct {
	oldest string
	calls  int
}

// look takes the cheaper of listing newest first and fetching every order by
// id, and then fetches in full what changed or was on no page.
func (r *round) look(ctx context.Context) {
	oldest, horizon := r.oldest()
	known := r.poller.cost
	if len(r.active) == 1 || (known.oldest == oldest && known.calls >= len(r.active)) {
		r.fetch(ctx, r.unseen())
		return
	}
	if !r.list(ctx, horizon) {
		r.fetch(ctx, append(r.changed(), r.poller.turn(r.unseen())...))
		return
	}
	missing := r.unseen()
	r.poller.cost = listingCost{oldest: oldest, calls: r.calls + len(missing)}
	r.fetch(ctx, append(missing, r.changed()...))
}

// atATurn is how many orders a tick asks for by id while the list cannot be read.
const atATurn = 2 * reads

// turn takes the next few of these orders, so that each has its turn: a list that
// cannot be read must not leave every channel in the dark.
func (p *Poller) turn(ids []string) []string {
	if len(ids) <= atATurn {
		return ids
	}
	p.turns = (p.turns + atATurn) % len(ids)
	return append(slices.Clone(ids[p.turns:]), ids[:p.turns]...)[:atATurn]
}

// list reads pages in growing waves until every active order was seen, the
// rest cannot be there, or fetching the rest by id costs less. It says false
// when a page could not be read: then this is no time to ask for all the rest.
func (r *round) list(ctx context.Context, horizon time.Time) bool {
	first, width := 1, 1
	for len(r.unseen()) >= width {
		last, ok := r.readPages(ctx, first, width)
		if !ok {
			return false
		}
		first += width
		width = min(2*width, reads, last.TotalPages-first+1)
		if width < 1 || endsBefore(last, horizon) {
			break
		}
	}
	return true
}

// readPages reads width pages side by side. It returns the last of them, and
// false when one could not be read.
func (r *round) readPages(ctx context.Context, first, width int) (upstream.Page, bool) {
	pages := make([]*upstream.Page, width)
	each(pages, func(i int) {
		page, err := r.poller.service.List(ctx, upstream.Filter{Page: first + i})
		r.heard(err)
		if err != nil {
			r.fail(fmt.Errorf("page %d: %w", first+i, err))
			return
		}
		r.note(page)
		pages[i] = &page
	})
	if slices.Contains(pages, nil) {
		return upstream.Page{}, false
	}
	return *pages[width-1], true
}

// note compares a page with what is on record. Pages shift while they are
// read: an order may come twice, and one difference is enough.
func (r *round) note(page upstream.Page) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, order := range page.Orders {
		known, ours := r.active[order.ID]
		if !ours || order.Status == "" {
			continue
		}
		r.seen[order.ID] = r.seen[order.ID] || known.Differs(order)
	}
}

// endsBefore says that every further page is older than the horizon. A zero
// horizon is never reached.
func endsBefore(page upstream.Page, horizon time.Time) bool {
	if len(page.Orders) == 0 {
		return true
	}
	last := page.Orders[len(page.Orders)-1].OrderedAt
	return !last.IsZero() && last.Before(horizon)
}
