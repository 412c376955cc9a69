package bot_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// golden are the app's forms, from the golden files of the packages that draw them.
const golden = "../cards/place/testdata/TestOrderForms"

// submittedForm returns Slack's payload for a submitted form: the view with its blocks and values. Slack
// escapes slashes and non-ASCII characters.
func submittedForm(tb testing.TB, name string) []byte {
	tb.Helper()
	raw, err := os.ReadFile(filepath.Join(golden, name+".json"))
	require.NoError(tb, err)
	var view map[string]any
	require.NoError(tb, json.Unmarshal(raw, &view))
	return submitted(tb, view)
}

func submitted(tb testing.TB, view map[string]any) []byte {
	tb.Helper()
	values := map[string]any{}
	blocks, _ := view["blocks"].([]any)
	for _, b := range blocks {
		block, _ := b.(map[string]any)
		if element, is := block["element"].(map[string]any); is && block["type"] == "input" {
			values[fmt.Sprint(block["block_id"])] = map[string]any{fmt.Sprint(element["action_id"]): filledIn(element)}
		}
	}
	view["id"], view["team_id"], view["hash"] = "V0123456789", "T0123456", "1763706000.AbCdEfGh"
	view["app_id"], view["bot_id"], view["app_installed_team_id"] = "A0123", "B0123", "T0123456"
	view["root_view_id"], view["previous_view_id"], view["state"] = "V0123456789", nil, map[string]any{"values": values}
	return asSlackWrites(tb, map[string]any{
		"type": "view_submission", "team": map[string]any{"id": "T0123456", "domain": "acme"},
		"user":       map[string]any{"id": "U0123", "username": "maria", "name": "maria", "team_id": "T0123456"},
		"api_app_id": "A0123", "token": "xyzz0WbapA4vBCDEFasx0q6G", "trigger_id": "1234567890.123456.abcdef", "view": view,
		"response_urls": []any{}, "is_enterprise_install": false, "enterprise": nil,
	})
}

// filledIn returns a field's value: its initial value, its first option, or two files.
func filledIn(element map[string]any) map[string]any {
	value := map[string]any{"type": element["type"]}
	options, _ := element["options"].([]any)
	switch element["type"] {
	case "plain_text_input":
		value["value"] = element["initial_value"]
	case "radio_buttons", "static_select":
		value["selected_option"] = element["initial_option"]
		if value["selected_option"] == nil && len(options) > 0 {
			value["selected_option"] = options[0]
		}
	case "checkboxes", "multi_static_select":
		value["selected_options"] = options
	case "multi_users_select":
		value["selected_users"] = element["initial_users"]
	case "file_input":
		value["files"] = []any{slackFile(1), slackFile(2)}
	default:
		value["selected_conversation"] = "C0PHOTOS"
	}
	return value
}

// slackFile is a file as Slack describes it.
func slackFile(n int) map[string]any {
	return map[string]any{
		"id": fmt.Sprintf("F0%d", n), "created": 1700000000, "timestamp": 1700000000, "name": fmt.Sprintf("IMG_%d.jpg", n), "title": "IMG",
		"mimetype": "image/jpeg", "filetype": "jpg", "pretty_type": "JPEG", "user": "U1", "user_team": "T1", "editable": false, "size": 3000000,
		"mode": "hosted", "is_external": false, "external_type": "", "is_public": false, "file_access": "visible",
		"url_private": "https://files.slack.com/files-pri/T1-F0/img.jpg", "permalink": "https://x.slack.com/files/U1/F0/img.jpg",
	}
}

func asSlackWrites(tb testing.TB, v any) []byte {
	tb.Helper()
	raw, err := json.Marshal(v)
	require.NoError(tb, err)
	var out []byte
	for _, c := range string(bytes.ReplaceAll(raw, []byte("/"), []byte(`\/`))) {
		switch {
		case c > 0xffff:
			c -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+c>>10, 0xdc00+c&0x3ff)
		case c > 0x7f:
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = append(out, byte(c))
		}
	}
	return out
}
