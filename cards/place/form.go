// Package place has the order form with its second step, its result windows, and the questions to approvers.
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

// Slack ids and titles.
const (
	ActionAddresses = "form:urls"                    // unfolds Image URLs
	ActionOptions   = "form:options"                 // unfolds Customer ID and Post to
	ActionPostTo    = kit.ActionTyped + fieldChannel // the channel, which decides the presets
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

// draftBlock returns the block id of a draft's field. Another draft in the same window has other ids.
func draftBlock(d store.Draft, field string, part int) string {
	filled := ""
	if d.Filling != nil && slices.Contains(filledFields, field) {
		filled = "-" + kit.Hash(d.Filling.Gen)
	}
	return kit.BlockID(field, d.Attempt, 0) + "." + kit.Hash(d.ID) + filled + kit.OnlyIf(part > 0, ":"+strconv.Itoa(part))
}

// Descriptions are the operator's descriptions of service types. The service has none, and the app invents
// none.
type Descriptions map[order.ServiceType]string

// MaxDescription is Slack's limit for a description, in characters.
const MaxDescription = kit.MaxOptionText

// FormExtras is what the order form shows besides its draft.
type FormExtras struct {
	Problems   kit.Problems   // why the order was refused
	Balance    string         // credits; "": unknown
	Skipped    []string       // photos that cannot be ordered, each with the reason
	Unfinished *store.Draft   // another draft to continue
	Again      *store.Tracked // the order that filled the draft; nil: none
	Upload     bool           // photos can be uploaded
	UploadGen  int            // how often the upload field was emptied
	Unsure     bool           // the upload field may have lost photos
	Services   Descriptions
	Thread     *store.Thread // asks first which photos of this thread to order; nil: does not ask
	Presets    *PresetMenu   // nil: not looked up
	Filled     *Form         // the form that this one replaces; nil: none
	Wrong      Wrong         // the problems of Filled
}

// orderForm builds the order form.
type orderForm struct {
	*kit.Page
	d           store.Draft
	a           FormExtras
	named       kit.Problems // problems with photo names in place of URLs
	besideImage []bool       // which of them stand beside an image
}

// Window returns the order form, filled in from the draft. Problems stand at the top or beside their images.
// The button says Next if another step follows.
func Window(d store.Draft, a FormExtras, externalID string) slack.ModalViewRequest {
	f := &orderForm{Page: &kit.Page{}, d: d, a: a, named: Named(d, a.Problems)}
	f.besideImage = kit.Map(a.Problems, func(_ int, problem string) bool { return imageNamed(d, problem) })
	addUnfinished(f.Page, a.Unfinished)
	addSource(f.Page, a.Again)
	addUnpostable(f.Page, d)
	f.refused()
	f.Bullets(":warning: Not everything could be taken along:", kit.InlineAll(a.Skipped, 1000))
	f.presets()
	f.uploads()
	f.imageURLs()
	addLines(f.Page, d, fieldInstructions, "Instructions", "One per line, for all images.", d.Instructions, !f.wantsMore())
	f.wrong(fieldInstructions)
	f.Put(kit.Field(draftBlock(d, fieldService, 0), "Service type", "", serviceRadio(d.Service, a.Services)).WithDispatchAction(true))
	f.perImage()
	f.project()
	f.rest()
	f.estimate()
	f.Line(f.summing(f.uploading()))
	meta := formMeta(d, a)
	meta.More = f.wantsMore() || f.secondStep()
	v := f.Form(Title, submitLabel(meta.More), CallbackNew, externalID, meta)
	v.NotifyOnClose = true
	return v
}

// submitLabel returns the submit button's label.
func submitLabel(leadsOn bool) string { return kit.Either(leadsOn, "Next", "Place Order") }

// wantsMore reports whether the form comes back for more photos.
func (f *orderForm) wantsMore() bool { return f.a.Filled != nil && f.a.Filled.More && f.roomForMore() }

// roomForMore reports whether the order takes more photos than one upload field.
func (f *orderForm) roomForMore() bool {
	return f.a.Upload && order.MaxImages-len(f.d.Files) > kit.MaxUploads
}

// secondStep reports whether the second step comes next.
func (f *orderForm) secondStep() bool {
	if f.a.Filled != nil {
		return f.a.Filled.PerImage
	}
	return len(f.d.Each) > 0
}

// unfolded reports whether a foldable field was visible before.
func (f *orderForm) unfolded(field string) bool { return f.a.Filled != nil && f.a.Filled.Shown[field] }

// project asks for the order's name.
func (f *orderForm) project() {
	box := kit.Input(kit.ActionTyped+fieldProject, f.d.ProjectName, order.MaxProjectName)
	box.Placeholder = kit.PlainText("We'll pick a name")
	f.Put(kit.LiveInput(draftBlock(f.d, fieldProject, 0), "Project name", "", box).WithOptional(true))
	f.wrong(fieldProject)
}

// rest adds the less common fields, or the buttons that unfold them.
func (f *orderForm) rest() {
	d, folded := f.d, []slack.BlockElement(nil)
	if !f.shows(kit.FieldImages) {
		folded = append(folded, kit.Button("Add Photo Links", ActionAddresses, d.ID))
	}
	if f.shows(fieldCustomer) {
		box := kit.Input(kit.ActionTyped+fieldCustomer, d.CustomerID, order.MaxCustomerID)
		f.Put(kit.LiveInput(draftBlock(d, fieldCustomer, 0), "Customer ID", "Your own number for your customer.", box).WithOptional(true))
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

// foldedOptions labels the button that unfolds customer ID and channel, "" if both are visible.
func (f *orderForm) foldedOptions() string {
	switch customer, channel := f.shows(fieldCustomer), f.shows(fieldChannel); {
	case !customer && !channel:
		return "Add Customer or Channel"
	case !customer:
		return "Add a Customer ID"
	case !channel:
		return "Change Channel"
	}
	return ""
}

// shows reports whether a foldable field is visible: it has a value, a problem or a required choice.
func (f *orderForm) shows(field string) bool {
	holds := map[string]bool{
		kit.FieldImages: len(f.d.URLs) > 0 || !f.a.Upload,
		fieldCustomer:   f.d.CustomerID != "",
		fieldChannel:    !kit.IsChannel(f.d.Channel) || f.d.Unpostable != "",
	}
	return holds[field] || f.unfolded(field) || f.a.Wrong[field] != ""
}

// summing returns the last line: images, channel and credits left. Slack reports uploads only on submit.
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

// CreditsLeft returns "118 credits left", or "" if unknown.
func CreditsLeft(balance string) string {
	return kit.OnlyIf(balance != "", kit.Inline(balance, 60)+kit.Either(balance == "1", " credit left", " credits left"))
}

// wrong shows a field's problem in a form that is drawn anew.
func (f *orderForm) wrong(field string) {
	if says := f.a.Wrong[field]; says != "" {
		f.Line(":warning: " + kit.Cut(kit.EscapeTo(says, kit.MaxField-20), kit.MaxField))
	}
}

// addUnfinished offers to continue an unfinished order.
func addUnfinished(p *kit.Page, d *store.Draft) {
	if d == nil {
		return
	}
	p.Say("You have an unfinished order, last changed " + kit.When(d.UpdatedAt) + ": " + summary(*d))
	addDraftButtons(p, "Continue", *d)
}

// summary describes a draft.
func summary(d store.Draft) string {
	images := "no images yet"
	if n := len(d.Files) + len(d.URLs); n > 0 {
		images = kit.Count(n, "image", "images")
	}
	words := cmp.Or(append([]string{d.ProjectName}, d.Instructions...)...)
	return images + kit.OnlyIf(words != "", ", “"+kit.Inline(words, 100)+"”") + "."
}

func draftMeta(d store.Draft) kit.Meta { return kit.Meta{Draft: d.ID, Attempt: d.Attempt} }

// formMeta returns metadata from which the form can be drawn again.
func formMeta(d store.Draft, a FormExtras) kit.Meta {
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

// imageURLs asks for web addresses and shows the service's problems with them.
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
		if f.besideImage[i] && !slices.ContainsFunc(f.d.Files, func(file store.DraftFile) bool { return namesAddress(problem, file.URL) }) {
			below = append(below, ":warning: "+f.problemText(i))
		}
	}
	if len(below) > 0 {
		f.Line(kit.Cut(strings.Join(below, "\n"), kit.MaxField))
	}
}

// addLines adds an input with one value per line. Long values need several inputs.
func addLines(p *kit.Page, d store.Draft, field, label, hint string, values []string, required bool) {
	for i, text := range kit.InBoxes(values) {
		label += kit.OnlyIf(i == 1, " (more)")
		p.Put(kit.LiveInput(draftBlock(d, field, i), label, hint, kit.Multiline(kit.ActionTyped+field, text, kit.MaxInput)).WithOptional(i > 0 || !required))
	}
}

// serviceRadio asks for the order's service type.
func serviceRadio(chosen order.ServiceType, says Descriptions) *slack.RadioButtonsBlockElement {
	options := serviceOptions(says, order.ServiceBasic, order.ServiceExtensive)
	choose := slack.NewRadioButtonsBlockElement(kit.ActionTyped+fieldService, options...)
	choose.InitialOption = kit.OptionOf(options, string(chosen))
	return choose
}

// serviceSelect asks for one image's service type.
func serviceSelect(chosen order.ServiceType, says Descriptions) *slack.SelectBlockElement {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, kit.PlainText("Choose one"), kit.ActionTyped+fieldEach, serviceOptions(says, services...)...)
	choose.InitialOption = kit.OptionOf(choose.Options, string(chosen))
	return choose
}

func serviceOptions(says Descriptions, services ...order.ServiceType) []*slack.OptionBlockObject {
	return kit.Map(services, func(_ int, s order.ServiceType) *slack.OptionBlockObject {
		return kit.Option(string(s), ServiceWords(s), kit.Plain(says[s], kit.MaxOptionText))
	})
}

// services are the service types in the order that people see.
var services = []order.ServiceType{order.ServiceBasic, order.ServiceExtensive, order.ServiceReference}

// ServiceWords returns the label of a service type.
func ServiceWords(s order.ServiceType) string {
	words := map[order.ServiceType]string{
		order.ServiceBasic:     "Basic",
		order.ServiceExtensive: "Extensive",
	}
	return cmp.Or(words[s], "Reference only")
}

// addSource says from which order the form was filled in, and what was left out.
func addSource(p *kit.Page, t *store.Tracked) {
	if t == nil {
		return
	}
	from := "Filled in from *" + cards.Project(*t) + "*. "
	if t.Brief == nil {
		p.Say(from + "I have no record of what was asked for then.")
		return
	}
	p.Say(from + "Its photos are not taken along: add the new ones below.")
	own := append(t.Brief.Differences(), t.Brief.References()...)
	cards.AddSomeBullets(p, "Not taken along either is what was asked for single images, which are others now:", cards.MaxAsked/2,
		kit.Map(own, func(_ int, s order.NumberedSource) string { return cards.Difference(s, cards.MaxOwn) }))
}
