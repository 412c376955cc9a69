package poll_test

import (
	"context"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/notifier/poll"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// writes counts commands that may write.
type writes struct {
	mu  sync.Mutex
	all []string
}

func (w *writes) note(cmd redis.Cmder) {
	reading := []string{"get", "mget", "hget", "hgetall", "hscan", "hmget", "lrange", "smembers", "sscan", "zrange", "exists"}
	if name := strings.ToLower(cmd.Name()); !slices.Contains(reading, name) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.all = append(w.all, name)
	}
}

func (w *writes) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

func (w *writes) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		w.note(cmd)
		return next(ctx, cmd)
	}
}

func (w *writes) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		for _, cmd := range cmds {
			w.note(cmd)
		}
		return next(ctx, cmds)
	}
}

// serviceWith is a service with the given order among others.
func serviceWith(orders int) *fakeService {
	s := serviceOf(orders)
	s.orders[orders/2].ID = orderID
	return s
}

// record is a store with one channel's order.
type record struct{ *store.Store }

const orderID = "ord1"

func newRecord(rdb redis.UniversalClient) *record {
	return &record{store.New(rdb, queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)}))}
}

// place adds the order.
func (r *record) place(t *testing.T) {
	t.Helper()
	zero := 0
	_, err := r.Changes.AddOrder(t.Context(), store.NewOrder{
		ID: orderID, Reference: "K7Q2XM", Images: 1, Owner: store.Owner{Team: "T0SANDBOX", Channel: "C0SHOOTS", Requester: "U0MARIA", Generation: 1},
		Order: order.Order{ID: orderID, ProjectName: "Smith wedding [K7Q2XM]", Status: order.StatusEditing, Revision: &zero, OrderedAt: time.Now().Add(-order.CancelWindow)},
	})
	require.NoError(t, err)
}

// announced marks all events as announced.
func (r *record) announced(t *testing.T) {
	t.Helper()
	o, events, err := r.Announcements.Pending(t.Context(), orderID)
	require.NoError(t, err)
	require.NoError(t, r.Announcements.CardPosted(t.Context(), orderID, 1, "1790000000.000100", o.Version))
	for _, e := range events {
		require.NoError(t, r.Announcements.EventPosted(t.Context(), orderID, 1, store.Posted{Event: e.Seq, ID: e.ID, TS: "1790000000.000200"}))
	}
}

func eventIDs(t *testing.T, r *record) []string {
	t.Helper()
	events, err := r.Orders.Events(t.Context(), orderID)
	require.NoError(t, err)
	var ids []string
	for _, e := range events {
		ids = append(ids, e.ID)
	}
	return ids
}

func TestWhatThePollerFindsIsRecordedOnceAndQuietTicksWriteNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		r := newRecord(rdb)
		r.place(t)
		s := serviceWith(10)
		p := newPoller(t, poll.Config{Service: s, Store: poll.StoreOf(r.Store)})
		s.set(orderID, order.StatusReviewing, 0)
		require.NoError(t, p.Poll(t.Context()))
		require.NoError(t, p.Poll(t.Context()))
		require.Equal(t, []string{"placed", "ready:r0"}, eventIDs(t, r))
		r.announced(t)

		w := &writes{}
		rdb.AddHook(w)
		for range 5 {
			require.NoError(t, p.Poll(t.Context()))
		}
		require.Empty(t, w.all)
		s.set(orderID, order.StatusClosed, 0)
		require.NoError(t, p.Poll(t.Context()))
		require.NotEmpty(t, w.all, "the counter can count")
		require.Equal(t, []string{"placed", "ready:r0", "approved"}, eventIDs(t, r))
	})
}

func TestAnOrderCanceledElsewhereIsFoundByID(t *testing.T) {
	t.Parallel()
	r := newRecord(storetest.Client(t))
	r.place(t)
	s := serviceWith(10)
	s.set(orderID, order.StatusCanceled, 0)
	s.hidden[orderID] = true
	p := newPoller(t, poll.Config{Service: s, Store: poll.StoreOf(r.Store)})
	require.NoError(t, p.Poll(t.Context()))
	require.Equal(t, []string{"placed", "canceled"}, eventIDs(t, r))
	s.asked()
	require.NoError(t, p.Poll(t.Context()))
	require.Empty(t, s.asked(), "it is no longer active")
}

func TestTwoPollersAtOnceRecordAChangeOnce(t *testing.T) {
	t.Parallel()
	r := newRecord(storetest.Client(t))
	r.place(t)
	s := serviceWith(10)
	s.set(orderID, order.StatusReviewing, 0)
	var both sync.WaitGroup
	for range 2 {
		p := newPoller(t, poll.Config{Service: s, Store: poll.StoreOf(r.Store)})
		both.Go(func() { _ = p.Poll(t.Context()) })
	}
	both.Wait()
	require.Equal(t, []string{"placed", "ready:r0"}, eventIDs(t, r))
}
