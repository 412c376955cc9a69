package kit

import (
	"darkroom/order"

	"github.com/shopspring/decimal"
)

// CreditsOf is [CreditCount] of whole credits.
func CreditsOf(n int) string { return CreditCount(decimal.NewFromInt(int64(n))) }

// CreditCount is "12.5 credits".
func CreditCount(d decimal.Decimal) string {
	shown := Amount(d)
	if shown == "1" {
		return "1 credit"
	}
	return shown + " credits"
}

// Amount is a credit figure as people write money: to the hundredth, unless that makes nothing of something. It is
// short even when it is absurd.
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
