package workspace_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

func options(n int) []any {
	var all []any
	for i := range n {
		all = append(all, object{"text": text(fmt.Sprint("Option ", i)), "value": fmt.Sprint(i)})
	}
	return all
}

func selectOf(kind string, n int) object {
	return object{"type": kind, "action_id": "pick", "options": options(n)}
}

func option(t, v string) object {
	return object{"type": "static_select", "action_id": "pick", "options": []any{object{"text": text(t), "value": v}}}
}

func distinct(n int, make func(int) any) []any {
	var all []any
	for i := range n {
		all = append(all, make(i))
	}
	return all
}

func buttons(n int) []any {
	return distinct(n, func(i int) any { return with(button("B"), "action_id", fmt.Sprint(i)) })
}

func confirmOf(key, value string) object {
	texts := object{"title": text("Sure?"), "text": text("Really?"), "confirm": text("Yes"), "deny": text("No")}
	return with(button("B"), "confirm", with(texts, key, text(value)))
}

// blockLimits: the blocks that still pass and those one step further.
var blockLimits = map[string]struct {
	fits, breaks any
	want         string
}{
	"block_id":           {with(section("x"), "block_id", long(255)), with(section("x"), "block_id", long(256)), "/blocks/0/block_id"},
	"section text":       {section(long(3000)), section(long(3001)), "must be less than 3001 characters [json-pointer:/blocks/0/text/text]"},
	"empty text":         {section("x"), section(""), "must be more than 0 characters"},
	"section of nothing": {section("x"), object{"type": "section"}, "missing required field: text"},
	"field text":         {object{"type": "section", "fields": []any{text(long(2000))}}, object{"type": "section", "fields": []any{text(long(2001))}}, "2001"},
	"fields":             {object{"type": "section", "fields": repeat(10, text("x"))}, object{"type": "section", "fields": repeat(11, text("x"))}, "no more than 10"},
	"header":             {object{"type": "header", "text": text(long(150))}, object{"type": "header", "text": text(long(151))}, "151"},
	"header is plain":    {object{"type": "header", "text": text("x")}, object{"type": "header", "text": mrkdwn("x")}, "unsupported type: mrkdwn"},
	"actions":            {actions(buttons(25)...), actions(buttons(26)...), "no more than 25"},
	"no action":          {actions(button("x")), actions(), "no fewer than 1"},
	"twice one action":   {actions(buttons(2)...), actions(button("x"), button("x")), "`action_id` must be unique"},
	"input in actions":   {actions(button("x")), actions(object{"type": "plain_text_input"}), "unsupported type: plain_text_input"},
	"context":            {object{"type": "context", "elements": repeat(10, text("x"))}, object{"type": "context", "elements": repeat(11, text("x"))}, "no more than 10"},
	"button text":        {actions(button(long(75))), actions(button(long(76))), "76"},
	"button value":       {actions(with(button("x"), "value", long(2000))), actions(with(button("x"), "value", long(2001))), "2001"},
	"button url":         {actions(with(button("x"), "url", long(3000))), actions(with(button("x"), "url", long(3001))), "3001"},
	"button style":       {actions(with(button("x"), "style", "danger")), actions(with(button("x"), "style", "default")), "primary, danger"},
	"action_id":          {actions(with(button("x"), "action_id", long(255))), actions(with(button("x"), "action_id", long(256))), "256"},
	"confirm title":      {actions(confirmOf("title", long(100))), actions(confirmOf("title", long(101))), "101"},
	"confirm text":       {actions(confirmOf("text", long(300))), actions(confirmOf("text", long(301))), "301"},
	"confirm yes":        {actions(confirmOf("confirm", long(30))), actions(confirmOf("confirm", long(31))), "31"},
	"confirm no":         {actions(confirmOf("deny", long(30))), actions(confirmOf("deny", long(31))), "31"},
	"select":             {actions(selectOf("static_select", 100)), actions(selectOf("static_select", 101)), "no more than 100"},
	"overflow":           {actions(selectOf("overflow", 5)), actions(selectOf("overflow", 6)), "no more than 5"},
	"checkboxes":         {actions(selectOf("checkboxes", 10)), actions(selectOf("checkboxes", 11)), "no more than 10"},
	"radio buttons":      {actions(selectOf("radio_buttons", 10)), actions(selectOf("radio_buttons", 11)), "no more than 10"},
	"option text":        {actions(option(long(75), "v")), actions(option(long(76), "v")), "76"},
	"option value":       {actions(option("x", long(150))), actions(option("x", long(151))), "151"},
	"placeholder":        {actions(with(option("x", "v"), "placeholder", text(long(150)))), actions(with(option("x", "v"), "placeholder", text(long(151)))), "151"},
	"groups and options": {actions(option("x", "v")), actions(with(option("x", "v"), "option_groups", []any{})), "exactly one of options"},
	"initial option": {
		actions(with(option("x", "v"), "initial_option", object{"text": text("x"), "value": "v"})),
		actions(with(option("x", "v"), "initial_option", object{"text": text("y"), "value": "w"})), "must be one of the options",
	},
	"image without alt": {section("x"), object{"type": "image", "image_url": "http://127.0.0.1:1/x.png"}, "missing required field: alt_text"},
	"image of nothing":  {section("x"), object{"type": "image", "alt_text": "x"}, "exactly one of image_url and slack_file"},
	"file both ways": {
		section("x"), object{"type": "image", "alt_text": "x", "slack_file": object{"id": "F1", "url": "http://x"}}, "exactly one of id and url",
	},
	"unknown block": {section("x"), object{"type": "carousel_of_dreams"}, "unsupported type: carousel_of_dreams"},
	"file input":    {input("i", "x"), with(input("i", "x"), "element", object{"type": "file_input"}), "unsupported type: file_input"},
}

func TestMessagesKeepSlacksLimits(t *testing.T) {
	ws := start(t, workspace.Options{PostBurst: -1})
	for name, row := range blockLimits {
		t.Run(name, func(t *testing.T) {
			out := api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "blocks": []any{row.fits}})
			require.Equal(t, true, out["ok"], "%v", out)
			out = api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "blocks": []any{row.breaks}})
			require.Contains(t, refusedFor(out), "invalid_blocks")
			require.Contains(t, refusedFor(out), row.want)
		})
	}
	require.Len(t, ws.Violations(), len(blockLimits))
}

func TestMessagesHoldFiftyBlocksAndViewsAHundred(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := object{"channel": "C0SHOOTS", "text": "x", "blocks": repeat(50, section("x"))}
	require.Equal(t, true, api(t, ws, "chat.postMessage", a)["ok"])
	a["blocks"] = repeat(51, section("x"))
	require.Equal(t, "invalid_blocks [ERROR] no more than 50 items allowed [json-pointer:/blocks]", refusedFor(api(t, ws, "chat.postMessage", a)))

	home := object{"type": "home", "blocks": repeat(100, section("x"))}
	require.Equal(t, true, api(t, ws, "views.publish", object{"user_id": "U0MARIA", "view": home})["ok"])
	home["blocks"] = repeat(101, section("x"))
	require.Contains(t, refusedFor(api(t, ws, "views.publish", object{"user_id": "U0MARIA", "view": home})), "no more than 100")
}

func TestBlockIDsAreUniqueInAMessage(t *testing.T) {
	ws := start(t, workspace.Options{})
	twins := repeat(2, with(section("x"), "block_id", "same"))
	out := api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "blocks": twins})
	require.Contains(t, refusedFor(out), "`block_id` must be unique")
}

func inputOf(element object) object { return with(input("i", "Label"), "element", element) }

// viewLimits: modals that still pass and those one step further.
var viewLimits = map[string]struct {
	fits, breaks object
	want         string
}{
	"title":            {with(modal(), "title", text(long(24))), with(modal(), "title", text(long(25))), "less than 25 characters [json-pointer:/view/title/text]"},
	"no title":         {modal(), object{"type": "modal", "blocks": []any{}}, "missing required field: title"},
	"submit":           {with(modal(), "submit", text(long(24))), with(modal(), "submit", text(long(25))), "/view/submit"},
	"close":            {with(modal(), "close", text(long(24))), with(modal(), "close", text(long(25))), "/view/close"},
	"submit is needed": {modal(input("i", "x")), object{"type": "modal", "title": text("x"), "blocks": []any{input("i", "x")}}, "/view/submit"},
	"private_metadata": {with(modal(), "private_metadata", long(3000)), with(modal(), "private_metadata", long(3001)), "3001"},
	"callback_id":      {with(modal(), "callback_id", long(255)), with(modal(), "callback_id", long(256)), "256"},
	"external_id":      {with(modal(), "external_id", long(255)), with(modal(), "external_id", long(256)), "256"},
	"no blocks":        {modal(), object{"type": "modal", "title": text("x")}, "missing required field: blocks"},
	"unique block_id":  {modal(input("i", "x")), modal(input("i", "x"), input("i", "y")), "must be unique"},
	"label":            {modal(input("i", long(2000))), modal(input("i", long(2001))), "2001"},
	"hint":             {modal(with(input("i", "x"), "hint", text(long(2000)))), modal(with(input("i", "x"), "hint", text(long(2001)))), "2001"},
	"no element":       {modal(input("i", "x")), modal(object{"type": "input", "label": text("x")}), "missing required field: element"},
	"max_length": {
		modal(inputOf(object{"type": "plain_text_input", "max_length": 3000})), modal(inputOf(object{"type": "plain_text_input", "max_length": 3001})), "between 1 and 3000",
	},
	"initial_value": {
		modal(inputOf(object{"type": "plain_text_input", "initial_value": long(3000)})),
		modal(inputOf(object{"type": "plain_text_input", "initial_value": long(3001)})), "3001",
	},
	"initial_value over max_length": {
		modal(inputOf(object{"type": "plain_text_input", "max_length": 3, "initial_value": "abc"})),
		modal(inputOf(object{"type": "plain_text_input", "max_length": 3, "initial_value": "abcd"})), "initial_value",
	},
	"max_files": {
		modal(inputOf(object{"type": "file_input", "max_files": 10})), modal(inputOf(object{"type": "file_input", "max_files": 11})), "between 1 and 10",
	},
	"one focus": {
		modal(inputOf(object{"type": "plain_text_input", "focus_on_load": true})),
		modal(inputOf(object{"type": "plain_text_input", "focus_on_load": true}),
			with(inputOf(object{"type": "plain_text_input", "focus_on_load": true}), "block_id", "j")), "focus_on_load",
	},
	"markdown": {modal(), modal(object{"type": "markdown", "text": "x"}), "unsupported type: markdown"},
	"button as input": {
		modal(input("i", "x")), modal(inputOf(button("x"))), "unsupported type: button",
	},
	"bytes": {
		modal(), modal(distinct(100, func(int) any { return section(long(2600)) })...), "view_too_large",
	},
}

func TestViewsKeepSlacksLimits(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, nil)
	maria := ws.Window("maria")
	for name, row := range viewLimits {
		t.Run(name, func(t *testing.T) {
			for view, want := range map[string]object{"": row.fits, row.want: row.breaks} {
				require.NoError(t, maria.Command("#shoots", "/order"))
				heard := a.all()
				out := api(t, ws, "views.open", object{"trigger_id": heard[len(heard)-1].trigger(), "view": want})
				require.Contains(t, refusedFor(out), view)
				require.Equal(t, view == "", out["ok"], "%v", out)
			}
		})
	}
}

func TestMetadataIsFlat(t *testing.T) {
	tests := map[string]struct {
		metadata any
		want     string
	}{
		"scalars":        {object{"event_type": "order", "event_payload": object{"id": "1", "n": 2, "b": true}}, ""},
		"flat object":    {object{"event_type": "order", "event_payload": object{"o": object{"id": "1"}}}, ""},
		"flat list":      {object{"event_type": "order", "event_payload": object{"o": []any{object{"id": "1"}}}}, ""},
		"cleared":        {object{}, ""},
		"deep":           {object{"event_type": "order", "event_payload": object{"o": object{"o": object{}}}}, "invalid_metadata_schema"},
		"list of words":  {object{"event_type": "order", "event_payload": object{"o": []any{"x"}}}, "invalid_metadata_schema"},
		"null":           {object{"event_type": "order", "event_payload": object{"o": nil}}, "invalid_metadata_schema"},
		"no type":        {object{"event_payload": object{}}, "invalid_metadata_format"},
		"no payload":     {object{"event_type": "order"}, "invalid_metadata_format"},
		"not an object":  {"[1]", "invalid_metadata_format"},
		"not even JSON":  {"{", "invalid_metadata_format"},
		"more than 8 kB": {object{"event_type": "order", "event_payload": object{"o": long(8000)}}, "metadata_too_large"},
	}
	ws := start(t, workspace.Options{PostBurst: -1})
	for name, row := range tests {
		t.Run(name, func(t *testing.T) {
			out := api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "metadata": row.metadata})
			require.Equal(t, row.want, refusedFor(out))
		})
	}
}

func TestLongTexts(t *testing.T) {
	ws := start(t, workspace.Options{})
	ts := say(t, ws, object{"text": long(40_001)})
	require.Len(t, ws.Messages("#shoots")[0].Text, 40_000, "posting cuts")
	edit := object{"channel": "C0SHOOTS", "ts": ts, "text": long(4001)}
	require.Equal(t, "msg_too_long", refusedFor(api(t, ws, "chat.update", edit)))
	whisper := object{"channel": "C0SHOOTS", "user": "U0MARIA", "text": long(4001)}
	require.Equal(t, "msg_too_long", refusedFor(api(t, ws, "chat.postEphemeral", whisper)))
	require.Equal(t, "no_text", refusedFor(api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS"})))
	many := object{"channel": "C0SHOOTS", "text": "x", "blocks": repeat(5, section(long(2700)))}
	require.Equal(t, "msg_blocks_too_long", refusedFor(api(t, ws, "chat.postMessage", many)))
}
