package cards

import (
	"strings"

	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldPresetName = "presetname"

// MaxPresetName is how many characters a preset's name may have: what Slack shows of an option.
const MaxPresetName = maxOptionText

// savePreset is the button that keeps what an order asked for; none when that is not known.
func savePreset(t store.Tracked) []slack.BlockElement {
	if t.Brief == nil {
		return nil
	}
	return []slack.BlockElement{pressOf(t, TitlePreset, "Save as preset:", ActionSavePreset, Value(t.ID, t.Order.Rev()))}
}

// SavePreset asks for the name under which what an order asked for is kept. over is the preset that has
// the name already, and whose place it would take; nil: none.
func SavePreset(t store.Tracked, name string, over *store.Preset, externalID string) slack.ModalViewRequest {
	p, meta, submit := window("Whoever orders in "+channelLink(t.Owner.Channel)+" can fill the form with this:"), metaOf(t), "Save"
	gen := "0"
	if over != nil {
		meta.Note, submit = over.Print(), "Replace"
		gen = "0." + short(over.Print())
		p.say(":warning: There is a preset *" + inline(over.Name, MaxPresetName) + "* already, saved by " + mention(over.SavedBy) +
			". *Replace* puts this one in its place; or choose another name.")
	}
	p.put(ask(fieldPresetName+":"+gen, "Name", "", input(fieldPresetName, name, MaxPresetName)))
	p.asksFor(t.Brief.Repeatable())
	p.note("The photos and the name of the order are not saved. `/order presets` lists what the channel has.")
	return p.form(TitlePreset, submit, CallbackPreset, externalID, meta)
}

// PresetForm is that form as it was submitted.
type PresetForm struct {
	Order, Name string
	Over        string // the [store.Preset.Print] of the preset of that name that may be replaced: the person read of it
}

// DecodeSavePreset reads it. The problems are by block id.
func DecodeSavePreset(view slack.View) (PresetForm, map[string]string) {
	meta := DecodeMeta(view.PrivateMetadata)
	f := PresetForm{Order: meta.Order, Name: strings.Join(strings.Fields(clip(textOf(view, fieldPresetName), -1)), " ")}
	if strings.HasPrefix(meta.Note, store.PresetID(f.Name)+":") {
		f.Over = meta.Note
	}
	switch {
	case f.Name == "":
		return f, PresetProblem(view, "Give it a name.")
	case units(f.Name) > MaxPresetName:
		return f, PresetProblem(view, longProblem(f.Name, MaxPresetName, "The name"))
	}
	return f, nil
}

// PresetProblem puts a sentence beside the name.
func PresetProblem(view slack.View, sentence string) map[string]string {
	return beside(view, fieldPresetName, sentence)
}

// Why a preset cannot be kept or changed.
const (
	PresetsFull       = "This channel has 50 presets, and no more fit. Remove one with /order presets first."
	PresetTooLarge    = "This order asks for too much to be kept as a preset: its instructions are too long. Order again, in the card's menu, takes them all along."
	PresetIsHouse     = "A preset of this name is a house style, which only operators change. Choose another name."
	PresetBriefless   = "I have no record of what this order asked for, so there is nothing to save."
	PresetNeedChannel = "Presets belong to a channel. Type `/order presets` in the channel whose presets you want to see."
	presetHouseKept   = ":warning: Nothing was changed: only operators remove a house style."
	presetNotThere    = ":warning: Nothing was changed: that preset is no longer there."
)

// PresetSaved confirms it.
func PresetSaved(channel, name, externalID string) slack.ModalViewRequest {
	return says(":white_check_mark: Saved as *"+inline(name, MaxPresetName)+"*.").
		say("The order form offers it under *Preset* when it posts to "+channelLink(channel)+". `/order presets` lists all of them.").
		modal(TitlePreset, externalID, Meta{})
}

// PinPresets is what only operators may do with presets.
const PinPresets = "pin a preset as the house style"

// What can be done with a preset.
const (
	PresetRemove = "remove"
	PresetPin    = "pin"
	PresetUnpin  = "unpin"
)

// PresetValue is what says to do one of these with a channel's preset.
func PresetValue(do, channel, id string) string { return do + " " + channel + " " + id }

// ParsePreset reads it back. It is false for a value that is not ours.
func ParsePreset(value string) (do, channel, id string, ok bool) {
	parts := strings.Split(value, " ")
	if len(parts) != 3 || parts[2] == "" || !isChannel(parts[1]) {
		return "", "", "", false
	}
	switch parts[0] {
	case PresetRemove, PresetPin, PresetUnpin:
		return parts[0], parts[1], parts[2], true
	}
	return "", "", "", false
}

// Presets lists a channel's presets, each with what this person can do with it; said is what was just
// done, safe.
func Presets(channel string, all []store.Preset, operator bool, said, externalID string) slack.ModalViewRequest {
	p := window(said)
	if len(all) == 0 {
		return p.say("There are no presets in "+channelLink(channel)+" yet. *Save as preset* stands below an order that was just placed, and in *Show details* of each order whose instructions I know.").
			modal(TitlePresets, externalID, Meta{Channel: channel})
	}
	p.say("Presets of " + channelLink(channel) + ". The order form offers them under *Preset*.")
	for _, preset := range all {
		p.section(presetRow(preset), presetDeeds(channel, preset, operator))
	}
	return p.note(presetRules(operator)).modal(TitlePresets, externalID, Meta{Channel: channel})
}

func presetRules(operator bool) string {
	if operator {
		return "When just one preset is a house style, the order form opens filled in with it."
	}
	return "When just one preset is a house style, the order form opens filled in with it. Operators pin and remove house styles."
}

// presetRow is a preset in a few words.
func presetRow(p store.Preset) string {
	words := inline(strings.Join(p.Brief.Instructions, " / "), 200)
	return dots("*"+inline(p.Name, MaxPresetName)+"*", onlyIf(p.Pinned, ":pushpin: "+houseStyle)) + led("\n> ", words) + "\n" +
		dots(serviceName(p.Brief.Service), led("customer ", inline(p.Brief.CustomerID, 40)), references(store.Tracked{References: len(p.Brief.Sources)}),
			led("saved by ", mention(p.SavedBy)), whenKnown(p.SavedAt))
}

// presetDeeds are what can be done with a preset: nothing with a house style, but by operators.
func presetDeeds(channel string, p store.Preset, operator bool) *slack.Accessory {
	if !operator && p.Pinned {
		return nil
	}
	remove := PresetValue(PresetRemove, channel, p.ID())
	if !operator {
		button := press("Remove", ActionPresets, remove)
		button.AccessibilityLabel = plain("Remove "+p.Name, maxAccessible)
		return slack.NewAccessory(button)
	}
	label, do := "Pin as house style", PresetPin
	if p.Pinned {
		label, do = "Unpin", PresetUnpin
	}
	return slack.NewAccessory(slack.NewOverflowBlockElement(ActionPresets,
		slack.NewOptionBlockObject(PresetValue(do, channel, p.ID()), plainText(label), nil),
		slack.NewOptionBlockObject(remove, plainText("Remove"), nil)))
}

// PresetDone says what was done with a preset; PresetNotDone what was not: house says that it is for
// operators, otherwise it is no longer there.
func PresetDone(do string, p store.Preset) string {
	name := "*" + inline(p.Name, MaxPresetName) + "*"
	switch do {
	case PresetPin:
		return ":white_check_mark: " + name + " is a house style now."
	case PresetUnpin:
		return ":white_check_mark: " + name + " is no house style any more."
	}
	return ":white_check_mark: " + name + " is removed."
}

// PresetNotDone says why nothing was done; see [PresetDone].
func PresetNotDone(house bool) string {
	if house {
		return presetHouseKept
	}
	return presetNotThere
}
