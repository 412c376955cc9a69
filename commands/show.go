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
	Verb: "show", Usage: "show [ID]", Does: "shows an order's instructions, edited photos and history",
	Example: "show K7Q2XM",
}

// details shows an order with its history, and manages its followers.
type details struct {
	service Service
	follows *store.Follows
	orders  *store.Orders
	jobs    *jobs.Jobs
	access  *access.Control
	zip     cards.RoundURL
	log     *slog.Logger
	finder  *resolve.Finder
	answers *answer.Messages
	windows *answer.Windows
}

// show answers with one order, as far as the person may see it: a line in a message, a button in a window. A review's
// button is in the channel and its thread, and Slack does not report which of them was used.
func (c *details) show(ctx context.Context, r bot.Request) error {
	if r.Kind == bot.KindAction {
		return c.showWindow(ctx, r)
	}
	p, err := c.finder.OrderByName(ctx, r, "show")
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

// showWindow shows the order of a button in a window.
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

// detailsView returns the window of an order's details; notice is its notice about following.
func (c *details) detailsView(r bot.Request, t store.Tracked, events []order.Event, acts bool, window, notice string) answers.ViewFunc {
	return func(thumbs cards.Thumbs) slack.ModalViewRequest {
		thumbs.ZIP = c.zip
		view := cards.Showing(t, events, acts, thumbs, time.Now(), window)
		view.Blocks.BlockSet = cards.WithFollow(view.Blocks.BlockSet, t, r.User, notice)
		return view
	}
}

// withPictures returns an order with its images. The images of a shrunk order come from the service; while it fails
// they are missing, and Shrunk stays true.
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

// fullOrder returns a visible order with its images and events, and whether the person may act on it. People who are
// not known to be full members get no buttons.
func (c *details) fullOrder(ctx context.Context, r bot.Request, p resolve.Ref) (t store.Tracked, events []order.Event, acts bool, err error) {
	t, events, err = c.eventsOf(ctx, r, p)
	if err != nil {
		return t, nil, false, err
	}
	why, unknown := c.access.WhyNoMember(ctx, r.User)
	return c.withPictures(ctx, t), events, unknown == nil && why == "", nil
}
