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

// The reasons to replace a connection.
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
	hangUp context.CancelFunc // ends the connection without a close frame

	up      chan struct{} // closed by Slack's hello
	greet   sync.Once
	leaving context.Context         // ends when the connection should be replaced
	replace context.CancelCauseFunc // asks for a replacement; the first reason counts
	ended   chan struct{}           // closed when reading has ended

	live         atomic.Bool
	silent       atomic.Bool // no activity for times.silent
	pingTimer    *time.Timer // fires when the app should ping
	silenceTimer *time.Timer // fires when the connection counts as silent

	mu      sync.Mutex
	stopped bool                // accepts no more envelopes
	maxOpen int64               // bound on open envelopes; the router answers those over its own bound as busy
	open    *semaphore.Weighted // one for each open envelope
}

func newSocketConn(s *Socket) *socketConn {
	leaving, replace := context.WithCancelCause(context.Background())
	maxOpen := 2 * s.router.maxSlots
	return &socketConn{
		socket: s, up: make(chan struct{}), leaving: leaving, replace: replace, ended: make(chan struct{}),
		maxOpen: maxOpen, open: semaphore.NewWeighted(maxOpen),
	}
}

// listen starts the timers that watch for activity and ping without it.
func (c *socketConn) listen(ctx context.Context) {
	c.silenceTimer = time.AfterFunc(c.socket.times.silent, func() {
		c.silent.Store(true)
		c.replace(errSilent)
	})
	c.pingTimer = time.AfterFunc(time.Hour, func() { // reset below, after pingTimer is assigned
		if ctx.Err() != nil { // a timer that fired while it was stopped would go on forever
			return
		}
		c.pingTimer.Reset(c.socket.times.quiet)
		ctx, cancel := context.WithTimeout(ctx, c.socket.times.quiet)
		defer cancel()
		_ = c.ws.Ping(ctx) // its pong counts as activity
	})
	c.pingTimer.Reset(c.socket.times.quiet)
}

func (c *socketConn) stopTimers() {
	c.pingTimer.Stop()
	c.silenceTimer.Stop()
}

// markActive records activity: a frame, a ping or a pong.
func (c *socketConn) markActive() {
	c.silent.Store(false)
	c.pingTimer.Reset(c.socket.times.quiet)
	c.silenceTimer.Reset(c.socket.times.silent)
}

// dropIfSilent stops counting a silent connection as open, because no successor could be opened either.
// Slack may still use it, so it stays open.
func (c *socketConn) dropIfSilent() {
	if c != nil && c.silent.Load() {
		c.down()
	}
}

// wait returns why the connection should be replaced, or nil if ctx has ended.
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

// answerTo reads envelopes until the connection ends. ctx outlives the app's context, so that open
// envelopes are answered.
func (c *socketConn) answerTo(ctx context.Context) {
	ctx, c.hangUp = context.WithCancel(ctx)
	c.listen(ctx)
	c.socket.conns.Go(func() {
		defer close(c.ended)
		defer c.stopTimers()
		for {
			kind, data, err := c.ws.Read(ctx)
			if err != nil {
				if ctx.Err() == nil { // the app did not hang up
					_ = c.ws.CloseNow() // otherwise a write could seem to succeed
				}
				c.down()
				c.replace(connError(err))
				return
			}
			c.markActive()
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

// greeted waits for Slack's hello. A connection that got it counts, even if it must be replaced already.
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

// disconnect handles Slack's notice that it closes the connection.
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

// take answers an envelope in its own goroutine.
func (c *socketConn) take(ctx context.Context, f frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped || c.open.Acquire(ctx, 1) != nil { // a slot is free after the answer's deadline at the latest
		return // Slack sends it on another connection
	}
	c.socket.conns.Go(func() {
		defer c.open.Release(1)
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

// retire closes the connection after its open envelopes are answered. Unless the app ends, it first gives
// Slack time to close it, since Slack may still use it.
func (c *socketConn) retire(ctx context.Context) {
	select {
	case <-time.After(c.socket.times.linger):
	case <-c.ended:
	case <-ctx.Done():
	}
	c.finish()
	closed := make(chan struct{})
	go func() { // Close may block for five seconds, deaf to hangUp if it reads itself
		defer close(closed)
		_ = c.ws.Close(websocket.StatusNormalClosure, "") // an error: the connection is gone or silent
	}()
	select {
	case <-closed:
	case <-time.After(c.socket.times.closing):
	}
	c.hangUp()
	c.stopTimers()
}

// finish accepts no more envelopes and waits for the open ones, within the drain time.
func (c *socketConn) finish() {
	c.mu.Lock()
	c.stopped = true
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), c.socket.times.drain)
	defer cancel()
	_ = c.open.Acquire(ctx, c.maxOpen)
}
