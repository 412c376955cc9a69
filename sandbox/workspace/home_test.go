package workspace_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

func external(action string) object {
	return object{"type": "external_select", "action_id": action, "placeholder": text("Which order?"), "min_query_length": 2}
}

func home(blocks ...any) object { return object{"type": "home", "blocks": append([]any{}, blocks...)} }

func TestTheHomeIsPublishedAndOpensModals(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, nil)
	maria := ws.Window("maria")
	maria.OpenHome()
	eventually(t, func() bool { return len(a.events("app_home_opened")) == 1 }, "the first visit")
	require.NotContains(t, a.events("app_home_opened")[0], "view")
	out := api(t, ws, "views.publish", object{"user_id": "U0MARIA", "view": home(with(actions(button("New")), "block_id", "b"))})
	require.Equal(t, true, out["ok"], "%v", out)
	hash := out["view"].(object)["hash"]
	maria.OpenHome()
	eventually(t, func() bool { return len(a.events("app_home_opened")) == 2 }, "the second visit")
	require.Equal(t, hash, a.events("app_home_opened")[1]["view"].(object)["hash"])

	v, _ := maria.Home()
	require.NoError(t, maria.Act(workspace.Target{View: v.ID, Block: "b", Action: "do:New"}, nil, workspace.Once))
	pressed := a.heardOf("block_actions").json
	require.Equal(t, "view", pressed["container"].(object)["type"])
	require.NotContains(t, pressed, "response_url")
	out = api(t, ws, "views.open", object{"trigger_id": a.last().trigger(), "view": modal()})
	require.Equal(t, true, out["ok"], "%v", out)

	again := object{"user_id": "U0MARIA", "hash": hash, "view": home()}
	out = api(t, ws, "views.publish", again)
	require.Equal(t, true, out["ok"], "%v", out)
	require.Equal(t, "hash_conflict", refusedFor(api(t, ws, "views.publish", again)))
	maria.OpenMessages()
	eventually(t, func() bool { return len(a.events("app_home_opened")) == 3 }, "the other tab")
	require.Equal(t, "messages", a.events("app_home_opened")[2]["tab"])
}

// heardOf is the newest interaction of the type: events come when they like.
func (a *app) heardOf(kind string) heard {
	var found heard
	for _, h := range a.all() {
		if h.json["type"] == kind {
			found = h
		}
	}
	return found
}

func TestAHomeHasNoCurrentConversation(t *testing.T) {
	pick := input("i", "Post to")
	pick["element"] = object{
		"type": "conversations_select", "action_id": "value", "default_to_current_conversation": true,
		"filter": object{"include": []any{"public", "private"}},
	}
	held := func(stand func(*workspace.Window)) any {
		ws := start(t, workspace.Options{})
		a := listen(t, ws, nil)
		maria := ws.Window("maria")
		stand(maria)
		maria.Shortcut("new", workspace.Once)
		require.Equal(t, true, api(t, ws, "views.open", object{"trigger_id": a.heardOf("shortcut").trigger(), "view": modal(pick)})["ok"])
		v, _ := maria.Modal()
		return workspace.ValueIn(v.Values["i"]["value"].(object))
	}
	require.Equal(t, "C0SHOOTS", held(func(w *workspace.Window) { require.NoError(t, w.Command("#shoots", "/order")) }))
	require.Nil(t, held(func(w *workspace.Window) {
		require.NoError(t, w.Command("#shoots", "/order"))
		w.OpenHome()
	}))
	require.Nil(t, held(func(w *workspace.Window) {
		require.NoError(t, w.Say("#shoots", "", "x"))
		w.OpenMessages()
	}), "a direct message is not offered")
}

func TestOptionsAreAskedForEverywhere(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, func(h heard) (int, string) {
		if h.json["type"] == "block_suggestion" {
			return 200, `{"options":[{"text":{"type":"plain_text","text":"Smith"},"value":"7"}]}`
		}
		return 200, ""
	})
	maria := ws.Window("maria")
	row := with(with(section("Choose"), "accessory", external("pick")), "block_id", "b")
	ts := say(t, ws, object{"text": "x", "blocks": []any{row}})
	api(t, ws, "chat.postEphemeral", object{"channel": "C0SHOOTS", "user": "U0MARIA", "text": "x", "blocks": []any{row}})
	api(t, ws, "views.publish", object{"user_id": "U0MARIA", "view": home(row)})
	v, _ := maria.Home()
	for place, target := range map[string]workspace.Target{
		"message": {Channel: "C0SHOOTS", TS: ts}, "view": {View: v.ID}, "ephemeral": {Channel: "C0SHOOTS", TS: ws.Ephemerals("maria")[0].TS},
	} {
		target.Block, target.Action = "b", "pick"
		_, err := maria.Suggest(target, "S")
		require.ErrorContains(t, err, "too short", place)
		options, err := maria.Suggest(target, "Sm")
		require.NoError(t, err, place)
		require.NoError(t, maria.Act(target, workspace.StateOf("external_select", options[0]), workspace.Once))
		act := a.heardOf("block_actions").json["actions"].([]any)[0].(object)
		require.Equal(t, "7", act["selected_option"].(object)["value"], place)
	}
}

func TestWhatWasChosenInAMessageGoesWithEveryPress(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, nil)
	maria := ws.Window("maria")
	boxes := object{"type": "checkboxes", "action_id": "c", "options": []any{object{"text": text("Rush"), "value": "r"}}}
	ts := say(t, ws, object{"text": "x", "blocks": []any{with(actions(boxes, button("Go")), "block_id", "b")}})
	target := workspace.Target{Channel: "C0SHOOTS", TS: ts, Block: "b", Action: "c"}
	require.NoError(t, maria.Act(target, workspace.StateOf("checkboxes", []any{object{"text": text("Rush"), "value": "r"}}), workspace.Once))
	target.Action = "do:Go"
	require.NoError(t, maria.Act(target, nil, workspace.Once))
	state := a.last().json["state"].(object)["values"].(object)["b"].(object)["c"].(object)
	require.Len(t, state["selected_options"], 1)
}

func TestAClosedViewKeepsNothingTyped(t *testing.T) {
	for how, leave := range map[string]func(*workspace.Window) error{"Cancel": (*workspace.Window).Cancel, "x": (*workspace.Window).CloseModal} {
		_, a, maria := opened(t, with(modal(input("i", "Name")), "notify_on_close", true), nil)
		fillIn(t, maria, "i", "typed")
		require.NoError(t, leave(maria))
		view := a.last().json["view"].(object)
		require.Empty(t, view["state"].(object)["values"], how)
	}
}

func TestAnInputSaysWhenItDispatches(t *testing.T) {
	ws := start(t, workspace.Options{})
	search := with(input("i", "Search"), "dispatch_action", true)
	search["element"] = with(search["element"].(object), "dispatch_action_config", object{"trigger_actions_on": []any{"on_change"}})
	out := api(t, ws, "views.publish", object{"user_id": "U0MARIA", "view": home(search)})
	require.Contains(t, refusedFor(out), "on_enter_pressed")
	filter := with(input("i", "Post to"), "element", object{"type": "conversations_select", "filter": object{"include": []any{"channels"}}})
	out = api(t, ws, "views.publish", object{"user_id": "U0MARIA", "view": home(filter)})
	require.Contains(t, refusedFor(out), "im, mpim, private, public")
}
