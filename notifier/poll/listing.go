package poll

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

// listing is one reading of the list. Several pages are under way at once; they come back in any
// order, and are counted in theirs.
type listing struct {
	run           *pollRun
	sought        []int32         // the orders that are looked for, by place; those that tell their time first, oldest first
	dated         int             // how many tell it
	oldestMissing int             // none of those before this one is missing any more
	rest          int             // how many no page showed yet
	next          int             // the next page to read, from 1
	window        int             // how many may be under way
	total         int             // pages of the list, as the latest said
	over          bool            // no further page is read
	failed        bool            // one could not be read
	counted       int             // the pages that were counted; all before the next one
	idle          int             // how far they lag behind the calls they should have saved
	size          int             // orders on a page, as far as one was seen
	waiting       map[int]outline // pages that were read before an earlier one
	shown         []int           // by page: how many of the wanted ones it was the first to show
	oldest        []time.Time     // by page: the oldest of those
}

func (r *pollRun) newListing() *listing {
	l := &listing{run: r, next: 1, window: 1, size: 20, waiting: map[int]outline{}}
	for i := range r.tracked.orders {
		if o := &r.tracked.orders[i]; o.missing() && r.cutoff.above(o.known.OrderedAt) {
			o.marks |= wanted
			l.sought = append(l.sought, int32(i)) //nolint:gosec // a place on the cache
		}
	}
	at := func(i int32) time.Time { return r.tracked.orders[i].known.OrderedAt }
	slices.SortFunc(l.sought, func(a, b int32) int {
		if at(a).IsZero() != at(b).IsZero() {
			return at(b).Compare(at(a))
		}
		return at(a).Compare(at(b))
	})
	l.dated = len(l.sought)
	for l.dated > 0 && at(l.sought[l.dated-1]).IsZero() {
		l.dated--
	}
	l.rest = len(l.sought)
	return l
}

// reading is a page that was read, or a call of another kind that ended.
type reading struct {
	number int // from 1; 0: it was no page
	page   order.Page
	err    error
}

// list reads pages until every wanted order was seen, the rest cannot be there, or reading
// on costs more than asking for the rest one by one. What a page shows to differ is
// fetched at once, while others are still read: a poll that is cut short keeps what it learned.
// It says false when a page could not be read: then this is no time to ask for all the rest.
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

// expect tells the pace how many calls a quiet poll is going to make.
func (r *pollRun) expect(l *listing) {
	if r.poller.Turns != nil {
		r.poller.Turns.Expect(l.pagesOf(l.rest) + r.active - l.rest + 2)
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

// worthwhile says whether to read one more page beside so many that are under way. None is read that would not
// be read if those showed nothing of ours, nor one that is not needed if all the rest lay together next.
func (l *listing) worthwhile(underWay int) bool {
	ahead := l.next - 1 - l.counted
	switch {
	case l.over, l.rest < 2, l.idle+ahead >= l.allowance(l.rest):
		return false // for one order a page is no cheaper than the order itself
	case ahead == 0:
		return true
	}
	return underWay < min(l.window, l.pagesOf(l.rest)) && l.next <= l.total
}

// allowance is how many pages in a row may show nothing of ours: about as many as the rest
// would fill if it lay together below.
func (l *listing) allowance(rest int) int {
	return min(max(2, l.pagesOf(rest)), rest-1)
}

func (l *listing) pagesOf(orders int) int { return max((orders+l.size-1)/l.size, 1) }

// take takes a page in, and returns the ids of the orders that it shows to differ and that nobody asked
// for yet.
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

// compare compares a page with what is on record. Pages shift while they are
// read: an order may come twice, and one difference is enough.
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
			l.rest--
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

// outline is what of a page says how far to read.
type outline struct {
	perPage, orders, total int
	last                   time.Time // when the last order that tells it was placed
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

// count takes the next page in order into account: how far it is worth reading on.
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

// ended says that the list has no further page than the one that was counted last. What it says of
// itself is believed only when the page looks like the last one.
func (l *listing) ended(page outline) bool {
	return l.counted >= page.total && page.orders < l.size
}

// horizon is when the oldest of the missing orders was placed, as far as they tell: a zero time
// is never reached.
func (l *listing) horizon() time.Time {
	l.run.mu.Lock()
	defer l.run.mu.Unlock()
	for ; l.oldestMissing < l.dated; l.oldestMissing++ {
		if o := &l.run.tracked.orders[l.sought[l.oldestMissing]]; !o.has(onPage) {
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

// endsBefore says that every further page is older than the horizon.
func (o outline) endsBefore(horizon time.Time) bool {
	return !o.last.IsZero() && o.last.Before(horizon)
}
