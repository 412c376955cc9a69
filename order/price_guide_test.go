package order_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/order"
)

func TestAPriceListIsRead(t *testing.T) {
	list, err := order.ParsePrices(" basic=1, extensive = 2.5;reference=0 ,")
	require.NoError(t, err)
	require.Len(t, list, 3)
	require.True(t, list[order.ServiceExtensive].Equal(decimal.RequireFromString("2.5")))
	none, err := order.ParsePrices("")
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestAWrongPriceIsNamedWithItsFixAndNotQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"premium=3":          "write basic=…, extensive=… or reference=…",
		"s3cret":             "names no service type",
		"basic=1,basic=2":    "basic has two prices: keep one",
		"basic=cheap":        "write basic=1 or basic=1.5",
		"extensive":          "the price of extensive",
		"basic=-1":           "the price of basic",
		"basic=1e40":         "the price of basic",
		"reference=99999999": "the price of reference",
	} {
		_, err := order.ParsePrices(text)
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "s3cret")
	}
}
