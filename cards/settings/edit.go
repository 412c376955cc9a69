package settings

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Edit is a person's changes to one part of a channel's settings, applied to the current ones. Values that they left
// unchanged keep their current value.
type Edit struct {
	Form
	Values   Values
	Problems map[string]string // by block id: values that cannot be saved

	before    Values
	current   kit.Answers // current values
	conflicts []string    // fields that others changed too, or that no longer fit together
	wrong     []string    // why the settings do not fit together
}

// ReadEdit applies a submitted form to the current settings. Fields that this person and somebody else changed to
// different values conflict; see [Edit.Conflicts].
func ReadEdit(view slack.View, now Values) Edit {
	shown := kit.DecodeMeta(view.PrivateMetadata).Shown
	if zone := shown[fieldZone]; now.Zone == "" && order.KnownZone(zone) {
		now.Zone = zone // unset: the form showed its user's zone
	}
	e := Edit{Form: FormIn(view), Values: now, before: now}
	if e.Part == Account && now.Account == nil {
		e.Problems = kit.Beside(view, fieldCredits, "Nothing was saved. Only operators change this.")
		return e
	}
	e.current = e.inputs(now).Opening()
	if _, e.Problems = e.decode(view, now); e.Problems != nil {
		return e
	}
	changed, moved := e.compare(view, shown)
	var problems map[string]string
	if e.Values, problems = e.decode(changed, now); problems != nil {
		e.conflicts, e.wrong = moved, slices.Sorted(maps.Values(problems))
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
		for action, answer := range actions {
			if field == fieldTicks {
				answer = merged(answer, shown[field], e.current[field])
			}
			typed, holds, began := kit.AnswerText(answer), kit.AnswerText(e.current[field]), shown[field]
			if holds != began {
				moved = append(moved, field)
			}
			if typed == holds || typed == began && field != fieldTicks {
				continue
			}
			changed.State.Values[block] = map[string]slack.BlockAction{action: answer}
			if holds != began && field != fieldTicks {
				e.conflicts = append(e.conflicts, field)
			}
		}
	}
	began, typed := shown[fieldZone], kit.AnswerOf(view, fieldZone).SelectedOption.Value
	if zone := kit.AnswerText(e.current[fieldZone]); zone != began && zone != typed && len(e.conflicts) == 0 && changesTimes(changed) {
		e.conflicts = append(e.conflicts, fieldZone) // the times were chosen in the zone that the form showed
	}
	return changed, moved
}

// merged returns the ticks with only the boxes that the person changed taken from their answer.
func merged(answer slack.BlockAction, began string, holds slack.BlockAction) slack.BlockAction {
	typed, before, now := kit.ChosenIn(answer), strings.Fields(began), kit.ChosenIn(holds)
	answer.SelectedOptions = nil
	for _, t := range ticks() {
		mine := slices.Contains(typed, t.value)
		if mine == slices.Contains(before, t.value) {
			mine = slices.Contains(now, t.value)
		}
		if mine {
			answer.SelectedOptions = append(answer.SelectedOptions, slack.OptionBlockObject{Value: t.value})
		}
	}
	return answer
}

// changesTimes reports whether the view has a time of day.
func changesTimes(view slack.View) bool {
	return slices.ContainsFunc([]string{fieldDigest, fieldQuietFrom, fieldQuietUntil}, func(field string) bool { return len(kit.AnswersOf(view, field)) > 0 })
}

// Conflicts reports whether somebody else changed the same fields, so that this person must decide.
func (e Edit) Conflicts() bool { return len(e.conflicts) > 0 }

// Changes reports whether the edit changes anything.
func (e Edit) Changes() bool { return !reflect.DeepEqual(e.Values, e.before) }

// SavedBy returns the values with the person who saves them.
func (e Edit) SavedBy(by store.Saver) Values {
	now := e.Values
	*e.Part.saver(&now) = by
	return now
}

// Window asks the person to decide. It shows their values and names the current ones.
func (e Edit) Window(externalID string) slack.ModalViewRequest {
	p := kit.NewAlert("Not saved yet: somebody else changed these settings while this window was open.")
	var rows []string
	fields := e.inputs(e.Values)
	e.attempt++
	for _, block := range fields.Blocks {
		input, ok := block.(*slack.InputBlock)
		if !ok {
			continue
		}
		field := kit.FieldIn(input.BlockID)
		if slices.Contains(e.conflicts, field) {
			rows = append(rows, "*"+input.Label.Text+"*: "+answerText(input.Element, e.current[field]))
		}
		input.BlockID = kit.BlockID(field, e.attempt, 0)
	}
	p.Bullets("They are now:", rows).Bullets("This does not fit together:", kit.Map(e.wrong, func(_ int, says string) string { return kit.EscapeTo(says, kit.MaxField) }))
	p.Say("The form has your choices. *Save* replaces the others' choices with yours.")
	return e.view(p.Put(fields.Blocks...), e.current, e.before, externalID)
}

// answerText returns the current answer of an input as safe text.
func answerText(of slack.BlockElement, a slack.BlockAction) string {
	if a.SelectedOption.Text != nil {
		return kit.EscapeTo(a.SelectedOption.Text.Text, kit.MaxField)
	}
	if _, boxes := of.(*slack.CheckboxGroupsBlockElement); boxes && len(a.SelectedOptions) > 0 {
		return kit.EscapeTo(kit.Join(", ", kit.Map(a.SelectedOptions, func(_ int, o slack.OptionBlockObject) string { return o.Text.Text })...), kit.MaxField)
	}
	return cmp.Or(kit.MentionAll(kit.ChosenIn(a)), kit.Inline(a.Value, kit.MaxField), "nothing")
}
