package bot

import (
	"context"
	"errors"
	"strings"

	"github.com/coder/websocket"
)

// maxFrame bounds a frame of Slack's as maxBody does a request.
const maxFrame = maxBody

// open dials a new connection and returns it when Slack has said hello.
func (s *Socket) open(ctx context.Context) (*socketConn, error) {
	opening, cancel := context.WithTimeout(ctx, s.times.hello)
	defer cancel()
	address, err := s.ask(opening)
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

// ask gets the address of a connection: a secret, good for one connection.
func (s *Socket) ask(ctx context.Context) (string, error) {
	const method = "apps.connections.open"
	var answer struct {
		URL string `json:"url"`
	}
	if _, err := s.api.call(ctx, method, nil, &answer); err != nil {
		return "", err
	}
	laptop := strings.HasPrefix(s.api.transport.base, "http://") // where Slack is, too
	if safe := strings.HasPrefix(answer.URL, "wss://") || laptop && strings.HasPrefix(answer.URL, "ws://"); !safe {
		return "", &Error{Method: method, class: []error{ErrTryLater}, cause: errors.New("not the address of a safe connection")}
	}
	return answer.URL, nil
}

func (c *socketConn) dial(ctx context.Context, address string) error {
	ws, resp, err := websocket.Dial(ctx, address, &websocket.DialOptions{
		HTTPClient:     c.socket.api.transport.http,
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
func connError(err error) error { return lost("socket", err, false) }
