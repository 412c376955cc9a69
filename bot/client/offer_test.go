package client_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/sandbox/samples"
	"darkroom/sandbox/workspace"
)

// Parts of a view that Slack refuses are left out one at a time; the rest stays.
func TestAViewIsOfferedUntilSlackTakesIt(t *testing.T) {
	w := workspace.New(workspace.Options{})
	require.NoError(t, w.Start())
	t.Cleanup(w.Close)
	w.RefuseBlocks("layout")
	pictures := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if bytes.HasPrefix([]byte(r.URL.Path), []byte("/gone")) {
			http.NotFound(rw, r)
			return
		}
		_, _ = rw.Write(samples.All()[0].Content)
	}))
	t.Cleanup(pictures.Close)
	c := client.New(client.Config{Token: "xoxb-sandbox-token", APIURL: w.APIURL()})
	var sent []client.Shape
	last, err := client.Offer(client.Shape{}, func(s client.Shape) ([]slack.Block, error) {
		sent = append(sent, s)
		var blocks []slack.Block
		for _, address := range []string{pictures.URL + "/gone1.jpg", pictures.URL + "/here.jpg", pictures.URL + "/gone2.jpg"} {
			if len(s.Missing) == 0 || address != s.Missing[0] && address != s.Missing[len(s.Missing)-1] {
				blocks = append(blocks, slack.NewImageBlock(address, "picture", "", nil))
			}
		}
		if !s.Older {
			blocks = []slack.Block{slack.NewLayoutBlock("All", slack.NewLayoutRow(slack.NewLayoutItem(blocks[0])))}
		}
		return blocks, c.Views.PublishHome(t.Context(), w.User("maria").ID, slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: blocks}})
	})
	require.NoError(t, err)
	require.True(t, last.Older)
	require.Equal(t, []string{pictures.URL + "/gone1.jpg", pictures.URL + "/gone2.jpg"}, last.Missing)
	require.Len(t, sent, 4, "the newer shape, the older one, without one picture, without two")
}

// A refusal because of an unprocessed upload says nothing about the other blocks.
func TestAnUnfinishedUploadCostsNoNewerBlocks(t *testing.T) {
	t.Parallel()
	offered := 0
	last, err := client.Offer(client.Shape{}, func(client.Shape) ([]slack.Block, error) {
		offered++
		return nil, refusal(t, `{"ok":false,"error":"invalid_blocks","response_metadata":{"messages":["[ERROR] invalid slack file [json-pointer:/blocks/0/slack_file]"]}}`)
	})
	require.ErrorIs(t, err, client.ErrPayload)
	require.False(t, last.Older)
	require.Equal(t, 1, offered)
}

// refusal returns the client's error for an answer of Slack's.
func refusal(t *testing.T, answer string) error {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(answer)) }))
	t.Cleanup(s.Close)
	_, err := client.New(client.Config{Token: "xoxb-1", APIURL: s.URL + "/", Rate: 1000}).Messages.Post(t.Context(), client.Post{Channel: "C1", Text: "x"})
	return err
}
