// Package home draws one person's App Home.
package home

import (
	"cmp"
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
			"Nothing waits for a review. When an editor delivers, the order appears here with *Approve* and *Request Changes*.",
			"Nothing waits for you. When an editor delivers, the order appears here with *Approve* and *Request Changes*.",
		},
		Progress: {
			"In progress", "in progress",
			"No order is being worked on. *Order Photos* begins one.",
			"None of your orders is being worked on. *Order Photos* begins one.",
		},
		Recent: noneEnded,
	},
	false: {
		Review:   {"Waiting for review", "waiting for review", "Nothing waits for a review. When an editor delivers, the order appears here.", ""},
		Progress: {"In progress", "in progress", "No order is being worked on.", ""},
		Recent:   noneEnded,
	},
}

var noneEnded = sectionText{
	"Recent", "recent",
	"No order has ended yet. Approved and canceled orders are kept here.",
	"None of your orders has ended yet. Approved and canceled orders are kept here.",
}

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
	Orders  []store.Tracked               // of this page, ordered by section
	Rounds  map[string]cards.RoundHistory // of orders in review, by order
	Links   cards.Links                   // links to cards
	Page    int                           // from 0
	Connect *account.View                 // the account; nil: the operator configures it
}

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
		return slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: p.Blocks}}
	}
	addHead(p, h)
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
	p.Note(kit.OnlyIf(h.acts(), "Each channel decides which thread replies reach the editor: `/order settings` there. ") + "Everything I can do: `/order help`")
	return slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: p.Blocks}}
}

func addHead(p *kit.Page, h View) {
	left := "not known right now: the photo service does not answer. Your orders are safe, and shown as they were last seen."
	if h.Credits.Valid {
		left = "*" + kit.Amount(h.Credits.Decimal) + "*"
	}
	if !h.Secret {
		p.Row("Credits left: " + left)
	}
	var row []slack.BlockElement
	if h.acts() {
		row = append(row, kit.PrimaryButton("Order Photos", ActionNew, "new"))
	} else {
		p.Row(readOnlyNote(h.Why))
	}
	p.Buttons(append(row, filterMenu(h))...)
}

func readOnlyNote(why order.Denial) string {
	return "Here are the photo orders of the channels that you are in. " + cards.OnlySees(why) + "change them: a full member of the channel approves them and asks for changes."
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

// addSection adds a section's orders on this page. An empty section says so on the first page.
func addSection(p *kit.Page, h View, s Section, thumbs cards.Thumbs, now time.Time) {
	total := h.Totals[s]
	here := slices.DeleteFunc(slices.Clone(h.Orders), func(t store.Tracked) bool { return SectionOf(t) != s })
	if len(here) == 0 && (total > 0 || h.Page > 0) {
		return // on another page
	}
	p.Put(slack.NewDividerBlock())
	words := sectionTexts[h.acts()][s]
	if total == 0 {
		p.Row("*" + words.title + "*\n" + kit.Either(h.Filter.All, words.none, words.noneOwn))
		return
	}
	p.Row("*" + words.title + "* · " + kit.Count(total, "order", "orders"))
	if s == Review && total > 1 && h.acts() {
		p.Buttons(kit.Button("Approve Several Orders", ActionSelect, "select"))
	}
	for _, t := range here {
		if image := h.pictureOf(t, s); image != nil && thumbs.Shows(*image) {
			addCard(p, h, t, *image, thumbs, now)
		} else {
			addOrder(p, h, t, nil, now)
		}
	}
}

// pictureOf returns the first new image of an order in review, else nil.
func (h View) pictureOf(t store.Tracked, s Section) *order.EditedImage {
	latest := order.Latest(t.Order.EditedImages)
	if s != Review || len(latest) == 0 {
		return nil
	}
	if changed, _ := h.Rounds[t.ID].Changed(latest); len(changed) > 0 {
		return &changed[0].After
	}
	return &latest[0]
}

// addCard adds an order with a picture: as a card, or beside its text where Slack takes no cards.
func addCard(p *kit.Page, h View, t store.Tracked, image order.EditedImage, thumbs cards.Thumbs, now time.Time) {
	name, mark := cards.ProjectName(t)
	picture := thumbs.Element(image, kit.Plain(cards.ImageName(image)+" of "+name, kit.MaxAlt))
	if thumbs.Plain {
		addOrder(p, h, t, slack.NewAccessory(picture), now)
		return
	}
	card := slack.NewCardBlock().WithHeroImage(picture).
		WithTitle(kit.Mrkdwn(kit.Inline(name, maxCardName) + kit.EscapeTo(mark, 20))).
		WithSubtitle(kit.Mrkdwn(kit.Cut(kit.Dots(cards.WhatIsNew(t, h.Rounds[t.ID]), "for "+kit.Mention(t.Owner.Requester)), maxCardTitle))).
		WithBody(kit.Mrkdwn(kit.Cut(cmp.Or(changeWaitsNow(t, now), "in "+kit.ChannelLink(t.Owner.Channel)+kit.Prefixed(" · ", cards.ToCard(h.Links, t))), maxCardText)))
	p.Put(card.WithActions(h.buttons(t, now)...))
}

// Limits of a card (docs.slack.dev/reference/block-kit/blocks/card-block).
const (
	maxCardTitle = 150
	maxCardName  = 120 // part of the title; the order code follows
	maxCardText  = 200
)

// changeWaitsNow names the waiting request that keeps an order from being reviewed, or returns "".
func changeWaitsNow(t store.Tracked, now time.Time) string {
	return kit.OnlyIf(t.ChangeWaits(now), cards.ChangeWaits(t))
}

// addOrder adds an order as text, with a picture beside it if there is one.
func addOrder(p *kit.Page, h View, t store.Tracked, picture *slack.Accessory, now time.Time) {
	words := "*" + cards.Project(t) + "*\n" + kit.Dots(cards.InOneLine(t), "in "+kit.ChannelLink(t.Owner.Channel), cards.ToCard(h.Links, t)) + kit.Prefixed("\n", changeWaitsNow(t, now))
	p.Put(slack.NewSectionBlock(kit.Mrkdwn(kit.Cut(words, kit.MaxSection)), nil, picture))
	p.Buttons(h.buttons(t, now)...)
}

// mostButtons is how many buttons an order has in App Home: a card's limit.
const mostButtons = 3

// buttons returns an order's next steps, then the button that shows it.
func (h View) buttons(t store.Tracked, now time.Time) []slack.BlockElement {
	if kit.Units(t.ID) > kit.MaxID {
		return nil // the service gives no such ID; buttons with it would exceed Slack's limits
	}
	show := cards.ShowButton(t)
	if !h.acts() {
		return []slack.BlockElement{show}
	}
	row := cards.PossibleButtons(t, now)
	return append(row[:min(len(row), mostButtons-1)], show)
}

func addPaging(p *kit.Page, h View) {
	total := 0
	for _, n := range h.Totals {
		total += n
	}
	pages := cards.PagesOf(total, cards.PageSize)
	if pages < 2 {
		return
	}
	p.Row(cards.PageOf(total, h.Page, pages))
	p.Paging(ActionPage, kit.OnlyIf(h.Page > 0, strconv.Itoa(h.Page-1)), kit.OnlyIf(h.Page < pages-1, strconv.Itoa(h.Page+1)))
}
