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

// Findings are what [Discover] found out about a service.
type Findings struct {
	Configured Way
	Found      Way // what works, as far as Reads and Writes say; else as configured

	Reads  Reading
	Writes Writing
	Long   bool // a write that is longer than an address may be was read as well

	Credits  decimal.NullDecimal // on the account
	Clock    time.Duration       // how far this machine's clock is ahead of the service's
	Dated    bool                // the service told its time
	Words    []string            // how the service refused last, where no way works; no secret is in them
	List     []string            // how it refused the list, where Reads is alike
	Requests int                 // that were answered
	Typical  time.Duration       // in which half of them were answered
	TooMany  int                 // that were turned away for coming too often
}

// Reading is what is known of how requests are signed.
type Reading string

// The values of Reading.
const (
	ReadsUnknown Reading = ""        // nothing: the service was not reached, or gave no clear answer
	ReadsWork    Reading = "work"    // Found is one that works
	ReadsRefused Reading = "refused" // the service refuses all ways there are
	ReadsAlike   Reading = "alike"   // several work as far as could be seen: Found is the first
)

// Writing is what is known of where the parameters of a POST or a DELETE travel.
type Writing string

// The values of Writing.
const (
	WritesUnknown  Writing = ""          // nothing: it was not tried
	WritesWork     Writing = "work"      // Found works for both, as far as Long says
	WritesRefused  Writing = "refused"   // the service reads them nowhere
	WritesNoDelete Writing = "no delete" // Found works for POST; for DELETE nothing does
	WritesUntold   Writing = "untold"    // the service answers the same without a signature, so nothing can be told
	WritesUnasked  Writing = "unasked"   // no write was sent: the service did not say that it lacks an order that was made up
)

// What ends a discovery early, beside an [*order.Error] for a service that cannot be asked.
var (
	// ErrNotOurService: what answers does not answer as the service's interface says.
	ErrNotOurService = errors.New("this is not a photo service")
	// ErrInFront: everything was refused, and no answer had the form of the service's interface.
	ErrInFront = errors.New("something in front of the service refuses")
	// ErrMadeUpOrder: the service reports success for an order that was made up.
	ErrMadeUpOrder = errors.New("the service knows an order that was made up")
)

// Bounds of a discovery.
const (
	discoverTimeout = 10 * time.Second // of one request
	discoverWait    = 10 * time.Second // the longest Retry-After that is waited for
	mostTooMany     = 2                // refusals for coming too often after which it gives up
	mostRequests    = 40
)

// Discover finds out how a service wants to be spoken to: what its interface leaves open. It tries
// what is configured first and stops when that works, after seven requests; it never sends more than
// forty, at the limiter's pace.
//
// It is harmless. It reads the balance and a list. Where the parameters of writes travel is seen
// from how the service refuses to approve, at length too, and to cancel an order that does not exist: an id is made
// up, too long and too random to be anybody's, and nothing is sent for it unless the service has
// said that it has no such order, with status 404 or in words that are known to say so.
//
// The findings are worth reading with an error too: they are what was found before.
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

// discovery is one that is going on.
type discovery struct {
	Findings
	client *Client
	took   []time.Duration
	formed bool          // an answer had the form of the service's interface
	ahead  time.Duration // what is taken off this machine's clock
}

// nasty are words that every dialect writes in its own way, each long enough for a keyword.
var nasty = []string{`darkroom/doctor`, `"quoted"`, `<b>&'s`, `café crème`, `camera 📷`}

// try sends a request in one way. It returns an error only when there is no use in going on; an
// answer that says no is for the caller to judge.
func (d *discovery) try(ctx context.Context, way Way, r request) (*answer, error, error) {
	for {
		c := d.client.by(way)
		c.ahead = d.ahead
		a, err := c.attempt(ctx, r)
		if a == nil || a.status == 0 {
			return a, err, err // not sent, or no answer
		}
		d.learn(a)
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

// learn keeps what every answer tells.
func (d *discovery) learn(a *answer) {
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

// reads finds the ways in which reads are signed; more than one where they cannot be told apart.
func (d *discovery) reads(ctx context.Context) ([]Way, error) {
	alike, err := d.balance(ctx)
	if err != nil || len(alike) == 0 {
		return nil, err
	}
	tried := map[string]bool{}
	for _, way := range alike {
		r := request{op: "list", method: http.MethodGet, path: "/orders", params: params{"filter_keywords": nasty, "page": int64(1)}}
		text := d.signs(way, r.params)
		if tried[text] {
			continue
		}
		tried[text] = true
		a, refused, err := d.try(ctx, way, r)
		if err != nil {
			return nil, err
		}
		if refused == nil && a.form.Data != nil {
			d.Found, d.Reads = way, ReadsWork
			return []Way{way}, nil
		}
	}
	// The list refuses these keywords for another reason: how writes are signed tells.
	d.Found, d.Reads, d.List = alike[0], ReadsAlike, d.Words
	if len(alike) == 1 {
		d.Reads = ReadsWork
	}
	return alike, nil
}

// balance finds the ways in which the balance can be asked for: it has only a key and a time to
// sign, which some dialects write alike.
func (d *discovery) balance(ctx context.Context) (alike []Way, err error) {
	ways := readingWays(d.Configured)
	var last error
	tried := map[string]bool{}
	for i := 0; i < len(ways); i++ {
		text := d.signs(ways[i], nil)
		if tried[text] {
			continue
		}
		tried[text] = true
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
			differs := func(w Way) bool { return d.signs(w, nil) != text }
			return slices.DeleteFunc(ways, differs), nil
		case !saysNo(a):
			return nil, notOurs(refused)
		case d.ahead == 0 && d.Clock.Abs() > clockLimit:
			last, d.ahead = refused, d.Clock // by the service's clock, what is asked can be told from when
			tried, i = map[string]bool{}, -1
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

// signs is the same for ways that sign a read of those parameters with the same bytes.
func (d *discovery) signs(w Way, own params) string {
	c := d.client.by(w)
	basic := ""
	if w.BasicAuth {
		basic = "basic "
	}
	all := params{"api_key": c.cfg.Key, "timestamp": int64(0)}
	maps.Copy(all, own)
	return basic + c.cfg.dialect(false).encode(all)
}

// saysNo reports whether an answer may be that of the service, or of what stands before it, to
// credentials that it does not accept.
func saysNo(a *answer) bool {
	return len(a.form.Errors.texts) > 0 || a.status == http.StatusUnauthorized || a.status == http.StatusForbidden
}

// notOurs keeps what is wrong with an answer that is nobody's refusal.
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

// median is the time in which half of them were done; 0 for none.
func median(took []time.Duration) time.Duration {
	if len(took) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(took))[len(took)/2]
}

// words are texts as they can be compared: without the id that they may quote.
func words(texts []string, id string) string {
	return strings.ToLower(strings.ReplaceAll(strings.Join(texts, "\n"), id, ""))
}
