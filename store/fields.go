package store

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

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
//	shrunk                                         written by ApplyRetention
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

// orderHash are those of the fields that have a name of their own.
type orderHash struct {
	Reference   string `redis:"reference"`
	Team        string `redis:"team"`
	Channel     string `redis:"channel"`
	Requester   string `redis:"requester"`
	Generation  int    `redis:"generation"`
	Images      int    `redis:"images"`
	Adopted     bool   `redis:"adopted"`
	Left        bool   `redis:"left"`
	Gone        bool   `redis:"gone"`
	Shrunk      bool   `redis:"shrunk"`
	Pauses      int    `redis:"pauses"`
	Version     int64  `redis:"version"`
	LastEvent   int64  `redis:"last_event"`
	Announced   int64  `redis:"announced"`
	CardTS      string `redis:"card_ts"`
	CardVersion int64  `redis:"card_version"`
	MissedSince int64  `redis:"missed_since"`
	MissedAt    int64  `redis:"missed_at"`
}

// decode reads an order's hash.
func decode(id string, fields map[string]string) (stored, error) {
	var h orderHash
	errs := []error{redis.NewMapStringStringResult(fields, nil).Scan(&h)}
	s := stored{rawIntent: fields["intent"], Tracked: Tracked{
		ID: id, Reference: h.Reference,
		Owner:  Owner{Team: h.Team, Channel: h.Channel, Requester: h.Requester, Generation: h.Generation},
		Known:  order.Known{Version: h.Version, Gone: h.Gone, Adopted: h.Adopted, Untracked: h.Left, Pauses: h.Pauses},
		Images: h.Images, LastEvent: h.LastEvent, Announced: h.Announced, CardTS: h.CardTS, CardVersion: h.CardVersion,
		Missed: Missed{Since: moment(h.MissedSince), Last: moment(h.MissedAt)},
		Shrunk: h.Shrunk && fields["order"] == "",
	}}
	docs := map[string]any{"order": &s.Order, "intent": &s.Intent, "posting": &s.InFlight, "delivered": &s.Delivered}
	for field, doc := range fields {
		into, known := docs[field]
		if strings.HasPrefix(field, replyField) {
			into, known = new(Posted), true
		}
		if !known || doc == "" {
			continue
		}
		errs = append(errs, about("field", field, json.Unmarshal([]byte(doc), into)))
		if reply, is := into.(*Posted); is {
			s.Thread = append(s.Thread, *reply)
		}
	}
	slices.SortFunc(s.Thread, func(a, b Posted) int { return int(a.Event - b.Event) })
	return s, errors.Join(errs...)
}

// moment reads a time in ms, the zero time where there is none.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
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
