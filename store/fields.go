package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/order"
	"darkroom/store/kv"
)

// The fields of an order's hash. Numbers are decimal, the rest JSON or text:
//
//	id reference team channel requester            written by Place
//	generation images references order_brief adopted
//	counted                                        written by Place; of older orders by Record, Move and Untrack
//	order brief delivered pauses gone milestones   written by Place and Record
//	version last_event                             written by Place, Record, Move, Untrack, TakeOver
//	left                                           written by Untrack; Place takes it away
//	missed_since missed_at                         written by Missed; Record takes them away
//	intent                                         written by Intend, ClearIntent, Record
//	announced card_ts card_version                 written by the announcer
//	posting posting_event reply:SEQ
//	compared told                                  written by Place and Compared
//	waits waits_until                              written by NoteWaits
//	verdict:IMAGE verdicts_due                     written by Judge
//	follow:USER                                    written by Follow, Unfollow and the announcer
//	shrunk                                         written by ApplyRetention
//
// milestones are those of [order.Milestones] in seconds, separated by spaces, 0 for a missing one. It is
// shorter than 64 bytes, so that a hash that has shrunk stays packed tightly.
//
// brief is the snapshot's summary (summary.go), order_brief what was asked for, empty or not
// there when that is not known. images counts what is edited; of an order that was placed before
// references were counted it counts them as well.
//
// An order that has shrunk has no order, brief, order_brief, delivered, intent, reply:SEQ, verdict:IMAGE and follow:USER: its
// snapshot is a string of its own (snapshot.go), until Record writes all of them again; with the
// field order, shrunk says nothing any more.
//
// TakeOver writes requester.
//
// Move writes channel and generation, and takes away what the announcer wrote but
// announced. Place of an order that was untracked does so too, writes all of its own
// again, and sets announced so that nothing older is told.
const replyField = "reply:"

// VerdictField begins the field that holds what was last thought of an image, by its id; verdicts_due is when
// its channel is shown the verdicts, in ms.
const VerdictField = "verdict:"

// FollowField begins the field that holds a [Follower], by their user id.
const FollowField = "follow:"

// stored is an order as it was read, with what only scripts compare.
type stored struct {
	Tracked
	rawIntent string
}

// orderHash is an order's hash as Redis has it, and what of it cannot be read.
type orderHash struct {
	fields map[string]string
	errs   []error
}

// number reads a field; a missing one is 0.
func (h *orderHash) number(field string) int64 {
	text, kept := h.fields[field]
	if !kept {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	h.errs = append(h.errs, kv.About("field", field, err))
	return n
}

// decode reads an order's hash.
func decode(id string, fields map[string]string) (stored, error) {
	h := orderHash{fields: fields}
	s := stored{rawIntent: fields["intent"], Tracked: Tracked{
		ID: id, Reference: fields["reference"], Images: int(h.number("images")), References: int(h.number("references")),
		Owner: Owner{
			Team: fields["team"], Channel: fields["channel"], Requester: fields["requester"], Generation: int(h.number("generation")),
		},
		Known: order.Known{
			Version: h.number("version"), Gone: h.number("gone") == 1, Adopted: h.number("adopted") == 1,
			Untracked: h.number("left") == 1, Pauses: int(h.number("pauses")),
		},
		LastEvent: h.number("last_event"), Announced: h.number("announced"),
		CardTS: fields["card_ts"], CardVersion: h.number("card_version"),
		Missed:     Missed{Since: moment(h.number("missed_since")), Last: moment(h.number("missed_at"))},
		WaitsUntil: moment(h.number("waits_until")), Compared: moment(h.number("compared")),
		Shrunk: h.number("shrunk") == 1 && fields["order"] == "",
	}}
	s.Milestones, s.Counted = milestonesOf(fields["milestones"]), countedOf(fields["counted"])
	docs := map[string]any{"order": &s.Order, "intent": &s.Intent, "posting": &s.InFlight, "delivered": &s.Delivered, "order_brief": &s.Brief, "waits": &s.Waits, "told": &s.Told}
	for field, doc := range fields {
		into, known := docs[field]
		if strings.HasPrefix(field, replyField) {
			into, known = new(Posted), true
		}
		if image, is := strings.CutPrefix(field, VerdictField); is {
			h.errs = append(h.errs, kv.About("field", field, s.addVerdict(image, doc)))
			continue
		}
		if strings.HasPrefix(field, FollowField) {
			h.errs = append(h.errs, kv.About("field", field, s.addFollower(doc)))
			continue
		}
		if !known || doc == "" {
			continue
		}
		h.errs = append(h.errs, kv.About("field", field, json.Unmarshal([]byte(doc), into)))
		if reply, is := into.(*Posted); is {
			s.Thread = append(s.Thread, *reply)
		}
	}
	slices.SortFunc(s.Thread, func(a, b Posted) int { return int(a.Event - b.Event) })
	return s, errors.Join(h.errs...)
}

// milestonesOf reads what [milestonesField] wrote; what cannot be read is not known.
func milestonesOf(field string) (m order.Milestones) {
	at := strings.Fields(field)
	for i, into := range []*time.Time{&m.Promised, &m.Ready, &m.Ended} {
		if i >= len(at) {
			break
		}
		if seconds, err := strconv.ParseInt(at[i], 10, 64); err == nil {
			*into = moment(seconds * 1000)
		}
	}
	return m
}

func milestonesField(m order.Milestones) string {
	return fmt.Sprintf("%d %d %d", inMillis(m.Promised)/1000, inMillis(m.Ready)/1000, inMillis(m.Ended)/1000)
}

// addVerdict reads one of an image.
func (t *Tracked) addVerdict(image, doc string) error {
	var v order.Verdict
	if err := json.Unmarshal([]byte(doc), &v); err != nil {
		return err
	}
	if t.Verdicts == nil {
		t.Verdicts = order.Verdicts{}
	}
	t.Verdicts[image] = v
	return nil
}

// moment reads a time in ms; a missing one is the zero time.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// inMillis is what [moment] reads.
func inMillis(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// encodeOptional is "" for nil.
func encodeOptional[T any](v *T) string {
	if v == nil {
		return ""
	}
	return kv.Encode(v)
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
	return kv.Encode(a)
}
