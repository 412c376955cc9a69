package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/script"
	"darkroom/store/tenants"
)

// NewOrder is a new order and its owner.
type NewOrder struct {
	ID        string
	Owner     Owner // Generation 0 means 1
	Reference string
	Brief     *order.Brief // nil: not known
	Images    int          // images to be edited; used without a Brief
	Order     order.Order
	Credits   decimal.NullDecimal // the account's remaining credits
	// Adopted says that the order was made elsewhere and is tracked from now on. Its event is
	// "tracked", and its conversation so far is not announced.
	Adopted bool
	// Shown says that the channel may show messages of the order already. The channel is compared with
	// the record before anything is posted.
	Shown bool
	// Batch is the batch whose card has the order's card in its thread; "": no batch.
	Batch string
	// Root is the timestamp of the thread with Card; "": Card begins its thread.
	Root string
	// Card is the timestamp of the card of an order that Redis forgot and that is placed anew; "" for other
	// orders. The event is "placed", and the whole conversation is announced: an editor's words may never
	// have been posted. Words that were posted stand in the card's thread.
	Card string

	// SpentIn is the month in which its draft reserved its cost; "": no reservation.
	SpentIn string
	// Attempts are the draft's attempts whose reservations the order replaces.
	Attempts []int

	compared time.Time // see [Tracked.Compared]
}

// AddOrder is Record for a new order: it writes the order, its first event, its
// indexes and its announcement job in one step. It returns a tracked order
// unchanged; one without a reference gets the reference and the brief. An adopted
// order that was untracked is tracked again.
func (s *Changes) AddOrder(ctx context.Context, p NewOrder) (Tracked, error) {
	var now Tracked
	run, err := s.server.Run(ctx)
	if err != nil {
		return now, orderError(p.ID, err)
	}
	if !p.Shown {
		p.compared = run.Since
	}
	err = kv.RetryOnConflict(orderError(p.ID, ErrStale), func() (kv.Result, error) {
		old, err := s.records.load(ctx, p.ID)
		result := kv.Written
		switch {
		case errors.Is(err, ErrNotTracked):
			t := p.tracked()
			result, err = s.addOrder(ctx, t, p.event(t), p.reserved(), nil)
		case err == nil && old.Untracked && p.Adopted:
			result, err = s.trackAgain(ctx, old, p)
		case err == nil && !old.Untracked && old.Reference == "" && p.Reference != "":
			err = s.setReference(ctx, p)
		default:
			now = old.Tracked
			return kv.Written, err
		}
		if err == nil && result == kv.Written {
			now, err = s.records.order(ctx, p.ID)
		}
		return result, orderError(p.ID, err)
	})
	if err == nil {
		err = s.ledgers.unreserve(ctx, p.Owner.Team, p.SpentIn, p.reserved()) // if the order existed
	}
	return now, err
}

// reserved returns the names of its attempts' reservations.
func (p NewOrder) reserved() []string {
	names := make([]string, len(p.Attempts))
	for i, attempt := range p.Attempts {
		names[i] = reservation(p.Reference, attempt)
	}
	return names
}

// addOrder writes an order under its new owner. Its cost replaces the reservations. old is the untracked order
// that it replaces, or nil.
func (s *Changes) addOrder(ctx context.Context, t Tracked, e order.Event, reserved []string, old *stored) (kv.Result, error) {
	fields := script.Args{
		"id": t.ID, "reference": t.Reference, "team": t.Owner.Team, "channel": t.Owner.Channel, "requester": t.Owner.Requester,
		"generation": t.Owner.Generation, "images": t.Images, "references": t.References,
		"order_brief": encodeOptional(t.Brief), "adopted": flag(t.Adopted), "compared": inMillis(t.Compared),
		"order": kv.Encode(t.Order), "brief": kv.Encode(summary(t)), "version": t.Version,
		"milestones": milestonesField(t.Milestones.After(e)),
	}
	if t.CardTS != "" {
		fields["card_ts"], fields["card_version"] = t.CardTS, 0
	}
	for name, value := range map[string]string{"batch": t.Batch, "root": t.Root} {
		if value != "" {
			fields[name] = value
		}
	}
	keys, args := s.records.keys(t), script.Args{
		"id": t.ID, "version": "", "ordered_at": orderedAt(t.Order).UnixMilli(), "active": activeEntry(t), "event": eventArgs(e),
		"announce": s.records.queue.PutArgs(ctx, announceJob(t, fmt.Sprintf("v%d", t.Version))), "poll": s.records.polls.WakeArgs(tenants.PollJob()),
		"spending": t.spendingArgs(),
		"reserved": reserved,
		"fields":   fields,
	}
	if old != nil {
		keys["thread"] = s.records.keys(old.Tracked)["thread"]
		args["version"], args["card"] = strconv.FormatInt(old.Version, 10), old.CardTS
		args["leave"] = s.records.queue.PutArgs(ctx, leaveJob(old.Tracked))
	}
	code, err := s.db.Run(ctx, "add_order", keys, args)
	return kv.Result(code), err
}

// trackAgain tracks an untracked order again, as if it were new here. Its history begins with
// the event "tracked"; earlier events and the conversation so far are not announced to the new
// owner. A job cleans up the messages in its last channel. The order keeps its reference, version
// and events, and gets the next generation.
func (s *Changes) trackAgain(ctx context.Context, old stored, p NewOrder) (kv.Result, error) {
	t := p.tracked()
	known := old.Order
	known.Conversation = nil
	t.Order = order.Merge(known, t.Order)
	t.Reference = cmp.Or(old.Reference, p.Reference)
	if t.Brief == nil {
		t.Brief, t.References, t.Images = old.Brief, old.References, cmp.Or(p.Images, old.Images)
	}
	t.Version, t.Counted = old.Version+1, old.counted()
	t.Owner.Generation = old.Owner.Generation + 1
	e := p.event(t)
	e.ID = fmt.Sprintf("%s:g%d", order.EventTracked, t.Owner.Generation)
	return s.addOrder(ctx, t, e, p.reserved(), &old)
}

// setReference adds the reference and the brief to an order that was tracked without them: an
// operator tracked it before its placing job found it. Its channel stays.
func (s *Changes) setReference(ctx context.Context, p NewOrder) error {
	t := p.tracked()
	fields := script.Args{"reference": t.Reference}
	if t.Brief != nil {
		fields["images"], fields["references"], fields["order_brief"] = t.Images, t.References, kv.Encode(t.Brief)
	}
	_, err := s.db.Run(ctx, "set_reference", s.records.keys(t), script.Args{"id": p.ID, "fields": fields})
	return err
}

// event returns the order's first event.
func (p NewOrder) event(t Tracked) order.Event {
	e := order.Event{
		ID: string(order.EventPlaced), Kind: order.EventPlaced, Actor: t.Owner.Requester,
		Order: order.Trim(t.Order, order.EventPlaced), Credits: p.Credits, At: time.Now(),
	}
	if p.Adopted {
		e.ID, e.Kind = string(order.EventTracked), order.EventTracked
	}
	return e
}

func (p NewOrder) tracked() Tracked {
	owner := p.Owner
	owner.Generation = max(owner.Generation, 1)
	o := order.Merge(order.Order{}, p.Order)
	o.ID = p.ID
	t := Tracked{
		ID: p.ID, Reference: p.Reference, Owner: owner, Images: p.Images, Brief: p.Brief, CardTS: p.Card, Root: p.Root, Batch: p.Batch, Compared: p.compared,
		Known: order.Known{Order: o, Version: 1, Adopted: p.Adopted},
	}
	if p.Brief != nil {
		t.Images, t.References = p.Brief.Edited(), len(p.Brief.References())
	}
	t.Counted = t.counted()
	t.Counted.Month = cmp.Or(p.SpentIn, t.Counted.Month)
	return t
}

// orderedAt returns the service's time of the order, or now without one.
func orderedAt(o order.Order) time.Time {
	return cmp.Or(o.OrderedAt, time.Now())
}
