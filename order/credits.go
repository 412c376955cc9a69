package order

import "github.com/shopspring/decimal"

// float64Digits is how many decimal digits a float64 keeps exactly.
const float64Digits = 15

// Credits removes the rounding noise of a service that computes with floats, where 0.1 + 0.2 is
// 0.30000000000000004. Whole credits stay as they are.
func Credits(d decimal.Decimal) decimal.Decimal {
	digits := d.NumDigits()
	if digits <= float64Digits || d.Exponent() >= 0 {
		return d
	}
	whole := digits + int(d.Exponent()) // digits before the point; negative: zeros right behind it
	rounded := d.Round(int32(max(float64Digits-whole, 0)))
	if short, err := decimal.NewFromString(rounded.String()); err == nil { // 394.810000000000 as 394.81
		return short
	}
	return rounded
}
