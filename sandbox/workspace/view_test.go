package workspace_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

// opened is a workspace where Maria's command opened the view, and her window.
func opened(t *testing.T, view object, answer func(heard) (int, string)) (*workspace.Workspace, *app, *workspace.Window) {
	t.Helper()
	ws := start(t, workspace.Options{})
	a := listen(t, ws, answer)
	maria := ws.Window("maria")
	require.NoError(t, maria.Command("#shoots", "/order"))
	out := api(t, ws, "views.open", object{"trigger_id": a.last().trigger(), "view": view})
	require.Equal(t, true, out["ok"], "%v", out)
	return ws, a, maria
}

// last is what somebody did last: events come when they like.
func (a *app) last() heard {
	var found heard
	for _, h := range a.all() {
		if h.path != "/slack/events" {
			found = h
		}
	}
	return found
}

func fillIn(t *testing.T, win *workspace.Window, block, value string) {
	t.Helper()
	v, _ := win.Modal()
	target := workspace.Target{View: v.ID, Block: block, Action: "value"}
	require.NoError(t, win.Act(target, workspace.StateOf("plain_text_input", value), workspace.Once))
}

func TestTriggersLiveThreeSecondsAndOnce(t *testing.T) {
	var mu sync.Mutex
	now := time.Unix(1_700_000_000, 0)
	ws := start(t, workspace.Options{Now: func() time.Time { mu.Lock(); defer mu.Unlock(); return now }})
	a := listen(t, ws, nil)
	maria := ws.Window("maria")
	require.NoError(t, maria.Command("#shoots", "/order"))
	open := object{"trigger_id": a.last().trigger(), "view": modal()}
	require.Equal(t, true, api(t, ws, "views.open", open)["ok"])
	require.Equal(t, "exchanged_trigger_id", refusedFor(api(t, ws, "views.open", open)))
	require.Equal(t, "invalid_trigger_id", refusedFor(api(t, ws, "views.open", with(open, "trigger_id", "1.2.3"))))

	require.NoError(t, maria.Command("#shoots", "/order"))
	mu.Lock()
	now = now.Add(3*time.Second + time.Millisecond)
	mu.Unlock()
	require.Equal(t, "expired_trigger_id", refusedFor(api(t, ws, "views.open", with(open, "trigger_id", a.last().trigger()))))
}

func TestViewsAreUpdatedByHashAndExternalID(t *testing.T) {
	ws, _, maria := opened(t, with(modal(input("i", "Name")), "external_id", "draft-1"), nil)
	v, open := maria.Modal()
	require.True(t, open)
	fillIn(t, maria, "i", "typed")

	next := with(modal(input("i", "Your name"), input("j", "Other")), "external_id", "draft-1")
	out := api(t, ws, "views.update", object{"external_id": "draft-1", "hash": v.Hash, "view": next})
	require.Equal(t, true, out["ok"], "%v", out)
	require.Equal(t, "hash_conflict", refusedFor(api(t, ws, "views.update", object{"view_id": v.ID, "hash": v.Hash, "view": next})))
	after, _ := maria.Modal()
	require.Equal(t, "typed", workspace.ValueIn(after.Values["i"]["value"].(object)), "typed words stay under the same ids")
	require.Nil(t, workspace.ValueIn(after.Values["j"]["value"].(object)))

	home := object{"type": "home", "external_id": "draft-1", "blocks": []any{}}
	require.Equal(t, "duplicate_external_id", refusedFor(api(t, ws, "views.publish", object{"user_id": "U0MARIA", "view": home})))
	renamed := with(next, "external_id", "draft-2")
	require.Equal(t, true, api(t, ws, "views.update", object{"external_id": "draft-1", "view": renamed})["ok"])
	require.Equal(t, "not_found", refusedFor(api(t, ws, "views.update", object{"external_id": "draft-1", "view": next})), "the view has another now")
	require.Equal(t, true, api(t, ws, "views.update", object{"external_id": "draft-2", "view": next})["ok"])
	require.NoError(t, maria.CloseModal())
	require.Equal(t, "not_found", refusedFor(api(t, ws, "views.update", object{"external_id": "draft-1", "view": next})))
	require.Equal(t, true, api(t, ws, "views.publish", object{"user_id": "U0MARIA", "view": home})["ok"])
}

// A window that says "one moment" has no button: nobody can submit it, however quick.
func TestAViewWithoutASubmitButtonIsNotSubmitted(t *testing.T) {
	form := modal(input("i", "Name"))
	waiting := object{"type": "modal", "title": form["title"], "blocks": []any{object{"type": "divider"}}}
	ws, a, maria := opened(t, form, nil)
	v, _ := maria.Modal()
	require.Equal(t, true, api(t, ws, "views.update", object{"view_id": v.ID, "view": waiting})["ok"])
	require.ErrorIs(t, maria.Submit(workspace.Once), workspace.ErrGone)
	require.NotContains(t, a.kinds(), "view_submission")
	_, open := maria.Modal()
	require.True(t, open)
}

func TestAModalHoldsThreeViews(t *testing.T) {
	ws, a, maria := opened(t, modal(actions(button("more"))), nil)
	push := func() object {
		v, _ := maria.Modal()
		require.NoError(t, maria.Act(workspace.Target{View: v.ID, Block: v.Blocks[0]["block_id"].(string), Action: "do:more"}, nil, workspace.Once))
		return api(t, ws, "views.push", object{"trigger_id": a.last().trigger(), "view": modal(actions(button("more")))})
	}
	require.Equal(t, true, push()["ok"])
	require.Equal(t, true, push()["ok"])
	require.Equal(t, "push_limit_reached", refusedFor(push()))
	top, _ := maria.Modal()
	require.NoError(t, maria.Cancel())
	below, _ := maria.Modal()
	require.Equal(t, top.PreviousID, below.ID)
}

func TestSubmissionsAreCheckedBySlackFirst(t *testing.T) {
	limited := with(input("i", "Name"), "element", object{"type": "plain_text_input", "action_id": "value", "min_length": 2, "max_length": 3})
	_, a, maria := opened(t, modal(limited), nil)
	submissions := func() int { return strings.Count(a.kinds(), "view_submission") }
	for typed, want := range map[string]string{"": "required field", "x": "at least 2", "xxxx": "no more than 3"} {
		fillIn(t, maria, "i", typed)
		require.NoError(t, maria.Submit(workspace.Once))
		v, _ := maria.Modal()
		require.Contains(t, v.Errors["i"], want)
		require.Zero(t, submissions())
	}
	fillIn(t, maria, "i", "xxx")
	require.NoError(t, maria.Submit(workspace.Once))
	require.Equal(t, 1, submissions())
	_, open := maria.Modal()
	require.False(t, open, "an empty answer closes the view")
	state := a.last().json["view"].(object)["state"].(object)["values"].(object)
	require.Equal(t, "xxx", state["i"].(object)["value"].(object)["value"])
}

func TestInputsAreSilentUnlessTheyDispatch(t *testing.T) {
	_, a, maria := opened(t, modal(input("i", "Name"), with(input("j", "Search"), "dispatch_action", true)), nil)
	fillIn(t, maria, "i", "typed")
	require.NotContains(t, a.kinds(), "block_actions")
	fillIn(t, maria, "j", "smith")
	act := a.last().json["actions"].([]any)[0].(object)
	require.Equal(t, "smith", act["value"])
}

func (a *app) kinds() string {
	var kinds []string
	for _, h := range a.all() {
		kind, _ := h.json["type"].(string)
		kinds = append(kinds, kind)
	}
	return strings.Join(kinds, " ")
}

func TestTheAppsResponseActionIsCarriedOut(t *testing.T) {
	refuse := `{"response_action":"errors","errors":{"%s":"Taken."}}`
	next := modal(section("Done"))
	tests := map[string]struct {
		status    int
		answer    string
		open      bool
		title     string
		errs      string
		notice    bool
		violation bool
	}{
		"errors beside the field":     {200, strings.Replace(refuse, "%s", "i", 1), true, "Title", "Taken.", false, false},
		"errors on no input":          {200, strings.Replace(refuse, "%s", "text", 1), true, "Title", "", true, true},
		"errors that name nothing":    {200, `{"response_action":"errors","errors":{}}`, true, "Title", "", true, true},
		"update":                      {200, `{"response_action":"update","view":` + jsonOf(t, with(next, "title", text("Next"))) + `}`, true, "Next", "", false, false},
		"push":                        {200, `{"response_action":"push","view":` + jsonOf(t, with(next, "title", text("Next"))) + `}`, true, "Next", "", false, false},
		"update with a broken view":   {200, `{"response_action":"update","view":` + jsonOf(t, with(next, "title", text(long(25)))) + `}`, true, "Title", "", true, true},
		"clear":                       {200, `{"response_action":"clear"}`, false, "", "", false, false},
		"an action that is not known": {200, `{"response_action":"close"}`, true, "Title", "", true, true},
		"some other JSON":             {200, `{"ok":true}`, true, "Title", "", true, true},
		"an error page":               {500, `oops`, true, "Title", "", true, false},
	}
	for name, row := range tests {
		t.Run(name, func(t *testing.T) {
			ws, _, maria := opened(t, modal(input("i", "Name"), with(section("x"), "block_id", "text")), func(h heard) (int, string) {
				if h.json["type"] == "view_submission" {
					return row.status, row.answer
				}
				return 200, ""
			})
			fillIn(t, maria, "i", "typed")
			require.NoError(t, maria.Submit(workspace.Once))
			v, open := maria.Modal()
			require.Equal(t, row.open, open)
			require.Equal(t, row.title, v.Title)
			require.Equal(t, row.errs, v.Errors["i"])
			require.Equal(t, row.notice, v.Notice != "")
			require.Equal(t, row.violation, len(ws.Violations()) == 1, "%v", ws.Violations())
		})
	}
}

func TestAViewWithoutFieldsShowsSlacksOwnTroubleForAnErrorAtNone(t *testing.T) {
	for name, row := range map[string]struct {
		view  object
		fault bool
	}{
		"without fields": {modal(section("Approve it?")), false},
		"with one":       {modal(input("i", "Name")), true},
	} {
		t.Run(name, func(t *testing.T) {
			ws, _, maria := opened(t, row.view, func(h heard) (int, string) {
				if h.json["type"] == "view_submission" {
					return 200, `{"response_action":"errors","errors":{"none":"I could not confirm this."}}`
				}
				return 200, ""
			})
			if row.fault {
				fillIn(t, maria, "i", "typed")
			}
			require.NoError(t, maria.Submit(workspace.Once))
			v, open := maria.Modal()
			require.True(t, open)
			require.NotEmpty(t, v.Notice)
			require.Equal(t, row.fault, len(ws.Violations()) > 0, "%v", ws.Violations())
		})
	}
}

func TestClosingIsToldToThoseWhoAsk(t *testing.T) {
	_, a, maria := opened(t, with(modal(), "notify_on_close", true), nil)
	require.NoError(t, maria.Cancel())
	require.Equal(t, "view_closed", a.last().json["type"])
	require.Equal(t, false, a.last().json["is_cleared"])
	_, b, ben := opened(t, with(modal(), "notify_on_close", true), nil)
	require.NoError(t, ben.CloseModal())
	require.Equal(t, true, b.last().json["is_cleared"])
	require.ErrorIs(t, ben.CloseModal(), workspace.ErrGone)
	_, c, silent := opened(t, modal(), nil)
	require.NoError(t, silent.CloseModal())
	require.NotContains(t, c.kinds(), "view_closed")
}

func TestDoubleClicksHaveTwoTriggersAndReplaysOne(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, nil)
	ts := say(t, ws, object{"text": "card", "blocks": []any{with(actions(button("Approve")), "block_id", "b")}})
	eventually(t, func() bool { return len(a.events("message")) == 1 }, "the app hears of its own message")
	maria := ws.Window("maria")
	target := workspace.Target{Channel: "C0SHOOTS", TS: ts, Block: "b", Action: "do:Approve"}
	require.NoError(t, maria.Act(target, nil, workspace.Twice))
	heard := a.all()[1:]
	require.Len(t, heard, 2)
	require.NotEqual(t, heard[0].trigger(), heard[1].trigger())
	require.NoError(t, maria.Act(target, nil, workspace.Replayed))
	heard = a.all()[3:]
	require.Len(t, heard, 2)
	require.Equal(t, heard[0].body, heard[1].body)
	require.Equal(t, heard[0].header.Get("X-Slack-Signature"), heard[1].header.Get("X-Slack-Signature"))
	require.ErrorIs(t, maria.Act(with404(target), nil, workspace.Once), workspace.ErrGone)
}

func with404(t workspace.Target) workspace.Target {
	t.Action = "gone"
	return t
}
