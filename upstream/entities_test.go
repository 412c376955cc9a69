package upstream_test

import (
	"html"
	"testing"

	"darkroom/order"
	"darkroom/upstream"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAnEscapedTextIsReadOnce(t *testing.T) {
	for text, want := range map[string]string{
		"black &amp; white":                "black & white",
		"&lt;3 &quot;soft&quot; it&#039;s": `<3 "soft" it's`,
		"caf&eacute;&nbsp;noir":            "café\u00a0noir",
		"write &amp;amp; for &amp;":        "write &amp; for &",
		"a & b &amp; c":                    "a & b &amp; c",
		"<b>R&amp;D</b>":                   "<b>R&amp;D</b>",
		"http://a/?x=1&copy=2":             "http://a/?x=1&copy=2",
		"&nothing;":                        "&nothing;",
		"plain":                            "plain",
	} {
		assert.Equal(t, want, upstream.Unescape(text), text)
	}
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("&<>\"';#amplt x3é"))).Draw(rt, "text")
		if got := upstream.Unescape(html.EscapeString(text)); got != text {
			rt.Fatalf("%q came back as %q", text, got)
		}
	})
}

func TestWhatAServiceEscapesIsReadPlainly(t *testing.T) {
	c := client(t, reply(t, 200, `{"errors":[],"data":[{"order_id":"A1","project_name":"Smith &amp; Sons [K7Q2XM]",
		"edited_images":[{"id":"a&amp;b","name":"black &amp; white.jpg","thumb":"http://a/t?x=1&amp;y=2","origin":"http://a/o?x=1&y=2"}],
		"conversations":[{"from":"service","content":"Is &lt;3 a heart &amp; not &amp;lt;3?"}]}]}`))
	o, err := c.Fetch(t.Context(), "A1")
	require.NoError(t, err)
	assert.Equal(t, "Smith & Sons [K7Q2XM]", o.ProjectName)
	assert.Equal(t, order.EditedImage{ID: "a&amp;b", Name: "black & white.jpg", Thumb: "http://a/t?x=1&y=2", Origin: "http://a/o?x=1&y=2"}, o.EditedImages[0])
	assert.Equal(t, "Is <3 a heart & not &lt;3?", o.Conversation[0].Content)

	err = writes["create"].call(t.Context(), client(t, reply(t, 200, `{"errors":["one file is not accessible from our server: http://a/b.jpg?x=1&amp;y=2"]}`)))
	require.ErrorIs(t, err, order.ErrInaccessibleFile)
	assert.ErrorContains(t, err, "http://a/b.jpg?x=1&y=2")
}
