package page_test

import (
	"bytes"
	"fmt"
	"image"
	imagepng "image/png"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/page"
)

var png = painted()

func painted() []byte {
	var out bytes.Buffer
	if err := imagepng.Encode(&out, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func TestFilesArePickedThenSent(t *testing.T) {
	w := start(t, page.Options{})
	status, refs, out := w.stage("maria", picked{`C:\photos\beach.png`, png}, picked{"notes.txt", []byte("hello")})
	require.Equal(t, http.StatusOK, status)
	first := list(out["files"])[0]
	require.Equal(t, []any{"beach.png", "image/png"}, []any{first["name"], first["type"]})
	preview := first["url"].(string)
	status, _, body := w.get(preview)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, png, body)
	status, _, _ = w.get(strings.Replace(preview, "U0MARIA", "U0BEN", 1))
	require.Equal(t, http.StatusNotFound, status, "what was not sent yet is its owner's")

	_, says := w.refused("ben", "say", object{"channel": "C0SHOOTS", "files": refs})
	require.Contains(t, says, "Pick it again")
	_, _ = w.refused("maria", "say", object{"channel": "C0NOWHERE", "files": refs})
	w.do("maria", "say", object{"channel": "C0SHOOTS", "text": "look", "files": refs})
	said := list(w.now("ben", "channel=C0SHOOTS")["messages"])[0]
	require.Equal(t, "notes.txt", list(said["files"])[1]["name"])
	status, _ = w.refused("maria", "say", object{"channel": "C0SHOOTS", "files": refs})
	require.Equal(t, http.StatusGone, status, "they were sent once")
}

func TestAFileThatIsNoPictureIsOnlyDownloaded(t *testing.T) {
	w := start(t, page.Options{})
	for name, content := range map[string]string{
		"page.html": "<!doctype html><script>alert(1)</script>", "drawing.svg": `<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`,
		"beach.jpg": "<!doctype html><script>alert(1)</script>",
	} {
		_, _, out := w.stage("maria", picked{name, []byte(content)})
		_, header, _ := w.get(list(out["files"])[0]["url"].(string))
		require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"), name)
		if name != "beach.jpg" { // its name makes it a picture, as at Slack; nosniff makes it a broken one
			require.Equal(t, "application/octet-stream", header.Get("Content-Type"), name)
			require.Contains(t, header.Get("Content-Disposition"), "attachment", name)
		}
		require.NotContains(t, header.Get("Content-Type"), "html", name)
	}
}

func TestUploadsAreBounded(t *testing.T) {
	w := start(t, page.Options{})
	many := make([]picked, 51)
	for i := range many {
		many[i] = picked{fmt.Sprint(i, ".png"), png}
	}
	status, _, out := w.stage("maria", many...)
	require.Equal(t, http.StatusRequestEntityTooLarge, status)
	require.Equal(t, "At most 50 files at once.", out["error"])
	status, refs, _ := w.stage("maria", many[:50]...)
	require.Equal(t, http.StatusOK, status)
	_, says := w.refused("maria", "say", object{"channel": "C0SHOOTS", "files": refs})
	require.Equal(t, "A message takes at most 10 files.", says)

	status, _, out = w.stage("maria", picked{"huge.jpg", make([]byte, 64<<20+1)})
	require.Equal(t, http.StatusRequestEntityTooLarge, status)
	require.Equal(t, "A file may have at most 64 MB, and huge.jpg has more.", out["error"])

	_, oldest, _ := w.stage("ben", picked{"first.png", png})
	for range 20 {
		_, refs, _ = w.stage("ben", picked{"next.png", png})
	}
	status, _ = w.refused("ben", "say", object{"channel": "C0SHOOTS", "files": oldest})
	require.Equal(t, http.StatusGone, status, "what waited longest made room")
	w.do("ben", "say", object{"channel": "C0SHOOTS", "files": refs})
}

func TestAPictureInAMessageIsShownToThoseWhoSeeTheMessage(t *testing.T) {
	w := start(t, page.Options{})
	given := w.api("files.getUploadURLExternal", object{"filename": "preview.png", "length": len(png)})
	status, _, _ := w.send(http.MethodPost, strings.TrimPrefix(given["upload_url"].(string), w.URL()), "image/png", bytes.NewReader(png))
	require.Equal(t, http.StatusOK, status)
	kept := list(w.api("files.completeUploadExternal", object{"files": []any{object{"id": given["file_id"]}}})["files"])[0]
	shown := []string{"/page/file/" + kept["id"].(string), "/page/file/" + url.PathEscape(kept["url_private"].(string))}
	for _, address := range shown {
		status, _, _ = w.get(address + "?as=maria")
		require.Equal(t, http.StatusNotFound, status, "nobody was shown it yet")
	}
	w.do("maria", "command", object{"channel": "C0STUDIO", "line": "/invite @darkroom"})
	w.post(object{"channel": "C0STUDIO", "text": "a preview", "blocks": []any{
		object{"type": "image", "alt_text": "preview", "slack_file": object{"id": kept["id"]}},
	}})
	for _, address := range shown {
		status, _, body := w.get(address + "?as=maria")
		require.Equal(t, http.StatusOK, status, address)
		require.Equal(t, png, body)
		status, _, _ = w.get(address + "?as=olga")
		require.Equal(t, http.StatusNotFound, status)
	}
	w.post(object{"channel": "C0SHOOTS", "text": "a preview", "blocks": []any{
		object{"type": "image", "alt_text": "preview", "slack_file": object{"url": kept["url_private"]}},
	}})
	for _, address := range shown {
		status, _, _ = w.get(address + "?as=olga")
		require.Equal(t, http.StatusOK, status, address)
	}
}

func TestAFileFieldTakesWhatSlackWouldLetIn(t *testing.T) {
	w := start(t, page.Options{})
	maria := w.open("maria", "")
	w.do("maria", "shortcut", object{"callback": "new"})
	form := maria.sees("the form", func(s object) bool { return s["modal"] != nil })["modal"].(object)
	field := object{"view": form["id"], "block": "photos", "action": "files"}
	_, refs, _ := w.stage("maria", picked{"a.png", png}, picked{"b.png", png}, picked{"c.png", png}, picked{"notes.txt", []byte("x")})
	_, big, _ := w.stage("maria", picked{"big.jpg", make([]byte, 10<<20+1)})

	_, says := w.refused("maria", "give", object{"target": field, "files": refs[:3]})
	require.Equal(t, "This field takes at most 2 files.", says)
	_, says = w.refused("maria", "give", object{"target": field, "files": refs[3:]})
	require.Equal(t, "This field does not take files like notes.txt.", says)
	_, says = w.refused("maria", "give", object{"target": field, "files": big})
	require.Contains(t, says, "at most 10 MB")

	w.do("maria", "give", object{"target": field, "files": refs[:1]})
	w.do("maria", "give", object{"target": field, "files": refs[1:2]})
	held := func(s object) []object {
		return list(s["modal"].(object)["values"].(object)["photos"].(object)["files"].(object)["files"])
	}
	s := maria.sees("both files", func(s object) bool { return len(held(s)) == 2 })
	status, _, _ := w.get("/page/file/" + held(s)[0]["id"].(string) + "?as=maria")
	require.Equal(t, http.StatusOK, status)
	status, _, _ = w.get("/page/file/" + held(s)[0]["id"].(string) + "?as=ben")
	require.Equal(t, http.StatusNotFound, status, "what is given to the app is between the two")
}
