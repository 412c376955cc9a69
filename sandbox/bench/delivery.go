package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
)

// deliveryResult is how long a change at the service takes to its message.
type deliveryResult struct {
	Idle      figures `json:"idle_ms"`       // change to message
	IdleAfter figures `json:"idle_after_ms"` // from the tick that could see it
	Busy      figures `json:"busy_ms"`
	BusyAfter figures `json:"busy_after_ms"` // from the later of that tick and the channel's pace

	Announcements int     `json:"announcements"`
	Channels      int     `json:"channels"`
	SpreadS       float64 `json:"spread_s"`      // from the first of them to the last
	FloorS        float64 `json:"floor_s"`       // what one a second a channel takes at least
	FromChangeS   float64 `json:"from_change_s"` // to the last
	Limited       int     `json:"limited"`       // how often Slack said 429

	Review     figures `json:"review_ms"`      // change to Ready for review, all pictures there
	ReviewSlow figures `json:"review_slow_ms"` // with one that never loads; to the message
	ReviewNone figures `json:"review_none_ms"` // with three of which none ever loads; to the message
	Beside     figures `json:"beside_ms"`      // another order of that channel, changed at the same time
}

// figures are a few durations in milliseconds.
type figures struct {
	P50  float64 `json:"p50"`
	Most float64 `json:"most"`
}

func figuresOf(all []time.Duration) figures {
	s := spanOf(millis(all))
	return figures{P50: s.Median, Most: s.Most}
}

// The sizes of the part.
const (
	samplesOfChange = 15
	crowdChannels   = 100
	crowdOrders     = 1000
	reviews         = 3
	pace            = 1005 * time.Millisecond // between two messages of a channel, as the app keeps it
)

// deliveryWorld is the real binary between a Slack that checks everything and fetches pictures,
// the sandbox's, and the small service.
type deliveryWorld struct {
	*bench
	slack   *workspace.Workspace
	service *pretendService
	redis   *redisServer
	app     *process
	orders  []*pretendOrder
	cards   map[string]store.Tracked // by order
}

func channelOf(n int) string { return fmt.Sprintf("C0BENCH%03d", n) }

// delivery measures changes in an idle channel and in a busy one, a thousand at once, and reviews.
func (b *bench) delivery() error {
	w, err := b.startDelivery()
	if err != nil {
		return err
	}
	defer w.close()
	r := &deliveryResult{Announcements: crowdOrders, Channels: crowdChannels}
	for _, part := range []func(*deliveryResult) error{w.changes, w.reviews, w.crowd} {
		if err := part(r); err != nil {
			return fmt.Errorf("%w; the app says:\n%s", err, w.app.said())
		}
	}
	for _, call := range w.slack.Requests() {
		if call.Error == "ratelimited" {
			r.Limited++
		}
	}
	log.Printf("idle %.0f ms after the tick, busy %.0f ms after tick and pace, crowd %.2f s of %.2f s, review %.0f ms, slow %.0f ms, beside it %.0f ms",
		r.IdleAfter.P50, r.BusyAfter.P50, r.SpreadS, r.FloorS, r.Review.P50, r.ReviewSlow.P50, r.Beside.P50)
	b.results.Delivery = r
	return nil
}

func (b *bench) startDelivery() (w *deliveryWorld, err error) {
	w = &deliveryWorld{bench: b, cards: map[string]store.Tracked{}}
	o := workspace.Options{BotToken: "xoxb-bench", SigningSecret: signingSecret}
	for n := range crowdChannels {
		o.Channels = append(o.Channels, workspace.Channel{ID: channelOf(n), Name: fmt.Sprintf("bench-%03d", n), Members: []string{"maria", "darkroom"}})
	}
	w.slack = workspace.New(o)
	if err := w.slack.Start(); err != nil {
		return nil, err
	}
	if w.service, err = startService(b.ctx); err != nil {
		return nil, err
	}
	if w.redis, err = b.startRedis(); err != nil {
		return nil, err
	}
	var addr string
	w.app, addr, err = b.startDarkroom([]string{
		"SLACK_SIGNING_SECRET=" + signingSecret, "SLACK_BOT_TOKEN=xoxb-bench", "SLACK_API_URL=" + w.slack.APIURL(),
		"UPSTREAM_URL=" + w.service.base, "UPSTREAM_API_KEY=bench-key", "UPSTREAM_API_SECRET=bench-secret", "UPSTREAM_RATE=1000",
		"REDIS_URL=" + w.redis.url, "DARKROOM_ALLOW_PRIVATE_URLS=true", "POLL_SCHEDULE=@every 1s",
	})
	w.slack.SetAppURL("http://" + addr)
	return w, err
}

func (w *deliveryWorld) close() {
	w.app.kill()
	w.redis.stop()
	w.service.close()
	w.slack.Close()
}

// place makes so many new orders, one in each of these channels, and waits until they are announced.
func (w *deliveryWorld) place(channels []string) ([]string, error) {
	var ids []string
	now := time.Now().UTC().Truncate(time.Second)
	for range channels {
		o := pollOrder(len(w.orders), now)
		w.orders = append(w.orders, o)
		ids = append(ids, o.id)
	}
	newestFirst := slices.Clone(w.orders)
	slices.Reverse(newestFirst)
	w.service.hold(newestFirst)
	err := parallel(8, 0, int64(len(ids)), func(n int64) error {
		id := ids[n]
		_, err := w.redis.store.Changes.AddOrder(w.ctx, store.NewOrder{
			ID: id, Owner: store.Owner{Team: team, Channel: channels[n], Requester: person1}, Reference: "R" + id[4:],
			Brief: &order.Brief{By: person1, Instructions: []string{"Even out the light."}, Service: order.ServiceBasic, Sources: []order.Source{{Name: "beach.jpg"}}},
			Order: order.Order{ID: id, ProjectName: "Order " + id, Status: order.Status("editing"), Revision: new(int), OrderedAt: now},
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return ids, w.announced(ids)
}

// announced waits until the channels show all that is recorded of these orders.
func (w *deliveryWorld) announced(ids []string) error {
	for _, id := range ids {
		err := w.until("order "+id+" announced", 2*time.Minute, 20*time.Millisecond, func() bool {
			t, err := w.redis.store.Orders.Order(w.ctx, id)
			w.cards[id] = t
			return err == nil && t.CardTS != "" && t.Announced >= t.LastEvent
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// set changes the status of orders at the service, at one moment.
func (w *deliveryWorld) set(status string, ids ...string) time.Time {
	return w.service.change(func(o *pretendOrder) { o.status = status }, ids...)
}

// reply waits for a reply of an order's thread that begins with these words and came after a
// moment, and returns when it came.
func (w *deliveryWorld) reply(id, begins string, after time.Time, patience time.Duration) (time.Time, error) {
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	var came time.Time
	t := w.cards[id]
	err := w.slack.Wait(ctx, func() bool {
		for _, m := range w.slack.Thread(t.Owner.Channel, t.CardTS) {
			at := arrival(m)
			if m.TS != t.CardTS && at.After(after) && strings.Contains(m.Text, begins) {
				came = at
				return true
			}
		}
		return false
	})
	if err != nil {
		err = fmt.Errorf("no reply %q for %s: %w", begins, id, err)
	}
	return came, err
}

// arrival is when Slack took a message: its timestamp says so.
func arrival(m workspace.Message) time.Time {
	seconds, fraction, _ := strings.Cut(m.TS, ".")
	s, _ := strconv.ParseInt(seconds, 10, 64)
	micro, _ := strconv.ParseInt(fraction, 10, 64)
	return time.Unix(s, micro*1000)
}

// nextTick is when a poll that comes each second can first see what changed at this moment.
func nextTick(changed time.Time) time.Time { return changed.Truncate(time.Second).Add(time.Second) }

// changes measures one order after the other, each in a channel of its own: paused while its channel
// is idle, and at work again right after that was said.
func (w *deliveryWorld) changes(r *deliveryResult) error {
	var channels []string
	for n := range samplesOfChange {
		channels = append(channels, channelOf(n))
	}
	ids, err := w.place(channels)
	if err != nil {
		return err
	}
	draws := rand.New(rand.NewPCG(3, 3))
	var idle, idleAfter, busy, busyAfter []time.Duration
	if err := w.pause(2 * pace); err != nil {
		return err
	}
	for _, id := range ids {
		if err := w.pause(time.Duration(draws.IntN(1000)) * time.Millisecond); err != nil {
			return err
		}
		changed := w.set("paused", id)
		said, err := w.reply(id, "Paused", changed, 20*time.Second)
		if err != nil {
			return err
		}
		idle, idleAfter = append(idle, said.Sub(changed)), append(idleAfter, said.Sub(nextTick(changed)))
		changed = w.set("editing", id)
		again, err := w.reply(id, "Work goes on", changed, 20*time.Second)
		if err != nil {
			return err
		}
		soonest := nextTick(changed)
		if said.Add(pace).After(soonest) {
			soonest = said.Add(pace)
		}
		busy, busyAfter = append(busy, again.Sub(changed)), append(busyAfter, again.Sub(soonest))
	}
	r.Idle, r.IdleAfter, r.Busy, r.BusyAfter = figuresOf(idle), figuresOf(idleAfter), figuresOf(busy), figuresOf(busyAfter)
	return nil
}

// reviews measures edits that are there for review: in some channels all previews load, in some one
// of three never does. In the latter another order changes at the same time.
func (w *deliveryWorld) reviews(r *deliveryResult) error {
	var good, slow, none, beside []time.Duration
	for n := range reviews {
		base := samplesOfChange + 3*n
		ids, err := w.place([]string{channelOf(base), channelOf(base + 1), channelOf(base + 2), channelOf(base + 1)})
		if err != nil {
			return err
		}
		if err := w.pause(2 * pace); err != nil {
			return err
		}
		a, b, c := fmt.Sprintf("%d-a", n), fmt.Sprintf("%d-b", n), fmt.Sprintf("%d-c", n) // what was looked at is known for a while
		changed := w.deliver(ids[0], a+".png", b+".png", c+".png")
		w.deliver(ids[1], a+"-2.png", b+neverLoads, c+"-2.png")
		w.deliver(ids[2], a+"-3"+neverLoads, b+"-3"+neverLoads, c+"-3"+neverLoads)
		w.set("paused", ids[3])
		var came [4]time.Time
		words := [4]string{"Ready for review", "Ready for review", "Ready for review", "Paused"}
		for i, id := range ids {
			if came[i], err = w.reply(id, words[i], changed.Add(-time.Second), 90*time.Second); err != nil {
				return err
			}
		}
		good, slow = append(good, came[0].Sub(changed)), append(slow, came[1].Sub(changed))
		none, beside = append(none, came[2].Sub(changed)), append(beside, came[3].Sub(changed))
	}
	r.Review, r.ReviewSlow, r.ReviewNone, r.Beside = figuresOf(good), figuresOf(slow), figuresOf(none), figuresOf(beside)
	return nil
}

// deliver puts an order into review with edits whose previews have these names.
func (w *deliveryWorld) deliver(id string, names ...string) time.Time {
	return w.service.change(func(o *pretendOrder) {
		o.status, o.pictures = "reviewing", nil
		for _, name := range names {
			o.pictures = append(o.pictures, w.service.base+"/picture/"+name)
		}
	}, id)
}

// crowd changes a thousand orders in a hundred channels at one moment.
func (w *deliveryWorld) crowd(r *deliveryResult) error {
	var channels []string
	for n := range crowdOrders {
		channels = append(channels, channelOf(n%crowdChannels))
	}
	ids, err := w.place(channels)
	if err != nil {
		return err
	}
	if err := w.pause(2 * pace); err != nil {
		return err
	}
	changed := w.set("paused", ids...)
	each := crowdOrders / crowdChannels
	if err := w.pause(time.Duration(each-1) * time.Second); err != nil { // who looks takes time from Slack and Redis
		return err
	}
	var first, last time.Time
	for _, id := range ids {
		came, err := w.reply(id, "Paused", changed, 2*time.Minute)
		if err != nil {
			return err
		}
		if first.IsZero() || came.Before(first) {
			first = came
		}
		if came.After(last) {
			last = came
		}
	}
	if last.IsZero() {
		return errors.New("nothing was announced")
	}
	r.SpreadS, r.FromChangeS, r.FloorS = last.Sub(first).Seconds(), last.Sub(changed).Seconds(), float64(each-1)
	return nil
}
