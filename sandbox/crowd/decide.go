package crowd

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// An order may be delivered, and its people decide by a form: they ask for changes, or approve. What they ask for is entered into
// the ledger, as what they say is: the service must have it once, and the order's thread must tell of each step once, in order.

// Decision is what people do with an order that was delivered.
type Decision string

// The decisions.
const (
	Approve Decision = "approve"
	Revise  Decision = "revise"
)

// round is an order that was delivered, or was before.
type round struct {
	status   string
	revision int
	asked    []*decisionSent
	due      []step // what the thread must tell, in order
	told     int    // of these
}

// decisionSent is one decision that was sent to the app.
type decisionSent struct {
	what    Decision
	words   string
	filled  time.Time // when its form was there to be sent
	taken   time.Time // when the app had acknowledged it; zero: it did not say so
	arrived time.Time // when the service did it; zero: never
}

// step is an event that an order's thread must tell.
type step struct {
	event string
	at    time.Time
}

// Deliver has the service finish an order: its pictures wait for its people. false: they wait already, or it is closed.
func (c *Crowd) Deliver(workspace, order int) bool {
	w := c.workspaces[workspace]
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.rounds == nil {
		w.rounds = map[int]*round{}
	}
	r := w.rounds[order]
	if r == nil {
		r = &round{status: "revising"}
		w.rounds[order] = r
	}
	if r.status != "revising" {
		return false
	}
	r.status = "reviewing"
	c.happened(w, r, fmt.Sprintf("ready:r%d", r.revision))
	return true
}

// happened notes what the thread must tell; the caller holds the lock.
func (c *Crowd) happened(w *workspace, r *round, event string) {
	r.due = append(r.due, step{event, time.Now()})
	clear(w.pages)
	c.untold.Add(1)
}

// Shown tells whether an order's thread tells of all that happened to it since it was delivered first.
func (c *Crowd) Shown(workspace, order int) bool {
	w := c.workspaces[workspace]
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.rounds[order]
	return r != nil && r.told == len(r.due)
}

// toldRound enters a message about an order that was delivered into the ledger; false: it is not among its events. The caller holds the lock.
func (c *Crowd) toldRound(w *workspace, order int, m *Message) bool {
	r := w.rounds[order]
	if r == nil {
		return false
	}
	if r.told < len(r.due) && m.Event == r.due[r.told].event {
		c.times.add(Latency{Workspace: w.number, Order: order, Changed: r.due[r.told].at, Told: m.At})
		r.told++
		c.untold.Add(-1)
		return true
	}
	if i := slices.IndexFunc(r.due, func(s step) bool { return s.event == m.Event }); i >= 0 {
		how := "out of order"
		if i < r.told {
			how = "again"
		}
		c.violations.add(fmt.Errorf("%s: %s of %s was told %s, as %s", w.id, m.Event, m.Order, how, m.TS))
		return true
	}
	return false
}

// Decide has the person of a workspace decide about an order by its form, through an app at that address: they open it, fill it in and
// send it, again when the app did not answer. It tells whether the app took it. Words are those of changes, as [Crowd.Say] wants them.
func (c *Crowd) Decide(ctx context.Context, app string, workspace, order int, what Decision, words string) (taken bool) {
	w := c.workspaces[workspace]
	trigger := w.trigger()
	if !c.line(ctx, app, w, order, trigger, string(what)+" "+orderID(order)) {
		return false
	}
	v := c.filled(ctx, w, trigger)
	if v == nil {
		c.refusals.add("no form")
		return false
	}
	a := &decisionSent{what: what, words: words, filled: time.Now()}
	w.mu.Lock()
	r := w.rounds[order]
	r.asked = append(r.asked, a)
	w.mu.Unlock()
	for range redelivery {
		if taken = c.submit(ctx, app, w, v, words); taken {
			break
		}
		pause(ctx, 300*time.Millisecond)
	}
	if taken {
		w.mu.Lock()
		a.taken = time.Now()
		w.mu.Unlock()
	}
	return taken
}

// Done tells whether that was decided last about an order, and the service did it.
func (c *Crowd) Done(workspace, order int, what Decision) bool {
	w := c.workspaces[workspace]
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.rounds[order]
	if r == nil || len(r.asked) == 0 {
		return false
	}
	last := r.asked[len(r.asked)-1]
	return last.what == what && !last.arrived.IsZero()
}

// stage is how an order is at the service; the caller holds the lock.
func (w *workspace) stage(order int) (status string, revision int) {
	if r := w.rounds[order]; r != nil {
		return r.status, r.revision
	}
	return w.orders[order].status(), 0
}

// images are the edited ones of an order, as JSON; the caller holds the lock.
func (w *workspace) images(order int) string {
	r := w.rounds[order]
	if r == nil || len(r.due) == 0 {
		return "[]"
	}
	last := r.revision
	if r.status == "revising" {
		last--
	}
	var all []string
	for n := range last + 1 {
		all = append(all, fmt.Sprintf(`{"id":"img%d","name":"beach.jpg","width":10,"height":10,"size":"1 kB","revision":%d,"uploaded_at":%q,"thumb":"","origin":""}`,
			n, n, r.due[min(2*n, len(r.due)-1)].at.UTC().Format(time.RFC3339)))
	}
	return "[" + strings.Join(all, ",") + "]"
}

const clock = "15:04:05.000"

const wrongStatus = `{"errors":["invalid order status"]}`

// serveDecision is an approval, or a request for changes.
func (c *Crowd) serveDecision(out http.ResponseWriter, w *workspace, id string, what Decision, q url.Values) {
	n, err := numberOf(id)
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.rounds[n]
	if err != nil || r == nil || r.status != "reviewing" {
		_, _ = out.Write([]byte(wrongStatus))
		return
	}
	words := ""
	if what == Revise {
		var asked map[string][]string
		if err := json.Unmarshal([]byte(q.Get("instructions")), &asked); err != nil {
			c.violations.add(fmt.Errorf("%s asked for changes of %s with %q", w.id, id, q.Get("instructions")))
		}
		for _, lines := range asked {
			words = strings.Join(lines, "\n")
		}
	}
	i := slices.IndexFunc(r.asked, func(a *decisionSent) bool { return a.what == what && (what == Approve || a.words == words) })
	switch {
	case i < 0:
		c.violations.add(fmt.Errorf("the account of %s was asked to %s %s with %q, which nobody there did", w.id, what, id, words))
	case !r.asked[i].arrived.IsZero():
		c.violations.add(fmt.Errorf("the account of %s was asked to %s %s with %q a second time", w.id, what, id, words))
	default:
		r.asked[i].arrived = time.Now()
	}
	r.status = "closed"
	event := "approved"
	if what == Revise {
		r.status, r.revision = "revising", r.revision+1
		event = fmt.Sprintf("changes:r%d", r.revision)
	}
	c.happened(w, r, event)
	answer := c.summary([]byte(`{"errors":[],"data":[`), w, n)
	if what == Approve {
		answer = fmt.Appendf(answer, `,"closed_at":%q`, time.Now().UTC().Format(time.RFC3339))
	}
	_, _ = out.Write(append(answer, "}]}"...))
}

// decisionProblems are the decisions that were taken and not done, and the steps that were not told.
func (c *Crowd) decisionProblems() (errs []error) {
	for _, w := range c.workspaces {
		w.mu.Lock()
		for n, r := range w.rounds {
			for _, s := range r.due[r.told:] {
				errs = append(errs, fmt.Errorf("%s: %s of %s was not told, %s after it happened", w.id, s.event, orderID(n), time.Since(s.at).Round(time.Millisecond)))
			}
			for _, a := range r.asked {
				if !a.taken.IsZero() && a.arrived.IsZero() && !r.decidedBefore(a) {
					errs = append(errs, fmt.Errorf("%s: to %s %s with %q was taken at %s, and the service was not asked", w.id, a.what, orderID(n), a.words, a.taken.Format(clock)))
				}
			}
		}
		w.mu.Unlock()
	}
	return errs[:min(len(errs), mostNoted)]
}

// decidedBefore tells that an earlier decision, whose acknowledgement was lost, was done: the same one, or another that came
// while this form was open. Its person read so, and nothing else was done.
func (r *round) decidedBefore(a *decisionSent) bool {
	return slices.ContainsFunc(r.asked[:slices.Index(r.asked, a)], func(b *decisionSent) bool {
		return b.taken.IsZero() && !b.arrived.IsZero() && (b.what == a.what || b.arrived.After(a.filled))
	})
}

// Decided is how decisions fared: how many were sent, taken by the app, and done at the service.
func (c *Crowd) Decided() (sent, taken, done map[Decision]int) {
	sent, taken, done = map[Decision]int{}, map[Decision]int{}, map[Decision]int{}
	for _, w := range c.workspaces {
		w.mu.Lock()
		for _, r := range w.rounds {
			for _, a := range r.asked {
				sent[a.what]++
				if !a.taken.IsZero() {
					taken[a.what]++
				}
				if !a.arrived.IsZero() {
					done[a.what]++
				}
			}
		}
		w.mu.Unlock()
	}
	return sent, taken, done
}
