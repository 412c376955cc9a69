package order_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/order"
)

func bought(service order.ServiceType, images int, price string) order.Bought {
	b := order.Bought{Service: service, Images: images}
	if price != "" {
		b.Price = decimal.NewNullDecimal(decimal.RequireFromString(price))
	}
	return b
}

func TestWhatImagesCostIsToldFromWhatTheLastOnesDid(t *testing.T) {
	basic, extensive := order.ServiceBasic, order.ServiceExtensive
	for name, test := range map[string]struct {
		newest      []order.Bought
		each, of12  string // of the first cost; "": there is none
		images      int
		varies      bool
		second      string // each of the second
		secondTells bool
	}{
		"none":           {},
		"too few orders": {newest: []order.Bought{bought(basic, 30, "30"), bought(basic, 30, "30")}},
		"all alike":      {newest: []order.Bought{bought(basic, 2, "2"), bought(basic, 3, "3"), bought(basic, 4, "4")}, each: "1", of12: "12", images: 9},
		"half credits":   {newest: []order.Bought{bought(basic, 2, "1"), bought(basic, 4, "2"), bought(basic, 6, "3.0")}, each: "0.5", of12: "6", images: 12},
		"fractions":      {newest: []order.Bought{bought(basic, 7, "9"), bought(basic, 7, "9"), bought(basic, 7, "9")}, each: "1.29", of12: "15.4", images: 21},
		"they vary":      {newest: []order.Bought{bought(basic, 1, "1"), bought(basic, 1, "1.5"), bought(basic, 2, "4.5")}, each: "1.75", of12: "21", images: 4, varies: true},
		"free":           {newest: []order.Bought{bought(basic, 1, "0"), bought(basic, 1, "0"), bought(basic, 1, "0")}, each: "0", of12: "0", images: 3},
		"no price":       {newest: []order.Bought{bought(basic, 1, ""), bought(basic, 1, "1"), bought(basic, 1, "1")}},
		"no images":      {newest: []order.Bought{bought(basic, 0, "1"), bought(basic, 1, "1"), bought(basic, 1, "1")}},
		"less than free": {newest: []order.Bought{bought(basic, 1, "-1"), bought(basic, 1, "1"), bought(basic, 1, "1")}},
		"mixed types":    {newest: []order.Bought{bought("", 9, "90"), bought(basic, 1, "1"), bought(basic, 1, "1"), bought(basic, 1, "1")}, each: "1", of12: "12", images: 3},
		"old ones no more": {newest: []order.Bought{
			bought(basic, 10, "10"), bought(basic, 5, "5"), bought(basic, 5, "5"), bought(basic, 50, "500"),
		}, each: "1", of12: "12", images: 20},
		"both types": {newest: []order.Bought{
			bought(basic, 1, "1"), bought(extensive, 2, "5"), bought(basic, 1, "1"), bought(extensive, 2, "5"), bought(basic, 1, "1"), bought(extensive, 2, "5"),
		}, each: "1", of12: "12", images: 3, second: "2.5", secondTells: true},
		"huge": {newest: []order.Bought{bought(basic, 1, "1e20"), bought(basic, 1, "1e20"), bought(basic, 1, "1e20")}, each: "100000000000000000000", of12: "1200000000000000000000", images: 3},
	} {
		t.Run(name, func(t *testing.T) {
			costs := order.CostsOf(test.newest)
			if test.each == "" {
				require.Empty(t, costs)
				return
			}
			require.Equal(t, test.each, costs[0].Each().String())
			require.Equal(t, test.of12, costs[0].For(12).String())
			require.Equal(t, test.images, costs[0].Images)
			require.Equal(t, test.varies, costs[0].Varies)
			require.Len(t, costs, map[bool]int{false: 1, true: 2}[test.secondTells])
			if test.secondTells {
				require.Equal(t, test.second, costs[1].Each().String())
			}
		})
	}
}

// A price beyond all reason would make sums of any length.
func TestAPriceBeyondReasonTellsNothing(t *testing.T) {
	for price, tells := range map[string]bool{
		"1e29": true, "1e30": false, "1e1000": false,
		"1e-29": true, "1e-30": false, "1e-1000": false,
		strings.Repeat("9", 39): true, strings.Repeat("9", 40): false,
	} {
		costs := order.CostsOf(slices.Repeat([]order.Bought{bought(order.ServiceBasic, 1, price)}, 3))
		require.Equal(t, tells, len(costs) == 1, price)
	}
}

func TestAnOrderIsOfOneServiceTypeWhenAllItsEditedImagesAre(t *testing.T) {
	basic, extensive, reference := order.ServiceBasic, order.ServiceExtensive, order.ServiceReference
	for name, test := range map[string]struct {
		b    order.Brief
		want order.ServiceType
	}{
		"no images":     {order.Brief{Service: basic}, ""},
		"the order's":   {order.Brief{Service: basic, Sources: []order.Source{{}, {}}}, basic},
		"all their own": {order.Brief{Service: basic, Sources: []order.Source{{Service: extensive}, {Service: extensive}}}, extensive},
		"mixed":         {order.Brief{Service: basic, Sources: []order.Source{{}, {Service: extensive}}}, ""},
		"a reference":   {order.Brief{Service: basic, Sources: []order.Source{{}, {Service: reference}}}, basic},
		"references":    {order.Brief{Service: basic, Sources: []order.Source{{Service: reference}}}, ""},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.want, test.b.OneService()) })
	}
}
