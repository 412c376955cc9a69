package cards

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// maxProjectName is how many characters an order's name may have.
const maxProjectName = order.MaxProjectName

// Problems are reasons in the service's own words, or in ours: shown escaped.
type Problems []string

// Fields of the order form and its second step: the first part of their block ids.
const (
	fieldChannel      = "channel"
	fieldPhotos       = "photos"
	fieldMore         = "more"
	fieldImages       = "images"
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

// blockID changes with every attempt, so that a form shown again starts from
// its initial values; within one attempt it stays, and what is being typed
// survives an update (Slack: docs.slack.dev/surfaces/modals).
func blockID(field string, attempt, part int) string {
	return field + ":" + strconv.Itoa(attempt) + onlyIf(part > 0, ":"+strconv.Itoa(part))
}

// draftBlock is the block id of a draft's field: another draft in the same window has
// fields of its own.
func draftBlock(d store.Draft, field string, part int) string {
	filled := ""
	if d.Filling != nil && slices.Contains(filledFields, field) {
		filled = "-" + short(d.Filling.Gen)
	}
	return blockID(field, d.Attempt, 0) + "." + short(d.ID) + filled + onlyIf(part > 0, ":"+strconv.Itoa(part))
}

// short is a few letters that stand for an id of any length.
func short(id string) string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(id)) // never fails
	return strconv.FormatUint(sum.Sum64(), 36)
}

// Descriptions are the operator's own words for the service types. A type without any has
// none: the service defines none, and nobody pays for what we made up.
type Descriptions map[order.ServiceType]string

// MaxDescription is how many characters of such words Slack shows.
const MaxDescription = maxOptionText

// Around is what the order form shows besides its draft.
type Around struct {
	Problems   Problems       // why the order was refused
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

// newForm is the order form being written.
type newForm struct {
	*builder
	d     store.Draft
	a     Around
	said  Problems // Around.Problems with names for addresses
	marks []bool   // which of them stand beside an image
}

// NewOrder is the order form, filled in from the draft. What was refused is said on top, and
// what names an image beside that image; so is the reason for which its channel could not
// take it. Its button says Next while something is ticked that comes before the order.
func NewOrder(d store.Draft, a Around, externalID string) slack.ModalViewRequest {
	f := &newForm{builder: &builder{}, d: d, a: a, said: named(d, a.Problems)}
	f.marks = each(a.Problems, func(_ int, problem string) bool { return imageNamed(d, problem) })
	f.offer(a.Unfinished)
	f.again(a.Again)
	f.unpostable(d)
	f.refused()
	f.bullets(":warning: Not everything could be taken along:", inlined(a.Left, 1000))
	f.presets()
	f.uploads()
	f.imageURLs()
	f.lines(d, fieldInstructions, "Instructions", "One per line, for all images.", d.Instructions, !f.more())
	f.wrong(fieldInstructions)
	f.put(ask(draftBlock(d, fieldService, 0), "Service type", "", serviceRadio(d.Service, a.Services)).WithDispatchAction(true))
	f.perImage()
	f.project()
	f.rest()
	f.estimate()
	f.line(f.summing(f.uploading()))
	meta := formMeta(d, a)
	meta.More = f.more() || f.apart()
	v := f.form(TitleNew, submitLabel(meta.More), CallbackNew, externalID, meta)
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
func (f *newForm) more() bool { return f.a.Filled != nil && f.a.Filled.More && f.roomForMore() }

// roomForMore tells whether one upload field does not hold all that the order still could.
func (f *newForm) roomForMore() bool {
	return f.a.Upload && order.MaxImages-len(f.d.Files) > maxUploads
}

func (f *newForm) apart() bool {
	if f.a.Filled != nil {
		return f.a.Filled.PerImage
	}
	return len(f.d.Each) > 0
}

// opened tells whether a field that is folded away was shown already.
func (f *newForm) opened(field string) bool { return f.a.Filled != nil && f.a.Filled.Shown[field] }

// project asks for the order's name.
func (f *newForm) project() {
	box := input(ActionTyped+fieldProject, f.d.ProjectName, maxProjectName)
	box.Placeholder = plainText("We'll pick a name")
	f.put(typed(draftBlock(f.d, fieldProject, 0), "Project name", "", box).WithOptional(true))
	f.wrong(fieldProject)
}

// rest are the fields that few need, and the buttons that bring those that are folded away.
func (f *newForm) rest() {
	d, folded := f.d, []slack.BlockElement(nil)
	if !f.shows(fieldImages) {
		folded = append(folded, press("Add web addresses", ActionAddresses, d.ID))
	}
	if f.shows(fieldCustomer) {
		f.put(shortInput(d, fieldCustomer, "Customer ID", "Your own number for your customer.", d.CustomerID, order.MaxCustomerID))
		f.wrong(fieldCustomer)
	}
	if f.shows(fieldChannel) {
		f.put(ask(draftBlock(d, fieldChannel, 0), "Post to", "The order's news comes to this channel.",
			channelSelect(ActionPostTo, d.Channel)).WithDispatchAction(true))
		f.wrong(fieldChannel)
	}
	if label := f.foldedOptions(); label != "" {
		folded = append(folded, press(label, ActionOptions, d.ID))
	}
	f.buttons(folded...)
}

// foldedOptions is what the button is called that brings the customer's ID and the channel: by what it
// brings; "" when both are there.
func (f *newForm) foldedOptions() string {
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
func (f *newForm) shows(field string) bool {
	holds := map[string]bool{
		fieldImages:   len(f.d.URLs) > 0 || !f.a.Upload,
		fieldCustomer: f.d.CustomerID != "",
		fieldChannel:  !isChannel(f.d.Channel) || f.d.Unpostable != "",
	}
	return holds[field] || f.opened(field) || f.a.Wrong[field] != ""
}

// summing is what stands beside the button: how many images, where the news goes, what is
// left. Slack tells the photos in an upload field only when the form is sent.
func (f *newForm) summing(uploads bool) string {
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
	return dots(images, onlyIf(isChannel(f.d.Channel), "news goes to "+channelLink(f.d.Channel)), creditsLeft(f.a.Balance))
}

// creditsLeft is "118 credits left", "" when they are not known.
func creditsLeft(balance string) string {
	unit := " credits left"
	if balance == "1" {
		unit = " credit left"
	}
	return onlyIf(balance != "", inline(balance, 60)+unit)
}

// wrong says beside a field what is wrong with it, where Slack cannot: the form is shown anew.
func (f *newForm) wrong(field string) {
	if says := f.a.Wrong[field]; says != "" {
		f.line(":warning: " + cut(escape(says, maxField-20), maxField))
	}
}

// offer lets the person go on with an order that they left unfinished.
func (p *builder) offer(d *store.Draft) {
	if d == nil {
		return
	}
	p.say("You have an unfinished order, last changed " + when(d.UpdatedAt) + ": " + summary(*d))
	p.draftButtons("Continue", *d)
}

// summary is enough to recognise a draft by.
func summary(d store.Draft) string {
	images := "no images yet"
	if n := len(d.Files) + len(d.URLs); n > 0 {
		images = count(n, "image", "images")
	}
	words := orElse(append([]string{d.ProjectName}, d.Instructions...)...)
	return images + onlyIf(words != "", ", “"+inline(words, 100)+"”") + "."
}

func draftMeta(d store.Draft) Meta { return Meta{Draft: d.ID, Attempt: d.Attempt} }

// formMeta remembers what the form shows, so that it can be shown again.
func formMeta(d store.Draft, a Around) Meta {
	m := draftMeta(d)
	m.Opened, m.UploadGen, m.Credits, m.Channel = d.OpenedAt, a.UploadGen, clip(a.Balance, 60), d.Channel
	m.Team, m.From, m.Run = d.Team, d.From, d.Run
	m.Photos = each(d.Files, func(_ int, f store.DraftFile) string { return f.ID })
	return m
}

// line is [builder.note] without looking for room, like [builder.put].
func (p *builder) line(safe string) {
	p.put(slack.NewContextBlock("", mrkdwn(safe)))
}

// unpostable says why the channel could not take the order.
func (p *builder) unpostable(d store.Draft) {
	why := CannotPost(d.Channel, order.Denial(d.Unpostable))
	p.say(onlyIf(d.Unpostable != "", ":warning: The order was not placed, and nothing was charged. "+why))
}

// problems adds the reasons as a list under a headline of ours, and what can be done.
func (p *builder) problems(headline string, problems Problems, next string) *builder {
	if len(problems) == 0 {
		return p
	}
	return p.bullets(":warning: "+headline, inlined(problems, 600)).say(next)
}

// inlined makes what others wrote safe, each at most so long.
func inlined(words []string, limit int) []string {
	return each(words, func(_ int, one string) string { return inline(one, limit) })
}

func channelSelect(action, chosen string) *slack.SelectBlockElement {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeConversations, plainText("Choose a channel"), action)
	choose.Filter = &slack.SelectBlockElementFilter{Include: []string{"public", "private"}, ExcludeBotUsers: true}
	if isChannel(chosen) {
		choose.InitialConversation = chosen
	}
	return choose
}

// imageURLs asks for web addresses; what the service said of one stands below.
func (f *newForm) imageURLs() {
	if !f.shows(fieldImages) {
		return
	}
	hint := "One per line. Anyone must be able to open them."
	if !f.a.Upload && len(f.d.Files) == 0 {
		hint = "At least one, one per line. Anyone must be able to open them."
	}
	f.lines(f.d, fieldImages, "Image URLs", hint, f.d.URLs, false)
	f.wrong(fieldImages)
	var below []string
	for i, problem := range f.a.Problems {
		if f.marks[i] && !slices.ContainsFunc(f.d.Files, func(file store.DraftFile) bool { return namesAddress(problem, file.URL) }) {
			below = append(below, ":warning: "+f.toldOf(i))
		}
	}
	if len(below) > 0 {
		f.line(cut(strings.Join(below, "\n"), maxField))
	}
}

// lines adds a box with one value per line, and more boxes when the draft
// holds more than Slack lets one show.
func (p *builder) lines(d store.Draft, field, label, hint string, values []string, required bool) {
	for i, text := range fill(values) {
		label += onlyIf(i == 1, " (more)")
		p.put(typed(draftBlock(d, field, i), label, hint, multiline(ActionTyped+field, text, maxInput)).WithOptional(i > 0 || !required))
	}
}

// typed is a box whose words are kept while they are typed.
func typed(id, label, hint string, box *slack.PlainTextInputBlockElement) *slack.InputBlock {
	return dispatched(ask(id, label, hint, box), box)
}

func dispatched(block *slack.InputBlock, box *slack.PlainTextInputBlockElement) *slack.InputBlock {
	box.DispatchActionConfig = &slack.DispatchActionConfig{TriggerActionsOn: []string{"on_character_entered"}}
	return block.WithDispatchAction(true)
}

// maxBoxes bounds a form; a draft beyond it cannot have come from one.
const maxBoxes = 10

// fill packs lines into as few boxes as hold them; always at least one.
func fill(values []string) []string {
	boxes := packed(values, maxInput)
	return boxes[:min(len(boxes), maxBoxes)]
}

func shortInput(d store.Draft, field, label, hint, value string, limit int) slack.Block {
	return typed(draftBlock(d, field, 0), label, hint, input(ActionTyped+field, value, limit)).WithOptional(true)
}

func input(field, value string, limit int) *slack.PlainTextInputBlockElement {
	box := slack.NewPlainTextInputBlockElement(nil, field)
	box.InitialValue = clip(value, limit)
	box.MaxLength = limit
	return box
}

func multiline(field, value string, limit int) *slack.PlainTextInputBlockElement {
	return input(field, value, limit).WithMultiline(true)
}

// serviceRadio asks for the service type of the whole order.
func serviceRadio(chosen order.ServiceType, says Descriptions) *slack.RadioButtonsBlockElement {
	options := serviceOptions(says, order.ServiceBasic, order.ServiceExtensive)
	choose := slack.NewRadioButtonsBlockElement(ActionTyped+fieldService, options...)
	choose.InitialOption = optionOf(options, string(chosen))
	return choose
}

// serviceSelect asks for the service type of one image.
func serviceSelect(chosen order.ServiceType, says Descriptions) *slack.SelectBlockElement {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText("Choose one"), ActionTyped+fieldEach, serviceOptions(says, services...)...)
	choose.InitialOption = optionOf(choose.Options, string(chosen))
	return choose
}

func serviceOptions(says Descriptions, services ...order.ServiceType) []*slack.OptionBlockObject {
	return each(services, func(_ int, s order.ServiceType) *slack.OptionBlockObject {
		option := slack.NewOptionBlockObject(string(s), plainText(serviceWords(s)), nil)
		if words := says[s]; words != "" {
			option.Description = plainText(plain(words, maxOptionText))
		}
		return option
	})
}

// optionOf is the option with that value, nil when there is none.
func optionOf(options []*slack.OptionBlockObject, value string) *slack.OptionBlockObject {
	for _, option := range options {
		if option.Value == value {
			return option
		}
	}
	return nil
}

// services are the service types, in the order in which people see them.
var services = []order.ServiceType{order.ServiceBasic, order.ServiceExtensive, order.ServiceReference}

func serviceWords(s order.ServiceType) string {
	words := map[order.ServiceType]string{
		order.ServiceBasic:     "Basic",
		order.ServiceExtensive: "Extensive",
	}
	return orElse(words[s], "Reference only")
}
