package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

// Search finds orders by their reference.
type Search struct {
	slack   answers.Slack
	orders  *store.Orders
	service job.Service
}

const (
	// searchBackTo is how far before the submission a reading goes, for clocks that differ.
	searchBackTo = time.Hour
	// mostPages and mostTime bound one reading of the list.
	mostPages = 500
	mostTime  = 5 * time.Minute
	// sayEvery is after how many pages the reading says how far it has come.
	sayEvery = 25
)

// searchOptions say how to search.
type searchOptions struct {
	watching bool               // only an order that nobody knows to be this draft's
	progress func(searchResult) // hears now and then how far a long reading has come; nil: nobody does
}

// searchResult is what a search of the service saw.
type searchResult struct {
	order    *order.Order     // the order with our reference, nil when not seen
	began    time.Time        // by the clock of Redis; only a look that counts has it
	complete bool             // every order since an hour before the reference can have been used was read
	read     int              // orders read
	back     time.Time        // when the oldest of them was placed; zero: none was read
	wordless bool             // the service did not search for a keyword
	kept     order.NameLength // so much of a name is kept, as the orders read show
	rest     time.Duration    // it had enough of the reading, and is left alone that long; zero: it had not
}

// search looks for the draft's reference: by keyword, which takes one call, then by reading
// the list from the newest order back to an hour before the reference can have been used. A keyword
// search that fails or finds nothing proves nothing: nobody says what it searches.
func (j *Search) search(ctx context.Context, d store.Draft, opts searchOptions) (searchResult, error) {
	var seen searchResult
	page, err := j.service.List(ctx, order.Filter{Keywords: []string{d.Reference}})
	if err != nil && (ctx.Err() != nil || errors.Is(err, order.ErrRateLimited)) {
		return seen, err
	}
	seen.wordless = err != nil // if it is all of the service that does not answer, the list says so
	if seen.order, err = j.withReference(ctx, page.Orders, d, opts); err != nil || seen.order != nil {
		return seen, err
	}
	return j.scan(ctx, d, opts, seen)
}

// scan reads the list page by page while orders come and go. An order that comes is put
// on top and moves the others down: they are met again, never missed. One that goes, by
// being canceled, moves those below it up, perhaps onto a page that was read before. As the
// total falls by at least as many as moved up, that many are read again.
func (j *Search) scan(ctx context.Context, d store.Draft, opts searchOptions, seen searchResult) (searchResult, error) {
	oldest, told, total, size := d.ReferenceAt.Add(-searchBackTo), true, 0, 1
	met, began := map[string]bool{}, time.Now()
	for reads, n := 0, 1; reads < mostPages && time.Since(began) < mostTime; reads++ {
		page, err := j.service.List(ctx, order.Filter{Page: n})
		if err != nil && (reads == 0 || ctx.Err() != nil) {
			return seen, fmt.Errorf("looking for %s: %w", d.Reference, err)
		}
		if errors.Is(err, order.ErrRateLimited) {
			seen.rest = job.RetryAfter(err, 1)
		}
		if more := err == nil && (page.Current == 0 || page.Current == n); !more {
			break // it shows no more
		}
		seen.addNew(page.Orders, met)
		if seen.order, err = j.withReference(ctx, page.Orders, d, opts); err != nil || seen.order != nil {
			return seen, err
		}
		if reads == 0 {
			size = max(len(page.Orders), 1)
		}
		told = told && (page.Total > 0 || len(page.Orders) == 0)
		gone := total - page.Total
		total = page.Total
		switch {
		case reads > 0 && gone > 0:
			n = max(n-(gone+size-1)/size, 1)
			continue
		case last(page, n), reachesBack(page.Orders, oldest):
			seen.complete = told // without a total nobody knows what went
			return seen, nil
		}
		if n++; opts.progress != nil && (reads+1)%sayEvery == 0 {
			opts.progress(seen)
		}
	}
	return seen, nil
}

// addNew counts the orders of a page that were not on one before.
func (s *searchResult) addNew(orders []order.Order, met map[string]bool) {
	for _, o := range orders {
		if !met[o.ID] {
			met[o.ID] = true
			s.read++
		}
		s.kept = s.kept.And(order.ProvenLength(o.ProjectName))
		if at := o.OrderedAt; !at.IsZero() && (s.back.IsZero() || at.Before(s.back)) {
			s.back = at
		}
	}
}

// withReference is the order among these that has the draft's reference in its name and is the
// one that is sought.
func (j *Search) withReference(ctx context.Context, orders []order.Order, d store.Draft, opts searchOptions) (*order.Order, error) {
	for i, o := range orders {
		if !order.Carries(o.ProjectName, d.Reference) {
			continue
		}
		sought, err := j.isSought(ctx, o, d, opts)
		if err != nil {
			return nil, err
		}
		if sought {
			return &orders[i], nil
		}
	}
	return nil, nil
}

// isSought tells whether an order with the draft's reference in its name is the one that is
// looked for. One that was canceled is no order any more. One that a channel has already is
// it all the same, be it that an operator tracked it or that the watch of an earlier
// attempt was faster; only the watch itself looks for others. One that an operator stopped
// following is there as well, but nobody is told of it unasked.
func (j *Search) isSought(ctx context.Context, o order.Order, d store.Draft, opts searchOptions) (bool, error) {
	if o.Canceled() {
		return false, nil
	}
	t, err := j.orders.Order(ctx, o.ID)
	switch {
	case errors.Is(err, store.ErrNotTracked):
		return true, nil
	case err != nil:
		return false, err
	case t.Order.Canceled(), t.Untracked && opts.watching:
		return false, nil
	case t.Reference == "":
		return true, nil
	}
	return !opts.watching && t.Reference == d.Reference, nil
}

// last tells whether there is no page after this one: the service says how many there
// are, or else shows an empty one.
func last(page order.Page, n int) bool {
	if page.TotalPages > 0 {
		return n >= page.TotalPages
	}
	return len(page.Orders) == 0
}

// reachesBack tells whether the newest-first list has come to orders older than that. One
// without a time says nothing.
func reachesBack(orders []order.Order, oldest time.Time) bool {
	for _, o := range slices.Backward(orders) {
		if !o.OrderedAt.IsZero() {
			return o.OrderedAt.Before(oldest)
		}
	}
	return false
}
