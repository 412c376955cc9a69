package workspace_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

func TestFilesAreToldAsSlackTellsOfThem(t *testing.T) {
	ws := start(t, workspace.Options{})
	require.NoError(t, ws.Window("maria").Say("#shoots", "", "look", workspace.Upload{Name: "beach.png", Content: picture(t)}))
	id := shared(ws, "#shoots")[0].ID
	file := api(t, ws, "files.info", object{"file": id})["file"].(object)
	for _, field := range []string{"created", "timestamp", "pretty_type", "user_team", "editable", "is_public", "thumb_360_w", "original_h", "permalink_public", "comments_count", "channels", "groups", "ims"} {
		require.Contains(t, file, field)
	}
	require.Contains(t, file["shares"].(object)["public"], "C0SHOOTS")
	require.IsType(t, float64(0), file["size"])

	ws.SetOddFiles(true)
	file = api(t, ws, "files.info", object{"file": id})["file"].(object)
	require.IsType(t, "", file["size"])
	require.Equal(t, []any{}, file["shares"])
	require.Equal(t, id, file["id"])
}

func TestChosenFilesAreToldWhenTheFormIsSubmittedOnly(t *testing.T) {
	ws := start(t, workspace.Options{HideChosenFiles: true})
	a := listen(t, ws, nil)
	win := ws.Window("maria")
	require.NoError(t, win.Command("#shoots", "/order"))
	field := object{"type": "input", "block_id": "photos", "label": text("Photos"), "element": object{"type": "file_input", "action_id": "photos"}}
	form := modal(field, with(actions(button("go")), "block_id", "go"))
	require.Equal(t, true, api(t, ws, "views.open", object{"trigger_id": a.last().trigger(), "view": form})["ok"])
	v, _ := win.Modal()
	chosen := win.Give(workspace.Upload{Name: "beach.png", Content: picture(t)})
	require.NoError(t, win.Act(workspace.Target{View: v.ID, Block: "photos", Action: "photos"}, chosen, workspace.Once))
	require.NoError(t, win.Act(workspace.Target{View: v.ID, Block: "go", Action: "do:go"}, nil, workspace.Once))
	require.Equal(t, "block_actions", a.last().json["type"])
	require.NotContains(t, jsonOf(t, a.last().json), "beach.png")
	v, _ = win.Modal()
	require.Contains(t, jsonOf(t, v.Values), "beach.png", "the person sees it")

	require.Equal(t, true, api(t, ws, "views.update", object{"view_id": v.ID, "view": form})["ok"])
	v, _ = win.Modal()
	require.NotContains(t, jsonOf(t, v.Values), "beach.png")

	require.NoError(t, win.Act(workspace.Target{View: v.ID, Block: "photos", Action: "photos"}, chosen, workspace.Once))
	require.NoError(t, win.Submit(workspace.Once))
	require.Equal(t, "view_submission", a.last().json["type"])
	require.Contains(t, jsonOf(t, a.last().json), "beach.png")
}
