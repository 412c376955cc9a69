package announce

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
	cardsbatch "darkroom/cards/batch"
	"darkroom/order"
	"darkroom/store"
)

const (
	// deliveriesTogether is the time after a delivery in which others of its batch join its message.
	deliveriesTogether = 5 * time.Minute
	// deliveriesAwait is how long a delivery waits for others of its batch that are being announced.
	deliveriesAwait = 20 * time.Second
	// mostDeliveryMessages bounds how many messages of a batch are kept current.
	mostDeliveryMessages = 20
)

// tellDeliveries tells the channel of new deliveries, and keeps the messages about earlier ones current.
func (r *batchRun) tellDeliveries(ctx context.Context) error {
	if r.card.TS == "" {
		return nil
	}
	if err := r.addDelivered(ctx); err != nil {
		return err
	}
	for i := range r.card.Deliveries.Messages {
		if err := r.tell(ctx, &r.card.Deliveries.Messages[i]); err != nil {
			return err
		}
	}
	return r.dropDecided(ctx)
}

// addDelivered adds new deliveries to the newest message, or to a new one, and saves that.
func (r *batchRun) addDelivered(ctx context.Context) error {
	fresh, requesters, wait := r.freshDeliveries()
	if wait > 0 {
		return r.updateAfter(ctx, wait)
	}
	if len(fresh) == 0 {
		return nil
	}
	d, now := &r.card.Deliveries, r.d.Now()
	settings, err := r.settings.Of(ctx, r.card.Team, r.card.Channel)
	if err != nil {
		return err
	}
	if n := len(d.Messages); n == 0 || now.Sub(d.Messages[n-1].At) > deliveriesTogether {
		d.Last++
		d.Messages = append(d.Messages, store.DeliveryMessage{Number: d.Last})
	}
	m := &d.Messages[len(d.Messages)-1]
	if settings.News == store.NewsDirect {
		m.Direct = requesters // a job's id has the message's number, so nobody is told twice
	}
	m.At, m.Orders = now, append(m.Orders, fresh...)
	for _, user := range asked(settings, requesters) {
		if !slices.Contains(m.Asks, user) {
			m.Asks = append(m.Asks, user)
		}
	}
	return r.saveDeliveries(ctx)
}

// updateAfter updates the card again after a wait. The announcements that it waits for do the same, unless they fail.
func (r *batchRun) updateAfter(ctx context.Context, wait time.Duration) error {
	job, after := store.BatchUpdate(r.card.Team, r.card.Channel, r.card.ID, r.d.Now().Add(wait))
	return r.later.put(ctx, job, store.BatchJob{Batch: r.card.ID}, wait+after) // after counts from the end of the wait
}

// asked returns whom a message about deliveries mentions: the approvers, else who ordered. Who ordered is not mentioned if
// they get direct messages.
func asked(settings store.Settings, requesters []string) []string {
	switch approvers := settings.Decides.AskedOf(); {
	case len(approvers) > 0:
		return approvers
	case settings.News == store.NewsDirect:
		return nil
	}
	return requesters
}

func (r *batchRun) saveDeliveries(ctx context.Context) error {
	return r.store.SaveDeliveries(ctx, r.card.ID, r.card.Deliveries)
}

// freshDeliveries returns the deliveries that no message tells of, and who ordered them. While others are being
// announced it returns how long to wait for them.
func (r *batchRun) freshDeliveries() (fresh []store.Delivery, requesters []string, wait time.Duration) {
	waits, since := false, r.d.Now()
	for _, t := range slices.Backward(r.orders) {
		review, live := cards.LiveReview(t)
		one := store.Delivery{Order: t.ID, Event: review.ID, Round: t.Order.Rev()}
		switch {
		case !t.InReview(t.Order.Rev()):
			continue
		case !live:
			waits = waits || t.Announced < t.LastEvent
			continue
		case r.card.Deliveries.Has(one):
			continue
		}
		fresh = append(fresh, one)
		if at := whenPosted(review.TS); at.Before(since) {
			since = at
		}
		if who := t.Owner.Requester; who != order.FormerPerson && !slices.Contains(requesters, who) {
			requesters = append(requesters, who)
		}
	}
	if wait = deliveriesAwait - r.d.Now().Sub(since); waits && len(fresh) > 0 && wait > 0 {
		return nil, nil, wait
	}
	return fresh, requesters, 0
}

// tell keeps a message about deliveries current, then has its requesters told.
func (r *batchRun) tell(ctx context.Context, m *store.DeliveryMessage) error {
	if err := r.showDeliveries(ctx, m); err != nil || len(m.Direct) == 0 {
		return err
	}
	if err := r.news.put(ctx, r.card.ID, m); err != nil {
		return err
	}
	m.Direct = nil
	return r.saveDeliveries(ctx)
}

// showDeliveries posts a message about deliveries, or edits it.
func (r *batchRun) showDeliveries(ctx context.Context, m *store.DeliveryMessage) error {
	if m.TS == "" {
		if err := r.recoverDeliveries(ctx, m); err != nil {
			return err
		}
	}
	drawn := cardsbatch.Deliveries(r.channel(ctx), *m)
	content := contentOf(drawn)
	if m.TS == "" && r.d.Now().Sub(r.card.ShownAt) >= shownLife { // the card may be deleted
		if err := r.show(ctx); err != nil {
			return err
		}
	}
	if m.TS == "" {
		settings, err := r.settings.Of(ctx, r.card.Team, r.card.Channel)
		if err != nil {
			return err
		}
		broadcast := cmp.Or(settings.News, store.NewsChannel) == store.NewsChannel || len(m.Direct) > 0 && r.people.allDeactivated(ctx, m.Direct)
		ts, err := r.postMarked(ctx, client.Post{Thread: r.card.TS, Broadcast: broadcast}, drawn, func(at time.Time) error {
			m.Posting = at
			return r.saveDeliveries(ctx)
		})
		if err != nil {
			return err
		}
		m.TS, m.Shown, m.Posting = ts, content, time.Time{}
		return r.saveDeliveries(ctx)
	}
	if m.Shown == content {
		return nil
	}
	err := r.edit(ctx, m.TS, drawn)
	if err != nil && !errors.Is(err, client.ErrGone) && !errors.Is(err, client.ErrNotEditable) { // a deleted one is not posted again
		return err
	}
	m.Shown = content
	return r.saveDeliveries(ctx)
}

// forgotten reports whether a message tells of an order's delivery from before this run of Redis, which may have
// forgotten the message.
func (r *batchRun) forgotten(m *store.DeliveryMessage) func(store.Tracked) bool {
	return func(t store.Tracked) bool {
		review, live := cards.LiveReview(t)
		return live && whenPosted(review.TS).Before(r.since) && slices.ContainsFunc(m.Orders, func(one store.Delivery) bool { return one.Order == t.ID })
	}
}

// recoverDeliveries finds a message about deliveries that was perhaps posted, or that Redis forgot.
func (r *batchRun) recoverDeliveries(ctx context.Context, m *store.DeliveryMessage) error {
	since := m.Posting
	switch {
	case !since.IsZero():
		if err := r.settled(ctx, since); err != nil {
			return err
		}
	case !r.fresh || slices.ContainsFunc(r.orders, r.forgotten(m)):
		since = r.card.Begun
	default:
		return nil
	}
	found, err := r.find(ctx, r.card.TS, since, func(msg slack.Message) bool {
		batch, number := cardsbatch.DeliveriesOf(msg)
		return batch == r.card.ID && number == m.Number
	})
	if err != nil {
		return err
	}
	m.TS, m.Posting = found, time.Time{}
	return r.saveDeliveries(ctx)
}

// dropDecided forgets messages whose deliveries are all decided, and the oldest if there are too many. The newest stays
// while others may join it.
func (r *batchRun) dropDecided(ctx context.Context) error {
	byID := map[string]store.Tracked{}
	for _, t := range r.orders {
		byID[t.ID] = t
	}
	open := func(one store.Delivery) bool {
		t, here := byID[one.Order]
		return here && cardsbatch.Undecided(t, one)
	}
	d := &r.card.Deliveries
	had := len(d.Messages)
	d.Drop(func(i int, m store.DeliveryMessage) bool {
		return i < had-mostDeliveryMessages || !slices.ContainsFunc(m.Orders, open)
	})
	if len(d.Messages) == had {
		return nil
	}
	return r.saveDeliveries(ctx)
}
