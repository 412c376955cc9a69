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

// Server is HTTP delivery: it checks a request's size (413; 503 when there are too many large ones at once), then its signature over
// the raw body and the age of its timestamp (401), then decodes it (400, or 415 for a
// content type that is not Slack's) and lets the [Router] answer. What is refused has
// done nothing. Slack's check of a command's certificate is unsigned and does nothing. See https://docs.slack.dev/authentication/verifying-requests-from-slack
type Server struct {
	signatures []*signatures // of each secret that is believed
	router     *Router
	log        *slog.Logger
	refused    refusals
	held       *semaphore.Weighted // see [heldMost]
	observe    func(status int)    // nil: nobody counts what is refused
	clockOff   rate.Sometimes

	verification       func(verified bool)
	verificationFailed rate.Sometimes
}

// NewServer makes a Server that believes what is signed with a signing secret, or with one of
// several, separated by commas: Slack signs with a new one from the moment it is made. Without any it
// believes nothing. log may be nil.
func NewServer(secrets string, router *Router, log *slog.Logger) *Server {
	log = logger(log)
	return &Server{
		signatures: signaturesWith(secrets), router: router, log: log, refused: refusals{log: log, counts: map[int]int{}},
		clockOff: rate.Sometimes{Interval: clockEvery}, verificationFailed: rate.Sometimes{Interval: verificationEvery},
		held: semaphore.NewWeighted(heldMost),
	}
}

// ObserveRefused sets what is told of each request that is refused, with the status it was answered with: 200
// when it was of a kind that nobody here knows. Set it before the first request; it must return at once.
func (s *Server) ObserveRefused(observe func(status int)) { s.observe = observe }

// refusal is a request that gets no further, for another reason than what it says.
type refusal struct {
	status int
	err    error
}

func (r refusal) Error() string { return r.err.Error() }

// ServeHTTP answers one request of Slack's.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := time.Now()
	ctx := context.WithoutCancel(r.Context()) // a click counts though its connection broke
	requests, challenge, err := s.open(w, r)
	switch {
	case err != nil:
		s.refuse(ctx, w, r, err)
	case challenge != "":
		s.verified(challenge)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = io.WriteString(w, challenge) // whoever asked has gone
	default:
		s.answer(ctx, w, s.router.handleAll(ctx, requests, arrived))
	}
}

// open checks and decodes; a url_verification has a challenge instead of requests.
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
	body := newBody(s.held)
	defer body.forget()
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

// read reads the body of a request that may be Slack's.
func (s *Server) read(w http.ResponseWriter, r *http.Request, into *heldBody) error {
	if maySign(r.Header) {
		return into.read(w, r, maxBody)
	}
	err := into.read(w, r, usualBody-1) // its end is read into the same room
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

// kindOf is the bare content type of a body, in lower case; "" = a broken one. A missing
// one is guessed.
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

// decodeBody tells the three kinds apart: JSON is an event, a form with a payload an
// interaction, another form a command. The body is not needed afterwards.
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
		requests, err = alone(e.request(body, at))
		return requests, "", err
	case e.Challenge == "":
		return nil, "", fmt.Errorf("%w: no challenge", lenient.ErrMalformed)
	}
	return nil, e.Challenge, nil
}

// refuse answers without a word about why, which the log has.
func (s *Server) refuse(ctx context.Context, w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusBadRequest
	if no, ok := errors.AsType[refusal](err); ok {
		status = no.status
	} else if errors.Is(err, ErrUnknownType) {
		status = http.StatusOK // or it would come again
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
	default: // it would be the same again
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
	_, _ = w.Write(body) // whoever asked has gone
}
