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
	ActionOptions = "form:options"                 // More Options: shows the less common fields
	ActionAdd     = "form:photos"                  // Add Photos: shows the upload field of an order that has photos
	ActionTable   = "form:table"                   // makes the form one for an order file
	ActionPostTo  = kit.ActionTyped + fieldChannel // the channel, which decides the presets
	CallbackNew   = "new"
	Title         = "New photo order"
)

// Fields of the order form and its second step: the first part of their block ids.
const (
	fieldChannel      = "channel"
	fieldPostTo       = "postto" // the channel in a row that is no input
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

// folded are the fields behind More Options. One with a value or a problem is shown without it.
var folded = []string{kit.FieldImages, fieldProject, fieldCustomer, fieldChannel}

// maxInputs is how many inputs a form shows at most.
const maxInputs = 6

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
	f.Bullets(":warning: These files were not added:", kit.InlineAll(a.Skipped, 1000))
	f.presets()
	if f.asksChannel() {
		f.postTo()
	}
	f.uploads()
	f.photoLinks()
	f.instructions()
	f.wrong(fieldInstructions)
	f.service()
	f.options()
	if said := kit.Join("\n", f.price(), f.summing(f.uploading())); said != "" {
		f.Line(said)
	}
	meta := formMeta(d, a)
	meta.More, meta.Options, meta.Table = f.wantsMore() || f.secondStep(), f.open(), f.table()
	v := f.Form(Title, submitLabel(meta.More), CallbackNew, externalID, meta)
	kit.SaveOnClose(&v)
	return v
}

// instructions asks what the editor should do: for all photos, or for the rows of an order file without their own.
func (f *orderForm) instructions() {
	label, hint := "Instructions", "One per line, for all photos."
	if f.table() {
		label, hint = "For rows without their own", "One per line. If a row has none, no order is placed."
	}
	addLines(f.Page, f.d, fieldInstructions, label, "What should the editor do?", hint, f.d.Instructions, !f.wantsMore() && !f.table())
}

// table reports whether the form is for an order file.
func (f *orderForm) table() bool { return f.a.Filled != nil && f.a.Filled.Table }

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

// open reports whether More Options is open: it was, or something behind it is wrong.
func (f *orderForm) open() bool {
	return f.a.Filled != nil && f.a.Filled.Options || slices.ContainsFunc(folded, func(field string) bool { return f.a.Wrong[field] != "" })
}

// options adds the less common fields that are shown, or the button that shows them.
func (f *orderForm) options() {
	d := f.d
	if f.shows(fieldProject) {
		box := kit.Input(kit.ActionTyped+fieldProject, d.ProjectName, order.MaxProjectName)
		box.Placeholder = kit.PlainText("Darkroom picks a name")
		f.Put(kit.LiveInput(draftBlock(d, fieldProject, 0), "Project name", "", box).WithOptional(true))
		f.wrong(fieldProject)
	}
	if f.shows(fieldCustomer) {
		box := kit.Input(kit.ActionTyped+fieldCustomer, d.CustomerID, order.MaxCustomerID)
		f.Put(kit.LiveInput(draftBlock(d, fieldCustomer, 0), "Customer ID", "Your own number for your customer.", box).WithOptional(true))
		f.wrong(fieldCustomer)
	}
	if f.shows(fieldChannel) && !f.asksChannel() {
		f.postTo()
	}
	f.perImage()
	f.addMore()
	var row []slack.BlockElement
	if f.a.Upload && f.roomForUploads() > 0 && !f.uploading() {
		row = append(row, kit.Button("Add Photos", ActionAdd, d.ID))
	}
	if !f.open() {
		row = append(row, kit.Button("More Options", ActionOptions, d.ID))
	} else if f.uploading() && !f.table() && len(d.Images()) == 0 {
		row = append(row, kit.Button("Use an Order File", ActionTable, d.ID))
	}
	f.Buttons(row...)
}

// asksChannel reports whether the channel must be chosen. Then its field comes first.
func (f *orderForm) asksChannel() bool { return !kit.IsChannel(f.d.Channel) || f.d.Unpostable != "" }

// postTo asks for the channel. With six other inputs it is a row with a menu.
func (f *orderForm) postTo() {
	choose := kit.ChannelSelect(ActionPostTo, f.d.Channel)
	if f.otherInputs() < maxInputs {
		f.Put(kit.Field(draftBlock(f.d, fieldChannel, 0), "Post to", "The order's updates come to this channel.", choose).WithDispatchAction(true))
	} else {
		f.Put(row(draftBlock(f.d, fieldPostTo, 0), "Post to", choose))
	}
	f.wrong(fieldChannel)
}

// otherInputs returns how many inputs the form has besides that of the channel.
func (f *orderForm) otherInputs() int {
	n := 1 + len(kit.InBoxes(f.d.Instructions)) // the service type
	if f.shows(kit.FieldImages) {
		n += len(kit.InBoxes(f.d.URLs))
	}
	for _, shown := range []bool{f.uploading(), f.shows(fieldProject), f.shows(fieldCustomer)} {
		n += kit.Either(shown, 1, 0)
	}
	return n
}

// service asks for the order's service type. With more than six inputs, which long links make, it is a row.
func (f *orderForm) service() {
	choose, block := serviceRadio(f.d.Service, f.a.Services), draftBlock(f.d, fieldService, 0)
	if f.otherInputs() > maxInputs {
		f.Put(row(block, "Service type", choose))
		return
	}
	f.Put(kit.Field(block, "Service type", "", choose).WithDispatchAction(true))
}

// row returns a menu or checkboxes beside their label. A row is no input, and takes less room.
func row(block, label string, element slack.BlockElement) *slack.SectionBlock {
	return slack.NewSectionBlock(kit.Mrkdwn("*"+label+"*"), nil, slack.NewAccessory(element), slack.SectionBlockOptionBlockID(block))
}

// tick returns a row with one checkbox. It reports each change at once.
func tick(action, block, label, says string, ticked bool) *slack.SectionBlock {
	return row(block, label, kit.YesBox(action, says, ticked))
}

// shows reports whether a folded field is visible: it has a value, a problem, or was visible before.
func (f *orderForm) shows(field string) bool {
	holds := map[string]bool{
		kit.FieldImages: len(f.d.URLs) > 0 || !f.a.Upload,
		fieldProject:    f.d.ProjectName != "",
		fieldCustomer:   f.d.CustomerID != "",
		fieldChannel:    f.asksChannel(),
	}
	return holds[field] || f.open() || f.a.Filled != nil && f.a.Filled.Shown[field]
}

// summing returns the last line: photos, channel and credits left. Slack reports uploads only on submit.
func (f *orderForm) summing(uploads bool) string {
	images := counted(f.d)
	switch {
	case images != "" && uploads:
		images = "*" + images + "* and the photos you add"
	case images != "":
		images = "*" + images + "*"
	case !uploads:
		images = "No photos yet"
	}
	return kit.Capital(kit.Dots(images, kit.OnlyIf(kit.IsChannel(f.d.Channel), "updates go to "+kit.ChannelLink(f.d.Channel)), CreditsLeft(f.a.Balance)))
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
	p.Say("You have an unfinished order, changed " + kit.When(d.UpdatedAt) + ": " + summary(*d))
	addDraftButtons(p, "Continue", *d)
}

// summary describes a draft.
func summary(d store.Draft) string {
	images := "no photos yet"
	if n := len(d.Files) + len(d.URLs); n > 0 {
		images = kit.Count(n, "photo", "photos")
	}
	words := cmp.Or(append([]string{d.ProjectName}, d.Instructions...)...)
	return images + kit.OnlyIf(words != "", ", “"+kit.Inline(words, 100)+"”") + kit.OnlyIf(!strings.HasSuffix(words, "."), ".")
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

// photoLinks asks for links to photos and shows the service's problems with them.
func (f *orderForm) photoLinks() {
	if !f.shows(kit.FieldImages) {
		return
	}
	addLines(f.Page, f.d, kit.FieldImages, "Photo links", "https://…", "One per line. Anyone must be able to open them.", f.d.URLs, !f.a.Upload && len(f.d.Files) == 0)
	f.wrong(kit.FieldImages)
	f.problemsOf(func(problem string) bool { return !fileNamed(f.d, problem) })
}

// problemsOf shows the service's problems with single photos.
func (f *orderForm) problemsOf(these func(problem string) bool) {
	for i, problem := range f.a.Problems {
		if f.besideImage[i] && these(problem) {
			f.Line(kit.Cut(":warning: "+f.problemText(i), kit.MaxField))
		}
	}
}

// fileNamed reports whether a problem names a photo from Slack.
func fileNamed(d store.Draft, problem string) bool {
	return slices.ContainsFunc(d.Files, func(file store.DraftFile) bool { return namesAddress(problem, file.URL) })
}

// addLines adds an input with one value per line. Long values need several inputs.
func addLines(p *kit.Page, d store.Draft, field, label, placeholder, hint string, values []string, required bool) {
	for i, text := range kit.InBoxes(values) {
		label += kit.OnlyIf(i == 1, " (more)")
		box := kit.Multiline(kit.ActionTyped+field, text, kit.MaxInput)
		box.Placeholder = kit.PlainText(placeholder)
		p.Put(kit.LiveInput(draftBlock(d, field, i), label, hint, box).WithOptional(i > 0 || !required))
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
		p.Say(from + "I have no record of this order's instructions.")
		return
	}
	p.Say(from + "Photos are not copied. Add your new photos.")
	own := append(t.Brief.Differences(), t.Brief.References()...)
	cards.AddSomeBullets(p, "Instructions for single photos are not copied:", cards.MaxAsked/2,
		kit.Map(own, func(_ int, s order.NumberedSource) string { return cards.Difference(s, cards.MaxOwn) }))
}
