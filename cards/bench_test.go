package cards

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/order"
)

// BenchmarkDraw draws what people look at most, and encodes it as Slack gets it.
func BenchmarkDraw(b *testing.B) {
	s, twelve := scenes()["plain"], scenes()["twelve_images"]
	working, reviewing := s.tracked(order.StatusEditing), twelve.tracked(order.StatusReviewing)
	rounds, form := twelve.rounds(3, 7, 11), twelve.draft()
	course := CourseOf(reviewing, rounds, rounds[2])
	home := Home{Totals: map[HomeSection]int{HomeReview: 3, HomeProgress: 5, HomeRecent: 2}, Orders: s.many(10), Links: links}
	list := Listing{Channel: "C0PHOTOS", Total: 40, Orders: s.many(PageSize), Older: "1", Links: links, Now: now}
	for _, screen := range []struct {
		name string
		draw func() any
	}{
		{"card", func() any { return Card(working, links, now) }},
		{"review-of-12", func() any { return Review(reviewing, rounds[2], course, true, previews) }},
		{"order-form-new", func() any { return NewOrder(s.photographed(), Around{Upload: true}, "x") }},
		{"order-form-of-12", func() any { return NewOrder(form, Around{Upload: true}, "x") }},
		{"home-of-10", func() any { return HomeView(home, previews, now) }},
		{"list", func() any { return List(list) }},
	} {
		b.Run(screen.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := json.Marshal(screen.draw()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDecodeNewOrder reads the order form as it is submitted, with twelve photos by their
// addresses.
func BenchmarkDecodeNewOrder(b *testing.B) {
	view := untouched(b, NewOrder(scenes()["twelve_images"].draft(), Around{Upload: true}, "x"))
	_, wrong := DecodeNewOrder(view)
	require.Empty(b, wrong)
	b.ReportAllocs()
	for b.Loop() {
		DecodeNewOrder(view)
	}
}
