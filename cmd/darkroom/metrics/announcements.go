package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"darkroom/notifier/announce"
	"darkroom/order"
)

// Announcements counts the announced events.
type Announcements struct {
	told  *prometheus.CounterVec
	delay *prometheus.HistogramVec

	events map[order.EventKind]bool
}

// eventKinds are the kinds of package order.
var eventKinds = []order.EventKind{
	order.EventPlaced, order.EventReady, order.EventChanges, order.EventMessage, order.EventEditor, order.EventReferences, order.EventPaused,
	order.EventResumed, order.EventApproved, order.EventCanceled, order.EventMoved, order.EventTracked, order.EventUntracked, order.EventGone, order.EventBack,
	order.EventReminder, order.EventSnoozed, order.EventLate,
	order.EventTaken, order.EventCut,
}

func newAnnouncements() *Announcements {
	a := &Announcements{
		told:   counters("darkroom_announced_events_total", "Events whose message is in their channel.", "event"),
		delay:  histograms("darkroom_announce_delay_seconds", "From when a change was recorded until its message was in the channel.", workBuckets, "event"),
		events: map[order.EventKind]bool{},
	}
	for _, kind := range eventKinds {
		a.events[kind] = true
		a.told.WithLabelValues(string(kind))
	}
	return a
}

func (a *Announcements) all() []prometheus.Collector {
	return []prometheus.Collector{a.told, a.delay}
}

// Observe counts one event.
func (a *Announcements) Observe(e announce.Announced) {
	kind := other
	if a.events[e.Event] {
		kind = string(e.Event)
	}
	a.told.WithLabelValues(kind).Inc()
	if e.Dated {
		a.delay.WithLabelValues(kind).Observe(e.Delay.Seconds())
	}
}
