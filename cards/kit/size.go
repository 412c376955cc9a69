package kit

import (
	"encoding/json"

	"github.com/slack-go/slack"
)

// Encoded is how many bytes a block takes on its way to Slack.
func Encoded(block slack.Block) int {
	raw, err := json.Marshal(block)
	if err != nil {
		return maxModal
	}
	return len(raw)
}

// BytesOf is the size of texts together.
func BytesOf(texts []string) int {
	n := 0
	for _, text := range texts {
		n += len(text)
	}
	return n
}

// BlocksIn counts blocks as Slack does, those within others too.
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
