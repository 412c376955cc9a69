package bot

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
)

const (
	maxAnswer   = 16 << 20 // a full page of history is far below
	responseURL = "response_url"
	uploadURL   = "upload_url"
)

// transport is the HTTP client under slack-go and the single place where an answer becomes
// an error: every one that leaves it is an [*Error] with a class.
type transport struct {
	http    *http.Client
	base    string // of the Web API, with its trailing slash
	token   string
	timeout time.Duration
	log     *slog.Logger
	waits   *turns // by what [limitOf] says
}

// answer is what every answer of the Web API has.
type answer struct {
	OK       *bool  `json:"ok"`
	Error    string `json:"error"`
	Needed   string `json:"needed"`
	Metadata struct {
		Messages []string `json:"messages"`
	} `json:"response_metadata"`
}

// Do makes slack-go's calls, with the token in the header.
func (d *transport) Do(req *http.Request) (*http.Response, error) {
	if err := inHeader(req, d.token); err != nil {
		return nil, err
	}
	return d.send(req, strings.TrimPrefix(req.URL.Scheme+"://"+req.URL.Host+req.URL.Path, d.base))
}

func (d *transport) send(req *http.Request, method string) (*http.Response, error) {
	if left := d.waits.left(limitOf(req, method)); left > 0 {
		return nil, &Error{Method: method, Code: "ratelimited", RetryAfter: left, class: []error{ErrTryLater}}
	}
	began := time.Now()
	resp, body, err := d.exchange(req, method)
	if err == nil {
		err = d.judge(method, resp, body)
	}
	d.heed(limitOf(req, method), err)
	d.log.DebugContext(req.Context(), "slack call", "method", method, "took", time.Since(began), "err", err)
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(slim(method, body)))
	return resp, nil
}

// exchange sends a request and reads the whole answer. The caller's body is closed.
func (d *transport) exchange(req *http.Request, method string) (*http.Response, []byte, error) {
	timeout := d.timeout
	if method == uploadURL {
		timeout *= 6 // bytes of a picture
	}
	ctx, cancel := context.WithTimeout(req.Context(), timeout)
	defer cancel()
	if err := ctx.Err(); err != nil {
		return nil, nil, &Error{Method: method, class: []error{ErrTryLater}, cause: err}
	}
	var asked, got atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { got.Store(true) },
	})
	resp, err := d.http.Do(req.WithContext(ctx))
	if err != nil {
		never := asked.Load() && !got.Load()
		return nil, nil, d.lost(method, err, never)
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end or given up
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = errors.New("answer too large")
	}
	if err != nil {
		return nil, nil, d.lost(method, err, false)
	}
	return resp, body, nil
}

// lost is a call without an answer; never tells that no connection was made, so that
// nothing can have happened.
func (d *transport) lost(method string, err error, never bool) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // the URL may be a secret
	}
	class := uncertain(method)
	if never {
		class = []error{ErrTryLater}
	}
	return &Error{Method: method, class: class, cause: err}
}

// judge tells success from failure.
func (d *transport) judge(method string, resp *http.Response, body []byte) error {
	if resp.StatusCode == http.StatusTooManyRequests {
		return limited(method, resp)
	}
	a, known := parse(method, body)
	switch {
	case known && a.Error == "ratelimited", known && a.Error == "rate_limited":
		return limited(method, resp)
	case known && !*a.OK:
		return d.hideToken(refused(method, resp.StatusCode, a))
	case (known || method == uploadURL) && resp.StatusCode == http.StatusOK:
		return nil
	case method == responseURL && resp.StatusCode/100 == 4:
		return &Error{Method: method, Status: resp.StatusCode, class: []error{ErrGone}}
	}
	return &Error{Method: method, Status: resp.StatusCode, class: uncertain(method), cause: errors.New("not an answer of Slack's")}
}

func limited(method string, resp *http.Response) error {
	return &Error{Method: method, Code: "ratelimited", Status: resp.StatusCode, RetryAfter: retryAfter(resp.Header), class: []error{ErrTryLater}}
}

// heed leaves Slack alone for as long as it asks.
func (d *transport) heed(limit string, err error) {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.RetryAfter <= 0 {
		return
	}
	d.log.Warn("slack limits a method", "method", e.Method, "retry_after", e.RetryAfter)
	if limit != "" {
		d.waits.hold(limit, e.RetryAfter)
	}
}

// limitOf is what one of Slack's limits is about: a method, or one response URL. That of
// [postMethod] is a channel's, and kept by [pace].
func limitOf(req *http.Request, method string) string {
	switch method {
	case postMethod:
		return ""
	case responseURL:
		return method + " " + req.URL.String()
	}
	return method
}

func (d *transport) hideToken(e *Error) *Error {
	if d.token != "" {
		for i, m := range e.Messages {
			e.Messages[i] = strings.ReplaceAll(m, d.token, "***")
		}
		e.Code = strings.ReplaceAll(e.Code, d.token, "***")
		e.Needed = strings.ReplaceAll(e.Needed, d.token, "***")
	}
	return e
}

var bareWord = regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)

// parse reads an answer of Slack's form: "ok" and, when that is false, an error. A
// response URL answers with a bare word, or with nothing.
func parse(method string, body []byte) (answer, bool) {
	var a answer
	if json.Unmarshal(body, &a) == nil {
		return a, a.OK != nil && (*a.OK || a.Error != "") && (!*a.OK || complete(method, body))
	}
	word := strings.TrimSpace(string(body))
	if method == responseURL && (word == "" || word == "ok" || bareWord.MatchString(word)) {
		ok := word == "" || word == "ok"
		return answer{OK: &ok, Error: strings.TrimPrefix(word, "ok")}, true
	}
	return answer{}, false
}

// complete tells whether a success says what it must: a post has a timestamp.
func complete(method string, body []byte) bool {
	if method != postMethod {
		return true
	}
	var post struct{ TS string }
	return json.Unmarshal(body, &post) == nil && post.TS != ""
}

// slim leaves only what is used of a successful write's answer: slack-go decodes the
// whole message or view that comes back, and one block it cannot read would turn a
// post that is out into a failure.
func slim(method string, body []byte) []byte {
	var fields map[string]json.RawMessage
	if !strings.HasPrefix(method, "chat.") && !strings.HasPrefix(method, "views.") || json.Unmarshal(body, &fields) != nil {
		return body
	}
	kept := map[string]json.RawMessage{}
	for _, name := range []string{"ok", "channel", "ts", "message_ts", "view"} {
		if value, there := fields[name]; there {
			kept[name] = without(value, "blocks", "state", "title", "submit", "close")
		}
	}
	small, err := json.Marshal(kept)
	if err != nil {
		return body
	}
	return small
}
