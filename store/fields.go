package store

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/order"
)

// The fields of an order's hash. Numbers are decimal, the rest JSON or text:
//
//	id reference team channel requester            written by Place
//	generation images adopted
//	order brief delivered pauses gone              written by Place and Record
//	version last_event                             written by Place, Record, Move, Untrack
//	left                                           written by Untrack; Place takes it away
//	missed_since missed_at                         written by Missed; Record takes them away
//	intent                                         written by Intend, ClearIntent, Record
//	announced card_ts card_version                 written by the announcer
//	posting posting_event reply:SEQ
//	shrunk                                         written by Tend
//
// An order that has shrunk has no order, brief, delivered, intent and reply:SEQ: its snapshot
// is a string of its own (shrink.go), until Record writes all of them again; with the field
// order, shrunk says nothing any more.
//
// Move writes channel and generation, and takes away what the announcer wrote but
// announced. Place of an order that was untracked does so too, writes all of its own
// again, and sets announced so that nothing older is told.
const replyField = "reply:"

// stored is an order as it was read, with what only scripts compare.
type stored struct {
	Tracked
	rawIntent string
}

// decode reads an order's hash.
func decode(id string, h map[string]string) (stored, error) {
	r := reader{h: h}
	s := stored{rawIntent: h["intent"]}
	s.Tracked = Tracked{
		ID: id, Reference: h["reference"],
		Owner: Owner{
			Team: h["team"], Channel: h["channel"], Requester: h["requester"],
			Generation: int(r.number("generation")),
		},
		Known: order.Known{
			Version: r.number("version"), Gone: r.number("gone") == 1, Adopted: r.number("adopted") == 1,
			Untracked: r.number("left") == 1, Pauses: int(r.number("pauses")),
		},
		Images: int(r.number("images")), LastEvent: r.number("last_event"), Announced: r.number("announced"),
		CardTS: h["card_ts"], CardVersion: r.number("card_version"),
		Missed: Missed{Since: r.time("missed_since"), Last: r.time("missed_at")},
		Shrunk: r.number("shrunk") == 1 && h["order"] == "",
	}
	r.json("order", &s.Order)
	r.json("intent", &s.Intent)
	r.json("posting", &s.Posting)
	r.json("delivered", &s.Delivered)
	for field := range h {
		if strings.HasPrefix(field, replyField) {
			var p Posted
			r.json(field, &p)
			s.Thread = append(s.Thread, p)
		}
	}
	slices.SortFunc(s.Thread, func(a, b Posted) int { return int(a.Event - b.Event) })
	return s, errors.Join(r.errs...)
}

// reader collects what is wrong with a hash.
type reader struct {
	h    map[string]string
	errs []error
}

func (r *reader) number(field string) int64 {
	if r.h[field] == "" {
		return 0
	}
	n, err := strconv.ParseInt(r.h[field], 10, 64)
	if err != nil {
		r.errs = append(r.errs, errors.New("field "+field+" is no number"))
	}
	return n
}

// time reads a time in ms, the zero time where there is none.
func (r *reader) time(field string) time.Time {
	ms := r.number(field)
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func (r *reader) json(field string, v any) {
	if r.h[field] == "" {
		return
	}
	if err := json.Unmarshal([]byte(r.h[field]), v); err != nil {
		r.errs = append(r.errs, errors.New("field "+field+": "+err.Error()))
	}
}

// encode is JSON of our own types, which cannot fail: they hold no maps with
// odd keys, no channels and no floats.
func encode(v any) string {
	doc, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(doc)
}

// encodeOptional is "" for nil.
func encodeOptional[T any](v *T) string {
	if v == nil {
		return ""
	}
	return encode(v)
}

// activeEntry is what the poller sees of an order; "" when it need not look.
func activeEntry(t Tracked) string {
	if t.Untracked || t.Order.Status.Final() {
		return ""
	}
	a := Active{
		Status: t.Order.Status, Revision: t.Order.Rev(), Version: t.Version, OrderedAt: t.Order.OrderedAt,
		Missed: t.Missed, Gone: t.Gone,
	}
	if t.Unseen() {
		a.Status = ""
	}
	return encode(a)
}
