package settings

import (
	"strconv"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Overview says what holds in a channel, who set it and when, with a button for each part.
type Overview struct {
	Channel string
	Now     Values
	Decides bool // the person may change who decides
	Saved   bool // it follows a save
}

// Window returns the overview as a window.
func (o Overview) Window(externalID string) slack.ModalViewRequest {
	p := kit.NewWindow("For every order of " + kit.ChannelLink(o.Channel) + ":")
	for _, part := range []Part{Orders, Photos, Approval, Messages} {
		o.add(p, part)
	}
	if o.Now.Account != nil {
		o.add(p, Account)
	}
	return p.Modal(kit.Either(o.Saved, titleSaved, Title), externalID, kit.Meta{Channel: o.Channel})
}

// add adds a part: its sentences, who set it, and its button, or who may change it.
func (o Overview) add(p *kit.Page, part Part) {
	var says []string
	for _, s := range part.settings(nil) {
		says = append(says, s.says(o.Now))
	}
	button := kit.Button("Change", ActionChangePart, part.Value())
	button.AccessibilityLabel = "Change " + part.Title()
	accessory, why := slack.NewAccessory(button), ""
	if part == Approval && !o.Decides {
		accessory, why = nil, "Only "+kit.MentionAll(o.Now.Decides.AskedOf())+" and operators change this."
	}
	p.Section(kit.Cut("*"+part.Title()+"*\n"+kit.Join(" ", says...), kit.MaxSection), accessory)
	p.Note(kit.Join(" ", setBy(*part.saver(&o.Now)), why))
}

// setBy says who saved something and when.
func setBy(by store.Saver) string {
	return kit.OnlyIf(by.By != "", "Set by "+kit.Mention(by.By)+", "+kit.When(by.At)+".")
}

// Value returns the part as a button's value.
func (p Part) Value() string { return strconv.Itoa(int(p)) }

// PartOf returns the part of a button's value; 0: there is no such part.
func PartOf(value string) Part {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > int(Photos) {
		return 0
	}
	return Part(n)
}

// WhichChannel asks for the channel whose settings are meant.
func WhichChannel(externalID string) slack.ModalViewRequest {
	p := kit.NewPage("Settings belong to a channel.")
	p.Put(slack.NewSectionBlock(kit.Mrkdwn("*Channel*"), nil, slack.NewAccessory(kit.ChannelSelect(ActionSettingsOf, ""))))
	return p.Modal(Title, externalID, kit.Meta{})
}
