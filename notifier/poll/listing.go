package poll

import (
	"context"
	"fmt"
	"slices"
	"time"

	"darkroom/order"
)

// A page shows up to twenty orders for one call. But not all of them are ours, and ours may be far down.
// So pages are read from the top while they show our orders, and the rest is fetched by id.

// listing is one reading of the service's list. Several pages are read at once and arrive in any order,
// but are counted in the list's order.
type listing struct {
	run           *pollRun
	wanted        []int32         // indexes of the wanted orders: dated ones first, oldest first
	dated         int             // how many of them are dated
	oldestMissing int             // all dated ones before this index were seen
	remaining     int             // wanted orders that no page showed yet
	next          int             // the next page to read, from 1
	window        int             // how many pages may be read at once
	total         int             // pages of the list, by the latest page
	over          bool            // no further page is read
	failed        bool            // a page could not be read
	counted       int             // pages counted so far, without gaps
	idle          int             // calls that the pages should have saved and did not
	size          int             // orders on a page, as seen so far
	waiting       map[int]outline // pages that arrived before an earlier one
	shown         []int           // by page: wanted orders that it showed first
	oldest        []time.Time     // by page: the time of the oldest of those
}

func (r *pollRun) newListing() *listing {
	l := &listing{run: r, next: 1, window: 1, size: 20, waiting: map[int]outline{}}
	for i := range r.tracked.orders {
		if o := &r.tracked.orders[i]; o.missing() && r.cutoff.above(o.known.OrderedAt) {
			o.marks |= wanted
			l.wanted = append(l.wanted, int32(i)) //nolint:gosec // a place on the cache
		}
	}
	at := func(i int32) time.Time { return r.tracked.orders[i].known.OrderedAt }
	slices.SortFunc(l.wanted, func(a, b int32) int {
		if at(a).IsZero() != at(b).IsZero() {
			return at(b).Compare(at(a))
		}
		return at(a).Compare(at(b))
	})
	l.dated = len(l.wanted)
	for l.dated > 0 && at(l.wanted[l.dated-1]).IsZero() {
		l.dated--
	}
	l.remaining = len(l.wanted)
	return l
}

// reading is a finished call.
type reading struct {
	number int // the page, from 1; 0: an order
	page   order.Page
	err    error
}

// list reads pages until it has seen every wanted order, the rest cannot be listed, or fetching the rest
// by id is cheaper. It fetches changed orders at once, while other pages are read, so an interrupted poll
// keeps its results. It returns false if a page failed: then fetching all the rest would not help.
func (r *pollRun) list(ctx context.Context) (*listing, bool) {
	l := r.newListing()
	r.expect(l)
	done := make(chan reading, reads)
	var changed []string
	pages, fetches := 0, 0
	for {
		for pages+fetches < reads && ctx.Err() == nil {
			if len(changed) > 0 {
				id := changed[0]
				changed = changed[1:]
				fetches++
				go func() { r.fetchOne(ctx, id); done <- reading{} }()
			} else if l.worthwhile(pages) {
				number := l.next
				l.next++
				pages++
				go func() { done <- r.readPage(ctx, number) }()
			} else {
				break
			}
		}
		if pages+fetches == 0 {
			return l, !l.failed
		}
		if got := <-done; got.number == 0 {
			fetches--
		} else {
			pages--
			changed = append(changed, rotated(l.take(got))...)
		}
	}
}

// expect announces the calls of a quiet poll to the rate limit.
func (r *pollRun) expect(l *listing) {
	if r.poller.Slots != nil {
		r.poller.Slots.Expect(l.pagesOf(l.remaining) + r.active - l.remaining + 2)
	}
}

func (r *pollRun) readPage(ctx context.Context, number int) reading {
	r.locked(func() { r.cost.Pages++ })
	got := reading{number: number}
	got.err = contained(ctx, r.poller.Log, func() (err error) {
		got.page, err = r.poller.Service.List(r.asking, order.Filter{Page: number})
		return err
	})
	r.observe(got.err)
	return got
}

// worthwhile reports whether to read one more page beside those under way. The page must be worth its call
// even if the others show none of our orders. It must also be needed if the rest were on the very next
// pages.
func (l *listing) worthwhile(underWay int) bool {
	ahead := l.next - 1 - l.counted
	switch {
	case l.over, l.remaining < 2, l.idle+ahead >= l.allowance(l.remaining):
		return false // for a single order a page saves nothing
	case ahead == 0:
		return true
	}
	return underWay < min(l.window, l.pagesOf(l.remaining)) && l.next <= l.total
}

// allowance returns how many pages in a row may show none of our orders: about as many as the rest would
// fill.
func (l *listing) allowance(remaining int) int {
	return min(max(2, l.pagesOf(remaining)), remaining-1)
}

func (l *listing) pagesOf(orders int) int { return max((orders+l.size-1)/l.size, 1) }

// take adds a page. It returns the changed orders on it that were not requested yet.
func (l *listing) take(got reading) (changed []string) {
	if got.err != nil {
		l.over, l.failed = true, true
		l.run.fail(fmt.Errorf("page %d: %w", got.number, got.err))
		l.run.locked(func() { l.run.cost.Blind = true })
		return nil
	}
	changed = l.compare(got.number, got.page)
	l.waiting[got.number] = outlined(got.page)
	for {
		page, has := l.waiting[l.counted+1]
		if !has {
			return changed
		}
		delete(l.waiting, l.counted+1)
		l.count(page)
	}
}

// compare compares a page with the record. Pages shift while they are read, so an order may appear twice;
// one difference is enough.
func (l *listing) compare(number int, page order.Page) (changed []string) {
	l.run.mu.Lock()
	defer l.run.mu.Unlock()
	for len(l.shown) < number {
		l.shown, l.oldest = append(l.shown, 0), append(l.oldest, time.Time{})
	}
	for _, seen := range page.Orders {
		o := l.run.tracked.find(seen.ID)
		if o == nil || seen.Status == "" {
			continue
		}
		if o.has(wanted) && !o.has(onPage) {
			l.remaining--
			l.shown[number-1]++
			l.oldest[number-1] = earlier(l.oldest[number-1], o.known.OrderedAt)
		}
		l.run.note(o, onPage|knew)
		if !o.has(differs) && o.known.Differs(seen) {
			l.run.note(o, differs)
			if !o.has(asked) {
				changed = append(changed, o.id)
			}
		}
	}
	return changed
}

// outline is the part of a page that decides how far to read.
type outline struct {
	perPage, orders, total int
	last                   time.Time // time of the last dated order
}

func outlined(page order.Page) outline {
	o := outline{perPage: page.PerPage, orders: len(page.Orders), total: page.TotalPages}
	for _, seen := range slices.Backward(page.Orders) {
		if !seen.OrderedAt.IsZero() {
			o.last = seen.OrderedAt
			break
		}
	}
	return o
}

// count takes the next page in list order into account.
func (l *listing) count(page outline) {
	if page.perPage > 0 {
		l.size = min(l.size, page.perPage)
	}
	l.size = max(l.size, page.orders)
	l.counted++
	l.total = page.total
	l.idle = max(l.idle+1-l.shown[l.counted-1], 0)
	l.window = min(l.window+1, reads)
	if l.ended(page) || page.endsBefore(l.horizon()) {
		l.over = true
	}
}

// ended reports whether the counted page is the list's last one. The page's own total is trusted only if
// the page is not full.
func (l *listing) ended(page outline) bool {
	return l.counted >= page.total && page.orders < l.size
}

// horizon returns the time of the oldest dated order that was not seen yet, or zero.
func (l *listing) horizon() time.Time {
	l.run.mu.Lock()
	defer l.run.mu.Unlock()
	for ; l.oldestMissing < l.dated; l.oldestMissing++ {
		if o := &l.run.tracked.orders[l.wanted[l.oldestMissing]]; !o.has(onPage) {
			return o.known.OrderedAt
		}
	}
	return time.Time{}
}

// earlier returns the earlier of two times and ignores a zero one.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// endsBefore reports whether every further page is older than the horizon.
func (o outline) endsBefore(horizon time.Time) bool {
	return !o.last.IsZero() && o.last.Before(horizon)
}
