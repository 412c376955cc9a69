package bot_test

import (
	"encoding/json"
	"strings"
	"testing"

	"darkroom/bot"
	"darkroom/bot/lenient"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// oddFile is a file whose fields all have a wrong type.
const oddFile = `{"id":"F2","name":"b.jpg","mimetype":"image/jpeg","size":"2048","timestamp":"1700000000.5","created":null,"shares":[],"initial_comment":"","channels":{},"is_external":0,"url_private":"https://files.slack.com/b","mode":"hosted","file_access":"visible","thumb_360_w":"360"}`

func TestAnOddFileCostsNoMoreThanItself(t *testing.T) {
	const list = `[{"id":"F1","name":"a.jpg","size":7},` + oddFile + `,"F3",7,null,[],{"name":"lost.jpg","id":4},{"id":"F4","size":"large"},{"id":"F5","size":-1},{"id":"F6","size":1.5e3}]`
	files := filesIn(t, list)
	var ids []string
	for _, f := range files {
		ids = append(ids, f.ID)
	}
	assert.Equal(t, []string{"F1", "F2", "F3", "", "", "", "", "F4", "F5", "F6"}, ids)
	b := files[1]
	assert.Equal(t, []any{"b.jpg", "image/jpeg", 2048, "https://files.slack.com/b", "hosted", "visible"},
		[]any{b.Name, b.Mimetype, b.Size, b.URLPrivate, b.Mode, b.FileAccess})
	assert.Equal(t, "lost.jpg", files[6].Name, "it can be named")
	assert.Equal(t, []int{7, 0, 0, 1500}, []int{files[0].Size, files[7].Size, files[8].Size, files[9].Size})
	assert.Empty(t, filesIn(t, `{"none":1}`))
}

// filesIn returns the files of a message with this list.
func filesIn(t *testing.T, list string) []slack.File {
	t.Helper()
	var m slack.Message
	require.NoError(t, lenient.Decode([]byte(`{"files":`+list+`}`), &m))
	return m.Files
}

func TestAFormWithAnOddFileKeepsAllElse(t *testing.T) {
	const files = `"photos":{"photos":{"type":"file_input","files":[` + oddFile + `,{"id":"F1","name":"a.jpg","size":7}]}},`
	q := one(t, strings.Replace(submitBody, `"values":{`, `"values":{`+files, 1))
	assert.Equal(t, "Smith", q.View.State.Values["name"]["name"].Value)
	given := q.View.State.Values["photos"]["photos"].Files
	require.Len(t, given, 2)
	assert.Equal(t, []string{"F2", "F1"}, []string{given[0].ID, given[1].ID})
	assert.Equal(t, []int{2048, 7}, []int{given[0].Size, given[1].Size})
	assert.Equal(t, "name", q.ViewSummary.Input)
	assert.Equal(t, "V1:77.ab", q.ID)
}

func TestAnOddFieldOfAPayloadCostsOnlyItself(t *testing.T) {
	state := `"state":{"values":{"name":{"name":{"type":"plain_text_input","value":"Smith"}}}}`
	tests := map[string]struct{ was, is string }{
		"no values":          {state, `"state":{"values":[]}`},
		"a state that is []": {state, `"state":[]`},
		"an empty block":     {state, `"state":{"values":{"name":[]}}`},
		"a value of a kind":  {state, `"state":{"values":{"name":{"name":{"type":"from_the_future","value":{"deep":1},"selected_option":"x"}}}}`},
		"blocks":             {`"blocks":[`, `"blocks":"none","was":[`},
		"a title":            {`"private_metadata":"{}"`, `"private_metadata":"{}","title":7,"clear_on_close":"no","errors":7`},
		"is_cleared":         {`"trigger_id"`, `"is_cleared":"no","response_urls":{},"is_enterprise_install":"false","enterprise":"E1","trigger_id"`},
		"the team":           {`"team":{"id":"T1"}`, `"team":"T1"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, submitBody, tt.was)
			q := one(t, strings.Replace(submitBody, tt.was, tt.is, 1))
			assert.Equal(t, bot.KindSubmit, q.Kind)
			assert.Equal(t, []string{"new", "U1", "x", "{}"}, []string{q.Name, q.User, q.View.ExternalID, q.View.PrivateMetadata})
			var back bot.Request
			require.NoError(t, json.Unmarshal([]byte(mustJSON(t, q)), &back))
			assert.Equal(t, typedIn(q), typedIn(back))
			if tt.was != state {
				assert.Equal(t, map[string]string{"name": "Smith"}, typedIn(q))
			}
		})
	}
	click := map[string]string{
		"an action's value":  `"actions":[{"action_id":"order:approve","value":7,"selected_option":"x"}]`,
		"the view's state":   `"actions":[{"action_id":"order:approve"}],"view":{"id":"V1","external_id":"x","state":{"values":[]}}`,
		"the whole state":    `"actions":[{"action_id":"order:approve"}],"state":{"values":[]}`,
		"one of two actions": `"actions":[{"action_id":"order:approve"},7]`,
	}
	for name, is := range click {
		t.Run(name, func(t *testing.T) {
			all, err := bot.DecodeInteraction([]byte(strings.Replace(clickBody, `"actions":[{"action_id":"order:approve","block_id":"b","value":"o1:r2"}]`, is, 1)), at)
			require.NoError(t, err)
			assert.Equal(t, "order:approve", all[0].Name)
			assert.Equal(t, "card", all[0].Message.Text)
		})
	}
}

func TestAnOddMessageKeepsItsPhotosAndItsMark(t *testing.T) {
	for name, odd := range map[string]string{
		"a file":      `"files":[` + oddFile + `]`,
		"blocks":      `"blocks":[{"type":"section","text":7}],"files":[` + oddFile + `]`,
		"attachments": `"attachments":"none","files":[{"id":"F2","name":"b.jpg","size":2048}]`,
		"reactions":   `"reactions":{},"edited":"yes","files":[{"id":"F2","name":"b.jpg","size":2048}]`,
	} {
		t.Run(name, func(t *testing.T) {
			q := one(t, `{"type":"message_action","callback_id":"send","trigger_id":"8.8","user":{"id":"U1"},"message":{"ts":"3.3","subtype":"file_share","thread_ts":"3.1","user":"U5","bot_id":"B1","text":"brighter","metadata":{"event_type":"mark","event_payload":{}},`+odd+`}}`)
			m := q.Message
			assert.Equal(t, []string{"brighter", "3.3", "3.1", "U5", "B1", "file_share", "mark"},
				[]string{m.Text, m.Timestamp, m.ThreadTimestamp, m.User, m.BotID, m.SubType, m.Metadata.EventType})
			require.Len(t, m.Files, 1)
			assert.Equal(t, []any{"F2", "b.jpg", 2048}, []any{m.Files[0].ID, m.Files[0].Name, m.Files[0].Size})
		})
	}
}

func TestACommandsOtherFieldsDoNotMatter(t *testing.T) {
	for _, odd := range []string{`"false"`, `"true"`, `true`, `7`, `""`, `[]`, `null`} {
		q, err := bot.DecodeCommand([]byte(`{"command":"/order","user_id":"U1","text":"help","is_enterprise_install":`+odd+`,"enterprise_id":7}`), at)
		require.NoError(t, err, odd)
		assert.Equal(t, "help", q.Verb)
		q, err = bot.DecodeEvent([]byte(strings.Replace(eventBody, `"team_id"`, `"is_ext_shared_channel":"no","authorizations":[{"is_enterprise_install":`+odd+`}],"event_time":"1700000000","team_id"`, 1)), at)
		require.NoError(t, err, odd)
		assert.Equal(t, "U1", q.User)
	}
}

// typedIn returns the values of a form's fields.
func typedIn(q bot.Request) map[string]string {
	typed := map[string]string{}
	if q.View.State == nil {
		return typed
	}
	for block, fields := range q.View.State.Values {
		for _, field := range fields {
			typed[block] = field.Value
		}
	}
	return typed
}

// FuzzFiles decodes files and fields from garbage. It never panics, and the result survives a round trip
// through the queue.
func FuzzFiles(f *testing.F) {
	for _, list := range []string{"", "[]", "{}", "[" + oddFile + "]", `["F1",{},null,[[]],{"id":{"id":"x"},"size":1e400}]`, `[{"size":"` + strings.Repeat("9", 400) + `"}]`} {
		f.Add(list)
	}
	f.Fuzz(func(t *testing.T, list string) {
		if !json.Valid([]byte(list)) {
			return
		}
		files := filesIn(t, list)
		var m slack.Message
		_ = lenient.Decode([]byte(list), &m)
		all, err := bot.DecodeInteraction([]byte(strings.Replace(submitBody, `"values":{`, `"values":{"p":{"p":{"type":"file_input","files":`+list+`}},`, 1)), at)
		if err != nil {
			return // too deep
		}
		require.Equal(t, "Smith", all[0].View.State.Values["name"]["name"].Value)
		require.Len(t, all[0].View.State.Values["p"]["p"].Files, len(files))
		var back bot.Request
		require.NoError(t, json.Unmarshal([]byte(mustJSON(t, all[0])), &back))
		require.Len(t, back.View.State.Values["p"]["p"].Files, len(files))
	})
}
