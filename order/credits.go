package order

import "github.com/shopspring/decimal"

// surely is how many digits a binary fraction of 64 bits tells for sure.
const surely = 15

// Credits is an amount without the noise of a service that counts in binary fractions: there 0.1 and 0.2 are
// 0.30000000000000004. Whole credits stay as they are.
func Credits(d decimal.Decimal) decimal.Decimal {
	digits := d.NumDigits()
	if digits <= surely || d.Exponent() >= 0 {
		return d
	}
	whole := digits + int(d.Exponent()) // digits before the point; below zero: zeros behind it
	rounded := d.Round(int32(max(surely-whole, 0)))
	if short, err := decimal.NewFromString(rounded.String()); err == nil { // 394.810000000000 as 394.81
		return short
	}
	return rounded
}
