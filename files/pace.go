package files

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// paceMeter measures a reader or a source, so that one that moves next to nothing loses its slot.
type paceMeter struct {
	pace   int64         // bytes a second
	idle   time.Duration // the longest pause, and how far it may fall behind
	window time.Duration // how far it may be ahead; 0: any time
	bytes  int64         // so far
	waited time.Duration // for this side only
}

// deadline returns when the next piece must be there.
func (m *paceMeter) deadline(now time.Time) time.Time {
	return now.Add(m.idle - max(0, m.behind()))
}

// behind returns how much more time the pieces took than the pace allows.
func (m *paceMeter) behind() time.Duration {
	return m.waited - time.Duration(float64(m.bytes)/float64(m.pace)*float64(time.Second))
}

// tooSlow reports whether it fell too far behind.
func (m *paceMeter) tooSlow() bool { return m.behind() >= m.idle }

// record counts a piece of n bytes that took some time.
func (m *paceMeter) record(n int, after time.Duration) {
	m.bytes, m.waited = m.bytes+int64(n), m.waited+after
	if ahead := -m.behind(); m.window > 0 && ahead > m.window {
		m.waited += ahead - m.window
	}
}

// clientWriter writes to the client, which must take each piece in time.
type clientWriter struct {
	w       io.Writer
	control *http.ResponseController
	meter   paceMeter
	err     error // the first error; later writes return it
}

func newClientWriter(w http.ResponseWriter, pace int64, idle time.Duration) *clientWriter {
	return &clientWriter{w: w, control: http.NewResponseController(w), meter: paceMeter{pace: pace, idle: idle}}
}

// Write implements [io.Writer].
func (c *clientWriter) Write(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	began := time.Now()
	if err := c.control.SetWriteDeadline(c.meter.deadline(began)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		c.err = fmt.Errorf("write deadline: %w", err)
		return 0, c.err
	}
	n, err := c.w.Write(p)
	c.meter.record(n, time.Since(began))
	c.err = err
	return n, err
}
