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
	// searchBackTo is how far before the submission a reading goes, for clock differences.
	searchBackTo = time.Hour
	// maxPages and maxReadTime bound one reading of the list.
	maxPages    = 500
	maxReadTime = 5 * time.Minute
	// reportEvery is the number of pages between two reports of progress.
	reportEvery = 25
)

// searchOptions say how to search.
type searchOptions struct {
	watching bool               // find only orders that are not yet known to be the draft's
	progress func(searchResult) // called every reportEvery pages; optional
}

// searchResult is the result of a search.
type searchResult struct {
	order      *order.Order     // order with the draft's reference; nil: not found
	began      time.Time        // start by Redis's clock; zero while watching
	complete   bool             // read back to [searchBackTo] before the reference's first use
	read       int              // number of orders read
	oldest     time.Time        // when the oldest order read was placed; zero: no orders read
	noKeyword  bool             // the service did not answer the keyword search
	nameLength order.NameLength // length of names that the service keeps, as the orders read prove
	retryAfter time.Duration    // wait that the service's rate limit asked for; zero: no rate limit
}

// search finds the order with the draft's reference. It tries the keyword search, which takes one call, and then reads
// the list from the newest order back to [searchBackTo] before the reference's first use. A keyword search that fails
// or finds nothing proves nothing: the interface does not say which fields it covers.
func (j *Search) search(ctx context.Context, d store.Draft, opts searchOptions) (searchResult, error) {
	var seen searchResult
	page, err := j.service.List(ctx, order.Filter{Keywords: []string{d.Reference}})
	if err != nil && (ctx.Err() != nil || errors.Is(err, order.ErrRateLimited)) {
		return seen, err
	}
	seen.noKeyword = err != nil // in an outage the list fails, too
	if seen.order, err = j.withReference(ctx, page.Orders, d, opts); err != nil || seen.order != nil {
		return seen, err
	}
	return j.scan(ctx, d, opts, seen)
}

// scan reads the list page by page while orders come and go. A new order is put on top and moves the others down, so
// they are read twice, never missed. A canceled order leaves the list and moves those below it up, perhaps onto a page
// that was read already. The total falls by at least as many, so that many are read again.
func (j *Search) scan(ctx context.Context, d store.Draft, opts searchOptions, seen searchResult) (searchResult, error) {
	oldest, hasTotals, total, size := d.ReferenceAt.Add(-searchBackTo), true, 0, 1
	met, began := map[string]bool{}, time.Now()
	for reads, n := 0, 1; reads < maxPages && time.Since(began) < maxReadTime; reads++ {
		page, err := j.service.List(ctx, order.Filter{Page: n})
		if err != nil && (reads == 0 || ctx.Err() != nil) {
			return seen, fmt.Errorf("looking for %s: %w", d.Reference, err)
		}
		if errors.Is(err, order.ErrRateLimited) {
			seen.retryAfter = job.RetryAfter(err, 1)
		}
		if more := err == nil && (page.Current == 0 || page.Current == n); !more {
			break // the list ends here
		}
		seen.addNew(page.Orders, met)
		if seen.order, err = j.withReference(ctx, page.Orders, d, opts); err != nil || seen.order != nil {
			return seen, err
		}
		if reads == 0 {
			size = max(len(page.Orders), 1)
		}
		hasTotals = hasTotals && (page.Total > 0 || len(page.Orders) == 0)
		gone := total - page.Total
		total = page.Total
		switch {
		case reads > 0 && gone > 0:
			n = max(n-(gone+size-1)/size, 1)
			continue
		case last(page, n), reachesBack(page.Orders, oldest):
			seen.complete = hasTotals // without a total a canceled order goes unnoticed
			return seen, nil
		}
		if n++; opts.progress != nil && (reads+1)%reportEvery == 0 {
			opts.progress(seen)
		}
	}
	return seen, nil
}

// addNew counts the orders of a page that were not on an earlier page.
func (s *searchResult) addNew(orders []order.Order, met map[string]bool) {
	for _, o := range orders {
		if !met[o.ID] {
			met[o.ID] = true
			s.read++
		}
		s.nameLength = s.nameLength.And(order.ProvenLength(o.ProjectName))
		if at := o.OrderedAt; !at.IsZero() && (s.oldest.IsZero() || at.Before(s.oldest)) {
			s.oldest = at
		}
	}
}

// withReference returns the order with the draft's reference in its name that isSought accepts, or nil.
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

// isSought reports whether an order with the draft's reference is the right one. A canceled order is not. A tracked
// order is: an operator may have tracked it, or the watch of an earlier attempt found it first. The watch itself
// searches for untracked orders only, and ignores an order that an operator untracked.
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

// last reports whether page n is the last: the service gives the number of pages, or returns an empty page.
func last(page order.Page, n int) bool {
	if page.TotalPages > 0 {
		return n >= page.TotalPages
	}
	return len(page.Orders) == 0
}

// reachesBack reports whether the newest-first list has reached orders older than oldest. It ignores orders without a
// time.
func reachesBack(orders []order.Order, oldest time.Time) bool {
	for _, o := range slices.Backward(orders) {
		if !o.OrderedAt.IsZero() {
			return o.OrderedAt.Before(oldest)
		}
	}
	return false
}
