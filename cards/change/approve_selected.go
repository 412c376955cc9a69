package change

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Slack ids and titles.
const (
	CallbackSelect = "approve_selected"
	TitleSelect    = "Approve orders"
)

// MostSelected is how many orders one form shows.
const MostSelected = 10

const fieldSelected = "selected"

// Selection is the content of the form that approves several orders.
type Selection struct {
	Orders []store.Tracked               // waiting for a review; [MostSelected] at most
	Rounds map[string]cards.RoundHistory // by order
	Total  int                           // how many orders wait in all
}

// Selectable reports whether a checkbox can carry the order and its images' fingerprint.
func Selectable(t store.Tracked) bool { return kit.Units(cards.SeenValue(t)) <= kit.MaxOptionValue }

// SelectApprovals shows several orders with their new images and one checkbox each. None is checked.
func SelectApprovals(s Selection, thumbs cards.Thumbs, externalID string) slack.ModalViewRequest {
	if len(s.Orders) == 0 {
		return kit.Notice(TitleSelect, "No order waits for your review.", externalID)
	}
	p := kit.NewWindow("Tick the orders to approve. This closes them. No more changes after it.")
	for i, t := range s.Orders {
		addSelectable(p, i, t, s.Rounds[t.ID], thumbs)
	}
	p.Note(kit.OnlyIf(s.Total > len(s.Orders), strconv.Itoa(len(s.Orders))+" of "+strconv.Itoa(s.Total)+" waiting orders, newest first. Open this again for the others."))
	return p.Form(TitleSelect, "Approve Selected", CallbackSelect, externalID, kit.Meta{})
}

// addSelectable adds one order: checkbox, facts and new images.
func addSelectable(p *kit.Page, place int, t store.Tracked, c cards.RoundHistory, thumbs cards.Thumbs) {
	name, mark := cards.ProjectName(t)
	label := kit.Plain(name+mark, maxTitleOf)
	option := kit.Option(cards.SeenValue(t), "Approve", "")
	p.Put(kit.Field(kit.BlockID(fieldSelected, 0, place), label, "", slack.NewCheckboxGroupsBlockElement(fieldSelected, option)).WithOptional(true))
	latest := order.Latest(t.Order.EditedImages)
	p.Note(kit.Cut(kit.Dots(cards.WhatIsNew(t, c), "in "+kit.ChannelLink(t.Owner.Channel), "for "+kit.Mention(t.Owner.Requester)), kit.MaxSection))
	tiles := slices.DeleteFunc(toSee(latest, c), func(one cards.Tile) bool { return !thumbs.Shows(one.Image) })
	tiles = tiles[:min(len(tiles), cards.SheetColumns)]
	if len(tiles) > 0 && !thumbs.Plain {
		cards.AddLayout(p, label, cards.RowsOf(tiles), thumbs, nil)
	}
	if len(latest) > len(tiles) || thumbs.Plain {
		p.Buttons(cards.SeeAllOf(t, len(latest)))
	}
}

// maxTitleOf bounds the order's name above its checkbox.
const maxTitleOf = 140

// toSee returns the delivery's new pictures, or all if none is known to be new.
func toSee(latest []order.EditedImage, c cards.RoundHistory) []cards.Tile {
	changed, _ := c.Changed(latest)
	if len(changed) > 0 {
		return kit.Map(changed, func(_ int, c cards.Change) cards.Tile { return cards.Tile{Number: c.Number, Image: c.After} })
	}
	return kit.Map(latest, func(i int, image order.EditedImage) cards.Tile { return cards.Tile{Number: i + 1, Image: image} })
}

// Selected is a checked order, as it was shown.
type Selected struct {
	Order    string
	Revision int
	Pictures string
}

// DecodeSelected reads the checked orders, in their order. The problems are by block id.
func DecodeSelected(view slack.View) ([]Selected, map[string]string) {
	var all []Selected
	for _, held := range kit.AnswersOf(view, fieldSelected) {
		for _, option := range held.SelectedOptions {
			id, revision, ok := cards.ParseValue(option.Value)
			known := slices.ContainsFunc(all, func(s Selected) bool { return s.Order == id })
			if ok && !known && len(all) < MostSelected {
				all = append(all, Selected{id, revision, cards.PicturesIn(option.Value)})
			}
		}
	}
	if len(all) == 0 {
		return nil, kit.Beside(view, fieldSelected, "Tick at least one order, or close this window. Nothing was sent.")
	}
	return all, nil
}

// Approval is the outcome for one of several approved orders.
type Approval string

// The outcomes.
const (
	ApprovalWaits   Approval = "waits"   // the service does not answer
	ApprovalDone    Approval = "done"    // the order is closed
	ApprovalStale   Approval = "stale"   // newer images exist than those that were seen
	ApprovalRefused Approval = "refused" // the service refused
	ApprovalDenied  Approval = "denied"  // it was not sent
	ApprovalUnknown Approval = "unknown" // the service did not answer clearly
)

// Failed reports whether somebody must look at the order.
func (a Approval) Failed() bool { return a != ApprovalWaits && a != ApprovalDone }

// SelectedOutcome is one order's outcome with its text.
type SelectedOutcome struct {
	Approval Approval `json:"approval"`
	Text     string   `json:"says"` // safe text
}

// OutcomeOf returns an outcome with its text. why is a safe sentence, for [ApprovalDenied]. The zero order is
// one that the person may not know.
func OutcomeOf(t store.Tracked, a Approval, problems kit.Problems, why string) SelectedOutcome {
	says := map[Approval]string{
		ApprovalWaits:   ":hourglass_flowing_sand: {order} waits. The photo service does not answer just now. I approve it when it is back, unless newer photos arrive first.",
		ApprovalDone:    ":white_check_mark: {order} is approved.",
		ApprovalStale:   ":eyes: {order} was *not* approved. It has newer photos than those you saw. To look at them first: `/order approve {handle}`",
		ApprovalUnknown: ":warning: I do not know yet if {order} was approved. The photo service gave no clear answer. If its card still says _Ready for review_ in a few minutes, approve it again. That is safe.",
		ApprovalRefused: ":warning: {order} was *not* approved. The photo service says: ",
		ApprovalDenied:  ":warning: " + kit.OnlyIf(t.ID != "", "{order}: "),
	}[a]
	reason := map[Approval]string{ApprovalRefused: kit.Inline(strings.Join(problems, " "), cards.MaxOwn), ApprovalDenied: why}[a]
	return SelectedOutcome{a, kit.Cut(cards.Expand(says, t)+reason, kit.MaxSection)}
}

// SelectedProgress shows the outcomes known so far, by order.
func SelectedProgress(known map[string]SelectedOutcome, all int, externalID string) slack.ModalViewRequest {
	left := all - len(known)
	p := kit.NewWindow(kit.OnlyIf(left == all, "Approving "+kit.Count(all, "order", "orders")+" …"))
	for _, id := range slices.Sorted(maps.Keys(known)) {
		p.Say(known[id].Text)
	}
	p.Say(kit.OnlyIf(left > 0 && left < all, ":hourglass_flowing_sand: "+kit.Count(left, "more is", "more are")+" on the way …"))
	waits := slices.ContainsFunc(slices.Collect(maps.Values(known)), func(o SelectedOutcome) bool { return o.Approval == ApprovalWaits })
	return p.Note(kit.OnlyIf(left > 0 || waits, cards.OnItsWay)).Modal(TitleSelect, externalID, kit.Meta{})
}
