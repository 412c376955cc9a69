package place

import (
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

func TestWhatIsChosenForEachImageIsReadBack(t *testing.T) {
	d := cardstest.Of("beach", 23).Photographed()
	d.URLs = []string{"https://e.com/b/last.jpg"}
	d.Each = nil
	last := ImagePages(d) - 1
	require.Equal(t, 3, last)
	view := cardstest.Untouched(t, ImagesWindow(d, last, FormExtras{}, "x"))
	require.Nil(t, DecodeImages(view, d), "what does not differ is not kept")

	set := func(field string, i int, a slack.BlockAction) {
		view.State.Values[orderedBlock(d, field, i, d.Images()[i].Address)] = map[string]slack.BlockAction{kit.ActionTyped + field: a}
	}
	set(fieldEach, 23, slack.BlockAction{SelectedOption: slack.OptionBlockObject{Value: "reference"}})
	set(fieldOwn, 22, slack.BlockAction{Value: " Warmer. "})
	set(fieldEach, 21, slack.BlockAction{SelectedOption: slack.OptionBlockObject{Value: "free"}})
	d.Each = map[string]store.PerImage{d.Files[0].URL: {Service: order.ServiceBasic}, "https://gone": {Instruction: "x"}}
	d.Each = DecodeImages(view, d)
	require.Equal(t, map[string]store.PerImage{
		d.Files[0].URL:  {Service: order.ServiceBasic}, // on another page
		d.Files[22].URL: {Instruction: "Warmer."},
		d.URLs[0]:       {Service: order.ServiceReference},
	}, d.Each)
	require.Equal(t, "23 photos · 1 reference: 1 Basic, 22 Extensive", tally(d))
	require.Equal(t, "last.jpg", d.Images()[23].Name)
}

func TestAnOrderOfReferencesOnlyIsAProblem(t *testing.T) {
	d := cardstest.Of("beach", 1).Draft()
	view := cardstest.Untouched(t, ImagesWindow(d, 0, FormExtras{}, "x"))
	require.Nil(t, AllReference(view, d))
	d.Each = map[string]store.PerImage{d.URLs[0]: {Service: order.ServiceReference}}
	problem := AllReference(view, d)
	require.Len(t, problem, 1)
	for block := range problem {
		require.Contains(t, view.State.Values, block)
	}
}
