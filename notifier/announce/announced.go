package announce

import (
	"time"

	"darkroom/order"
)

// Announced is an event whose message is out, for whoever counts them.
type Announced struct {
	Event order.EventKind
	// Delay is from when the event was recorded until its message was seen to be out, by the clocks of this
	// machine and of the one that recorded it. It is 0 when Dated is false.
	Delay time.Duration
	// Dated says that the time of the event is when it was recorded. That of an entry of the conversation is
	// the service's, which tells of it when something else is sent.
	Dated bool
}

// announced tells of an event whose message is out.
func (v *announceRun) announced(e order.Event) {
	if v.Observe == nil || e.Kind == "" {
		return
	}
	a := Announced{Event: e.Kind, Dated: e.Kind != order.EventMessage && e.Kind != order.EventEditor && !e.At.IsZero()}
	if a.Dated {
		a.Delay = max(0, time.Since(e.At))
	}
	v.Observe(a)
}
