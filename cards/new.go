package cards

import (
	"strconv"
	"strings"

	"darkroom/store"
	"darkroom/upstream"

	"github.com/slack-go/slack"
)

// What one order may hold.
const (
	MaxImages      = 50
	MaxProjectName = 80
	MaxCustomerID  = 20 // interface-notes: Requests
)

// Problems are reasons in the service's own words, or in ours: shown escaped.
type Problems []string

// Fields of the order form: the first part of their block ids.
const (
	fieldChannel      = "channel"
	fieldImages       = "images"
	fieldService      = "service"
	fieldInstructions = "instructions"
	fieldProject      = "project"
	fieldCustomer     = "customer"
)

// blockID changes with every attempt, so that a form shown again starts from
// its initial values; within one attempt it stays, and what is being typed
// survives an update (Slack: docs.slack.dev/surfaces/modals).
func blockID(field string, attempt, part int) string {
	id := field + ":" + strconv.Itoa(attempt)
	if part > 0 {
		id += ":" + strconv.Itoa(part)
	}
	return id
}

// NewOrder is the order form, filled in from the draft. Problems are shown on
// top, and those that name an image's URL also beside the images; so is the
// reason for which its channel could not take it. An empty balance is not known.
func NewOrder(d store.Draft, problems Problems, balance, externalID string) slack.ModalViewRequest {
	p := &page{}
	p.unpostable(d)
	p.problems("The order was not placed, and nothing was charged:", problems, "Everything you typed is still here. Change what is needed and place it again.")
	p.blocks = append(p.blocks, postTo(d))
	p.imageInputs(d, problems)
	p.blocks = append(p.blocks, serviceType(d))
	p.lines(d, fieldInstructions, "Instructions", "One per line, for all images.", d.Instructions)
	p.blocks = append(p.blocks,
		short(d, fieldProject, "Project name", "Left empty, it gets a friendly name.", d.ProjectName, MaxProjectName),
		short(d, fieldCustomer, "Customer ID", "Your own number for your customer.", d.CustomerID, MaxCustomerID))
	if balance != "" {
		p.note("Credits left: " + inline(balance, 60))
	}
	return p.form(TitleNew, "Place order", CallbackNew, externalID, draftMeta(d))
}

func draftMeta(d store.Draft) Meta { return Meta{Draft: d.ID, Attempt: d.Attempt} }

// unpostable says why the channel could not take the order.
func (p *page) unpostable(d store.Draft) {
	if d.Unpostable != "" {
		p.say(":warning: The order was not placed, and nothing was charged. " + CannotPost(d.Channel, Why(d.Unpostable)))
	}
}

// problems adds the reasons as a list under a headline of ours.
func (p *page) problems(headline string, problems Problems, next string) {
	if len(problems) == 0 {
		return
	}
	rows := []string{":warning: " + headline}
	for _, problem := range problems {
		rows = append(rows, "• "+inline(problem, 600))
	}
	p.say(cut(strings.Join(rows, "\n"), maxSection))
	p.say(next)
}

func postTo(d store.Draft) slack.Block {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeConversations, plainText("Choose a channel"), fieldChannel)
	choose.Filter = &slack.SelectBlockElementFilter{Include: []string{"public", "private"}, ExcludeBotUsers: true}
	if isChannel(d.Channel) {
		choose.InitialConversation = d.Channel
	}
	hint := plainText("The order's news comes to this channel.")
	return slack.NewInputBlock(blockID(fieldChannel, d.Attempt, 0), plainText("Post to"), hint, choose)
}

func (p *page) imageInputs(d store.Draft, problems Problems) {
	p.lines(d, fieldImages, "Image URLs", "One per line. Anyone must be able to open them.", d.URLs)
	var beside Problems
	for _, problem := range problems {
		if strings.Contains(problem, "://") || namesOne(problem, d.URLs) {
			beside = append(beside, problem)
		}
	}
	if len(beside) > 0 {
		rows := make([]string, len(beside))
		for i, problem := range beside {
			rows[i] = ":warning: " + inline(problem, 600)
		}
		p.note(cut(strings.Join(rows, "\n"), maxField))
	}
}

func namesOne(problem string, urls []string) bool {
	for _, u := range urls {
		if u != "" && strings.Contains(problem, u) {
			return true
		}
	}
	return false
}

// lines adds a box with one value per line, and more boxes when the draft
// holds more than Slack lets one show.
func (p *page) lines(d store.Draft, field, label, hint string, values []string) {
	boxes := fill(values)
	for i, text := range boxes {
		box := input(field, text, maxInput)
		box.Multiline = true
		name := label
		if i > 0 {
			name = label + " (more)"
		}
		block := slack.NewInputBlock(blockID(field, d.Attempt, i), plainText(name), plainText(hint), box)
		p.blocks = append(p.blocks, block.WithOptional(i > 0))
	}
}

// maxBoxes bounds a form; a draft beyond it cannot have come from one.
const maxBoxes = 10

// fill packs lines into as few boxes as hold them; always at least one.
func fill(values []string) []string {
	boxes := []string{""}
	for _, value := range values {
		last := len(boxes) - 1
		joined := strings.TrimPrefix(boxes[last]+"\n"+value, "\n")
		if units(joined) <= maxInput {
			boxes[last] = joined
			continue
		}
		if len(boxes) == maxBoxes {
			break
		}
		if boxes[last] == "" {
			boxes[last] = value
			continue
		}
		boxes = append(boxes, value)
	}
	return boxes
}

func short(d store.Draft, field, label, hint, value string, limit int) slack.Block {
	box := input(field, value, limit)
	return slack.NewInputBlock(blockID(field, d.Attempt, 0), plainText(label), plainText(hint), box).WithOptional(true)
}

func input(field, value string, limit int) *slack.PlainTextInputBlockElement {
	box := slack.NewPlainTextInputBlockElement(nil, field)
	box.InitialValue = clip(value, limit)
	box.MaxLength = limit
	return box
}

func serviceType(d store.Draft) slack.Block {
	options := []*slack.OptionBlockObject{
		serviceOption(upstream.Basic), serviceOption(upstream.Extensive),
	}
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText("Choose one"), fieldService, options...)
	switch d.Service {
	case upstream.Basic:
		choose.InitialOption = options[0]
	case upstream.Extensive:
		choose.InitialOption = options[1]
	}
	return slack.NewInputBlock(blockID(fieldService, d.Attempt, 0), plainText("Service type"), nil, choose)
}

func serviceOption(s upstream.ServiceType) *slack.OptionBlockObject {
	return slack.NewOptionBlockObject(string(s), plainText(serviceWords(s)), nil)
}

func serviceWords(s upstream.ServiceType) string {
	switch s {
	case upstream.Basic:
		return "Basic: colour, light, small fixes"
	case upstream.Extensive:
		return "Extensive: detailed retouching"
	}
	return "Reference only"
}
