package cards

import (
	"cmp"
	"strings"

	"github.com/shopspring/decimal"

	"darkroom/order"
)

// estimate says what the order may cost, as the channel's last ones did: for each service type of which enough is
// known, because choosing another does not show the form anew. It says that it is no more than that.
func (f *newForm) estimate() {
	if f.a.Presets == nil || len(f.a.Presets.Costs) == 0 {
		return
	}
	images := f.alike()
	lines := each(f.a.Presets.Costs, func(_ int, c order.Cost) string { return costWords(c, images) })
	f.line("*Estimate*, from this channel's own orders: " + strings.Join(lines, "; ") + ". The service sets the price.")
}

// alike is how many images the form holds that are edited, when all have the order's service type; 0: none, or
// some differ.
func (f *newForm) alike() int {
	for _, image := range f.d.Images() {
		if image.Service != order.ServiceReference && image.Service != cmp.Or(f.d.Service, order.ServiceBasic) {
			return 0
		}
	}
	return len(f.d.Images()) - ofService(f.d, order.ServiceReference)
}

// costWords is "the last 20 basic images cost 1 credit each: about 12 credits for 12 images".
func costWords(c order.Cost, images int) string {
	service := strings.ToLower(serviceWords(c.Service))
	words := "the last " + count(c.Images, service+" image", service+" images") + " cost " + onlyIf(c.Varies || !exact(c), "about ") + credits(c.Each()) + " each"
	if images == 0 {
		return words
	}
	return words + ": about *" + credits(c.For(images)) + "* for " + count(images, "image", "images")
}

// exact says that what one image cost is no rounded figure.
func exact(c order.Cost) bool {
	return c.Each().Mul(decimal.NewFromInt(int64(c.Images))).Equal(c.Price)
}
