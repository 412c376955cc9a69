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
	// outageRow is how many calls in a row Slack leaves without an answer before that is an outage: one
	// that is lost now and then is not.
	outageRow = 3
	// outageGrave is how long an outage lasts of which people are told; one of Redis is told from then on, too.
	outageGrave = 10 * time.Second
	// outageProbe is how often Slack is asked during an outage whether it is over.
	outageProbe = 3 * time.Second
	// outageSlow is how long a call must have taken whose caller gave up, to say something of Slack.
	outageSlow = 3 * time.Second
)

// OutageWatch notices that Slack does not answer, whatever it is asked, and says so once in the log, and
// once that it is over. It knows no channel: who is told of it says when it is over. The clients of one process
// may share one: what any of them is answered says that Slack is there, be it that a token is dead.
type OutageWatch struct {
	log   *slog.Logger
	grave time.Duration                                 // from then on people are told
	probe func(ctx context.Context) error               // asks Slack something; nil: nobody does
	tell  func(ctx context.Context, from, to time.Time) // of one that was grave and is over; nil: nobody
	life  context.Context                               // of both
	end   context.CancelFunc

	mu     sync.Mutex
	row    int           // calls in a row without an answer
	first  time.Time     // when the first of them began
	last   time.Time     // when the last of them ended
	method string        // what it called
	wide   bool          // others of them called something else
	away   bool          // the log knows
	heard  chan struct{} // closed when Slack answers; nil: nobody waits for that
}

func newOutage(log *slog.Logger) *OutageWatch {
	o := &OutageWatch{log: log, grave: outageGrave}
	o.life, o.end = context.WithCancel(context.Background())
	return o
}

// OutageWatchConfig says how an [OutageWatch] that several clients share asks Slack whether it is back.
type OutageWatchConfig struct {
	APIURL  string        // "" = https://slack.com/api/
	HTTP    *http.Client  // nil = one of its own
	Timeout time.Duration // 0 = 10 s
	Log     *slog.Logger  // nil = none
	Observe func(Call)    // hears of each question; nil: nobody does
	// OnOutage, when given, is told of each outage that lasted for ten seconds or more, once it is over. With it
	// Slack is asked during an outage whether it is over.
	OnOutage func(ctx context.Context, from, to time.Time)
}

// NewOutageWatch makes one for [Config.Outage]. Whoever made it closes it, after the clients.
func NewOutageWatch(cfg OutageWatchConfig) *OutageWatch {
	o := newOutage(logger(cfg.Log))
	if cfg.OnOutage == nil {
		return o
	}
	// It needs no token.
	const method = "api.test"
	t := newTransport(Config{APIURL: cfg.APIURL, HTTP: cfg.HTTP, Timeout: cfg.Timeout, Outage: o, Observe: cfg.Observe})
	o.tell = cfg.OnOutage
	o.probe = func(ctx context.Context) error {
		_, _, err := t.post(ctx, method, t.base+method, argsType, nil)
		return err
	}
	return o
}

// Close ends its questions; nobody is told of an outage any more.
func (o *OutageWatch) Close() { o.end() }

// report tells how a call went that began then. It marks the error of one that the log need not name.
func (o *OutageWatch) report(method string, began time.Time, err error) {
	lost, told := unanswered(err, time.Since(began))
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case !told:
	case lost:
		o.lost(method, began, err)
	default:
		o.answered()
	}
	if e, ok := errors.AsType[*Error](err); ok {
		e.known = o.away || o.heard != nil // or in a moment
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
	if o.heard == nil && o.probe != nil && o.life.Err() == nil { // is it Slack, or one of its methods?
		o.heard = make(chan struct{})
		go o.watch(o.heard)
	}
	if o.wide && !o.away {
		o.away = true
		o.log.Warn("slack does not answer: what was asked for is kept, and waits", "since", o.first, "err", err)
	}
}

// answered ends whatever there was.
func (o *OutageWatch) answered() {
	if o.away {
		o.log.Warn("slack answers again: what waited goes out", "after", time.Since(o.first).Round(time.Millisecond))
	}
	if grave := o.away && o.last.Sub(o.first) >= o.grave; grave && o.tell != nil && o.life.Err() == nil {
		go o.tell(o.life, o.first, time.Now())
	}
	if o.heard != nil {
		close(o.heard)
	}
	o.row, o.away, o.heard = 0, false, nil
}

// watch asks Slack until it answers.
func (o *OutageWatch) watch(heard <-chan struct{}) {
	for {
		if err := o.probe(o.life); err != nil {
			o.log.Debug("slack asked whether it is back", "err", err)
		}
		select {
		case <-o.life.Done():
			return
		case <-heard:
			return
		case <-time.After(outageProbe):
		}
	}
}

// troubleCodes are the answers in Slack's form that say that it cannot answer just now.
var troubleCodes = []string{"internal_error", "fatal_error", "service_unavailable", "request_timeout"}

// unanswered tells whether Slack left a call without an answer; told is false when that cannot be known,
// because whoever called did not wait for it. A refusal is an answer, and so is one to wait.
func unanswered(err error, took time.Duration) (lost, told bool) {
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
	return e.Code == "" && e.Status == http.StatusOK, true // a page in place of an answer
}

// LogLevel is how loudly the log should say that a call failed: an outage that it knows of is not said
// again by everything that waits for its end.
func LogLevel(err error) slog.Level {
	if e, ok := errors.AsType[*Error](err); ok && e.known {
		return slog.LevelDebug
	}
	return slog.LevelWarn
}
