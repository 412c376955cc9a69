package client

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	// outageRow is how many calls in a row must fail to count as an outage; a single lost call does not.
	outageRow = 3
	// outageGrave is the duration from which people are notified of an outage. An outage of Redis has the
	// same limit.
	outageGrave = 10 * time.Second
	// outageProbe is the interval between probes of Slack during an outage.
	outageProbe = 3 * time.Second
	// outageSlow is how long a call must have taken to count as unanswered when its caller gave up.
	outageSlow = 3 * time.Second
)

// OutageWatch detects that Slack does not answer, and logs the start and end of an outage. It also calls
// OnOutage at the end. The clients of one process may share one: any answer to any of them proves that
// Slack is reachable, even a refused token.
type OutageWatch struct {
	log    *slog.Logger
	grave  time.Duration                                 // duration from which people are notified
	probe  func(ctx context.Context) error               // calls Slack during an outage; may be nil
	notify func(ctx context.Context, from, to time.Time) // called after a grave outage; may be nil
	life   context.Context                               // context of probe and notify
	end    context.CancelFunc

	mu     sync.Mutex
	row    int           // calls in a row without an answer
	first  time.Time     // when the first of them began
	last   time.Time     // when the last of them ended
	method string        // method of the first of them
	wide   bool          // the calls had different methods
	outage bool          // the outage was logged
	answer chan struct{} // closed when Slack answers; nil: no probe runs
}

func newOutage(log *slog.Logger) *OutageWatch {
	o := &OutageWatch{log: log, grave: outageGrave}
	o.life, o.end = context.WithCancel(context.Background())
	return o
}

// OutageWatchConfig configures a shared [OutageWatch].
type OutageWatchConfig struct {
	APIURL  string        // "": https://slack.com/api/
	HTTP    *http.Client  // nil: its own client
	Timeout time.Duration // 0: 10 s
	Log     *slog.Logger  // nil: no log
	Observe func(Call)    // receives each probe; may be nil
	// OnOutage is called after each outage of ten seconds or more. If it is set, Slack is probed during an
	// outage. It may be nil.
	OnOutage func(ctx context.Context, from, to time.Time)
}

// NewOutageWatch returns a watch for [Config.Outage]. The caller closes it after the clients.
func NewOutageWatch(cfg OutageWatchConfig) *OutageWatch {
	o := newOutage(logger(cfg.Log))
	if cfg.OnOutage == nil {
		return o
	}
	// api.test needs no token.
	const method = "api.test"
	t := newTransport(Config{APIURL: cfg.APIURL, HTTP: cfg.HTTP, Timeout: cfg.Timeout, Outage: o, Observe: cfg.Observe})
	o.notify = cfg.OnOutage
	o.probe = func(ctx context.Context) error {
		_, _, err := t.post(ctx, method, t.base+method, argsType, nil)
		return err
	}
	return o
}

// Close ends the probes. OnOutage is not called any more.
func (o *OutageWatch) Close() { o.end() }

// report records the result of a call that began at a time. It marks an error that is part of a logged
// outage.
func (o *OutageWatch) report(method string, began time.Time, err error) {
	lost, known := unanswered(err, time.Since(began))
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case !known:
	case lost:
		o.lost(method, began, err)
	default:
		o.answered()
	}
	if e, ok := errors.AsType[*Error](err); ok {
		e.known = o.outage || o.answer != nil // or the probe is about to decide
	}
}

// lost counts a call without an answer.
func (o *OutageWatch) lost(method string, began time.Time, err error) {
	if o.row == 0 {
		o.first, o.method, o.wide = began, method, false
	}
	o.row++
	o.last = time.Now()
	o.wide = o.wide || method != o.method
	if o.row < outageRow {
		return
	}
	if o.answer == nil && o.probe != nil && o.life.Err() == nil { // the probe tells an outage from one failing method
		o.answer = make(chan struct{})
		go o.watch(o.answer)
	}
	if o.wide && !o.outage {
		o.outage = true
		o.log.Warn("slack does not answer: what was asked for is kept, and waits", "since", o.first, "err", err)
	}
}

// answered ends an outage, if there is one.
func (o *OutageWatch) answered() {
	if o.outage {
		o.log.Warn("slack answers again: what waited goes out", "after", time.Since(o.first).Round(time.Millisecond))
	}
	if grave := o.outage && o.last.Sub(o.first) >= o.grave; grave && o.notify != nil && o.life.Err() == nil {
		go o.notify(o.life, o.first, time.Now())
	}
	if o.answer != nil {
		close(o.answer)
	}
	o.row, o.outage, o.answer = 0, false, nil
}

// watch probes Slack until it answers.
func (o *OutageWatch) watch(answer <-chan struct{}) {
	for {
		if err := o.probe(o.life); err != nil {
			o.log.Debug("slack asked whether it is back", "err", err)
		}
		select {
		case <-o.life.Done():
			return
		case <-answer:
			return
		case <-time.After(outageProbe):
		}
	}
}

// troubleCodes are the codes with which Slack says that it cannot answer now.
var troubleCodes = []string{"internal_error", "fatal_error", "service_unavailable", "request_timeout"}

// unanswered reports whether Slack left a call without an answer. known is false if that is unknown because
// the caller gave up early. Refusals and rate limits are answers.
func unanswered(err error, took time.Duration) (lost, known bool) {
	e, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		return false, err == nil
	case e.Status == 0 && errors.Is(err, context.Canceled):
		return false, false
	case e.Status == 0 && errors.Is(err, context.DeadlineExceeded):
		return true, took >= outageSlow
	case e.Status == 0, e.Status >= http.StatusInternalServerError, slices.Contains(troubleCodes, e.Code):
		return true, true
	}
	return e.Code == "" && e.Status == http.StatusOK, true // an HTML page instead of an answer
}

// LogLevel returns the level at which to log a failed call: debug during an outage that was logged
// already, else warn.
func LogLevel(err error) slog.Level {
	if e, ok := errors.AsType[*Error](err); ok && e.known {
		return slog.LevelDebug
	}
	return slog.LevelWarn
}
