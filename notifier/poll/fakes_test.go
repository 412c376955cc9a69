package poll_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/notifier/poll"
	"darkroom/order"
	"darkroom/store"
)

var placedAt = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// fakeService is a fake order service. It lists summaries newest first, 20 a page.
type fakeService struct {
	mu      sync.Mutex
	orders  []order.Order    // newest first
	hidden  map[string]bool  // on no page, as canceled orders are
	broken  map[string]error // by id: what Fetch answers
	refuses error            // what every call answers
	noList  error            // what every page answers
	shift   func(page int)   // called after each page was made
	lie     func(page int, p *order.Page)
	calls   []string
	now     int
	most    int // calls under way at once
	meeting chan struct{}

	takes    time.Duration // each call
	fetching func()        // called before each order is read
	mistake  string        // the call at which the program goes wrong
}

func (s *fakeService) enter(call string) func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call)
	if call == s.mistake {
		panic("a mistake in the program")
	}
	s.now++
	s.most = max(s.most, s.now)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.now--
	}
}

func (s *fakeService) List(ctx context.Context, f order.Filter) (order.Page, error) {
	defer s.enter(fmt.Sprint("list ", f.Page))()
	<-time.After(s.takes)
	if s.meeting != nil {
		<-s.meeting
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := cmp.Or(s.refuses, s.noList); err != nil {
		return order.Page{}, err
	}
	listed := slices.DeleteFunc(slices.Clone(s.orders), func(o order.Order) bool { return s.hidden[o.ID] })
	page := order.Page{PerPage: 20, Current: f.Page, Total: len(listed), TotalPages: (len(listed) + 19) / 20}
	from := min((f.Page-1)*20, len(listed))
	for _, o := range listed[from:min(from+20, len(listed))] {
		o.EditedImages = nil
		page.Orders = append(page.Orders, o)
	}
	if s.lie != nil {
		s.lie(f.Page, &page)
	}
	if s.shift != nil {
		s.shift(f.Page)
	}
	return page, ctx.Err()
}

func (s *fakeService) Fetch(ctx context.Context, id string) (order.Order, error) {
	defer s.enter("fetch " + id)()
	<-time.After(s.takes)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fetching != nil {
		s.fetching()
	}
	if s.refuses != nil {
		return order.Order{}, s.refuses
	}
	if err := s.broken[id]; err != nil {
		return order.Order{}, err
	}
	i := slices.IndexFunc(s.orders, func(o order.Order) bool { return o.ID == id })
	if i < 0 {
		return order.Order{}, order.ErrInvalidOrder
	}
	return s.orders[i], ctx.Err()
}

func (s *fakeService) set(id string, status order.Status, revision int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.orders, func(o order.Order) bool { return o.ID == id })
	s.orders[i].Status, s.orders[i].Revision = status, &revision
	if status == order.StatusReviewing {
		s.orders[i].EditedImages = []order.EditedImage{{ID: "i1", Name: "beach.jpg", Revision: revision}}
	}
}

// asked returns the calls, sorted, and forgets them.
func (s *fakeService) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := slices.Sorted(slices.Values(s.calls))
	s.calls = nil
	return calls
}

// serviceOf returns a service with n orders in editing, a minute apart; o0 is the newest.
func serviceOf(n int) *fakeService {
	s := &fakeService{hidden: map[string]bool{}, broken: map[string]error{}}
	zero := 0
	for i := range n {
		s.orders = append(s.orders, order.Order{
			ID: fmt.Sprint("o", i), Status: order.StatusEditing, Revision: &zero,
			OrderedAt: placedAt.Add(-time.Duration(i) * time.Minute),
		})
	}
	return s
}

// memoryStore is a store in memory.
type memoryStore struct {
	mu       sync.Mutex
	active   map[string]store.Active
	recorded []string // id and status
	images   map[string]int
	missed   []string
	gone     []string
	finished string // an order that is done
	behind   []string
	put      []string
	stale    int             // how many records find a newer version
	failing  map[string]bool // ids whose record fails
	dead     error           // what every read answers
	notes    map[string][]byte
	noted    int // how often something was written down
}

func (n *memoryStore) parts() poll.Store { return poll.Store{n, n, n, n, n} }

func (n *memoryStore) EachActive(_ context.Context, f func(id string, a store.Active)) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for id, a := range n.active {
		f(id, a)
	}
	return n.dead
}

func (n *memoryStore) GetMany(ctx context.Context, docs map[string]any) (map[string]bool, error) {
	there := map[string]bool{}
	for name, doc := range docs {
		err := n.Get(ctx, name, doc)
		if err != nil && !errors.Is(err, store.ErrAbsent) {
			return nil, err
		}
		there[name] = err == nil
	}
	return there, nil
}

func (n *memoryStore) Order(_ context.Context, id string) (store.Tracked, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	a, ok := n.active[id]
	if !ok {
		return store.Tracked{}, store.ErrNotTracked
	}
	return store.Tracked{ID: id, Known: order.Known{Version: a.Version, Order: order.Order{ID: id, Status: a.Status, Revision: &a.Revision}}}, nil
}

func (n *memoryStore) Record(_ context.Context, id string, version int64, seen order.Order) (store.Tracked, []order.Event, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	a := n.active[id]
	if n.failing[id] {
		return store.Tracked{}, nil, fmt.Errorf("disk full")
	}
	if n.stale > 0 {
		n.stale--
		a.Version++
		n.active[id] = a
	}
	if a.Version != version {
		return store.Tracked{}, nil, store.ErrStale
	}
	n.recorded = append(n.recorded, fmt.Sprintf("%s %s", id, seen.Status))
	n.images[id] = len(seen.EditedImages)
	a.Version, a.Status, a.Revision = a.Version+1, seen.Status, seen.Rev()
	a.Missed, a.Gone = store.Missed{}, false
	n.active[id] = a
	if seen.Status.Final() {
		delete(n.active, id)
	}
	return store.Tracked{}, nil, nil
}

func (n *memoryStore) Missed(_ context.Context, id string, at time.Time) (store.Missed, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.missed = append(n.missed, id)
	a := n.active[id]
	if a.Missed.IsZero() {
		a.Missed.Since = at
	}
	a.Missed.Last = at
	n.active[id] = a
	return a.Missed, nil
}

func (n *memoryStore) MarkGone(_ context.Context, id string, _ time.Time) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.gone = append(n.gone, id)
	a := n.active[id]
	a.Gone = true
	n.active[id] = a
	return nil
}

func (n *memoryStore) NewestFinished(context.Context, string, time.Time) (string, error) {
	if n.finished == "" {
		return "", store.ErrNotTracked
	}
	return n.finished, nil
}

func (n *memoryStore) PutTTL(_ context.Context, name string, doc any, _ time.Duration) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.notes == nil {
		n.notes = map[string][]byte{}
	}
	n.noted++
	var err error
	n.notes[name], err = json.Marshal(doc)
	return err
}

func (n *memoryStore) Get(_ context.Context, name string, doc any) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.notes[name] == nil {
		return store.ErrAbsent
	}
	return json.Unmarshal(n.notes[name], doc)
}

func (n *memoryStore) Delete(_ context.Context, name string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.notes, name)
	return nil
}

func (n *memoryStore) Unannounced(context.Context) ([]string, error) { return n.behind, n.dead }

func (n *memoryStore) Announce(_ context.Context, id string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.failing[id] {
		return fmt.Errorf("disk full")
	}
	n.put = append(n.put, id)
	return nil
}

// following is a store that has these orders of the service in their current state.
func following(s *fakeService, numbers ...int) *memoryStore {
	n := &memoryStore{active: map[string]store.Active{}, images: map[string]int{}, failing: map[string]bool{}}
	for _, i := range numbers {
		o := s.orders[i]
		n.active[o.ID] = store.Active{Status: o.Status, Revision: o.Rev(), Version: 1, OrderedAt: o.OrderedAt}
	}
	return n
}

// opsChannel records the messages to the operations channel.
type opsChannel struct {
	mu   sync.Mutex
	said []string
	deaf bool
}

func (e *opsChannel) hear(_ context.Context, sentence string) (sent bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.deaf {
		return false, client.ErrTryLater
	}
	e.said = append(e.said, sentence)
	return true, nil
}

func newPoller(t *testing.T, c poll.Config) *poll.Poller {
	t.Helper()
	if c.Schedule == "" {
		c.Schedule = "@every 30s"
	}
	if c.Ops == nil {
		c.Ops = (&opsChannel{}).hear
	}
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	p, err := poll.New(c)
	require.NoError(t, err)
	return p
}

// silentService is a service that never answers.
type silentService struct{ started, ended int }

func (s *silentService) List(ctx context.Context, _ order.Filter) (order.Page, error) {
	return order.Page{}, s.hang(ctx)
}

func (s *silentService) Fetch(ctx context.Context, _ string) (order.Order, error) {
	return order.Order{}, s.hang(ctx)
}

func (s *silentService) hang(ctx context.Context) error {
	s.started++
	<-ctx.Done()
	s.ended++
	return ctx.Err()
}

// replicas polls with another replica each time, which continues from the one before.
func replicas(t *testing.T, s poll.Service, n poll.Store) (tick func() error) {
	t.Helper()
	var last *poll.Poller
	return func() error {
		p := newPoller(t, poll.Config{Service: s, Store: n})
		p.GoOnFrom(last)
		last = p
		return p.Poll(t.Context())
	}
}

// after waits until all goroutines of a bubble are idle.
func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}
