package order

import (
	"time"

	"github.com/shopspring/decimal"
)

// Expected is what so many images will cost, in credits, by what those of the rows did: the service names a
// price only once an order is placed. Guessed says that no row tells: then each image counts as a credit.
func Expected(rows []ReportRow, images int) (cost decimal.Decimal, guessed bool) {
	paid, counted := decimal.Zero, 0
	for _, r := range rows {
		if r.Price.Valid && !r.Canceled() && r.Images > 0 {
			paid, counted = paid.Add(r.Price.Decimal), counted+r.Images
		}
	}
	all := decimal.NewFromInt(int64(images))
	if counted == 0 {
		return all, true
	}
	return all.Mul(paid).DivRound(decimal.NewFromInt(int64(counted)), 2), false
}

// SpentSince are the credits of the rows that were placed since and not canceled. An order whose price, or time, is not
// known yet was placed a moment ago: it counts by what its images will cost, as [Expected] tells.
func SpentSince(rows []ReportRow, since time.Time) decimal.Decimal {
	spent, unpriced := decimal.Zero, 0
	for _, r := range rows {
		switch {
		case r.Canceled(), !r.Placed.IsZero() && r.Placed.Before(since):
		case r.Price.Valid:
			spent = spent.Add(r.Price.Decimal)
		default:
			unpriced += r.Images
		}
	}
	cost, _ := Expected(rows, unpriced)
	return spent.Add(cost)
}
