package person_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
)

// drawn serves one picture, whatever is asked for.
func drawn(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		var out bytes.Buffer
		_ = png.Encode(&out, image.NewGray(image.Rect(0, 0, 1, 1)))
		_, _ = rw.Write(out.Bytes())
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func layout(rows ...[]any) object {
	var all []any
	for _, blocks := range rows {
		var items []any
		for _, b := range blocks {
			items = append(items, object{"block": b})
		}
		all = append(all, object{"items": items})
	}
	return object{"type": "layout", "label": "Images 1 to 2", "rows": all}
}

func picture(address, name string) object {
	return object{"type": "image", "image_url": address, "alt_text": name, "title": text(name)}
}

func card(address, title string, labels ...string) object {
	var buttons []any
	for _, label := range labels {
		buttons = append(buttons, button(label))
	}
	return object{
		"type": "card", "hero_image": object{"type": "image", "image_url": address, "alt_text": "first of " + title}, "title": mrkdwn(title),
		"subtitle": text("12 images"), "body": mrkdwn("in <#C0SHOOTS>"), "subtext": text("round 2"), "actions": buttons,
	}
}

func TestEveryNestedBlockIsOnTheScreen(t *testing.T) {
	w, at := start(t), drawn(t)
	grid := layout([]any{picture(at, "1 · beach.jpg"), picture(at, "2 · dune.jpg")}, []any{section("asked for <@U0BEN>")})
	grid["is_label_visible"] = true
	w.say(object{"blocks": []any{
		grid,
		card(at, "*Smith* wedding", "Approve", "Request changes"),
	}})
	maria := person.In(t, w.Workspace, "maria")
	maria.SeesThumbnails(3)
	require.Equal(t, `== Maria sees #shoots ==
Darkroom: Images 1 to 2
    1 · beach.jpg (image: 1 · beach.jpg)
    2 · dune.jpg (image: 2 · dune.jpg)
    asked for @Ben
    (image: first of *Smith* wedding)
    Smith wedding
    12 images
    in #shoots
    round 2
    [Approve] [Request changes]
`, maria.Screen())
}

func TestTheButtonOfOneCardAmongOthersIsPressed(t *testing.T) {
	w, at := start(t), drawn(t)
	both := layout([]any{card(at, "Smith wedding", "Approve")}, []any{card(at, "Autumn shoes", "Approve", "Show")})
	w.say(object{"blocks": []any{section("Waiting for you"), both}})
	out := w.api("views.publish", object{"user_id": "U0MARIA", "view": object{"type": "home", "blocks": []any{section("Waiting for you"), both}}})
	require.Equal(t, true, out["ok"], "%v", out)

	maria := person.In(t, w.Workspace, "maria")
	for _, open := range []func(){func() {}, maria.OpenHome} {
		open()
		maria.SeesNoButtonOn("Smith wedding", "Show")
		for i, name := range []string{"Smith wedding", "Autumn shoes"} {
			maria.PressOn(name, "Approve")
			payload := <-w.clicks
			shown, _ := payload["view"].(object)
			if shown == nil {
				shown, _ = payload["message"].(object)
			}
			row := shown["blocks"].([]any)[1].(object)["rows"].([]any)[i].(object)
			require.Equal(t, row["items"].([]any)[0].(object)["block"].(object)["block_id"], payload["actions"].([]any)[0].(object)["block_id"], name)
		}
	}
}

func TestTheButtonOfOneItemInALayoutIsPressed(t *testing.T) {
	w, at := start(t), drawn(t)
	row := func(name string) []any {
		return []any{picture(at, name), object{"type": "section", "block_id": name, "text": mrkdwn("round 2"), "accessory": button("Change")}}
	}
	w.say(object{"blocks": []any{layout(row("1 · beach.jpg"), row("2 · dune.jpg"))}})
	maria := person.In(t, w.Workspace, "maria")
	for _, name := range []string{"2 · dune.jpg", "1 · beach.jpg"} {
		maria.PressOn(name, "Change")
		require.Equal(t, name, (<-w.clicks)["actions"].([]any)[0].(object)["block_id"])
	}
}

func TestWhatOnlyOneSeesIsGoneOnReload(t *testing.T) {
	w := start(t)
	maria := person.In(t, w.Workspace, "maria")
	w.api("chat.postEphemeral", object{"channel": "C0SHOOTS", "user": "U0MARIA", "text": "only for you"})
	w.say(object{"text": "for everybody"})
	maria.SeesEphemeral("only for you")
	maria.Reload()
	maria.DoesNotSee("only for you")
	maria.Sees("for everybody")
	w.api("chat.postEphemeral", object{"channel": "C0SHOOTS", "user": "U0MARIA", "text": "again"})
	maria.SeesEphemeral("again")
}
