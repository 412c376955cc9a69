package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs/answers"
	"darkroom/order"
	"darkroom/store"
)

var listHelp = cards.HelpRow{
	Verb: "list", Usage: "list [status] [mine] [words…]", Does: "lists this channel's orders, newest first",
	Example: "list reviewing mine",
	More: []string{
		"A status is what the cards say: being edited, changes, paused, ready (or waiting), approved, canceled, active or all; the service's own words do, too. Other words must all be in the project's name, the reference, the ID or the customer ID; words between quotation marks must stand there together: list ready \"smith wedding\".",
		"Operators see every order of the account but the canceled ones, wherever it was made: list account [status] [customer:ID] [words…]. There the status is all, editing, revising, paused, reviewing or closed, and each word needs at least 6 characters.",
	},
}

// listing is what is listed: it travels in the buttons of a page, so that the pages
// live as long as the message does.
type listing struct {
	Account  bool     `json:"account,omitempty"` // the service's own list
	Channel  string   `json:"channel,omitempty"` // "": the person's own orders
	Found    bool     `json:"found,omitempty"`   // in all the person's channels, and in that one
	Status   string   `json:"status,omitempty"`  // as it was typed
	Mine     bool     `json:"mine,omitempty"`
	Customer string   `json:"customer,omitempty"`
	Words    []string `json:"words,omitempty"`
	Page     int      `json:"page,omitempty"` // from 0
}

// list answers with a page of the channel's orders.
func (c *Commands) list(ctx context.Context, r bot.Request) error {
	l := parseListing(r.Args)
	l.Channel = originChannel(r)
	if len(l.value(0)) > maxListing {
		return c.tell(ctx, r, cards.ListProblem("That is too much to search for at once. Nothing was changed; please use fewer words", r.Args))
	}
	return c.answerPage(ctx, r, l, c.tell)
}

// listPage is a button below a list: another page, in the place of the one before.
func (c *Commands) listPage(ctx context.Context, r bot.Request) error {
	var l listing
	if err := json.Unmarshal([]byte(r.Value), &l); err != nil {
		return fmt.Errorf("page of a list: %w", err)
	}
	return c.answerPage(ctx, r, l, c.replace)
}

// replace puts an answer in the place of the one whose button was pressed; where that
// is no longer possible, below it.
func (c *Commands) replace(ctx context.Context, r bot.Request, m cards.Message) error {
	if r.ResponseURL != "" && time.Since(r.At) < answers.AnswerLife {
		err := c.slack.Respond(ctx, r.ResponseURL, m.Text, m.Blocks...)
		if err == nil || ctx.Err() != nil {
			return err
		}
		c.log.DebugContext(ctx, "answer not replaced", "user", r.User, "err", err)
	}
	return c.tell(ctx, r, m)
}

// answerFunc is how a message is told to the person: [Commands.tell] or [Commands.replace].
type answerFunc func(ctx context.Context, r bot.Request, m cards.Message) error

// answerPage answers with a page of the account's orders, or of what the store knows.
func (c *Commands) answerPage(ctx context.Context, r bot.Request, l listing, answer answerFunc) error {
	page := c.page
	if l.Account {
		page = c.accountPage
	}
	m, err := page(ctx, r, l)
	if err != nil {
		return err
	}
	return answer(ctx, r, m)
}

// page is one page of what the store knows.
func (c *Commands) page(ctx context.Context, r bot.Request, l listing) (cards.Message, error) {
	viewer := c.access.Viewer
	if l.Channel != "" && !l.Found { // one channel costs one question
		viewer = c.access.FreshViewer
	}
	s := viewer(r)
	where := func(t store.Tracked) bool { return l.has(t, r.User) && s.Shows(ctx, t) }
	channels, err := l.channels(ctx, s)
	if err != nil {
		return cards.Message{}, err
	}
	find := func(page int) ([]store.Tracked, int, error) {
		switch first := page * cards.PageSize; {
		case l.Found:
			return c.store.Across(ctx, r.Team, r.User, channels, where, first, cards.PageSize)
		case l.Channel == "":
			return c.store.Requested(ctx, r.Team, r.User, where, first, cards.PageSize)
		default:
			return c.store.InChannels(ctx, r.Team, channels, where, first, cards.PageSize)
		}
	}
	orders, total, err := find(l.Page)
	if pages := cards.PagesOf(total, cards.PageSize); err == nil && l.Page >= pages { // orders have left the list since
		l.Page = pages - 1
		orders, total, err = find(l.Page)
	}
	if err == nil {
		err = s.Err
	}
	pages := cards.PagesOf(total, cards.PageSize)
	why, lost := c.access.WhyNoMember(ctx, r.User)
	return cards.List(cards.Listing{
		Looks: why != "" || lost != nil, Now: time.Now(), Links: c.jobs.Messages.Links(ctx), Orders: orders, Total: total, Page: l.Page, Channel: l.Channel, Found: l.Found,
		Status: l.Status, Mine: l.Mine, Words: l.Words, Newer: l.otherPage(-1, pages), Older: l.otherPage(1, pages),
	}), err
}

// channels are those whose orders are listed.
func (l listing) channels(ctx context.Context, s *access.Viewer) ([]string, error) {
	if !l.Found {
		return []string{l.Channel}, nil
	}
	all, err := s.Channels(ctx)
	if l.Channel != "" && !slices.Contains(all, l.Channel) { // a private one, of which Slack tells us nothing
		all = append(all, l.Channel)
	}
	return all, err
}

// has tells whether an order is asked for.
func (l listing) has(t store.Tracked, user string) bool {
	if l.Mine && t.Owner.Requester != user {
		return false
	}
	has, known := hasStatus(t, l.Status)
	return (has || !known) && matches(t, l.Words)
}

// statusNames are what the service calls a status, what the cards do, and what people say.
func statusNames() map[string]order.Status {
	names := map[string]order.Status{}
	for status, all := range map[order.Status][]string{
		order.StatusEditing:   {"editing", "being edited", "edited"},
		order.StatusRevising:  {"revising", "changes", "changes being made", "changes requested", "being changed", "being revised"},
		order.StatusPaused:    {"paused", "paused by the service", "on hold"},
		order.StatusReviewing: {"reviewing", "review", "in review", "ready", "ready for review", "waiting", "waiting for review", "waiting for you", "waiting for me"},
		order.StatusClosed:    {"closed", "approved", "done"},
		order.StatusCanceled:  {"canceled", "cancelled"},
	} {
		for _, name := range all {
			names[name] = status
		}
	}
	return names
}

const customerFilter = "customer:"

// maxListing is what a button's value holds, less some room for the page's number.
const maxListing = 1900

func (l listing) value(page int) string {
	l.Page = page
	raw, _ := json.Marshal(l) // plain strings and numbers
	return string(raw)
}

// otherPage is the listing so many pages further, "" where there is no such page. Pages may have
// gone since: the way back stays.
func (l listing) otherPage(by, pages int) string {
	if page := l.Page + by; page >= 0 && page < max(pages, l.Page) {
		return l.value(page)
	}
	return ""
}
