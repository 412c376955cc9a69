package jobs

import (
	"context"
	"log/slog"
	"slices"

	"github.com/shopspring/decimal"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards/place"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/order"
	"darkroom/store"
)

// Presets reads what an order form can be filled from.
type Presets struct {
	orders    *store.Orders
	inChannel *store.Presets
	access    *access.Control
	credits   *accounts.Credits
	log       *slog.Logger
}

// Presets is what an order form can be filled from in a channel, as far as whoever fills it in sees the
// channel. That it is not known costs nobody the form: then there is nothing.
func (j *Presets) Presets(ctx context.Context, r bot.Request, channel string) *place.PresetMenu {
	ctx, cancel := answers.Brief(ctx)
	defer cancel()
	menu, err := j.presets(ctx, r, channel)
	if err != nil {
		j.log.InfoContext(ctx, "presets not offered", "user", r.User, "channel", channel, "err", err)
		return &place.PresetMenu{}
	}
	return menu
}

func (j *Presets) presets(ctx context.Context, r bot.Request, channel string) (*place.PresetMenu, error) {
	menu := &place.PresetMenu{}
	if channel == "" {
		return menu, nil
	}
	presets, err := j.inChannel.In(ctx, r.Team, channel)
	if err != nil {
		return menu, err
	}
	recent, err := j.orders.Recent(ctx, r.Team, channel)
	if err != nil || len(presets) == 0 && len(recent) == 0 {
		return menu, err
	}
	here := store.Tracked{Owner: store.Owner{Team: r.Team, Channel: channel}}
	if sees, err := j.access.Viewer(r).Sees(ctx, here); err != nil || !sees {
		return menu, err
	}
	menu.Presets, menu.Last = presets, len(recent) > 0
	menu.Costs = j.costsFor(ctx, r, recent)
	return menu, nil
}

// costsFor is what the images of these orders cost, for the eyes of one person; nil when there are too few to tell, or
// credits are not theirs to read. It decorates a form that is as good without it.
func (j *Presets) costsFor(ctx context.Context, r bot.Request, newest []store.Tracked) []order.Cost {
	var bought []order.Bought
	for _, t := range newest {
		if !t.Canceled() && !t.Gone {
			bought = append(bought, order.Bought{Service: t.Brief.OneService(), Images: t.Brief.Edited(), Price: t.Order.Price})
		}
	}
	costs := order.CostsOf(bought)
	if len(costs) == 0 {
		return nil
	}
	if !j.credits.MayRead(ctx, r) {
		return nil
	}
	return costs
}

// mayCost returns what the order of a draft may have cost, by what its channel's newest orders did; not valid when
// they do not tell, or credits are not its person's to read.
func (j *Presets) mayCost(ctx context.Context, d store.Draft) decimal.NullDecimal {
	images, sum := map[order.ServiceType]int{}, decimal.Zero
	for _, image := range d.Images() {
		if image.Service != order.ServiceReference {
			images[image.Service]++
		}
	}
	costs := j.Presets(ctx, ownerOf(d), d.Channel).Costs
	for service, n := range images {
		i := slices.IndexFunc(costs, func(c order.Cost) bool { return c.Service == service })
		if i < 0 {
			return decimal.NullDecimal{}
		}
		sum = sum.Add(costs[i].For(n))
	}
	return decimal.NewNullDecimal(sum)
}
