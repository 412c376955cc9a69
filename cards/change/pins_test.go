package change_test

import (
	"strconv"
	"strings"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withMarks are previews in an app whose forms link to the page for pins.
func withMarks(links *[]store.Marking) cards.Thumbs {
	thumbs := cardstest.Previews
	thumbs.Mark = func(m store.Marking) string {
		*links = append(*links, m)
		return "https://darkroom.example/review/" + strings.Repeat("t", 300)
	}
	return thumbs
}

// pinned returns pins on the photos at these indexes.
func pinned(t store.Tracked, words string, at ...int) store.PinDraft {
	d, latest := store.PinDraft{Number: 2}, order.Latest(t.Order.EditedImages)
	for n, i := range at {
		image := latest[i%len(latest)]
		d.Pins = append(d.Pins, order.Pin{ID: string(rune('a' + n)), Edit: image.Edit(), Image: image.ID, Name: image.Name, X: n * 300, Y: n * 300, Words: words})
	}
	return d
}

// marked returns forms with pins.
func marked(s cardstest.Scene) map[string]any {
	t, course := secondRound(s)
	var links []store.Marking
	few := change.Changes{}.WithPins("U0MARIA", pinned(t, s.Words, 0, 0, 1))
	many := s.Tracked(order.StatusReviewing)
	for n := range 7 {
		one := order.Latest(t.Order.EditedImages)[0]
		one.ID += string(rune('a' + n))
		one.Name = string(rune('a'+n)) + one.Name
		many.Order.EditedImages = append(many.Order.EditedImages, one)
	}
	return map[string]any{
		"few":  change.Revise(t, course, few, withMarks(&links), "x1"),
		"many": change.Revise(many, cards.RoundHistory{}, change.Changes{}.WithPins("U0MARIA", pinned(many, s.Words, 0, 0, 0, 0, 0, 0, 0, 1)), withMarks(&links), "x1"),
	}
}

func TestPinsInTheForm(t *testing.T) { cardstest.Golden(t, marked) }

func TestALinkForPinsIsBoundToWhatTheFormShows(t *testing.T) {
	t.Parallel()
	s := cardstest.Of("beach.jpg", 3)
	o := s.Tracked(order.StatusReviewing)
	o.Owner.Generation = 4
	var links []store.Marking
	change.Revise(o, cards.RoundHistory{}, change.Changes{}.WithPins("U0MARIA", store.PinDraft{Number: 2}), withMarks(&links), "revise:1")
	require.NotEmpty(t, links)
	assert.Equal(t, store.Marking{
		Order: o.ID, Round: o.Order.Rev(), Generation: 4, User: "U0MARIA", Number: 2, Window: "revise:1", Pictures: cards.MetaOf(o).Pictures,
	}, links[0])
	links = nil
	large := o
	for n := range 60 {
		image := order.Latest(o.Order.EditedImages)[0]
		image.ID, image.Name = image.ID+strconv.Itoa(n), strconv.Itoa(n)+image.Name
		large.Order.EditedImages = append(large.Order.EditedImages, image)
	}
	change.RevisePart(large, cards.RoundHistory{}, change.Changes{}.WithPins("U0MARIA", store.PinDraft{}), 2, withMarks(&links), "revise:1")
	assert.Equal(t, 2, links[0].Page)
	links = nil
	view := change.Revise(o, cards.RoundHistory{}, change.Changes{}, withMarks(&links), "revise:1")
	assert.Empty(t, links, "nobody's form")
	assert.NotContains(t, cardstest.Pretty(t, view), "Mark on the Pictures")
	none := cardstest.Previews
	none.Mark = func(store.Marking) string { return "" }
	view = change.Revise(o, cards.RoundHistory{}, change.Changes{}.WithPins("U0MARIA", store.PinDraft{}), none, "revise:1")
	assert.NotContains(t, cardstest.Pretty(t, view), "Mark on the Pictures", "an order that fits into no link")
}

func TestPinsAreInstructionsOfTheirPhoto(t *testing.T) {
	t.Parallel()
	o := cardstest.Of("beach.jpg", 3).Tracked(order.StatusReviewing)
	images := order.Latest(o.Order.EditedImages)
	c := change.Changes{All: "Warmer", Each: []change.ImageText{{ID: images[1].ID, Words: "Sharper"}}}.WithPins("U0MARIA", pinned(o, "Stain", 0, 1))
	assert.False(t, c.Empty())
	assert.Equal(t, map[string][]string{
		images[0].ID: {"1: (left, upper third) Stain"}, images[1].ID: {"Sharper", "1: (left, upper third) Stain"},
	}, c.PerImage(o))
	byImage, rest := c.Instructions(o)
	assert.True(t, rest)
	assert.Equal(t, []string{"Warmer"}, byImage[images[2].ID])
	ticked := change.Changes{Ticks: []order.Tick{{Edit: images[1].Edit(), Good: true}}}
	assert.True(t, ticked.OnlyTicks(o))
	assert.False(t, ticked.WithPins("U0MARIA", pinned(o, "Stain", 0)).OnlyTicks(o), "a pin is a request")
	gone := pinned(o, "Stain", 0)
	gone.Pins[0].Edit = "replaced"
	assert.True(t, ticked.WithPins("U0MARIA", gone).OnlyTicks(o), "one on a replaced photo asks for nothing")
	o.Verdicts = order.Verdicts{images[0].ID: {Edit: images[0].Edit(), Good: true}}
	assert.NotContains(t, c.WithVerdicts(o).Good, images[0].ID, "a photo with a pin is not good")
}

// The words of pins survive the photo that they are on: they become text for the one that replaces it.
func TestWordsOfPinsOnReplacedPhotosBecomeText(t *testing.T) {
	t.Parallel()
	o := cardstest.Of("beach.jpg", 2).Tracked(order.StatusReviewing)
	c := change.Changes{}.WithPins("U0MARIA", pinned(o, "Stain", 0, 0, 1))
	require.Equal(t, c.Pins, c.For(o).Pins)
	require.Empty(t, c.For(o).Each, "the photos are there")
	first, newer := order.Latest(o.Order.EditedImages)[0], o
	newer.Order.EditedImages = append([]order.EditedImage{}, o.Order.EditedImages...)
	next := first
	next.ID, next.Revision = "next", first.Revision+1
	newer.Order.EditedImages = append(newer.Order.EditedImages, next)
	got := c.For(newer)
	lines := "1: (left, upper third) Stain\n2: (left, upper third) Stain"
	require.Equal(t, []change.ImageText{{ID: "next", Name: first.Name, Words: lines}}, got.Each)
	require.Equal(t, []change.ImageText{{ID: "next", Name: first.Name, Words: lines}}, got.For(newer).Each, "once")
	had := change.Changes{Each: []change.ImageText{{ID: "next", Name: first.Name, Words: "Warmer"}}}.WithPins("U0MARIA", store.PinDraft{Pins: c.Pins})
	require.Equal(t, "Warmer\n"+lines, had.For(newer).Each[0].Words)
	newer.Order.EditedImages = []order.EditedImage{{ID: "other", Name: "other.jpg"}}
	gone := c.For(newer)
	require.Len(t, gone.Gone, 2, "the form shows text of photos that are no longer there")
	require.Contains(t, gone.Text(newer), "2: (left, upper third) Stain")
}

// A box holds less than twenty pins say. The rest is shown to be copied, and nothing is lost.
func TestWordsOfLostPinsThatNoBoxHoldsAreShown(t *testing.T) {
	t.Parallel()
	o := cardstest.Of("beach.jpg", 2).Tracked(order.StatusReviewing)
	image := order.Latest(o.Order.EditedImages)[0]
	var pins order.Pins
	for n := range order.MaxPinsOfImage {
		pins = append(pins, order.Pin{ID: strconv.Itoa(n), Edit: "replaced", Image: image.ID, Name: image.Name, Words: strings.Repeat(string(rune('a'+n)), order.MaxPinWords)})
	}
	got := change.Changes{}.WithPins("U0MARIA", store.PinDraft{Pins: pins}).For(o)
	require.Greater(t, len(got.Each), 1)
	for _, typed := range got.Each {
		assert.LessOrEqual(t, kit.Units(typed.Words), kit.MaxInput)
	}
	for _, line := range pins.Lines() {
		assert.Equal(t, 1, strings.Count(got.Text(o), line), line[:20])
	}
	assert.True(t, len(got.Gone) > 0, "the form names text of photos that are no longer there")
	assert.Equal(t, got.Text(o), got.For(o).Text(o), "once")
	cardstest.CheckLimits(t, change.Revise(o, cards.RoundHistory{}, got, cardstest.Previews, "x1"))
}
