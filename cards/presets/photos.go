package presets

import (
	"cmp"

	"darkroom/cards/kit"
	"darkroom/cards/requirements"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Slack ids and titles of the form that says what the photos of a preset's orders must be.
const (
	ActionPhotos   = "preset:photos" // chooses the preset; carries a [Value]
	CallbackPhotos = "preset-photos"
	TitlePhotos    = "Delivered photos"

	choosePhotos = "photos"
)

// addPhotos adds the menu that opens the form of one preset.
func addPhotos(p *kit.Page, channel string, all []store.Preset, operator bool) {
	var options []*slack.OptionBlockObject
	for _, preset := range all {
		if operator || !preset.Pinned {
			options = append(options, kit.Option(Value(choosePhotos, channel, preset.ID()), cmp.Or(kit.Plain(preset.Name, MaxName), "Preset"), ""))
		}
	}
	if len(options) > 0 {
		menu := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, kit.PlainText("Choose a preset"), ActionPhotos, options...)
		p.Section("*Delivered photos*\nSay what the photos of a preset's orders must be.", slack.NewAccessory(menu))
	}
}

// ParsePhotos reads the value of [ActionPhotos]. It returns false for other values.
func ParsePhotos(value string) (channel, id string, ok bool) {
	_, channel, id, ok = parse(value, choosePhotos)
	return channel, id, ok
}

// PhotosWindow asks what the photos of a preset's orders must be.
func PhotosWindow(channel string, preset store.Preset, externalID string) slack.ModalViewRequest {
	p := kit.NewWindow("For orders of the preset *" + kit.Inline(preset.Name, MaxName) + "*. Without rules, those of " + kit.ChannelLink(channel) + " hold.")
	requirements.Ask(p, preset.Requires)
	return p.Form(TitlePhotos, "Save", CallbackPhotos, externalID, kit.Meta{Channel: channel, Note: preset.ID()})
}

// PhotosForm is a submitted [PhotosWindow].
type PhotosForm struct {
	Channel, ID string // of the channel and of the preset; "": the form lost them
	Requires    order.Requirements
}

// DecodePhotos reads the form. The problems are by block id.
func DecodePhotos(view slack.View) (PhotosForm, map[string]string) {
	meta := kit.DecodeMeta(view.PrivateMetadata)
	f := PhotosForm{Channel: meta.Channel, ID: meta.Note}
	return f, requirements.Read(view, &f.Requires)
}

// PhotosSaved confirms the rules of a preset.
func PhotosSaved(name string, r order.Requirements, externalID string) slack.ModalViewRequest {
	says := requirements.Says(r)
	return kit.NewPage(":white_check_mark: Saved for *"+kit.Inline(name, MaxName)+"*.").
		Say(kit.Either(says == "", "The channel's rules hold for its orders.", says)).Modal(TitlePhotos, externalID, kit.Meta{})
}

// LostPhotos answers a form that does not say which preset it is about.
const LostPhotos = "This window is out of date, so nothing was saved. Close it and type /order presets again."
