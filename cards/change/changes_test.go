package change

import (
	"strings"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/stretchr/testify/require"
)

func TestAnImageIsNamedByItsWholeID(t *testing.T) {
	for problem, want := range map[string]bool{
		"image ID not found: sh38": true, "Image id not found, sh38.": true, `image id not found: "sh38", "x"`: true, "image processor not found: sh38": false,
		"image ID not found: sh381": false, "image ID not found: xsh38, sh38": true, "invalid order id: sh38": false, "": false,
	} {
		require.Equal(t, want, namesImage(problem, "sh38"), problem)
	}
	require.False(t, namesImage("image ID not found: ", ""))
}

// At most six boxes are in a window: five of images, and the one for all others, whose text may need more.
func TestTheBoxOpenedLastIsOpen(t *testing.T) {
	o := cardstest.Of("beach", 12).Tracked(order.StatusReviewing)
	c := Changes{Each: []ImageText{{ID: "sh38nsk12", Words: "Cooler"}}}
	boxes := func() []string { return cardstest.BoxesIn(Revise(o, cards.RoundHistory{}, c, cardstest.Previews, "x")) }
	require.Equal(t, []string{"12 · beach 12.jpg"}, boxes(), "a box with text is open")
	for _, key := range []string{"sh38nsk1", "sh38nsk2", "sh38nsk3", "sh38nsk1", "sh38nsk4"} {
		c = c.WithBox(key, o)
	}
	require.Equal(t, []string{"1 · beach 1.jpg", "2 · beach 2.jpg", "3 · beach 3.jpg", "4 · beach 4.jpg", "12 · beach 12.jpg"}, boxes())
	c = c.WithBox("sh38nsk5", o)
	require.Equal(t, []string{"1 · beach 1.jpg", "2 · beach 2.jpg", "3 · beach 3.jpg", "4 · beach 4.jpg", "5 · beach 5.jpg"}, boxes())
	require.Contains(t, cardstest.AllText(t, Revise(o, cards.RoundHistory{}, c, cardstest.Previews, "x")), "> Cooler", "the text of a folded box is shown")
	c.All = strings.Repeat("Warmer and softer. ", 400)
	require.Equal(t, []string{"1 · beach 1.jpg", "4 · beach 4.jpg", "5 · beach 5.jpg"}, boxes(), "its text has three boxes")
}

// An earlier version saved text that it did not send. It comes back into its box.
func TestTextOfAnEarlierVersionIsShown(t *testing.T) {
	o := cardstest.Of("beach", 12).Tracked(order.StatusReviewing)
	c := Changes{Unchosen: []ImageText{{ID: "sh38nsk3", Name: "beach 3.jpg", Words: "Brighter"}}}.For(o)
	require.Equal(t, []string{"3 · beach 3.jpg"}, cardstest.BoxesIn(Revise(o, cards.RoundHistory{}, c, cardstest.Previews, "x")))
	require.Equal(t, "Brighter", c.wordsFor("sh38nsk3"))
}

// The only image of an order takes the text for all, once.
func TestTheTextForAllIsTheOnlyImages(t *testing.T) {
	o := cardstest.Of("beach", 1).Tracked(order.StatusReviewing)
	c := Changes{Each: []ImageText{{ID: "sh38nsk1", Words: "Warmer"}}, All: "Softer"}.For(o)
	require.Equal(t, "Warmer\nSofter", c.wordsFor("sh38nsk1"))
	c.All = "Softer"
	require.Equal(t, "Warmer\nSofter", c.For(o).wordsFor("sh38nsk1"))
	require.Empty(t, c.For(o).All)
	long := Changes{Each: c.Each, All: strings.Repeat("Softer light. ", 230)}.For(o) // one box holds less
	require.Empty(t, long.wordsFor("sh38nsk1"))
	require.True(t, strings.HasPrefix(long.All, "Warmer\nSofter\nSofter light."), "nothing is cut")
	require.Greater(t, len(long.All), kit.MaxInput)
}
