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
const maxProjectName = 80

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
	return blockID(field, d.Attempt, 0) + "." + short(d.ID) + onlyIf(part > 0, ":"+strconv.Itoa(part))
}

// short is a few letters that stand for an id of any length.
func short(id string) string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(id)) // never fails
	return strconv.FormatUint(sum.Sum64(), 36)
}

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
}

// NewOrder is the order form, filled in from the draft. Problems are shown on
// top, and those that name an image also beside it; so is the reason for which
// its channel could not take it.
func NewOrder(d store.Draft, a Around, externalID string) slack.ModalViewRequest {
	p, problems := &builder{}, named(d, a.Problems)
	p.offer(a.Unfinished)
	p.again(a.Again)
	p.unpostable(d)
	p.problems("The order was not placed, and nothing was charged:", problems, "Everything you typed is still here. Change what is needed and place it again.")
	p.bullets(":warning: Not everything could be taken along:", inlined(a.Left, 1000))
	p.put(ask(draftBlock(d, fieldChannel, 0), "Post to", "The order's news comes to this channel.",
		channelSelect(ActionTyped+fieldChannel, d.Channel)).WithDispatchAction(true))
	p.keptPhotos(d, a, problems)
	p.imageURLs(d, a, problems)
	p.put(ask(draftBlock(d, fieldService, 0), "Service type", "",
		serviceSelect(fieldService, d.Service, order.ServiceBasic, order.ServiceExtensive)).WithDispatchAction(true))
	p.lines(d, fieldInstructions, "Instructions", "One per line, for all images.", d.Instructions, true)
	p.perImage(d)
	p.put(
		shortInput(d, fieldProject, "Project name", "Left empty, it gets a friendly name.", d.ProjectName, maxProjectName),
		shortInput(d, fieldCustomer, "Customer ID", "Your own number for your customer.", d.CustomerID, order.MaxCustomerID))
	if a.Balance != "" {
		p.line("Credits left: " + inline(a.Balance, 60))
	}
	v := p.form(TitleNew, "Place order", CallbackNew, externalID, formMeta(d, a))
	v.NotifyOnClose = true
	return v
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
	m.Opened, m.UploadGen, m.Credits = d.OpenedAt, a.UploadGen, clip(a.Balance, 60)
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

func (p *builder) imageURLs(d store.Draft, a Around, problems Problems) {
	p.lines(d, fieldImages, "Image URLs", "One per line. Anyone must be able to open them.", d.URLs, !a.Upload && len(d.Files) == 0)
	var beside []string
	for _, problem := range problems {
		names := func(u string) bool { return u != "" && strings.Contains(problem, u) }
		if strings.Contains(problem, "://") || slices.ContainsFunc(d.URLs, names) {
			beside = append(beside, ":warning: "+inline(problem, 600))
		}
	}
	if len(beside) > 0 {
		p.line(cut(strings.Join(beside, "\n"), maxField))
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
	box.DispatchActionConfig = &slack.DispatchActionConfig{TriggerActionsOn: []string{"on_character_entered"}}
	return ask(id, label, hint, box).WithDispatchAction(true)
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

func serviceSelect(field string, chosen order.ServiceType, services ...order.ServiceType) *slack.SelectBlockElement {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText("Choose one"), ActionTyped+field)
	for _, s := range services {
		choose.Options = append(choose.Options, slack.NewOptionBlockObject(string(s), plainText(serviceWords(s)), nil))
	}
	choose.InitialOption = optionOf(choose.Options, string(chosen))
	return choose
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
		order.ServiceBasic:     "Basic: colour, light, small fixes",
		order.ServiceExtensive: "Extensive: detailed retouching",
	}
	return orElse(words[s], "Reference only")
}
