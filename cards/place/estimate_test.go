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

func costs(service order.ServiceType, images int, price string) order.Cost {
	return order.Cost{Service: service, Images: images, Price: decimal.RequireFromString(price)}
}

func listed(tb testing.TB, text string) order.PriceGuide {
	tb.Helper()
	list, err := order.ParsePrices(text)
	require.NoError(tb, err)
	return order.PriceGuide{List: list}
}

func TestGoldenEstimates(t *testing.T) {
	recent := order.PriceGuide{Recent: []order.Cost{costs(order.ServiceBasic, 20, "20"), costs(order.ServiceExtensive, 8, "20")}}
	cardstest.GoldenOf(t, "estimate", func(s cardstest.Scene) map[string]any {
		form := func(d store.Draft, guide order.PriceGuide) slack.ModalViewRequest {
			return Window(d, FormExtras{Balance: "88", Presets: &PresetMenu{Prices: guide}}, "x1")
		}
		return map[string]any{
			"empty": form(store.Draft{ID: "d1"}, recent), "filled": form(s.Draft(), recent),
			"listed": form(s.Draft(), listed(t, "basic=1, extensive=3, reference=2")),
		}
	})
}

func TestAPriceNamesItsSource(t *testing.T) {
	recent := []order.Cost{costs(order.ServiceBasic, 9, "12")}
	listed := listed(t, "extensive=3, reference=2")
	images := func(basic, extensive, references int) map[order.ServiceType]int {
		return map[order.ServiceType]int{order.ServiceBasic: basic, order.ServiceExtensive: extensive, order.ServiceReference: references}
	}
	for name, test := range map[string]struct {
		guide  order.PriceGuide
		images map[order.ServiceType]int
		want   string
	}{
		"listed":             {listed, images(0, 4, 0), "about 12 credits, by your price list"},
		"listed references":  {listed, images(0, 3, 1), "about 11 credits, by your price list"},
		"recent":             {order.PriceGuide{Recent: recent}, images(3, 0, 2), "about 4 credits, by recent orders in this channel"},
		"both":               {order.PriceGuide{List: listed.List, Recent: recent}, images(3, 1, 0), "about 7 credits, by your price list and recent orders in this channel"},
		"one type unknown":   {listed, images(1, 3, 0), ""},
		"nothing known":      {order.PriceGuide{}, images(3, 0, 0), ""},
		"no photos":          {listed, images(0, 0, 0), ""},
		"references unknown": {order.PriceGuide{}, images(0, 0, 2), ""},
	} {
		require.Equal(t, test.want, About(test.guide, test.images), name)
	}
}

func TestABatchSaysItsSumAndWhatPassesTheLimit(t *testing.T) {
	draft := func(n int) store.Draft {
		return store.Draft{Service: order.ServiceExtensive, URLs: strings.Split(strings.Repeat("https://example.com/a.jpg ", n)+"https://example.com/a.jpg", " ")[:n]}
	}
	says := func(guide order.PriceGuide, limit int) string {
		return cardstest.Pretty(t, WithPrice(slack.ModalViewRequest{}, guide, []store.Draft{draft(1), draft(4), draft(5)}, limit))
	}
	require.Contains(t, says(listed(t, "extensive=3"), 11), "Together about 30 credits, by your price list. 2 orders pass the limit of 11 credits and need approval.")
	require.Contains(t, says(listed(t, "extensive=3"), 12), "1 order passes the limit of 12 credits and needs approval.")
	require.NotContains(t, says(listed(t, "extensive=3"), 0), "limit")
	require.NotContains(t, says(listed(t, "basic=3"), 1), "about", "nothing is said when nothing is known")
}

func TestTheFormSaysAPriceForEachServiceType(t *testing.T) {
	priced := func(d store.Draft, guide order.PriceGuide) string {
		return (&orderForm{d: d, a: FormExtras{Presets: &PresetMenu{Prices: guide}}}).price()
	}
	two := store.Draft{URLs: []string{"https://example.com/a.jpg", "https://example.com/b.jpg"}, Service: order.ServiceBasic}
	require.Equal(t, "Basic about *2 credits* · Extensive about *6 credits* · by your price list", priced(two, listed(t, "basic=1,extensive=3")))
	require.Equal(t, "Basic about *1 credit* a photo · by your price list", priced(store.Draft{}, listed(t, "basic=1")))
	mixed := listed(t, "basic=1")
	mixed.Recent = []order.Cost{costs(order.ServiceExtensive, 4, "10")}
	require.Equal(t, "Basic about *2 credits* by your price list · Extensive about *5 credits* · by recent orders in this channel", priced(two, mixed))
	two.Each = map[string]store.PerImage{"https://example.com/a.jpg": {Service: order.ServiceExtensive}}
	require.Equal(t, "Basic about *4 credits* · Extensive about *6 credits* · by your price list", priced(two, listed(t, "basic=1,extensive=3")))
	require.Empty(t, priced(two, order.PriceGuide{}), "nothing is said when nothing is known")
}
