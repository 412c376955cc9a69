package change

import (
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
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

func TestAnImageThatIsChosenHasItsPictureAndItsWordsComeBack(t *testing.T) {
	o := cardstest.Of("beach", 12).Tracked(order.StatusReviewing)
	third, fifth := ImageText{ID: "sh38nsk3", Name: "beach 3.jpg"}, ImageText{ID: "sh38nsk5", Name: "beach 5.jpg"}
	c := Changes{}.choose([]ImageText{third, fifth})
	form := Revise(o, cards.RoundHistory{}, c, cardstest.Previews, "x")
	require.Equal(t, []string{"3 · beach 3.jpg", "5 · beach 5.jpg"}, cardstest.BoxesIn(form))
	require.Contains(t, cardstest.Pretty(t, form), "thumbs/sh38nsk3.jpg")
	third.Words = "Brighter"
	c = c.withPage([]ImageText{third}).choose([]ImageText{fifth})
	require.Equal(t, []ImageText{third}, c.Unchosen)
	require.Empty(t, c.PerImage(o), "what is not chosen is not sent")
	require.Contains(t, cardstest.AllText(t, Revise(o, cards.RoundHistory{}, c, cardstest.Previews, "x")), "Your words for *3 · beach 3.jpg* are kept and not sent")
	c = c.choose([]ImageText{fifth, third})
	require.Equal(t, "Brighter", c.wordsFor("sh38nsk3"))
	require.Empty(t, c.Unchosen)
}
