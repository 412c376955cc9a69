package place

import (
	"cmp"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/shopspring/decimal"
)

// estimate adds what the order may cost by the channel's last orders, for each service type. The form is not
// redrawn when the type changes.
func (f *orderForm) estimate() {
	if f.a.Presets == nil || len(f.a.Presets.Costs) == 0 {
		return
	}
	images := f.uniformImages()
	lines := kit.Map(f.a.Presets.Costs, func(_ int, c order.Cost) string { return costWords(c, images) })
	f.Line("*Estimate*, from this channel's own orders: " + strings.Join(lines, "; ") + ". The service sets the price.")
}

// uniformImages returns how many images are edited if all have the order's service type, else 0.
func (f *orderForm) uniformImages() int {
	for _, image := range f.d.Images() {
		if image.Service != order.ServiceReference && image.Service != cmp.Or(f.d.Service, order.ServiceBasic) {
			return 0
		}
	}
	return len(f.d.Images()) - ofService(f.d, order.ServiceReference)
}

// costWords returns "the last 20 basic images cost 1 credit each: about 12 credits for 12 images".
func costWords(c order.Cost, images int) string {
	service := strings.ToLower(ServiceWords(c.Service))
	return "the last " + kit.Count(c.Images, service+" image", service+" images") + " cost " + kit.OnlyIf(c.Varies || !exact(c), "about ") + kit.CreditCount(c.Each()) + " each" +
		kit.OnlyIf(images > 0, ": about *"+kit.CreditCount(c.For(images))+"* for "+kit.Count(images, "image", "images"))
}

// exact reports whether the cost of one image is not rounded.
func exact(c order.Cost) bool {
	return c.Each().Mul(decimal.NewFromInt(int64(c.Images))).Equal(c.Price)
}
