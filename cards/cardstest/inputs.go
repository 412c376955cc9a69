package cardstest

import (
	"strings"

	"github.com/slack-go/slack"
)

// Inputs returns the fields of a form: its inputs, and each menu or checkbox beside its label as an input. A
// tick in a row of buttons is labeled by itself.
func Inputs(blocks []slack.Block) (all []*slack.InputBlock) {
	for _, block := range blocks {
		switch b := block.(type) {
		case *slack.InputBlock:
			all = append(all, b)
		case *slack.SectionBlock:
			if element := fieldBeside(b); element != nil && b.Text != nil {
				label := slack.NewTextBlockObject(slack.PlainTextType, strings.Trim(b.Text.Text, "*"), false, false)
				all = append(all, slack.NewInputBlock(b.BlockID, label, nil, element))
			}
		case *slack.ActionBlock:
			for _, element := range b.Elements.ElementSet {
				if boxes, is := element.(*slack.CheckboxGroupsBlockElement); is {
					all = append(all, slack.NewInputBlock(b.BlockID, boxes.Options[0].Text, nil, boxes))
				}
			}
		}
	}
	return all
}

func fieldBeside(b *slack.SectionBlock) slack.BlockElement {
	switch a := b.Accessory; {
	case a == nil:
		return nil
	case a.SelectElement != nil:
		return a.SelectElement
	case a.RadioButtonsElement != nil:
		return a.RadioButtonsElement
	case a.CheckboxGroupsBlockElement != nil:
		return a.CheckboxGroupsBlockElement
	}
	return nil
}
