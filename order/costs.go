package order

import (
	"cmp"
	"maps"
	"slices"

	"github.com/shopspring/decimal"
)

// An estimate uses the newest orders that hold this many images, and at least this many orders.
const (
	costImages = 20
	costOrders = 3
)

// Bought is the price of one placed order, as input of an estimate.
type Bought struct {
	Service ServiceType // of all its edited images; "": mixed or unknown
	Images  int         // edited ones
	Price   decimal.NullDecimal
}

// Cost is the sum that the newest images of a service type cost.
type Cost struct {
	Service ServiceType
	Images  int // that Price paid for
	Price   decimal.Decimal
	Varies  bool // the price of an image differs between orders
}

// Each returns the price of one image, rounded to a hundredth of a credit.
func (c Cost) Each() decimal.Decimal {
	return c.Price.DivRound(decimal.NewFromInt(int64(c.Images)), 2)
}

// For estimates the price of so many images, rounded to a tenth of a credit.
func (c Cost) For(images int) decimal.Decimal {
	return c.Price.Mul(decimal.NewFromInt(int64(images))).DivRound(decimal.NewFromInt(int64(c.Images)), 1)
}

// CostsOf returns the cost of each service type, [ServiceBasic] first. The orders must be newest first. A type
// with too few orders has no cost.
func CostsOf(newest []Bought) []Cost {
	var costs []Cost
	for _, service := range []ServiceType{ServiceBasic, ServiceExtensive} {
		c, orders := Cost{Service: service}, 0
		var first decimal.Decimal
		for _, b := range newest {
			if b.Service != service || !b.counts() || c.Images >= costImages {
				continue
			}
			each := Cost{Images: b.Images, Price: b.Price.Decimal}.Each()
			if orders++; orders == 1 {
				first = each
			}
			c.Varies = c.Varies || !each.Equal(first)
			c.Images, c.Price = c.Images+b.Images, c.Price.Add(b.Price.Decimal)
		}
		if orders >= costOrders {
			costs = append(costs, c)
		}
	}
	return costs
}

// counts reports whether the order shows the price of an image.
func (b Bought) counts() bool { return b.Images > 0 && payable(b.Price) }

// payable reports whether a price is known and plausible. Absurd exponents would make sums of any length.
func payable(price decimal.NullDecimal) bool {
	p := price.Decimal
	return price.Valid && !p.IsNegative() && p.Exponent() > -30 && p.Exponent() < 30 && p.NumDigits() < 40
}

// Services counts the images to edit by service type.
func (b Brief) Services() map[ServiceType]int {
	all := map[ServiceType]int{}
	for _, s := range b.Sources {
		if !s.Reference() {
			all[cmp.Or(s.Service, b.Service)]++
		}
	}
	return all
}

// OneService returns the service type of all images to edit; "" if there are several types, or no images.
func (b Brief) OneService() ServiceType {
	all := slices.Collect(maps.Keys(b.Services()))
	if len(all) != 1 {
		return ""
	}
	return all[0]
}
