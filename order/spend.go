package order

import (
	"slices"

	"github.com/shopspring/decimal"
)

// Spending is the share of one order in the monthly limits. It counts for the channel where the order was
// placed, even after a move.
type Spending struct {
	Channel  string              `json:"channel"`
	Images   map[ServiceType]int `json:"images,omitempty"`   // to edit; "": of an unknown type
	Price    decimal.NullDecimal `json:"price,omitzero"`     // credits
	Canceled bool                `json:"canceled,omitempty"` // counts as nothing: see [Figures]
}

// edited returns the number of images to edit.
func (s Spending) edited() (n int) {
	for _, images := range s.Images {
		n += images
	}
	return n
}

// priced reports whether the order shows the price of its images.
func (s Spending) priced() bool {
	return !s.Canceled && Bought{Images: s.edited(), Price: s.Price}.counts()
}

// Ledger holds the spending of an account.
type Ledger struct {
	Month  []Spending // of the limited month
	Before []Spending // of earlier months, for their prices
}

// Cost estimates the credits for images in a channel, since the service names a price only for a placed order. It uses
// the prices of the same service type in the channel, else in the account. guessed reports that no such price is known: then any
// image of the channel or the account counts, and without a known price each image costs one credit.
func (l Ledger) Cost(channel string, images map[ServiceType]int) (cost decimal.Decimal, guessed bool) {
	return l.prices().cost(channel, images)
}

// prices estimates costs from priced orders and caches the samples it used.
type prices struct {
	orders []Spending
	cache  map[sampleKey]sample
}

type sampleKey struct {
	channel string
	service ServiceType
}

// sample is the sum paid for some images; zero images: no price is known.
type sample struct {
	credits  decimal.Decimal
	images   int
	sameType bool
}

func (l Ledger) prices() prices {
	priced := slices.DeleteFunc(slices.Concat(l.Month, l.Before), func(s Spending) bool { return !s.priced() })
	return prices{priced, map[sampleKey]sample{}}
}

func (p prices) cost(channel string, images map[ServiceType]int) (cost decimal.Decimal, guessed bool) {
	for service, n := range images {
		key := sampleKey{channel, service}
		paid, known := p.cache[key]
		if !known {
			paid = p.sample(key)
			p.cache[key] = paid
		}
		price := decimal.NewFromInt(int64(n))
		if paid.images > 0 {
			price = paid.credits.Mul(price).DivRound(decimal.NewFromInt(int64(paid.images)), 2)
		}
		cost, guessed = cost.Add(price), guessed || !paid.sameType
	}
	return cost, guessed
}

// sample sums the orders of the type in the channel, else of the type, else in the channel, else all.
func (p prices) sample(key sampleKey) sample {
	inChannel := func(s Spending) bool { return s.Channel == key.channel }
	ofType := func(s Spending) bool { return key.service == "" || len(s.Images) == 1 && s.Images[key.service] > 0 }
	for i, match := range []func(Spending) bool{
		func(s Spending) bool { return inChannel(s) && ofType(s) }, ofType, inChannel, func(Spending) bool { return true },
	} {
		found := sample{sameType: i < 2}
		for _, s := range p.orders {
			if match(s) {
				found.credits, found.images = found.credits.Add(s.Price.Decimal), found.images+s.edited()
			}
		}
		if found.images > 0 {
			return found
		}
	}
	return sample{}
}

// Spent returns the credits of the month's orders in a channel, or in all channels for "". An order without a known
// price counts with its estimate.
func (l Ledger) Spent(channel string) decimal.Decimal {
	spent, prices := decimal.Zero, l.prices()
	for _, s := range l.Month {
		switch {
		case s.Canceled, channel != "" && s.Channel != channel:
		case payable(s.Price):
			spent = spent.Add(s.Price.Decimal)
		default:
			cost, _ := prices.cost(s.Channel, s.Images)
			spent = spent.Add(cost)
		}
	}
	return spent
}
