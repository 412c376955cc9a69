package metrics

import (
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"darkroom/bot"
)

// Requests counts what Slack sends.
type Requests struct {
	answered *prometheus.CounterVec
	took     *prometheus.HistogramVec
	refused  *prometheus.CounterVec

	names    map[bot.Kind]map[string]bool // of handlers; for commands the verbs
	prefixes map[bot.Kind][]string        // of handlers whose names end in *, the longest first
}

// ackBuckets are fine near Slack's limit of three seconds and ours of 2.5.
var ackBuckets = []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 2.5, 3}

func newRequests() *Requests {
	r := &Requests{
		answered: counters("darkroom_requests_total", "Requests of Slack that were answered.", "kind", "name", "outcome"),
		took:     histograms("darkroom_request_duration_seconds", "From when a request was heard to when its answer was ready.", ackBuckets, "kind"),
		refused:  counters("darkroom_requests_refused_total", "Requests that were refused before anything was done: not signed, too large, not understood.", "status"),
		names:    map[bot.Kind]map[string]bool{}, prefixes: map[bot.Kind][]string{},
	}
	for _, status := range []int{200, 400, 401, 404, 405, 413, 415, 503} {
		r.refused.WithLabelValues(strconv.Itoa(status))
	}
	return r
}

func (r *Requests) all() []prometheus.Collector {
	return []prometheus.Collector{r.answered, r.took, r.refused}
}

// Know registers the names of handlers, and the verbs of the command. It is called once, before the first
// request.
func (r *Requests) Know(routes map[bot.Kind][]string, verbs []string) {
	for kind, names := range routes {
		if kind == bot.KindCommand {
			names = append(slices.Clone(verbs), "")
		}
		r.names[kind] = map[string]bool{}
		for _, name := range append(slices.Clone(names), other) {
			r.names[kind][name] = true
			if prefix, open := strings.CutSuffix(name, "*"); open {
				r.prefixes[kind] = append(r.prefixes[kind], prefix)
			}
			for _, outcome := range []string{bot.OutcomeOK, bot.OutcomeLate, bot.OutcomeBusy, bot.OutcomeFailed} {
				r.answered.WithLabelValues(string(kind), name, outcome)
			}
		}
		slices.SortFunc(r.prefixes[kind], func(a, b string) int { return len(b) - len(a) })
	}
}

// Observe counts one request.
func (r *Requests) Observe(a bot.Answered) {
	r.answered.WithLabelValues(string(a.Kind), r.name(a), a.Outcome).Inc()
	r.took.WithLabelValues(string(a.Kind)).Observe(a.Took.Seconds())
}

// Refused counts a refused request.
func (r *Requests) Refused(status int) { r.refused.WithLabelValues(strconv.Itoa(status)).Inc() }

// name returns the registered name of the handler, or the verb of a command; "" is the command alone.
func (r *Requests) name(a bot.Answered) string {
	name := a.Name
	if a.Kind == bot.KindCommand {
		name = a.Verb
	}
	if r.names[a.Kind][name] {
		return name
	}
	for _, prefix := range r.prefixes[a.Kind] {
		if strings.HasPrefix(name, prefix) {
			return prefix + "*"
		}
	}
	return other
}
