package upstream

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"

	"darkroom/order"
)

const userAgent = "darkroom"

// request is one operation before it is signed.
type request struct {
	op       string
	method   string
	path     string // escaped, below the base address; "": made of the order's ID and verb
	verb     string // the end of the order's path
	id       string // of the order; "" for a new order, a list or the balance
	params   params
	want     order.Status // required status in the answer; "": any
	optional bool         // a service may lack the operation
	resent   int          // number of earlier attempts; always 0 for a write
	forged   bool         // has a wrong signature, to see the service refuse it
}

func (r request) write() bool { return r.method != http.MethodGet }

// lost returns the outcome of a request without a clear answer.
func (r request) lost() error {
	if r.write() {
		return order.ErrUnknown
	}
	return order.ErrUnavailable
}

// call performs a request: a write once, a read with retries.
func (c *Client) call(ctx context.Context, r request) (*answer, error) {
	if r.write() {
		return c.attempt(ctx, r)
	}
	return c.retry(ctx, r)
}

// ask performs a request and reads the result from its answer. A success without the result is not a clear
// answer.
func ask[T any](ctx context.Context, c *Client, r request, read func(form) (T, error)) (result T, err error) {
	a, err := c.call(ctx, r)
	if err != nil {
		return result, err
	}
	defer a.done()
	if result, err = read(a.form); err != nil {
		err = a.failed(r, r.lost(), err.Error())
	}
	c.counted(a.call, err)
	return result, err
}

// attempt sends a request once. It counts a failed attempt. [ask] counts the others, since reading the answer
// may still fail. A refusal has an answer, too.
func (c *Client) attempt(ctx context.Context, r request) (*answer, error) {
	call := Call{Op: r.op, Again: r.resent > 0}
	ctx, span := c.begin(ctx, r)
	a, err := c.send(ctx, r, &call)
	end(span, a, err)
	if a != nil {
		a.call = call
	}
	if err != nil {
		c.counted(call, err)
	}
	if a != nil && err != nil {
		a.done()
	}
	return a, err
}

// send waits for the rate limit, signs the request, sends it and judges the answer. It records the duration of
// both steps in call.
func (c *Client) send(ctx context.Context, r request, call *Call) (*answer, error) {
	if c.cfg.Limiter != nil {
		began := time.Now()
		err := c.cfg.Limiter.Wait(ctx)
		call.Waited = time.Since(began)
		if err != nil {
			return nil, c.unsent(r, err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	signed := r.params.signed(c.cfg.dialect(c.sendsJSON(r)), c.cfg.Key, c.cfg.Secret, time.Now().Add(-c.ahead).Unix())
	if r.forged {
		signed["signature"] = strings.Repeat("0", len(signed["signature"].(string)))
	}
	req, err := c.build(ctx, r, signed)
	if _, tooLong := errors.AsType[*order.InputError](err); tooLong {
		return nil, err
	}
	if err != nil {
		return nil, c.unsent(r, err)
	}
	began := time.Now()
	a := c.exchange(req)
	call.Took = time.Since(began)
	basic := strings.TrimPrefix(req.Header.Get("Authorization"), "Basic ")
	a.redact = newRedactor(basic, c.cfg.Secret, c.cfg.Key, signed["signature"].(string))
	return a, a.toError(r)
}

// unsent returns the error of a request that was given up before it was sent.
func (c *Client) unsent(r request, err error) error {
	cause := newRedactor(c.cfg.Secret, c.cfg.Key).scrub(err)
	return &order.Error{Op: r.op, Outcome: order.ErrUnavailable, Problem: "not sent", Cause: cause, Settled: true}
}

// sendsJSON reports whether the parameters of a request travel in a JSON body.
func (c *Client) sendsJSON(r request) bool { return r.write() && c.cfg.Params == inJSON }

// build puts the signed parameters where the service reads them.
func (c *Client) build(ctx context.Context, r request, signed params) (*http.Request, error) {
	address := strings.TrimRight(c.base.String(), "/") + r.path
	dialect := c.cfg.dialect(c.sendsJSON(r))
	query := signed.values(dialect).Encode()
	body, kind := "", ""
	if c.sendsJSON(r) {
		dialect.numbers = true // a JSON body has real numbers, however they were signed
		body, kind = dialect.encode(signed), "application/json"
	} else if asForm, err := c.inBody(r, len(address)+1+len(query)); err != nil {
		return nil, err
	} else if asForm {
		body, kind = query, "application/x-www-form-urlencoded"
	} else {
		address += "?" + query
	}
	req, err := http.NewRequestWithContext(ctx, r.method, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.GetBody = nil // so that net/http cannot send the body twice
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", userAgent)
	if c.cfg.BasicAuth {
		req.SetBasicAuth(c.cfg.Key, c.cfg.Secret)
	}
	return req, nil
}

// exchange sends the request and reads the answer, whatever it is.
func (c *Client) exchange(req *http.Request) *answer {
	var connected atomic.Bool
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }}
	client := c.writer
	if req.Method == http.MethodGet {
		client = c.reader
	}
	resp, err := client.Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	if err != nil {
		return &answer{cause: err, unsent: !connected.Load(), done: func() {}}
	}
	defer func() { _ = resp.Body.Close() }()
	a := &answer{status: resp.StatusCode, header: resp.Header, at: time.Now()}
	a.body, a.done, a.cause = c.slots.read(req.Context(), resp)
	return a
}
