package kit

import (
	"darkroom/order"

	"github.com/shopspring/decimal"
)

// CreditsOf formats whole credits as [CreditCount] does.
func CreditsOf(n int) string { return CreditCount(decimal.NewFromInt(int64(n))) }

// CreditCount formats credits with their unit: "12.5 credits".
func CreditCount(d decimal.Decimal) string {
	amount := Amount(d)
	return amount + Either(amount == "1", " credit", " credits")
}

// Amount formats credits with at most two decimals. A value that would round to zero keeps all decimals.
// Absurdly long values become "very many".
func Amount(d decimal.Decimal) string {
	if e := d.Exponent(); e > 30 || e < -30 || d.NumDigits() > 40 {
		return "very many"
	}
	d = order.Credits(d)
	if cents := d.Round(2); d.IsZero() || !cents.IsZero() {
		d = cents
	}
	return d.String()
}
