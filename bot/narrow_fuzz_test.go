package bot_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"darkroom/bot"
	"darkroom/cards/kit"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// odd are payloads of each kind, some malformed.
var odd = []string{
	clickBody, submitBody, eventBody, `{"command":"/order","user_id":"U1","text":"help","is_enterprise_install":7}`,
	strings.Replace(submitBody, `"values":{`, `"values":{"p":{"p":{"type":"file_input","files":[`+oddFile+`,"F3",null,7]}},"e":[],"n":null,`, 1),
	`{"type":"message_action","callback_id":"send","message_ts":"3.3","team":null,"user":{"id":"U1","team_id":"T2"},"channel":{"id":"C1","name":"g"},"message":{"ts":"3.3","subtype":"file_share","user":"U5","parent_user_id":"U6","bot_id":"B1","text":"brighter \ud83c\udf89 \ud800 \u00e9","metadata":{"event_type":"mark","event_payload":{"a":1}},"files":[` + oddFile + `]}}`,
	`{"type":"block_suggestion","action_id":"pick","block_id":"b","value":"smi","user":{"id":"U1"}}`,
	`{"type":"block_actions","user":{"id":"U1"},"actions":[{"action_id":"a","selected_option":{"value":"v"},"action_ts":"1.2"},7,null,{"selected_date":"d","selected_time":"t","selected_user":"u","selected_users":["u","w"],"selected_channel":"c","selected_conversation":"x"}],"view":{"id":"V","state":{"values":[]}}}`,
	`{"type":"event_callback","authorizations":[{"team_id":{"id":"T"}},{"team_id":"U"}],"event":{"type":"team_join","user":{"id":"U9"},"channel":{"id":7},"text":["x"]}}`,
	`{"type":"event_callback","team_id":"THOST","enterprise_id":"E9","context_team_id":"T1","context_enterprise_id":"E1","authorizations":[{"enterprise_id":"E1","team_id":null,"is_enterprise_install":"true"},7],"event":{"type":"team_access_granted","team_ids":["T1"]}}`,
	`{"type":"view_submission","team":null,"enterprise":{"id":"E1","name":"Grid"},"is_enterprise_install":true,"user":{"id":"U1","team_id":"T2"},"view":{"id":"V","hash":"1","app_installed_team_id":"T1"}}`,
	`{"command":"/order","user_id":"U1","team_id":"T1","enterprise_id":"E1","is_enterprise_install":"true"}`,
	`{"user":"\uD834\uDD1E\u0000\/","a":[1,-0.5e+7,0,true,false,null,{}]}`, "{\"user\":\"\xff\xc3\"}", `{"a":01}`, `{"a":1,}`, `{} x`, `{"a":tru}`,
}

// usedNames are all names that are decoded.
var usedNames = strings.Fields(`type callback_id trigger_id response_url action_id block_id value message_ts hash team user channel
	container view message actions id team_id name channel_id thread_ts external_id private_metadata app_installed_team_id state
	blocks values action_ts files selected_option selected_options selected_user selected_users selected_channel selected_conversation
	selected_date selected_time ts subtype parent_user_id bot_id text metadata event_type event_payload title mimetype mode
	file_access is_external size command user_id channel_name challenge event_id event_time authorizations event
	enterprise enterprise_id is_enterprise_install context_team_id context_enterprise_id org_wide`)

// ambiguous reports whether two decodings of a document may differ: it has a repeated name in an object,
// or a known name in other case, which encoding/json accepts.
func ambiguous(doc []byte) bool {
	d := json.NewDecoder(bytes.NewReader(doc))
	type level struct{ names map[string]bool } // nil: a list
	var open []level
	name := false // the next token of an object
	for {
		t, err := d.Token()
		if err != nil {
			return false
		}
		if word, is := t.(string); is && name {
			if names := open[len(open)-1].names; names[word] || slices.ContainsFunc(usedNames, func(ours string) bool {
				return ours != word && strings.EqualFold(ours, word)
			}) {
				return true
			}
			open[len(open)-1].names[word] = true
			name = false
			continue
		}
		switch t {
		case json.Delim('{'):
			open = append(open, level{map[string]bool{}})
		case json.Delim('['):
			open = append(open, level{})
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		name = len(open) > 0 && open[len(open)-1].names != nil
	}
}

// deep returns the nesting depth of a JSON document.
func deep(doc []byte) int {
	d, deepest, level := json.NewDecoder(bytes.NewReader(doc)), 0, 0
	for {
		t, err := d.Token()
		if err != nil {
			return deepest
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			level++
		case json.Delim('}'), json.Delim(']'):
			level--
		}
		deepest = max(deepest, level)
	}
}

// isObject reports whether a document may be decoded at all.
func isObject(doc []byte) bool {
	return json.Valid(doc) && bytes.HasPrefix(bytes.TrimSpace(doc), []byte("{")) && deep(doc) <= bot.MaxDepth
}

// FuzzNarrow compares the narrow decoding with slack-go's types, also after a round trip through a job's
// body.
func FuzzNarrow(f *testing.F) {
	for _, payload := range payloads(f) {
		f.Add(payload)
	}
	f.Fuzz(checkNarrow)
}

func checkNarrow(t *testing.T, payload []byte) {
	t.Helper()
	got, err := bot.ReadInteraction(payload)
	require.Equal(t, isObject(payload), err == nil, "%v", err)
	if err != nil || ambiguous(payload) {
		return
	}
	var slow slowInteraction
	require.NoError(t, slowDecode(payload, &slow))
	sameShown(t, payload, slow.View, got.ViewSummary)
	same(t, slow.narrow(), got)
	sameAsJob(t, payload, slow)

	var line slack.SlashCommand
	var way slowWay
	require.NoError(t, slowDecode(payload, &line))
	require.NoError(t, slowDecode(payload, &way))
	read, err := bot.ReadLine(payload)
	require.NoError(t, err)
	require.Equal(t, narrowLine(line, way), read)

	var event slowEnvelope
	require.NoError(t, slowDecode(payload, &event))
	envelope, err := bot.ReadEnvelope(payload)
	require.NoError(t, err)
	require.Equal(t, event.narrow(), envelope)
}

// Each value of each payload is replaced by every other type. Both decodings must lose the same.
func TestAnOddValueCostsTheSameByBothReadings(t *testing.T) {
	for _, payload := range odd {
		var doc any
		if json.Unmarshal([]byte(payload), &doc) != nil {
			continue
		}
		for _, put := range places(&doc) {
			for _, value := range []any{nil, true, -1.5, "7", []any{}, []any{7, nil}, map[string]any{"id": "x", "value": []any{}}} {
				back := put(value)
				payload, err := json.Marshal(doc)
				require.NoError(t, err)
				checkNarrow(t, payload)
				require.False(t, t.Failed(), "%s", payload)
				back()
			}
		}
	}
}

// places returns functions that replace a value of a document and restore it.
func places(doc *any) (all []func(value any) (back func())) {
	all = append(all, func(value any) func() {
		was := *doc
		*doc = value
		return func() { *doc = was }
	})
	switch within := (*doc).(type) {
	case map[string]any:
		for name := range within {
			part := within[name]
			for _, put := range places(&part) {
				all = append(all, func(value any) func() {
					back := put(value)
					within[name] = part
					return func() { back(); within[name] = part }
				})
			}
		}
	case []any:
		for n := range within {
			all = append(all, places(&within[n])...)
		}
	}
	return all
}

// same compares two decodings; nil and empty lists are equal.
func same(t *testing.T, want, got bot.Interaction) {
	t.Helper()
	got.ViewSummary = bot.ViewSummary{}
	got.View, got.Message, got.Actions = narrowView(got.View), narrowMessage(got.Message), narrowActions(got.Actions)
	require.Equal(t, want, got)
}

// sameShown compares the summary with the blocks, if slack-go can decode them all.
func sameShown(t *testing.T, payload []byte, slow *slack.View, shown bot.ViewSummary) {
	t.Helper()
	var raw struct {
		View struct {
			Blocks []json.RawMessage `json:"blocks"`
		} `json:"view"`
	}
	if json.Unmarshal(payload, &raw) != nil || slow == nil || len(raw.View.Blocks) != len(slow.Blocks.BlockSet) {
		return
	}
	first := slices.IndexFunc(slow.Blocks.BlockSet, func(b slack.Block) bool { return b.BlockType() == slack.MBTInput && b.ID() != "" })
	if first >= 0 {
		require.Equal(t, slow.Blocks.BlockSet[first].ID(), shown.Input)
	} else {
		require.Empty(t, shown.Input)
	}
	if hasPictures(slow.Blocks.BlockSet) {
		require.True(t, shown.Pictures)
	}
}

// hasPictures returns false if package kit cannot handle the blocks.
func hasPictures(blocks []slack.Block) (are bool) {
	defer func() { _ = recover() }()
	return kit.HasPictures(blocks)
}

// sameAsJob encodes a request as a job's body and decodes it again, narrowly and with slack-go's types.
func sameAsJob(t *testing.T, payload []byte, slow slowInteraction) {
	t.Helper()
	all, err := bot.DecodeInteraction(payload, at)
	if err != nil {
		return
	}
	type earlier bot.Request // which is read and written by slack-go's types, as they are
	for _, q := range all {
		job, err := json.Marshal(q)
		require.NoError(t, err)
		var before earlier
		require.NoError(t, slowDecode(job, &before))
		sameRequest(t, q, bot.Request(before), "read by an earlier version")
		var again bot.Request
		require.NoError(t, json.Unmarshal(job, &again))
		sameRequest(t, q, again, "read again")

		before.View, before.Message, before.ViewSummary = slow.View, slow.Message, bot.ViewSummary{}
		if job, err = json.Marshal(before); err != nil {
			continue // slack-go cannot write what it read
		}
		again = bot.Request{}
		require.NoError(t, json.Unmarshal(job, &again))
		sameRequest(t, q, again, "written by an earlier version")
	}
}

func sameRequest(t *testing.T, want, got bot.Request, how string) {
	t.Helper()
	require.True(t, want.At.Equal(got.At), how)
	for _, q := range []*bot.Request{&want, &got} {
		q.At, q.ViewSummary, q.View, q.Message = at, bot.ViewSummary{}, narrowView(q.View), narrowMessage(q.Message)
		if q.View != nil && q.View.State != nil && len(q.View.State.Values) == 0 {
			q.View.State.Values = nil
		}
	}
	require.Equal(t, want, got, how)
}

// payloads are the payloads of other tests, and each of the app's forms as Slack submits it.
func payloads(f *testing.F) (all [][]byte) {
	f.Helper()
	require.NoError(f, filepath.WalkDir("../cards", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(path, "testdata") || !strings.HasSuffix(path, ".json") {
			return err
		}
		raw, err := os.ReadFile(path) //nolint:gosec // our own testdata
		if err != nil {
			return err
		}
		var view map[string]any
		if json.Unmarshal(raw, &view) == nil && view["type"] == "modal" && filepath.Base(filepath.Dir(path)) == "right_to_left" {
			all = append(all, submitted(f, view))
		}
		return nil
	}))
	require.NotEmpty(f, all)
	for _, body := range odd {
		all = append(all, []byte(body))
	}
	return append(all, nested(bot.MaxDepth), nested(bot.MaxDepth+1))
}

// nested returns an object with nested lists of the given depth.
func nested(levels int) []byte {
	return []byte(`{"a":` + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1) + `}`)
}

// FuzzStrings reads the strings of a document as encoding/json does.
func FuzzStrings(f *testing.F) {
	for _, doc := range []string{`{"a":"b"}`, `{"\u0061\/":"\ud800\udc00\ud800x\n\"é"}`, "{\"\xff\":\"\xe2\x82\"}", "{\"a\":\"\x01\"}", `{"a":"\x"}`, `{"a":"\u12"}`} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		got, err := bot.ReadStrings(doc)
		require.Equal(t, isObject(doc), err == nil, "%v", err)
		var all map[string]any
		if err != nil || json.Unmarshal(doc, &all) != nil {
			return
		}
		want := map[string]string{}
		for name, value := range all {
			want[name], _ = value.(string)
		}
		require.Equal(t, want, got)
	})
}

// FuzzForm reads a form as net/url does.
func FuzzForm(f *testing.F) {
	for _, body := range []string{"", "a=b&c", "&&a=&=b&%61=%2B+%zz", "a;b", "payload=%7B%22%7D", "a=%", "a=%4", "%=", commandBody} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		want, wrong := url.ParseQuery(string(body))
		got := url.Values{}
		err := bot.EachField(bytes.Clone(body), func(name, value []byte) { got.Add(string(name), string(value)) })
		require.Equal(t, wrong == nil, err == nil)
		if err == nil {
			require.Equal(t, want, got)
		}
	})
}
