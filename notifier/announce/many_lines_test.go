package announce_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
)

// reader counts how often all events of an order are read.
type reader struct {
	*store.Orders
	reads int
}

func (r *reader) Events(ctx context.Context, id string) ([]order.Event, error) {
	r.reads++
	return r.Orders.Events(ctx, id)
}

// A service may send a hundred entries at once. The order's events are not read again for each.
func TestWhatHappenedIsReadOnceForManyLines(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{PostBurst: -1})
	r.place(t, shoots)
	r.announce(t)
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	var lines []order.Entry
	for n := range 12 {
		lines = append(lines, order.Entry{From: "editor", Content: fmt.Sprint("Line ", n), CreatedAt: time.Now().Add(time.Duration(n) * time.Second)})
	}
	_, events, err := r.Changes.Record(t.Context(), orderID, tracked.Version, order.Order{ID: orderID, Conversation: lines})
	require.NoError(t, err)
	require.Len(t, events, 12)
	counted := &reader{Orders: r.Orders}
	r.config.Store.Orders = counted
	r.announce(t)
	require.Len(t, r.thread(t, shoots), 14)
	require.LessOrEqual(t, counted.reads, 2)
}
