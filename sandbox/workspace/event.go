package workspace

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// emit queues an event for the app if it subscribed; the caller holds the lock.
func (w *Workspace) emit(event object) {
	if !slices.Contains(w.o.Events, subscription(event)) || w.unheard() || !w.installed {
		return
	}
	w.pending = append(w.pending, w.authorized(object{
		"type": "event_callback", "token": "legacy", "api_app_id": w.o.AppID, "event": settled(event),
		"event_id": w.unique("Ev"), "event_time": w.now().Unix(), "is_ext_shared_channel": false,
	}, event))
	w.rouse()
}

// rouse makes the delivery of events look again.
func (w *Workspace) rouse() {
	for _, one := range append([]*Workspace{w}, w.tenants...) {
		select {
		case one.wake <- struct{}{}:
		default:
		}
	}
}

func subscription(event object) string {
	kind := str(event, "type")
	if kind != "message" {
		return kind
	}
	return map[string]string{"channel": "message.channels", "group": "message.groups", "im": "message.im", "mpim": "message.mpim"}[str(event, "channel_type")]
}

func (c *Channel) eventType() string {
	return map[string]string{"public_channel": "channel", "private_channel": "group", "im": "im", "mpim": "mpim"}[c.kind()]
}

// emitMessage tells the app of a new message where it is a member.
func (w *Workspace) emitMessage(m *Message) {
	c := w.channel(m.Channel)
	if !c.has(w.o.BotUserID) {
		return
	}
	event := w.wire(m, true)
	event["channel"], event["channel_type"], event["event_ts"] = c.ID, c.eventType(), m.TS
	w.emit(event)
	if m.BotID == "" && m.Subtype != joined && c.IM == "" && strings.Contains(m.Text, "<@"+w.o.BotUserID) {
		mention := settled(event)
		mention["type"] = "app_mention"
		delete(mention, "channel_type")
		w.emit(mention)
	}
}

// emitChanged tells of a message that was edited or deleted.
func (w *Workspace) emitChanged(m *Message, subtype string, before *Message) {
	c := w.channel(m.Channel)
	if !c.has(w.o.BotUserID) {
		return
	}
	now := w.stamp()
	event := object{
		"type": "message", "subtype": subtype, "hidden": true, "channel": c.ID, "channel_type": c.eventType(), "ts": now, "event_ts": now,
	}
	if subtype == "message_deleted" {
		event["deleted_ts"], event["previous_message"] = m.TS, w.wire(before, true)
	} else {
		event["message"], event["previous_message"] = w.wire(m, true), w.wire(before, true)
	}
	w.emit(event)
}

// deliverEvents sends events in order until the workspace closes; retries do
// not hold up what follows.
func (w *Workspace) deliverEvents() {
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-w.wake:
		}
		for event := w.nextEvent(); event != nil && w.ctx.Err() == nil; event = w.nextEvent() {
			if d := w.deliverEvent(event, 0, ""); !d.Acknowledged() && !d.halt {
				w.running.Go(func() { w.retryEvent(event, d) })
			}
		}
	}
}

func (w *Workspace) nextEvent() object {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.pending) == 0 || !w.reachable() {
		return nil
	}
	event := w.pending[0]
	w.pending = w.pending[1:]
	return event
}

// reachable tells whether the app is there, or was: events wait for its first
// appearance.
func (w *Workspace) reachable() bool {
	on, ever := w.sockets.on, w.sockets.count
	if w.in.Desk != nil {
		on, ever = w.in.Desk.connections()
	}
	if on {
		return ever > 0
	}
	return w.appURL != ""
}

func (w *Workspace) retryEvent(event object, d Delivery) {
	for i, wait := range w.o.EventRetries {
		w.pause(max(wait, time.Millisecond))
		if w.ctx.Err() != nil {
			return
		}
		d = w.deliverEvent(event, i+1, d.retryReason())
		if d.Acknowledged() || d.halt {
			return
		}
	}
}

func (w *Workspace) deliverEvent(event object, retry int, reason string) Delivery {
	header := http.Header{}
	if retry > 0 {
		header.Set("X-Slack-Retry-Num", strconv.Itoa(retry))
		header.Set("X-Slack-Retry-Reason", reason)
	}
	return w.deliver(parcel{
		kind: kindEvent, path: "/slack/events", contentType: "application/json", body: encode(event), header: header,
		payload: event, retry: retry, retryReason: reason,
	})
}

func (d Delivery) retryReason() string {
	switch {
	case errors.Is(d.Err, ErrTimeout) && d.Envelope != "":
		return "timeout"
	case errors.Is(d.Err, ErrTimeout):
		return "http_timeout"
	case d.Err != nil:
		return "connection_failed"
	}
	return "http_error"
}
