package commands

import (
	"cmp"
	"context"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/place"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/order"
	"darkroom/store"
)

// again opens the order form filled in from an earlier order.
type again struct {
	drafts   *store.Drafts
	finder   *resolve.Finder
	guests   *guests
	answers  *answer.Messages
	views    *draftViews
	newOrder *newOrder
}

var againHelp = cards.HelpRow{
	Verb: "again", Usage: "again [ID] [urls…]", Does: "opens the order form filled in from an earlier order, without its photos",
	Example: "again K7Q2XM https://example.com/beach.jpg",
	More: []string{
		"It takes the instructions, the service type, the customer ID and the name. Instructions for single photos stay with the old order.",
	},
}

// openAgain opens the order form on a fresh draft that is filled in from an order.
func (c *again) openAgain(ctx context.Context, r bot.Request) error {
	if err := c.guests.rejectKnownGuest(ctx, r); err != nil {
		return err
	}
	p, late, err := c.finder.OrderInTime(ctx, r, againHelp.Verb)
	switch {
	case err != nil:
		return err
	case late:
		return c.answers.Send(ctx, r, cards.NeedsID(againHelp.Verb, againHelp.Example))
	case p.ID == "":
		return c.finder.AskWhich(ctx, r, againHelp.Verb, p)
	}
	fresh := newDraft(r)
	fresh.URLs = urlsIn(p.Text)
	_, err = c.newOrder.openFresh(ctx, r, fresh, func(ctx context.Context, draft store.Draft) (store.Draft, place.FormExtras, error) {
		extras := c.views.extras(ctx, draft)
		t, err := c.finder.Visible(ctx, r, p)
		if err != nil {
			return draft, extras, err
		}
		draft, err = c.fillAgain(ctx, draft, t)
		extras.Again = &t
		return draft, extras, err
	})
	return err
}

// fillAgain copies an order's brief into a draft whose form has not opened yet.
func (c *again) fillAgain(ctx context.Context, draft store.Draft, t store.Tracked) (store.Draft, error) {
	return unlessMoved(c.drafts.EditDraft(ctx, draft.ID, func(d *store.Draft) error {
		askAgain(d, t)
		return nil
	}))
}

// askAgain copies an order's brief into a draft. A generated project name is not copied: the new order gets its own.
func askAgain(d *store.Draft, t store.Tracked) {
	d.Channel = cmp.Or(d.Channel, t.Owner.Channel)
	if name := order.ProjectName(t.Order.ProjectName, t.Reference); !order.IsFriendlyName(name) {
		d.ProjectName = name
	}
	d.CustomerID = t.CustomerID()
	if b := t.Brief; b != nil {
		d.Service = cmp.Or(b.Service, d.Service)
		d.Instructions = cards.ShortLines(b.Instructions)
	}
}
