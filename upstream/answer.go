package upstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"darkroom/order"
)

// answer is the response to one attempt, or the error that ended the attempt.
type answer struct {
	status int // 0: no answer
	header http.Header
	body   []byte
	at     time.Time // of the first byte
	cause  error     // the error that ended the exchange early
	unsent bool      // the request certainly never left
	form   form      // the decoded body; toError sets it
	redact *redactor
	call   Call
	done   func() // frees the memory of the body for other answers; nothing may read the body afterwards
}

// form is the JSON object of every answer of the service.
type form struct {
	Errors       reasons `json:"errors"`
	Data         rawJSON `json:"data"`
	PerPage      count   `json:"per_page"`
	CurrentPage  count   `json:"current_page"`
	TotalPages   count   `json:"total_pages"`
	TotalResults count   `json:"total_results"`
}

// toError alone turns an answer into an error. It is nil if the service reports success, and a refusal only if
// the service certainly did nothing. Everything else is the lost outcome of the request.
func (a *answer) toError(r request) error {
	var valid bool
	a.form, valid = readForm(a.body)
	texts := a.form.Errors.texts
	// hasOrder reads all of data, so the success case does not call it.
	switch {
	case a.unsent:
		return a.failed(r, order.ErrUnavailable, "not sent")
	case a.status == http.StatusTooManyRequests && !hasOrder(a.form.Data):
		return a.failed(r, order.ErrRateLimited, "")
	case a.cause != nil:
		return a.failed(r, r.lost(), "")
	case !valid && r.optional && (a.status == http.StatusNotFound || a.status == http.StatusMethodNotAllowed):
		return a.failed(r, order.ErrNoSuchPath, "")
	case !valid:
		return a.failed(r, r.lost(), "an answer that is not the service's")
	case len(texts) > 0 && hasOrder(a.form.Data):
		return a.failed(r, r.lost(), "errors and an order at once")
	case len(texts) > 0 && (a.refuses() || !a.form.Errors.malformed && order.Recognised(r.op, texts)):
		return a.failed(r, order.ErrRefused, "")
	case len(texts) > 0, a.form.Errors.malformed:
		return a.failed(r, r.lost(), "an error that says nothing sure")
	case a.status/100 != 2:
		return a.failed(r, r.lost(), "no reason given")
	}
	return nil
}

// refuses reports whether errors with this status are a refusal, whatever their text. 408 is not: the service
// may have acted before the timeout.
func (a *answer) refuses() bool {
	return a.status/100 == 2 || a.status/100 == 4 && a.status != http.StatusRequestTimeout
}

func (a *answer) failed(r request, outcome error, problem string) error {
	e := &order.Error{
		Op:         r.op,
		Outcome:    outcome,
		Status:     a.status,
		Messages:   a.redact.all(a.form.Errors.texts),
		RetryAfter: retryAfter(a.header, a.at),
		Problem:    a.redact.text(problem),
		Cause:      a.redact.scrub(a.cause),
	}
	if ahead := skew(a.header, a.at); ahead.Abs() > clockLimit {
		e.ClockSkew = ahead
	}
	return e
}

// order returns the order in an answer. It must be the requested order and, after a write, have the wanted
// status.
func (r request) order(f form) (order.Order, error) {
	o := orderOf(f.Data)
	switch {
	case o.ID == "":
		return order.Order{}, errors.New("an answer without an order id")
	case r.id != "" && o.ID != r.id:
		return order.Order{}, errors.New("an answer about another order")
	case r.want != "" && o.Status != r.want:
		return order.Order{}, fmt.Errorf("an answer with status %q", o.Status)
	}
	return o, nil
}

// readForm decodes the body. valid is false unless it is a JSON object with errors or data.
func readForm(body []byte) (f form, valid bool) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if json.Unmarshal(body, &f) != nil {
		return form{}, false
	}
	return f, f.Errors.present || f.Data != nil
}

// hasOrder reports whether data has a field of any order. A longer list than mostItems counts as having one.
func hasOrder(data []byte) bool {
	items, _ := elements(data)
	n := 0
	for item := range items {
		var o wireOrder
		if n++; n > mostItems || json.Unmarshal(item, &o) == nil && o.present() {
			return true
		}
	}
	return false
}
