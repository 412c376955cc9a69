package commands

import (
	"context"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/order"
	"darkroom/store"
)

var showHelp = cards.HelpRow{
	Verb: "show", Usage: "show [ID]", Does: "shows what was asked for, the edited images and the history",
	Example: "show K7Q2XM",
}

// details shows an order with its history, and who follows it.
type details struct {
	service Service
	follows *store.Follows
	orders  *store.Orders
	jobs    *jobs.Jobs
	access  *access.Control
	zip     cards.ZIPs
	log     *slog.Logger
	finder  *resolve.Finder
	answers *answer.Messages
	windows *answer.Windows
}

// show answers with one order, as far as this person may see it: a line among the channel's messages, a
// button in a modal. A review stands in the channel and in its thread, and Slack does not tell in which of
// the two its button was pressed.
func (c *details) show(ctx context.Context, r bot.Request) error {
	if r.Kind == bot.KindAction {
		return c.showWindow(ctx, r)
	}
	p, err := c.finder.Name(ctx, r, "show")
	if err != nil {
		return err
	}
	if p.ID == "" {
		return c.finder.AskWhich(ctx, r, "show", p)
	}
	t, events, acts, err := c.fullOrder(ctx, r, p)
	if err != nil {
		return err
	}
	return c.jobs.Forms.ShowBest(ctx, func(thumbs cards.Thumbs) ([]slack.Block, error) {
		thumbs.ZIP = c.zip
		m := cards.Show(t, events, acts, thumbs, time.Now())
		m.Blocks = cards.WithFollow(m.Blocks, t, r.User, "")
		return m.Blocks, c.answers.Send(ctx, r, m)
	})
}

// showWindow shows the order of a button in a modal.
func (c *details) showWindow(ctx context.Context, r bot.Request) error {
	p, err := c.finder.Order(ctx, r, "show")
	if err != nil {
		return err
	}
	return c.windows.Open(ctx, r, "show", cards.TitleShow, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		t, events, acts, err := c.fullOrder(ctx, r, resolve.Ref{ID: p.ID})
		return c.detailsView(r, t, events, acts, window, ""), err
	})
}

// detailsView is the window of an order's details; said is what its reader is told of following it.
func (c *details) detailsView(r bot.Request, t store.Tracked, events []order.Event, acts bool, window, said string) answers.ViewFunc {
	return func(thumbs cards.Thumbs) slack.ModalViewRequest {
		thumbs.ZIP = c.zip
		view := cards.Showing(t, events, acts, thumbs, time.Now(), window)
		view.Blocks.BlockSet = cards.WithFollow(view.Blocks.BlockSet, t, r.User, said)
		return view
	}
}

// withPictures is an order with its pictures, also when they are kept no longer: then the service
// is asked. While it does not answer, they are missing, and the order is still Shrunk.
func (c *details) withPictures(ctx context.Context, t store.Tracked) store.Tracked {
	if !t.Shrunk {
		return t
	}
	ctx, cancel := answers.Brief(ctx)
	defer cancel()
	seen, err := c.service.Fetch(ctx, t.ID)
	if err != nil {
		c.log.WarnContext(ctx, "shown without its pictures", "order", t.ID, "err", err)
		return t
	}
	t.Order.EditedImages, t.Shrunk = seen.EditedImages, false
	return t
}

// fullOrder is the order that is meant, with its pictures, what happened to it, and whether this person
// may act on it: who is not known to be a full member sees no buttons.
func (c *details) fullOrder(ctx context.Context, r bot.Request, p resolve.Ref) (t store.Tracked, events []order.Event, acts bool, err error) {
	t, err = c.finder.Visible(ctx, r, p)
	if err != nil {
		return t, nil, false, err
	}
	events, err = c.orders.Events(ctx, t.ID)
	if err != nil {
		return t, nil, false, err
	}
	why, unknown := c.access.WhyNoMember(ctx, r.User)
	return c.withPictures(ctx, t), events, unknown == nil && why == "", nil
}
