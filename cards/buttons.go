package cards

import (
	"slices"
	"time"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Action ids of the buttons. An order's button carries [Value], those of a review [SeenValue],
// a draft's the draft's id.
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
	ActionRetry   = "draft:retry"
	ActionDiscard = "draft:discard"
	ActionOpen    = "draft:open"
	ActionRemove  = "draft:remove"  // the menu that takes a photo out; chosen is "DRAFT:FILE"
	ActionBack    = "page:back"     // the page before, in a form of several
	ActionPick    = "pick:"         // and a verb: the external select of a picker; what is chosen is a [Value]
	ActionList    = "list:"         // and "newer" or "older": another page of a list; carries what is listed
	ActionHistory = "history:"      // and "open", "newer" or "older": a page of an order's whole history; carries a [Value] with the page, from 0
	ActionCorrect = "relay:correct" // carries the name of the relay's note
	ActionAttach  = "relay:attach"  // offers a relayed message's photos as references; carries the note's name

	ActionWhich = "revise:which" // which images the revise form shows boxes for

	ActionAnew = "words:anew" // empties a form that was opened with words of another time

	// ActionTyped begins the action id of every input whose words are kept while they are typed.
	ActionTyped = "typed:"

	// What changes the order form as soon as it is pressed or ticked; the values say nothing.
	ActionMore      = ActionTyped + fieldMore       // the form comes back for more photos
	ActionEach      = ActionTyped + fieldPerImage   // the second step comes next
	ActionRefEach   = ActionTyped + "referenceeach" // an instruction for each reference image comes next
	ActionAddresses = "form:urls"                   // shows Image URLs
	ActionOptions   = "form:options"                // shows Customer ID and Post to
	ActionPreset    = "form:preset"                 // fills the form; carries a preset's id, [store.LastOrder] or "none"
	ActionPostTo    = ActionTyped + fieldChannel    // the channel, which has presets of its own

	ActionSavePreset = "preset:save" // keeps what an order asked for as a preset; carries a [Value]
	ActionPresets    = "preset:do"   // beside a preset in their list; carries a [PresetValue]

	ActionHomeNew    = "home:new"
	ActionHomeFilter = "home:filter"
	ActionHomeSelect = "home:select" // approves several
	ActionHomePage   = "home:page:"  // and "newer" or "older"; carries the page, from 0

	// Of a workspace whose admins connect it; the values say nothing.
	ActionConnect    = "account:connect"
	ActionDisconnect = "account:disconnect"
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

// possible are the buttons of an order that can succeed now.
func possible(t store.Tracked, now time.Time) []slack.BlockElement {
	return pressable(t, offered(t, now, orderButtons()))
}

// pressable are buttons that say to whom only hears them which order they are about.
func pressable(t store.Tracked, rows []button) []slack.BlockElement {
	return each(rows, func(_ int, b button) slack.BlockElement {
		return pressOf(t, b.label, joined(" ", b.label, joining[b.verb]), b.action, b.value(t)).WithStyle(b.styleOf(t))
	})
}

// styleOf is what a button looks like: *Approve* is what most people want, but for while some images are
// good and others are not.
func (b button) styleOf(t store.Tracked) slack.Style {
	if b.verb == order.VerbApprove && undecided(t) {
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
		if value := b.verb + " " + Value(t.ID, t.Order.Rev()); units(value) <= maxOptionValue { // half an id names nothing
			entries = append(entries, slack.NewOptionBlockObject(value, plainText(b.label), nil))
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return slack.NewAccessory(slack.NewOverflowBlockElement(ActionMenu, entries...))
}

// press is a button.
func press(label, action, value string) *slack.ButtonBlockElement {
	return slack.NewButtonBlockElement(action, clip(value, maxValue), plainText(label))
}

// pressOf is a button that says to whom only hears it which order it is about: doing is what it does,
// up to the order's name.
func pressOf(t store.Tracked, label, doing, action, value string) *slack.ButtonBlockElement {
	name, _ := projectName(t)
	element := press(label, action, value)
	element.AccessibilityLabel = plain(doing+" "+name, maxAccessible)
	return element
}

// labelShow is what showing an order is called everywhere.
const labelShow = "Show details"

// showButton shows an order.
func showButton(t store.Tracked) *slack.ButtonBlockElement {
	return pressOf(t, labelShow, labelShow+" of", ActionShow, Value(t.ID, t.Order.Rev()))
}

// primary is the button that most people want.
func primary(label, action, value string) *slack.ButtonBlockElement {
	return press(label, action, value).WithStyle(slack.StylePrimary)
}

// draftButtons go on with a draft, or throw it away.
func (p *builder) draftButtons(label string, d store.Draft) *builder {
	return p.buttons(primary(label, ActionOpen, d.ID), press("Discard", ActionDiscard, d.ID))
}
