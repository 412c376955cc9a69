package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"

	"darkroom/bot/lenient"
)

const (
	maxAnswer   = 16 << 20 // bytes; a full page of history is far smaller
	responseURL = "response_url"
	uploadURL   = "upload_url"

	slowestUpload = 512 << 10 // bytes a second, for the timeout of a large upload
)

// CodeLimited is the code of a call that Slack rate-limited or that the client held back.
const CodeLimited = "ratelimited"

// transport sends all calls. It is the only place where an answer becomes an error: each is an [*Error]
// with a class.
type transport struct {
	http      *http.Client
	base      string // the Web API's URL with a trailing slash
	tokens    Tokens
	timeout   time.Duration
	log       *slog.Logger
	tracer    trace.Tracer // nil: no spans
	cooldowns *cooldowns   // by [limitOf]
	outage    *OutageWatch
	observe   func(Call) // may be nil
}

// answer has the fields that all answers of the Web API share.
type answer struct {
	OK       *bool  `json:"ok"`
	Error    string `json:"error"`
	Needed   string `json:"needed"`
	Metadata struct {
		Messages []string `json:"messages"`
	} `json:"response_metadata"`

	TS lenient.String `json:"ts"` // the timestamp of a post
}

// post sends a body and returns header and body of a successful answer. Only methods of the Web API get
// the token; other addresses are secrets themselves. It goes in a header, because proxies log headers less
// often than bodies. If the token was renewed during the call, post sends the call once more: Slack did
// nothing with it.
func (t *transport) post(ctx context.Context, method, to, kind string, body []byte) (http.Header, []byte, error) {
	header, answer, err := t.stream(ctx, method, to, kind, bytes.NewReader(body), int64(len(body)))
	if outdated(err) {
		return t.stream(ctx, method, to, kind, bytes.NewReader(body), int64(len(body)))
	}
	return header, answer, err
}

// stream is post with a body of known size that is read while it is sent.
func (t *transport) stream(ctx context.Context, method, to, kind string, body io.Reader, size int64) (http.Header, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, body)
	if err != nil {
		return nil, nil, &Error{Method: method, Class: []error{ErrGone}, Cause: errors.New("not a URL")}
	}
	req.ContentLength = size
	req.Header.Set("Content-Type", kind)
	limit := limitOf(method, to)
	err, token := t.checkCooldown(method, limit), ""
	if err == nil && to == t.base+method {
		token, err = t.authorize(ctx, req, method)
	}
	if err != nil {
		t.counted(method, time.Time{}, err)
		return nil, nil, err
	}
	began := time.Now()
	ctx, span := t.begin(ctx, method)
	resp, answer, err := t.exchange(req, method) //nolint:bodyclose // it is read and closed
	if err == nil {
		err = t.checkToken(ctx, token, checkAnswer(method, token, resp, answer))
	}
	t.end(span, err)
	t.startCooldown(ctx, limit, err)
	t.outage.report(method, began, err)
	t.counted(method, began, err)
	t.log.DebugContext(ctx, "slack call", "method", method, "took", time.Since(began), "err", err)
	if err != nil {
		return nil, nil, err
	}
	return resp.Header, answer, nil
}

// checkCooldown returns an error while Slack's limit blocks a call, else nil.
func (t *transport) checkCooldown(method, limit string) error {
	if left := t.cooldowns.left(limit); left > 0 {
		return &Error{Method: method, Code: CodeLimited, RetryAfter: left, Class: []error{ErrTryLater}}
	}
	return nil
}

// exchange sends a request and reads the whole answer.
func (t *transport) exchange(req *http.Request, method string) (*http.Response, []byte, error) {
	timeout := t.timeout
	if method == uploadURL {
		timeout = timeout*6 + time.Duration(req.ContentLength/slowestUpload)*time.Second // allows for a picture's bytes
	}
	ctx, cancel := context.WithTimeout(req.Context(), timeout)
	defer cancel()
	if err := ctx.Err(); err != nil {
		return nil, nil, &Error{Method: method, Class: []error{ErrTryLater}, Cause: err}
	}
	var asked, got atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { got.Store(true) },
	})
	resp, err := t.http.Do(req.WithContext(ctx))
	if err != nil {
		notSent := asked.Load() && !got.Load()
		return nil, nil, lost(method, err, notSent)
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end or given up
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = errors.New("answer too large")
	}
	if err != nil {
		return nil, nil, lost(method, err, false)
	}
	return resp, body, nil
}

// Lost returns the error of a call without an answer.
func Lost(method string, err error) error { return lost(method, err, false) }

// lost returns the error of a call without an answer. notSent means that no connection was made, so Slack
// cannot have executed it.
func lost(method string, err error, notSent bool) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // the URL may be a secret
	}
	class := uncertain(method)
	if notSent {
		class = []error{ErrTryLater}
	}
	return &Error{Method: method, Class: class, Cause: err}
}

// checkAnswer returns the error of an answer, or nil for success.
func checkAnswer(method, token string, resp *http.Response, body []byte) error {
	a, known := parse(method, hideToken(token, body))
	switch {
	case resp.StatusCode == http.StatusTooManyRequests, known && a.Error == "ratelimited", known && a.Error == "rate_limited":
		return limited(method, resp)
	case known && !*a.OK:
		return refused(method, resp.StatusCode, a)
	case (known || method == uploadURL) && resp.StatusCode == http.StatusOK:
		return nil
	case method == responseURL && resp.StatusCode/100 == 4:
		return &Error{Method: method, Status: resp.StatusCode, Class: []error{ErrGone}}
	}
	return &Error{Method: method, Status: resp.StatusCode, Class: uncertain(method), Cause: errors.New("not an answer of Slack's")}
}

func limited(method string, resp *http.Response) error {
	return &Error{Method: method, Code: CodeLimited, Status: resp.StatusCode, RetryAfter: retryAfter(resp.Header), Class: []error{ErrTryLater}}
}

// startCooldown blocks further calls for as long as Slack asks.
func (t *transport) startCooldown(ctx context.Context, limit string, err error) {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.RetryAfter <= 0 {
		return
	}
	t.log.WarnContext(ctx, "slack limits a method", "method", e.Method, "retry_after", e.RetryAfter)
	if limit != "" {
		_ = t.cooldowns.Block(context.Background(), limit, e.RetryAfter) // it never fails
	}
}

// limitOf returns the key of the rate limit of a call: its method or its response URL. [postLimit] handles the
// limit of [postMethod].
func limitOf(method, to string) string {
	switch method {
	case postMethod:
		return ""
	case responseURL:
		return to
	}
	return method
}

// hideToken removes the token from an answer that repeats it.
func hideToken(token string, body []byte) []byte {
	if token == "" {
		return body
	}
	return bytes.ReplaceAll(body, []byte(token), []byte("***"))
}

var bareWord = regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)

// parse decodes an answer in Slack's form: "ok" and, if that is false, an error. A response URL answers
// with a bare word or nothing.
func parse(method string, body []byte) (answer, bool) {
	var a answer
	if json.Unmarshal(body, &a) == nil {
		complete := method != postMethod || a.TS != "" // a successful post has a timestamp
		return a, a.OK != nil && (*a.OK && complete || !*a.OK && a.Error != "")
	}
	word := strings.TrimSpace(string(body))
	if method == responseURL && (word == "" || word == "ok" || bareWord.MatchString(word)) {
		ok := word == "" || word == "ok"
		return answer{OK: &ok, Error: strings.TrimPrefix(word, "ok")}, true
	}
	return answer{}, false
}
