package cards

import (
	"cmp"
	"strconv"
	"time"

	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

// HomeSection is a part of the App Home.
type HomeSection string

// The sections, in the order in which people see them.
const (
	HomeReview   HomeSection = "review"   // waits for a review
	HomeProgress HomeSection = "progress" // somebody works on it
	HomeRecent   HomeSection = "recent"   // ended
)

// HomeSections are all sections, in their order.
func HomeSections() []HomeSection { return []HomeSection{HomeReview, HomeProgress, HomeRecent} }

// SectionOf is the section in which an order is shown.
func SectionOf(t store.Tracked) HomeSection {
	switch {
	case t.Ended():
		return HomeRecent
	case t.Can(order.VerbApprove):
		return HomeReview
	}
	return HomeProgress
}

// homeWords are what a section is called, in the filter too, and what an empty one teaches: nobody
// is taught what they may not do.
var homeWords = map[HomeSection]struct{ title, filter, none, teaches string }{
	HomeReview: {
		"Waiting for you", "waiting for review", "Nothing waits for a review. When an editor delivers, the order appears here.",
		"Nothing waits for you. When an editor delivers, the order appears here with *Approve* and *Request changes*.",
	},
	HomeProgress: {
		"In progress", "in progress", "No order is being worked on.",
		"No order is being worked on. *New photo order* begins one.",
	},
	HomeRecent: {title: "Recent", filter: "recent", none: "No order has ended yet. Approved and canceled orders are kept here."},
}

// HomeFilter is what a person wants to see in their App Home. Its zero value is their own
// orders in all sections.
type HomeFilter struct {
	All     bool        `json:"all,omitempty"`     // the orders of all their channels
	Section HomeSection `json:"section,omitempty"` // only this one; "": all
}

// Has tells whether the filter lets a section through.
func (f HomeFilter) Has(s HomeSection) bool { return f.Section == "" || f.Section == s }

func (f HomeFilter) value() string {
	return strconv.FormatBool(f.All) + ":" + string(f.Section)
}

func (f HomeFilter) label() string {
	whose := "My orders"
	if f.All {
		whose = "All my channels"
	}
	return dots(whose, homeWords[f.Section].filter)
}

func homeFilters() []HomeFilter {
	var all []HomeFilter
	for _, every := range []bool{false, true} {
		for _, s := range append([]HomeSection{""}, HomeSections()...) {
			all = append(all, HomeFilter{every, s})
		}
	}
	return all
}

// ParseHomeFilter reads a chosen filter back. It is false for a value that is not ours.
func ParseHomeFilter(value string) (HomeFilter, bool) {
	for _, f := range homeFilters() {
		if f.value() == value {
			return f, true
		}
	}
	return HomeFilter{}, false
}

// Home is what one person's App Home shows.
type Home struct {
	Credits decimal.NullDecimal // not valid: not known right now
	Secret  bool                // the credits are not this person's to read
	Why     order.Denial        // for which they may change no order; "" = they may
	Filter  HomeFilter
	Totals  map[HomeSection]int // orders on all pages
	Orders  []store.Tracked     // of this page, in the order of the sections
	Page    int                 // from 0
}

// HomeView is the App Home.
func HomeView(h Home, now time.Time) slack.HomeTabViewRequest {
	p := &builder{}
	p.homeHead(h)
	for _, s := range HomeSections() {
		if h.Filter.Has(s) {
			p.homeSection(h, s, now)
		}
	}
	p.homePaging(h)
	p.note("Each channel decides which thread replies reach the editor: `/order settings` there. Everything I can do: `/order help`")
	return slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: p.blocks}}
}

func (p *builder) homeHead(h Home) {
	left := "not known right now: the photo service does not answer. Your orders are safe, and shown as they were last seen."
	if h.Credits.Valid {
		left = "*" + amount(h.Credits.Decimal) + "*"
	}
	if !h.Secret {
		p.row("Credits left: " + left)
	}
	var row []slack.BlockElement
	if h.Why == "" {
		row = append(row, primary(TitleNew, ActionHomeNew, "new"))
	} else {
		p.row(homeDenied(h.Why))
	}
	p.buttons(append(row, homeSelect(h.Filter))...)
}

func homeDenied(why order.Denial) string {
	if why == order.DeniedGuest {
		return "As a guest you can look at orders here, but not change them."
	}
	return onlySees(why) + "change them."
}

func homeSelect(chosen HomeFilter) slack.BlockElement {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText("Which orders"), ActionHomeFilter)
	for _, f := range homeFilters() {
		choose.Options = append(choose.Options, slack.NewOptionBlockObject(f.value(), plainText(f.label()), nil))
	}
	choose.InitialOption = optionOf(choose.Options, chosen.value())
	return choose
}

// homeSection shows what of a section is on this page. A section without orders says so
// on the first page, and what will be in it.
func (p *builder) homeSection(h Home, s HomeSection, now time.Time) {
	total := h.Totals[s]
	var here []store.Tracked
	for _, t := range h.Orders {
		if SectionOf(t) == s {
			here = append(here, t)
		}
	}
	if len(here) == 0 && (total > 0 || h.Page > 0) {
		return // on another page
	}
	p.put(slack.NewDividerBlock())
	words := homeWords[s]
	if total == 0 {
		if h.Why == "" {
			words.none = cmp.Or(words.teaches, words.none)
		}
		p.row("*" + words.title + "*\n" + words.none)
		return
	}
	p.row("*" + words.title + "* · " + count(total, "order", "orders"))
	for _, t := range here {
		p.homeOrder(h, t, now)
	}
}

func (p *builder) homeOrder(h Home, t store.Tracked, now time.Time) {
	p.row("*" + project(t) + "*\n" + dots(inOneLine(t), "in "+channelLink(t.Owner.Channel)))
	if units(t.ID) > maxID {
		return // no order of the service's; a view of such buttons would be too large
	}
	show := press("Show", ActionShow, Value(t.ID, t.Order.Rev()))
	row := []slack.BlockElement{show}
	if h.Why == "" {
		row = append(possible(t, now), show)
	}
	p.buttons(row...)
}

func (p *builder) homePaging(h Home) {
	total := 0
	for _, n := range h.Totals {
		total += n
	}
	pages := PagesOf(total, PageSize)
	if pages < 2 {
		return
	}
	p.row(pageOf(total, h.Page, pages))
	p.paging(ActionHomePage, onlyIf(h.Page > 0, strconv.Itoa(h.Page-1)), onlyIf(h.Page < pages-1, strconv.Itoa(h.Page+1)))
}

// row adds a paragraph to a view, which holds far more than a message.
func (p *builder) row(safe string) {
	p.put(slack.NewSectionBlock(mrkdwn(cut(safe, maxSection)), nil, nil))
}
