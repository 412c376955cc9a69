package order

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// PriceList has the operator's price of one image by service type, in credits.
type PriceList map[ServiceType]decimal.Decimal

// maxListed bounds a price of the list. It is a typing error beyond that.
var maxListed = decimal.NewFromInt(1_000_000)

// ParsePrices reads "basic=1, extensive=3, reference=2". The error says what to write instead, and quotes nothing: a secret may be there by mistake.
func ParsePrices(text string) (PriceList, error) {
	list := PriceList{}
	for _, entry := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		name, amount, _ := strings.Cut(entry, "=")
		service := ServiceType(strings.TrimSpace(name))
		price, err := decimal.NewFromString(strings.TrimSpace(amount))
		switch _, twice := list[service]; {
		case !slices.Contains([]ServiceType{ServiceBasic, ServiceExtensive, ServiceReference}, service):
			return nil, errors.New("an entry names no service type: write basic=…, extensive=… or reference=…")
		case twice:
			return nil, fmt.Errorf("%s has two prices: keep one", service)
		case err != nil || !payable(decimal.NewNullDecimal(price)) || price.GreaterThan(maxListed):
			return nil, fmt.Errorf("the price of %s is not a number of credits: write %s=1 or %s=1.5", service, service, service)
		}
		list[service] = price
	}
	return list, nil
}

// PriceSource says what an estimate is made of.
type PriceSource int

// The sources of an estimate.
const (
	FromNothing PriceSource = iota // nothing is known
	FromList                       // the operator's price list
	FromOrders                     // recent orders of the channel
	FromBoth
)

// PriceGuide estimates what images cost: by the operator's list, else by recent orders. The service names a price
// only for a placed order.
type PriceGuide struct {
	List   PriceList
	Recent []Cost
}

// Cost estimates the credits for images by service type. It returns [FromNothing] if a type has no known price, or
// without images. References without a listed price cost nothing.
func (g PriceGuide) Cost(images map[ServiceType]int) (sum decimal.Decimal, source PriceSource) {
	for _, service := range slices.Sorted(maps.Keys(images)) {
		n := images[service]
		price, listed := g.List[service]
		recent := slices.IndexFunc(g.Recent, func(c Cost) bool { return c.Service == service })
		switch {
		case n == 0:
		case listed:
			sum, source = sum.Add(price.Mul(decimal.NewFromInt(int64(n)))), source|FromList
		case service == ServiceReference:
		case recent < 0:
			return decimal.Zero, FromNothing
		default:
			sum, source = sum.Add(g.Recent[recent].For(n)), source|FromOrders
		}
	}
	return sum, source
}

// ImagesByService counts the row's images by service type.
func (r BatchRow) ImagesByService() map[ServiceType]int {
	return map[ServiceType]int{r.Service: len(r.Images), ServiceReference: len(r.References)}
}
