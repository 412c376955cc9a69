package workspace

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Delivery is one request to the app and what came of it.
type Delivery struct {
	Kind     string // "command", "event", or an interaction's type: "block_actions" …
	URL      string // "" over a socket
	Header   http.Header
	Body     []byte // of the request, or the whole envelope
	Socket   int    // the connection it went over, counted from 1; 0 is HTTP or none
	Envelope string // its envelope_id; "" is HTTP
	At       time.Time
	Status   int   // of the answer; 0: none came
	Err      error // ErrTimeout, or why no answer came

	Answer     []byte // the body of the answer
	AnswerType string // its Content-Type

	halt      bool // the app wants no retry
	tampering Tampering
}

// ErrTimeout says that the app did not acknowledge within the limit.
var ErrTimeout = errors.New("operation_timeout")

// Tampering is a way a request to the app can be wrong.
type Tampering int

// What Tamper can do.
const (
	Unsigned    Tampering = iota + 1 // without signature and timestamp
	Stale                            // signed ten minutes ago
	WrongSecret                      // signed with another secret
	LoseAck                          // delivered, but the answer never reaches Slack
	CutSocket                        // as LoseAck, and a socket it came over is cut; another gets it again
)

const staleness = 10 * time.Minute

// Tamper makes the next deliveries wrong. A socket carries no signature: what
// is wrong with one does not show there.
func (w *Workspace) Tamper(how Tampering, times int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trouble.tampering = append(w.trouble.tampering, slices.Repeat([]Tampering{how}, times)...)
}

func (w *Workspace) nextTampering() Tampering {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.trouble.tampering) == 0 {
		return 0
	}
	how := w.trouble.tampering[0]
	w.trouble.tampering = w.trouble.tampering[1:]
	return how
}

// AppClient is a client for requests to the app. It keeps no connection for as long as the app's five seconds for the first
// request of one: a request that takes a connection while the app closes it is lost.
func AppClient() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: 16, IdleConnTimeout: 3 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Sign is Slack's signature of a body.
// Slack: docs.slack.dev/authentication/verifying-requests-from-slack.
func Sign(secret, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("v0:" + timestamp + ":"))
	mac.Write(body)
	return "v0=" + hex.EncodeToString(mac.Sum(nil))
}

const (
	kindCommand = "command"
	kindEvent   = "event"
)

// parcel is what the app is to be told, not yet signed or enveloped.
type parcel struct {
	kind, path, contentType string
	body                    []byte // over HTTP
	payload                 object // over a socket
	header                  http.Header
	retry                   int // of an event
	retryReason             string
}

// deliver sends by the way that is switched on, unless told to do it wrong.
func (w *Workspace) deliver(p parcel) Delivery { return w.send(w.prepared(p)) }

// prepared is the parcel signed, or in its envelope.
func (w *Workspace) prepared(p parcel) Delivery {
	how := w.nextTampering()
	var d Delivery
	if w.SocketMode() {
		d = w.desk().enveloped(p)
	} else {
		d = w.signed(p, how)
	}
	d.tampering = how
	return d
}

func (w *Workspace) signed(p parcel, how Tampering) Delivery {
	w.mu.Lock()
	defer w.mu.Unlock()
	at, secret := w.now(), w.o.SigningSecret
	if how == Stale {
		at = at.Add(-staleness)
	}
	if how == WrongSecret {
		secret += "?"
	}
	header := p.header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", p.contentType)
	header.Set("User-Agent", "Slackbot 1.0 (+https://api.slack.com/robots)")
	if how != Unsigned {
		timestamp := strconv.FormatInt(at.Unix(), 10)
		header.Set("X-Slack-Request-Timestamp", timestamp)
		header.Set("X-Slack-Signature", Sign(secret, timestamp, p.body))
	}
	return Delivery{Kind: p.kind, URL: w.appURL + p.path, Header: header, Body: p.body}
}

// Replay sends a past delivery again, byte for byte, and shows nobody the
// answer.
func (w *Workspace) Replay(d Delivery) Delivery {
	d.Status, d.Answer, d.Err, d.tampering = 0, nil, nil, 0
	return w.send(d)
}

func (w *Workspace) send(d Delivery) Delivery {
	if d.Envelope != "" {
		return w.overDesk(d)
	}
	d = w.sendHTTP(d)
	if d.tampering == LoseAck || d.tampering == CutSocket {
		d.Status, d.Answer, d.Err = 0, nil, ErrTimeout
	}
	return d
}

func (w *Workspace) sendHTTP(d Delivery) Delivery {
	d.At = w.now()
	ctx, cancel := context.WithTimeout(w.ctx, w.o.AckLimit)
	defer cancel()
	d = w.exchanged(ctx, d)
	if ctx.Err() != nil && d.Err != nil {
		d.Err = ErrTimeout
	}
	defer w.change()()
	w.book.deliveries = append(w.book.deliveries, d)
	return d
}

func (w *Workspace) exchanged(ctx context.Context, d Delivery) Delivery {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, bytes.NewReader(d.Body))
	if err != nil {
		d.Err = err
		return d
	}
	request.Header = d.Header.Clone()
	answer, err := w.client.Do(request)
	if err != nil {
		d.Err = err
		return d
	}
	defer func() { _ = answer.Body.Close() }()
	d.Answer, d.Err = io.ReadAll(io.LimitReader(answer.Body, maxBody))
	d.Status, d.AnswerType = answer.StatusCode, answer.Header.Get("Content-Type")
	d.halt = answer.Header.Get("X-Slack-No-Retry") == "1"
	return d
}

// Acknowledged tells whether the app answered 2xx in time.
func (d Delivery) Acknowledged() bool { return d.Err == nil && d.Status/100 == 2 }

// failure is Slack's word for a delivery that was not acknowledged.
func (d Delivery) failure() string {
	switch {
	case errors.Is(d.Err, ErrTimeout):
		return "operation_timeout"
	case d.Err != nil:
		return "dispatch_failed"
	}
	return "http_service_error"
}
