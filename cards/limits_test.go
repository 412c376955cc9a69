package cards

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// payload is what goes over the wire, decoded again without our types.
func payload(t require.TestingT, v any) map[string]any {
	if m, ok := v.(Message); ok {
		v = map[string]any{"text": m.Text, "blocks": m.Blocks, "metadata": m.Metadata}
	}
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	require.Less(t, len(raw), 250_000, "view_too_large")
	var decoded map[string]any
	require.NoError(t, json.Unmarshal(raw, &decoded))
	return decoded
}

// checkLimits holds a message or a view against Slack's limits.
func checkLimits(t require.TestingT, v any) {
	c := checker{t: t}
	p := payload(t, v)
	switch v.(type) {
	case Message:
		c.message(p)
	case slack.ModalViewRequest:
		c.view(p)
	case slack.HomeTabViewRequest:
		c.home(p)
	default:
		require.Fail(t, "neither a message nor a view", "%T", v)
	}
}

type checker struct {
	t      require.TestingT
	size   int
	nested int // blocks within layouts, or those that they fall back to when these are more
	ids    map[string]bool
}

func (c *checker) message(p map[string]any) {
	text := p["text"].(string)
	require.NotEmpty(c.t, text, "no fallback")
	require.LessOrEqual(c.t, len(text), 4000, "fallback")
	c.safe(text)
	blocks := list(p["blocks"])
	require.NotEmpty(c.t, blocks)
	for _, b := range blocks {
		c.block(b, "message")
	}
	require.LessOrEqual(c.t, len(blocks)+c.nested, 50, "blocks in a message, nested ones too")
	require.LessOrEqual(c.t, c.size, 13_000, "msg_blocks_too_long")
}

func (c *checker) view(p map[string]any) {
	c.ids = map[string]bool{}
	c.text(p["title"], "plain_text", 24)
	c.text(p["close"], "plain_text", 24)
	if p["submit"] != nil {
		c.text(p["submit"], "plain_text", 24)
		require.NotEmpty(c.t, p["callback_id"])
	}
	c.atMost(p["private_metadata"], 3000)
	c.atMost(p["external_id"], 255)
	blocks := list(p["blocks"])
	require.NotEmpty(c.t, blocks)
	for _, b := range blocks {
		if c.block(b, "view") == "input" {
			require.NotNil(c.t, p["submit"], "an input needs a submit button")
		}
	}
	require.LessOrEqual(c.t, len(blocks)+c.nested, 100, "blocks in a view, nested ones too")
}

func (c *checker) home(p map[string]any) {
	require.Equal(c.t, "home", p["type"])
	blocks := list(p["blocks"])
	require.NotEmpty(c.t, blocks)
	require.LessOrEqual(c.t, len(blocks), 100, "blocks in a view")
	for _, b := range blocks {
		require.NotEqual(c.t, "input", c.block(b, "home"), "nobody submits a home")
	}
}

func (c *checker) block(v any, surface string) string {
	b := v.(map[string]any)
	kind := b["type"].(string)
	switch kind {
	case "section":
		c.section(b)
	case "context":
		require.LessOrEqual(c.t, len(list(b["elements"])), 10)
		for _, e := range list(b["elements"]) {
			c.text(e, "", 3000)
		}
	case "actions":
		require.NotEmpty(c.t, list(b["elements"]))
		require.LessOrEqual(c.t, len(list(b["elements"])), 25)
		actions := map[any]bool{}
		for _, e := range list(b["elements"]) {
			c.element(e)
			id := e.(map[string]any)["action_id"]
			require.False(c.t, actions[id], "action_id %s twice in a block", id)
			actions[id] = true
		}
	case "input":
		require.Equal(c.t, "view", surface, "inputs live in views")
		c.text(b["label"], "plain_text", 2000)
		if b["hint"] != nil {
			c.text(b["hint"], "plain_text", 2000)
		}
		id := b["block_id"].(string)
		require.NotEmpty(c.t, id)
		require.False(c.t, c.ids[id], "block_id %s twice", id)
		c.ids[id] = true
		c.atMost(id, 255)
		c.element(b["element"])
	case "header":
		c.text(b["text"], "plain_text", 150)
	case "divider":
	case "alert":
		require.Equal(c.t, "view", surface, "alerts live in modals")
		c.text(b["text"], "", 200)
	case "image":
		c.picture(b)
	case "layout":
		c.layout(b, surface)
	case "card":
		require.Equal(c.t, "home", surface, "the only place where cards are used")
		c.card(b)
	default:
		require.Fail(c.t, "unexpected block "+kind)
	}
	return kind
}

func (c *checker) picture(b map[string]any) {
	c.element(b)
	if b["title"] != nil {
		c.text(b["title"], "plain_text", 2000)
	}
}

func (c *checker) layout(b map[string]any, surface string) {
	c.between(b["label"], 1, 150)
	c.size += len(b["label"].(string))
	rows := list(b["rows"])
	require.NotEmpty(c.t, rows)
	require.LessOrEqual(c.t, len(rows), 5, "rows of a layout")
	n := 0
	for _, row := range rows {
		items := list(row.(map[string]any)["items"])
		require.NotEmpty(c.t, items)
		require.LessOrEqual(c.t, len(items), 3, "items of a row")
		for _, item := range items {
			c.block(item.(map[string]any)["block"], surface)
		}
		n += len(items)
	}
	fallback := list(b["fallback"])
	require.NotEmpty(c.t, fallback, "older clients see nothing of it")
	for _, older := range fallback {
		require.Contains(c.t, []string{"section", "image", "context", "header", "divider", "rich_text"}, c.block(older, surface))
	}
	c.nested += max(n, len(fallback)-1)
}

func (c *checker) card(b map[string]any) {
	for part, most := range map[string]int{"title": 150, "subtitle": 150, "body": 200} {
		c.text(b[part], "mrkdwn", most)
	}
	c.element(b["hero_image"])
	require.LessOrEqual(c.t, len(list(b["actions"])), 3, "buttons of a card")
	for _, e := range list(b["actions"]) {
		c.element(e)
	}
}

func (c *checker) section(b map[string]any) {
	require.True(c.t, b["text"] != nil || b["fields"] != nil, "an empty section")
	if b["text"] != nil {
		c.text(b["text"], "", 3000)
	}
	require.LessOrEqual(c.t, len(list(b["fields"])), 10)
	for _, f := range list(b["fields"]) {
		c.text(f, "", 2000)
	}
	if b["accessory"] != nil {
		c.element(b["accessory"])
	}
}

func (c *checker) element(v any) {
	e := v.(map[string]any)
	switch e["type"] {
	case "image":
		if file, ok := e["slack_file"].(map[string]any); ok {
			require.Nil(c.t, e["image_url"], "one of the two")
			c.between(file["id"], 1, 255)
		} else {
			c.between(e["image_url"], 1, 3000)
		}
		c.between(e["alt_text"], 1, 2000)
	case "overflow":
		options := list(e["options"])
		require.NotEmpty(c.t, options)
		require.LessOrEqual(c.t, len(options), 5)
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
		require.LessOrEqual(c.t, e["max_files"].(float64), 10.0)
		require.GreaterOrEqual(c.t, e["max_files"].(float64), 1.0)
	case "plain_text_input":
		limit := e["max_length"].(float64)
		require.LessOrEqual(c.t, limit, 3000.0)
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
		require.Fail(c.t, fmt.Sprintf("unexpected element %v", e["type"]))
	}
}

func (c *checker) options(v any, most int) {
	require.NotEmpty(c.t, list(v))
	require.LessOrEqual(c.t, len(list(v)), most)
	for _, o := range list(v) {
		option := o.(map[string]any)
		c.text(option["text"], "plain_text", 75)
		c.between(option["value"], 1, 150)
		if option["description"] != nil {
			c.text(option["description"], "plain_text", 75)
		}
	}
}

func (c *checker) text(v any, kind string, limit int) {
	object := v.(map[string]any)
	text := object["text"].(string)
	if kind != "" {
		require.Equal(c.t, kind, object["type"])
	}
	c.between(text, 1, limit)
	c.size += len(text)
	if object["type"] == "mrkdwn" {
		require.Equal(c.t, true, object["verbatim"], "Slack would look for mentions in %q", text)
		c.safe(text)
	}
}

var (
	quoted = regexp.MustCompile(`(?m)^>`)
	entity = regexp.MustCompile(`&(amp|lt|gt);`)
	token  = regexp.MustCompile(`<(@[UW][A-Z0-9]+|#[CG][A-Z0-9]+|!date\^-?\d+\^[^<>|]*\|[^<>|]*|https?://[^<>|\s]+\|[^<>|]+)>`)
)

// safe wants nothing between < and > that is not a link of ours, and no half entity.
func (c *checker) safe(text string) {
	require.True(c.t, utf8.ValidString(text), "not UTF-8: %q", text)
	rest := token.ReplaceAllString(text, "")
	rest = quoted.ReplaceAllString(rest, "")
	require.NotContains(c.t, rest, "<", "markup in %q", text)
	require.NotContains(c.t, rest, ">", "markup in %q", text)
	require.NotContains(c.t, entity.ReplaceAllString(rest, ""), "&", "half an entity in %q", text)
}

func (c *checker) atMost(v any, limit int) { c.between(v, 0, limit) }

func (c *checker) between(v any, low, high int) {
	s, _ := v.(string)
	require.GreaterOrEqual(c.t, units(s), low, "%.80q", s)
	require.LessOrEqual(c.t, units(s), high, "%.80q", s)
}

func list(v any) []any {
	items, _ := v.([]any)
	return items
}

func TestTheCheckerSeesWhatSlackWouldReject(t *testing.T) {
	tests := map[string]any{
		"no words":      Message{Text: "", Blocks: []slack.Block{slack.NewSectionBlock(mrkdwn("a"), nil, nil)}},
		"markup":        Message{Text: "a <!channel>", Blocks: []slack.Block{slack.NewSectionBlock(mrkdwn("a"), nil, nil)}},
		"half entity":   Message{Text: "a", Blocks: []slack.Block{slack.NewSectionBlock(mrkdwn("a &am"), nil, nil)}},
		"long section":  Message{Text: "a", Blocks: []slack.Block{slack.NewSectionBlock(mrkdwn(strings.Repeat("a", 3001)), nil, nil)}},
		"empty section": Message{Text: "a", Blocks: []slack.Block{slack.NewSectionBlock(mrkdwn(""), nil, nil)}},
		"no blocks":     slack.ModalViewRequest{Title: plainText("a"), Close: plainText("b")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			require.True(t, fails(func(r require.TestingT) { checkLimits(r, tt) }))
		})
	}
}

// fails tells whether a check would have failed.
func fails(check func(require.TestingT)) (failed bool) {
	r := &recorder{}
	defer func() {
		if p := recover(); p != nil && p != stopped {
			panic(p)
		}
		failed = r.failed
	}()
	check(r)
	return r.failed
}

const stopped = "stopped"

type recorder struct{ failed bool }

func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) FailNow()              { r.failed = true; panic(stopped) }
