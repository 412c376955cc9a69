package bot_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/sandbox/samples"
	"darkroom/sandbox/workspace"
)

// What Slack refuses of a view is left out one thing at a time, and what it takes stays.
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
	client := bot.NewClient(bot.ClientConfig{Token: "xoxb-sandbox-token", APIURL: w.APIURL()})
	var sent []bot.Shape
	last, err := bot.Offer(bot.Shape{}, func(s bot.Shape) ([]slack.Block, error) {
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
		return blocks, client.PublishHome(t.Context(), w.User("maria").ID, slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: blocks}})
	})
	require.NoError(t, err)
	require.True(t, last.Older)
	require.Equal(t, []string{pictures.URL + "/gone1.jpg", pictures.URL + "/gone2.jpg"}, last.Missing)
	require.Len(t, sent, 4, "the newer shape, the older one, without one picture, without two")
}
