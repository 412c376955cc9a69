package order

import (
	"cmp"
	"maps"
	"slices"

	"github.com/shopspring/decimal"
)

// What an estimate is made from: the newest orders that hold so many images, and at least so many orders.
const (
	costImages = 20
	costOrders = 3
)

// Bought is what an order cost, as an estimate counts it.
type Bought struct {
	Service ServiceType // of all its images that are edited; "": they differ, or it is not known
	Images  int         // that are edited
	Price   decimal.NullDecimal
}

// Cost is what the last images of a service type cost.
type Cost struct {
	Service ServiceType
	Images  int // so many
	Price   decimal.Decimal
	Varies  bool // not all orders paid the same for an image
}

// Each is what one of them cost, rounded to the hundredth of a credit.
func (c Cost) Each() decimal.Decimal {
	return c.Price.DivRound(decimal.NewFromInt(int64(c.Images)), 2)
}

// For is what so many images would cost at that, rounded to the tenth of a credit.
func (c Cost) For(images int) decimal.Decimal {
	return c.Price.Mul(decimal.NewFromInt(int64(images))).DivRound(decimal.NewFromInt(int64(c.Images)), 1)
}

// CostsOf are the costs by service type, [ServiceBasic] first, from orders of which the newest come first. Of a type
// with too few orders there is none. It is pure.
func CostsOf(newest []Bought) []Cost {
	var costs []Cost
	for _, service := range []ServiceType{ServiceBasic, ServiceExtensive} {
		c, orders := Cost{Service: service}, 0
		var first Cost
		for _, b := range newest {
			if b.Service != service || !b.counts() || c.Images >= costImages {
				continue
			}
			one := Cost{Images: b.Images, Price: b.Price.Decimal}
			if orders++; orders == 1 {
				first = one
			}
			c.Varies = c.Varies || !one.Each().Equal(first.Each())
			c.Images, c.Price = c.Images+b.Images, c.Price.Add(b.Price.Decimal)
		}
		if orders >= costOrders {
			costs = append(costs, c)
		}
	}
	return costs
}

// counts says that the order tells what an image costs.
func (b Bought) counts() bool { return b.Images > 0 && payable(b.Price) }

// payable says that a price is known, and a figure that somebody pays.
func payable(price decimal.NullDecimal) bool {
	p := price.Decimal
	return price.Valid && !p.IsNegative() && p.Exponent() > -30 && p.Exponent() < 30 && p.NumDigits() < 40
}

// Services are the service types of the images that are edited, and how many are of each.
func (b Brief) Services() map[ServiceType]int {
	all := map[ServiceType]int{}
	for _, s := range b.Sources {
		if !s.Reference() {
			all[cmp.Or(s.Service, b.Service)]++
		}
	}
	return all
}

// OneService is the service type that all images have which are edited; "" when they differ, or there are none.
func (b Brief) OneService() ServiceType {
	all := slices.Collect(maps.Keys(b.Services()))
	if len(all) != 1 {
		return ""
	}
	return all[0]
}
