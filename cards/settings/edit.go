package settings

import (
	"cmp"
	"maps"
	"slices"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Edit is a person's changes to a channel's settings, applied to the current ones. Values that they left
// unchanged keep their current value.
type Edit struct {
	Settings store.Settings
	Account  *store.Account    // an operator's; nil for others
	Problems map[string]string // by block id: values that cannot be saved

	channel   string
	attempt   int
	current   kit.Answers // current values
	conflicts []string    // fields that others changed too, or that no longer fit together
	wrong     []string    // why the settings do not fit together
}

// ReadEdit applies a submitted form to the current settings. account is for operators. Fields that this person
// and somebody else changed to different values conflict; see [Edit.Conflicts].
func ReadEdit(view slack.View, now store.Settings, account *store.Account) Edit {
	meta := kit.DecodeMeta(view.PrivateMetadata)
	zone := cmp.Or(meta.Shown[fieldZone], kit.AnswerOf(view, fieldZone).SelectedOption.Value)
	if now.Zone == "" && order.KnownZone(zone) {
		now.Zone = zone // unset: the form showed its user's zone
	}
	e := Edit{Account: account, channel: meta.Channel, attempt: meta.Attempt, current: formInputs(now, account, nil).Opening()}
	if _, e.Problems = Decode(view, now); e.Problems == nil && account != nil {
		_, e.Problems = DecodeAccount(view, *account)
	}
	if e.Problems != nil {
		return e
	}
	changed, moved := e.compare(view, meta.Shown)
	var problems map[string]string
	if e.Settings, problems = Decode(changed, now); problems != nil {
		e.conflicts, e.wrong = moved, slices.Sorted(maps.Values(problems))
	}
	if account != nil {
		chosen, _ := DecodeAccount(changed, *account) // problems were found above
		e.Account = &chosen
	}
	return e
}

// compare returns the view with only the values that its user changed, and the fields that others changed.
func (e *Edit) compare(view slack.View, shown map[string]string) (changed slack.View, moved []string) {
	changed.State = &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	if view.State == nil {
		return changed, nil
	}
	for block, actions := range view.State.Values {
		field := kit.FieldIn(block)
		for _, action := range actions {
			typed, holds, began := kit.AnswerText(action), kit.AnswerText(e.current[field]), shown[field]
			if slices.Contains(accountFields, field) && e.Account == nil {
				if typed != began {
					e.Problems = kit.Beside(view, field, "Only operators change this. You are no operator any more, so nothing was saved.")
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
				e.conflicts = append(e.conflicts, field)
			}
		}
	}
	began, typed := shown[fieldZone], kit.AnswerOf(view, fieldZone).SelectedOption.Value
	if zone := kit.AnswerText(e.current[fieldZone]); shown != nil && zone != began && zone != typed && len(e.conflicts) == 0 && changesTimes(changed) {
		e.conflicts = append(e.conflicts, fieldZone) // the times were chosen in the zone that the form showed
	}
	return changed, moved
}

// changesTimes reports whether the view has a time of day.
func changesTimes(view slack.View) bool {
	return slices.ContainsFunc([]string{fieldDigest, fieldQuietFrom, fieldQuietUntil}, func(field string) bool { return len(kit.AnswersOf(view, field)) > 0 })
}

// Conflicts reports whether somebody else changed the same fields, so that this person must decide.
func (e Edit) Conflicts() bool { return len(e.conflicts) > 0 }

// Form asks the person to decide. It shows their values and names the current ones.
func (e Edit) Form(externalID string, groups ...UserGroup) slack.ModalViewRequest {
	p := kit.NewAlert("Not saved yet: somebody else changed these settings while this window was open.")
	var rows []string
	fields := formInputs(e.Settings, e.Account, groups)
	for _, block := range fields.Blocks {
		input, ok := block.(*slack.InputBlock)
		if !ok {
			continue
		}
		field := kit.FieldIn(input.BlockID)
		if slices.Contains(e.conflicts, field) {
			rows = append(rows, "*"+input.Label.Text+"*: "+answerText(e.current[field]))
		}
		input.BlockID = kit.BlockID(field, e.attempt+1, 0)
	}
	p.Bullets("They say now:", rows).Bullets("This does not fit together:", kit.Map(e.wrong, func(_ int, says string) string { return kit.EscapeTo(says, kit.MaxField) }))
	p.Say("The form has your choices. *Save* puts them in place of these; *Close* leaves these as they are.")
	p.Put(fields.Blocks...)
	return form(p, externalID, kit.Meta{Channel: e.channel, Attempt: e.attempt + 1, Shown: e.current.Values()})
}

// answerText returns an answer as safe text.
func answerText(a slack.BlockAction) string {
	if a.SelectedOption.Text != nil {
		return kit.EscapeTo(a.SelectedOption.Text.Text, kit.MaxField)
	}
	return cmp.Or(kit.MentionAll(kit.ChosenIn(a)), kit.Inline(a.Value, kit.MaxField), "nothing")
}
