package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	pace       = 100 * time.Millisecond // between two looks of a stream
	pulse      = 15 * time.Second       // between two signs of life
	readerTime = 10 * time.Second       // for a browser to take an event
)

// source is something that a tab follows. A tab's stream looks at it at once and after
// every change, at most ten times a second, and sends what it then has to tell.
type source struct {
	event   string
	changed func() <-chan struct{} // taken before looking; closed at the next change
	tell    func() any
}

// stream tells a tab all that is before the person, and again whenever it changed.
func (p *Page) stream(rw http.ResponseWriter, r *http.Request, s *seat) {
	l := lookOf(r)
	p.follow(rw, r, source{event: "state", changed: p.ws.Changed, tell: func() any { return p.snapshot(s, l) }})
}

// follow sends events until the browser goes away, does not read them, or the page closes.
// The same thing is not told twice in a row.
func (p *Page) follow(rw http.ResponseWriter, r *http.Request, from source) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	default:
		refuse(rw, errBusy)
		return
	}
	p.running.Add(1)
	defer p.running.Done()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(p.ctx, cancel)()
	rw.Header().Set("Content-Type", "text/event-stream")
	t := &teller{rw: rw, control: http.NewResponseController(rw)}
	t.write(": hello\n\n") // a browser waits for the first byte before it says that the stream is open
	for t.err == nil && ctx.Err() == nil {
		changed, noticed := from.changed(), p.noticed()
		t.send(from.event, from.tell())
		t.rest(ctx)
		t.await(ctx, changed, noticed)
	}
}

// teller writes to one browser; err is why it stopped.
type teller struct {
	rw      http.ResponseWriter
	control *http.ResponseController
	last    []byte
	err     error
}

func (t *teller) send(event string, what any) {
	data, err := json.Marshal(what)
	if err != nil {
		t.err = err
		return
	}
	if bytes.Equal(data, t.last) {
		return
	}
	t.last = data
	t.write(fmt.Sprintf("event: %s\ndata: %s\n\n", event, data))
}

func (t *teller) write(text string) {
	if t.err != nil {
		return
	}
	if t.err = t.control.SetWriteDeadline(time.Now().Add(readerTime)); t.err != nil {
		return
	}
	if _, t.err = io.WriteString(t.rw, text); t.err != nil {
		return
	}
	if t.err = t.control.Flush(); t.err == nil {
		t.err = t.control.SetWriteDeadline(time.Time{}) // silence is no slowness
	}
}

// rest keeps the pace.
func (t *teller) rest(ctx context.Context) {
	timer := time.NewTimer(pace)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// await waits for a change, with a sign of life now and then.
func (t *teller) await(ctx context.Context, changed, noticed <-chan struct{}) {
	ticker := time.NewTicker(pulse)
	defer ticker.Stop()
	for t.err == nil {
		select {
		case <-changed:
			return
		case <-noticed:
			return
		case <-ctx.Done():
			return
		case <-ticker.C:
			t.write(": alive\n\n")
		}
	}
}
