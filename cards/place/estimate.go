package place

import (
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

// About says what images may cost and why: "about 12 credits, by your price list". It returns "" if nothing is
// known: the service sets the price.
func About(guide order.PriceGuide, images map[order.ServiceType]int) string {
	cost, source := guide.Cost(images)
	return Estimated(cost, source)
}

// Estimated says an estimate with its source, or "" without one.
func Estimated(cost decimal.Decimal, source order.PriceSource) string {
	return kit.OnlyIf(source != order.FromNothing, "about "+kit.CreditCount(cost)+", "+bySource(source))
}

// bySource names what an estimate is made of.
func bySource(source order.PriceSource) string {
	return map[order.PriceSource]string{
		order.FromList:   "by your price list",
		order.FromOrders: "by recent orders in this channel",
		order.FromBoth:   "by your price list and recent orders in this channel",
	}[source]
}

// WithPrice adds to a window that places orders what they may cost together, and how many pass the limit of one order;
// limit 0: there is none.
func WithPrice(v slack.ModalViewRequest, guide order.PriceGuide, drafts []store.Draft, limit int) slack.ModalViewRequest {
	all, over := map[order.ServiceType]int{}, 0
	for _, d := range drafts {
		images := d.ByService()
		for service, n := range images {
			all[service] += n
		}
		cost, _ := guide.Cost(images)
		over += kit.Either(limit > 0 && cost.GreaterThan(decimal.NewFromInt(int64(limit))), 1, 0)
	}
	said := About(guide, all)
	if said == "" {
		return v
	}
	said = "Together " + said + "." + kit.OnlyIf(over > 0, " "+kit.Count(over, "order passes", "orders pass")+" the limit of "+kit.CreditsOf(limit)+" and "+kit.Plural(over, "needs", "need")+" approval.")
	v.Blocks.BlockSet = append(v.Blocks.BlockSet, slack.NewContextBlock("", kit.Mrkdwn(said)))
	return v
}

// price says what the order may cost as each service type, since the form is not redrawn when the type changes.
// Before a photo is known it says what one costs.
func (f *orderForm) price() string {
	if f.a.Presets == nil {
		return ""
	}
	var said, sources []string
	for _, service := range []order.ServiceType{order.ServiceBasic, order.ServiceExtensive} {
		d := f.d
		d.Service = service
		images := d.ByService()
		if len(images) == 0 {
			images[service] = 1
		}
		cost, source := f.a.Presets.Prices.Cost(images)
		if source != order.FromNothing {
			said = append(said, ServiceWords(service)+" about *"+kit.CreditCount(cost)+"*"+kit.OnlyIf(len(f.d.Images()) == 0, " a photo"))
			sources = append(sources, bySource(source))
		}
	}
	if len(sources) == 2 && sources[0] != sources[1] {
		said[0] += " " + sources[0]
		sources = sources[1:]
	}
	return kit.Dots(append(said, sources[:min(1, len(sources))]...)...)
}
