package bot

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/coder/websocket"
)

// maxFrame bounds a frame of Slack's as maxBody does a request.
const maxFrame = maxBody

// open dials a new line and returns it when Slack has said hello.
func (s *Socket) open(ctx context.Context) (*socketConn, error) {
	opening, cancel := context.WithTimeout(ctx, s.times.hello)
	defer cancel()
	address, err := s.ask(opening)
	if err != nil {
		return nil, err
	}
	l := newLine(s)
	if err := l.dial(opening, address); err != nil {
		return nil, err
	}
	l.answerTo(context.WithoutCancel(ctx))
	select {
	case <-l.up:
		return l, nil
	case <-l.leaving.Done():
		err = context.Cause(l.leaving)
	case <-opening.Done():
		err = lineError(errors.New("no hello"))
	}
	s.retire(ctx, l)
	return nil, err
}

// ask gets the address of a line: a secret, good for one connection.
func (s *Socket) ask(ctx context.Context) (string, error) {
	const method = "apps.connections.open"
	var answer struct {
		URL string `json:"url"`
	}
	if _, err := s.api.call(ctx, method, url.Values{}, &answer); err != nil {
		return "", err
	}
	safe := strings.HasPrefix(answer.URL, "wss://")
	if strings.HasPrefix(s.api.door.base, "http://") {
		safe = safe || strings.HasPrefix(answer.URL, "ws://") // a Slack on a laptop
	}
	if !safe {
		return "", &Error{Method: method, class: []error{ErrTryLater}, cause: errors.New("not the address of a safe connection")}
	}
	return answer.URL, nil
}

func (l *socketConn) dial(ctx context.Context, address string) error {
	ws, resp, err := websocket.Dial(ctx, address, &websocket.DialOptions{
		HTTPClient:     httpClient(l.socket.transport),
		OnPingReceived: func(context.Context, []byte) bool { l.heard(); return true },
		OnPongReceived: func(context.Context, []byte) { l.heard() },
	})
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close() // nothing of it is wanted
	}
	if err != nil {
		return lineError(err)
	}
	ws.SetReadLimit(maxFrame)
	l.ws = ws
	return nil
}

// lineError is what is said of a line that failed; its address is left out.
func lineError(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return &Error{Method: "socket", class: []error{ErrTryLater}, cause: errors.New(withoutURLs(err.Error()))}
}
