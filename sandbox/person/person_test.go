package person_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/workspace"
)

func TestAFormIsFilledInByItsLabels(t *testing.T) {
	w := start(t)
	w.submit = `{"response_action":"errors","errors":{"Image URLs!":"No such picture."}}`
	maria := person.In(t, w.Workspace, "maria")
	maria.Goto("#weddings")
	maria.Type("/order new")
	maria.SeesModal("New photo order")
	maria.SeesValue("Post to", "#weddings")
	maria.SeesValue("Service type", "Basic")
	maria.Submit()
	maria.SeesError("Image URLs", "Please complete this required field.")

	maria.Choose("Post to", "#studio")
	maria.Fill("One per line", "https://a/b.jpg")
	maria.Upload("Photos", workspace.Upload{Name: "beach.jpg", Content: []byte("x")}, workspace.Upload{Name: "dune.jpg", Content: []byte("y")})
	maria.Check("Extras", "Rush", "Print")
	maria.Uncheck("Extras", "Rush")
	maria.Choose("Service type", "Extensive")
	maria.Choose("Client", "Smith wedding")
	maria.Choose("Editors", "@ben", "@Olga")
	for label, want := range map[string]string{
		"Post to": "#studio", "Image URLs": "https://a/b.jpg", "Photos": "beach.jpg, dune.jpg", "Extras": "Print",
		"Service type": "Extensive", "Client": "Smith wedding", "Editors": "@Ben, @Olga",
	} {
		maria.SeesValue(label, want)
	}
	maria.Press("Place order")
	maria.SeesError("Image URLs", "No such picture.")
	maria.Sees("(x) Print")
	state := (<-w.clicks)["view"].(object)["state"].(object)["values"].(object)
	require.Equal(t, "C0STUDIO", state["Post to!"].(object)["value"].(object)["selected_conversation"])
	maria.Press("Not now")
	maria.SeesNoModal()
}

func TestWhatIsNotThereIsReportedWithTheScreen(t *testing.T) {
	w := start(t)
	ts := w.say(object{"blocks": []any{section("Smith wedding [K7Q2XM]"), actions(button("Approve"))}})
	w.say(object{"thread_ts": ts, "text": "Placed"})
	maria := w.someone("maria")
	for what, err := range map[string]error{
		"text": maria.Sees("Jones"), "button": maria.Press("Reject"), "modal": maria.SeesModal("New"), "no button": maria.SeesNoButton("Approve"),
		"thread": maria.SeesInThread("Smith", "Approved"), "not in thread": maria.DoesNotSeeInThread("Smith", "Placed"),
		"gone": maria.DoesNotSee("Smith"), "field": maria.Fill("Name", "x"), "value": maria.SeesValue("Name", "x"), "error": maria.SeesError("Name", "x"),
		"broadcast": maria.SeesBroadcast("Placed"), "message in the channel": maria.SeesBroadcast("Smith"), "the card itself": maria.SeesInThread("Smith", "K7Q2XM"), "pictures": maria.SeesThumbnails(1), "dm": maria.SeesDM("x"), "home": maria.SeesHome("x"),
		"reaction": maria.SeesReaction("Smith", "eyes"), "ephemeral": maria.SeesEphemeral("Smith"), "submit": maria.Submit(), "x": maria.CloseModal(),
		"cancel": maria.Cancel(), "button on": maria.SeesButtonOn("Smith", "Reject"), "no button on": maria.SeesNoButtonOn("Smith", "Approve"),
		"shortcut": maria.Shortcut("Fly"), "message shortcut": maria.MessageShortcut("Smith", "Fly"), "channel": maria.Goto("#nowhere"),
		"choose": maria.Choose("Name", "x"), "see button": maria.SeesButton("Reject"), "card": maria.OpenThread("Jones"),
		"edit": maria.EditMessage("Jones", "x"), "delete": maria.DeleteMessage("Jones"),
	} {
		require.ErrorContains(t, err, "Darkroom: Smith wedding [K7Q2XM]\n    [Approve]\n    (1 replies)", what)
	}
	require.Error(t, maria.EditMessage("Smith", "x"), "not hers")
	require.Error(t, maria.DeleteMessage("Smith"), "not hers")
}

func TestThingsAreWaitedForWithoutPolling(t *testing.T) {
	w := start(t)
	seen := make(chan error, 1)
	maria := person.New(w.Workspace, "maria", person.Options{Patience: 5 * time.Second})
	go func() { seen <- maria.Sees("Smith wedding") }()
	w.say(object{"text": "Smith wedding"})
	require.NoError(t, <-seen)
}

func TestButtonsArePressedNewestFirst(t *testing.T) {
	w := start(t)
	root := w.say(object{"blocks": []any{section("Smith"), actions(button("Approve"))}})
	w.say(object{"blocks": []any{section("Jones"), actions(button("Approve"))}})
	maria := person.In(t, w.Workspace, "maria")
	pressed := func() string { return (<-w.clicks)["message"].(object)["ts"].(string) }
	maria.Press("Approve")
	require.Equal(t, maria.Card("Jones").TS, pressed())
	maria.PressOn("Smith", "Approve")
	require.Equal(t, root, pressed())
	reply := w.say(object{"thread_ts": root, "text": "x", "blocks": []any{section("Ready"), actions(button("Approve"))}})
	maria.OpenThread("Smith")
	maria.Press("Approve")
	require.Equal(t, reply, pressed())
	maria.CloseThread()
	maria.Press("Approve")
	require.NotEqual(t, reply, pressed())
	w.api("chat.postEphemeral", object{"channel": "C0SHOOTS", "user": "U0MARIA", "text": "x", "blocks": []any{section("Which?"), actions(button("Approve"))}})
	maria.SeesEphemeral("Which?")
	maria.Press("Approve")
	require.Equal(t, true, (<-w.clicks)["container"].(object)["is_ephemeral"])
	maria.SeesButtonOn("Smith", "Approve")
	w.api("chat.update", object{"channel": "C0SHOOTS", "ts": root, "blocks": []any{section("Smith, approved")}})
	maria.SeesNoButtonOn("Smith", "Approve")
}

func TestPressingTwiceAndReplayed(t *testing.T) {
	w := start(t)
	w.say(object{"blocks": []any{actions(button("Approve"))}})
	maria := person.In(t, w.Workspace, "maria")
	maria.PressTwice("Approve")
	require.NotEqual(t, (<-w.clicks)["trigger_id"], (<-w.clicks)["trigger_id"])
	maria.PressReplayed("Approve")
	require.Equal(t, (<-w.clicks)["trigger_id"], (<-w.clicks)["trigger_id"])
}

func TestConfirmDialogsAreAnswered(t *testing.T) {
	w := start(t)
	cancel := button("Cancel order")
	cancel["confirm"] = object{"title": text("Cancel?"), "text": text("It cannot be undone."), "confirm": text("Yes"), "deny": text("No")}
	w.say(object{"blocks": []any{section("Smith"), actions(cancel)}})
	maria := person.In(t, w.Workspace, "maria")
	maria.Press("Cancel order")
	maria.Sees("It cannot be undone. [No] [Yes]")
	require.Error(t, maria.Person().Press("Approve"), "the dialog is in front")
	maria.Press("No")
	maria.DoesNotSee("cannot be undone")
	require.Empty(t, w.clicks)
	maria.Press("Cancel order")
	maria.Press("Yes")
	require.Len(t, w.clicks, 1)
}

func TestOverflowMenusAndSelectsOutsideFormsActAtOnce(t *testing.T) {
	w := start(t)
	menu := object{"type": "overflow", "action_id": "menu", "options": []any{option("Show"), option("Move")}}
	pick := object{"type": "static_select", "action_id": "pick", "placeholder": text("Which order"), "options": []any{option("Smith"), option("Jones")}}
	w.say(object{"blocks": []any{object{"type": "section", "text": mrkdwn("*Orders*"), "accessory": menu}, actions(pick)}})
	maria := person.In(t, w.Workspace, "maria")
	maria.SeesButton("Move")
	maria.Press("Move")
	act := (<-w.clicks)["actions"].([]any)[0].(object)
	require.Equal(t, "overflow", act["type"])
	require.Equal(t, "Move", act["selected_option"].(object)["value"])
	maria.Choose("Which order", "Jones")
	act = (<-w.clicks)["actions"].([]any)[0].(object)
	require.Equal(t, "Jones", act["selected_option"].(object)["value"])
}

func TestTwoWindowsHaveTheirOwnModals(t *testing.T) {
	w := start(t)
	maria := person.In(t, w.Workspace, "maria")
	other := maria.SecondWindow()
	maria.Type("/order")
	maria.SeesModal("New photo order")
	other.SeesNoModal()
	other.Shortcut("New photo order")
	other.SeesModal("New photo order")
	maria.CloseModal()
	maria.SeesNoModal()
	other.SeesModal("New photo order")
	other.Cancel()
	other.SeesNoModal()
	maria.Type("here are photos")
	maria.MessageShortcut("here are photos", "Order these photos")
	maria.SeesModal("New photo order")
	require.Empty(t, w.Violations())
}

func TestMessagesAreSaidInThreadsAndEdited(t *testing.T) {
	w := start(t)
	root := w.say(object{"text": "Smith wedding"})
	maria := person.In(t, w.Workspace, "maria")
	maria.OpenThread("Smith wedding")
	require.Error(t, maria.Person().Type("/order"), "no commands in threads")
	maria.Type("@darkroom brighter please, see #weddings <3")
	maria.Sees("@Darkroom brighter please, see #weddings <3")
	maria.SeesInThread("Smith wedding", "brighter")
	require.Equal(t, root, w.Thread("#shoots", root)[1].ThreadTS)
	maria.EditMessage("brighter", "darker")
	maria.SeesInThread("Smith wedding", "darker (edited)")
	maria.DoesNotSeeInThread("Smith wedding", "brighter")
	w.api("reactions.add", object{"channel": "C0SHOOTS", "timestamp": w.Thread("#shoots", root)[1].TS, "name": "white_check_mark"})
	maria.SeesReaction("darker", "white_check_mark")
	maria.DeleteMessage("darker")
	maria.DoesNotSee("darker")
	w.say(object{"thread_ts": root, "text": "Ready for review", "reply_broadcast": true})
	maria.SeesBroadcast("Ready for review")
	maria.CloseThread()
	maria.Share("two photos", workspace.Upload{Name: "beach.jpg"})
	maria.Sees("two photos (file: beach.jpg)")
}

func TestDirectMessagesAndTheHome(t *testing.T) {
	w := start(t)
	maria := person.In(t, w.Workspace, "maria")
	w.say(object{"channel": "U0MARIA", "text": "Your order is unsettled"})
	maria.SeesDM("unsettled")
	maria.DoesNotSee("unsettled")
	maria.Goto("@darkroom")
	maria.Sees("unsettled")
	maria.OpenHome()
	maria.Sees("nothing published")
	home := object{"type": "home", "blocks": []any{section("*12* credits"), actions(button("New order"))}}
	require.Equal(t, true, w.api("views.publish", object{"user_id": "U0MARIA", "view": home})["ok"])
	maria.SeesHome("12 credits")
	maria.Sees("12 credits [New order]")
	maria.Press("New order")
	require.Equal(t, "home", (<-w.clicks)["view"].(object)["type"])
}

func TestWhatBelongsToATextIsFoundBesideIt(t *testing.T) {
	w := start(t)
	maria := person.In(t, w.Workspace, "maria")
	home := object{"type": "home", "blocks": []any{
		section("Smith wedding"),
		object{"type": "context", "elements": []any{mrkdwn("in review")}},
		actions(value("Approve", "smith")),
		section("Jones wedding"), actions(value("Approve", "jones"), value("Cancel order", "jones")),
	}}
	require.Equal(t, true, w.api("views.publish", object{"user_id": "U0MARIA", "view": home})["ok"])
	maria.OpenHome()
	maria.PressOn("Jones wedding", "Approve")
	require.Equal(t, "jones", (<-w.clicks)["actions"].([]any)[0].(object)["value"])
	maria.PressOn("Smith wedding", "Approve")
	require.Equal(t, "smith", (<-w.clicks)["actions"].([]any)[0].(object)["value"])
	maria.SeesNoButtonOn("Smith wedding", "Cancel order")

	box := func(id string) object {
		one := field("Instructions", object{"type": "plain_text_input"})
		one["block_id"] = id
		return one
	}
	w.view["blocks"] = []any{section("1 · beach.jpg"), box("one"), section("2 · dune.jpg"), box("two")}
	maria.Shortcut("New photo order")
	maria.SeesModal("New photo order")
	maria.FillOn("2 · dune.jpg", "Instructions", "warmer")
	maria.FillOn("1 · beach.jpg", "Instructions", "brighter")
	maria.Submit()
	values := (<-w.clicks)["view"].(object)["state"].(object)["values"].(object)
	require.Equal(t, "brighter", values["one"].(object)["value"].(object)["value"])
	require.Equal(t, "warmer", values["two"].(object)["value"].(object)["value"])
}

func value(label, value string) object {
	b := button(label)
	b["value"] = value
	b["action_id"] = label + value
	return b
}

func TestAPickerIsTypedIntoAndMessagesKeepWhatWasChosen(t *testing.T) {
	w := start(t)
	pick := object{"type": "external_select", "action_id": "pick", "placeholder": text("Type to search")}
	boxes := object{"type": "checkboxes", "action_id": "c", "options": []any{option("Rush, please"), option("Print")}}
	w.say(object{"blocks": []any{object{"type": "section", "text": mrkdwn("*Which order?*"), "accessory": pick}}})
	maria := person.In(t, w.Workspace, "maria")
	maria.SeesOptions("Which order?", "Smith", "Jones", "Smith")
	require.ErrorContains(t, maria.Person().SeesOptions("Which order?", "Smith", "Smith"), "offers")
	require.ErrorContains(t, maria.Person().Choose("Which order?", "Sm"), "too short")
	maria.Choose("Which order?", "Jones")
	require.Equal(t, "Jones", (<-w.clicks)["actions"].([]any)[0].(object)["selected_option"].(object)["value"])
	maria.Sees("Which order? Jones")
	w.say(object{"blocks": []any{object{"type": "section", "text": mrkdwn("Extras"), "accessory": boxes}}})
	maria.Check("Extras", "Rush, please")
	maria.Sees("(x) Rush, please ( ) Print")
	maria.Uncheck("Extras")
	maria.Sees("( ) Rush, please ( ) Print")
}

func TestFilesOverTenMegabytesDoNotFitAField(t *testing.T) {
	w := start(t)
	maria := w.someone("maria")
	require.NoError(t, maria.Type("/order"))
	require.NoError(t, maria.SeesModal("New photo order"))
	big := workspace.Upload{Name: "beach.tif", Content: make([]byte, 10<<20+1)}
	require.ErrorContains(t, maria.Upload("Photos", big), "at most 10 MB")
	require.NoError(t, maria.CloseModal())
	require.NoError(t, maria.Share("too big for a field", big))
}

func TestFailuresOfTheAppAreOnTheScreen(t *testing.T) {
	w := start(t)
	w.say(object{"blocks": []any{actions(button("Approve"))}})
	maria := person.In(t, w.Workspace, "maria")
	require.NoError(t, w.Wait(t.Context(), func() bool { return len(w.Deliveries()) == 1 }), "the message's event")
	w.Tamper(workspace.LoseAck, 2)
	maria.Type("/order")
	maria.Sees(`Slackbot (only visible to you): /order failed with the error "operation_timeout"`)
	maria.CloseModal()
	maria.Press("Approve")
	maria.Sees("This app did not respond in time")
	w.view = object{"type": "modal", "title": text("Short"), "submit": text("Send"), "blocks": []any{section("Really?")}}
	maria.Shortcut("New photo order")
	maria.SeesModal("Short")
	w.submit = "not json"
	maria.Submit()
	maria.Sees("We had some trouble connecting. Try again?")
	w.submit = ""
	maria.SubmitTwice()
	maria.SeesNoModal()
}
