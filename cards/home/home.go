// Package home draws one person's App Home.
package home

import (
	"slices"
	"strconv"
	"time"

	"darkroom/cards"
	"darkroom/cards/account"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

// Slack ids and titles.
const (
	ActionNew    = "home:new"
	ActionFilter = "home:filter"
	ActionSelect = "home:select" // approves several orders
	ActionPage   = "home:page:"  // followed by "newer" or "older"; carries the page, from 0
)

// Section is a part of App Home.
type Section string

// The sections, in the order that people see.
const (
	Review   Section = "review"   // in review
	Progress Section = "progress" // in progress at the service
	Recent   Section = "recent"   // ended
)

// Sections returns all sections, in order.
func Sections() []Section { return []Section{Review, Progress, Recent} }

// SectionOf returns the section of an order.
func SectionOf(t store.Tracked) Section {
	switch {
	case t.Ended():
		return Recent
	case t.Can(order.VerbApprove):
		return Review
	}
	return Progress
}

// sectionText is a section's title, its name in the filter, and its texts without orders: of all orders, and
// of a person's own.
type sectionText struct{ title, filter, none, noneOwn string }

// sectionTexts maps whether a person may act on orders to their texts. Read-only people see no actions.
var sectionTexts = map[bool]map[Section]sectionText{
	true: {
		Review: {
			"Waiting for you", "waiting for you",
			"Nothing waits for a review." + example,
			"Nothing waits for you." + example,
		},
		Progress: {
			"In progress", "in progress",
			"No order is in progress. *Order Photos* starts one.",
			"None of your orders is in progress. *Order Photos* starts one.",
		},
		Recent: noneEnded,
	},
	false: {
		Review:   {"Waiting for review", "waiting for review", "Nothing waits for a review. When an editor delivers, you see the order in this list.", ""},
		Progress: {"In progress", "in progress", "No order is in progress.", ""},
		Recent:   noneEnded,
	},
}

var noneEnded = sectionText{
	"Recent", "recent",
	"No order has ended yet. Approved and canceled orders go in this list.",
	"None of your orders has ended yet. Approved and canceled orders go in this list.",
}

// example shows what an order looks like that waits for its review.
const example = " When an editor delivers, the order looks like this:\n> _Example: Smith wedding, 12 photos are ready in #weddings_"

// Most is how many orders of a section the overview shows. [Filter] shows all of one.
func Most(s Section) int { return kit.Either(s == Review, 5, 2) }

// Filter is a person's choice of orders. The zero value is their own orders in all sections.
type Filter struct {
	All     bool    `json:"all,omitempty"`     // orders of all their channels
	Section Section `json:"section,omitempty"` // "": all sections
}

// Has reports whether the filter includes a section.
func (f Filter) Has(s Section) bool { return f.Section == "" || f.Section == s }

// Value returns the filter's option value.
func (f Filter) Value() string {
	return strconv.FormatBool(f.All) + ":" + string(f.Section)
}

func (f Filter) label(acts bool) string {
	whose := kit.Either(f.All, "All my channels", "My orders")
	return kit.Dots(whose, sectionTexts[acts][f.Section].filter)
}

func filters() []Filter {
	var all []Filter
	for _, every := range []bool{false, true} {
		for _, s := range append([]Section{""}, Sections()...) {
			all = append(all, Filter{every, s})
		}
	}
	return all
}

// ParseFilter reads an option value. It returns false for other values.
func ParseFilter(value string) (Filter, bool) {
	for _, f := range filters() {
		if f.Value() == value {
			return f, true
		}
	}
	return Filter{}, false
}

// View is the content of one person's App Home.
type View struct {
	Credits decimal.NullDecimal           // not valid: unknown
	Secret  bool                          // the person may not read credits
	Why     order.Denial                  // why the person may not change orders; "": they may
	Filter  Filter                        // read-only people have all their channels
	Totals  map[Section]int               // orders on all pages
	Orders  []store.Tracked               // those that are shown, ordered by section
	Rounds  map[string]cards.RoundHistory // of orders in review, by order
	Others  map[string]bool               // orders in review that wait for others: they are in progress
	Links   cards.Links                   // links to cards
	Page    int                           // of one section, from 0
	Started Started                       // the first steps of a new installation
	Connect *account.View                 // the account; nil: the operator configures it
}

// Started says which first steps are done.
type Started struct{ Invited, Placed, Decided bool }

func (h View) acts() bool { return h.Why == "" }

// Tab returns App Home. Orders in review show one picture.
func Tab(h View, thumbs cards.Thumbs, now time.Time) slack.HomeTabViewRequest {
	p := &kit.Page{}
	if h.Connect != nil && h.Connect.Account == nil {
		if h.Connect.Unreadable {
			account.HomeUnreadable(p, *h.Connect)
		} else {
			account.HomeUnconnected(p, *h.Connect)
		}
		addSteps(p, h)
		return slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: p.Blocks}}
	}
	addHead(p, h, now)
	addSteps(p, h)
	for _, s := range Sections() {
		if h.Filter.Has(s) {
			addSection(p, h, s, thumbs, now)
		}
	}
	addPaging(p, h)
	addSettings(p, h)
	if h.Connect != nil {
		account.HomeConnected(p, *h.Connect)
	}
	p.Note(kit.OnlyIf(h.acts(), "Settings of a channel: `/order settings` in that channel · ") + "Everything I can do: `/order help`")
	return slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: p.Blocks}}
}

// addHead adds the main actions, the credits, and the time of all that is shown.
func addHead(p *kit.Page, h View, now time.Time) {
	var row []slack.BlockElement
	if h.acts() {
		row = append(row, kit.PrimaryButton("Order Photos", ActionNew, "new"))
		if h.Totals[Review] > 1 {
			row = append(row, kit.Button("Approve Several Orders", ActionSelect, "select"))
		}
	} else {
		p.Row(readOnlyNote(h.Why))
	}
	p.Buttons(append(row, filterMenu(h))...)
	left := "Credits left: not known right now. The photo service does not answer, your orders are safe"
	if h.Credits.Valid {
		left = "Credits left: *" + kit.Amount(h.Credits.Decimal) + "*"
	}
	p.Note(kit.Dots(kit.OnlyIf(!h.Secret, left), "Updated "+kit.When(now)))
}

// addSteps adds the first steps until all are done. Orders come after the account is connected.
func addSteps(p *kit.Page, h View) {
	s, unconnected := h.Started, h.Connect != nil && h.Connect.Account == nil
	if !h.acts() || s.Decided && !unconnected || unconnected && (!h.Connect.MayConnect || h.Connect.Forgetting || h.Connect.HasOrders) {
		return
	}
	step := func(done bool, says string) string {
		return kit.Either(done, ":white_check_mark: "+says, ":white_large_square: "+says)
	}
	p.Row("*First steps*" + kit.OnlyIf(unconnected, "\n"+step(false, "Connect your photo service")) +
		"\n" + step(s.Invited, "Add me to a channel: type `/invite @Darkroom` there") +
		"\n" + step(s.Placed, "Place your first order: press *Order Photos*, or mention me with photos") +
		"\n" + step(s.Decided, "Decide your first review: approve it or request changes"))
}

func readOnlyNote(why order.Denial) string {
	return "These are the photo orders of your channels. " + cards.OnlySees(why) + "change them. A full member of the channel approves them and requests changes."
}

// filterMenu returns the menu of filters. Read-only people have no orders of their own.
func filterMenu(h View) slack.BlockElement {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, kit.PlainText("Which orders"), ActionFilter)
	for _, f := range filters() {
		if h.acts() || f.All {
			choose.Options = append(choose.Options, kit.Option(f.Value(), f.label(h.acts()), ""))
		}
	}
	choose.InitialOption = kit.OptionOf(choose.Options, h.Filter.Value())
	return choose
}

// sectionOf returns an order's section in this person's Home.
func (h View) sectionOf(t store.Tracked) Section {
	if h.Others[t.ID] && SectionOf(t) == Review {
		return Progress
	}
	return SectionOf(t)
}

// addSection adds a section's orders that are shown. An empty section says so.
func addSection(p *kit.Page, h View, s Section, thumbs cards.Thumbs, now time.Time) {
	total := h.Totals[s]
	here := slices.DeleteFunc(slices.Clone(h.Orders), func(t store.Tracked) bool { return h.sectionOf(t) != s })
	p.Put(slack.NewDividerBlock())
	words := sectionTexts[h.acts()][s]
	if total == 0 {
		p.Row("*" + words.title + "*\n" + kit.Either(h.Filter.All, words.none, words.noneOwn))
		return
	}
	var all *slack.Accessory
	if h.Filter.Section == "" && total > len(here) {
		all = slack.NewAccessory(kit.Button("Show All "+strconv.Itoa(total), ActionFilter, Filter{h.Filter.All, s}.Value()))
	}
	p.Put(slack.NewSectionBlock(kit.Mrkdwn("*"+words.title+"* · "+kit.Count(total, "order", "orders")), nil, all))
	for _, t := range here {
		addOrder(p, h, t, thumbs, now)
	}
}

// pictureOf returns the first new photo of an order in review, else nil.
func (h View) pictureOf(t store.Tracked) *order.EditedImage {
	latest := order.Latest(t.Order.EditedImages)
	if h.sectionOf(t) != Review || len(latest) == 0 || h.Filter.Section == "" && h.Totals[Review] > mostPictured {
		return nil
	}
	if changed, _ := h.Rounds[t.ID].Changed(latest); len(changed) > 0 {
		return &changed[0].After
	}
	return &latest[0]
}

// changeWaitsNow names the waiting request that keeps an order from being reviewed, or returns "".
func changeWaitsNow(t store.Tracked, now time.Time) string {
	return kit.OnlyIf(t.ChangeWaits(now), cards.ChangeWaits(t))
}

// mostPictured is how many waiting orders the overview shows with a picture. More would be long on a phone.
const mostPictured = 2

// addOrder adds an order with its one button. An order in review may have a picture, and the button stands under it.
func addOrder(p *kit.Page, h View, t store.Tracked, thumbs cards.Thumbs, now time.Time) {
	says := cards.InShort(t)
	if h.sectionOf(t) == Review {
		says = cards.WhatIsNew(t, h.Rounds[t.ID])
	}
	words := "*" + cards.Project(t) + "*\n" + kit.Dots(says, kit.OnlyIf(h.sectionOf(t) != SectionOf(t), "waits for an approver"), "in "+kit.ChannelLink(t.Owner.Channel), kit.OnlyIf(h.Filter.All, "for "+kit.Mention(t.Owner.Requester)), cards.ToCard(h.Links, t)) +
		kit.Prefixed("\n", changeWaitsNow(t, now))
	text := kit.Mrkdwn(kit.Cut(words, kit.MaxSection))
	button := h.button(t, now)
	if image := h.pictureOf(t); image != nil && thumbs.Shows(*image) {
		name, _ := cards.ProjectName(t)
		alt := kit.Plain("Edited photo of "+name+": "+cards.ImageName(*image), kit.MaxAlt)
		p.Put(slack.NewSectionBlock(text, nil, slack.NewAccessory(thumbs.Element(*image, alt)))).Buttons(button...)
		return
	}
	var accessory *slack.Accessory
	if len(button) > 0 {
		accessory = slack.NewAccessory(button[0])
	}
	p.Put(slack.NewSectionBlock(text, nil, accessory))
}

// button returns the button that shows an order: what can be done stands there. It returns none for an id that is too
// long for a button.
func (h View) button(t store.Tracked, now time.Time) []slack.BlockElement {
	if kit.Units(t.ID) > kit.MaxID {
		return nil // the service gives no such ID
	}
	show := cards.ShowButton(t)
	if h.acts() && h.sectionOf(t) == Review && !t.ChangeWaits(now) {
		show = cards.OrderButton(t, "Review", "Review", cards.ActionShow, show.Value)
	}
	return []slack.BlockElement{show}
}

// addPaging adds the buttons to the other pages of a section, and to the overview.
func addPaging(p *kit.Page, h View) {
	if h.Filter.Section == "" {
		return
	}
	total := h.Totals[h.Filter.Section]
	if pages := cards.PagesOf(total, cards.PageSize); pages > 1 {
		p.Row(cards.PageOf(total, h.Page, pages))
		p.Paging(ActionPage, kit.OnlyIf(h.Page > 0, strconv.Itoa(h.Page-1)), kit.OnlyIf(h.Page < pages-1, strconv.Itoa(h.Page+1)))
	}
	p.Buttons(kit.Button("Show Overview", ActionFilter, Filter{All: h.Filter.All}.Value()))
}
