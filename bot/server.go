package bot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"darkroom/bot/lenient"
)

// The paths a [Server] answers; each takes any of the three kinds of request.
const (
	PathEvents       = "/slack/events"
	PathCommands     = "/slack/commands"
	PathInteractions = "/slack/interactions"
)

// Server receives requests over HTTP. It checks the body's size (413, or 503 for too many large bodies at
// once), then the signature over the raw body and its timestamp (401). It decodes the body (400, or 415
// for another content type) and lets the [Router] answer. A refused request has no effect. Slack's
// certificate check of a command is unsigned and has no effect. See
// https://docs.slack.dev/authentication/verifying-requests-from-slack
type Server struct {
	signatures  []*signatures // one for each accepted secret
	router      *Router
	log         *slog.Logger
	refused     refusals
	largeBodies *semaphore.Weighted // see [maxLarge]
	observe     func(status int)    // see [Server.ObserveRefused]; may be nil
	clockOff    rate.Sometimes

	verification       func(verified bool)
	verificationFailed rate.Sometimes
}

// NewServer returns a Server that accepts requests signed with any of the comma-separated secrets. Several
// secrets allow rotation: Slack signs with a new one as soon as it exists. Without a secret, the Server
// accepts nothing. log may be nil.
func NewServer(secrets string, router *Router, log *slog.Logger) *Server {
	log = logger(log)
	return &Server{
		signatures: signaturesOf(secrets), router: router, log: log, refused: refusals{log: log, counts: map[int]int{}},
		clockOff: rate.Sometimes{Interval: clockEvery}, verificationFailed: rate.Sometimes{Interval: verificationEvery},
		largeBodies: semaphore.NewWeighted(maxLarge),
	}
}

// ObserveRefused sets a function that is called for each refused request with the answered status. The
// status is 200 for a request of unknown type. Set it before the first request; it must return at once.
func (s *Server) ObserveRefused(observe func(status int)) { s.observe = observe }

// refusal is the error of a request that is answered with an HTTP status.
type refusal struct {
	status int
	err    error
}

func (r refusal) Error() string { return r.err.Error() }

// ServeHTTP answers one request of Slack's.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	ctx := context.WithoutCancel(r.Context()) // a click counts even if the connection breaks
	requests, challenge, err := s.open(w, r)
	switch {
	case err != nil:
		s.refuse(ctx, w, r, err)
	case challenge != "":
		s.verified(challenge)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = io.WriteString(w, challenge) // an error: the client has gone
	default:
		s.answer(ctx, w, s.router.handleAll(ctx, requests, arrived))
	}
}

// open checks and decodes a request. A url_verification returns a challenge instead of requests.
func (s *Server) open(w http.ResponseWriter, r *http.Request) (requests []Request, challenge string, err error) {
	switch r.URL.Path {
	case PathEvents, PathCommands, PathInteractions:
	default:
		return nil, "", refusal{http.StatusNotFound, errors.New("no such path")}
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return nil, "", refusal{http.StatusMethodNotAllowed, errors.New("not a POST")}
	}
	body := newBody(s.largeBodies)
	defer body.release()
	if err := s.read(w, r, body); err != nil {
		return nil, "", err
	}
	contentType := r.Header.Get("Content-Type")
	if sslCheck(contentType, body.bytes) {
		return nil, "", nil
	}
	at, err := s.verify(r.Context(), r.Header, body.bytes)
	if errors.Is(err, errSignature) {
		s.unverified(r.Context(), r.Header, body.bytes)
	}
	if err != nil {
		return nil, "", refusal{http.StatusUnauthorized, err}
	}
	return decodeBody(contentType, body.bytes, at)
}

// read reads a request's body. Without a plausible signature it reads one small buffer at most.
func (s *Server) read(w http.ResponseWriter, r *http.Request, into *requestBody) error {
	if maySign(r.Header) {
		return into.read(w, r, maxBody)
	}
	err := into.read(w, r, smallBody-1) // one byte is left to read the end
	if no, ok := errors.AsType[refusal](err); ok && no.status == http.StatusRequestEntityTooLarge {
		return refusal{http.StatusUnauthorized, errSignature}
	}
	return err
}

// The content types of what Slack sends.
const (
	jsonType = "application/json"
	formType = "application/x-www-form-urlencoded"
)

// kindOf returns the bare content type of a body in lower case, or "" for a malformed one. It guesses a
// missing one.
func kindOf(contentType string, body []byte) string {
	switch {
	case contentType == formType, contentType == jsonType:
		return contentType
	case contentType != "":
		kind, _, err := mime.ParseMediaType(contentType)
		if err != nil {
			return ""
		}
		return kind
	case bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")):
		return jsonType
	}
	return formType
}

// decodeBody decodes a body by its kind: JSON is an event, a form with a payload an interaction, any other
// form a command. The body must not be used afterwards.
func decodeBody(contentType string, body []byte, at time.Time) (requests []Request, challenge string, err error) {
	switch kindOf(contentType, body) {
	case jsonType:
		return decodeEventBody(body, at)
	case formType:
		requests, err = decodeForm(body, at)
		return requests, "", err
	}
	return nil, "", refusal{http.StatusUnsupportedMediaType, fmt.Errorf("content type %.60q", contentType)}
}

func decodeEventBody(body []byte, at time.Time) (requests []Request, challenge string, err error) {
	var e envelope
	err = lenient.DecodeNarrow(body, &e, lenient.MaxDepth)
	switch {
	case err != nil:
		return nil, "", err
	case e.Type != typeURLVerification:
		requests, err = single(e.request(body, at))
		return requests, "", err
	case e.Challenge == "":
		return nil, "", fmt.Errorf("%w: no challenge", lenient.ErrMalformed)
	}
	return nil, e.Challenge, nil
}

// refuse answers with a bare status. Only the log has the reason.
func (s *Server) refuse(ctx context.Context, w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusBadRequest
	if no, ok := errors.AsType[refusal](err); ok {
		status = no.status
	} else if errors.Is(err, ErrUnknownType) {
		status = http.StatusOK // otherwise Slack sends it again
	}
	s.refused.note(ctx, r, status, err)
	if s.observe != nil {
		s.observe(status)
	}
	if status == http.StatusOK {
		return
	}
	switch status {
	case http.StatusUnauthorized:
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	default: // a repeat would fail the same way
		w.Header().Set("X-Slack-No-Retry", "1")
	}
	http.Error(w, http.StatusText(status), status)
}

func (s *Server) answer(ctx context.Context, w http.ResponseWriter, reply Reply) {
	if reply.Again {
		http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
		return
	}
	if reply.Body == nil {
		return
	}
	body, err := reply.encode()
	if err != nil {
		s.log.ErrorContext(ctx, "reply not written", "err", err)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // an error: the client has gone
}
