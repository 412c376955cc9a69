package order_test

import (
	"strconv"
	"testing"

	"darkroom/order"
)

// BenchmarkDiff compares an order of fifty images with an answer: without news, as in most cases, and with the
// next delivery.
func BenchmarkDiff(b *testing.B) {
	for name, seen := range map[string]order.Order{"quiet": delivered(0, fifty("a")...), "delivered": delivered(1, fifty("b")...)} {
		b.Run(name, func(b *testing.B) {
			old := with(known(delivered(0, fifty("a")...)), &order.Delivered{Revision: 0, Images: print(fifty("a")...)})
			b.ReportAllocs()
			for b.Loop() {
				if events := order.Diff(old, seen, nil, noon); (len(events) > 0) != (name == "delivered") {
					b.Fatal(events)
				}
			}
		})
	}
}

// fifty returns the IDs of fifty images.
func fifty(prefix string) []string {
	ids := make([]string, 50)
	for i := range ids {
		ids[i] = prefix + strconv.Itoa(i)
	}
	return ids
}
