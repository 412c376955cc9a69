// Package settings has the windows of a channel's settings: an overview, and a form for each part. A setting says what
// its form asks, how the answer is read, and what the overview says about it.
package settings

import (
	"maps"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Slack ids and titles.
const (
	Callback = "settings"
	Title    = "Channel settings"

	titleSaved = "Settings saved"
)

// Action ids.
const (
	ActionSettings   = "settings:open"    // opens the overview, from the Home
	ActionSettingsOf = "settings:channel" // chooses the channel whose settings are shown
	ActionChangePart = "settings:change"  // opens a part's form; its value is [Part.Value]
)

// Values are a channel's settings. Account are those of all channels; nil for people who are no operators.
type Values struct {
	store.Settings
	Account *store.Account
}

// Part is a part of the settings with a form of its own; 0: none.
type Part int

// The parts. Their numbers are in open windows.
const (
	Orders Part = iota + 1
	Approval
	Messages
	Account // of all channels; for operators
	Photos  // what delivered photos must be
)

// setting is one setting.
type setting struct {
	ask func(p *kit.Page, now Values) // adds the setting's inputs, filled in from now
	// read applies the answer and returns problems by block id. It keeps values that the form did not ask for.
	read func(view slack.View, now *Values) map[string]string
	says func(now Values) string // a sentence for the overview; "": nothing
}

// Title names the part.
func (p Part) Title() string {
	return [...]string{"", "Orders", "Approval and limits", "Messages", "All channels", "Delivered photos"}[p]
}

// settings returns the part's settings. groups are the user groups to choose from.
func (p Part) settings(groups []UserGroup) []setting {
	switch p {
	case Orders:
		return []setting{sheetsSetting, remindSetting, ticksSetting}
	case Approval:
		return []setting{
			approversSetting,
			groupsSetting(fieldApproverGroups, "Groups that approve", func(d *store.Decides) *[]string { return &d.ApproverGroups }, groups),
			spendersSetting,
			groupsSetting(fieldSpenderGroups, "Groups that order without asking", func(d *store.Decides) *[]string { return &d.SpenderGroups }, groups),
			limitsSetting,
		}
	case Messages:
		return []setting{relaySetting, newsSetting, digestSetting, quietSetting, zoneSetting}
	case Account:
		return []setting{creditsSetting, accountLimitSetting}
	case Photos:
		return []setting{photosSetting}
	}
	return nil
}

// saver returns who last saved the part.
func (p Part) saver(now *Values) *store.Saver {
	switch p {
	case Orders:
		return &now.Saved.Orders
	case Approval:
		return &now.Saved.Approval
	case Messages:
		return &now.Saved.Messages
	case Photos:
		return &now.Saved.Photos
	}
	return &now.Account.Saved
}

// Form is the form of one part of a channel's settings.
type Form struct {
	Part    Part
	Channel string
	Root    string      // external id of the overview that it was opened from; "": it stands alone
	Groups  []UserGroup // the workspace's user groups; nil: unknown

	attempt int
}

// FormIn returns the form of a submitted view. Its part is 0 if the view does not say.
func FormIn(view slack.View) Form {
	meta := kit.DecodeMeta(view.PrivateMetadata)
	f := Form{Part: Part(meta.Page), Channel: meta.Channel, Root: meta.Root, attempt: meta.Attempt}
	if f.Part < 0 || f.Part > Photos {
		f.Part = 0
	}
	return f
}

// Window returns the form with the current values.
func (f Form) Window(now Values, externalID string) slack.ModalViewRequest {
	fields := f.inputs(now)
	return f.view(fields, fields.Opening(), now, externalID)
}

// inputs returns the form's inputs, filled in.
func (f Form) inputs(now Values) *kit.Page {
	p := &kit.Page{}
	for _, s := range f.Part.settings(f.Groups) {
		s.ask(p, now)
	}
	return p
}

// view returns the form with these blocks. shown are the values that the person's changes are compared with.
func (f Form) view(p *kit.Page, shown kit.Answers, now Values, externalID string) slack.ModalViewRequest {
	values := shown.Values()
	values[fieldZone] = now.Clock().String() // times and snoozes mean the zone of the person who saves first
	v := p.Form(f.Part.Title(), "Save", Callback, externalID, kit.Meta{Channel: f.Channel, Page: int(f.Part), Root: f.Root, Attempt: f.attempt, Shown: values})
	if f.Root != "" {
		v.Close = kit.PlainText("Go Back")
	}
	return v
}

// decode applies a submitted form. It keeps values that the form did not ask for. problems are by block id.
func (f Form) decode(view slack.View, now Values) (chosen Values, problems map[string]string) {
	problems = map[string]string{}
	if now.Account != nil {
		account := *now.Account
		now.Account = &account
	}
	for _, s := range f.Part.settings(nil) {
		maps.Copy(problems, s.read(view, &now))
	}
	return now, kit.Either(len(problems) > 0, problems, nil)
}

// LostWindow answers a form that does not say what it is about, such as one of an earlier version.
const LostWindow = "This window is out of date, so nothing was saved. Close it and type /order settings again."

// addChoice adds a menu. The first option is chosen if chosen is not among them.
func addChoice(p *kit.Page, field, label, hint, chosen string, options []*slack.OptionBlockObject) {
	p.Put(kit.Field(kit.BlockID(field, 0, 0), label, hint, kit.Menu(field, chosen, options)))
}
