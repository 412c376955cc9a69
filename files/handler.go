package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/jellydator/ttlcache/v3"
)

// ErrGone is what a [Source] says of a file that was deleted or that the app may not see.
var ErrGone = errors.New("file is gone from Slack")

// A Source opens files of Slack's. Open returns the response to a GET of the file's
// private address with this Range header ("" asks for all of it): 200, 206 or 416. The
// error is [ErrGone], or anything else for "later". Reading stops when ctx ends.
type Source interface {
	Open(ctx context.Context, file, rng string) (*http.Response, error)
}

var errMethod = errors.New("method not allowed")

// Handler answers [Path] by passing photos on from Slack.
type Handler struct {
	signer *Signer
	source Source
	log    *slog.Logger
	kinds  *ttlcache.Cache[string, string] // by file, see [newKinds]

	places   *places
	patience time.Duration // how long one more waits for a place
	idle     time.Duration // the longest pause, on either side
	pace     int64         // bytes a second that a reader takes at least, on average
	overall  time.Duration // the longest stream
}

// NewHandler makes one. Its bounds are for a service that fetches all photos of an order
// at once: 64 streams of 64 kB each, half of them of one of many workspaces, four of one photo with a dozen more that wait for it,
// 16 kB a second at least, and half an hour for the slowest. One photo is asked for sixteen times
// a second at most, so that its readers do not use up what Slack allows for all. Each replica has these bounds.
func NewHandler(s *Signer, src Source, log *slog.Logger) *Handler {
	return &Handler{
		signer: s, source: src, log: log, kinds: newKinds(),
		places: newPlaces(64, 32, 4, 12), patience: 10 * time.Second,
		idle: 30 * time.Second, pace: 16 << 10, overall: 30 * time.Minute,
	}
}

// ServeHTTP answers GET and HEAD of /files/{token}/{name}. A path in front of /files/ is
// passed over: not every proxy cuts off the one of the public URL.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, rest, _ := strings.Cut(r.URL.Path, Path)
	token, name, _ := strings.Cut(rest, "/")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		h.refuse(w, "", errMethod)
		return
	}
	file, err := h.signer.Verify(token, time.Now())
	if err != nil {
		h.refuse(w, "", err)
		return
	}
	if err := h.serve(w, r, file, name); err != nil && r.Context().Err() == nil {
		h.refuse(w, file, err)
	}
}

// serve returns an error only while nothing has been answered yet.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, file, name string) error {
	ctx, cancel := context.WithTimeout(r.Context(), h.overall)
	defer cancel()
	workspace, _ := Whose(file)
	leave, err := h.places.enter(ctx, place{workspace, file}, h.patience)
	if err != nil {
		return err
	}
	defer leave()
	// A source that pauses too long, while opening or later, loses its context.
	watch := time.AfterFunc(h.idle, cancel)
	defer watch.Stop()
	p, err := h.open(ctx, r, file)
	if err != nil {
		return err
	}
	defer func() { _ = p.resp.Body.Close() }()
	p.describe(w.Header(), name)
	w.WriteHeader(p.resp.StatusCode)
	if r.Method == http.MethodHead || p.resp.StatusCode == http.StatusRequestedRangeNotSatisfiable {
		return nil
	}
	if err := h.pass(w, p, watch); err != nil {
		if r.Context().Err() == nil {
			h.log.Warn("photo broken off", "file", file, "err", err)
		}
		// What went out is only a part: the connection must not end as if it were all.
		panic(http.ErrAbortHandler)
	}
	return nil
}

// pass hands the photo on in pieces; each must be read and written in time.
func (h *Handler) pass(w http.ResponseWriter, p *photo, watch *time.Timer) error {
	out := http.NewResponseController(w)
	buf := make([]byte, 64<<10)
	reader := slowness{pace: h.pace, idle: h.idle}
	for {
		watch.Reset(h.idle)
		n, readErr := p.body.Read(buf)
		watch.Stop()
		if n > 0 {
			began := time.Now()
			if err := out.SetWriteDeadline(reader.deadline(began)); err != nil && !errors.Is(err, http.ErrNotSupported) {
				return fmt.Errorf("write deadline: %w", err)
			}
			if _, err := w.Write(buf[:n]); err != nil {
				return fmt.Errorf("client: %w", err)
			}
			reader.took(n, time.Since(began))
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return fmt.Errorf("source: %w", readErr)
		}
	}
}

// slowness measures whoever takes or sends pieces: a place is not theirs who move next to nothing for as long as they can.
type slowness struct {
	pace   int64         // bytes a second
	idle   time.Duration // the longest pause, and what anybody may be behind
	window time.Duration // how much anybody may be ahead; 0: all that was moved counts
	bytes  int64         // moved so far
	waited time.Duration // for them alone: the other side's slowness is not theirs
}

// deadline is when the next piece must be there.
func (s *slowness) deadline(now time.Time) time.Time {
	return now.Add(s.idle - max(0, s.behind()))
}

// behind is how much more time they took than the pace gives.
func (s *slowness) behind() time.Duration {
	return s.waited - time.Duration(float64(s.bytes)/float64(s.pace)*float64(time.Second))
}

// over says that they fell too far behind.
func (s *slowness) over() bool { return s.behind() >= s.idle }

func (s *slowness) took(n int, after time.Duration) {
	s.bytes, s.waited = s.bytes+int64(n), s.waited+after
	if ahead := -s.behind(); s.window > 0 && ahead > s.window {
		s.waited += ahead - s.window
	}
}

// refusal is one error as it looks from outside.
type refusal struct {
	err    error
	status int
	says   string
}

// answerTo finds an error in a table; what is not there has the answer that is given.
func answerTo(table []refusal, err error, status int, says string) (int, string) {
	for _, r := range table {
		if errors.Is(err, r.err) {
			status, says = r.status, r.says
		}
	}
	return status, says
}

// sayRefused answers with a sentence.
func sayRefused(w http.ResponseWriter, status int, says string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if status >= http.StatusInternalServerError {
		w.Header().Set("Retry-After", "30")
	}
	http.Error(w, says, status)
}

// refusals is what an error looks like from outside: as little as possible.
var refusals = []refusal{
	{errMethod, http.StatusMethodNotAllowed, "Only GET and HEAD work here."},
	{ErrForged, http.StatusForbidden, "This address was not made by Darkroom."},
	{ErrExpired, http.StatusGone, "This address has expired."},
	{ErrGone, http.StatusGone, "This photo is no longer there."},
	{ErrNotPicture, http.StatusUnsupportedMediaType, "This file is not a photo."},
	{ErrEmpty, http.StatusUnsupportedMediaType, "This file is not a photo."},
	{errBusy, http.StatusServiceUnavailable, "Too many photos are on their way. Try again in a moment."},
	{errFileBusy, http.StatusServiceUnavailable, "Too many are fetching this photo at once. Try again in a moment."},
}

// refuse answers an error; whatever is not in the table is Slack's doing and worth a line
// in the log.
func (h *Handler) refuse(w http.ResponseWriter, file string, err error) {
	status, says := answerTo(refusals, err, http.StatusBadGateway, "The photo cannot be fetched from Slack now. Try again in a moment.")
	switch {
	case errors.Is(err, errFileBusy): // whoever holds an address may make as many of these as they like
		h.log.Debug("photo asked for too often", "file", file)
	case status >= http.StatusInternalServerError:
		h.log.Warn("photo not served", "file", file, "err", err)
	}
	sayRefused(w, status, says)
}
