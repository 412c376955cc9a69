package cards

import (
	"slices"
	"time"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Action ids of buttons. An order's button carries a [Value], a review's button a [SeenValue].
const (
	ActionApprove = "order:approve" // opens the form
	// ActionApproveShown approves the photos beside the button, once Slack has asked.
	ActionApproveShown = "order:approve-shown"
	ActionRevise       = "order:revise"
	ActionMessage      = "order:message"
	ActionCancel       = "order:cancel" // opens the form
	// ActionCancelNow is a menu that cancels, once Slack has asked.
	ActionCancelNow = "order:cancel-now"
	// ActionReview is a link button to the delivery in the order's thread.
	ActionReview = "order:review"
	ActionShow   = "order:show"
	ActionMove   = "order:move"
	// ActionTakeOver makes the person who presses it the requester.
	ActionTakeOver = "order:takeover"
	// ActionDownload is a link button. Slack reports its clicks too.
	ActionDownload = "order:download"
	// ActionCompare is a link button, too.
	ActionCompare = "order:compare"

	ActionAsk     = "order:ask"   // asks the editor for an answer; carries [AskValue]
	ActionTrack   = "order:track" // in the account's list: tracks the order in this channel
	ActionMenu    = "order:menu"  // a card's menu; carries a verb, a space and a [Value]
	ActionPick    = "pick:"       // followed by a verb: a picker's external select; an option carries a [Value]
	ActionList    = "list:"       // followed by "newer" or "older": another page of a list; carries the query
	ActionHistory = "history:"    // followed by "open", "newer" or "older": a page of an order's history; carries a [Value] with the page, from 0

	ActionSavePreset = "preset:save" // saves an order's instructions as a preset; carries a [Value]
	TitlePreset      = "Save as preset"
)

// button is one row of the table of buttons. [store.Tracked.Offers] decides when its verb is offered.
type button struct{ verb, label, action string }

// labelMessage labels every button that opens the message form.
const labelMessage = "Message the Editor"

// Labels of menu options.
const (
	optionMessage = "Message the editor"
	optionCancel  = "Cancel order"
)

// orderButtons returns the buttons in the order that people see.
func orderButtons() []button {
	return []button{
		{"approve", "Approve", ActionApprove},
		{"revise", "Request Changes", ActionRevise},
		{"message", labelMessage, ActionMessage},
		{"cancel", "Cancel Order", ActionCancel},
	}
}

// PossibleButtons returns the buttons whose verbs can succeed now.
func PossibleButtons(t store.Tracked, now time.Time) []slack.BlockElement {
	return elements(t, offered(t, now, orderButtons()))
}

// elements returns buttons whose screen reader labels name the order.
func elements(t store.Tracked, rows []button) []slack.BlockElement {
	return kit.Map(rows, func(_ int, b button) slack.BlockElement {
		return OrderButton(t, b.label, kit.Join(" ", b.label, prepositions[b.verb]), b.action, b.value(t))
	})
}

// prepositions stand between a button's label and the order's name: "Request changes to Harbor".
var prepositions = map[string]string{"revise": "to", "message": "of", "show": "of"}

// cardRow returns the card's buttons of the moment, at most two, and the menu that cancels.
func cardRow(t store.Tracked, links Links, now time.Time) []slack.BlockElement {
	row := elements(t, momentButtons(t, now))
	if toReview := ReviewButton(t, links, now); toReview != nil {
		row = []slack.BlockElement{toReview.WithStyle(slack.StylePrimary)}
	}
	if menu := cancelMenu(t, now); menu != nil {
		if len(row) == 0 { // what was ordered is checked while it can be canceled
			row = append(row, ShowButton(t))
		}
		row = append(row, menu)
	}
	return row
}

// momentButtons returns the card's buttons for the order's next step. A live review has its own.
func momentButtons(t store.Tracked, now time.Time) []button {
	_, live := LiveReview(t)
	rows := slices.DeleteFunc(offered(t, now, orderButtons()), func(b button) bool {
		return live && b.isReview() || b.verb == order.VerbCancel || b.verb == order.VerbMessage && !t.Paused()
	})
	if t.Approved() && (t.Shrunk || len(t.Order.EditedImages) > 0) {
		rows = append(rows, button{verb: "show", label: labelFinals, action: ActionShow})
	}
	return rows
}

// ReviewButton links to the order's live review. It is nil without one.
func ReviewButton(t store.Tracked, links Links, now time.Time) *slack.ButtonBlockElement {
	review, live := LiveReview(t)
	address := links.Message(t.Owner.Channel, review.TS, t.ThreadTS())
	if !live || address == "" || t.ChangeWaits(now) {
		return nil
	}
	return OrderButton(t, "Review", "Review", ActionReview, SeenValue(t)).WithURL(address)
}

// cancelMenu returns the menu that cancels an order, or nil when it is too late. It is a menu of its own, because
// Slack asks before every entry of a menu or before none.
func cancelMenu(t store.Tracked, now time.Time) slack.BlockElement {
	until, offered := CancelUntil(t, now)
	value := Value(t.ID, t.Order.Rev())
	if !offered || kit.Units(value) > kit.MaxOptionValue {
		return nil
	}
	name, _ := ProjectName(t)
	promised := until.Add(order.CancelPromised - order.CancelWindow)
	menu := slack.NewOverflowBlockElement(ActionCancelNow, kit.Option(value, optionCancel, ""))
	menu.Confirm = kit.Confirm("Cancel "+kit.Plain(name, kit.MaxConfirmTitle-len("Cancel ?"))+"?",
		"The photo service promises to take it back until "+clockUTC(promised)+", 10 minutes after it was placed. It may still do so until "+clockUTC(until)+". This cannot be undone.",
		"Cancel Order", "Keep Order").WithStyle(slack.StyleDanger)
	return menu
}

// clockUTC formats a time of day where Slack shows no dates in the reader's time zone.
func clockUTC(t time.Time) string { return t.UTC().Format("15:04") + " UTC" }

func (b button) isReview() bool { return b.action == ActionApprove || b.action == ActionRevise }

// offered keeps the rows whose verb is worth offering now.
func offered(t store.Tracked, now time.Time, rows []button) []button {
	return slices.DeleteFunc(rows, func(b button) bool { return !t.Offers(b.verb, now) })
}

// value returns the button's value. A review's button names the images it is about.
func (b button) value(t store.Tracked) string {
	if b.isReview() {
		return SeenValue(t)
	}
	return Value(t.ID, t.Order.Rev())
}

// menu returns a card's overflow menu, or nil without entries.
func menu(t store.Tracked, now time.Time) *slack.Accessory {
	all := menuOf(t, offered(t, now, []button{
		{verb: order.VerbMessage, label: optionMessage},
		{verb: "show", label: "Show details"},
		{verb: "reference", label: "Add reference images"},
		{verb: "move", label: "Move this order"},
		{verb: "again", label: "Order again"},
	}))
	if all == nil {
		return nil
	}
	return slack.NewAccessory(all)
}

// menuOf returns an overflow menu of verbs, or nil without entries.
func menuOf(t store.Tracked, rows []button) *slack.OverflowBlockElement {
	var entries []*slack.OptionBlockObject
	for _, b := range rows {
		if value := b.verb + " " + b.value(t); kit.Units(value) <= kit.MaxOptionValue { // a cut id would name another order
			entries = append(entries, kit.Option(value, b.label, ""))
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return slack.NewOverflowBlockElement(ActionMenu, entries...)
}

// OrderButton returns a button whose screen reader label is doing and the order's name.
func OrderButton(t store.Tracked, label, doing, action, value string) *slack.ButtonBlockElement {
	name, _ := ProjectName(t)
	element := kit.Button(label, action, value)
	element.AccessibilityLabel = kit.Plain(doing+" "+name, kit.MaxAccessible)
	return element
}

// Labels of the buttons that show an order.
const (
	labelShow   = "Show Details"
	labelFinals = "Show Final Photos"
)

// ShowButton returns the button that shows an order.
func ShowButton(t store.Tracked) *slack.ButtonBlockElement {
	return OrderButton(t, labelShow, labelShow+" of", ActionShow, Value(t.ID, t.Order.Rev()))
}

// AddMessageButton adds a button that opens the message form with the text saved under note.
func AddMessageButton(p *kit.Page, t store.Tracked, note string) *kit.Page {
	return p.Put(slack.NewActionBlock(kit.Clip(PickBlock+note, kit.MaxID), OrderButton(t, labelMessage, labelMessage+" of", ActionMessage, Value(t.ID, t.Order.Rev()))))
}

// SaveAsPreset returns the button that saves an order's instructions, or none if they are unknown.
func SaveAsPreset(t store.Tracked) []slack.BlockElement {
	if t.Brief == nil {
		return nil
	}
	return []slack.BlockElement{OrderButton(t, "Save as Preset", "Save as Preset:", ActionSavePreset, Value(t.ID, t.Order.Rev()))}
}
