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

// answer is what came back for one attempt, or why nothing did.
type answer struct {
	status int // 0: no answer
	header http.Header
	body   []byte
	at     time.Time
	cause  error // what ended the exchange early
	unsent bool  // the request certainly never left
	form   form  // the body, once toError found it readable
	redact *redactor
	call   Call   // how it went, for whoever counts
	done   func() // gives up the place of the body, once nobody reads it any more
}

// form is the service's own form of an answer.
type form struct {
	Errors       complaints `json:"errors"`
	Data         part       `json:"data"`
	PerPage      count      `json:"per_page"`
	CurrentPage  count      `json:"current_page"`
	TotalPages   count      `json:"total_pages"`
	TotalResults count      `json:"total_results"`
}

// toError is the one place that turns an answer into an error: nil when the
// service reports no error, a refusal only when it certainly did nothing, and
// the lost outcome for everything that is neither.
func (a *answer) toError(r request) error {
	var ours bool
	a.form, ours = readForm(a.body)
	reasons := a.form.Errors.texts
	// Whether data tells of an order is asked only of what is no success: it means reading all of it.
	switch {
	case a.unsent:
		return a.failed(r, order.ErrUnavailable, "not sent")
	case a.status == http.StatusTooManyRequests && !tellsOrder(a.form.Data):
		return a.failed(r, order.ErrRateLimited, "")
	case a.cause != nil:
		return a.failed(r, r.lost(), "")
	case !ours && r.optional && (a.status == http.StatusNotFound || a.status == http.StatusMethodNotAllowed):
		return a.failed(r, order.ErrNoSuchPath, "")
	case !ours:
		return a.failed(r, r.lost(), "an answer that is not the service's")
	case len(reasons) > 0 && tellsOrder(a.form.Data):
		return a.failed(r, r.lost(), "errors and an order at once")
	case len(reasons) > 0 && (a.refuses() || !a.form.Errors.odd && order.Recognised(r.op, reasons)):
		return a.failed(r, order.ErrRefused, "")
	case len(reasons) > 0, a.form.Errors.odd:
		return a.failed(r, r.lost(), "an error that says nothing sure")
	case a.status/100 != 2:
		return a.failed(r, r.lost(), "no reason given")
	}
	return nil
}

// refuses reports whether errors with this status are a refusal, whatever
// they say. 408 says that the time was over, not what happened in it.
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

// order is the order that the answer tells about. It must be the one that was
// asked for and, after a write, be as asked for.
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

// readForm decodes the body; ours is false when it is not the service's form:
// a JSON object with errors or data.
func readForm(body []byte) (f form, ours bool) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if json.Unmarshal(body, &f) != nil {
		return form{}, false
	}
	return f, f.Errors.present || f.Data != nil
}

// tellsOrder reports whether data says anything about any order. More than anybody reads may say anything.
func tellsOrder(data []byte) bool {
	items, _ := elements(data)
	n := 0
	for item := range items {
		var o wireOrder
		if n++; n > mostItems || json.Unmarshal(item, &o) == nil && o.told() {
			return true
		}
	}
	return false
}
