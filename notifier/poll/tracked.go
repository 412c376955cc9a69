package poll

import (
	"context"

	"darkroom/store"
)

// trackedOrders caches the active orders, as the record has them. It is kept from one poll to the
// next, so that a poll of many orders builds nothing anew.
type trackedOrders struct {
	orders   []trackedOrder
	place    map[string]int32 // in orders, by id
	readings uint32           // which reading of the record this is
}

// trackedOrder is one order of the cache.
type trackedOrder struct {
	id      string
	known   store.Active
	reading uint32 // when the record had it last
	marks   marks  // what this poll learned of it
}

// marks are what a poll learned of an order.
type marks uint8

const (
	wanted  marks = 1 << iota // looked for on pages
	onPage                    // a page showed it
	differs                   // and otherwise than on record
	asked                     // it was asked for by its id
	knew                      // the service knew it, on a page or when asked for
	skipped                   // not looked for in this poll
)

// read brings the cache up to date.
func (r *trackedOrders) read(ctx context.Context, record orders) error {
	if r.place == nil {
		r.place = map[string]int32{}
	}
	r.readings++
	if err := record.EachActive(ctx, r.put); err != nil {
		return err
	}
	r.drop()
	return nil
}

func (r *trackedOrders) put(id string, a store.Active) {
	i, has := r.place[id]
	if !has {
		i = int32(len(r.orders)) //nolint:gosec // so many orders fit into no Redis
		r.place[id] = i
		r.orders = append(r.orders, trackedOrder{id: id})
	}
	o := &r.orders[i]
	if a.Status == o.known.Status {
		a.Status = o.known.Status // one text of it is enough
	}
	o.known, o.reading, o.marks = a, r.readings, 0
}

// drop takes from the cache what the record no longer has.
func (r *trackedOrders) drop() {
	for i := 0; i < len(r.orders); {
		if r.orders[i].reading == r.readings {
			i++
			continue
		}
		delete(r.place, r.orders[i].id)
		last := len(r.orders) - 1
		if i != last {
			r.orders[i] = r.orders[last]
			r.place[r.orders[i].id] = int32(i) //nolint:gosec // as above
		}
		r.orders[last] = trackedOrder{}
		r.orders = r.orders[:last]
	}
}

// find returns an order on the cache, or nil.
func (r *trackedOrders) find(id string) *trackedOrder {
	i, has := r.place[id]
	if !has {
		return nil
	}
	return &r.orders[i]
}

// has says that an order has all of these marks.
func (o *trackedOrder) has(m marks) bool { return o.marks&m == m }
