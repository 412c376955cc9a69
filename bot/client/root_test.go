package client_test

import (
	"testing"

	"darkroom/bot/client"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheFirstMessageOfAThreadIsReadAlone(t *testing.T) {
	f := newSlack(t, answers{"conversations.replies": says(200, `{"ok":true,"has_more":true,"messages":[
		{"ts":"1.000001","user":"U1","metadata":{"event_type":"card","event_payload":{"order_id":"o1"}}},{"ts":"2.0"}],
		"response_metadata":{"next_cursor":"two"}}`)})
	root, err := f.client(t).Conversations.Root(t.Context(), "C1", "1.000001")
	require.NoError(t, err)
	assert.Equal(t, "U1", root.User)
	assert.Equal(t, "o1", root.Metadata.EventPayload["order_id"])
	asked := f.calls("conversations.replies")
	require.Len(t, asked, 1, "the rest of the thread is not wanted")
	assert.Equal(t, []string{"C1", "1.000001", "1", "true"}, []string{
		asked[0].Form.Get("channel"), asked[0].Form.Get("ts"), asked[0].Form.Get("limit"), asked[0].Form.Get("include_all_metadata"),
	})
	_, err = f.client(t).Conversations.Root(t.Context(), "C1", "3.0")
	assertClass(t, err, client.ErrGone)
}
