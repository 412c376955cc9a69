package cards

import (
	"strconv"
	"strings"
	"time"

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

// pageSpan are the places of what stands on a page: from the first up to, not with, the last.
func pageSpan(total, page, size int) (first, last int) {
	first = min(max(page, 0)*size, total)
	return first, min(first+size, total)
}

// Listing is one page of a list of orders.
type Listing struct {
	Orders  []store.Tracked
	Total   int      // on all pages
	Page    int      // from 0
	Channel string   // whose orders they are; "": the person's own
	Found   bool     // they are of all the reader's channels, and each row names its own
	Status  string   // what was asked for, as it was typed; "": any
	Mine    bool     // only the person's own
	Words   []string // that all must be in the name, the reference or the customer id
	Newer   string   // what the button carries; "": no button
	Older   string
	Looks   bool // the reader may change no order
	Links   Links
	Now     time.Time
}

// List is a page of orders, newest first, each with what can be done with it now and a button that
// shows it.
func List(l Listing) Message {
	if l.Total == 0 {
		return says(l.none()).message()
	}
	p := says("*" + l.whose() + "*" + l.asked() + "\n" + pageOf(l.Total, l.Page, PagesOf(l.Total, PageSize)))
	for _, t := range l.Orders {
		l.row(p, t)
	}
	return p.paging(ActionList, l.Newer, l.Older).message()
}

// row is one order of the list. A reader who may only look gets no other button.
func (l Listing) row(p *builder, t store.Tracked) {
	words := "*" + project(t) + "*\n" + dots(onlyIf(l.Found, channelLink(t.Owner.Channel)), inOneLine(t), toCard(l.Links, t))
	show := showButton(t)
	now := pressable(t, ofTheMoment(t, l.Now, false))
	switch {
	case units(t.ID) > maxID: // no order of the service's; a message of such buttons would be too large
		p.section(cut(words, maxRow), nil)
		return
	case l.Looks, len(now) == 0:
		p.section(cut(words, maxRow), slack.NewAccessory(show))
		return
	}
	if p.section(cut(words, maxRow), nil) {
		p.buttons(append(now, show)...)
	}
}

// toCard is a link to an order's card, "" when there is none.
func toCard(l Links, t store.Tracked) string {
	if address := l.Card(t); address != "" {
		return link(address, "card")
	}
	return ""
}

// inOneLine is an order in a line of a list.
func inOneLine(t store.Tracked) string {
	return dots(status(t), ordered(t), price(t.Order), led("expected ", estimate(t.Order)),
		led("customer ", inline(t.CustomerID(), 40)), led("for ", mention(t.Owner.Requester)))
}

func (l Listing) whose() string {
	switch {
	case l.Found && l.Mine:
		return "Your orders in all channels"
	case l.Found:
		return "Orders in your channels"
	case l.Channel == "":
		return "Your orders"
	case l.Mine:
		return "Your orders in " + channelLink(l.Channel)
	}
	return "Orders of " + channelLink(l.Channel)
}

// asked is what narrows the list: " · reviewing · “smith”".
func (l Listing) asked() string {
	words := onlyIf(len(l.Words) > 0, "“"+inline(strings.Join(l.Words, " "), 200)+"”")
	return led(" · ", dots(inline(l.Status, 40), words))
}

func (l Listing) none() string {
	if l.Found {
		return "*" + l.whose() + "*" + l.asked() + "\nNone fits that, in any channel that you are in. Try fewer words, or part of one."
	}
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
	return count(total, "order", "orders") + onlyIf(pages > 1, ", page "+strconv.Itoa(page+1)+" of "+strconv.Itoa(pages))
}

// paging adds the buttons for the pages before and after; they are told apart by the end
// of their action ids.
func (p *builder) paging(action, newer, older string) *builder {
	var row []slack.BlockElement
	if newer != "" {
		row = append(row, press("Newer", action+"newer", newer))
	}
	if older != "" {
		row = append(row, press("Older", action+"older", older))
	}
	return p.buttons(row...)
}

// FindWhat asks for words to look for.
func FindWhat() Message {
	return Say("What shall I look for? Type some words of the project's name, the reference or the customer ID: `/order find smith wedding`")
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
	asked := Listing{Status: l.Status, Words: l.Keywords}.asked() + led(" · customer ", inline(l.Customer, 40))
	if len(l.Orders) == 0 {
		return says("*All orders of the account*"+asked+"\nThe service lists none that fits. Canceled orders are in none of its lists.").
			paging(ActionList, l.Newer, l.Older).message()
	}
	p := says("*All orders of the account*" + asked + "\n" + pageOf(max(l.Total, len(l.Orders)), l.Page, l.Pages))
	for _, o := range l.Orders {
		p.section(cut(accountRow(o), maxRow/2), accountButton(o))
	}
	return p.note("An order that no channel follows yet: `/order track ID` in the channel that should.").
		paging(ActionList, l.Newer, l.Older).message()
}

// accountButton shows an order that a channel of the reader's follows, and lets this one follow any
// other.
func accountButton(o AccountOrder) *slack.Accessory {
	t := store.Tracked{ID: o.ID, Known: order.Known{Order: o.Order}}
	switch {
	case o.ID == "" || units(o.ID) > maxID:
		return nil
	case o.Channel != "":
		return slack.NewAccessory(showButton(t))
	}
	return slack.NewAccessory(pressOf(t, "Track", "Track", ActionTrack, Value(o.ID, o.Rev())))
}

func accountRow(o AccountOrder) string {
	name := inline(orElse(oneLine(o.ProjectName), "Order "+o.ID), 80)
	return "*" + name + "*\n" + dots("ID "+inline(o.ID, 60), statusWords(o.Status), price(o.Order),
		led("placed ", whenKnown(o.OrderedAt)), led("customer ", inline(o.CustomerID, 20)),
		onlyIf(o.Channel != "", "followed by "+channelLink(o.Channel)))
}

// ListProblem says what of a list's line cannot be understood or searched for.
func ListProblem(problem, line string) Message {
	return says(orElse(finished(inline(problem, 600)), "That cannot be searched for.")).kept("You typed:", line).message()
}
