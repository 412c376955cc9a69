package cards

import (
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

// sectionWords are what a section is called, in the filter too, and what it says while it is empty: of
// all orders, and of a person's own.
type sectionWords struct{ title, filter, none, noneOwn string }

// homeWords are the words of somebody who may act on orders, and those of somebody who only looks: nobody
// is asked for, or taught, what they may not do.
var homeWords = map[bool]map[HomeSection]sectionWords{
	true: {
		HomeReview: {
			"Waiting for you", "waiting for you",
			"Nothing waits for a review. When an editor delivers, the order appears here with *Approve* and *Request changes*.",
			"Nothing waits for you. When an editor delivers, the order appears here with *Approve* and *Request changes*.",
		},
		HomeProgress: {
			"In progress", "in progress",
			"No order is being worked on. *New photo order* begins one.",
			"None of your orders is being worked on. *New photo order* begins one.",
		},
		HomeRecent: noneEnded,
	},
	false: {
		HomeReview:   {"Waiting for review", "waiting for review", "Nothing waits for a review. When an editor delivers, the order appears here.", ""},
		HomeProgress: {"In progress", "in progress", "No order is being worked on.", ""},
		HomeRecent:   noneEnded,
	},
}

var noneEnded = sectionWords{
	"Recent", "recent",
	"No order has ended yet. Approved and canceled orders are kept here.",
	"None of your orders has ended yet. Approved and canceled orders are kept here.",
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

func (f HomeFilter) label(acts bool) string {
	whose := "My orders"
	if f.All {
		whose = "All my channels"
	}
	return dots(whose, homeWords[acts][f.Section].filter)
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
	Filter  HomeFilter          // of whoever may change no order: all their channels
	Totals  map[HomeSection]int // orders on all pages
	Orders  []store.Tracked     // of this page, in the order of the sections
	Courses map[string]Course   // by order, of those that wait for a review
	Links   Links               // to the orders' cards
	Page    int                 // from 0
	Connect *Connect            // the account at the order service; nil: whoever runs the app has set it
}

func (h Home) acts() bool { return h.Why == "" }

// HomeView is the App Home. What waits for a review is shown with a picture of it.
func HomeView(h Home, thumbs Thumbs, now time.Time) slack.HomeTabViewRequest {
	p := &builder{}
	if h.Connect != nil && h.Connect.Account == nil {
		if h.Connect.Unreadable {
			p.homeUnreadable(*h.Connect)
		} else {
			p.homeUnconnected(*h.Connect)
		}
		return slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: p.blocks}}
	}
	p.homeHead(h)
	for _, s := range HomeSections() {
		if h.Filter.Has(s) {
			p.homeSection(h, s, thumbs, now)
		}
	}
	p.homePaging(h)
	if h.Connect != nil {
		p.homeConnected(*h.Connect)
	}
	p.note(onlyIf(h.acts(), "Each channel decides which thread replies reach the editor: `/order settings` there. ") + "Everything I can do: `/order help`")
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
	if h.acts() {
		row = append(row, primary(TitleNew, ActionHomeNew, "new"))
	} else {
		p.row(homeDenied(h.Why))
	}
	p.buttons(append(row, homeSelect(h))...)
}

func homeDenied(why order.Denial) string {
	return "Here are the photo orders of the channels that you are in. " + onlySees(why) + "change them: a full member of the channel approves them and asks for changes."
}

// homeSelect is the choice of orders. Who may change none has none of their own.
func homeSelect(h Home) slack.BlockElement {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText("Which orders"), ActionHomeFilter)
	for _, f := range homeFilters() {
		if h.acts() || f.All {
			choose.Options = append(choose.Options, slack.NewOptionBlockObject(f.value(), plainText(f.label(h.acts())), nil))
		}
	}
	choose.InitialOption = optionOf(choose.Options, h.Filter.value())
	return choose
}

// homeSection shows what of a section is on this page. A section without orders says so
// on the first page, and what will be in it.
func (p *builder) homeSection(h Home, s HomeSection, thumbs Thumbs, now time.Time) {
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
	words := homeWords[h.acts()][s]
	if total == 0 {
		p.row("*" + words.title + "*\n" + onlyIf(h.Filter.All, words.none) + onlyIf(!h.Filter.All, words.noneOwn))
		return
	}
	p.row("*" + words.title + "* · " + count(total, "order", "orders"))
	if s == HomeReview && total > 1 && h.acts() {
		p.buttons(press("Approve several", ActionHomeSelect, "select"))
	}
	for _, t := range here {
		if image := h.pictureOf(t, s); image != nil && thumbs.shows(*image) {
			p.homeCard(h, t, *image, thumbs, now)
		} else {
			p.homeOrder(h, t, nil, now)
		}
	}
}

// pictureOf is the image that shows what an order waits with: the first that is new; nil when it does
// not wait, or has none.
func (h Home) pictureOf(t store.Tracked, s HomeSection) *order.EditedImage {
	latest := Latest(t.Order.EditedImages)
	if s != HomeReview || len(latest) == 0 {
		return nil
	}
	if changed, _ := h.Courses[t.ID].changed(latest); len(changed) > 0 {
		return &changed[0].after
	}
	return &latest[0]
}

// homeCard is an order with a picture, as a card, or beside it where Slack takes none.
func (p *builder) homeCard(h Home, t store.Tracked, image order.EditedImage, thumbs Thumbs, now time.Time) {
	name, mark := projectName(t)
	picture := thumbs.element(image, plain(imageName(image)+" of "+name, maxAlt))
	if thumbs.Plain {
		p.homeOrder(h, t, slack.NewAccessory(picture), now)
		return
	}
	card := slack.NewCardBlock().WithHeroImage(picture).
		WithTitle(mrkdwn(inline(name, maxCardName) + escape(mark, 20))).
		WithSubtitle(mrkdwn(cut(dots(whatIsNew(t, h.Courses[t.ID]), "for "+mention(t.Owner.Requester)), maxCardTitle))).
		WithBody(mrkdwn(cut(orElse(changeWaitsNow(t, now), "in "+channelLink(t.Owner.Channel)+led(" · ", toCard(h.Links, t))), maxCardText)))
	p.put(card.WithActions(h.homeButtons(t, now)...))
}

// The limits of a card (docs.slack.dev/reference/block-kit/blocks/card-block).
const (
	maxCardTitle = 150
	maxCardName  = 120 // of the title: the reference follows
	maxCardText  = 200
)

// whatIsNew is "12 images, 1 new in round 2".
func whatIsNew(t store.Tracked, c Course) string {
	latest := Latest(t.Order.EditedImages)
	changed, _ := c.changed(latest)
	return count(len(latest), "image", "images") + onlyIf(len(changed) > 0, ", "+onlyIf(len(changed) == len(latest), "all")+onlyIf(len(changed) < len(latest), strconv.Itoa(len(changed)))+" new") +
		onlyIf(t.Order.Rev() > 0, " in "+Round(t.Order.Rev()))
}

// changeWaitsNow is what waits for the service now, "" when nothing does.
func changeWaitsNow(t store.Tracked, now time.Time) string {
	return onlyIf(t.ChangeWaits(now), changeWaits(t))
}

// homeOrder is an order in words, with a picture beside them when there is one.
func (p *builder) homeOrder(h Home, t store.Tracked, picture *slack.Accessory, now time.Time) {
	words := "*" + project(t) + "*\n" + dots(inOneLine(t), "in "+channelLink(t.Owner.Channel), toCard(h.Links, t)) + led("\n", changeWaitsNow(t, now))
	p.put(slack.NewSectionBlock(mrkdwn(cut(words, maxSection)), nil, picture))
	p.buttons(h.homeButtons(t, now)...)
}

// homeRow is how many buttons an order has in the Home: as many as a card takes.
const homeRow = 3

// homeButtons are what can be done with an order first; the last shows it.
func (h Home) homeButtons(t store.Tracked, now time.Time) []slack.BlockElement {
	if units(t.ID) > maxID {
		return nil // no order of the service's; a view of such buttons would be too large
	}
	show := showButton(t)
	if !h.acts() {
		return []slack.BlockElement{show}
	}
	row := possible(t, now)
	return append(row[:min(len(row), homeRow-1)], show)
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
