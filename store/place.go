package store

import (
	"context"
	"errors"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/order"
	"darkroom/store/queue"
)

// Placement is a new order and whose it is.
type Placement struct {
	ID        string
	Owner     Owner // Generation 0 means 1
	Reference string
	Images    int
	Order     order.Order
	Credits   decimal.NullDecimal // what remains
	// Adopted: made elsewhere, and tracked from now on. The event is "tracked"
	// and the first conversation is old news.
	Adopted bool
}

// Place is Record for a new order: it writes the order, its first event, its
// indexes and its announcement job in one step. An order that is tracked
// already stays as it is, whoever places it, and is returned, but that one without a
// reference gets it: see claim.go. One that was untracked is taken over again when it is
// adopted: see retrack.go.
func (s *Store) Place(ctx context.Context, p Placement) (Tracked, error) {
	var now Tracked
	err := retryOnConflict(orderError(p.ID, ErrStale), func() (result, error) {
		old, err := s.load(ctx, p.ID)
		var result result
		switch {
		case errors.Is(err, ErrNotTracked):
			result, err = s.placeNew(ctx, p)
		case err == nil && old.Untracked && p.Adopted:
			result, err = s.retrack(ctx, old, p)
		case err == nil && !old.Untracked && old.Reference == "" && p.Reference != "":
			now, err = s.claim(ctx, old.Tracked, p.Reference)
			return written, err
		default:
			now = old.Tracked
			return written, err
		}
		if err == nil && result == written {
			now, err = s.Order(ctx, p.ID)
			return written, err
		}
		return result, orderError(p.ID, err)
	})
	return now, err
}

var placeScript = newScript("place", courseLua, hashLua, referenceLua)

// placeArgs are the argument of place.lua.
type placeArgs struct {
	Fields    placedFields  `json:"fields"`
	OrderedAt int64         `json:"ordered_at,string"` // ms
	Active    string        `json:"active"`            // entry among the active orders; "": not active
	Event     eventArgs     `json:"event"`
	Announce  queue.PutArgs `json:"announce"`
}

// placedFields are the fields of an order's hash with which its course begins.
type placedFields struct {
	ID         string `json:"id"`
	Reference  string `json:"reference"`
	Team       string `json:"team"`
	Channel    string `json:"channel"`
	Requester  string `json:"requester"`
	Generation int    `json:"generation,string"`
	Images     int    `json:"images,string"`
	Adopted    int    `json:"adopted,string"` // 0 or 1
	Order      string `json:"order"`
	Brief      string `json:"brief"`
	Version    int64  `json:"version,string"`
}

func newPlacedFields(t Tracked) placedFields {
	return placedFields{
		ID: t.ID, Reference: t.Reference, Team: t.Owner.Team, Channel: t.Owner.Channel, Requester: t.Owner.Requester,
		Generation: t.Owner.Generation, Images: t.Images, Adopted: flag(t.Adopted),
		Order: encode(t.Order), Brief: encodeBrief(t.Order), Version: t.Version,
	}
}

// placeNew writes an order that nobody tracks.
func (s *Store) placeNew(ctx context.Context, p Placement) (result, error) {
	t := p.tracked()
	keys := append(recordKeys(t.ID), ownerKeys(t.Owner)...)
	code, err := s.run(ctx, placeScript, append(keys, referenceKey(t.Reference)), placeArgs{
		Fields: newPlacedFields(t), OrderedAt: orderedAt(t.Order).UnixMilli(), Active: activeEntry(t),
		Event: newEventArgs(p.event(t)), Announce: s.queue.PutArgs(announceJob(t, "v1")),
	})
	return result(code), err
}

// event is the first event of a placement.
func (p Placement) event(t Tracked) order.Event {
	e := order.Event{
		ID: string(order.EventPlaced), Kind: order.EventPlaced, Actor: t.Owner.Requester,
		Order: order.Trim(t.Order, order.EventPlaced), Credits: p.Credits, At: time.Now(),
	}
	if p.Adopted {
		e.ID, e.Kind = string(order.EventTracked), order.EventTracked
	}
	return e
}

func (p Placement) tracked() Tracked {
	owner := p.Owner
	owner.Generation = max(owner.Generation, 1)
	o := order.Merge(order.Order{}, p.Order)
	o.ID = p.ID
	return Tracked{
		ID: p.ID, Reference: p.Reference, Owner: owner, Images: p.Images,
		Known: order.Known{Order: o, Version: 1, Adopted: p.Adopted},
	}
}

// orderedAt is the service's time, else ours.
func orderedAt(o order.Order) time.Time {
	if o.OrderedAt.IsZero() {
		return time.Now()
	}
	return o.OrderedAt
}
