package client_test

import (
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"

	"darkroom/bot/client"
)

func TestTheRefusalOfAMessageNamesThePicturesThatCouldNotBeFetched(t *testing.T) {
	picture := func(name string) *slack.ImageBlock {
		return slack.NewImageBlock("https://p.test/"+name, "alt", "", nil)
	}
	layout := slack.NewLayoutBlock("Two", slack.NewLayoutRow(slack.NewLayoutItem(picture("1")), slack.NewLayoutItem(picture("2"))))
	text := slack.NewTextBlockObject(slack.MarkdownType, "a", false, false)
	beside := slack.NewSectionBlock(text, nil, slack.NewAccessory(slack.NewImageBlockElement("https://p.test/3", "alt")))
	blocks := []slack.Block{layout, beside}
	for message, want := range map[string][]string{
		"downloading image failed [json-pointer:/blocks/0/rows/0/items/1/block/image_url]": {"https://p.test/2"},
		"[ERROR] downloading image failed [json-pointer:/blocks/0/rows/0/items/0/block]":   {"https://p.test/1"},
		"downloading image failed [json-pointer:/blocks/1/accessory/image_url]":            {"https://p.test/3"},
		"downloading image failed [json-pointer:/blocks/7/accessory/image_url]":            nil,
		"downloading image failed [json-pointer:/blocks/0/rows/x/items/-1/block]":          nil,
		"downloading image failed": nil,
		"must be more than 0 characters [json-pointer:/blocks/1/accessory/image_url]":          nil,
		"downloading image failed [json-pointer:/blocks/0/label/rows/deeper/than/there/is/at]": nil,
	} {
		f := newSlack(t, answers{"chat.postMessage": says(200, `{"ok":false,"error":"invalid_blocks","response_metadata":{"messages":["`+message+`"]}}`)})
		_, err := f.client(t).Messages.Post(t.Context(), client.Post{Channel: "C1", Text: "a", Blocks: blocks})
		assert.ErrorIs(t, err, client.ErrPayload)
		assert.Equal(t, want, client.PicturesNamed(err, blocks), message)
	}
}
