package notifier

import (
	"context"
	"fmt"
	"slices"
	"time"

	"darkroom/order"
)

// A page shows up to twenty orders for the price of one call, but not all of them are
// ours, and ours may lie far down. So pages are read from the top as long as they show
// orders of ours; what lies below is asked for by its id.

// listing is one reading of the list.
type listing struct {
	*pollRun
	wanted map[string]bool // the orders that are looked for
	first  int             // the next page, from 1
	width  int             // how many are read next
	idle   int             // how far the pages lag behind the calls they should have saved
	size   int             // orders on a page, as far as one was seen
	shown  []int           // by page: how many of the wanted ones it was the first to show
	oldest []time.Time     // by page: the oldest of those
}

// list reads pages until every wanted order was seen, the rest cannot be there, or reading
// on costs more than asking for the rest one by one. What a page shows to differ is
// fetched at once: a tick that is cut short keeps what it learned. It says false when a
// page could not be read: then this is no time to ask for all the rest.
func (r *pollRun) list(ctx context.Context, wanted []string) (*listing, bool) {
	l := &listing{pollRun: r, wanted: map[string]bool{}, first: 1, width: 1, size: 20}
	for _, id := range wanted {
		l.wanted[id] = true
	}
	for ctx.Err() == nil {
		if rest := len(l.notShown()); rest < 2 || l.idle >= l.allowance(rest) {
			break // for one order a page is no cheaper than the order itself
		}
		last, ok := l.read(ctx)
		r.fetch(ctx, r.changed())
		if !ok {
			return l, false
		}
		rest := l.notShown()
		if l.ended(last) || endsBefore(last, l.horizon(rest)) {
			break
		}
		pages := max(last.TotalPages-l.first+1, 1)
		l.width = min(2*l.width, reads, pages, l.pagesOf(len(rest)), max(l.allowance(len(rest))-l.idle, 1))
	}
	return l, true
}

// allowance is how many pages in a row may show nothing of ours: about as many as the rest
// would fill if it lay together below.
func (l *listing) allowance(rest int) int {
	return min(max(2, l.pagesOf(rest)), rest-1)
}

func (l *listing) pagesOf(orders int) int { return max((orders+l.size-1)/l.size, 1) }

// notShown are the wanted orders that no page showed yet.
func (l *listing) notShown() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var ids []string
	for id := range l.wanted {
		if _, onPage := l.seen[id]; !onPage {
			ids = append(ids, id)
		}
	}
	return ids
}

// read reads the next pages side by side. It returns the last of them, and false when one
// could not be read.
func (l *listing) read(ctx context.Context) (order.Page, bool) {
	pages := make([]*order.Page, l.width)
	each(pages, func(i int, _ *order.Page) {
		page, err := l.poller.Service.List(ctx, order.Filter{Page: l.first + i})
		l.heard(err)
		if err != nil {
			l.fail(fmt.Errorf("page %d: %w", l.first+i, err))
			return
		}
		pages[i] = &page
	})
	for _, page := range pages {
		if page != nil {
			l.note(*page)
		}
	}
	l.first += l.width
	if slices.Contains(pages, nil) {
		return order.Page{}, false
	}
	return *pages[l.width-1], true
}

// note compares a page with what is on record. Pages shift while they are
// read: an order may come twice, and one difference is enough.
func (l *listing) note(page order.Page) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if page.PerPage > 0 {
		l.size = min(l.size, page.PerPage)
	}
	l.size = max(l.size, len(page.Orders))
	shown, oldest := 0, time.Time{}
	for _, order := range page.Orders {
		known, ours := l.entry(order.ID)
		if !ours || order.Status == "" {
			continue
		}
		if _, before := l.seen[order.ID]; !before && l.wanted[order.ID] {
			shown++
			oldest = earlier(oldest, known.OrderedAt)
		}
		l.seen[order.ID] = l.seen[order.ID] || known.Differs(order)
		l.known[order.ID] = true
	}
	l.shown, l.oldest = append(l.shown, shown), append(l.oldest, oldest)
	l.idle = max(l.idle+1-shown, 0)
}

// ended says that the list has no further page. What it says of itself is believed only
// when the page looks like the last one.
func (l *listing) ended(page order.Page) bool {
	return l.first > page.TotalPages && len(page.Orders) < l.size
}

// horizon is when the oldest of these orders was placed, as far as they tell: a zero time
// is never reached.
func (l *listing) horizon(ids []string) time.Time {
	var oldest time.Time
	for _, id := range ids {
		oldest = earlier(oldest, l.active[id].OrderedAt)
	}
	return oldest
}

// earlier is the earlier of two times; the zero time is none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// endsBefore says that every further page is older than the horizon.
func endsBefore(page order.Page, horizon time.Time) bool {
	for _, o := range slices.Backward(page.Orders) {
		if !o.OrderedAt.IsZero() {
			return o.OrderedAt.Before(horizon)
		}
	}
	return false
}
