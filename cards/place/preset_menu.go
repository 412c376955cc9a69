package place

import (
	"cmp"
	"slices"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Ids and titles as Slack has them.
const (
	ActionPreset = "form:preset" // fills the form; carries a preset's id, [store.LastOrder] or "none"
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
var filledFields = []string{fieldPreset, fieldInstructions, fieldService, fieldPerImage, fieldCustomer, kit.FieldImages}

const noPreset = "none"

// SameAsLast is the choice that fills a form in from the newest order of its channel.
const SameAsLast = "Same as last order"

// presets asks what the form shall be filled from, when there is anything.
func (f *orderForm) presets() {
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
		if initial = kit.OptionOf(options, filling.ID); initial == nil {
			initial = presetOption(filling.ID, filling.Name, "Not in this channel's list; what it filled in stays.")
			options = append(options, initial)
		}
	}
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, kit.PlainText("Choose one"), ActionPreset, options...)
	choose.InitialOption = initial
	f.Put(kit.Field(draftBlock(f.d, fieldPreset, 0), "Preset", "Fills the service type, the instructions, the customer ID and reference images.", choose).WithDispatchAction(true))
	if says := kit.Join(" ", menu.Note, saysFilled(filling)); says != "" {
		f.Line(says)
	}
}

// options are nothing, the last order, the house styles and the others.
func (m PresetMenu) options() []*slack.OptionBlockObject {
	options := []*slack.OptionBlockObject{presetOption(noPreset, "None", "")}
	if m.Last {
		options = append(options, presetOption(store.LastOrder, SameAsLast, ""))
	}
	return append(options, kit.Map(m.Presets, func(_ int, p store.Preset) *slack.OptionBlockObject {
		return presetOption(p.ID(), p.Name, kit.OnlyIf(p.Pinned, HouseStyle))
	})...)
}

// HouseStyle is what a pinned preset is called.
const HouseStyle = "House style"

func presetOption(id, name, says string) *slack.OptionBlockObject {
	option := slack.NewOptionBlockObject(kit.Clip(cmp.Or(id, noPreset), kit.MaxOptionValue), kit.PlainText(cmp.Or(kit.Plain(kit.OneLine(name), kit.MaxOptionText), "Preset")), nil)
	if says != "" {
		option.Description = kit.PlainText(kit.Plain(says, kit.MaxOptionText))
	}
	return option
}

// saysFilled says what became of what a filled form held before, and what could not be filled in.
func saysFilled(f *store.Filling) string {
	if f == nil || f.ID == "" {
		return ""
	}
	references := len(f.Given.Sources)
	return kit.Join(" ",
		kit.OnlyIf(f.House, "Filled in with this channel's house style."),
		kit.OnlyIf(gaveWay(*f), "What you had typed is set aside: choose *None* to have it back."),
		kit.OnlyIf(references > 0, kit.Count(references, "reference image is", "reference images are")+" among the image URLs, and marked *Reference only* in the next step."),
		kit.OnlyIf(f.Lost > 0, kit.Count(f.Lost, "reference image was a photo", "reference images were photos")+" from Slack or cannot be had any more, and cannot be taken along: add them anew."),
		kit.OnlyIf(f.Crowd > 0, "There is no room for "+kit.Count(f.Crowd, "of its reference images", "of its reference images")+"."))
}

// gaveWay tells whether words that a person typed gave way.
func gaveWay(f store.Filling) bool {
	return len(f.Before.Instructions) > 0 && len(f.Given.Instructions) > 0 && !slices.Equal(f.Before.Instructions, f.Given.Instructions) ||
		f.Before.CustomerID != "" && f.Given.CustomerID != "" && f.Before.CustomerID != f.Given.CustomerID
}

// presetIn is what a form says that it was filled from, "" for nothing.
func presetIn(view slack.View) string {
	return ChosenPreset(kit.AnswerOf(view, fieldPreset).SelectedOption.Value)
}

// ChosenPreset is the id behind a choice, "" for none.
func ChosenPreset(value string) string { return kit.OnlyIf(value != noPreset, value) }

// FilledFrom is a form once it was filled: its second step comes next when something differs for an image,
// and no longer when that was only filled in before.
func (f Form) FilledFrom(was, is store.Draft) Form {
	referred := func(d store.Draft) bool { return d.Filling != nil && len(d.Filling.Given.Sources) > 0 }
	f.PerImage = referred(is) || f.PerImage && (!referred(was) || len(is.Each) > 0)
	return f
}

// AddAsksFor shows what a preset fills in.
func AddAsksFor(p *kit.Page, b order.Brief, lost int) *kit.Page {
	references := kit.Map(b.Sources, func(_ int, s order.Source) string { return s.URL + kit.Prefixed(": ", s.Instruction) })
	return p.Say("Service type: "+kit.EscapeTo(ServiceWords(b.Service), kit.MaxField)).
		Typed("Instructions:", strings.Join(b.Instructions, "\n")).
		Typed("Customer ID:", b.CustomerID).
		Typed("Reference images:", strings.Join(references, "\n")).
		Say(kit.OnlyIf(lost > 0, ":warning: "+kit.Count(lost, "reference image is", "reference images are")+
			" not saved: a photo from Slack is shared with the photo service for one order only. Add it to each order anew."))
}
