package poll

import (
	"context"

	"darkroom/store"
)

// trackedOrders caches the active orders of the record from one poll to the next, so that a large poll
// allocates little.
type trackedOrders struct {
	orders   []trackedOrder
	index    map[string]int32 // index in orders, by id
	readings uint32           // number of the latest reading
}

// trackedOrder is one order of the cache.
type trackedOrder struct {
	id      string
	known   store.Active
	reading uint32 // the latest reading with the order
	marks   marks  // what this poll learned of it
}

// marks are what a poll learned about an order.
type marks uint8

const (
	wanted  marks = 1 << iota // wanted on a page
	onPage                    // a page showed it
	differs                   // a page showed a difference from the record
	asked                     // it was requested by id
	knew                      // the service knew it, on a page or by id
	skipped                   // not wanted in this poll
)

// read updates the cache from the record.
func (r *trackedOrders) read(ctx context.Context, record orders) error {
	if r.index == nil {
		r.index = map[string]int32{}
	}
	r.readings++
	if err := record.EachActive(ctx, r.put); err != nil {
		return err
	}
	r.drop()
	return nil
}

func (r *trackedOrders) put(id string, a store.Active) {
	i, has := r.index[id]
	if !has {
		i = int32(len(r.orders)) //nolint:gosec // so many orders fit into no Redis
		r.index[id] = i
		r.orders = append(r.orders, trackedOrder{id: id})
	}
	o := &r.orders[i]
	if a.Status == o.known.Status {
		a.Status = o.known.Status // shares one string
	}
	o.known, o.reading, o.marks = a, r.readings, 0
}

// drop removes orders that the record no longer has.
func (r *trackedOrders) drop() {
	for i := 0; i < len(r.orders); {
		if r.orders[i].reading == r.readings {
			i++
			continue
		}
		delete(r.index, r.orders[i].id)
		last := len(r.orders) - 1
		if i != last {
			r.orders[i] = r.orders[last]
			r.index[r.orders[i].id] = int32(i) //nolint:gosec // as above
		}
		r.orders[last] = trackedOrder{}
		r.orders = r.orders[:last]
	}
}

// find returns an order in the cache, or nil.
func (r *trackedOrders) find(id string) *trackedOrder {
	i, has := r.index[id]
	if !has {
		return nil
	}
	return &r.orders[i]
}

// has reports whether an order has all of these marks.
func (o *trackedOrder) has(m marks) bool { return o.marks&m == m }
