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

// Why a connection should be replaced.
var (
	errRefresh      = errors.New("slack closes this connection soon")
	errSilent       = errors.New("nothing heard from slack")
	errSwitchedOff  = errors.New("socket mode is switched off")
	errTooManyConns = errors.New("too many connections")
)

// socketConn is one connection to Slack.
type socketConn struct {
	socket *Socket
	ws     *websocket.Conn
	hangUp context.CancelFunc // ends the connection without a word

	up      chan struct{} // closed by Slack's hello
	greet   sync.Once
	leaving context.Context         // ends when another connection should take this one's place
	replace context.CancelCauseFunc // asks for that other connection; the first reason counts
	ended   chan struct{}           // closed when nothing more can come

	live         atomic.Bool
	silent       atomic.Bool // nothing was heard for so long that another connection should take its place
	pingTimer    *time.Timer // runs out when we should ping
	silenceTimer *time.Timer // runs out when the connection counts as silent

	mu      sync.Mutex
	stopped bool                // takes no more envelopes
	room    int64               // for envelopes in hand; those beyond the router's are told so at once
	inHand  *semaphore.Weighted // one place taken by each envelope that is not yet acknowledged
}

func newSocketConn(s *Socket) *socketConn {
	leaving, replace := context.WithCancelCause(context.Background())
	room := 2 * s.router.places
	return &socketConn{
		socket: s, up: make(chan struct{}), leaving: leaving, replace: replace, ended: make(chan struct{}),
		room: room, inHand: semaphore.NewWeighted(room),
	}
}

// listen waits for signs of life, and pings without them.
func (c *socketConn) listen(ctx context.Context) {
	c.silenceTimer = time.AfterFunc(c.socket.times.silent, func() {
		c.silent.Store(true)
		c.replace(errSilent)
	})
	c.pingTimer = time.AfterFunc(time.Hour, func() { // reset below: it is known before it runs out
		if ctx.Err() != nil { // or it would go on for ever, when it ran out while it was stopped
			return
		}
		c.pingTimer.Reset(c.socket.times.quiet)
		ctx, cancel := context.WithTimeout(ctx, c.socket.times.quiet)
		defer cancel()
		_ = c.ws.Ping(ctx) // its pong is a sign of life, like any other
	})
	c.pingTimer.Reset(c.socket.times.quiet)
}

func (c *socketConn) stopTimers() {
	c.pingTimer.Stop()
	c.silenceTimer.Stop()
}

// heard notes a sign of life: a frame, a ping or a pong.
func (c *socketConn) heard() {
	c.silent.Store(false)
	c.pingTimer.Reset(c.socket.times.quiet)
	c.silenceTimer.Reset(c.socket.times.silent)
}

// dropIfSilent gives up on a silent connection whose successor is not to be had: it seems that Slack
// cannot be reached at all. While there is hope for one, the connection counts: a Slack that
// shows no sign of life may still use it.
func (c *socketConn) dropIfSilent() {
	if c != nil && c.silent.Load() {
		c.down()
	}
}

// wait returns why the connection should be replaced, or nil when ctx has ended.
func (c *socketConn) wait(ctx context.Context) error {
	select {
	case <-c.leaving.Done():
		return context.Cause(c.leaving)
	case <-ctx.Done():
		return nil
	}
}

func (c *socketConn) down() {
	if c.live.CompareAndSwap(true, false) {
		c.socket.live.Add(-1)
	}
}

// answerTo listens until the connection ends. ctx outlives the app's: an envelope in
// hand is answered.
func (c *socketConn) answerTo(ctx context.Context) {
	ctx, c.hangUp = context.WithCancel(ctx)
	c.listen(ctx)
	c.socket.conns.Go(func() {
		defer close(c.ended)
		defer c.stopTimers()
		for {
			kind, data, err := c.ws.Read(ctx)
			if err != nil {
				if ctx.Err() == nil { // we did not hang up
					_ = c.ws.CloseNow() // else an answer might seem to be written
				}
				c.down()
				c.replace(connError(err))
				return
			}
			c.heard()
			if kind == websocket.MessageText {
				c.receive(ctx, data)
			}
		}
	})
}

func (c *socketConn) receive(ctx context.Context, data []byte) {
	f, err := decodeFrame(data)
	switch {
	case err != nil:
		c.socket.log.WarnContext(ctx, "frame not understood", "bytes", len(data), "err", err)
	case f.Type == frameHello:
		c.hello(ctx, f)
	case f.Type == frameDisconnect:
		c.disconnect(f.Reason)
	default:
		c.take(ctx, f)
	}
}

func (c *socketConn) hello(ctx context.Context, f frame) {
	c.greet.Do(func() {
		c.live.Store(true)
		c.socket.live.Add(1)
		c.socket.log.InfoContext(ctx, "slack connection open", "num_connections", f.NumConnections, "expected_seconds", f.Debug.Seconds)
		close(c.up)
	})
}

// greeted waits for the hello; a connection that had it, and is to be replaced already, counts.
func (c *socketConn) greeted(ctx context.Context) error {
	select {
	case <-c.up:
	case <-c.leaving.Done():
		if !c.live.Load() {
			return context.Cause(c.leaving)
		}
	case <-ctx.Done():
		return connError(errors.New("no hello"))
	}
	return nil
}

// disconnect is what Slack says before it closes a connection.
func (c *socketConn) disconnect(reason string) {
	switch reason {
	case "link_disabled":
		c.down()
		c.replace(errSwitchedOff)
	case "too_many_websockets":
		c.replace(errTooManyConns)
	default: // warning, refresh_requested
		c.replace(fmt.Errorf("%w: %.60q", errRefresh, reason))
	}
}

// take answers an envelope beside the others.
func (c *socketConn) take(ctx context.Context, f frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped || c.inHand.Acquire(ctx, 1) != nil { // a place is given back within the time of an answer
		return // another connection will get it
	}
	c.socket.conns.Go(func() {
		defer c.inHand.Release(1)
		c.answer(ctx, f)
	})
}

func (c *socketConn) answer(ctx context.Context, f frame) {
	log := c.socket.log.With("envelope", f.ID, "type", f.Type)
	ack, err := f.answer(ctx, c.socket.router, time.Now())
	if err != nil {
		log.ErrorContext(ctx, "answer not as it should be", "err", err)
	}
	if ack == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, c.socket.times.drain)
	defer cancel()
	if err := c.ws.Write(ctx, websocket.MessageText, ack); err != nil {
		log.WarnContext(ctx, "answer not delivered: slack sends this again", "err", connError(err))
	}
}

// retire hangs up: at once when the app ends, else when Slack had time to do it: until
// then it may still use this connection. The envelopes in hand are answered first.
func (c *socketConn) retire(ctx context.Context) {
	select {
	case <-time.After(c.socket.times.linger):
	case <-c.ended:
	case <-ctx.Done():
	}
	c.finish()
	closed := make(chan struct{})
	go func() { // for the library's five seconds at most: it may hold the reading itself, and then hears no hangUp
		defer close(closed)
		_ = c.ws.Close(websocket.StatusNormalClosure, "") // gone already, or silent
	}()
	select {
	case <-closed:
	case <-time.After(c.socket.times.bye):
	}
	c.hangUp()
	c.stopTimers()
}

// finish takes no more envelopes, and waits until those in hand are answered, or for
// as long as may be.
func (c *socketConn) finish() {
	c.mu.Lock()
	c.stopped = true
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), c.socket.times.drain)
	defer cancel()
	_ = c.inHand.Acquire(ctx, c.room) // or for as long as may be
}
