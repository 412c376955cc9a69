package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/upstream"
)

// Service counts calls to the photo service.
type Service struct {
	calls  *prometheus.CounterVec
	took   *prometheus.HistogramVec
	again  *prometheus.CounterVec
	waited *prometheus.HistogramVec
}

// operations are the operations of package upstream.
var operations = []string{"approve", "balance", "cancel", "create", "fetch", "list", "message", "reference", "revise"}

// The values of the label "who".
const (
	People = "people" // people and their jobs
	Poller = "poller"
)

func newService() *Service {
	s := &Service{
		calls:  counters("darkroom_service_calls_total", "Attempts at operations of the photo service, by how they ended.", "operation", "outcome"),
		took:   histograms("darkroom_service_call_duration_seconds", "From when a request was sent to the photo service until its answer was read.", callBuckets, "operation"),
		again:  counters("darkroom_service_retries_total", "Reads that were sent to the photo service once more.", "operation"),
		waited: histograms("darkroom_service_turn_wait_seconds", "How long requests waited for the rate that all replicas share.", callBuckets, "who"),
	}
	for _, operation := range operations {
		for _, outcome := range upstream.Outcomes() {
			s.calls.WithLabelValues(operation, outcome)
		}
	}
	for _, read := range []string{"balance", "fetch", "list"} {
		s.again.WithLabelValues(read)
	}
	return s
}

func (s *Service) all() []prometheus.Collector {
	return []prometheus.Collector{s.calls, s.took, s.again, s.waited}
}

// Observer returns a function that counts calls of [People] or [Poller].
func (s *Service) Observer(who string) func(upstream.Call) {
	waited := s.waited.WithLabelValues(who)
	return func(c upstream.Call) {
		s.calls.WithLabelValues(c.Op, c.Outcome).Inc()
		waited.Observe(c.Waited.Seconds())
		if c.Again {
			s.again.WithLabelValues(c.Op).Inc()
		}
		if c.Took > 0 {
			s.took.WithLabelValues(c.Op).Observe(c.Took.Seconds())
		}
	}
}

// Slack counts calls to Slack.
type Slack struct {
	calls *prometheus.CounterVec
	took  *prometheus.HistogramVec
}

func newSlack() *Slack {
	s := &Slack{
		calls: counters("darkroom_slack_calls_total", "Calls to Slack, by how they ended.", "method", "outcome"),
		took:  histograms("darkroom_slack_call_duration_seconds", "From when a call was sent to Slack until its answer was read.", callBuckets, "method"),
	}
	for _, method := range client.Methods() { // an alert would miss a counter that begins with 1
		for _, outcome := range client.CallOutcomes() {
			s.calls.WithLabelValues(method, outcome)
		}
	}
	return s
}

func (s *Slack) all() []prometheus.Collector { return []prometheus.Collector{s.calls, s.took} }

// Observe counts one call.
func (s *Slack) Observe(c client.Call) {
	s.calls.WithLabelValues(c.Method, c.Outcome).Inc()
	if c.Took > 0 {
		s.took.WithLabelValues(c.Method).Observe(c.Took.Seconds())
	}
}

// Socket counts the connections of Socket Mode that ended.
type Socket struct{ lost *prometheus.CounterVec }

func newSocket() *Socket {
	s := &Socket{lost: counters("darkroom_socket_lost_total", "Connections of Socket Mode that ended or could not be had.", "reason")}
	for _, reason := range bot.SocketReasons() {
		s.lost.WithLabelValues(reason)
	}
	return s
}

func (s *Socket) all() []prometheus.Collector { return []prometheus.Collector{s.lost} }

// Lost counts a lost connection.
func (s *Socket) Lost(reason string) { s.lost.WithLabelValues(reason).Inc() }
