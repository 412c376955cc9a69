package cards

import (
	"strconv"
	"strings"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// maxRow bounds one order of a list, in bytes, so that a whole page fits a message.
const maxRow = 1000

// PageSize is how many orders a page has.
const PageSize = 10

// PagesOf is how many pages so many orders fill; an empty list has one.
func PagesOf(total, size int) int { return max((total+size-1)/size, 1) }

// Listing is one page of a list of orders.
type Listing struct {
	Orders  []store.Tracked
	Total   int      // on all pages
	Page    int      // from 0
	Pages   int      // at least 1
	Channel string   // whose orders they are; "": the person's own
	Status  string   // what was asked for, as it was typed; "": any
	Mine    bool     // only the person's own
	Words   []string // that all must be in the name, the reference or the customer id
	Newer   string   // what the button carries; "": no button
	Older   string
}

// List is a page of orders, newest first, each with a button that shows it.
func List(l Listing) Message {
	if l.Total == 0 {
		return says(l.none()).message()
	}
	p := says("*" + l.whose() + "*" + l.asked() + "\n" + pageOf(l.Total, l.Page, l.Pages))
	for _, t := range l.Orders {
		show := press(button{label: "Show", action: ActionShow}, Value(t.ID, t.Order.Rev()))
		p.section(cut("*"+project(t)+"*\n"+strings.Join(brief(t), " · "), maxRow), slack.NewAccessory(show))
	}
	return p.paging(ActionList, l.Newer, l.Older).message()
}

// brief is an order in one line.
func brief(t store.Tracked) []string {
	parts := []string{status(t)}
	if n := imageCount(t); n > 0 {
		parts = append(parts, count(n, "image", "images"))
	}
	if cost := price(t.Order); cost != "" {
		parts = append(parts, cost)
	}
	if due := estimate(t.Order); due != "" {
		parts = append(parts, "expected "+due)
	}
	if t.Order.CustomerID != "" {
		parts = append(parts, "customer "+inline(t.Order.CustomerID, 40))
	}
	if t.Owner.Requester != "" {
		parts = append(parts, "for "+mention(t.Owner.Requester))
	}
	return parts
}

func (l Listing) whose() string {
	switch {
	case l.Channel == "":
		return "Your orders"
	case l.Mine:
		return "Your orders in " + channelLink(l.Channel)
	}
	return "Orders of " + channelLink(l.Channel)
}

// asked is what narrows the list: " · reviewing · “smith”".
func (l Listing) asked() string {
	var parts []string
	if l.Status != "" {
		parts = append(parts, inline(l.Status, 40))
	}
	if len(l.Words) > 0 {
		parts = append(parts, "“"+inline(strings.Join(l.Words, " "), 200)+"”")
	}
	if len(parts) == 0 {
		return ""
	}
	return " · " + strings.Join(parts, " · ")
}

func (l Listing) none() string {
	if asked := l.asked(); asked != "" {
		return "*" + l.whose() + "*" + asked + "\nNone fits that. See them all with `/order list`, or use fewer words."
	}
	if l.Channel == "" {
		return "You have not ordered anything yet. Place your first order with `/order new`"
	}
	return "*" + l.whose() + "*\nNone yet. Place the first one with `/order new`"
}

// pageOf is "23 orders, page 2 of 3".
func pageOf(total, page, pages int) string {
	text := count(total, "order", "orders")
	if pages > 1 {
		text += ", page " + strconv.Itoa(page+1) + " of " + strconv.Itoa(pages)
	}
	return text
}

// paging adds the buttons for the pages before and after; they are told apart by the end
// of their action ids.
func (p *builder) paging(action, newer, older string) *builder {
	var row []slack.BlockElement
	if newer != "" {
		row = append(row, press(button{label: "Newer", action: action + "newer"}, newer))
	}
	if older != "" {
		row = append(row, press(button{label: "Older", action: action + "older"}, older))
	}
	return p.buttons(row...)
}

// AccountOrder is an order as the service lists it, and the channel that follows it as
// far as the reader may know; "": none, or not for this reader to know.
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

// AccountList is a page of all the account's orders, wherever they were made.
func AccountList(l AccountListing) Message {
	asked := Listing{Status: l.Status, Words: l.Keywords}.asked()
	if l.Customer != "" {
		asked += " · customer " + inline(l.Customer, 40)
	}
	if len(l.Orders) == 0 {
		return says("*All orders of the account*"+asked+"\nThe service lists none that fits. Canceled orders are in none of its lists.").
			paging(ActionList, l.Newer, l.Older).message()
	}
	p := says("*All orders of the account*" + asked + "\n" + pageOf(max(l.Total, len(l.Orders)), l.Page, l.Pages))
	for _, o := range l.Orders {
		p.say(cut(accountRow(o), maxRow/2))
	}
	return p.note("An order that no channel follows yet: `/order track ID` in the channel that should.").
		paging(ActionList, l.Newer, l.Older).message()
}

func accountRow(o AccountOrder) string {
	name := inline(orElse(oneLine(o.ProjectName), "Order "+o.ID), 80)
	parts := []string{"ID " + inline(o.ID, 60), statusWords(o.Status)}
	if cost := price(o.Order); cost != "" {
		parts = append(parts, cost)
	}
	if !o.OrderedAt.IsZero() {
		parts = append(parts, "placed "+when(o.OrderedAt))
	}
	if o.CustomerID != "" {
		parts = append(parts, "customer "+inline(o.CustomerID, 20))
	}
	if o.Channel != "" {
		parts = append(parts, "followed by "+channelLink(o.Channel))
	}
	return "*" + name + "*\n" + strings.Join(parts, " · ")
}

// ListProblem says what of a list's line cannot be understood or searched for.
func ListProblem(problem, line string) Message {
	return says(orElse(finished(inline(problem, 600)), "That cannot be searched for.")).kept("You typed:", line).message()
}
