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

func TestMarkupIsReadAsPeopleReadIt(t *testing.T) {
	tests := map[string]struct{ markup, want string }{
		"bold, italic, struck": {"*Smith* _wedding_ ~now~ `K7`", "Smith wedding now K7"},
		"neighbours":           {"*a* *b* *c*", "a b c"},
		"nested":               {"*_both_*", "both"},
		"names of files":       {"beach_1.jpg and dune_2.jpg", "beach_1.jpg and dune_2.jpg"},
		"sums":                 {"2*3*4", "2*3*4"},
		"mention":              {"by <@U0MARIA>", "by @Maria"},
		"channel":              {"in <#C0SHOOTS|shoots>", "in #shoots"},
		"private channel":      {"in <#C0STUDIO|>", "in #private"},
		"link":                 {"<https://a/b_c_d|Full size>", "Full size"},
		"bare link":            {"<https://a/b_c_d>", "https://a/b_c_d"},
		"everybody":            {"<!channel> look", "@channel look"},
		"escaped":              {"&lt;!channel&gt; &amp; *x*", "<!channel> & x"},
		"quote":                {"&gt; brighter\n&gt; please", "brighter\nplease"},
		"date":                 {"<!date^1392734382^{date_short_pretty} at {time}|fallback>", "Feb 18, 2014 at 2:39 PM"},
		"broken date":          {"<!date^soon^{date}|fallback>", "fallback"},
	}
	for name, row := range tests {
		t.Run(name, func(t *testing.T) {
			w := start(t)
			w.say(object{"blocks": []any{section(row.markup)}})
			ines := person.In(t, w.Workspace, "ines")
			ines.Sees("Darkroom: " + row.want)
		})
	}
}

func TestEveryBlockIsOnTheScreen(t *testing.T) {
	pictures := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		var out bytes.Buffer
		_ = png.Encode(&out, image.NewGray(image.Rect(0, 0, 1, 1)))
		_, _ = rw.Write(out.Bytes())
	}))
	defer pictures.Close()
	picture := object{"type": "image", "image_url": pictures.URL, "alt_text": "1 · beach.jpg"}
	titled := object{"type": "image", "image_url": pictures.URL, "alt_text": "2 · dune.jpg", "title": text("Dune")}
	w := start(t)
	w.say(object{"blocks": []any{
		object{"type": "header", "text": text("Smith wedding")},
		object{"type": "section", "fields": []any{mrkdwn("*Status*"), mrkdwn("editing")}, "accessory": picture},
		object{"type": "divider"},
		titled,
		object{"type": "context", "elements": []any{mrkdwn("by <@U0MARIA>"), picture}},
		actions(button("Approve"), object{"type": "overflow", "action_id": "menu", "options": []any{option("Show"), option("Move")}}),
	}})
	maria := person.In(t, w.Workspace, "maria")
	maria.SeesThumbnails(3)
	require.Equal(t, `== Maria sees #shoots ==
Darkroom: Smith wedding
    Status
    editing
    (image: 1 · beach.jpg)
    ----
    Dune (image: 2 · dune.jpg)
    by @Maria (image: 1 · beach.jpg)
    [Approve] [… Show | Move]
`, maria.Screen())
}

func TestTheModalIsInFront(t *testing.T) {
	w := start(t)
	maria := person.In(t, w.Workspace, "maria")
	maria.Type("/order")
	maria.SeesModal("New photo order")
	require.Equal(t, `== Maria sees #shoots ==
== modal "New photo order" ==
Post to: #shoots
Image URLs: [One per line]
Photos (optional): [Add files]
Extras (optional): ( ) Rush ( ) Print
Service type: Basic
Client: []
Editors: []
[Not now] [Place order]
`, maria.Screen())
}
