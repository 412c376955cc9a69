package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// pretendService is a small and fast order service: it checks nothing, not even a signature,
// and answers in the true form. It holds any number of orders in memory.
type pretendService struct {
	server  *http.Server
	base    string
	picture []byte

	latency time.Duration // of every answer; set before it is asked
	creates createMode    // set before it is asked

	requests atomic.Int64
	under    atomic.Int64 // requests under way
	most     atomic.Int64 // at once, so far
	created  atomic.Int64

	mu     sync.RWMutex
	orders []*pretendOrder // newest first
	byID   map[string]*pretendOrder
	first  time.Time // when the first request since reset came
	last   time.Time // when the latest answer was out
}

// createMode is how an order is placed.
type createMode int

const (
	createNever  createMode = iota // the request hangs until whoever asks gives up
	createAtOnce                   // an order is there at once
)

// pretendOrder is one order; its fields are guarded by the service's mutex.
type pretendOrder struct {
	id        string
	status    string
	revision  int
	orderedAt time.Time
	pictures  []string // the addresses of its edits' previews
}

const perPage = 20

func startService(ctx context.Context) (*pretendService, error) {
	s := &pretendService{byID: map[string]*pretendOrder{}}
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 64, 48))); err != nil {
		return nil, err
	}
	s.picture = out.Bytes()
	var err error
	s.server, s.base, err = serve(ctx, s)
	return s, err
}

func (s *pretendService) close() { _ = s.server.Close() }

// hold makes these the orders of the account, newest first.
func (s *pretendService) hold(orders []*pretendOrder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orders, s.byID = orders, make(map[string]*pretendOrder, len(orders))
	for _, o := range orders {
		s.byID[o.id] = o
	}
}

// change changes orders at one moment, and returns it.
func (s *pretendService) change(how func(o *pretendOrder), ids ...string) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		how(s.byID[id])
	}
	return time.Now()
}

// reset begins to count anew.
func (s *pretendService) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests.Store(0)
	s.most.Store(0)
	s.first, s.last = time.Time{}, time.Time{}
}

// span is when the first request came and the latest answer went.
func (s *pretendService) span() (first, last time.Time) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.first, s.last
}

// ServeHTTP answers one request.
func (s *pretendService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if name, ok := strings.CutPrefix(r.URL.Path, "/picture/"); ok {
		s.servePicture(w, r, name)
		return
	}
	s.note(&s.first, true)
	s.requests.Add(1)
	now := s.under.Add(1)
	s.most.Store(max(s.most.Load(), now)) // near enough
	defer s.under.Add(-1)
	defer s.note(&s.last, false)
	if s.latency > 0 {
		select {
		case <-time.After(s.latency):
		case <-r.Context().Done():
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	switch path := r.URL.Path; {
	case path == "/account/balance":
		_, _ = w.Write([]byte(`{"errors":[],"data":{"credits":1000}}`))
	case path == "/orders":
		s.serveList(w, r)
	case path == "/orders/create":
		s.serveCreate(w, r)
	case r.Method == http.MethodGet:
		s.serveOrder(w, strings.TrimPrefix(path, "/orders/"))
	default:
		http.Error(w, "the bench does not ask for this", http.StatusNotFound)
	}
}

// note keeps a moment, the first one or always.
func (s *pretendService) note(at *time.Time, once bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !once || at.IsZero() {
		*at = time.Now()
	}
}

// neverLoads is how the name of a picture ends whose bytes do not come.
const neverLoads = "-never.png"

func (s *pretendService) servePicture(w http.ResponseWriter, r *http.Request, name string) {
	if strings.HasSuffix(name, neverLoads) {
		<-r.Context().Done()
		return
	}
	w.Header().Set("Content-Type", "image/png")
	_, _ = w.Write(s.picture)
}

func (s *pretendService) serveList(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	page = max(page, 1)
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := len(s.orders)
	out := fmt.Appendf(nil, `{"errors":[],"per_page":%d,"current_page":%d,"total_pages":%d,"total_results":%d,"filter_status":"all",`+
		`"filter_keywords":"","filter_customer_id":"","sort_by":"ordered_at","data":[`, perPage, page, (all+perPage-1)/perPage, all)
	for i, o := range s.orders[min((page-1)*perPage, all):min(page*perPage, all)] {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(o.summary(out), '}')
	}
	_, _ = w.Write(append(out, "]}"...))
}

// summary writes an order as a list shows it, but for the closing brace.
func (o *pretendOrder) summary(out []byte) []byte {
	return fmt.Appendf(out, `{"order_id":%q,"project_name":"Order %s","customer_id":"","price":2,"status":%q,"revision":%d,"ordered_at":%q`,
		o.id, o.id, o.status, o.revision, o.orderedAt.Format(time.RFC3339))
}

func (s *pretendService) serveOrder(w http.ResponseWriter, id string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	o := s.byID[id]
	if o == nil {
		_, _ = w.Write([]byte(`{"errors":["Invalid order id."]}`))
		return
	}
	out := append([]byte(`{"errors":[],"data":[`), o.summary(nil)...)
	out = append(out, `,"edited_images":[`...)
	for i, picture := range o.pictures {
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, `{"id":"img%s%d","name":"photo-%d.png","width":640,"height":480,"size":"0.1MB","revision":%d,"uploaded_at":%q,"thumb":%q,"origin":%q}`,
			id, i, i+1, o.revision, o.orderedAt.Format(time.RFC3339), picture, picture)
	}
	_, _ = w.Write(append(out, "]}]}"...))
}

func (s *pretendService) serveCreate(w http.ResponseWriter, r *http.Request) {
	if s.creates == createNever {
		<-r.Context().Done()
		return
	}
	n := s.created.Add(1)
	now := time.Now().UTC().Format(time.RFC3339)
	_ = json.NewEncoder(w).Encode(map[string]any{"errors": []string{}, "data": map[string]any{ // whoever asked has gone
		"order_id": fmt.Sprintf("new%07d", n), "project_name": r.FormValue("project_name"), "customer_id": "", "price": 2, "status": "editing",
		"revision": 0, "ordered_at": now, "estimated_delivery": now,
	}})
}
