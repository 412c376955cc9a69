package order

import (
	"slices"

	"github.com/shopspring/decimal"
)

// Spending is what one order counts against the limits of its month. It counts where it was placed, whatever becomes
// of the order there.
type Spending struct {
	Channel  string              `json:"channel"`
	Images   map[ServiceType]int `json:"images,omitempty"`   // that are edited; "": of a type that nobody told
	Price    decimal.NullDecimal `json:"price,omitzero"`     // credits
	Canceled bool                `json:"canceled,omitempty"` // it counts as nothing: see [Figures]
}

// edited is how many images that is.
func (s Spending) edited() (n int) {
	for _, images := range s.Images {
		n += images
	}
	return n
}

// tells says that the order tells what its images cost.
func (s Spending) tells() bool {
	return !s.Canceled && Bought{Images: s.edited(), Price: s.Price}.counts()
}

// Ledger is what the orders of an account count.
type Ledger struct {
	Month  []Spending // of the month that a limit is about
	Before []Spending // of the months before it: they tell what images cost, too
}

// Cost is what so many images will cost in a channel, in credits: the service names a price only once an order is
// placed. Images of a type cost what those of the same type did in the channel, else in the account. Guessed says that
// none did: then they count as all images do, or as a credit each where no price is known.
func (l Ledger) Cost(channel string, images map[ServiceType]int) (cost decimal.Decimal, guessed bool) {
	told := slices.DeleteFunc(slices.Concat(l.Month, l.Before), func(s Spending) bool { return !s.tells() })
	for service, n := range images {
		price, same := priceOf(told, channel, service, n)
		cost, guessed = cost.Add(price), guessed || !same
	}
	return cost, guessed
}

// priceOf is what n images of a type cost; same says that images of that type tell.
func priceOf(told []Spending, channel string, service ServiceType, n int) (price decimal.Decimal, same bool) {
	here := func(s Spending) bool { return s.Channel == channel }
	alike := func(s Spending) bool { return service == "" || len(s.Images) == 1 && s.Images[service] > 0 }
	for i, fits := range []func(Spending) bool{
		func(s Spending) bool { return here(s) && alike(s) }, alike, here, func(Spending) bool { return true },
	} {
		paid, counted := decimal.Zero, 0
		for _, s := range told {
			if fits(s) {
				paid, counted = paid.Add(s.Price.Decimal), counted+s.edited()
			}
		}
		if counted > 0 {
			return paid.Mul(decimal.NewFromInt(int64(n))).DivRound(decimal.NewFromInt(int64(counted)), 2), i < 2
		}
	}
	return decimal.NewFromInt(int64(n)), false
}

// Spent are the credits that the month's orders of a channel count, "" of all channels. An order whose price is not
// known yet counts by what its images will cost.
func (l Ledger) Spent(channel string) decimal.Decimal {
	spent := decimal.Zero
	for _, s := range l.Month {
		switch {
		case s.Canceled, channel != "" && s.Channel != channel:
		case payable(s.Price):
			spent = spent.Add(s.Price.Decimal)
		default:
			cost, _ := l.Cost(s.Channel, s.Images)
			spent = spent.Add(cost)
		}
	}
	return spent
}
