package upstream

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/order"
)

// Findings is the result of [Discover].
type Findings struct {
	Configured Way
	Found      Way // the working way, as far as Reads and Writes say; else as Configured

	Reads  Reading
	Writes Writing
	Long   bool // the service also read a write longer than a URL may be

	Credits  decimal.NullDecimal // on the account
	Clock    time.Duration       // how far this machine's clock is ahead of the service's
	Dated    bool                // the service sent its time
	Words    []string            // the last refusal, if no way works; without secrets
	List     []string            // the refusal of the list, if Reads is ReadsAlike
	Requests int                 // answered ones
	Typical  time.Duration       // median time to an answer
	TooMany  int                 // requests turned away by the service's rate limit
}

// Reading says what is known about the signing of requests.
type Reading string

// The values of Reading.
const (
	ReadsUnknown Reading = ""        // no clear answer
	ReadsWork    Reading = "work"    // Found works
	ReadsRefused Reading = "refused" // the service refuses every way
	ReadsAlike   Reading = "alike"   // several ways work, and Found is the first
)

// Writing says what is known about the place of the parameters of a POST or a DELETE.
type Writing string

// The values of Writing.
const (
	WritesUnknown  Writing = ""          // not tried
	WritesWork     Writing = "work"      // Found works for both, as far as Long says
	WritesRefused  Writing = "refused"   // the service reads them nowhere
	WritesNoDelete Writing = "no delete" // Found works for POST; nothing works for DELETE
	WritesUntold   Writing = "untold"    // unknowable: an unsigned request has the same answer
	WritesUnasked  Writing = "unasked"   // no write was sent: the service did not say that the made-up order does not exist
)

// Errors that end a discovery early, as an [*order.Error] does when a service cannot be reached.
var (
	// ErrNotOurService: the answers do not follow the service's interface.
	ErrNotOurService = errors.New("this is not a photo service")
	// ErrInFront: every request was refused, and no answer had the form of the service's interface.
	ErrInFront = errors.New("something in front of the service refuses")
	// ErrMadeUpOrder: the service reports success for a made-up order.
	ErrMadeUpOrder = errors.New("the service knows an order that was made up")
)

// Bounds of a discovery.
const (
	discoverTimeout = 10 * time.Second // of one request
	discoverWait    = 10 * time.Second // longest Retry-After that it waits for
	mostTooMany     = 2                // refusals by the rate limit before it gives up
	mostRequests    = 40
)

// Discover finds the ways of a service that its interface leaves open. It tries the configured way first and
// stops after seven requests if that works. It never sends more than forty, at the limiter's pace.
//
// Discovery is harmless. It reads the balance and a list. To find the place of write parameters, it asks to
// approve, also at length, and to cancel an order that does not exist. The ID is made up, too long and random
// to be real. No write is sent before the service said that the order does not exist, with status 404 or in
// recognized words.
//
// With an error, the findings hold the results so far.
func Discover(ctx context.Context, cfg Config) (Findings, error) {
	cfg.Retries = -1
	if cfg.Timeout == 0 || cfg.Timeout > discoverTimeout {
		cfg.Timeout = discoverTimeout
	}
	c, err := New(cfg)
	if err != nil {
		return Findings{}, err
	}
	defer c.reader.CloseIdleConnections()
	d := &discovery{client: c, Findings: Findings{Configured: cfg.Way(), Found: cfg.Way()}}
	ways, err := d.reads(ctx)
	if err == nil && len(ways) > 0 {
		err = d.writes(ctx, ways)
	}
	if d.Found.Same(d.Configured) {
		d.Found = d.Configured
	}
	d.Typical = median(d.took)
	return d.Findings, err
}

// discovery is a discovery in progress.
type discovery struct {
	Findings
	client *Client
	took   []time.Duration
	formed bool          // an answer had the form of the service's interface
	ahead  time.Duration // subtracted from this machine's clock
}

// nasty are keywords that each dialect writes differently, each long enough for a search.
var nasty = []string{`darkroom/doctor`, `"quoted"`, `<b>&'s`, `café crème`, `camera 📷`}

// try sends a request in one way. The last error ends the discovery. The error before it is the outcome of the
// request, for the caller to judge.
func (d *discovery) try(ctx context.Context, way Way, r request) (*answer, error, error) {
	for {
		c := d.client.with(way)
		c.ahead = d.ahead
		a, err := c.attempt(ctx, r)
		if a == nil || a.status == 0 {
			return a, err, err // not sent, or no answer
		}
		d.record(a)
		a.done()
		if !errors.Is(err, order.ErrRateLimited) {
			return a, err, a.cause
		}
		if d.TooMany++; d.TooMany > mostTooMany {
			return a, err, err
		}
		if pause := max(retryAfter(a.header, a.at), time.Second); pause > discoverWait || sleep(ctx, pause) != nil {
			return a, err, err
		}
	}
}

// record stores the facts that every answer has.
func (d *discovery) record(a *answer) {
	d.Requests++
	d.took = append(d.took, a.call.Took)
	d.formed = d.formed || a.form.Errors.present
	if a.header.Get("Date") != "" {
		d.Dated, d.Clock = true, skew(a.header, a.at)
	}
	if len(a.form.Errors.texts) > 0 {
		d.Words = a.redact.all(a.form.Errors.texts)
	}
}

// reads finds the ways to sign reads; several if they cannot be told apart.
func (d *discovery) reads(ctx context.Context) ([]Way, error) {
	alike, err := d.balance(ctx)
	if err != nil || len(alike) == 0 {
		return nil, err
	}
	r := request{op: "list", method: http.MethodGet, path: "/orders", params: params{"filter_keywords": nasty, "page": int64(1)}}
	for _, way := range d.distinguishable(alike, r.params) {
		a, refused, err := d.try(ctx, way, r)
		if err != nil {
			return nil, err
		}
		if refused == nil && a.form.Data != nil {
			d.Found, d.Reads = way, ReadsWork
			return []Way{way}, nil
		}
	}
	// The list refuses these keywords for another reason. The signing of writes will decide.
	d.Found, d.Reads, d.List = alike[0], ReadsAlike, d.Words
	if len(alike) == 1 {
		d.Reads = ReadsWork
	}
	return alike, nil
}

// balance finds the ways to request the balance. It signs only a key and a time, which some dialects write
// alike.
func (d *discovery) balance(ctx context.Context) (alike []Way, err error) {
	all := readingWays(d.Configured)
	ways := d.distinguishable(all, nil)
	var last error
	for i := 0; i < len(ways); i++ {
		a, refused, err := d.try(ctx, ways[i], request{op: "balance", method: http.MethodGet, path: "/account/balance"})
		switch {
		case err != nil:
			return nil, err
		case refused == nil:
			credits, err := a.form.credits()
			if err != nil {
				return nil, ErrNotOurService
			}
			d.Credits, d.Words = decimal.NewNullDecimal(credits), nil
			text := d.signs(ways[i], nil)
			return slices.DeleteFunc(all, func(w Way) bool { return d.signs(w, nil) != text }), nil
		case !deniesAccess(a):
			return nil, notOurs(refused)
		case d.ahead == 0 && d.Clock.Abs() > clockLimit:
			last, d.ahead, i = refused, d.Clock, -1 // start again by the service's clock, to rule out a wrong time
		default:
			last = refused
		}
	}
	if !d.formed {
		return nil, errors.Join(ErrInFront, last)
	}
	d.Reads = ReadsRefused
	return nil, nil
}

// distinguishable returns the first way of each signed text of a read with these parameters.
func (d *discovery) distinguishable(ways []Way, own params) []Way {
	return distinct(ways, func(a, b Way) bool { return d.signs(a, own) == d.signs(b, own) })
}

// signs returns the signed text of a read with these parameters. Ways with the same text are indistinguishable.
func (d *discovery) signs(w Way, own params) string {
	c := d.client.with(w)
	basic := ""
	if w.BasicAuth {
		basic = "basic "
	}
	all := params{"api_key": c.cfg.Key, "timestamp": int64(0)}
	maps.Copy(all, own)
	return basic + c.cfg.dialect(false).encode(all)
}

// deniesAccess reports whether the answer may reject the credentials, from the service or a proxy.
func deniesAccess(a *answer) bool {
	return len(a.form.Errors.texts) > 0 || a.status == http.StatusUnauthorized || a.status == http.StatusForbidden
}

// notOurs returns the error for an answer that is no refusal of the service.
func notOurs(err error) error {
	if e, ok := errors.AsType[*order.Error](err); ok && e.Status/100 == 5 {
		return err
	}
	return errors.Join(ErrNotOurService, err)
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// median returns the upper median; 0 for no durations.
func median(took []time.Duration) time.Duration {
	if len(took) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(took))[len(took)/2]
}

// withoutID returns the texts without the ID that they may quote.
func withoutID(texts []string, id string) string {
	return strings.ToLower(strings.ReplaceAll(strings.Join(texts, "\n"), id, ""))
}
