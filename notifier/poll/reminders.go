package poll

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"darkroom/order"
	"darkroom/store"
)

const (
	remindEvery = 20 * time.Second // between two checks
	remindBatch = 200              // orders that are read with one command
)

type reminding interface {
	Reminding(ctx context.Context) (map[store.Place]store.Settings, error)
}

// Reminders records what is due by time, for channels that want it: an order waits for somebody, an order
// is late, and a daily digest. Each becomes an event of the order or a job with a deterministic id, so it
// is posted once, whichever replica checks.
type Reminders struct {
	settings  reminding
	record    *store.Orders
	reminders *store.Reminders
	every     time.Duration
	next      time.Time              // time of the next check; zero: at once
	orders    map[string]watched     // active orders by id
	put       map[store.Place]string // the last day with a digest, by channel
}

// watched holds what makes an order due, at one version.
type watched struct {
	version  int64
	place    store.Place
	read     bool                // the fields below are known
	standing store.ReminderState // zero: nobody must act
	estimate time.Time           // expected delivery; zero: not expected, or its lateness was recorded
	late     string              // id of the event for lateness
}

// NewReminders returns reminders for a [Poller]. every is the time between two checks; 0: 20 seconds.
func NewReminders(settings reminding, orders *store.Orders, reminders *store.Reminders, every time.Duration) *Reminders {
	return &Reminders{settings: settings, record: orders, reminders: reminders, every: cmp.Or(every, remindEvery), orders: map[string]watched{}, put: map[store.Place]string{}}
}

// run records what is due. While no channel wants reminders, it costs one command to Redis per check.
func (r *Reminders) run(ctx context.Context, active *trackedOrders) error {
	if r == nil || ctx.Err() != nil || time.Now().Before(r.next) {
		return ctx.Err()
	}
	r.next = time.Now().Add(r.every)
	places, err := r.settings.Reminding(ctx)
	if err != nil || len(places) == 0 {
		clear(r.orders)
		clear(r.put)
		return err
	}
	return errors.Join(r.digests(ctx, places), r.remindAll(ctx, places, active))
}

// wanted reports whether a channel wants reminders. A nil receiver returns false.
func (r *Reminders) wanted(ctx context.Context) (bool, error) {
	if r == nil {
		return false, nil
	}
	places, err := r.settings.Reminding(ctx)
	return len(places) > 0, err
}

// digests puts the jobs of due digests.
func (r *Reminders) digests(ctx context.Context, places map[store.Place]store.Settings) error {
	var errs []error
	for place, settings := range places {
		day, until := order.DigestDue(time.Now(), settings.Digest, settings.Quiet, settings.Clock())
		if day == "" || r.put[place] == day {
			continue
		}
		err := r.reminders.PutDigest(ctx, store.DigestJob{Team: place.Team, Channel: place.Channel, Day: day, Until: until.UTC()})
		if err != nil {
			errs = append(errs, err)
			continue
		}
		r.put[place] = day
	}
	return errors.Join(errs...)
}

// remindAll checks the orders of channels that want reminders. An order's failure does not stop the
// others.
func (r *Reminders) remindAll(ctx context.Context, places map[store.Place]store.Settings, active *trackedOrders) error {
	if err := r.learn(ctx, active); err != nil {
		return fmt.Errorf("reminders: %w", err)
	}
	var errs []error
	for id, w := range r.orders {
		settings, wants := places[w.place]
		if !wants || settings.RemindHours == 0 && !settings.SayLate {
			continue
		}
		if err := untracked(r.remind(ctx, id, w, settings)); err != nil {
			errs = append(errs, fmt.Errorf("reminder of order %s: %w", id, err))
		}
	}
	return errors.Join(errs...)
}

// learn reads the channels of new and changed orders, and drops ended orders.
func (r *Reminders) learn(ctx context.Context, active *trackedOrders) error {
	var changed []string
	for i := range active.orders {
		if o := &active.orders[i]; r.orders[o.id].version != o.known.Version {
			changed = append(changed, o.id)
		}
	}
	for id := range r.orders {
		if active.find(id) == nil {
			delete(r.orders, id)
		}
	}
	for ids := range slices.Chunk(changed, remindBatch) {
		orders, err := r.record.Summaries(ctx, ids)
		if err != nil {
			return err
		}
		for _, t := range orders {
			r.orders[t.ID] = watched{version: t.Version, place: store.Place{Team: t.Owner.Team, Channel: t.Owner.Channel}}
		}
	}
	return nil
}

// remind records what is due for one order, unless the channel has quiet hours.
func (r *Reminders) remind(ctx context.Context, id string, w watched, settings store.Settings) error {
	if !w.read {
		var err error
		if w, err = r.watch(ctx, id); err != nil {
			return err
		}
		r.orders[id] = w
	}
	now := time.Now()
	if settings.Wait(now).After(now) {
		return nil
	}
	if at, ever := w.standing.Due(settings.RemindAfter()); ever && w.standing.Of != "" && settings.RemindHours > 0 && !now.Before(at) {
		return r.recordDue(ctx, id, w.version, order.EventReminder, w.standing.Reminder())
	}
	if settings.SayLate && !w.estimate.IsZero() && now.After(w.estimate) {
		return r.recordDue(ctx, id, w.version, order.EventLate, w.late)
	}
	return nil
}

// watch reads what makes an order due.
func (r *Reminders) watch(ctx context.Context, id string) (watched, error) {
	t, err := r.record.Order(ctx, id)
	if err != nil {
		return watched{}, err
	}
	events, err := r.record.Events(ctx, id)
	if err != nil {
		return watched{}, err
	}
	w := watched{version: t.Version, place: store.Place{Team: t.Owner.Team, Channel: t.Owner.Channel}, read: true, late: store.LateID(t)}
	w.standing, _ = store.ReminderStateOf(t, events)
	recorded := slices.ContainsFunc(events, func(e order.Event) bool { return e.ID == w.late })
	if t.Expected() && !recorded {
		w.estimate = t.Order.EstimatedDelivery
	}
	return w, nil
}

// recordDue records a due event, unless a requested change waits for the service: then nobody must act.
func (r *Reminders) recordDue(ctx context.Context, id string, version int64, kind order.EventKind, event string) error {
	t, err := r.record.Order(ctx, id)
	if err != nil || t.ChangeWaits(time.Now()) {
		return err
	}
	_, err = r.reminders.Say(ctx, id, version, kind, event)
	return err
}
