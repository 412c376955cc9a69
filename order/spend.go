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
	return l.prices().cost(channel, images)
}

// prices tell what images cost, and remember what they told.
type prices struct {
	told  []Spending
	known map[priced]paid
}

type priced struct {
	channel string
	service ServiceType
}

// paid is what so many images cost; 0: nobody told.
type paid struct {
	credits decimal.Decimal
	images  int
	alike   bool // images of that type tell
}

func (l Ledger) prices() prices {
	told := slices.DeleteFunc(slices.Concat(l.Month, l.Before), func(s Spending) bool { return !s.tells() })
	return prices{told, map[priced]paid{}}
}

func (p prices) cost(channel string, images map[ServiceType]int) (cost decimal.Decimal, guessed bool) {
	for service, n := range images {
		of := priced{channel, service}
		is, known := p.known[of]
		if !known {
			is = p.look(of)
			p.known[of] = is
		}
		price := decimal.NewFromInt(int64(n))
		if is.images > 0 {
			price = is.credits.Mul(price).DivRound(decimal.NewFromInt(int64(is.images)), 2)
		}
		cost, guessed = cost.Add(price), guessed || !is.alike
	}
	return cost, guessed
}

// look finds the images that tell: of the type and the channel, else of the type, else of the channel, else any.
func (p prices) look(of priced) paid {
	here := func(s Spending) bool { return s.Channel == of.channel }
	alike := func(s Spending) bool { return of.service == "" || len(s.Images) == 1 && s.Images[of.service] > 0 }
	for i, fits := range []func(Spending) bool{
		func(s Spending) bool { return here(s) && alike(s) }, alike, here, func(Spending) bool { return true },
	} {
		found := paid{alike: i < 2}
		for _, s := range p.told {
			if fits(s) {
				found.credits, found.images = found.credits.Add(s.Price.Decimal), found.images+s.edited()
			}
		}
		if found.images > 0 {
			return found
		}
	}
	return paid{}
}

// Spent are the credits that the month's orders of a channel count, "" of all channels. An order whose price is not
// known yet counts by what its images will cost.
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
