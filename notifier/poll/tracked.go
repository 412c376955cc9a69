package poll

import (
	"context"

	"darkroom/store"
)

// roll is the orders that the poller follows, as the record has them. It is kept from one tick to the
// next, so that a tick of many orders builds nothing anew.
type roll struct {
	orders []followed
	place  map[string]int32 // in orders, by id
	tick   uint32           // which reading of the record this is
}

// followed is one order on the roll.
type followed struct {
	id    string
	known store.Active
	tick  uint32 // when the record had it last
	marks marks  // what this tick learned of it
}

// marks are what a tick learned of an order.
type marks uint8

const (
	wanted  marks = 1 << iota // looked for on pages
	onPage                    // a page showed it
	differs                   // and otherwise than on record
	asked                     // it was asked for by its id
	knew                      // the service knew it, on a page or when asked for
	skipped                   // not looked for in this poll
)

// read brings the roll up to date.
func (r *roll) read(ctx context.Context, record Store) error {
	if r.place == nil {
		r.place = map[string]int32{}
	}
	r.tick++
	if err := record.EachActive(ctx, r.put); err != nil {
		return err
	}
	r.drop()
	return nil
}

func (r *roll) put(id string, a store.Active) {
	i, has := r.place[id]
	if !has {
		i = int32(len(r.orders)) //nolint:gosec // so many orders fit into no Redis
		r.place[id] = i
		r.orders = append(r.orders, followed{id: id})
	}
	o := &r.orders[i]
	if a.Status == o.known.Status {
		a.Status = o.known.Status // one text of it is enough
	}
	o.known, o.tick, o.marks = a, r.tick, 0
}

// drop takes off the roll what the record has no longer.
func (r *roll) drop() {
	for i := 0; i < len(r.orders); {
		if r.orders[i].tick == r.tick {
			i++
			continue
		}
		delete(r.place, r.orders[i].id)
		last := len(r.orders) - 1
		if i != last {
			r.orders[i] = r.orders[last]
			r.place[r.orders[i].id] = int32(i) //nolint:gosec // as above
		}
		r.orders[last] = followed{}
		r.orders = r.orders[:last]
	}
}

// find returns an order on the roll, or nil.
func (r *roll) find(id string) *followed {
	i, has := r.place[id]
	if !has {
		return nil
	}
	return &r.orders[i]
}

// has says that an order has all of these marks.
func (o *followed) has(m marks) bool { return o.marks&m == m }
