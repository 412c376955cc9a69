package cardstest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"unicode/utf8"

	"darkroom/cards/kit"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// Payload returns the JSON that is sent, decoded without our types.
func Payload(t require.TestingT, v any) map[string]any {
	if m, ok := v.(kit.Message); ok {
		v = map[string]any{"text": m.Text, "blocks": m.Blocks, "metadata": m.Metadata}
	}
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	require.Less(t, len(raw), 250_000, "view_too_large")
	var decoded map[string]any
	require.NoError(t, json.Unmarshal(raw, &decoded))
	return decoded
}

// CheckLimits checks a message or view against Slack's limits.
func CheckLimits(t require.TestingT, v any) {
	c := Checker{T: t}
	p := Payload(t, v)
	switch v.(type) {
	case kit.Message:
		c.message(p)
	case slack.ModalViewRequest:
		c.view(p)
	case slack.HomeTabViewRequest:
		c.home(p)
	default:
		require.Fail(t, "neither a message nor a view", "%T", v)
	}
}

// Checker checks what is sent against Slack's limits.
type Checker struct {
	T      require.TestingT
	size   int
	nested int // blocks within layouts, or in the layouts' fallbacks if the fallbacks have more
	ids    map[string]bool
}

func (c *Checker) message(p map[string]any) {
	text := p["text"].(string)
	require.NotEmpty(c.T, text, "no fallback")
	require.LessOrEqual(c.T, len(text), 4000, "fallback")
	c.Safe(text)
	blocks := list(p["blocks"])
	require.NotEmpty(c.T, blocks)
	for _, b := range blocks {
		c.block(b, "message")
	}
	require.LessOrEqual(c.T, len(blocks)+c.nested, 50, "blocks in a message, nested ones too")
	require.LessOrEqual(c.T, c.size, 13_000, "msg_blocks_too_long")
}

func (c *Checker) view(p map[string]any) {
	c.ids = map[string]bool{}
	c.text(p["title"], "plain_text", 24)
	c.text(p["close"], "plain_text", 24)
	if p["submit"] != nil {
		c.text(p["submit"], "plain_text", 24)
		require.NotEmpty(c.T, p["callback_id"])
	}
	c.atMost(p["private_metadata"], 3000)
	c.atMost(p["external_id"], 255)
	blocks := list(p["blocks"])
	require.NotEmpty(c.T, blocks)
	for _, b := range blocks {
		if c.block(b, "view") == "input" {
			require.NotNil(c.T, p["submit"], "an input needs a submit button")
		}
	}
	require.LessOrEqual(c.T, len(blocks)+c.nested, 100, "blocks in a view, nested ones too")
}

func (c *Checker) home(p map[string]any) {
	require.Equal(c.T, "home", p["type"])
	blocks := list(p["blocks"])
	require.NotEmpty(c.T, blocks)
	require.LessOrEqual(c.T, len(blocks), 100, "blocks in a view")
	for _, b := range blocks {
		require.NotEqual(c.T, "input", c.block(b, "home"), "nobody submits a home")
	}
}

func (c *Checker) block(v any, surface string) string {
	b := v.(map[string]any)
	kind := b["type"].(string)
	switch kind {
	case "section":
		c.section(b)
	case "context":
		require.LessOrEqual(c.T, len(list(b["elements"])), 10)
		for _, e := range list(b["elements"]) {
			if e.(map[string]any)["type"] == "image" {
				c.element(e)
				continue
			}
			c.text(e, "", 3000)
		}
	case "actions":
		require.NotEmpty(c.T, list(b["elements"]))
		require.LessOrEqual(c.T, len(list(b["elements"])), 25)
		actions := map[any]bool{}
		for _, e := range list(b["elements"]) {
			c.element(e)
			id := e.(map[string]any)["action_id"]
			require.False(c.T, actions[id], "action_id %s twice in a block", id)
			actions[id] = true
		}
	case "input":
		require.Equal(c.T, "view", surface, "inputs live in views")
		c.text(b["label"], "plain_text", 2000)
		if b["hint"] != nil {
			c.text(b["hint"], "plain_text", 2000)
		}
		id := b["block_id"].(string)
		require.NotEmpty(c.T, id)
		require.False(c.T, c.ids[id], "block_id %s twice", id)
		c.ids[id] = true
		c.atMost(id, 255)
		c.element(b["element"])
	case "header":
		c.text(b["text"], "plain_text", 150)
	case "divider":
	case "alert":
		require.Equal(c.T, "view", surface, "alerts live in modals")
		c.text(b["text"], "", 200)
	case "image":
		c.picture(b)
	case "layout":
		c.layout(b, surface)
	case "card":
		require.Equal(c.T, "home", surface, "the only place where cards are used")
		c.card(b)
	default:
		require.Fail(c.T, "unexpected block "+kind)
	}
	return kind
}

func (c *Checker) picture(b map[string]any) {
	c.element(b)
	if b["title"] != nil {
		c.text(b["title"], "plain_text", 2000)
	}
}

func (c *Checker) layout(b map[string]any, surface string) {
	c.between(b["label"], 1, 150)
	c.size += len(b["label"].(string))
	rows := list(b["rows"])
	require.NotEmpty(c.T, rows)
	require.LessOrEqual(c.T, len(rows), 5, "rows of a layout")
	n := 0
	for _, row := range rows {
		items := list(row.(map[string]any)["items"])
		require.NotEmpty(c.T, items)
		require.LessOrEqual(c.T, len(items), 3, "items of a row")
		for _, item := range items {
			c.block(item.(map[string]any)["block"], surface)
		}
		n += len(items)
	}
	fallback := list(b["fallback"])
	require.NotEmpty(c.T, fallback, "older clients see nothing of it")
	for _, older := range fallback {
		require.Contains(c.T, []string{"section", "image", "context", "header", "divider", "rich_text"}, c.block(older, surface))
	}
	c.nested += max(n, len(fallback)-1)
}

func (c *Checker) card(b map[string]any) {
	for part, most := range map[string]int{"title": 150, "subtitle": 150, "body": 200} {
		c.text(b[part], "mrkdwn", most)
	}
	c.element(b["hero_image"])
	require.LessOrEqual(c.T, len(list(b["actions"])), 3, "buttons of a card")
	for _, e := range list(b["actions"]) {
		c.element(e)
	}
}

func (c *Checker) section(b map[string]any) {
	require.True(c.T, b["text"] != nil || b["fields"] != nil, "an empty section")
	if b["text"] != nil {
		c.text(b["text"], "", 3000)
	}
	require.LessOrEqual(c.T, len(list(b["fields"])), 10)
	for _, f := range list(b["fields"]) {
		c.text(f, "", 2000)
	}
	if b["accessory"] != nil {
		c.element(b["accessory"])
	}
}

func (c *Checker) element(v any) {
	e := v.(map[string]any)
	switch e["type"] {
	case "image":
		if file, ok := e["slack_file"].(map[string]any); ok {
			require.Nil(c.T, e["image_url"], "one of the two")
			c.between(file["id"], 1, 255)
		} else {
			c.between(e["image_url"], 1, 3000)
		}
		c.between(e["alt_text"], 1, 2000)
	case "overflow":
		options := list(e["options"])
		require.NotEmpty(c.T, options)
		require.LessOrEqual(c.T, len(options), 5)
		for _, o := range options {
			option := o.(map[string]any)
			c.text(option["text"], "plain_text", 75)
			c.between(option["value"], 1, 150)
		}
	case "button":
		c.text(e["text"], "plain_text", 75)
		c.between(e["action_id"], 1, 255)
		c.atMost(e["value"], 2000)
		c.atMost(e["accessibility_label"], 75)
	case "file_input":
		require.LessOrEqual(c.T, e["max_files"].(float64), 10.0)
		require.GreaterOrEqual(c.T, e["max_files"].(float64), 1.0)
	case "plain_text_input":
		limit := e["max_length"].(float64)
		require.LessOrEqual(c.T, limit, 3000.0)
		c.atMost(e["initial_value"], int(limit))
	case "static_select", "multi_static_select":
		c.options(e["options"], 100)
		c.text(e["placeholder"], "plain_text", 150)
	case "external_select":
		c.between(e["action_id"], 1, 255)
		c.text(e["placeholder"], "plain_text", 150)
	case "radio_buttons", "checkboxes":
		c.options(e["options"], 10)
	case "conversations_select", "multi_users_select":
		c.text(e["placeholder"], "plain_text", 150)
	default:
		require.Fail(c.T, fmt.Sprintf("unexpected element %v", e["type"]))
	}
}

func (c *Checker) options(v any, most int) {
	require.NotEmpty(c.T, list(v))
	require.LessOrEqual(c.T, len(list(v)), most)
	for _, o := range list(v) {
		option := o.(map[string]any)
		c.text(option["text"], "plain_text", 75)
		c.between(option["value"], 1, 150)
		if option["description"] != nil {
			c.text(option["description"], "plain_text", 75)
		}
	}
}

func (c *Checker) text(v any, kind string, limit int) {
	object := v.(map[string]any)
	text := object["text"].(string)
	if kind != "" {
		require.Equal(c.T, kind, object["type"])
	}
	c.between(text, 1, limit)
	c.size += len(text)
	if object["type"] == "mrkdwn" {
		require.Equal(c.T, true, object["verbatim"], "Slack would look for mentions in %q", text)
		c.Safe(text)
	}
}

var (
	quoted = regexp.MustCompile(`(?m)^>`)
	entity = regexp.MustCompile(`&(amp|lt|gt);`)
	token  = regexp.MustCompile(`<(@[UW][A-Z0-9]+|#[CG][A-Z0-9]+|!subteam\^S[A-Z0-9]+|!date\^-?\d+\^[^<>|]*\|[^<>|]*|https?://[^<>|\s]+\|[^<>|]+)>`)
)

// Safe rejects anything between < and > that is not our link, and broken entities.
func (c *Checker) Safe(text string) {
	require.True(c.T, utf8.ValidString(text), "not UTF-8: %q", text)
	rest := token.ReplaceAllString(text, "")
	rest = quoted.ReplaceAllString(rest, "")
	require.NotContains(c.T, rest, "<", "markup in %q", text)
	require.NotContains(c.T, rest, ">", "markup in %q", text)
	require.NotContains(c.T, entity.ReplaceAllString(rest, ""), "&", "half an entity in %q", text)
}

func (c *Checker) atMost(v any, limit int) { c.between(v, 0, limit) }

func (c *Checker) between(v any, low, high int) {
	s, _ := v.(string)
	require.GreaterOrEqual(c.T, kit.Units(s), low, "%.80q", s)
	require.LessOrEqual(c.T, kit.Units(s), high, "%.80q", s)
}

func list(v any) []any {
	items, _ := v.([]any)
	return items
}
