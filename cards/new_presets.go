package cards

import (
	"slices"
	"strings"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// PresetMenu is what an order form can be filled from: what its channel keeps.
type PresetMenu struct {
	Presets []store.Preset // house styles first
	Last    bool           // the channel has an order of which is known what it asked for
	Note    string         // what came of the last choice; a sentence of ours, safe as it is
	Costs   []order.Cost   // what the channel's last images cost, by service type; nil: not known, or not for its reader
}

// PresetGone says that a choice could not be filled in.
const PresetGone = "That preset was removed meanwhile. Nothing in this form was changed."

// filledFields are those that a preset fills: filled, they are other fields, because Slack keeps what
// stands in a field that is called as before.
var filledFields = []string{fieldPreset, fieldInstructions, fieldService, fieldPerImage, fieldCustomer, fieldImages}

const noPreset = "none"

// SameAsLast is the choice that fills a form in from the newest order of its channel.
const SameAsLast = "Same as last order"

// presets asks what the form shall be filled from, when there is anything.
func (f *newForm) presets() {
	filling, menu := f.d.Filling, f.a.Presets
	if menu == nil {
		menu = &PresetMenu{}
	}
	chosen := filling != nil && filling.ID != ""
	if len(menu.Presets) == 0 && !menu.Last && !chosen && menu.Note == "" {
		return
	}
	options := menu.options()
	initial := options[0]
	if chosen {
		if initial = optionOf(options, filling.ID); initial == nil {
			initial = presetOption(filling.ID, filling.Name, "Not in this channel's list; what it filled in stays.")
			options = append(options, initial)
		}
	}
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText("Choose one"), ActionPreset, options...)
	choose.InitialOption = initial
	f.put(ask(draftBlock(f.d, fieldPreset, 0), "Preset", "Fills the service type, the instructions, the customer ID and reference images.", choose).WithDispatchAction(true))
	if says := joined(" ", menu.Note, saysFilled(filling)); says != "" {
		f.line(says)
	}
}

// options are nothing, the last order, the house styles and the others.
func (m PresetMenu) options() []*slack.OptionBlockObject {
	options := []*slack.OptionBlockObject{presetOption(noPreset, "None", "")}
	if m.Last {
		options = append(options, presetOption(store.LastOrder, SameAsLast, ""))
	}
	return append(options, each(m.Presets, func(_ int, p store.Preset) *slack.OptionBlockObject {
		return presetOption(p.ID(), p.Name, onlyIf(p.Pinned, houseStyle))
	})...)
}

const houseStyle = "House style"

func presetOption(id, name, says string) *slack.OptionBlockObject {
	option := slack.NewOptionBlockObject(clip(orElse(id, noPreset), maxOptionValue), plainText(orElse(plain(oneLine(name), maxOptionText), "Preset")), nil)
	if says != "" {
		option.Description = plainText(plain(says, maxOptionText))
	}
	return option
}

// saysFilled says what became of what a filled form held before, and what could not be filled in.
func saysFilled(f *store.Filling) string {
	if f == nil || f.ID == "" {
		return ""
	}
	references := len(f.Given.Sources)
	return joined(" ",
		onlyIf(f.House, "Filled in with this channel's house style."),
		onlyIf(gaveWay(*f), "What you had typed is set aside: choose *None* to have it back."),
		onlyIf(references > 0, count(references, "reference image is", "reference images are")+" among the image URLs, and marked *Reference only* in the next step."),
		onlyIf(f.Lost > 0, count(f.Lost, "reference image was a photo", "reference images were photos")+" from Slack or cannot be had any more, and cannot be taken along: add them anew."),
		onlyIf(f.Crowd > 0, "There is no room for "+count(f.Crowd, "of its reference images", "of its reference images")+"."))
}

// gaveWay tells whether words that a person typed gave way.
func gaveWay(f store.Filling) bool {
	return len(f.Before.Instructions) > 0 && len(f.Given.Instructions) > 0 && !slices.Equal(f.Before.Instructions, f.Given.Instructions) ||
		f.Before.CustomerID != "" && f.Given.CustomerID != "" && f.Before.CustomerID != f.Given.CustomerID
}

// presetIn is what a form says that it was filled from, "" for nothing.
func presetIn(view slack.View) string {
	return ChosenPreset(fieldOf(view, fieldPreset).SelectedOption.Value)
}

// ChosenPreset is the id behind a choice, "" for none.
func ChosenPreset(value string) string { return onlyIf(value != noPreset, value) }

// FilledFrom is a form once it was filled: its second step comes next when something differs for an image,
// and no longer when that was only filled in before.
func (f Form) FilledFrom(was, is store.Draft) Form {
	referred := func(d store.Draft) bool { return d.Filling != nil && len(d.Filling.Given.Sources) > 0 }
	f.PerImage = referred(is) || f.PerImage && (!referred(was) || len(is.Each) > 0)
	return f
}

// asksFor shows what a preset fills in.
func (p *builder) asksFor(b order.Brief, lost int) *builder {
	references := each(b.Sources, func(_ int, s order.Source) string { return s.URL + led(": ", s.Instruction) })
	return p.say("Service type: "+escape(serviceWords(b.Service), maxField)).
		kept("Instructions:", strings.Join(b.Instructions, "\n")).
		kept("Customer ID:", b.CustomerID).
		kept("Reference images:", strings.Join(references, "\n")).
		say(onlyIf(lost > 0, ":warning: "+count(lost, "reference image is", "reference images are")+
			" not saved: a photo from Slack is shared with the photo service for one order only. Add it to each order anew."))
}
