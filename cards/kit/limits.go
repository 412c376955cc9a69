package kit

import (
	"encoding/json"

	"github.com/slack-go/slack"
)

// MaxView bounds our views, in bytes of JSON. Slack takes 250 kB.
const MaxView = 240_000

// Slack's limits, in characters (docs.slack.dev/reference/block-kit). Ours count UTF-16 units, the larger of
// the two ways to count.
const (
	MaxSection     = 3000
	MaxField       = 2000
	MaxInput       = 3000
	MaxLabel       = 2000
	MaxAlt         = 2000
	MaxURL         = 3000
	MaxValue       = 2000
	maxTitle       = 24
	MaxHeader      = 150
	MaxAccessible  = 75 // a button's label for screen readers
	MaxID          = 255
	MaxMetadata    = 3000
	MaxOptionText  = 75
	MaxOptionValue = 150
	MaxFallback    = 4000 // bytes: chat.postEphemeral counts bytes, chat.update counts characters
	maxMessage     = 12000
	MaxBlocks      = 50

	maxModal       = 90_000 // bytes: JSON may double the text, and a view has at most 250 kB
	MaxModalBlocks = 100
)

// Encoded returns a block's size as JSON, in bytes.
func Encoded(block slack.Block) int {
	raw, err := json.Marshal(block)
	if err != nil {
		return maxModal
	}
	return len(raw)
}

// BytesOf returns the size of all texts together.
func BytesOf(texts []string) int {
	n := 0
	for _, text := range texts {
		n += len(text)
	}
	return n
}

// BlocksIn counts blocks as Slack does, nested blocks included.
func BlocksIn(blocks []slack.Block) int {
	n := len(blocks)
	for _, block := range blocks {
		if layout, ok := block.(*slack.LayoutBlock); ok {
			for _, row := range layout.Rows {
				n += len(row.Items)
			}
		}
	}
	return n
}
