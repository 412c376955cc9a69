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
//	batch root                                     written by Place; root by the announcer; Move takes them away
//	counted                                        written by Place; of older orders by Record, Move and Untrack
//	order brief delivered pauses gone milestones   written by Place and Record
//	version last_event                             written by Place, Record, Move, Untrack, TakeOver
//	left                                           written by Untrack; Place takes it away
//	missed_since missed_at                         written by Missed; Record takes them away
//	intent                                         written by Intend, ClearIntent, Record
//	announced card_ts card_version                 written by the announcer
//	posting posting_event reply:SEQ
//	inspected                                      written by CountInspection
//	compared told                                  written by Place and Compared
//	waits waits_until                              written by NoteWaits
//	verdict:IMAGE verdicts_due                     written by Judge
//	follow:USER                                    written by Follow, Unfollow and the announcer
//	shrunk                                         written by ApplyRetention
//
// milestones has the times of [order.Milestones] in seconds, separated by spaces; 0: no time yet. It is
// shorter than 64 bytes, so that Redis packs a shrunk hash tightly.
//
// inspected is the newest round whose delivery was inspected, from 1, and the [order.Inspected] of all rounds: "2 80 3".
//
// brief is the snapshot's summary (summary.go). order_brief is the request's [order.Brief]; empty or
// missing: not known. images counts the images to be edited. Orders placed before references were
// counted include them in images.
//
// A shrunk order has no order, brief, order_brief, delivered, intent, reply:SEQ, verdict:IMAGE and follow:USER. Its
// snapshot is a string of its own (snapshot.go), until Record writes these fields again. A hash with the
// field order is not shrunk, whatever its field shrunk says.
//
// TakeOver writes requester.
//
// Move writes channel and generation, and removes the announcer's fields but
// announced. Place of an untracked order does so too, writes its own fields
// again, and sets announced so that no older event is announced.
const replyField = "reply:"

// VerdictField is the prefix of the field with a last [order.Verdict]; its key in [order.Verdicts] follows. The field
// verdicts_due says when the channel next shows verdicts, in ms.
const VerdictField = "verdict:"

// FollowField is the prefix of the field with a [Follower]; their user id follows.
const FollowField = "follow:"

// stored is an order as it was read.
type stored struct {
	Tracked
	rawIntent string // as Redis has it: scripts compare it
}

// orderHash is an order's hash as Redis has it, and the errors of reading it.
type orderHash struct {
	fields map[string]string
	errs   []error
}

// number reads a field; a missing one is 0.
func (h *orderHash) number(field string) int64 {
	text, exists := h.fields[field]
	if !exists {
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
		Batch: fields["batch"], Root: fields["root"], CardTS: fields["card_ts"], CardVersion: h.number("card_version"),
		Missed:     Missed{Since: moment(h.number("missed_since")), Last: moment(h.number("missed_at"))},
		WaitsUntil: moment(h.number("waits_until")), Compared: moment(h.number("compared")),
		Shrunk: h.number("shrunk") == 1 && fields["order"] == "",
	}}
	s.Milestones, s.Counted = milestonesOf(fields["milestones"]), countedOf(fields["counted"])
	s.Inspected = inspectedOf(fields["inspected"])
	docs := map[string]any{"order": &summaryDoc{&s.Order, &s.preset}, "intent": &s.Intent, "posting": &s.InFlight, "delivered": &s.Delivered, "order_brief": &s.Brief, "waits": &s.Waits, "told": &s.Told}
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

// milestonesOf decodes the result of [milestonesField]. Malformed times stay zero.
func milestonesOf(field string) (m order.Milestones) {
	at := strings.Fields(field)
	for i, into := range []*time.Time{&m.Promised, &m.Ready, &m.Ended, &m.Changes} {
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
	return fmt.Sprintf("%d %d %d %d", inMillis(m.Promised)/1000, inMillis(m.Ready)/1000, inMillis(m.Ended)/1000, inMillis(m.Changes)/1000)
}

// inspectedOf decodes what count_inspection.lua writes. A malformed field counts nothing.
func inspectedOf(field string) order.Inspected {
	numbers := strings.Fields(field)
	if len(numbers) != 3 {
		return order.Inspected{}
	}
	photos, err := strconv.Atoi(numbers[1])
	faulty, faultyErr := strconv.Atoi(numbers[2])
	if errors.Join(err, faultyErr) != nil {
		return order.Inspected{}
	}
	return order.Inspected{Photos: photos, Faulty: faulty}
}

// addVerdict adds the verdict on an image.
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

// inMillis returns a time in ms for [moment]; 0 for the zero time.
func inMillis(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// encodeOptional returns v as JSON, or "" for nil.
func encodeOptional[T any](v *T) string {
	if v == nil {
		return ""
	}
	return kv.Encode(v)
}

// activeEntry returns the order's [Active] as JSON; "" for an order that is not polled.
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
