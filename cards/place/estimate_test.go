package place

import (
	"strings"
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

func costs(images int, price string, varies bool) order.Cost {
	return order.Cost{Service: order.ServiceBasic, Images: images, Price: decimal.RequireFromString(price), Varies: varies}
}

func TestGoldenEstimates(t *testing.T) {
	extensive := costs(8, "20", false)
	extensive.Service = order.ServiceExtensive
	cardstest.GoldenOf(t, "estimate", func(s cardstest.Scene) map[string]any {
		form := func(d store.Draft, all ...order.Cost) slack.ModalViewRequest {
			return Window(d, FormExtras{Balance: "88", Presets: &PresetMenu{Costs: all}}, "x1")
		}
		return map[string]any{
			"empty": form(store.Draft{ID: "d1"}, costs(20, "20", false)), "filled": form(s.Draft(), costs(20, "20", false), extensive),
		}
	})
}

func TestAnEstimateSaysWhatItIsMadeOf(t *testing.T) {
	for says, test := range map[string]struct {
		c      order.Cost
		images int
	}{
		"the last 20 basic images cost 1 credit each":                                           {costs(20, "20", false), 0},
		"the last 20 basic images cost 1 credit each: about *12 credits* for 12 images":         {costs(20, "20", false), 12},
		"the last 12 basic images cost 0.5 credits each: about *0.5 credits* for 1 image":       {costs(12, "6", false), 1},
		"the last 9 basic images cost about 1.33 credits each: about *4 credits* for 3 images":  {costs(9, "12", false), 3},
		"the last 4 basic images cost about 1.75 credits each: about *1.8 credits* for 1 image": {costs(4, "7", true), 1},
	} {
		require.Equal(t, says, costWords(test.c, test.images))
	}
}

func TestWithoutEnoughOrdersTheFormIsAsItWas(t *testing.T) {
	for _, s := range cardstest.Scenes() {
		d := s.Draft()
		require.Equal(t, Window(d, FormExtras{Balance: "88"}, "x"), Window(d, FormExtras{Balance: "88", Presets: &PresetMenu{}}, "x"))
	}
	differ := store.Draft{ID: "d1", URLs: []string{"https://example.com/a.jpg", "https://example.com/b.jpg"}, Service: order.ServiceBasic}
	differ.Each = map[string]store.PerImage{"https://example.com/a.jpg": {Service: order.ServiceExtensive}}
	form := cardstest.Pretty(t, Window(differ, FormExtras{Presets: &PresetMenu{Costs: []order.Cost{costs(20, "20", false)}}}, "x"))
	require.Contains(t, form, "the last 20 basic images")
	require.False(t, strings.Contains(form, "for 2 images"), "what images of several types cost together is not told")
}
