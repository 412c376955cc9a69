package order_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"darkroom/order"
)

func TestRecordingAnySequenceIsIdempotent(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		was := known(anOrder(order.StatusEditing, 0))
		statuses := []order.Status{"", order.StatusEditing, order.StatusRevising, order.StatusPaused, order.StatusReviewing, order.StatusClosed, order.StatusCanceled, "odd"}
		for range rapid.IntRange(1, 8).Draw(rt, "answers") {
			seen := order.Order{Status: rapid.SampledFrom(statuses).Draw(rt, "status")}
			if rapid.Bool().Draw(rt, "told revision") {
				seen.Revision = new(rapid.IntRange(0, 3).Draw(rt, "revision"))
			}
			merged := order.Merge(was.Order, seen)
			raw, whole := ids(order.Diff(was, seen, nil, noon)), ids(order.Diff(was, merged, nil, noon))
			if !slices.Equal(raw, whole) {
				rt.Fatalf("raw %v, merged %v", raw, whole)
			}
			was = step(was, merged, raw)
			if again := order.Diff(was, seen, nil, noon); len(again) > 0 {
				rt.Fatalf("again %v", ids(again))
			}
		}
	})
}

// step returns the order after an answer, as Record saves it.
func step(k order.Known, merged order.Order, events []string) order.Known {
	k.Order = merged
	for _, id := range events {
		if strings.HasPrefix(id, "ready:") {
			k.Delivered = &order.Delivered{Revision: merged.Rev()}
		}
	}
	return k
}
