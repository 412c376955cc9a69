package place

import (
	"cmp"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/shopspring/decimal"
)

// estimate says what the order may cost, as the channel's last ones did: for each service type of which enough is
// known, because choosing another does not show the form anew. It says that it is no more than that.
func (f *orderForm) estimate() {
	if f.a.Presets == nil || len(f.a.Presets.Costs) == 0 {
		return
	}
	images := f.alike()
	lines := kit.Map(f.a.Presets.Costs, func(_ int, c order.Cost) string { return costWords(c, images) })
	f.Line("*Estimate*, from this channel's own orders: " + strings.Join(lines, "; ") + ". The service sets the price.")
}

// alike is how many images the form holds that are edited, when all have the order's service type; 0: none, or
// some differ.
func (f *orderForm) alike() int {
	for _, image := range f.d.Images() {
		if image.Service != order.ServiceReference && image.Service != cmp.Or(f.d.Service, order.ServiceBasic) {
			return 0
		}
	}
	return len(f.d.Images()) - ofService(f.d, order.ServiceReference)
}

// costWords is "the last 20 basic images cost 1 credit each: about 12 credits for 12 images".
func costWords(c order.Cost, images int) string {
	service := strings.ToLower(ServiceWords(c.Service))
	words := "the last " + kit.Count(c.Images, service+" image", service+" images") + " cost " + kit.OnlyIf(c.Varies || !exact(c), "about ") + kit.CreditCount(c.Each()) + " each"
	if images == 0 {
		return words
	}
	return words + ": about *" + kit.CreditCount(c.For(images)) + "* for " + kit.Count(images, "image", "images")
}

// exact says that what one image cost is no rounded figure.
func exact(c order.Cost) bool {
	return c.Each().Mul(decimal.NewFromInt(int64(c.Images))).Equal(c.Price)
}
