package crowd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"time"
)

// metadataType is that of what the app says about an order.
const metadataType = "darkroom_order"

// Message is one that was posted.
type Message struct {
	Workspace int // whose token it was posted with
	Channel   string
	Thread    string // ts of the card in whose thread it is
	Broadcast bool
	TS        string
	At        time.Time // when it came
	Text      string    // as it is now
	Edits     int       // since then
	Removed   bool

	Order string // that it says it is of
	Event string // what it tells

	metadata string // as it came
}

// object is the message as Slack shows it.
func (m *Message) object() object {
	o := object{"type": "message", "ts": m.TS, "user": botUser, "bot_id": botID, "text": m.Text}
	if m.Thread != "" {
		o["thread_ts"] = m.Thread
	}
	if m.metadata != "" {
		o["metadata"] = json.RawMessage(m.metadata)
	}
	return o
}

// Change has an order change at the service: it is paused, and the next time it is at work again. It returns false, and changes
// nothing, while the change before it was not told: what nobody looks at between two changes need not be told.
func (c *Crowd) Change(workspace, order int) bool {
	w := c.workspaces[workspace]
	w.mu.Lock()
	defer w.mu.Unlock()
	o := &w.orders[order]
	if o.told < o.changes {
		return false
	}
	o.changes++
	o.changed, o.seen = time.Now(), time.Time{}
	clear(w.pages)
	c.untold.Add(1)
	return true
}

// Untold is how many changes were not told yet.
func (c *Crowd) Untold() int { return int(c.untold.Load()) }

// Settle waits until all changes were told. When ctx ends before it names what was not.
func (c *Crowd) Settle(ctx context.Context) error {
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for c.untold.Load() > 0 {
		select {
		case <-look.C:
		case <-ctx.Done():
			return errors.Join(append(c.lost(), ctx.Err())...)
		}
	}
	return nil
}

// eventOf is the id of the event that the nth change is, from 1.
func eventOf(change int32) string {
	name := "paused"
	if change%2 == 0 {
		name = "resumed"
	}
	if pause := (change + 1) / 2; pause > 1 {
		return fmt.Sprintf("%s:%d", name, pause)
	}
	return name
}

// Latency is how long a change took to its message.
type Latency struct {
	Workspace, Order int
	Changed          time.Time // at the service
	Seen             time.Time // when the service first showed it
	Told             time.Time // when its message came
}

// told enters a message into the ledger; the caller holds the lock of its workspace.
func (c *Crowd) told(w *workspace, m *Message) {
	var about metadata
	if json.Unmarshal([]byte(m.metadata), &about) != nil || about.Type != metadataType {
		return // it is of no order
	}
	m.Order, m.Event = about.Payload.Order, about.Payload.Event
	n, err := numberOf(m.Order)
	if err != nil || n >= len(w.orders) {
		c.violations.add(fmt.Errorf("%s was told of %s, which it has not", w.id, m.Order))
		return
	}
	o := &w.orders[n]
	if m.Channel != w.channel(n) || m.Thread != cardTS(n) {
		c.violations.add(fmt.Errorf("%s: %s of %s was told in %s below %s, and belongs into %s below %s", w.id, m.Event, m.Order, m.Channel, m.Thread, w.channel(n), cardTS(n)))
	}
	if c.toldMessage(w, n, m) || c.toldRound(w, n, m) {
		return
	}
	if o.told < o.changes && m.Event == eventOf(o.told+1) {
		o.told++
		c.untold.Add(-1)
		c.times.add(Latency{Workspace: w.number, Order: n, Changed: o.changed, Seen: o.seen, Told: m.At})
		return
	}
	for k := int32(1); k <= o.told; k++ {
		if m.Event == eventOf(k) {
			c.violations.add(fmt.Errorf("%s: %s of %s was told twice, the second time as %s", w.id, m.Event, m.Order, m.TS))
			return
		}
	}
	c.violations.add(fmt.Errorf("%s: %s of %s was told as %s, and has not happened: it changed %d times, of which %d were told", w.id, m.Event, m.Order, m.TS, o.changes, o.told))
}

// Times are how long changes took to their messages that were told since it was asked for last.
func (c *Crowd) Times() []Latency { return c.times.take() }

// Told are the messages that were posted with a workspace's token, oldest first, those of no order and those that were removed too.
func (c *Crowd) Told(workspace int) []Message {
	w := c.workspaces[workspace]
	w.mu.Lock()
	defer w.mu.Unlock()
	all := make([]Message, len(w.messages))
	for i, m := range w.messages {
		all[i] = *m
	}
	return all
}

// names are ids of workspaces, in any words.
var names = regexp.MustCompile(`T0CROWD\d{5}`)

// overheard notes when what a workspace's token says names another workspace.
func (c *Crowd) overheard(w *workspace, with url.Values) {
	for _, part := range []string{"text", "blocks"} {
		for _, name := range names.FindAllString(with.Get(part), -1) {
			if name != w.id {
				c.violations.add(fmt.Errorf("%s was told of an order of %s: %.200s", w.id, name, with.Get("text")))
				return
			}
		}
	}
}

// lost are the changes that were not told, the first ones of them.
func (c *Crowd) lost() []error { return c.Lost(nil) }

// Lost are the changes that were not told yet, up to fifty of them, but those of workspaces that are left out.
func (c *Crowd) Lost(without map[int]bool) (errs []error) {
	for _, w := range c.workspaces {
		if without[w.number] {
			continue
		}
		w.mu.Lock()
		for n, o := range w.orders {
			if o.told < o.changes && len(errs) < mostNoted {
				errs = append(errs, fmt.Errorf("%s: %s of %s was not told, %s after it happened", w.id, eventOf(o.told+1), orderID(n), time.Since(o.changed).Round(time.Millisecond)))
			}
		}
		w.mu.Unlock()
	}
	return errs
}

// Check names each message that is lost, doubled, out of order or told to the wrong workspace or channel, and what else should never
// have come; up to fifty of each. Call [Crowd.Settle] before.
func (c *Crowd) Check() error {
	return errors.Join(append(slices.Concat(c.lost(), c.messageProblems(), c.decisionProblems()), c.violations.err())...)
}

// Wrong is Check without what was not told: that may still come.
func (c *Crowd) Wrong() error { return c.violations.err() }

// Requests is how many came to the services so far.
func (c *Crowd) Requests() int64 { return c.requests.Load() }

// Polls is how often a list of orders was asked for from its first page, and answered.
func (c *Crowd) Polls() int64 { return c.polls.Load() }

// Renewals are how often a token was renewed.
func (c *Crowd) Renewals() int { return int(c.renewals.Load()) }

// Polled are the workspaces that were polled since a time, by number.
func (c *Crowd) Polled(since time.Time) (numbers []int) {
	for n, w := range c.workspaces {
		w.mu.Lock()
		if !w.polled.Before(since) {
			numbers = append(numbers, n)
		}
		w.mu.Unlock()
	}
	return slices.Clip(numbers)
}
