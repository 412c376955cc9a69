package store

import (
	"strings"
	"time"

	"darkroom/order"
)

// Owner is whose order it is. Generation grows when the order moves to another
// channel, so that what still belongs to the old place can be told; the first is 1.
type Owner struct {
	Team, Channel, Requester string
	Generation               int

	// Deactivated is what the requester was called who is no longer here; "" while they are, or nobody looked.
	// It is never kept: whoever shows the order sets it.
	Deactivated string
}

// Tracked is an order as a channel owns it.
type Tracked struct {
	ID, Reference string
	Owner         Owner
	order.Known
	Images      int            // pictures ordered to be edited; before references were counted: all
	References  int            // pictures ordered to be looked at only
	Brief       *order.Brief   // what was asked for; nil: not known
	Intent      *order.Intent  // nil: nobody is about to change it
	LastEvent   int64          // Seq of the newest event
	Announced   int64          // the watermark: Seq of the newest event that is out
	CardTS      string         // "": no card yet
	CardVersion int64          // the version that the card shows
	Missed      Missed         // the service did not know it when it was last asked; zero: it did
	Shrunk      bool           // it ended a while ago: its pictures and its talk are the service's alone
	InFlight    *InFlight      // nil: no post can be out unrecorded
	Thread      []Posted       // the replies, oldest first
	Verdicts    order.Verdicts // what people think of single images; of edits that are the newest no longer, too
	Followers   []Follower     // who is told of each event by direct message, by their user ids
	Waits       []Wait         // what waits for the service: see [Tracked.Waiting]
	WaitsUntil  time.Time      // until when that counts, unless it is noted again
	Counted     Counted        // where it counts against limits; zero: see counted
	Compared    time.Time      // the run of Redis ([conn.Run.Since]) in which its channel was last held against the record; zero: never
	Told        Told           // what was found there that is not recorded
}

// InFlight marks a post that may be out already: it is left before the post.
type InFlight struct {
	Event int64     `json:"event"` // Seq; 0: the card
	At    time.Time `json:"at"`    // by the clock of Redis
}

// Posted is a reply in an order's thread.
type Posted struct {
	Event   int64  `json:"event"`
	ID      string `json:"id"` // the event's id
	TS      string `json:"ts"`
	Buttons bool   `json:"buttons,omitempty"` // it has buttons that can still be pressed
	Ended   string `json:"ended,omitempty"`   // how its review ended, as it says; "": it does not; see [ForNow]

	// Ownerless says that it tells that the requester is no longer here, and offers to take the order over.
	Ownerless bool `json:"ownerless,omitempty"`

	// Verdicts is what the review says of how many of its images are good, as [Tracked.Tally] puts it.
	Verdicts string `json:"verdicts,omitempty"`

	// Asks are the user ids that a review mentions in place of who ordered; nil: none.
	Asks []string `json:"asks,omitempty"`

	// Copies are the files in Slack that stand for previews it could not fetch, by address.
	Copies map[string]string `json:"copies,omitempty"`
	// Sheets are the contact sheets that it shows in place of previews.
	Sheets []Sheet `json:"sheets,omitempty"`
}

// Sheet is a contact sheet in Slack.
type Sheet struct {
	File string `json:"file"` // its id
	Alt  string `json:"alt"`  // what is on it
}

// ForNow begins what is kept of how a reply ended while that may change again: the service paused the
// order, say, or an approval waits. lua/shared/leave.lua goes by it, too.
const ForNow = "now:"

// Unsettled says that what the reply asks for, or says of how it ended, may change again.
func (p Posted) Unsettled() bool {
	return p.Buttons || p.Ownerless || strings.HasPrefix(p.Ended, ForNow)
}

// Told is what a channel shows of an order although the record does not know of it: Redis came
// back as it was before. It counts for one generation.
type Told struct {
	Generation int               `json:"generation"`
	Replies    map[string]Posted `json:"replies"` // by the id of their event, whose number is not known
}

// Missed is since when the service has not known an order, and when it was last asked in
// vain. Both are zero while it knows it.
type Missed struct {
	Since time.Time `json:"since"`
	Last  time.Time `json:"last"`
}

// IsZero says that the service knew the order when it was last asked.
func (m Missed) IsZero() bool { return m == Missed{} }

// Active is what the poller compares with the service's list. An empty Status
// differs from every status: the order must be fetched, because the answer
// that told its status did not show its pictures.
type Active struct {
	Status    order.Status `json:"status"`
	Revision  int          `json:"revision"`
	Version   int64        `json:"version"`
	OrderedAt time.Time    `json:"ordered_at,omitzero"`
	Missed    Missed       `json:"missed,omitzero"`
	Gone      bool         `json:"gone,omitempty"` // looked at now and then, in case it comes back
}

// Differs says whether an answer shows something new. It compares only what the answer
// told; any sight of an order that was missed is something new.
func (a Active) Differs(seen order.Order) bool {
	return !a.Missed.IsZero() || a.Gone || seen.Status != "" && seen.Status != a.Status || seen.Revision != nil && *seen.Revision != a.Revision
}
