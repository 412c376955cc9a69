package bot

import (
	"context"

	"github.com/coder/websocket"

	"darkroom/bot/client"
)

// maxFrame bounds a frame of Slack's as maxBody does a request.
const maxFrame = maxBody

// open dials a new connection and returns it when Slack has said hello.
func (s *Socket) open(ctx context.Context) (*socketConn, error) {
	opening, cancel := context.WithTimeout(ctx, s.times.hello)
	defer cancel()
	address, err := s.api.SocketAddress(opening)
	if err != nil {
		return nil, err
	}
	c := newSocketConn(s)
	if err := c.dial(opening, address); err != nil {
		return nil, err
	}
	c.answerTo(context.WithoutCancel(ctx))
	if err := c.greeted(opening); err != nil {
		s.retire(ctx, c)
		return nil, err
	}
	return c, nil
}

func (c *socketConn) dial(ctx context.Context, address string) error {
	ws, resp, err := websocket.Dial(ctx, address, &websocket.DialOptions{
		HTTPClient:     c.socket.api.HTTP(),
		OnPingReceived: func(context.Context, []byte) bool { c.heard(); return true },
		OnPongReceived: func(context.Context, []byte) { c.heard() },
	})
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close() // nothing of it is wanted
	}
	if err != nil {
		return connError(err)
	}
	ws.SetReadLimit(maxFrame)
	c.ws = ws
	return nil
}

// connError is what is said of a connection that failed.
func connError(err error) error { return client.Lost("socket", err) }
