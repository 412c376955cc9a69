package crowd

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// serveMessage is a message to the editor of an order. As with the service, the same words are taken once.
func (c *Crowd) serveMessage(out http.ResponseWriter, w *workspace, id string, q url.Values) {
	n, err := numberOf(id)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil || n >= len(w.orders) {
		_, _ = out.Write([]byte(`{"errors":["Invalid order id."]}`))
		return
	}
	text := q.Get("content_text")
	t := w.conversationOf(n)
	s := t.find(text)
	switch {
	case s == nil:
		c.violations.add(fmt.Errorf("the editor of %s at the account of %s got words that nobody there said: %q", id, w.id, text))
	case !s.arrived.IsZero():
		s.repeats++
		_, _ = out.Write([]byte(`{"errors":["Please do not post duplicated message"]}`))
		return
	default:
		s.arrived = time.Now()
		t.arrivals = append(t.arrivals, s)
		c.unshown.Add(1)
		if !s.began.IsZero() {
			c.undelivered.Add(-1)
		}
	}
	var lines []object
	for _, s := range slices.Backward(t.arrivals) {
		lines = append(lines, object{"from": "client", "content": s.text, "revision": 0, "created_at": s.arrived.UTC().Format(time.RFC3339)})
	}
	conversation, err := json.Marshal(lines)
	if err != nil {
		c.violations.add(err)
	}
	answer := append(c.summary([]byte(`{"errors":[],"data":[`), w, n), `,"conversations":`...)
	_, _ = out.Write(append(append(answer, conversation...), "}]}"...))
}

// toldMessage enters a message of the app's that tells of a message to an editor; false: it tells of none. The caller holds the
// lock of the workspace.
func (c *Crowd) toldMessage(w *workspace, order int, m *Message) bool {
	if !strings.HasPrefix(m.Event, "message:") {
		return false
	}
	t := w.conversationOf(order)
	s := t.named(m.Event)
	switch {
	case s == nil:
		c.violations.add(fmt.Errorf("%s: %s of %s was told as %s, and nobody there said that", w.id, m.Event, m.Order, m.TS))
		return true
	case slices.Contains(t.shown, s):
		c.violations.add(fmt.Errorf("%s: %s of %s was told twice, the second time as %s", w.id, m.Event, m.Order, m.TS))
		return true
	case s.arrived.IsZero():
		c.violations.add(fmt.Errorf("%s: %s of %s was told as %s before it had arrived", w.id, m.Event, m.Order, m.TS))
		return true
	}
	if s.shown = time.Now(); t.arrivals[len(t.shown)] != s {
		c.violations.add(fmt.Errorf("%s: %s of %s was told as %s, out of order", w.id, m.Event, m.Order, m.TS))
	}
	t.shown = append(t.shown, s)
	c.unshown.Add(-1)
	return true
}
