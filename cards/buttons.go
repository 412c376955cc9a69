package cards

import (
	"slices"
	"time"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Action ids of the buttons. An order's button carries a [Value], one of a review a [SeenValue].
const (
	ActionApprove = "order:approve"
	ActionRevise  = "order:revise"
	ActionMessage = "order:message"
	ActionCancel  = "order:cancel"
	ActionShow    = "order:show"
	ActionMove    = "order:move"
	// ActionTakeOver makes an order that of who presses it, when who asked for it is gone.
	ActionTakeOver = "order:takeover"
	// ActionDownload is a link, of which Slack tells all the same.
	ActionDownload = "order:download"

	ActionAsk     = "order:ask"   // for an answer of the editor; carries [AskValue]
	ActionTrack   = "order:track" // in the account's list: its channel is to follow the order
	ActionMenu    = "order:menu"  // a card's menu; carries a verb, a space and a [Value]
	ActionPick    = "pick:"       // and a verb: the external select of a picker; what is chosen is a [Value]
	ActionList    = "list:"       // and "newer" or "older": another page of a list; carries what is listed
	ActionHistory = "history:"    // and "open", "newer" or "older": a page of an order's whole history; carries a [Value] with the page, from 0

	ActionSavePreset = "preset:save" // keeps what an order asked for as a preset; carries a [Value]
	TitlePreset      = "Save as preset"
)

// button is one row of the table: what it is called and what it sends. When it
// is offered is its verb's rule: [store.Tracked.Offers].
type button struct {
	verb, label, action string
	style               slack.Style
}

// labelMessage is what writing to the editor is called everywhere.
const labelMessage = "Message the editor"

// orderButtons are in the order in which people see them.
func orderButtons() []button {
	return []button{
		{"approve", "Approve", ActionApprove, slack.StylePrimary},
		{"revise", "Request changes", ActionRevise, slack.StyleDefault},
		{"message", labelMessage, ActionMessage, slack.StyleDefault},
		{"cancel", "Cancel order", ActionCancel, slack.StyleDanger},
	}
}

// Possible are the buttons of an order that can succeed now.
func Possible(t store.Tracked, now time.Time) []slack.BlockElement {
	return pressable(t, offered(t, now, orderButtons()))
}

// pressable are buttons that say to whom only hears them which order they are about.
func pressable(t store.Tracked, rows []button) []slack.BlockElement {
	return kit.Map(rows, func(_ int, b button) slack.BlockElement {
		return PressOf(t, b.label, kit.Join(" ", b.label, joining[b.verb]), b.action, b.value(t)).WithStyle(b.styleOf(t))
	})
}

// styleOf is what a button looks like: *Approve* is what most people want, but for while some images are
// good and others are not.
func (b button) styleOf(t store.Tracked) slack.Style {
	if b.verb == order.VerbApprove && Undecided(t) {
		return slack.StyleDefault
	}
	return b.style
}

// joining stands between a button's label and the order's name: "Request changes to Harbor".
var joining = map[string]string{"revise": "to", "message": "of"}

// moment are the buttons of an order's card, two at most: those of the review, unless the review has
// them itself, else what a new or a paused order is asked for. The rest is in the menu.
func moment(t store.Tracked, now time.Time) []button {
	_, live := LiveReview(t)
	return ofTheMoment(t, now, live)
}

// ofTheMoment are the buttons for what an order waits for now, two at most.
func ofTheMoment(t store.Tracked, now time.Time, reviewed bool) []button {
	rows := slices.DeleteFunc(offered(t, now, orderButtons()), func(b button) bool {
		return reviewed && b.isReview() || b.verb == order.VerbMessage && !t.Paused()
	})
	return rows[:min(len(rows), 2)]
}

func (b button) isReview() bool { return b.action == ActionApprove || b.action == ActionRevise }

// offered are those of the rows whose verb is worth offering now.
func offered(t store.Tracked, now time.Time, rows []button) []button {
	return slices.DeleteFunc(rows, func(b button) bool { return !t.Offers(b.verb, now) })
}

// value is what the button carries: one of a review says which pictures it is about.
func (b button) value(t store.Tracked) string {
	if b.isReview() {
		return SeenValue(t)
	}
	return Value(t.ID, t.Order.Rev())
}

// menu is what else can be done from an order's card, behind its three dots; nil when nothing can.
func menu(t store.Tracked, now time.Time) *slack.Accessory {
	var entries []*slack.OptionBlockObject
	for _, b := range offered(t, now, []button{
		{verb: order.VerbMessage, label: labelMessage},
		{verb: "show", label: labelShow},
		{verb: "reference", label: "Add reference images"},
		{verb: "move", label: "Move this order"},
		{verb: "again", label: "Order again"},
	}) {
		if value := b.verb + " " + Value(t.ID, t.Order.Rev()); kit.Units(value) <= kit.MaxOptionValue { // half an id names nothing
			entries = append(entries, slack.NewOptionBlockObject(value, kit.PlainText(b.label), nil))
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return slack.NewAccessory(slack.NewOverflowBlockElement(ActionMenu, entries...))
}

// PressOf is a button that says to whom only hears it which order it is about: doing is what it does,
// up to the order's name.
func PressOf(t store.Tracked, label, doing, action, value string) *slack.ButtonBlockElement {
	name, _ := ProjectName(t)
	element := kit.Button(label, action, value)
	element.AccessibilityLabel = kit.Plain(doing+" "+name, kit.MaxAccessible)
	return element
}

// labelShow is what showing an order is called everywhere.
const labelShow = "Show details"

// ShowButton shows an order.
func ShowButton(t store.Tracked) *slack.ButtonBlockElement {
	return PressOf(t, labelShow, labelShow+" of", ActionShow, Value(t.ID, t.Order.Rev()))
}

// AddMessageButton offers to write to the editor what is kept in the note.
func AddMessageButton(p *kit.Page, t store.Tracked, note string) *kit.Page {
	return p.Put(slack.NewActionBlock(kit.Clip(PickBlock+note, kit.MaxID), PressOf(t, labelMessage, labelMessage+" of", ActionMessage, Value(t.ID, t.Order.Rev()))))
}

// SaveAsPreset is the button that keeps what an order asked for; none when that is not known.
func SaveAsPreset(t store.Tracked) []slack.BlockElement {
	if t.Brief == nil {
		return nil
	}
	return []slack.BlockElement{PressOf(t, TitlePreset, "Save as preset:", ActionSavePreset, Value(t.ID, t.Order.Rev()))}
}
