package cards

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// SettingsEdit is what a person changed in the form of a channel's settings, over what holds now. What they left as
// the form showed it is not among it: others may have changed that since.
type SettingsEdit struct {
	Settings store.Settings
	Account  *store.Account    // of an operator; nil for others
	Problems map[string]string // by block id: what they typed cannot be saved

	channel string
	attempt int
	holds   answers  // of the form as it would open now
	met     []string // fields that others changed, too, or that no longer fit
	wrong   []string // why the whole does not fit
}

// answers are the answers of a form, by field.
type answers map[string]slack.BlockAction

// values are the answers as they are compared and written down.
func (a answers) values() map[string]string {
	values := make(map[string]string, len(a))
	for field, action := range a {
		values[field] = valueOf(action)
	}
	return values
}

// valueOf is an answer as text, whatever the order in which several were chosen.
func valueOf(a slack.BlockAction) string {
	several := slices.Sorted(slices.Values(chosenIn(a)))
	return cmp.Or(a.SelectedOption.Value, strings.Join(several, " "), strings.TrimSpace(a.Value))
}

func chosenIn(a slack.BlockAction) []string {
	return append(slices.Clone(a.SelectedUsers), each(a.SelectedOptions, func(_ int, o slack.OptionBlockObject) string { return o.Value })...)
}

// opening are the answers that a form begins with.
func (p *builder) opening() answers {
	all := answers{}
	for _, block := range p.blocks {
		if input, is := block.(*slack.InputBlock); is {
			all[fieldIn(input.BlockID)] = initialOf(input.Element)
		}
	}
	return all
}

func initialOf(element slack.BlockElement) (a slack.BlockAction) {
	switch e := element.(type) {
	case *slack.RadioButtonsBlockElement:
		a.SelectedOption = *e.InitialOption
	case *slack.SelectBlockElement:
		a.SelectedOption = *e.InitialOption
	case *slack.MultiSelectBlockElement:
		a.SelectedUsers = e.InitialUsers
		a.SelectedOptions = each(e.InitialOptions, func(_ int, o *slack.OptionBlockObject) slack.OptionBlockObject { return *o })
	case *slack.PlainTextInputBlockElement:
		a.Value = e.InitialValue
	}
	return a
}

// fieldIn is the field that a block is of.
func fieldIn(block string) string {
	field, _, _ := strings.Cut(block, ":")
	return field
}

// EditSettings reads a submitted form over what holds now; account is for operators. A field that this person and
// somebody else changed to different values is met: see [SettingsEdit.Met].
func EditSettings(view slack.View, now store.Settings, account *store.Account) SettingsEdit {
	meta := DecodeMeta(view.PrivateMetadata)
	zone := cmp.Or(meta.Shown[fieldZone], fieldOf(view, fieldZone).SelectedOption.Value)
	if now.Zone == "" && order.KnownZone(zone) {
		now.Zone = zone // nobody chose one: the form showed that of its person
	}
	e := SettingsEdit{Account: account, channel: meta.Channel, attempt: meta.Attempt, holds: settingsAsked(now, account, nil).opening()}
	if _, e.Problems = DecodeSettings(view, now); e.Problems == nil && account != nil {
		_, e.Problems = DecodeAccount(view, *account)
	}
	if e.Problems != nil {
		return e
	}
	changed, moved := e.compare(view, meta.Shown)
	var problems map[string]string
	if e.Settings, problems = DecodeSettings(changed, now); problems != nil {
		e.met, e.wrong = moved, slices.Sorted(maps.Values(problems))
	}
	if account != nil {
		chosen, _ := DecodeAccount(changed, *account) // what is wrong was found above
		e.Account = &chosen
	}
	return e
}

// compare returns the view with those answers alone that its person changed, and the fields that others changed.
func (e *SettingsEdit) compare(view slack.View, shown map[string]string) (changed slack.View, moved []string) {
	changed.State = &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	if view.State == nil {
		return changed, nil
	}
	for block, actions := range view.State.Values {
		field := fieldIn(block)
		for _, action := range actions {
			typed, holds, began := valueOf(action), valueOf(e.holds[field]), shown[field]
			if slices.Contains(accountFields, field) && e.Account == nil {
				if typed != began {
					e.Problems = beside(view, field, "Only operators change this. You are no operator any more, so nothing was saved.")
				}
				continue
			}
			if holds != began {
				moved = append(moved, field)
			}
			if typed == holds || typed == began {
				continue
			}
			changed.State.Values[block] = actions
			if holds != began {
				e.met = append(e.met, field)
			}
		}
	}
	began, typed := shown[fieldZone], fieldOf(view, fieldZone).SelectedOption.Value
	if zone := valueOf(e.holds[fieldZone]); shown != nil && zone != began && zone != typed && len(e.met) == 0 && changesTimes(changed) {
		e.met = append(e.met, fieldZone) // the times were chosen by the clock that the form showed
	}
	return changed, moved
}

// changesTimes reports whether a time of the day is among the answers.
func changesTimes(view slack.View) bool {
	return slices.ContainsFunc([]string{fieldDigest, fieldQuietFrom, fieldQuietUntil}, func(field string) bool { return len(heldBy(view, field)) > 0 })
}

// Met tells that somebody else changed what this person changed, too: they decide which it shall be.
func (e SettingsEdit) Met() bool { return len(e.met) > 0 }

// Form asks them. It holds what they chose, over what holds now, and is compared with that.
func (e SettingsEdit) Form(externalID string, groups ...UserGroup) slack.ModalViewRequest {
	p := alerting("Not saved yet: somebody else changed these settings while this window was open.")
	var rows []string
	fields := settingsAsked(e.Settings, e.Account, groups)
	for _, block := range fields.blocks {
		input, is := block.(*slack.InputBlock)
		if !is {
			continue
		}
		field := fieldIn(input.BlockID)
		if slices.Contains(e.met, field) {
			rows = append(rows, "*"+input.Label.Text+"*: "+answerWords(e.holds[field]))
		}
		input.BlockID = blockID(field, e.attempt+1, 0)
	}
	p.bullets("They say now:", rows).bullets("This does not fit together:", each(e.wrong, func(_ int, says string) string { return escape(says, maxField) }))
	p.say("The form has your choices. *Save* puts them in place of these; *Close* leaves these as they are.")
	p.put(fields.blocks...)
	return settingsForm(p, externalID, Meta{Channel: e.channel, Attempt: e.attempt + 1, Shown: e.holds.values()})
}

// answerWords is an answer in words.
func answerWords(a slack.BlockAction) string {
	if a.SelectedOption.Text != nil {
		return escape(a.SelectedOption.Text.Text, maxField)
	}
	return orElse(mentions(chosenIn(a)), inline(a.Value, maxField), "nothing")
}
