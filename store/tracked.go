package store

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/order"
)

// Owner is the owner of an order. Generation grows when the order moves to another
// channel, which tells the old channel's messages and jobs apart; the first is 1.
type Owner struct {
	Team, Channel, Requester string
	Generation               int

	// Deactivated is the name of a deactivated requester; "" for an active one, or if nobody looked. It is not
	// saved: the code that shows the order sets it.
	Deactivated string
	// Direct says that the requester gets the news by direct message, so that a reply does not call them, too. It is not
	// saved.
	Direct bool
}

// Tracked is an order that a channel owns.
type Tracked struct {
	ID, Reference string
	Owner         Owner
	order.Known
	Images      int            // images to be edited; in orders from before references were counted: all images
	References  int            // images for reference only
	Brief       *order.Brief   // what was asked for; nil: not known
	preset      string         // of a summary, which has no brief
	Intent      *order.Intent  // the change under way; nil: no change
	LastEvent   int64          // Seq of the newest event
	Announced   int64          // the watermark: Seq of the newest event that is out
	Batch       string         // id of its batch, whose card has the order's in its thread; "": no batch
	Root        string         // timestamp of the thread that its card and replies are in; "": the card's own
	CardTS      string         // "": no card yet
	CardVersion int64          // the version that the card shows
	Missed      Missed         // zero: the service knew the order when it was last asked
	Shrunk      bool           // it ended a while ago: only the service has its pictures and its conversation
	InFlight    *InFlight      // nil: no post can be out unrecorded
	Thread      []Posted       // the replies, oldest first
	Verdicts    order.Verdicts // people's opinions of single images, of older edits too
	Followers   []Follower     // sorted by user id
	Waits       []Wait         // requests that wait for the service: see [Tracked.Waiting]
	WaitsUntil  time.Time      // when Waits expire, unless they are noted again
	Counted     Counted        // its ledger entry; zero: see counted
	Compared    time.Time      // the run of Redis ([conn.Run.Since]) in which its channel was last compared with the record; zero: never
	Told        Told           // the unrecorded replies that the comparison found

	// Inspected counts the inspected photos of each round's first delivery; zero: none, or an earlier version did not count.
	Inspected order.Inspected

	// Names are display names by user id, for a message that names people without calling them; nil: it mentions
	// them, as windows do. They are not saved: the code that shows the order sets them.
	Names map[string]string
	// Relayed says that its channel sends every reply to the editor. It is not saved, either.
	Relayed bool
}

// ThreadTS returns the timestamp of the message whose thread has the order's replies, or "".
func (t Tracked) ThreadTS() string { return cmp.Or(t.Root, t.CardTS) }

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
	Ended   string `json:"ended,omitempty"`   // how its review ended, as the reply says; "": not said; see [ForNow]

	// Ownerless says that the reply says that the requester is deactivated, and offers to take the order over.
	Ownerless bool `json:"ownerless,omitempty"`

	// Direct says that the requester got it by direct message: the reply does not call them.
	Direct bool `json:"direct,omitempty"`

	// Verdicts is the [Tracked.Tally] that the review shows.
	Verdicts string `json:"verdicts,omitempty"`

	// Asks are the user ids that a review mentions in place of the requester; nil: it mentions the requester.
	Asks []string `json:"asks,omitempty"`

	// Copies are the files in Slack that replace previews which Slack could not fetch, by address.
	Copies map[string]string `json:"copies,omitempty"`
	// Sheets are the contact sheets that the reply shows in place of previews.
	Sheets []Sheet `json:"sheets,omitempty"`
	// Inspection is what the review says about the delivery; nil: nothing was found or required, or it was not read yet.
	Inspection *order.Inspection `json:"inspection,omitempty"`
}

// Sheet is a contact sheet in Slack.
type Sheet struct {
	Images int    `json:"images,omitempty"` // how many images it shows
	File   string `json:"file"`             // its id
	Alt    string `json:"alt"`              // its alternative text
}

// ForNow is the prefix of [Posted.Ended] while the end may change again: the service paused the order, say,
// or an approval waits. lua/shared/leave.lua uses it, too.
const ForNow = "now:"

// Unsettled reports whether the reply's buttons, or the end that it shows, may change again.
func (p Posted) Unsettled() bool {
	return p.Buttons || p.Ownerless || strings.HasPrefix(p.Ended, ForNow)
}

// Told are the replies that a channel shows of an order and that Redis forgot. It is valid for one
// generation.
type Told struct {
	Generation int               `json:"generation"`
	Replies    map[string]Posted `json:"replies"` // by the id of their event; Event is not known
}

// Missed says since when the service has not known an order, and when it was last asked. Both are
// zero while the service knows the order.
type Missed struct {
	Since time.Time `json:"since"`
	Last  time.Time `json:"last"`
}

// IsZero reports whether the service knew the order when it was last asked.
func (m Missed) IsZero() bool { return m == Missed{} }

// Active is the state that the poller compares with the service's list. An empty Status
// differs from every status: the order must be fetched, because the answer
// with its status did not have its pictures.
type Active struct {
	Status    order.Status `json:"status"`
	Revision  int          `json:"revision"`
	Version   int64        `json:"version"`
	OrderedAt time.Time    `json:"ordered_at,omitzero"`
	Missed    Missed       `json:"missed,omitzero"`
	Gone      bool         `json:"gone,omitempty"` // polled now and then, in case it comes back
}

// Differs reports whether an answer shows a change. It compares only fields that the answer
// has; any sight of a missed order is a change.
func (a Active) Differs(seen order.Order) bool {
	return !a.Missed.IsZero() || a.Gone || seen.Status != "" && seen.Status != a.Status || seen.Revision != nil && *seen.Revision != a.Revision
}

// Delivery returns the reply to the newest delivery. It returns false if that has none.
func (t Tracked) Delivery() (Posted, bool) {
	this := "ready:r" + strconv.Itoa(t.Order.Rev())
	for _, reply := range slices.Backward(t.Thread) {
		if strings.HasPrefix(reply.ID+":", this+":") {
			return reply, true
		}
	}
	return Posted{}, false
}
