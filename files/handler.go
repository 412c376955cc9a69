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

// ErrGone says that a file was deleted, or that the app may not see it.
var ErrGone = errors.New("file is gone from Slack")

// A Source opens Slack files. Open returns the response to a GET of the file's private address, with
// rng as its Range header ("": the whole file). The status is 200, 206 or 416. The error is [ErrGone],
// or another one that may pass. Reading stops when ctx ends.
type Source interface {
	Open(ctx context.Context, file, rng string) (*http.Response, error)
}

var errMethod = errors.New("method not allowed")

// Handler answers [Path] and passes photos on from Slack.
type Handler struct {
	signer *Signer
	source Source
	log    *slog.Logger
	types  *ttlcache.Cache[string, string] // by file, see [newTypeCache]

	limits  *streamLimits
	maxWait time.Duration // for a slot
	idle    time.Duration // the longest pause, on either side
	pace    int64         // the least bytes a second that a reader takes, on average
	overall time.Duration // the longest stream
}

// NewHandler returns a handler for a service that fetches all photos of an order at once. Each replica allows
// 64 streams of 64 kB each, 32 of one workspace (if there are many), and four of one photo. Twelve more may wait
// for a photo. A reader takes 16 kB a second or more; a stream lasts half an hour at most. One photo is requested
// sixteen times a second at most, so that its readers do not use up Slack's limit for all.
func NewHandler(s *Signer, src Source, log *slog.Logger) *Handler {
	return &Handler{
		signer: s, source: src, log: log, types: newTypeCache(),
		limits: newStreamLimits(64, 32, 4, 12), maxWait: 10 * time.Second,
		idle: 30 * time.Second, pace: 16 << 10, overall: 30 * time.Minute,
	}
}

// ServeHTTP answers GET and HEAD of /files/{token}/{name}. It ignores a path in front of /files/, since not
// every proxy cuts off the path of the public URL.
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

// serve returns an error only before it has answered anything.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, file, name string) error {
	ctx, cancel := context.WithTimeout(r.Context(), h.overall)
	defer cancel()
	workspace, _ := SplitFile(file)
	leave, err := h.limits.acquire(ctx, streamKey{workspace, file}, h.maxWait)
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
	if err := h.stream(w, p, watch); err != nil {
		if r.Context().Err() == nil {
			h.log.Warn("photo broken off", "file", file, "err", err)
		}
		// Only a part was sent: the connection must not end as if it were complete.
		panic(http.ErrAbortHandler)
	}
	return nil
}

// stream passes the photo on in pieces. Each must be read and written in time.
func (h *Handler) stream(w http.ResponseWriter, p *photo, watch *time.Timer) error {
	out := newClientWriter(w, h.pace, h.idle)
	buf := make([]byte, 64<<10)
	for {
		watch.Reset(h.idle)
		n, readErr := p.body.Read(buf)
		watch.Stop()
		if n > 0 {
			if _, err := out.Write(buf[:n]); err != nil {
				return fmt.Errorf("client: %w", err)
			}
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return fmt.Errorf("source: %w", readErr)
		}
	}
}

// refusal is the answer to an error.
type refusal struct {
	err     error
	status  int
	message string
}

// refusalFor finds the answer to an error in a table; status and message are the default.
func refusalFor(table []refusal, err error, status int, message string) (int, string) {
	for _, r := range table {
		if errors.Is(err, r.err) {
			status, message = r.status, r.message
		}
	}
	return status, message
}

// writeRefusal answers with a sentence.
func writeRefusal(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if status >= http.StatusInternalServerError {
		w.Header().Set("Retry-After", "30")
	}
	http.Error(w, message, status)
}

// refusals maps errors to answers. They tell as little as possible.
var refusals = []refusal{
	{errMethod, http.StatusMethodNotAllowed, "Only GET and HEAD work here."},
	{ErrForged, http.StatusForbidden, "This link is not from Darkroom."},
	{ErrExpired, http.StatusGone, "This link has expired."},
	{ErrGone, http.StatusGone, "This photo is no longer there."},
	{ErrNotPicture, http.StatusUnsupportedMediaType, "This file is not a photo."},
	{ErrEmpty, http.StatusUnsupportedMediaType, "This file is not a photo."},
	{errBusy, http.StatusServiceUnavailable, "Too many photos are on their way. Try again in a moment."},
	{errFileBusy, http.StatusServiceUnavailable, "Too many are fetching this photo at once. Try again in a moment."},
}

// refuse answers an error. An error outside the table comes from Slack and is logged.
func (h *Handler) refuse(w http.ResponseWriter, file string, err error) {
	status, message := refusalFor(refusals, err, http.StatusBadGateway, "The photo cannot be fetched from Slack now. Try again in a moment.")
	switch {
	case errors.Is(err, errFileBusy): // anyone with an address can cause any number of these
		h.log.Debug("photo asked for too often", "file", file)
	case status >= http.StatusInternalServerError:
		h.log.Warn("photo not served", "file", file, "err", err)
	}
	writeRefusal(w, status, message)
}
