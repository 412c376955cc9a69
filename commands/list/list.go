// Package list lists and finds orders: a channel's, a person's, or the account's.
package list

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/commands/answer"
	"darkroom/jobs"
	"darkroom/store"
)

// Help is the help on `list`.
var Help = cards.HelpRow{
	Verb: "list", Usage: "list [status] [mine] [words…]", Does: "lists this channel's orders, newest first",
	Example: "list reviewing mine",
	More: []string{
		"A status is editing, changes, paused, ready, approved, canceled, active or all. Other words must be in the project name, order code, ID or customer ID. Quotation marks keep words together: list ready \"smith wedding\".",
		"Operators see all orders of the account that are not canceled: list account [status] [customer:ID] [words…]. The status is then all, editing, revising, paused, reviewing or closed. Each word needs at least 6 characters.",
	},
}

// Handler lists orders.
type Handler struct {
	service ordersService
	orders  *store.Orders
	jobs    *jobs.Jobs
	access  *access.Control
	guard   *answer.Guard
	answers *answer.Messages
}

// New returns the handler.
func New(service ordersService, store *store.Store, jobs *jobs.Jobs, access *access.Control, guard *answer.Guard, answers *answer.Messages) *Handler {
	return &Handler{service: service, orders: store.Orders, jobs: jobs, access: access, guard: guard, answers: answers}
}

// List answers with a page of the channel's orders.
func (c *Handler) List(ctx context.Context, r bot.Request) error {
	l := parseListing(r.Args)
	l.Channel = answer.OriginChannel(r)
	return c.answerPage(ctx, r, l, c.answers.Send)
}

// Page handles a paging button: another page replaces the shown one.
func (c *Handler) Page(ctx context.Context, r bot.Request) error {
	var l listing
	if err := json.Unmarshal([]byte(r.Value), &l); err != nil {
		return fmt.Errorf("page of a list: %w", err)
	}
	return c.answerPage(ctx, r, l, c.answers.Replace)
}

// answerPage answers with a page of the account's orders, or of the stored ones. send sends the answer.
func (c *Handler) answerPage(ctx context.Context, r bot.Request, l listing, send func(context.Context, bot.Request, kit.Message) error) error {
	if len(l.value(0)) > maxListing {
		return send(ctx, r, cards.ListProblem("That is too much to search for at once. Try fewer words", r.Args))
	}
	page := c.page
	if l.Account {
		page = c.accountPage
	}
	m, err := page(ctx, r, l)
	if err != nil {
		return err
	}
	return send(ctx, r, m)
}

// page returns a page of the stored orders.
func (c *Handler) page(ctx context.Context, r bot.Request, l listing) (kit.Message, error) {
	viewer := c.access.Viewer
	if l.Channel != "" && !l.Found { // one channel costs one call
		viewer = c.access.FreshViewer
	}
	s := viewer(r)
	where := func(t store.Tracked) bool { return l.matches(t, r.User) && s.Shows(ctx, t) }
	channels, err := l.channels(ctx, s)
	if err != nil {
		return kit.Message{}, err
	}
	find := func(page int) ([]store.Tracked, int, error) {
		switch first := page * cards.PageSize; {
		case l.Found:
			return c.orders.Across(ctx, r.Team, r.User, channels, where, first, cards.PageSize)
		case l.Channel == "":
			return c.orders.Requested(ctx, r.Team, r.User, where, first, cards.PageSize)
		default:
			return c.orders.InChannels(ctx, r.Team, channels, where, first, cards.PageSize)
		}
	}
	orders, total, err := find(l.Page)
	if pages := cards.PagesOf(total, cards.PageSize); err == nil && l.Page >= pages { // the list has become shorter
		l.Page = pages - 1
		orders, total, err = find(l.Page)
	}
	if err == nil {
		err = s.Err
	}
	pages := cards.PagesOf(total, cards.PageSize)
	why, lost := c.access.WhyNoMember(ctx, r.User)
	return cards.List(cards.Listing{
		ReadOnly: why != "" || lost != nil, Now: time.Now(), Links: c.jobs.Messages.Links(ctx), Orders: orders, Total: total, Page: l.Page, Channel: l.Channel, Found: l.Found,
		Status: l.Status, Mine: l.Mine, Words: l.Words, Newer: l.otherPage(-1, pages), Older: l.otherPage(1, pages),
	}), err
}
