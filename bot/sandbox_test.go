package bot_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"darkroom/bot"
	"darkroom/sandbox/workspace"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// During a day's refreshes and a dropped connection, every command is answered.
func TestCommandsAreAnsweredThroughRefreshesAndDrops(t *testing.T) {
	slack := workspace.New(workspace.Options{SocketMode: true, AppToken: appToken, RefreshGrace: 50 * time.Millisecond})
	require.NoError(t, slack.Start())
	t.Cleanup(slack.Close)
	router := bot.NewRouter(nil)
	router.Command("/order", func(_ context.Context, q bot.Request) (bot.Reply, error) { return bot.Ephemeral(q.Text), nil })
	var log bytes.Buffer
	s := bot.NewSocket(bot.SocketConfig{AppToken: appToken, APIURL: slack.APIURL(), Router: router, Log: slog.New(slog.NewTextHandler(&log, nil))})
	s.Hurry(never)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	require.Eventually(t, func() bool { return slack.Sockets() == 2 }, patience, time.Millisecond)
	maria := slack.Window("maria")
	for i := range 60 {
		switch {
		case i%20 == 5:
			slack.RefreshSockets()
		case i == 30:
			slack.DropSockets(1)
		}
		require.NoError(t, maria.Command("#shoots", fmt.Sprint("/order ", i)))
		said := slack.Ephemerals("maria")
		require.Len(t, said, i+1)
		require.Equal(t, fmt.Sprint(i), said[i].Text)
	}
	cancel()
	require.NoError(t, <-ended)
	assert.Empty(t, slack.Violations())
	assert.Eventually(t, func() bool { return slack.Sockets() == 0 }, patience, time.Millisecond, "Slack hears that we left")
	assert.False(t, strings.Contains(log.String(), "level=ERROR"), log.String())
}
