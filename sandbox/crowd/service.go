package crowd

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const perPage = 20

// address is where the service of a workspace is.
func (c *Crowd) address(w *workspace) string { return c.service[w.number%len(c.service)] }

// serveService answers one request to an order service: that of the account whose key it has.
func (c *Crowd) serveService(out http.ResponseWriter, r *http.Request) {
	asked := time.Now()
	c.requests.Add(1)
	q := r.URL.Query()
	w, _ := c.numbered(q.Get("api_key"), "crowd-key-")
	out.Header().Set("Content-Type", "application/json")
	if w == nil || !w.signed(q) {
		c.violations.add(fmt.Errorf("the service was asked for %s with a key and a signature that do not fit: %q", r.URL.Path, q.Get("api_key")))
		_, _ = out.Write([]byte(`{"errors":["Invalid signature."]}`))
		return
	}
	w.mu.Lock()
	fault := w.fault
	w.mu.Unlock()
	if !c.waits(r, fault, c.o.ServiceLatency) {
		return
	}
	switch path := r.URL.Path; {
	case fault.Down:
		out.WriteHeader(http.StatusServiceUnavailable)
	case path == "/account/balance":
		_, _ = out.Write([]byte(`{"errors":[],"data":{"credits":1000}}`))
	case path == "/orders":
		c.servePage(out, w, q, asked)
	case r.Method == http.MethodGet && strings.HasPrefix(path, "/orders/"):
		c.serveOrder(out, w, strings.TrimPrefix(path, "/orders/"))
	case r.Method == http.MethodPost && strings.HasPrefix(path, "/orders/") && strings.HasSuffix(path, "/message"):
		c.serveMessage(out, w, strings.TrimSuffix(strings.TrimPrefix(path, "/orders/"), "/message"), q)
	case r.Method == http.MethodPost && strings.HasPrefix(path, "/orders/") && (strings.HasSuffix(path, "/approve") || strings.HasSuffix(path, "/revise")):
		id, what, _ := strings.Cut(strings.TrimPrefix(path, "/orders/"), "/")
		c.serveDecision(out, w, id, Decision(what), q)
	default:
		c.violations.add(fmt.Errorf("%s asked the service for %s %s", w.id, r.Method, path))
		http.Error(out, "not in the crowd", http.StatusNotFound)
	}
}

// waits takes the time of an answer; false: nobody waits for it any more.
func (c *Crowd) waits(r *http.Request, f Fault, latency time.Duration) bool {
	var over <-chan time.Time // never
	if !f.Hang {
		if latency+f.Slow == 0 {
			return true
		}
		timer := time.NewTimer(latency + f.Slow)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-over:
		return true
	case <-r.Context().Done():
	case <-c.ended:
	}
	return false
}

// signature is that of a request whose parameters are plain words and numbers.
func signature(secret string, q url.Values) string {
	signed := map[string]string{}
	for name := range q {
		if name != "signature" {
			signed[name] = q.Get(name)
		}
	}
	var text strings.Builder
	for i, name := range slices.Sorted(maps.Keys(signed)) {
		if i > 0 {
			text.WriteByte(',')
		}
		if name == "instructions" || name == "feedback" { // as JSON already
			fmt.Fprintf(&text, "%q:%s", name, signed[name])
			continue
		}
		fmt.Fprintf(&text, "%q:%q", name, signed[name])
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("{" + text.String() + "}"))
	return hex.EncodeToString(mac.Sum(nil))
}

func (c *Crowd) servePage(out http.ResponseWriter, w *workspace, q url.Values, asked time.Time) {
	number, _ := strconv.Atoi(q.Get("page")) // the first
	number = max(number, 1)
	w.mu.Lock()
	if number == 1 {
		w.polled = asked
		c.polls.Add(1)
	}
	page := w.pages[number]
	if page == nil {
		page = c.page(w, number)
		w.pages[number] = page
	}
	w.mu.Unlock()
	_, _ = out.Write(page)
}

// page is one of the list, newest first; the caller holds the lock.
func (c *Crowd) page(w *workspace, number int) []byte {
	all := len(w.orders)
	pages := (all + perPage - 1) / perPage
	out := fmt.Appendf(nil, `{"errors":[],"per_page":%d,"current_page":%d,"total_pages":%d,"total_results":%d,"filter_status":"all",`+
		`"filter_keywords":"","filter_customer_id":"","sort_by":"ordered_at","data":[`, perPage, number, pages, all)
	from, to := all-(number-1)*perPage-1, all-number*perPage
	for n := from; n >= max(to, 0); n-- {
		if n < from {
			out = append(out, ',')
		}
		if o := &w.orders[n]; o.seen.IsZero() {
			o.seen = time.Now()
		}
		out = append(c.summary(out, w, n), '}')
	}
	return append(out, "]}"...)
}

// summary writes an order as a list shows it, but for the closing brace; the caller holds the lock.
func (c *Crowd) summary(out []byte, w *workspace, n int) []byte {
	status, revision := w.stage(n)
	return fmt.Appendf(out, `{"order_id":%q,"project_name":%q,"customer_id":"","price":2,"status":%q,"revision":%d,"ordered_at":%q`,
		orderID(n), w.name(n), status, revision, c.orderedAt(w, n).Format(time.RFC3339))
}

func (o orderState) status() string {
	if o.changes%2 == 1 {
		return "paused"
	}
	return "editing"
}

func (c *Crowd) serveOrder(out http.ResponseWriter, w *workspace, id string) {
	n, err := numberOf(id)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil || n >= len(w.orders) {
		_, _ = out.Write([]byte(`{"errors":["Invalid order id."]}`))
		return
	}
	_, _ = out.Write(append(c.summary([]byte(`{"errors":[],"data":[`), w, n), `,"edited_images":`+w.images(n)+"}]}"...))
}

// numberOf is that of an order.
func numberOf(id string) (int, error) {
	digits, ours := strings.CutPrefix(id, "ord")
	if !ours {
		return 0, errors.New("no order of the crowd: " + id)
	}
	return strconv.Atoi(digits)
}

// metadata is what a message of the app's says of itself.
type metadata struct {
	Type    string `json:"event_type"`
	Payload struct {
		Order      string      `json:"order_id"`
		Event      string      `json:"event"`
		Generation json.Number `json:"generation"`
	} `json:"event_payload"`
}
