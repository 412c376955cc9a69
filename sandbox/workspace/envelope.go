package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// ack is the app's acknowledgement of an envelope.
type ack struct{ payload []byte }

var (
	errNoSocket = errors.New("no socket is connected")
	errDropped  = errors.New("the socket was dropped before the acknowledgement")
)

func errTooBig(size int) error {
	return fmt.Errorf("a frame of %d bytes: Slack closes the connection at %d", size, maxAppFrame)
}

// enveloped is the parcel as a delivery over a socket.
func (w *Workspace) enveloped(p parcel) Delivery {
	w.mu.Lock()
	defer w.mu.Unlock()
	frame := object{
		"envelope_id": w.unique("env-"), "type": p.envelope(), "payload": p.payload, "accepts_response_payload": p.answerable(),
	}
	if p.kind == kindEvent {
		frame["retry_attempt"], frame["retry_reason"] = p.retry, p.retryReason
	}
	id := str(frame, "envelope_id")
	w.sockets.sent[id] = p.answerable()
	return Delivery{Kind: p.kind, Envelope: id, Body: encode(frame)}
}

// envelope is the parcel's type in Socket Mode.
func (p parcel) envelope() string {
	switch p.kind {
	case kindEvent:
		return "events_api"
	case kindCommand:
		return "slash_commands"
	}
	return "interactive"
}

// answerable tells whether an acknowledgement may carry a payload.
func (p parcel) answerable() bool {
	return slices.Contains([]string{kindCommand, "view_submission", "block_suggestion"}, p.kind)
}

// sendSocket sends an envelope over one connection. When that one drops
// before the acknowledgement, a command or an interaction goes out once more
// if another connection is there in time; an event is retried as events are.
func (w *Workspace) sendSocket(d Delivery) Delivery {
	ctx, cancel := context.WithTimeout(w.ctx, w.o.AckLimit)
	defer cancel()
	d = w.overSocket(ctx, d, d.Kind == kindEvent)
	if !errors.Is(d.Err, errDropped) || d.Kind == kindEvent {
		return d
	}
	again := d
	again.tampering, again.Err = 0, nil
	if again = w.overSocket(ctx, again, true); errors.Is(again.Err, errNoSocket) {
		return d
	}
	return again
}

// overDesk is sendSocket, over connections that several workspaces may share.
func (w *Workspace) overDesk(d Delivery) Delivery {
	desk := w.desk()
	d = desk.sendSocket(d)
	if desk != w {
		defer w.change()()
		w.book.deliveries = append(w.book.deliveries, d)
	}
	return d
}

// overSocket is one attempt; patient waits for a connection.
func (w *Workspace) overSocket(ctx context.Context, d Delivery, patient bool) Delivery {
	d.At = w.now()
	if s := w.nextSocket(ctx, patient); s == nil {
		d.Err = errNoSocket
	} else {
		d = w.throughSocket(ctx, s, d)
	}
	defer w.change()()
	w.book.deliveries = append(w.book.deliveries, d)
	return d
}

// nextSocket is the connection whose turn it is: each payload goes to exactly
// one. Those about to close are left alone while there are others.
func (w *Workspace) nextSocket(ctx context.Context, patient bool) *socket {
	var found *socket
	err := w.Wait(ctx, func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		found = w.sockets.pick()
		return found != nil || !patient
	})
	if err != nil {
		return nil
	}
	return found
}

func (s *sockets) pick() *socket {
	able := slices.DeleteFunc(slices.Clone(s.open), func(one *socket) bool { return one.leaving })
	if len(able) == 0 {
		able = s.open
	}
	if len(able) == 0 || !s.on {
		return nil
	}
	s.turn++
	return able[s.turn%len(able)]
}

func (w *Workspace) throughSocket(ctx context.Context, s *socket, d Delivery) Delivery {
	d.Socket = s.n
	answer := w.await(d.Envelope)
	defer w.stopWaiting(d.Envelope, answer)
	select {
	case <-s.greeted:
	case <-s.gone:
	case <-ctx.Done():
	}
	if !w.stalledNow(s) && w.writeBytes(s.conn, d.Body) != nil {
		_ = s.conn.CloseNow()
		d.Err = errDropped
		return d
	}
	if d.tampering == CutSocket {
		d.Err = errDropped
		w.cutUnacknowledged(ctx, s, answer)
		return d
	}
	select {
	case a := <-answer:
		return d.answered(a)
	case <-s.gone:
	case <-ctx.Done():
		d.Err = ErrTimeout
		return d
	}
	select {
	case a := <-answer: // it came just before the connection ended
		return d.answered(a)
	default:
		d.Err = errDropped
	}
	return d
}

// cutUnacknowledged lets the app do its work and cuts the connection before
// the acknowledgement gets through.
func (w *Workspace) cutUnacknowledged(ctx context.Context, s *socket, answer <-chan ack) {
	ctx, cancel := context.WithTimeout(ctx, w.o.AckLimit/2)
	defer cancel()
	select {
	case <-answer:
	case <-s.gone:
	case <-ctx.Done():
	}
	w.forget(s)
	_ = s.conn.CloseNow()
}

func (d Delivery) answered(a ack) Delivery {
	if d.tampering == LoseAck {
		d.Err = ErrTimeout
		return d
	}
	d.Status, d.Answer, d.AnswerType = http.StatusOK, a.payload, "application/json"
	return d
}

func (w *Workspace) await(envelope string) chan ack {
	w.mu.Lock()
	defer w.mu.Unlock()
	answer := make(chan ack, 1)
	w.sockets.waiting[envelope] = append(w.sockets.waiting[envelope], answer)
	return answer
}

func (w *Workspace) stopWaiting(envelope string, answer chan ack) {
	w.mu.Lock()
	defer w.mu.Unlock()
	rest := slices.DeleteFunc(slices.Clone(w.sockets.waiting[envelope]), func(one chan ack) bool { return one == answer })
	w.sockets.waiting[envelope] = rest
	if len(rest) == 0 {
		delete(w.sockets.waiting, envelope)
	}
}

// acknowledged takes one frame of the app.
func (w *Workspace) acknowledged(frame []byte) {
	var said struct {
		Envelope string          `json:"envelope_id"`
		Payload  json.RawMessage `json:"payload"`
	}
	err := json.Unmarshal(frame, &said)
	defer w.change()()
	answerable, sent := w.sockets.sent[said.Envelope]
	switch {
	case err != nil:
		w.violate("socket", "the app sent what is not an acknowledgement: "+err.Error())
		return
	case !sent:
		w.violate("socket", "acknowledgement of an unknown envelope "+strconv.Quote(said.Envelope))
		return
	case !answerable && !blank(said.Payload):
		w.violate("socket", "a payload in the acknowledgement of "+said.Envelope+", which accepts none")
		said.Payload = nil
	}
	if blank(said.Payload) {
		said.Payload = nil
	}
	if waiting := w.sockets.waiting[said.Envelope]; len(waiting) > 0 {
		waiting[0] <- ack{payload: said.Payload}
		w.sockets.waiting[said.Envelope] = waiting[1:]
	}
}

// blank tells whether a payload says nothing: some libraries always send one.
func blank(payload json.RawMessage) bool {
	return slices.Contains([]string{"", "null", "{}"}, string(payload))
}
