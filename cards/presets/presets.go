// Package presets lists a channel's presets and saves an order's instructions as a preset.
package presets

import (
	"slices"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/cards/requirements"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Slack ids and titles.
const (
	Action   = "preset:do" // a preset's actions in the list; carries a [Value]
	Callback = "preset"
	Title    = "Presets"
)

const fieldName = "presetname"

// MaxName bounds a preset's name: Slack's limit for an option, in characters.
const MaxName = kit.MaxOptionText

// SaveWindow asks for a preset's name. over is the preset that the new one would replace, or nil.
func SaveWindow(t store.Tracked, name string, over *store.Preset, externalID string) slack.ModalViewRequest {
	p, meta, submit := kit.NewWindow("Anyone who orders in "+kit.ChannelLink(t.Owner.Channel)+" can fill the form with this:"), cards.MetaOf(t), "Save"
	gen := "0"
	if over != nil {
		meta.Note, submit = over.Print(), "Replace"
		gen = "0." + kit.Hash(over.Print())
		p.Say(":warning: " + kit.Mention(over.SavedBy) + " already saved a preset *" + kit.Inline(over.Name, MaxName) + "*. " +
			"*Replace* overwrites it. Or choose another name.")
	}
	p.Put(kit.Field(fieldName+":"+gen, "Name", "", kit.Input(fieldName, name, MaxName)))
	again, lost := t.Brief.Repeatable()
	place.AddAsksFor(p, again, lost)
	p.Note("The order's photos and name are not saved. `/order presets` lists this channel's presets.")
	return p.Form(cards.TitlePreset, submit, Callback, externalID, meta)
}

// Form is a submitted [SaveWindow].
type Form struct {
	Order, Name string
	Over        string // [store.Preset.Print] of the preset to replace, which the person has seen
}

// Decode reads the form. The problems are by block id.
func Decode(view slack.View) (Form, map[string]string) {
	meta := kit.DecodeMeta(view.PrivateMetadata)
	f := Form{Order: meta.Order, Name: strings.Join(strings.Fields(kit.Clip(kit.TextOf(view, fieldName), -1)), " ")}
	if strings.HasPrefix(meta.Note, store.PresetID(f.Name)+":") {
		f.Over = meta.Note
	}
	switch {
	case f.Name == "":
		return f, Problem(view, "Give it a name.")
	case kit.Units(f.Name) > MaxName:
		return f, Problem(view, kit.LengthProblem(f.Name, MaxName, "The name"))
	}
	return f, nil
}

// Problem returns a form error at the name.
func Problem(view slack.View, sentence string) map[string]string {
	return kit.Beside(view, fieldName, sentence)
}

// Reasons that a preset cannot be saved or changed.
const (
	Full        = "This channel has 50 presets, the most it can have. Remove one with /order presets first."
	TooLarge    = "This order's instructions are too long for a preset. “Order again” in the card's menu copies them all."
	IsHouse     = "A house style has this name. Only operators change house styles. Choose another name."
	Briefless   = "I have no record of this order's instructions, so there is nothing to save."
	NeedChannel = "Presets belong to a channel. Type `/order presets` in that channel."
	houseKept   = ":warning: Nothing was changed. Only operators change a house style."
	notThere    = ":warning: Nothing was changed. Somebody has removed that preset."
)

// Saved confirms a saved preset.
func Saved(channel, name, externalID string) slack.ModalViewRequest {
	return kit.NewPage(":white_check_mark: Saved as *"+kit.Inline(name, MaxName)+"*.").
		Say("The order form offers it under *Preset* when it posts to "+kit.ChannelLink(channel)+". `/order presets` lists all of them.").
		Modal(cards.TitlePreset, externalID, kit.Meta{})
}

// PinRight names the right that only operators have.
const PinRight = "pin a preset as the house style"

// Actions on a preset.
const (
	Remove = "remove"
	Pin    = "pin"
	Unpin  = "unpin"
)

// Value returns the value of an action on a channel's preset.
func Value(do, channel, id string) string { return do + " " + channel + " " + id }

// Parse reads a [Value]. It returns false for other values.
func Parse(value string) (do, channel, id string, ok bool) {
	return parse(value, Remove, Pin, Unpin)
}

// parse reads a [Value] with one of these actions.
func parse(value string, actions ...string) (do, channel, id string, ok bool) {
	parts := strings.Split(value, " ")
	if len(parts) != 3 || !slices.Contains(actions, parts[0]) || !kit.IsChannel(parts[1]) || parts[2] == "" {
		return "", "", "", false
	}
	return parts[0], parts[1], parts[2], true
}

// Window lists a channel's presets with the person's actions. said is the result of the last action, as safe
// text.
func Window(channel string, all []store.Preset, operator bool, said, externalID string) slack.ModalViewRequest {
	p := kit.NewWindow(said)
	if len(all) == 0 {
		return p.Say("There are no presets in "+kit.ChannelLink(channel)+" yet. To save one, press *Save as Preset* when you place an order, or in an order's details.").
			Modal(Title, externalID, kit.Meta{Channel: channel})
	}
	p.Say("Presets of " + kit.ChannelLink(channel) + ". The order form offers them under *Preset*.")
	for _, preset := range all {
		p.Section(row(preset), actions(channel, preset, operator))
	}
	addPhotos(p, channel, all, operator)
	p.Note("If one preset is the house style, the order form opens filled in with it." + kit.OnlyIf(!operator, " Operators pin and remove house styles."))
	return p.Modal(Title, externalID, kit.Meta{Channel: channel})
}

// row describes a preset.
func row(p store.Preset) string {
	words := kit.Inline(strings.Join(p.Brief.Instructions, " / "), 200)
	return kit.Dots("*"+kit.Inline(p.Name, MaxName)+"*", kit.OnlyIf(p.Pinned, ":pushpin: "+place.HouseStyle)) + kit.Prefixed("\n> ", words) + "\n" +
		kit.Dots(cards.ServiceName(p.Brief.Service), kit.Prefixed("customer ", kit.Inline(p.Brief.CustomerID, 40)), cards.ReferenceCount(store.Tracked{References: len(p.Brief.Sources)}),
			kit.Prefixed("saved by ", kit.Mention(p.SavedBy)), kit.WhenKnown(p.SavedAt)) + kit.Prefixed("\n", requirements.Says(p.Requires))
}

// actions returns a preset's actions. Only operators change a house style.
func actions(channel string, p store.Preset, operator bool) *slack.Accessory {
	if !operator && p.Pinned {
		return nil
	}
	remove := Value(Remove, channel, p.ID())
	if !operator {
		button := kit.Button("Remove", Action, remove)
		button.AccessibilityLabel = kit.Plain("Remove "+p.Name, kit.MaxAccessible)
		return slack.NewAccessory(button.WithConfirm(kit.Confirm("Remove preset?", "Nobody in the channel can use it after that.", "Remove", "Keep")))
	}
	label, do := "Pin as house style", Pin
	if p.Pinned {
		label, do = "Unpin", Unpin
	}
	menu := slack.NewOverflowBlockElement(Action, kit.Option(Value(do, channel, p.ID()), label, ""), kit.Option(remove, "Remove", ""))
	return slack.NewAccessory(menu.WithConfirm(kit.Confirm("Change preset?", "This changes the order form for everybody in the channel.", "Change", "Keep")))
}

// Done confirms an action.
func Done(do string, p store.Preset) string {
	name := "*" + kit.Inline(p.Name, MaxName) + "*"
	switch do {
	case Pin:
		return ":white_check_mark: " + name + " is a house style now."
	case Unpin:
		return ":white_check_mark: " + name + " is no longer a house style."
	}
	return ":white_check_mark: " + name + " is removed."
}

// NotDone says why an action failed: the preset is a house style, or no longer exists.
func NotDone(house bool) string {
	return kit.Either(house, houseKept, notThere)
}
