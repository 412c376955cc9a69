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

// silence is how long these apps wait for a sign of life: half a minute, but for a test.
const silence = 400 * time.Millisecond

// office is a Slack with odd manners, and an app with two lines to it.
type office struct {
	*workspace.Workspace
	t      *testing.T
	socket *bot.Socket
}

func openOffice(t *testing.T) *office {
	t.Helper()
	slack := workspace.New(workspace.Options{SocketMode: true, AppToken: appToken, RefreshGrace: 200 * time.Millisecond})
	require.NoError(t, slack.Start())
	t.Cleanup(slack.Close)
	router := bot.NewRouter(nil)
	router.Command("/order", func(_ context.Context, q bot.Request) (bot.Reply, error) { return bot.Ephemeral(q.Text), nil })
	o := &office{Workspace: slack, t: t, socket: bot.NewSocket(bot.SocketConfig{
		AppToken: appToken, APIURL: slack.APIURL(), Router: router, Log: slog.New(slog.DiscardHandler),
	})}
	o.socket.Hurry(silence)
	return o
}

// runs lets the app work.
func (o *office) runs() {
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

// reachable requires that Slack can reach the app at every look, until something is so.
func (o *office) reachable(until func() bool) {
	o.t.Helper()
	for end := time.Now().Add(patience); !until(); {
		require.True(o.t, o.socket.Connected(), "both lines down at once")
		require.True(o.t, time.Now().Before(end), "it does not happen")
		<-time.After(time.Millisecond)
	}
	require.True(o.t, o.socket.Connected())
}

// over tells whether that long has passed.
func over(d time.Duration) func() bool {
	end := time.Now().Add(d)
	return func() bool { return time.Now().After(end) }
}

func TestASlackThatDoesNotPingIsPingedAndKept(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.SetSocketManners(workspace.Manners{NoPings: true})
	o.runs()
	o.reachable(over(4 * silence))
	assert.Equal(t, 2, o.SocketsMade(), "the same two lines: it answers our pings")
}

func TestASlackThatNeitherPingsNorAnswersPingsReachesTheAppAllTheTime(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.SetSocketManners(workspace.Manners{NoPings: true, NoPongs: true})
	o.runs()
	maria := o.Window("maria")
	o.reachable(func() bool { return o.SocketsMade() >= 8 }) // each was replaced several times
	require.NoError(t, maria.Command("#shoots", "/order still there"))
	require.Equal(t, "still there", o.Ephemerals("maria")[0].Text)
}

func TestLinesThatStallTogetherAreReplacedBeforeTheyAreLetGo(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
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
	o := openOffice(t)
	o.runs()
	for range 3 {
		made := o.SocketsMade()
		o.RefreshSockets()
		o.reachable(func() bool { return o.SocketsMade() >= made+2 })
		o.reachable(over(300 * time.Millisecond)) // the lines before them are gone by then
	}
}

// A network that is gone altogether is no connection, whatever the lines still look like.
func TestSilentLinesWithoutSuccessorsAreNone(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.runs()
	o.SetSocketManners(workspace.Manners{NoPings: true})
	o.StallSockets()
	o.Down()
	require.Eventually(t, func() bool { return !o.socket.Connected() }, patience, time.Millisecond)
	o.Up()
	require.Eventually(t, o.socket.Connected, patience, time.Millisecond)
}
