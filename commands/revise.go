package commands

import (
	"context"
	"errors"
	"strings"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
)

var reviseHelp = cards.HelpRow{
	Verb: "revise", Usage: "revise [ID] [words…]", Does: "asks for changes, image by image or for all of them",
	Example: "revise K7Q2XM",
	More: []string{
		"The form has a box for each image; words after the ID are for all of them. The button “Request changes” opens it, too.",
	},
}

// openRevise opens the form for changes, bound to the revision that the person saw. Words
// of the line are for all images; a form that came back brings its own.
func (c *Commands) openRevise(ctx context.Context, r bot.Request) error {
	return c.openOrder(ctx, r, "revise", cards.TitleRevise, func(ctx context.Context, f orderForm) (jobs.ViewFunc, error) {
		t := f.order
		var typed cards.Changes
		if err := c.blockNote(ctx, r, cards.ReviseBlock, &typed); err != nil {
			return nil, err
		}
		typed = typed.For(t)
		typed.All = strings.TrimSpace(typed.All + "\n" + f.words)
		if sentence := cannotRevise(t); sentence != "" {
			note := jobs.WordsNote(r.ID)
			return plainView(cards.ReviseDenied(t, typed, sentence, note, f.window)), c.jobs.KeepText(ctx, note, typed, t)
		}
		seen, newer := seenBefore(r, t)
		return func(thumbs bool) slack.ModalViewRequest {
			if newer {
				return cards.ReviseStale(t, seen, typed, 0, thumbs, f.window)
			}
			return cards.Revise(t, typed, typed.PageOf(t, 0), thumbs, f.window)
		}, c.keepTypedChanges(ctx, f.window, typed)
	})
}

// cannotRevise says why no changes can be asked for now, "" when they can.
func cannotRevise(t store.Tracked) string {
	switch {
	case !t.Can(order.VerbRevise):
		return cards.CannotRevise(t)
	case !cards.CanName(t):
		return cards.CannotName(t)
	}
	return ""
}

// submitRevise takes one page of the form, on the ack path: all but the last are turned.
func (c *Commands) submitRevise(ctx context.Context, r bot.Request) (bot.Reply, error) {
	window := r.View.ExternalID
	page := cards.DecodeRevise(*r.View)
	if page.Order == "" {
		return bot.Errors(page.Problem(cards.LostOrder)), nil
	}
	t, err := c.store.Order(ctx, page.Order)
	if err != nil {
		return bot.Reply{}, err
	}
	typed, err := c.keepPage(ctx, window, page, t)
	if err != nil {
		return bot.Reply{}, err
	}
	asIs := t.Can(order.VerbRevise) && !cards.Newer(t, page.Revision, page.Pictures)
	if page.More {
		return c.turnedPage(ctx, r, t, typed, page)
	}
	if problem := nothingToSend(t, typed); asIs && problem != "" {
		return bot.Errors(page.Problem(problem)), nil
	}
	typed.Problems = nil
	return c.putChange(ctx, r, jobs.ReviseJob, jobs.ChangeArgs{
		Order: t.ID, Revision: page.Revision, Pictures: page.Pictures, Changes: typed, Page: page.Page,
	}, cards.Revising(t, window), cards.ReviseLater(t, window))
}

// turnedPage is nextPage for those who may change the order still: a page shows more of it,
// and what cannot be sent in the end need not be typed.
func (c *Commands) turnedPage(ctx context.Context, r bot.Request, t store.Tracked, typed cards.Changes, page cards.RevisePage) (bot.Reply, error) {
	permit, err := c.access.Authorize(ctx, r, t)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case !permit.Sees:
		return c.replyView(ctx, r, cards.ReviseDenied(t, typed, cards.NotFound(page.Order), "", r.View.ExternalID))
	case permit.Denial != "":
		denied := cards.CannotPost(t.Owner.Channel, permit.Denial)
		return c.replyView(ctx, r, cards.ReviseDenied(t, typed, denied, "", r.View.ExternalID))
	}
	return c.nextPage(ctx, r, t, typed, page)
}

// nextPage turns the page. An order that has changed meanwhile is told at once: nothing
// may be sent before the last page.
func (c *Commands) nextPage(ctx context.Context, r bot.Request, t store.Tracked, typed cards.Changes, page cards.RevisePage) (bot.Reply, error) {
	window := r.View.ExternalID
	if sentence := cannotRevise(t); sentence != "" {
		rival, err := c.jobs.Rival(ctx, t)
		if err != nil {
			return bot.Reply{}, err
		}
		note := jobs.WordsNote(r.ID)
		if err := c.jobs.KeepText(ctx, note, typed, t); err != nil {
			return bot.Reply{}, err
		}
		return c.replyView(ctx, r, jobs.DeniedChanges(t, typed, sentence, rival, note, window))
	}
	if cards.Newer(t, page.Revision, page.Pictures) {
		typed = typed.For(t)
		if err := c.keepTypedChanges(ctx, window, typed); err != nil {
			return bot.Reply{}, err
		}
		return c.replyView(ctx, r, cards.ReviseStale(t, page.Revision, typed, 0, true, window))
	}
	return c.replyView(ctx, r, cards.Revise(t, typed, page.Page+1, true, window))
}

// nothingToSend says why the words would reach no image, "" when they do.
func nothingToSend(t store.Tracked, typed cards.Changes) string {
	byImage, rest := typed.Instructions(t)
	switch {
	case typed.All != "" && !rest:
		return cards.NobodyElse
	case len(byImage) == 0:
		return cards.NoChanges
	}
	return ""
}

// pageBack shows the page before, in a form of several; what was typed on this one is
// kept.
func (c *Commands) pageBack(ctx context.Context, r bot.Request) error {
	if r.View == nil {
		return nil
	}
	if r.View.CallbackID == cards.CallbackNewImages {
		return c.imagesBack(ctx, r)
	}
	window := r.View.ExternalID
	page := cards.DecodeRevise(*r.View)
	t, err := c.jobs.Visible(ctx, r, page.Order)
	if errors.Is(err, jobs.ErrNotFound) {
		return c.fillWindow(ctx, r, window, r.View.Hash, func(bool) slack.ModalViewRequest {
			return cards.Notice(cards.TitleRevise, cards.NotFound(page.Order), window)
		})
	}
	if err != nil {
		return err
	}
	typed, err := c.keepPage(ctx, window, page, t)
	if err != nil {
		return err
	}
	if err := c.supersede(ctx, r); err != nil {
		return err
	}
	return c.fillWindow(ctx, r, window, r.View.Hash, func(thumbs bool) slack.ModalViewRequest {
		if cards.Newer(t, page.Revision, page.Pictures) {
			return cards.ReviseStale(t, page.Revision, typed.For(t), page.Page-1, thumbs, window)
		}
		return cards.Revise(t, typed, page.Page-1, thumbs, window)
	})
}

// keepPage puts the words of one page to those of the others.
func (c *Commands) keepPage(ctx context.Context, window string, page cards.RevisePage, t store.Tracked) (cards.Changes, error) {
	var typed cards.Changes
	if err := c.store.GetIfThere(ctx, jobs.ReviseNote(window), &typed); err != nil {
		return typed, err
	}
	typed = page.Into(typed, t)
	return typed, c.store.PutTTL(ctx, jobs.ReviseNote(window), typed, jobs.TypedLife)
}

// keepTypedChanges keeps what a form is opened with; one that begins empty needs no note.
func (c *Commands) keepTypedChanges(ctx context.Context, window string, typed cards.Changes) error {
	if typed.Empty() {
		return nil
	}
	return c.store.PutTTL(ctx, jobs.ReviseNote(window), typed, jobs.TypedLife)
}
