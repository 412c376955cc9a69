package workspace_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

func item(block object) object { return object{"block": block} }

func layoutOf(rows ...[]any) object {
	var all []any
	for _, items := range rows {
		all = append(all, object{"items": items})
	}
	return object{"type": "layout", "label": "Images", "rows": all}
}

// grid is a layout with so many sections, three to a row.
func grid(n int) object {
	var rows [][]any
	for i := range n {
		if i%3 == 0 {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], item(section("x")))
	}
	return layoutOf(rows...)
}

func card(title string, buttons ...any) object {
	c := object{"type": "card", "title": mrkdwn(title)}
	if len(buttons) > 0 {
		c["actions"] = buttons
	}
	return c
}

func labelled(label string) object { return with(layoutOf([]any{item(section("x"))}), "label", label) }

func oneItem(key string, value any) object {
	return layoutOf([]any{with(item(section("x")), key, value)})
}

func fallingBackTo(b object) object { return with(grid(1), "fallback", []any{b}) }

// newerBlocks: what passes in a message and what does not, and why.
var newerBlocks = map[string]struct {
	fits, breaks object
	want         string
}{
	"layout label":      {labelled(long(150)), labelled(long(151)), "must be less than 151 characters [json-pointer:/blocks/0/label]"},
	"layout unlabelled": {labelled("x"), labelled(""), "must be more than 0 characters [json-pointer:/blocks/0/label]"},
	"layout without":    {labelled("x"), object{"type": "layout", "rows": repeat(1, object{"items": repeat(1, item(section("x")))})}, "missing required field: label"},
	"layout rows":       {grid(15), grid(16), "no more than 5 items allowed [json-pointer:/blocks/0/rows]"},
	"layout empty":      {grid(1), layoutOf(), "no fewer than 1 items required [json-pointer:/blocks/0/rows]"},
	"layout items":      {grid(3), layoutOf(repeat(4, item(section("x")))), "no more than 3 items allowed [json-pointer:/blocks/0/rows/0/items]"},
	"layout row empty":  {grid(1), layoutOf([]any{}), "no fewer than 1 items required [json-pointer:/blocks/0/rows/0/items]"},
	"layout item empty": {grid(1), layoutOf([]any{object{}}), "missing required field: block"},
	"layout width":      {oneItem("width", "narrow"), oneItem("width", "full"), "must be one of: narrow, standard, wide"},
	"layout alignment":  {oneItem("horizontal_alignment", "end"), oneItem("horizontal_alignment", "left"), "must be one of: start, center, end"},
	"layout lines":      {with(grid(1), "grid_lines", "rows"), with(grid(1), "grid_lines", "columns"), "must be one of: none, rows, outer"},
	"layout shown":      {with(grid(1), "is_label_visible", true), with(grid(1), "is_label_visible", "yes"), "must be a boolean"},
	"layout markdown":   {grid(1), layoutOf([]any{item(object{"type": "markdown", "text": "x"})}), "unsupported type: markdown [json-pointer:/blocks/0/rows/0/items/0/block/type]"},
	"layout input":      {grid(1), layoutOf([]any{item(input("i", "x"))}), "unsupported type: input"},
	"layout in layout":  {grid(1), layoutOf([]any{item(grid(1))}), "unsupported type: layout"},
	"fallback":          {fallingBackTo(section("x")), fallingBackTo(section(long(3001))), "must be less than 3001 characters [json-pointer:/blocks/0/fallback/0/text/text]"},
	"fallback actions":  {fallingBackTo(section("x")), fallingBackTo(actions(button("x"))), "unsupported type: actions"},
	"card title":        {card(long(150)), card(long(151)), "must be less than 151 characters [json-pointer:/blocks/0/title/text]"},
	"card subtitle":     {with(card("x"), "subtitle", text(long(150))), with(card("x"), "subtitle", text(long(151))), "151"},
	"card body":         {with(card("x"), "body", mrkdwn(long(200))), with(card("x"), "body", mrkdwn(long(201))), "201"},
	"card subtext":      {with(card("x"), "subtext", mrkdwn(long(200))), with(card("x"), "subtext", mrkdwn(long(201))), "201"},
	"card of nothing":   {card("x"), object{"type": "card", "subtitle": text("x")}, "must have at least one of hero_image, title, body and actions"},
	"card actions":      {card("x", buttons(3)...), card("x", buttons(4)...), "no more than 3 items allowed [json-pointer:/blocks/0/actions]"},
	"card twins":        {card("x", buttons(2)...), card("x", button("x"), button("x")), "`action_id` must be unique"},
	"card select":       {card("x", button("x")), card("x", selectOf("static_select", 1)), "unsupported type: static_select"},
	"card picture":      {card("x"), with(card("x"), "hero_image", button("x")), "unsupported type: button"},
	"alert":             {section("x"), object{"type": "alert", "text": mrkdwn("x")}, "unsupported type: alert"},
	"spoken label": {
		actions(with(button("x"), "accessibility_label", long(75))), actions(with(button("x"), "accessibility_label", long(76))), "76",
	},
	"button in card": {card("x", button(long(75))), card("x", button(long(76))), "[json-pointer:/blocks/0/actions/0/text/text]"},
}

func TestNewerBlocksKeepSlacksLimits(t *testing.T) {
	ws := start(t, workspace.Options{PostBurst: -1})
	for name, row := range newerBlocks {
		t.Run(name, func(t *testing.T) {
			out := api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "blocks": []any{row.fits}})
			require.Equal(t, true, out["ok"], "%v", out)
			out = api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "blocks": []any{row.breaks}})
			require.Contains(t, refusedFor(out), "invalid_blocks")
			require.Contains(t, refusedFor(out), row.want)
		})
	}
}

func TestNewerBlocksStandOnlyWhereSlackShowsThem(t *testing.T) {
	blocks := map[string]object{
		"alert": {"type": "alert", "text": mrkdwn("x"), "level": "error"}, "card": card("x"), "layout": grid(3),
	}
	places := map[string]string{
		"alert": "modal", "card": "message modal home", "layout": "message modal home",
	}
	ws := start(t, workspace.Options{PostBurst: -1})
	a := listen(t, ws, nil)
	maria := ws.Window("maria")
	show := map[string]func(object) object{
		"message": func(b object) object {
			return api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "blocks": []any{b}})
		},
		"home": func(b object) object {
			return api(t, ws, "views.publish", object{"user_id": "U0MARIA", "view": object{"type": "home", "blocks": []any{b}}})
		},
		"modal": func(b object) object {
			require.NoError(t, maria.Command("#shoots", "/order"))
			var trigger string
			for _, h := range a.all() {
				if id := h.form.Get("trigger_id"); id != "" {
					trigger = id
				}
			}
			return api(t, ws, "views.open", object{"trigger_id": trigger, "view": modal(b)})
		},
	}
	for kind, b := range blocks {
		for where, shown := range show {
			out := shown(b)
			require.Equal(t, strings.Contains(places[kind], where), out["ok"], "%s in a %s: %v", kind, where, out)
			if out["ok"] == false {
				require.Contains(t, refusedFor(out), "unsupported type: "+kind)
			}
		}
	}
	out := show["modal"](object{"type": "alert", "text": mrkdwn(long(201))})
	require.Contains(t, refusedFor(out), "must be less than 201 characters")
	out = show["modal"](object{"type": "alert", "text": mrkdwn("x"), "level": "fatal"})
	require.Contains(t, refusedFor(out), "must be one of: default, info, warning, error, success")
}

func TestNestedBlocksCountTowardsTheSurfacesLimits(t *testing.T) {
	ws := start(t, workspace.Options{PostBurst: -1})
	posted := func(blocks ...any) string {
		return refusedFor(api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "blocks": blocks}))
	}
	tooMany := "invalid_blocks [ERROR] no more than 50 items allowed [json-pointer:/blocks]"
	three := repeat(3, grid(15)) // 3 and 45
	require.Empty(t, posted(append(three, repeat(2, section("x"))...)...))
	require.Equal(t, tooMany, posted(append(three, repeat(3, section("x"))...)...))
	require.Equal(t, tooMany, posted(with(grid(1), "fallback", repeat(51, section("x")))), "what an older client shows is a message too")

	home := object{"type": "home", "blocks": append(repeat(6, grid(15)), repeat(4, section("x"))...)} // 96 and 4
	require.Equal(t, true, api(t, ws, "views.publish", object{"user_id": "U0MARIA", "view": home})["ok"])
	home["blocks"] = append(repeat(6, grid(15)), repeat(5, section("x"))...)
	require.Contains(t, refusedFor(api(t, ws, "views.publish", object{"user_id": "U0MARIA", "view": home})), "no more than 100")

	wordy := layoutOf(repeat(3, item(section(long(2950)))))
	require.Empty(t, posted(wordy, section(long(2950))))
	require.Equal(t, "msg_blocks_too_long", posted(wordy, wordy))
	require.Contains(t, posted(with(section("x"), "block_id", "one"), layoutOf([]any{item(with(section("x"), "block_id", "one"))})), "`block_id` must be unique")
}

func TestAPictureOutOfReachCostsTheWholeMessageWhereverItIs(t *testing.T) {
	good := picture(t)
	pictures := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/good.png" {
			http.NotFound(rw, r)
			return
		}
		_, _ = rw.Write(good)
	}))
	defer pictures.Close()
	holders := map[string]func(object) object{
		"/rows/0/items/0/block/image_url": func(b object) object { return layoutOf([]any{item(b)}) },
		"/fallback/0/image_url":           fallingBackTo,
		"/hero_image/image_url":           func(b object) object { return with(card("x"), "hero_image", b) },
		"/icon/image_url":                 func(b object) object { return with(card("x"), "icon", b) },
	}
	ws := start(t, workspace.Options{PostBurst: -1})
	for at, hold := range holders {
		post := func(path string) object {
			return api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "blocks": []any{hold(imageBlock(pictures.URL + path))}})
		}
		require.Equal(t, true, post("/good.png")["ok"], at)
		require.Equal(t, "invalid_blocks [ERROR] downloading image failed [json-pointer:/blocks/0"+at+"]", refusedFor(post("/none.png")))
	}
}

func TestANestedButtonTellsTheAppWhichBlockItIsIn(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, nil)
	maria := ws.Window("maria")
	ts := say(t, ws, object{"text": "x", "blocks": []any{
		layoutOf([]any{item(with(card("A", button("Approve")), "block_id", "a")), item(with(card("B", button("Approve")), "block_id", "b"))}),
		layoutOf([]any{item(with(actions(button("Show")), "block_id", "l"))}),
		layoutOf([]any{item(actions(object{"type": "button", "text": text("Open")}))}),
	}})
	shown := maria.Visible("C0SHOOTS", "")[0]
	for _, b := range workspace.Every(shown.Blocks) {
		require.NotEmpty(t, b["block_id"], "%v", b)
		for _, e := range workspace.Elements(b) {
			require.NotEmpty(t, e["action_id"], "%v", e)
		}
	}
	require.Equal(t, []object{}, shown.Blocks[1]["fallback"], "always there on the way out")
	require.NoError(t, maria.Act(workspace.Target{Channel: "C0SHOOTS", TS: ts, Block: "b", Action: "do:Approve"}, nil, workspace.Once))
	require.NoError(t, maria.Act(workspace.Target{Channel: "C0SHOOTS", TS: ts, Block: "l", Action: "do:Show"}, nil, workspace.Once))
	var pressed []object
	for _, h := range a.all() {
		if list, _ := h.json["actions"].([]any); len(list) > 0 {
			pressed = append(pressed, list[0].(object))
		}
	}
	require.Len(t, pressed, 2)
	require.Equal(t, "b", pressed[0]["block_id"])
	require.Equal(t, "v", pressed[0]["value"])
	require.Equal(t, "l", pressed[1]["block_id"])
	require.ErrorIs(t, maria.Act(workspace.Target{Channel: "C0SHOOTS", TS: ts, Block: "c", Action: "do:Show"}, nil, workspace.Once), workspace.ErrGone)
}

func TestASlackThatDoesNotKnowABlockYetRefusesIt(t *testing.T) {
	ws := start(t, workspace.Options{PostBurst: -1})
	ws.RefuseBlocks("layout", "card")
	args := object{"channel": "C0SHOOTS", "text": "x", "blocks": []any{section("x"), grid(3)}}
	require.Equal(t, "invalid_blocks [ERROR] unsupported type: layout [json-pointer:/blocks/1/type]", refusedFor(api(t, ws, "chat.postMessage", args)))
	args["blocks"] = []any{card("x")}
	require.Contains(t, refusedFor(api(t, ws, "chat.postMessage", args)), "unsupported type: card [json-pointer:/blocks/0/type]")
	home := object{"user_id": "U0MARIA", "view": object{"type": "home", "blocks": []any{grid(3)}}}
	require.Contains(t, refusedFor(api(t, ws, "views.publish", home)), "unsupported type: layout [json-pointer:/view/blocks/0/type]")
	require.Empty(t, ws.Violations(), "no fault of the app's")

	ws.RefuseBlocks()
	require.Equal(t, true, api(t, ws, "chat.postMessage", args)["ok"])
	require.Equal(t, true, api(t, ws, "views.publish", home)["ok"])
}
