package bot

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/semaphore"
)

// Why a line should be replaced.
var (
	errRefresh      = errors.New("slack closes this connection soon")
	errSilent       = errors.New("nothing heard from slack")
	errSwitchedOff  = errors.New("socket mode is switched off")
	errTooManyLines = errors.New("too many connections")
)

// socketConn is one connection to Slack.
type socketConn struct {
	socket *Socket
	ws     *websocket.Conn
	hangUp context.CancelFunc // ends the connection without a word

	up      chan struct{} // closed by Slack's hello
	greet   sync.Once
	leaving context.Context         // ends when another line should take this one's place
	replace context.CancelCauseFunc // asks for that other line; the first reason counts
	ended   chan struct{}           // closed when nothing more can come

	live    atomic.Bool
	mute    atomic.Bool // nothing was heard for so long that another line should take its place
	quiet   *time.Timer // runs out when we should ping
	silence *time.Timer // runs out when the line is mute

	mu      sync.Mutex
	stopped bool                // takes no more envelopes
	room    int64               // for envelopes in hand; those beyond the router's are told so at once
	inHand  *semaphore.Weighted // one place taken by each envelope that is not yet acknowledged
}

func newLine(s *Socket) *socketConn {
	leaving, replace := context.WithCancelCause(context.Background())
	room := 2 * s.router.places
	return &socketConn{
		socket: s, up: make(chan struct{}), leaving: leaving, replace: replace, ended: make(chan struct{}),
		room: room, inHand: semaphore.NewWeighted(room),
	}
}

// listen begins to wait for signs of life, and pings while there is none.
func (l *socketConn) listen(ctx context.Context) {
	l.silence = time.AfterFunc(l.socket.times.silent, func() {
		l.mute.Store(true)
		l.replace(errSilent)
	})
	l.quiet = time.AfterFunc(time.Hour, func() { // reset below: it is known before it runs out
		if ctx.Err() != nil { // or it would go on for ever, when it ran out while it was stopped
			return
		}
		l.quiet.Reset(l.socket.times.quiet)
		ctx, cancel := context.WithTimeout(ctx, l.socket.times.quiet)
		defer cancel()
		_ = l.ws.Ping(ctx) // its pong is a sign of life, like any other
	})
	l.quiet.Reset(l.socket.times.quiet)
}

func (l *socketConn) deafen() {
	l.quiet.Stop()
	l.silence.Stop()
}

// heard notes a sign of life: a frame, a ping or a pong.
func (l *socketConn) heard() {
	l.mute.Store(false)
	l.quiet.Reset(l.socket.times.quiet)
	l.silence.Reset(l.socket.times.silent)
}

// faint gives up on a mute line whose successor is not to be had: it seems that Slack
// cannot be reached at all. While there is hope for one, the line counts: a Slack that
// shows no sign of life may still use it.
func (l *socketConn) faint() {
	if l != nil && l.mute.Load() {
		l.down()
	}
}

// wait returns why the line should be replaced, or nil when ctx has ended.
func (l *socketConn) wait(ctx context.Context) error {
	select {
	case <-l.leaving.Done():
		return context.Cause(l.leaving)
	case <-ctx.Done():
		return nil
	}
}

func (l *socketConn) down() {
	if l.live.CompareAndSwap(true, false) {
		l.socket.live.Add(-1)
	}
}

// answerTo listens until the connection ends. ctx outlives the app's: an envelope in
// hand is answered.
func (l *socketConn) answerTo(ctx context.Context) {
	ctx, l.hangUp = context.WithCancel(ctx)
	l.listen(ctx)
	l.socket.lines.Go(func() {
		defer close(l.ended)
		defer l.deafen()
		defer l.down()
		for {
			kind, data, err := l.ws.Read(ctx)
			if err != nil {
				if ctx.Err() == nil { // we did not hang up
					_ = l.ws.CloseNow() // else an answer might seem to be written
				}
				l.replace(lineError(err))
				return
			}
			l.heard()
			if kind == websocket.MessageText {
				l.receive(ctx, data)
			}
		}
	})
}

func (l *socketConn) receive(ctx context.Context, data []byte) {
	f, err := decodeFrame(data)
	switch {
	case err != nil:
		l.socket.log.WarnContext(ctx, "frame not understood", "bytes", len(data), "err", err)
	case f.Type == frameHello:
		l.hello(ctx, f)
	case f.Type == frameDisconnect:
		l.disconnect(f.Reason)
	default:
		l.take(ctx, f)
	}
}

func (l *socketConn) hello(ctx context.Context, f frame) {
	l.greet.Do(func() {
		l.live.Store(true)
		l.socket.live.Add(1)
		l.socket.log.InfoContext(ctx, "slack connection open", "num_connections", f.NumConnections, "expected_seconds", f.DebugInfo.Seconds)
		close(l.up)
	})
}

// disconnect is what Slack says before it closes a line.
func (l *socketConn) disconnect(reason string) {
	switch reason {
	case "link_disabled":
		l.down()
		l.replace(errSwitchedOff)
	case "too_many_websockets":
		l.replace(errTooManyLines)
	default: // warning, refresh_requested
		l.replace(fmt.Errorf("%w: %.60q", errRefresh, reason))
	}
}

// take answers an envelope beside the others.
func (l *socketConn) take(ctx context.Context, f frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped || l.inHand.Acquire(ctx, 1) != nil { // a place is given back within the time of an answer
		return // another line will get it
	}
	l.socket.lines.Go(func() {
		defer l.inHand.Release(1)
		l.answer(ctx, f)
	})
}

func (l *socketConn) answer(ctx context.Context, f frame) {
	log := l.socket.log.With("envelope", f.ID, "type", f.Type)
	ack, err := f.answer(ctx, l.socket.router, time.Now())
	if err != nil {
		log.ErrorContext(ctx, "answer not as it should be", "err", err)
	}
	if ack == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, l.socket.times.drain)
	defer cancel()
	if err := l.ws.Write(ctx, websocket.MessageText, ack); err != nil {
		log.WarnContext(ctx, "answer not delivered: slack sends this again", "err", lineError(err))
	}
}

// retire hangs up: at once when the app ends, else when Slack had time to do it: until
// then it may still use this line. The envelopes in hand are answered first.
func (l *socketConn) retire(ctx context.Context) {
	select {
	case <-time.After(l.socket.times.linger):
	case <-l.ended:
	case <-ctx.Done():
	}
	l.finish()
	closed := make(chan struct{})
	go func() { // for the library's five seconds at most: it may hold the reading itself, and then hears no hangUp
		defer close(closed)
		_ = l.ws.Close(websocket.StatusNormalClosure, "") // gone already, or silent
	}()
	select {
	case <-closed:
	case <-time.After(l.socket.times.bye):
	}
	l.hangUp()
	l.deafen()
}

// finish takes no more envelopes, and waits until those in hand are answered, or for
// as long as may be.
func (l *socketConn) finish() {
	l.mu.Lock()
	l.stopped = true
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), l.socket.times.drain)
	defer cancel()
	_ = l.inHand.Acquire(ctx, l.room) // or for as long as may be
}
