package kit

import (
	"encoding/json"

	"github.com/slack-go/slack"
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
		if layout, is := block.(*slack.LayoutBlock); is {
			for _, row := range layout.Rows {
				n += len(row.Items)
			}
		}
	}
	return n
}
