package workspace_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

// shared are the files of the newest message of a channel.
func shared(ws *workspace.Workspace, channel string) []workspace.File {
	return last(ws.Messages(channel)).Files
}

func ask(t *testing.T, method, address, part string) (int, http.Header) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, http.NoBody)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	if part != "" {
		request.Header.Set("Range", part)
	}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	return answer.StatusCode, answer.Header
}

func TestTheAppReadsFilesWhereItIsAMember(t *testing.T) {
	ws := start(t, workspace.Options{})
	content := picture(t)
	require.NoError(t, ws.Window("maria").Say("#weddings", "", "look", workspace.Upload{Name: "beach.png", Content: content}))
	id := shared(ws, "#weddings")[0].ID
	require.Equal(t, "file_not_found", refusedFor(api(t, ws, "files.info", object{"file": id})))

	ws.Invite("#weddings", "darkroom")
	file := api(t, ws, "files.info", object{"file": id})["file"].(object)
	require.Equal(t, "image/png", file["mimetype"])
	address := file["url_private"].(string)
	status, header := ask(t, http.MethodGet, address, "bytes=1-3")
	require.Equal(t, http.StatusPartialContent, status)
	require.Equal(t, "3", header.Get("Content-Length"))
	_, header = ask(t, http.MethodHead, address, "")
	require.Equal(t, strconv.Itoa(len(content)), header.Get("Content-Length"))

	ws.Kick("#weddings", "darkroom")
	_, header = ask(t, http.MethodGet, address, "")
	require.Equal(t, "text/html; charset=utf-8", header.Get("Content-Type"))
	require.Equal(t, "file_not_found", refusedFor(api(t, ws, "files.info", object{"file": "F0NONE"})))
}

func TestFilesOfAnotherOrganisationAreNamedOnly(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, nil)
	require.NoError(t, ws.Window("tom").Say("#shoots", "", "look", workspace.Upload{Name: "beach.png", Content: picture(t)}))
	eventually(t, func() bool { return len(a.events("message")) == 1 }, "the message")
	file := a.events("message")[0]["files"].([]any)[0].(object)
	require.Equal(t, "check_file_info", file["file_access"])
	require.NotContains(t, file, "url_private")
	known := api(t, ws, "files.info", object{"file": file["id"]})["file"].(object)
	require.NotEmpty(t, known["url_private"])
}

func TestSlackBelievesTheNameOfWhatItCannotTell(t *testing.T) {
	ws := start(t, workspace.Options{})
	for name, want := range map[string]struct {
		content []byte
		kind    string
	}{
		"page.jpg": {[]byte("<html>hello</html>"), "image/jpeg"}, "photo.heic": {[]byte{0, 1, 2}, "image/heic"},
		"beach.jpg": {picture(t), "image/png"}, "raw.cr2": {[]byte{0, 1, 2}, "application/octet-stream"},
	} {
		require.NoError(t, ws.Window("maria").Say("#shoots", "", "", workspace.Upload{Name: name, Content: want.content}))
		require.Equal(t, want.kind, shared(ws, "#shoots")[0].Type, name)
	}
}

func slackFile(id any) object {
	return object{"type": "image", "slack_file": object{"id": id}, "alt_text": "beach"}
}

func TestOnlyPicturesTheAppCanReadAreShown(t *testing.T) {
	ws := start(t, workspace.Options{})
	upload := func(channel, name string, content []byte) string {
		require.NoError(t, ws.Window("maria").Say(channel, "", "", workspace.Upload{Name: name, Content: content}))
		return shared(ws, channel)[0].ID
	}
	begun := api(t, ws, "files.getUploadURLExternal", object{"filename": "a.png", "length": 3})["file_id"]
	tests := map[string]struct {
		id any
		ok bool
	}{
		"a picture":           {upload("#shoots", "beach.png", picture(t)), true},
		"no such file":        {"F404", false},
		"a page":              {upload("#shoots", "page.jpg", []byte("<html>")), false},
		"out of reach":        {upload("#weddings", "beach.png", picture(t)), false},
		"a broken-off upload": {begun, false},
	}
	for name, row := range tests {
		out := api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "blocks": []any{slackFile(row.id)}})
		require.Equal(t, row.ok, out["ok"], "%s: %v", name, out)
	}
}

func TestAPictureJustUploadedIsNotShownYet(t *testing.T) {
	ws := start(t, workspace.Options{FileProcessing: 50 * time.Millisecond})
	require.NoError(t, ws.Window("maria").Say("#shoots", "", "", workspace.Upload{Name: "beach.png", Content: picture(t)}))
	post := object{"channel": "C0SHOOTS", "text": "x", "blocks": []any{slackFile(shared(ws, "#shoots")[0].ID)}}
	require.Contains(t, refusedFor(api(t, ws, "chat.postMessage", post)), "invalid slack file")
	require.Empty(t, ws.Violations(), "trying again is all an app can do")
	eventually(t, func() bool { return api(t, ws, "chat.postMessage", post)["ok"] == true }, "processed")
}
