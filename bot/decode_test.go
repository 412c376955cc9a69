package bot_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"darkroom/bot"
	"darkroom/bot/lenient"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var at = time.Unix(1_700_000_000, 0)

func one(t *testing.T, payload string) bot.Request {
	t.Helper()
	all, err := bot.DecodeInteraction([]byte(payload), at)
	require.NoError(t, err)
	require.Len(t, all, 1)
	return all[0]
}

func TestACommandIsPartedIntoVerbAndRest(t *testing.T) {
	tests := map[string][2]string{
		"":                               {"", ""},
		"  NEW  ":                        {"new", ""},
		"Message 42 two\nlines  here":    {"message", "42 two\nlines  here"},
		"new\u00a0https://a/b.jpg":       {"new", "https://a/b.jpg"},
		"approve\n42":                    {"approve", "42"},
		"message <@U1|ann> <!channel> x": {"message", "<@U1|ann> <!channel> x"},
	}
	for text, want := range tests {
		q, err := bot.DecodeCommand([]byte(mustJSON(t, map[string]any{"command": "/order", "user_id": "U1", "text": text, "trigger_id": "1.2", "is_enterprise_install": "false"})), at)
		require.NoError(t, err)
		assert.Equal(t, want, [2]string{q.Verb, q.Args}, text)
		assert.Equal(t, text, q.Text)
		assert.Equal(t, "1.2", q.ID)
	}
}

func TestACommandThatIsNoneIsMalformed(t *testing.T) {
	for _, payload := range []string{``, `null`, `{"command":"/order"}`, `{"user_id":"U1"}`, `{"command":7}`} {
		_, err := bot.DecodeCommand([]byte(payload), at)
		require.ErrorIs(t, err, lenient.ErrMalformed, payload)
	}
}

func TestAButtonTellsWhatAndWhere(t *testing.T) {
	q := one(t, clickBody)
	assert.Equal(t, bot.KindAction, q.Kind)
	assert.Equal(t, "1.2.3", q.ID)
	assert.Equal(t, "order:approve", q.Name)
	assert.Equal(t, "o1:r2", q.Value)
	assert.Equal(t, "C1", q.Channel)
	assert.Equal(t, "5.6", q.MessageTS)
	assert.Equal(t, "5.5", q.Thread)
	assert.Equal(t, "card", q.Message.Text)
	assert.Nil(t, q.View)
	assert.Equal(t, at, q.At)
}

func TestSeveralActionsAreSeveralRequests(t *testing.T) {
	payload := strings.Replace(clickBody, `"actions":[`, `"actions":[{"action_id":"pick","block_id":"p","selected_option":{"value":"two"}},{"action_id":"who","selected_user":"U7"},`, 1)
	all, err := bot.DecodeInteraction([]byte(payload), at)
	require.NoError(t, err)
	require.Len(t, all, 3)
	assert.Equal(t, []string{"1.2.3", "1.2.3#1", "1.2.3#2"}, []string{all[0].ID, all[1].ID, all[2].ID})
	assert.Equal(t, []string{"pick", "who", "order:approve"}, []string{all[0].Name, all[1].Name, all[2].Name})
	assert.Equal(t, []string{"two", "U7", "o1:r2"}, []string{all[0].Value, all[1].Value, all[2].Value})
}

func TestASubmissionKeepsWhatWasTyped(t *testing.T) {
	q := one(t, submitBody)
	assert.Equal(t, bot.KindSubmit, q.Kind)
	assert.Equal(t, "V1:77.ab", q.ID)
	assert.Equal(t, "new", q.Name)
	assert.Equal(t, "x", q.View.ExternalID)
	assert.Equal(t, "Smith", q.View.State.Values["name"]["name"].Value)
	assert.Empty(t, q.View.Blocks.BlockSet, "they are ours")
	assert.Equal(t, "name", q.ViewSummary.Input)
	assert.False(t, q.ViewSummary.Pictures)
	assert.Contains(t, submitBody, `"blocks":[`)
	assert.Equal(t, strings.Index(submitBody, `,"state"`)-strings.Index(submitBody, `[{"type":"section"`), q.ViewSummary.Bytes)
}

func TestPicturesInABlockAreSeen(t *testing.T) {
	for block, want := range map[string]bool{
		`{"type":"image","image_url":"https://a/b.jpg","alt_text":"a"}`:                                   true,
		`{"type":"section","accessory":{"alt_text":"a","slack_file":{"id":"F1"}, "type" : "image"}}`:      true,
		`{"type":"layout","rows":[{"items":[{"block":{"type":"image","image_url":"https://a/b.jpg"}}]}]}`: true,
		`{"type":"section","text":{"type":"mrkdwn","text":"no \"image\" is in these words of an image"}}`: false,
	} {
		q := one(t, strings.Replace(submitBody, `{"type":"section","block_id":"s"`, block+`,{"type":"section","block_id":"s"`, 1))
		assert.Equal(t, want, q.ViewSummary.Pictures, block)
	}
}

func TestAViewWithAStrangeBlockKeepsWhatWasTyped(t *testing.T) {
	q := one(t, strings.Replace(submitBody, `{"type":"section","block_id":"s"`, `{"type":"input","element":[7]},{"type":"section","block_id":"s"`, 1))
	assert.Equal(t, "Smith", q.View.State.Values["name"]["name"].Value)
	assert.Equal(t, "name", q.ViewSummary.Input, "the others are there")
}

func TestAClosedViewIsNotTheSubmittedOne(t *testing.T) {
	q := one(t, strings.Replace(submitBody, `"view_submission"`, `"view_closed"`, 1))
	assert.Equal(t, bot.KindClose, q.Kind)
	assert.Equal(t, "V1:77.ab:closed", q.ID)
}

func TestAKeptRequestMayHaveFieldsThatAreNoLongerRead(t *testing.T) {
	var q bot.Request
	require.NoError(t, json.Unmarshal([]byte(`{"kind":"event","id":"Ev1","name":"message","cleared":true,"retry":2,"retry_reason":"timeout"}`), &q))
	assert.Equal(t, bot.Request{Kind: bot.KindEvent, ID: "Ev1", Name: "message"}, q)
}

func TestAMessageShortcutBringsTheMessage(t *testing.T) {
	const payload = `{"type":"message_action","callback_id":"send","trigger_id":"8.8","message_ts":"3.3","response_url":"https://hooks/2","team":null,
		"user":{"id":"U1","team_id":"T2"},"channel":{"id":"C1","name":"g"},
		"message":{"type":"message","ts":"3.3","thread_ts":"3.0","reply_count":2,"user":"U5","text":"brighter","files":[{"id":"F1","name":"a.jpg"}]}}`
	q := one(t, payload)
	assert.Equal(t, bot.KindShortcut, q.Kind)
	assert.Equal(t, "send", q.Name)
	assert.Equal(t, "8.8", q.ID)
	assert.Equal(t, "T2", q.Team)
	assert.Equal(t, "3.3", q.MessageTS)
	assert.Equal(t, "3.0", q.Thread)
	assert.Equal(t, "brighter", q.Message.Text)
	assert.Equal(t, "F1", q.Message.Files[0].ID)
	assert.Equal(t, 2, q.Message.ReplyCount)
}

func TestAMessageTheLibraryCannotReadKeepsItsWords(t *testing.T) {
	for name, odd := range map[string]string{
		"blocks": `"blocks":{"not":"a list"},"files":[{"id":"F1"}]`,
		"files":  `"files":"none"`,
	} {
		q := one(t, `{"type":"message_action","callback_id":"send","trigger_id":"8.8","user":{"id":"U1"},"message":{"ts":"3.3","user":"U5","text":"brighter",`+odd+`}}`)
		assert.Equal(t, "brighter", q.Message.Text, name)
		assert.Equal(t, "3.3", q.Message.Timestamp, name)
		assert.Equal(t, "U5", q.Message.User, name)
	}
}

func TestAnOptionsRequestSaysWhatWasTyped(t *testing.T) {
	q := one(t, `{"type":"block_suggestion","action_id":"pick","block_id":"b","value":"smi","user":{"id":"U1"}}`)
	assert.Equal(t, bot.KindOptions, q.Kind)
	assert.Equal(t, []string{"pick", "b", "smi"}, []string{q.Name, q.BlockID, q.Value})
}

func TestAnUnknownTypeIsToldApartFromNonsense(t *testing.T) {
	_, err := bot.DecodeInteraction([]byte(`{"type":"workflow_step_edit"}`), at)
	require.ErrorIs(t, err, bot.ErrUnknownType)
	_, err = bot.DecodeEvent([]byte(`{"type":"url_verification","challenge":"x"}`), at)
	require.ErrorIs(t, err, bot.ErrUnknownType)
	_, err = bot.DecodeInteraction([]byte(`{"type":`), at)
	require.ErrorIs(t, err, lenient.ErrMalformed)
	_, err = bot.DecodeEvent([]byte(`nonsense`), at)
	require.ErrorIs(t, err, lenient.ErrMalformed)
}

func TestAnEventTellsWhoAndWhere(t *testing.T) {
	q, err := bot.DecodeEvent([]byte(eventBody), time.Now())
	require.NoError(t, err)
	assert.Equal(t, bot.KindEvent, q.Kind)
	assert.Equal(t, []string{"Ev1", "app_mention", "T1", "U1", "C1", "1.2", "1.1", "hi"}, []string{q.ID, q.Name, q.Team, q.User, q.Channel, q.MessageTS, q.Thread, q.Text})
	assert.Equal(t, at, q.At)
	assert.JSONEq(t, `{"type":"app_mention","user":"U1","channel":"C1","ts":"1.2","thread_ts":"1.1","text":"hi"}`, string(q.Event))
}

func TestAnEventMaySayItsIDsOtherwise(t *testing.T) {
	q, err := bot.DecodeEvent([]byte(`{"type":"event_callback","event_id":"E","event":{"type":"channel_created","channel":{"id":"C5"},"user_id":"U3","text":["x"],"ts":7}}`), at)
	require.NoError(t, err)
	assert.Equal(t, []string{"C5", "U3", "", ""}, []string{q.Channel, q.User, q.Text, q.MessageTS})
	assert.Equal(t, at, q.At)
}

func TestAnOuterEventIsAnEventOfItsName(t *testing.T) {
	q, err := bot.DecodeEvent([]byte(`{"type":"app_rate_limited","team_id":"T1","minute_rate_limited":5}`), at)
	require.NoError(t, err)
	assert.Equal(t, "app_rate_limited", q.Name)
	assert.True(t, strings.HasPrefix(q.ID, "sha256:"))
}

func TestARequestSurvivesTheQueue(t *testing.T) {
	for _, payload := range []string{clickBody, submitBody} {
		q := one(t, payload)
		var back bot.Request
		require.NoError(t, json.Unmarshal([]byte(mustJSON(t, q)), &back))
		assert.Equal(t, q.ID, back.ID)
		assert.Equal(t, []string{string(q.Kind), q.Name, q.User, q.Value, q.MessageTS}, []string{string(back.Kind), back.Name, back.User, back.Value, back.MessageTS})
		assert.True(t, q.At.Equal(back.At))
		if q.View != nil {
			assert.Equal(t, q.View.State.Values["name"]["name"].Value, back.View.State.Values["name"]["name"].Value)
			assert.Equal(t, q.View, back.View)
			assert.Equal(t, q.ViewSummary, back.ViewSummary)
		}
	}
}

// A payload of the maximum depth is one level deeper in the body of a job.
func TestTheDeepestEventSurvivesTheQueue(t *testing.T) {
	outer := func(levels int) []byte {
		return []byte(`{"type":"tokens_revoked","a":` + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1) + `}`)
	}
	q, err := bot.DecodeEvent(outer(bot.MaxDepth), at)
	require.NoError(t, err)
	var back bot.Request
	require.NoError(t, json.Unmarshal([]byte(mustJSON(t, q)), &back))
	assert.JSONEq(t, string(q.Event), string(back.Event))
	_, err = bot.DecodeEvent(outer(bot.MaxDepth+1), at)
	require.ErrorIs(t, err, lenient.ErrMalformed)
}

func TestBracesInTextAreNoNesting(t *testing.T) {
	q, err := bot.DecodeEvent([]byte(`{"type":"event_callback","event_id":"E","event":{"type":"message","text":`+mustJSON(t, strings.Repeat(`{["\`, 200))+`}}`), at)
	require.NoError(t, err)
	assert.Len(t, q.Text, 800)
}
