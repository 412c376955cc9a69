// Package place has what leads to an order: the order form, its second step, the windows that
// follow it, and the questions to approvers.
package place

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Ids and titles as Slack has them.
const (
	ActionAddresses = "form:urls"                    // shows Image URLs
	ActionOptions   = "form:options"                 // shows Customer ID and Post to
	ActionPostTo    = kit.ActionTyped + fieldChannel // the channel, which has presets of its own
	CallbackNew     = "new"
	Title           = "New photo order"
)

// Fields of the order form and its second step: the first part of their block ids.
const (
	fieldChannel      = "channel"
	fieldMore         = "more"
	fieldService      = "service"
	fieldInstructions = "instructions"
	fieldPerImage     = "perimage"
	fieldProject      = "project"
	fieldCustomer     = "customer"
	fieldEach         = "each" // one image's service type
	fieldOwn          = "own"  // one image's instruction
	fieldRemove       = "remove"
	fieldPreset       = "preset"
)

// draftBlock is the block id of a draft's field: another draft in the same window has
// fields of its own.
func draftBlock(d store.Draft, field string, part int) string {
	filled := ""
	if d.Filling != nil && slices.Contains(filledFields, field) {
		filled = "-" + kit.Hash(d.Filling.Gen)
	}
	return kit.BlockID(field, d.Attempt, 0) + "." + kit.Hash(d.ID) + filled + kit.OnlyIf(part > 0, ":"+strconv.Itoa(part))
}

// Descriptions are the operator's own words for the service types. A type without any has
// none: the service defines none, and nobody pays for what we made up.
type Descriptions map[order.ServiceType]string

// MaxDescription is how many characters of such words Slack shows.
const MaxDescription = kit.MaxOptionText

// Around is what the order form shows besides its draft.
type Around struct {
	Problems   kit.Problems   // why the order was refused
	Balance    string         // credits; "" = not known
	Left       []string       // photos that cannot be ordered, each with the reason
	Unfinished *store.Draft   // another draft, to continue with
	Again      *store.Tracked // the order from which the draft was filled in; nil: none
	Upload     bool           // photos can be uploaded
	UploadGen  int            // how often the upload field was emptied
	Unsure     bool           // photos chosen in the upload field may be gone
	Services   Descriptions
	Thread     *store.Thread // which of its photos is asked before the form is shown; nil: nothing is asked
	Presets    *PresetMenu   // what it can be filled from; nil: not looked up
	Filled     *Form         // the form that it takes the place of; nil = none
	Wrong      Wrong         // what is wrong with that
}

// orderForm is the order form being written.
type orderForm struct {
	*kit.Page
	d     store.Draft
	a     Around
	said  kit.Problems // Around.Problems with names for addresses
	marks []bool       // which of them stand beside an image
}

// Window is the order form, filled in from the draft. What was refused is said on top, and
// what names an image beside that image; so is the reason for which its channel could not
// take it. Its button says Next while something is ticked that comes before the order.
func Window(d store.Draft, a Around, externalID string) slack.ModalViewRequest {
	f := &orderForm{Page: &kit.Page{}, d: d, a: a, said: Named(d, a.Problems)}
	f.marks = kit.Map(a.Problems, func(_ int, problem string) bool { return imageNamed(d, problem) })
	addUnfinished(f.Page, a.Unfinished)
	addSource(f.Page, a.Again)
	addUnpostable(f.Page, d)
	f.refused()
	f.Bullets(":warning: Not everything could be taken along:", kit.InlineAll(a.Left, 1000))
	f.presets()
	f.uploads()
	f.imageURLs()
	addLines(f.Page, d, fieldInstructions, "Instructions", "One per line, for all images.", d.Instructions, !f.more())
	f.wrong(fieldInstructions)
	f.Put(kit.Field(draftBlock(d, fieldService, 0), "Service type", "", serviceRadio(d.Service, a.Services)).WithDispatchAction(true))
	f.perImage()
	f.project()
	f.rest()
	f.estimate()
	f.Line(f.summing(f.uploading()))
	meta := formMeta(d, a)
	meta.More = f.more() || f.apart()
	v := f.Form(Title, submitLabel(meta.More), CallbackNew, externalID, meta)
	v.NotifyOnClose = true
	return v
}

// submitLabel says what pressing it does.
func submitLabel(leadsOn bool) string {
	if leadsOn {
		return "Next"
	}
	return "Place order"
}

// more tells whether the form shall come back for more photos, apart whether its second step
// comes next.
func (f *orderForm) more() bool { return f.a.Filled != nil && f.a.Filled.More && f.roomForMore() }

// roomForMore tells whether one upload field does not hold all that the order still could.
func (f *orderForm) roomForMore() bool {
	return f.a.Upload && order.MaxImages-len(f.d.Files) > kit.MaxUploads
}

func (f *orderForm) apart() bool {
	if f.a.Filled != nil {
		return f.a.Filled.PerImage
	}
	return len(f.d.Each) > 0
}

// opened tells whether a field that is folded away was shown already.
func (f *orderForm) opened(field string) bool { return f.a.Filled != nil && f.a.Filled.Shown[field] }

// project asks for the order's name.
func (f *orderForm) project() {
	box := kit.Input(kit.ActionTyped+fieldProject, f.d.ProjectName, order.MaxProjectName)
	box.Placeholder = kit.PlainText("We'll pick a name")
	f.Put(kit.LiveInput(draftBlock(f.d, fieldProject, 0), "Project name", "", box).WithOptional(true))
	f.wrong(fieldProject)
}

// rest are the fields that few need, and the buttons that bring those that are folded away.
func (f *orderForm) rest() {
	d, folded := f.d, []slack.BlockElement(nil)
	if !f.shows(kit.FieldImages) {
		folded = append(folded, kit.Button("Add web addresses", ActionAddresses, d.ID))
	}
	if f.shows(fieldCustomer) {
		f.Put(shortInput(d, fieldCustomer, "Customer ID", "Your own number for your customer.", d.CustomerID, order.MaxCustomerID))
		f.wrong(fieldCustomer)
	}
	if f.shows(fieldChannel) {
		f.Put(kit.Field(draftBlock(d, fieldChannel, 0), "Post to", "The order's news comes to this channel.",
			kit.ChannelSelect(ActionPostTo, d.Channel)).WithDispatchAction(true))
		f.wrong(fieldChannel)
	}
	if label := f.foldedOptions(); label != "" {
		folded = append(folded, kit.Button(label, ActionOptions, d.ID))
	}
	f.Buttons(folded...)
}

// foldedOptions is what the button is called that brings the customer's ID and the channel: by what it
// brings; "" when both are there.
func (f *orderForm) foldedOptions() string {
	switch customer, channel := f.shows(fieldCustomer), f.shows(fieldChannel); {
	case !customer && !channel:
		return "Customer, channel"
	case !customer:
		return "Add a customer ID"
	case !channel:
		return "Change the channel"
	}
	return ""
}

// shows tells whether a field that may be folded away stands in the form: what holds
// something does, and what must be chosen.
func (f *orderForm) shows(field string) bool {
	holds := map[string]bool{
		kit.FieldImages: len(f.d.URLs) > 0 || !f.a.Upload,
		fieldCustomer:   f.d.CustomerID != "",
		fieldChannel:    !kit.IsChannel(f.d.Channel) || f.d.Unpostable != "",
	}
	return holds[field] || f.opened(field) || f.a.Wrong[field] != ""
}

// summing is what stands beside the button: how many images, where the news goes, what is
// left. Slack tells the photos in an upload field only when the form is sent.
func (f *orderForm) summing(uploads bool) string {
	images := counted(f.d)
	switch {
	case images != "" && uploads:
		images = "*" + images + "* and the photos chosen above"
	case images != "":
		images = "*" + images + "*"
	case uploads:
		images = "The photos chosen above"
	default:
		images = "No images yet"
	}
	return kit.Dots(images, kit.OnlyIf(kit.IsChannel(f.d.Channel), "news goes to "+kit.ChannelLink(f.d.Channel)), CreditsLeft(f.a.Balance))
}

// CreditsLeft is "118 credits left", "" when they are not known.
func CreditsLeft(balance string) string {
	unit := " credits left"
	if balance == "1" {
		unit = " credit left"
	}
	return kit.OnlyIf(balance != "", kit.Inline(balance, 60)+unit)
}

// wrong says beside a field what is wrong with it, where Slack cannot: the form is shown anew.
func (f *orderForm) wrong(field string) {
	if says := f.a.Wrong[field]; says != "" {
		f.Line(":warning: " + kit.Cut(kit.EscapeTo(says, kit.MaxField-20), kit.MaxField))
	}
}

// addUnfinished lets the person go on with an order that they left unfinished.
func addUnfinished(p *kit.Page, d *store.Draft) {
	if d == nil {
		return
	}
	p.Say("You have an unfinished order, last changed " + kit.When(d.UpdatedAt) + ": " + summary(*d))
	addDraftButtons(p, "Continue", *d)
}

// summary is enough to recognise a draft by.
func summary(d store.Draft) string {
	images := "no images yet"
	if n := len(d.Files) + len(d.URLs); n > 0 {
		images = kit.Count(n, "image", "images")
	}
	words := cmp.Or(append([]string{d.ProjectName}, d.Instructions...)...)
	return images + kit.OnlyIf(words != "", ", “"+kit.Inline(words, 100)+"”") + "."
}

func draftMeta(d store.Draft) kit.Meta { return kit.Meta{Draft: d.ID, Attempt: d.Attempt} }

// formMeta remembers what the form shows, so that it can be shown again.
func formMeta(d store.Draft, a Around) kit.Meta {
	m := draftMeta(d)
	m.Opened, m.UploadGen, m.Credits, m.Channel = d.OpenedAt, a.UploadGen, kit.Clip(a.Balance, 60), d.Channel
	m.Team, m.From, m.Run = d.Team, d.From, d.Run
	m.Photos = kit.Map(d.Files, func(_ int, f store.DraftFile) string { return f.ID })
	return m
}

// addUnpostable says why the channel could not take the order.
func addUnpostable(p *kit.Page, d store.Draft) {
	why := cards.CannotPost(d.Channel, order.Denial(d.Unpostable))
	p.Say(kit.OnlyIf(d.Unpostable != "", ":warning: The order was not placed, and nothing was charged. "+why))
}

// imageURLs asks for web addresses; what the service said of one stands below.
func (f *orderForm) imageURLs() {
	if !f.shows(kit.FieldImages) {
		return
	}
	hint := "One per line. Anyone must be able to open them."
	if !f.a.Upload && len(f.d.Files) == 0 {
		hint = "At least one, one per line. Anyone must be able to open them."
	}
	addLines(f.Page, f.d, kit.FieldImages, "Image URLs", hint, f.d.URLs, false)
	f.wrong(kit.FieldImages)
	var below []string
	for i, problem := range f.a.Problems {
		if f.marks[i] && !slices.ContainsFunc(f.d.Files, func(file store.DraftFile) bool { return namesAddress(problem, file.URL) }) {
			below = append(below, ":warning: "+f.toldOf(i))
		}
	}
	if len(below) > 0 {
		f.Line(kit.Cut(strings.Join(below, "\n"), kit.MaxField))
	}
}

// addLines adds a box with one value per line, and more boxes when the draft
// holds more than Slack lets one show.
func addLines(p *kit.Page, d store.Draft, field, label, hint string, values []string, required bool) {
	for i, text := range kit.InBoxes(values) {
		label += kit.OnlyIf(i == 1, " (more)")
		p.Put(kit.LiveInput(draftBlock(d, field, i), label, hint, kit.Multiline(kit.ActionTyped+field, text, kit.MaxInput)).WithOptional(i > 0 || !required))
	}
}

func shortInput(d store.Draft, field, label, hint, value string, limit int) slack.Block {
	return kit.LiveInput(draftBlock(d, field, 0), label, hint, kit.Input(kit.ActionTyped+field, value, limit)).WithOptional(true)
}

// serviceRadio asks for the service type of the whole order.
func serviceRadio(chosen order.ServiceType, says Descriptions) *slack.RadioButtonsBlockElement {
	options := serviceOptions(says, order.ServiceBasic, order.ServiceExtensive)
	choose := slack.NewRadioButtonsBlockElement(kit.ActionTyped+fieldService, options...)
	choose.InitialOption = kit.OptionOf(options, string(chosen))
	return choose
}

// serviceSelect asks for the service type of one image.
func serviceSelect(chosen order.ServiceType, says Descriptions) *slack.SelectBlockElement {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, kit.PlainText("Choose one"), kit.ActionTyped+fieldEach, serviceOptions(says, services...)...)
	choose.InitialOption = kit.OptionOf(choose.Options, string(chosen))
	return choose
}

func serviceOptions(says Descriptions, services ...order.ServiceType) []*slack.OptionBlockObject {
	return kit.Map(services, func(_ int, s order.ServiceType) *slack.OptionBlockObject {
		option := slack.NewOptionBlockObject(string(s), kit.PlainText(ServiceWords(s)), nil)
		if words := says[s]; words != "" {
			option.Description = kit.PlainText(kit.Plain(words, kit.MaxOptionText))
		}
		return option
	})
}

// services are the service types, in the order in which people see them.
var services = []order.ServiceType{order.ServiceBasic, order.ServiceExtensive, order.ServiceReference}

// ServiceWords is what a service type is called.
func ServiceWords(s order.ServiceType) string {
	words := map[order.ServiceType]string{
		order.ServiceBasic:     "Basic",
		order.ServiceExtensive: "Extensive",
	}
	return cmp.Or(words[s], "Reference only")
}
