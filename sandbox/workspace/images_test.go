package workspace_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

func picture(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewGray(image.Rect(0, 0, 1, 1))))
	return out.Bytes()
}

func imageBlock(address string) object {
	return object{"type": "image", "image_url": address, "alt_text": "beach.jpg"}
}

func TestAnImageOutOfReachCostsTheWholeMessageAndView(t *testing.T) {
	good := picture(t)
	pictures := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/good.png":
			_, _ = rw.Write(good)
		case "/page.png":
			_, _ = rw.Write([]byte("<html>sign in</html>"))
		case "/webp.png":
			_, _ = rw.Write([]byte("RIFF\x00\x00\x00\x00WEBPVP8 "))
		case "/huge.png":
			_, _ = rw.Write(append(good, make([]byte, 11<<20)...))
		default:
			http.NotFound(rw, r)
		}
	}))
	defer pictures.Close()
	ws := start(t, workspace.Options{PostBurst: -1})
	for path, fits := range map[string]bool{"/good.png": true, "/page.png": false, "/webp.png": false, "/huge.png": false, "/none.png": false} {
		for _, block := range []object{imageBlock(pictures.URL + path), with(section("x"), "accessory", imageBlock(pictures.URL+path))} {
			out := api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "blocks": []any{section("x"), block}})
			require.Equal(t, fits, out["ok"], path)
			home := object{"type": "home", "blocks": []any{section("x"), block}}
			shown := api(t, ws, "views.publish", object{"user_id": "U0MARIA", "view": home})
			require.Equal(t, fits, shown["ok"], path)
			if !fits {
				require.Contains(t, refusedFor(out), "invalid_blocks [ERROR] downloading image failed [json-pointer:/blocks/1/")
				require.Contains(t, refusedFor(shown), "invalid_blocks [ERROR] downloading image failed [json-pointer:/view/blocks/1/")
			}
		}
	}
	require.Empty(t, ws.Violations(), "an image out of reach is not the app's fault")
}

func TestImagesOnLoopbackMayBeRefused(t *testing.T) {
	reached := false
	pictures := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer pictures.Close()
	ws := start(t, workspace.Options{PublicImagesOnly: true})
	out := api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "blocks": []any{imageBlock(pictures.URL)}})
	require.Contains(t, refusedFor(out), "downloading image failed")
	require.False(t, reached)
}

func TestFilesAreUploadedInThreeStepsAndReadWithTheToken(t *testing.T) {
	ws := start(t, workspace.Options{})
	content := picture(t)
	form := "filename=beach.png&length=" + strings.TrimSpace(jsonOf(t, len(content)))
	_, _, body := post(t, ws.APIURL()+"files.getUploadURLExternal", token, "application/x-www-form-urlencoded", form)
	var step struct {
		UploadURL string `json:"upload_url"`
		FileID    string `json:"file_id"`
	}
	require.NoError(t, decode(body, &step))
	early := api(t, ws, "files.completeUploadExternal", object{"files": []any{object{"id": step.FileID}}})
	require.Equal(t, "file_not_found", refusedFor(early), "nothing was sent yet")
	status, _, _ := post(t, step.UploadURL, "", "application/octet-stream", "too short")
	require.Equal(t, http.StatusBadRequest, status)
	status, _, _ = post(t, step.UploadURL, "", "application/octet-stream", string(content))
	require.Equal(t, http.StatusOK, status)
	done := api(t, ws, "files.completeUploadExternal", object{"channel_id": "C0SHOOTS", "files": []any{object{"id": step.FileID, "title": "Beach"}}})
	require.Equal(t, true, done["ok"], "%v", done)
	require.Equal(t, "Beach", ws.Messages("#shoots")[0].Files[0].Title)

	address := done["files"].([]any)[0].(object)["url_private"].(string)
	for bearer, want := range map[string]string{token: "image/png", "xoxb-other": "text/html", "": "text/html"} {
		status, header, _ := get(t, address, bearer)
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, header.Get("Content-Type"), want)
	}
	info := api(t, ws, "files.info", object{"file": step.FileID})["file"].(object)
	require.Equal(t, "image/png", info["mimetype"])
	require.Equal(t, "file_not_found", refusedFor(api(t, ws, "files.info", object{"file": "F0"})))
	bySlack := object{"type": "image", "alt_text": "x", "slack_file": object{"id": step.FileID}}
	say(t, ws, object{"text": "x", "blocks": []any{bySlack}})
	bySlack["slack_file"] = object{"id": "F0"}
	require.Contains(t, refusedFor(api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "blocks": []any{bySlack}})), "invalid slack file")
}

// A message that no longer shows a file has shown it: a browser may still be fetching it.
func TestAFileThatWasShownStaysReadable(t *testing.T) {
	ws := start(t, workspace.Options{})
	content := picture(t)
	_, _, body := post(t, ws.APIURL()+"files.getUploadURLExternal", token, "application/x-www-form-urlencoded", "filename=sheet.png&length="+strings.TrimSpace(jsonOf(t, len(content))))
	var step struct {
		UploadURL string `json:"upload_url"`
		FileID    string `json:"file_id"`
	}
	require.NoError(t, decode(body, &step))
	status, _, _ := post(t, step.UploadURL, "", "application/octet-stream", string(content))
	require.Equal(t, http.StatusOK, status)
	api(t, ws, "files.completeUploadExternal", object{"files": []any{object{"id": step.FileID}}})
	readable := func(user string) bool {
		_, found := ws.Window(user).File(step.FileID)
		return found
	}
	require.False(t, readable("maria"), "the app's alone")
	said := say(t, ws, object{"text": "x", "blocks": []any{object{"type": "image", "alt_text": "x", "slack_file": object{"id": step.FileID}}}})
	require.True(t, readable("maria"))
	done := api(t, ws, "chat.update", object{"channel": "C0SHOOTS", "ts": said, "text": "y", "blocks": []any{}})
	require.Equal(t, true, done["ok"], "%v", done)
	require.True(t, readable("maria"))
}
