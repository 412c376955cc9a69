package client_test

import (
	"testing"

	"darkroom/bot/client"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fileOfOddTypes is a file whose fields all have a wrong type.
const fileOfOddTypes = `{"id":"F2","name":"b.jpg","mimetype":"image/jpeg","size":"2048","timestamp":"1700000000.5","created":null,"shares":[],"initial_comment":"","channels":{},"is_external":0,"url_private":"https://files.slack.com/b","mode":"hosted","file_access":"visible","thumb_360_w":"360"}`

func TestOddAnswersOfTheWebAPIAreRead(t *testing.T) {
	f := newSlack(t, answers{
		"files.info":         says(200, `{"ok":true,"file":`+fileOfOddTypes+`,"comments":{}}`),
		"users.info":         says(200, `{"ok":true,"user":{"id":"U1","team_id":"T1","is_restricted":true,"updated":"1700000000","profile":{"fields":"none","display_name":"Ann"},"enterprise_user":[]}}`),
		"conversations.info": says(200, `{"ok":true,"channel":{"id":"C1","name":"g","is_private":true,"is_ext_shared":true,"created":"x","topic":"","latest":[]}}`),
		"conversations.join": says(200, `{"ok":true,"channel":[],"response_metadata":{"warnings":"x"}}`),
		"conversations.open": says(200, `{"ok":true,"channel":{"id":"D1","created":"x"}}`),
		"chat.postMessage":   says(200, `{"ok":true,"ts":"1.2"}`),
	})
	c := f.client(t)
	file, err := c.Files.File(t.Context(), "F2")
	require.NoError(t, err)
	assert.Equal(t, []any{"b.jpg", 2048, "https://files.slack.com/b"}, []any{file.Name, file.Size, file.URLPrivate})
	u, err := c.People.User(t.Context(), "U1")
	require.NoError(t, err)
	assert.True(t, u.IsRestricted)
	assert.Equal(t, "T1", u.TeamID)
	ch, err := c.People.Channel(t.Context(), "C1")
	require.NoError(t, err)
	assert.True(t, ch.IsPrivate && ch.IsExtShared)
	require.NoError(t, c.People.Join(t.Context(), "C1"))
	_, _, err = c.Messages.DM(t.Context(), "U1", client.Post{Text: "x"})
	require.NoError(t, err)
}
