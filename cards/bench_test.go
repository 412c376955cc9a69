package cards_test

import (
	"encoding/json"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/home"
	"darkroom/cards/place"
	"darkroom/order"

	"github.com/stretchr/testify/require"
)

// BenchmarkDraw builds the most frequent views and encodes them for Slack.
func BenchmarkDraw(b *testing.B) {
	s, twelve := cardstest.Scenes()["plain"], cardstest.Scenes()["twelve_images"]
	working, reviewing := s.Tracked(order.StatusEditing), twelve.Tracked(order.StatusReviewing)
	rounds, form := twelve.Rounds(3, 7, 11), twelve.Draft()
	course := cards.RoundHistoryOf(reviewing, rounds, rounds[2])
	screen := home.View{Totals: map[home.Section]int{home.Review: 3, home.Progress: 5, home.Recent: 2}, Orders: s.Many(10), Links: cardstest.Links}
	list := cards.Listing{Channel: "C0PHOTOS", Total: 40, Orders: s.Many(cards.PageSize), Older: "1", Links: cardstest.Links, Now: cardstest.Now}
	for _, screen := range []struct {
		name string
		draw func() any
	}{
		{"card", func() any { return cards.Card(working, cardstest.Links, cardstest.Now) }},
		{"review-of-12", func() any { return cards.Review(reviewing, rounds[2], course, true, cardstest.Previews) }},
		{"order-form-new", func() any { return place.Window(s.Photographed(), place.FormExtras{Upload: true}, "x") }},
		{"order-form-of-12", func() any { return place.Window(form, place.FormExtras{Upload: true}, "x") }},
		{"home-of-10", func() any { return home.Tab(screen, cardstest.Previews, cardstest.Now) }},
		{"list", func() any { return cards.List(list) }},
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

// BenchmarkDecodeNewOrder reads a submitted order form with twelve web addresses.
func BenchmarkDecodeNewOrder(b *testing.B) {
	view := cardstest.Untouched(b, place.Window(cardstest.Scenes()["twelve_images"].Draft(), place.FormExtras{Upload: true}, "x"))
	_, wrong := place.Decode(view)
	require.Empty(b, wrong)
	b.ReportAllocs()
	for b.Loop() {
		place.Decode(view)
	}
}
