package cards

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// maxRow bounds one order of a list, in bytes, so that a page fits a message.
const maxRow = 1000

// PageSize is how many orders a page has.
const PageSize = 10

// PagesOf returns how many pages total items fill. An empty list has one.
func PagesOf(total, size int) int { return max((total+size-1)/size, 1) }

// PageSpan returns the range of a page's items: first inclusive, last exclusive.
func PageSpan(total, page, size int) (first, last int) {
	first = min(max(page, 0)*size, total)
	return first, min(first+size, total)
}

// Listing is one page of a list of orders.
type Listing struct {
	Orders   []store.Tracked
	Total    int      // on all pages
	Page     int      // from 0
	Channel  string   // the channel whose orders are listed; "": the person's own orders
	Found    bool     // orders of all channels of the reader; each row names its channel
	Status   string   // the status filter as typed; "": any
	Mine     bool     // only the person's own
	Words    []string // each must occur in name, order code or customer ID
	Newer    string   // value of the button; "": no button
	Older    string
	ReadOnly bool // the reader may not change orders
	Links    Links
	Now      time.Time
}

// List returns a page of orders, newest first, each with one action.
func List(l Listing) kit.Message {
	if l.Total == 0 {
		return kit.NewPage(l.none()).Message()
	}
	p := kit.NewPage("*" + l.heading() + "*" + l.asked() + "\n" + PageOf(l.Total, l.Page, PagesOf(l.Total, PageSize)))
	for _, t := range l.Orders {
		l.row(p, t)
	}
	return p.Paging(ActionList, l.Newer, l.Older).Message()
}

// row adds one order with one action: to its review if it waits for one, else to its details.
func (l Listing) row(p *kit.Page, t store.Tracked) {
	words := "*" + Project(t) + "*\n" + kit.Dots(kit.OnlyIf(l.Found, kit.ChannelLink(t.Owner.Channel)), InOneLine(t), ToCard(l.Links, t))
	p.Section(kit.Cut(words, maxRow), l.action(t))
}

// action returns a row's only button.
func (l Listing) action(t store.Tracked) *slack.Accessory {
	if kit.Units(t.ID) > kit.MaxID { // the service gives no such ID; a button with it would exceed Slack's limits
		return nil
	}
	if review := ReviewButton(t, l.Links, l.Now); review != nil && !l.ReadOnly {
		return slack.NewAccessory(review)
	}
	return slack.NewAccessory(ShowButton(t))
}

// ToCard links to an order's card, or returns "".
func ToCard(l Links, t store.Tracked) string {
	if address := l.Card(t); address != "" {
		return kit.Link(address, "card")
	}
	return ""
}

// InOneLine describes an order in one line.
func InOneLine(t store.Tracked) string {
	return kit.Dots(status(t), ordered(t), Price(t.Order), kit.Prefixed("expected ", Estimate(t.Order)),
		kit.Prefixed("customer ", kit.Inline(t.CustomerID(), 40)), kit.Prefixed("for ", kit.Mention(t.Owner.Requester)))
}

// InShort describes an order in a few words.
func InShort(t store.Tracked) string {
	return kit.Dots(status(t), kit.Prefixed("expected ", Estimate(t.Order)))
}

func (l Listing) heading() string {
	switch {
	case l.Found && l.Mine:
		return "Your orders in all channels"
	case l.Found:
		return "Orders in your channels"
	case l.Channel == "":
		return "Your orders"
	case l.Mine:
		return "Your orders in " + kit.ChannelLink(l.Channel)
	}
	return "Orders of " + kit.ChannelLink(l.Channel)
}

// asked returns the filters of the list: " · reviewing · “smith”".
func (l Listing) asked() string {
	words := kit.OnlyIf(len(l.Words) > 0, "“"+kit.Inline(strings.Join(l.Words, " "), 200)+"”")
	return kit.Prefixed(" · ", kit.Dots(kit.Inline(l.Status, 40), words))
}

func (l Listing) none() string {
	if l.Found {
		return "*" + l.heading() + "*" + l.asked() + "\nNo orders match in your channels. Try fewer words, or part of one."
	}
	if asked := l.asked(); asked != "" {
		return "*" + l.heading() + "*" + asked + "\nNo orders match. Try fewer words, or see all with `/order list`."
	}
	if l.Channel == "" {
		return "You have no orders yet. Place your first one with `/order new`."
	}
	return "*" + l.heading() + "*\nNo orders yet. Place the first one with `/order new`."
}

// PageOf returns "23 orders, page 2 of 3".
func PageOf(total, page, pages int) string {
	return kit.Count(total, "order", "orders") + kit.OnlyIf(pages > 1, ", page "+strconv.Itoa(page+1)+" of "+strconv.Itoa(pages))
}

// FindWhat asks for text to search for.
func FindWhat() kit.Message {
	return kit.Say("What shall I look for? Type part of a project name, order code or customer ID: `/order find smith wedding`")
}

// AccountOrder is an order as the service lists it. Channel tracks it, if the reader may know that channel.
type AccountOrder struct {
	order.Order
	Channel string
}

// AccountListing is one page of the service's own list.
type AccountListing struct {
	Orders   []AccountOrder
	Total    int
	Page     int // from 0
	Pages    int
	Status   string
	Customer string
	Keywords []string
	Newer    string
	Older    string
}

// AccountList returns a page of all the account's orders, including those placed elsewhere.
func AccountList(l AccountListing) kit.Message {
	asked := Listing{Status: l.Status, Words: l.Keywords}.asked() + kit.Prefixed(" · customer ", kit.Inline(l.Customer, 40))
	if len(l.Orders) == 0 {
		return kit.NewPage("*All orders of the account*"+asked+"\nThe photo service lists no orders that match. It never lists canceled ones.").
			Paging(ActionList, l.Newer, l.Older).Message()
	}
	p := kit.NewPage("*All orders of the account*" + asked + "\n" + PageOf(max(l.Total, len(l.Orders)), l.Page, l.Pages))
	for _, o := range l.Orders {
		p.Section(kit.Cut(accountRow(o), maxRow/2), accountButton(o))
	}
	return p.Note("To track an order, type `/order track ID` in its new channel.").
		Paging(ActionList, l.Newer, l.Older).Message()
}

// accountButton shows an order that a channel of the reader tracks. It tracks any other order.
func accountButton(o AccountOrder) *slack.Accessory {
	t := store.Tracked{ID: o.ID, Known: order.Known{Order: o.Order}}
	switch {
	case o.ID == "" || kit.Units(o.ID) > kit.MaxID:
		return nil
	case o.Channel != "":
		return slack.NewAccessory(ShowButton(t))
	}
	return slack.NewAccessory(OrderButton(t, "Track in This Channel", "Track in This Channel:", ActionTrack, Value(o.ID, o.Rev())))
}

func accountRow(o AccountOrder) string {
	name := kit.Inline(cmp.Or(kit.OneLine(o.ProjectName), "Order "+o.ID), 80)
	return "*" + name + "*\n" + kit.Dots("ID "+kit.Inline(o.ID, 60), statusWords(o.Status), Price(o.Order),
		kit.Prefixed("placed ", kit.WhenKnown(o.OrderedAt)), kit.Prefixed("customer ", kit.Inline(o.CustomerID, 20)),
		kit.OnlyIf(o.Channel != "", "tracked by "+kit.ChannelLink(o.Channel)))
}

// ListProblem says which part of a list command is invalid.
func ListProblem(problem, line string) kit.Message {
	return kit.NewPage(cmp.Or(kit.FullStop(kit.Inline(problem, 600)), "I cannot search for that.")).Typed("You typed:", line).Message()
}
