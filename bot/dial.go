package bot

import (
	"context"

	"github.com/coder/websocket"

	"darkroom/bot/client"
)

// maxFrame bounds a frame of a socket, like maxBody a request.
const maxFrame = maxBody

// open dials a new connection and waits for Slack's hello.
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
		OnPingReceived: func(context.Context, []byte) bool { c.markActive(); return true },
		OnPongReceived: func(context.Context, []byte) { c.markActive() },
	})
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close()
	}
	if err != nil {
		return connError(err)
	}
	ws.SetReadLimit(maxFrame)
	c.ws = ws
	return nil
}

// connError returns the error of a failed connection, without its secret address.
func connError(err error) error { return client.Lost("socket", err) }
