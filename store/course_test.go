package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/storetest"
)

// course is one order's way at the service, as a service that counts the
// revision on request goes it.
func course(t *rapid.T) []order.Order {
	states := []order.Order{anOrder(order.StatusEditing, 0)}
	revision := 0
	for range rapid.IntRange(0, 3).Draw(t, "revisions") {
		states = append(states, delivered(revision, "a"+string(rune('0'+revision))))
		revision++
		states = append(states, anOrder(order.StatusRevising, revision))
	}
	states = append(states, delivered(revision, "z"))
	return append(states, anOrder(rapid.SampledFrom([]order.Status{order.StatusClosed, order.StatusCanceled}).Draw(t, "end"), revision))
}

// observer reads the version, asks the service, and records, each as a step of
// its own: two of them interleave in any way.
type observer struct {
	version int64
	seen    *order.Order
}

func TestAnyInterleavingTellsEveryEventOnceInOrder(t *testing.T) {
	t.Parallel()
	s := newStore(storetest.Client(t))
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		id := "p" + strings.Repeat("x", n)
		place(t, s, id)
		states := course(rt)
		observers := [2]observer{}
		var returned []string
		for at := 0; at < len(states); {
			switch rapid.IntRange(0, 3).Draw(rt, "step") {
			case 0:
				at += rapid.IntRange(0, 2).Draw(rt, "ahead")
			default:
				o := &observers[rapid.IntRange(0, 1).Draw(rt, "observer")]
				returned = append(returned, o.step(t, s, id, states[min(at, len(states)-1)])...)
			}
		}
		last := observer{}
		last.step(t, s, id, states[len(states)-1])
		last.step(t, s, id, states[len(states)-1])
		returned = append(returned, last.step(t, s, id, states[len(states)-1])...)
		checkCourse(t, rt, s, id, returned)
	})
}

// step does the observer's next step and returns the events it was told.
func (o *observer) step(t *testing.T, s *store.Store, id string, now order.Order) []string {
	t.Helper()
	switch {
	case o.version == 0:
		known, err := s.Orders.Order(t.Context(), id)
		require.NoError(t, err)
		o.version = known.Version
	case o.seen == nil:
		o.seen = &now
	default:
		_, events, err := s.Changes.Record(t.Context(), id, o.version, *o.seen)
		*o = observer{}
		if !errors.Is(err, store.ErrStale) {
			require.NoError(t, err)
		}
		return ids(events)
	}
	return nil
}

// checkCourse: every event is kept once, returned once, in the order's order.
func checkCourse(t *testing.T, rt *rapid.T, s *store.Store, id string, returned []string) {
	t.Helper()
	all, err := s.Orders.Events(t.Context(), id)
	require.NoError(t, err)
	kept := ids(all)[1:]
	if !slices.Equal(kept, returned) {
		rt.Fatalf("kept %v, returned %v", kept, returned)
	}
	seen := map[string]bool{}
	revision := 0
	for i, e := range all {
		if seen[e.ID] {
			rt.Fatalf("%s twice", e.ID)
		}
		seen[e.ID] = true
		if e.Order.Rev() < revision {
			rt.Fatalf("%s goes back in %v", e.ID, kept)
		}
		revision = e.Order.Rev()
		if final := e.Kind == order.EventApproved || e.Kind == order.EventCanceled; final != (i == len(all)-1) {
			rt.Fatalf("the end is not the end of %v", kept)
		}
	}
	now, err := s.Orders.Order(t.Context(), id)
	require.NoError(t, err)
	again, events, err := s.Changes.Record(t.Context(), id, now.Version, now.Order)
	require.NoError(t, err)
	if len(events) > 0 || again.Version != now.Version {
		rt.Fatalf("recording what is known adds %v", ids(events))
	}
}
