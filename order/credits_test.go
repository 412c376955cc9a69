package order_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/order"
)

func TestCreditsHaveNoNoiseOfBinaryFractions(t *testing.T) {
	for sent, want := range map[string]string{
		"0.30000000000000004": "0.3", "394.8099999999999822": "394.81", "-2.0299999999999998": "-2.03", "0.0010000000000000000208": "0.001",
		"123456789.123456": "123456789.123456", "12345678901234567": "12345678901234567", "12345678901234567.5": "12345678901234568", "1e20": "100000000000000000000", "0": "0",
	} {
		require.Equal(t, want, order.Credits(decimal.RequireFromString(sent)).String(), sent)
	}
	require.Equal(t, decimal.RequireFromString("394.81"), order.Credits(decimal.RequireFromString("394.8099999999999822")), "equal amounts are equal values")
}

// What people write comes through a binary fraction as it was.
func TestCreditsComeBackFromABinaryFraction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		price := decimal.New(rapid.Int64Range(-1e12, 1e12).Draw(t, "hundredths"), -2)
		binary, _ := price.Float64()
		noisy := decimal.NewFromFloatWithExponent(binary, -20)
		require.True(t, order.Credits(noisy).Equal(price), "%s from %s", price, noisy)
	})
}
