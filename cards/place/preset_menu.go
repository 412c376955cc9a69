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

// ActionPreset fills the form. It carries a preset id, [store.LastOrder] or "none".
const ActionPreset = "form:preset" // fills the form; carries a preset id, [store.LastOrder] or "none"

// PresetMenu is what can fill a channel's order form.
type PresetMenu struct {
	Presets []store.Preset   // house styles first
	Last    bool             // the channel's newest order has known instructions
	Note    string           // result of the last choice, as a safe sentence
	Prices  order.PriceGuide // what images may cost; without recent orders if those are secret
}

// PresetGone says that a chosen preset no longer exists.
const PresetGone = "That preset was removed. Nothing in this form changed."

// filledFields are the fields that a preset fills. They get new block ids then, because Slack keeps values by
// id.
var filledFields = []string{fieldPreset, fieldInstructions, fieldService, fieldPerImage, fieldCustomer, kit.FieldImages}

const noPreset = "none"

// SameAsLast labels the choice that fills the form from the channel's newest order.
const SameAsLast = "Same as last order"

// presets adds the menu that fills the form, if it has choices.
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
			initial = presetOption(filling.ID, filling.Name, "Not in this channel's list")
			options = append(options, initial)
		}
	}
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, kit.PlainText("Choose one"), ActionPreset, options...)
	choose.InitialOption = initial
	f.Put(row(draftBlock(f.d, fieldPreset, 0), "Preset", choose))
	if says := kit.Join(" ", menu.Note, filledNote(filling)); says != "" {
		f.Line(says)
	}
}

// options returns none, the last order, the house styles and the other presets.
func (m PresetMenu) options() []*slack.OptionBlockObject {
	options := []*slack.OptionBlockObject{presetOption(noPreset, "None", "")}
	if m.Last {
		options = append(options, presetOption(store.LastOrder, SameAsLast, ""))
	}
	return append(options, kit.Map(m.Presets, func(_ int, p store.Preset) *slack.OptionBlockObject {
		return presetOption(p.ID(), p.Name, kit.OnlyIf(p.Pinned, HouseStyle))
	})...)
}

// HouseStyle labels a pinned preset.
const HouseStyle = "House style"

func presetOption(id, name, says string) *slack.OptionBlockObject {
	return kit.Option(kit.Clip(cmp.Or(id, noPreset), kit.MaxOptionValue), cmp.Or(kit.Plain(kit.OneLine(name), kit.MaxOptionText), "Preset"), kit.Plain(says, kit.MaxOptionText))
}

// filledNote says what a preset replaced and what it could not fill in.
func filledNote(f *store.Filling) string {
	if f == nil || f.ID == "" {
		return ""
	}
	references := len(f.Given.Sources)
	return kit.Join(" ",
		kit.OnlyIf(f.House, "Filled in with this channel's house style."),
		kit.OnlyIf(replacedText(*f), "The preset replaced your text. Choose *None* to get it back."),
		kit.OnlyIf(references > 0, kit.Count(references, "reference photo is", "reference photos are")+" in the photo links."),
		kit.OnlyIf(f.Lost > 0, kit.Count(f.Lost, "reference photo", "reference photos")+" could not be filled in. Add "+kit.Plural(f.Lost, "it", "them")+" again."),
		kit.OnlyIf(f.Crowd > 0, kit.Count(f.Crowd, "reference photo does", "reference photos do")+" not fit in the order."))
}

// replacedText reports whether a preset replaced typed text.
func replacedText(f store.Filling) bool {
	return len(f.Before.Instructions) > 0 && len(f.Given.Instructions) > 0 && !slices.Equal(f.Before.Instructions, f.Given.Instructions) ||
		f.Before.CustomerID != "" && f.Given.CustomerID != "" && f.Before.CustomerID != f.Given.CustomerID
}

// presetIn returns the preset that filled a form, or "".
func presetIn(view slack.View) string {
	return ChosenPreset(kit.AnswerOf(view, fieldPreset).SelectedOption.Value)
}

// ChosenPreset returns the id of a choice, or "" for none.
func ChosenPreset(value string) string { return kit.OnlyIf(value != noPreset, value) }

// FilledFrom updates whether the second step comes next after the form was filled.
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
		Typed("Reference photos:", strings.Join(references, "\n")).
		Say(kit.OnlyIf(lost > 0, ":warning: "+kit.Count(lost, "reference photo from Slack is", "reference photos from Slack are")+
			" not saved. Add "+kit.Plural(lost, "it", "them")+" to each order."))
}
