package bot_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"darkroom/bot"
	"darkroom/sandbox/workspace"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// silence is how long the app waits for activity; in production it is half a minute.
const silence = 400 * time.Millisecond

// oddSlack is a Slack with unusual behaviour, and an app with two connections to it.
type oddSlack struct {
	*workspace.Workspace
	t      *testing.T
	socket *bot.Socket
}

func openOddSlack(t *testing.T) *oddSlack {
	t.Helper()
	slack := workspace.New(workspace.Options{SocketMode: true, AppToken: appToken, RefreshGrace: 200 * time.Millisecond})
	require.NoError(t, slack.Start())
	t.Cleanup(slack.Close)
	router := bot.NewRouter(nil)
	router.Command("/order", func(_ context.Context, q bot.Request) (bot.Reply, error) { return bot.Ephemeral(q.Text), nil })
	o := &oddSlack{Workspace: slack, t: t, socket: bot.NewSocket(bot.SocketConfig{
		AppToken: appToken, APIURL: slack.APIURL(), Router: router, Log: slog.New(slog.DiscardHandler),
	})}
	o.socket.Hurry(silence)
	return o
}

// runs lets the app work.
func (o *oddSlack) runs() {
	o.t.Helper()
	ctx, cancel := context.WithCancel(o.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- o.socket.Run(ctx) }()
	o.t.Cleanup(func() {
		cancel()
		assert.NoError(o.t, <-ended)
	})
	require.Eventually(o.t, func() bool { return o.Sockets() == 2 && o.socket.Connected() }, patience, time.Millisecond)
}

// reachable requires that the app stays connected until a condition holds.
func (o *oddSlack) reachable(until func() bool) {
	o.t.Helper()
	for end := time.Now().Add(patience); !until(); {
		require.True(o.t, o.socket.Connected(), "both lines down at once")
		require.True(o.t, time.Now().Before(end), "it does not happen")
		<-time.After(time.Millisecond)
	}
	require.True(o.t, o.socket.Connected())
}

// over reports whether a time has passed.
func over(d time.Duration) func() bool {
	end := time.Now().Add(d)
	return func() bool { return time.Now().After(end) }
}

func TestASlackThatDoesNotPingIsPingedAndKept(t *testing.T) {
	t.Parallel()
	o := openOddSlack(t)
	o.SetSocketManners(workspace.Manners{NoPings: true})
	o.runs()
	o.reachable(over(4 * silence))
	assert.Equal(t, 2, o.SocketsMade(), "the same two lines: it answers our pings")
}

func TestASlackThatNeitherPingsNorAnswersPingsReachesTheAppAllTheTime(t *testing.T) {
	t.Parallel()
	o := openOddSlack(t)
	o.SetSocketManners(workspace.Manners{NoPings: true, NoPongs: true})
	o.runs()
	maria := o.Window("maria")
	o.reachable(func() bool { return o.SocketsMade() >= 8 }) // each was replaced several times
	require.NoError(t, maria.Command("#shoots", "/order still there"))
	require.Equal(t, "still there", o.Ephemerals("maria")[0].Text)
}

func TestLinesThatStallTogetherAreReplacedBeforeTheyAreLetGo(t *testing.T) {
	t.Parallel()
	o := openOddSlack(t)
	o.runs()
	o.SetSocketManners(workspace.Manners{NoPings: true}) // its pings take seconds to come
	o.StallSockets()
	o.reachable(func() bool { return o.SocketsMade() == 4 })
	o.reachable(over(2 * silence))
	assert.Equal(t, 4, o.SocketsMade())
	require.NoError(t, o.Window("maria").Command("#shoots", "/order again"))
	require.Equal(t, "again", o.Ephemerals("maria")[0].Text)
}

func TestLinesThatAreCalledBackTogetherOverlapWithTheirSuccessors(t *testing.T) {
	t.Parallel()
	o := openOddSlack(t)
	o.runs()
	for range 3 {
		made := o.SocketsMade()
		o.RefreshSockets()
		o.reachable(func() bool { return o.SocketsMade() >= made+2 })
		o.reachable(over(300 * time.Millisecond)) // the lines before them are gone by then
	}
}

// Without a network the app is not connected, even if its connections look open.
func TestSilentLinesWithoutSuccessorsAreNone(t *testing.T) {
	t.Parallel()
	o := openOddSlack(t)
	o.runs()
	o.SetSocketManners(workspace.Manners{NoPings: true})
	o.StallSockets()
	o.Down()
	require.Eventually(t, func() bool { return !o.socket.Connected() }, patience, time.Millisecond)
	o.Up()
	require.Eventually(t, o.socket.Connected, patience, time.Millisecond)
}
