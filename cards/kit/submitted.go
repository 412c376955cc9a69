package kit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/slack-go/slack"
)

// Answer is one block of a submitted view, and what was typed or chosen in it.
type Answer struct {
	Block string
	slack.BlockAction
}

// AnswersOf are the blocks of a field in a view, its boxes in order. The attempt is part of a block's
// id, so the field is looked for, not named.
func AnswersOf(view slack.View, field string) []Answer {
	var all []Answer
	for _, id := range blocksOf(view, field) {
		for _, action := range view.State.Values[id] { // a block has one
			all = append(all, Answer{id, action})
		}
	}
	return all
}

// blocksOf are the ids of those blocks.
func blocksOf(view slack.View, field string) []string {
	if view.State == nil {
		return nil
	}
	var ids []string
	for id := range view.State.Values {
		if rest, is := strings.CutPrefix(id, field); is && (rest == "" || rest[0] == ':') {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return ids
}

// Asks says that there is such a block.
func Asks(view slack.View, field string) bool { return len(blocksOf(view, field)) > 0 }

// BlockOf is the block beside which a field's problem is shown.
func BlockOf(view slack.View, field string) string {
	if all := blocksOf(view, field); len(all) > 0 {
		return all[0]
	}
	return BlockID(field, 0, 0)
}

// AnswerOf returns the first answer of a field.
func AnswerOf(view slack.View, field string) slack.BlockAction {
	for _, first := range AnswersOf(view, field) {
		return first.BlockAction
	}
	return slack.BlockAction{}
}

// TextOf returns the text of a field, all of its boxes.
func TextOf(view slack.View, field string) string {
	var boxes []string
	for _, box := range AnswersOf(view, field) {
		boxes = append(boxes, box.Value)
	}
	return strings.Join(boxes, "\n")
}

// ValuesOf is what the blocks of a field hold.
func ValuesOf(view slack.View, field string) map[string]slack.BlockAction {
	values := map[string]slack.BlockAction{}
	for _, one := range AnswersOf(view, field) {
		values[one.Block] = one.BlockAction
	}
	return values
}
