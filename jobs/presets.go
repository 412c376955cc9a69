package jobs

import (
	"context"
	"log/slog"

	"github.com/shopspring/decimal"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards/place"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/order"
	"darkroom/store"
)

// Presets reads the presets and recent orders that can fill an order form.
type Presets struct {
	orders    *store.Orders
	inChannel *store.Presets
	access    *access.Control
	credits   *accounts.Credits
	account   *accounts.Account
	log       *slog.Logger
}

// Presets returns the channel's presets that r's person may see. It returns an empty menu on an error, since the form
// is as good without it.
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

// Guide returns what images may cost in the channel, as far as r's person may know.
func (j *Presets) Guide(ctx context.Context, r bot.Request, channel string) order.PriceGuide {
	return j.Presets(ctx, r, channel).Prices
}

func (j *Presets) presets(ctx context.Context, r bot.Request, channel string) (*place.PresetMenu, error) {
	list, err := j.account.Prices(ctx)
	menu := &place.PresetMenu{Prices: order.PriceGuide{List: list}}
	if channel == "" || err != nil {
		return menu, err
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
	menu.Prices.Recent = j.costsFor(ctx, r, recent)
	return menu, nil
}

// costsFor returns what the images of these orders cost; nil if there are too few orders, or the person may not read
// credits.
func (j *Presets) costsFor(ctx context.Context, r bot.Request, newest []store.Tracked) []order.Cost {
	var bought []order.Bought
	for _, t := range newest {
		if !t.Canceled() && !t.Gone {
			bought = append(bought, order.Bought{Service: t.Brief.OneService(), Images: t.Brief.Edited(), Price: t.Order.Price})
		}
	}
	costs := order.CostsOf(bought)
	if len(costs) == 0 || !j.credits.MayRead(ctx, r) {
		return nil
	}
	return costs
}

// mayCost estimates the cost of a draft's order. It is not valid if nothing is known, or the draft's person may not read
// credits.
func (j *Presets) mayCost(ctx context.Context, d store.Draft) decimal.NullDecimal {
	cost, source := j.Presets(ctx, ownerOf(d), d.Channel).Prices.Cost(d.ByService())
	return decimal.NullDecimal{Decimal: cost, Valid: source != order.FromNothing}
}
