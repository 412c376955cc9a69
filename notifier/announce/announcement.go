package announce

import (
	"context"
	"fmt"
	"slices"
	"time"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// announcement is the state of one job that announces an order.
type announcement struct {
	job        *queue.Delivery
	id         string
	generation int    // the owner's generation; a change ends the job
	refresh    bool   // edit the card even if it is current
	tries      int    // how often the channel was out of reach
	deleted    string // ts of a reply that was deleted in Slack, or ""
	row        string // id of the row of jobs that waits for the channel; "": this job may start one
	state      jobState

	tracked store.Tracked
	events  []order.Event // not yet announced, oldest first
	history []order.Event // all events of the order; nil: not read yet

	asked     []string   // previews of the current review that Slack must fetch
	imageless bool       // Slack accepted the current message only without some pictures
	hasSlot   bool       // the channel's slot is reserved and unused
	news      store.News // where the channel's news appears; "": not read yet
	unsaved   bool       // state differs from the saved one
	limited   int64      // the version whose edits wait for Slack's limit in another job
}

// jobState is what an announce job saves between deliveries.
type jobState struct {
	Unsent     *store.InFlight `json:"unsent,omitempty"`    // the mark of a post that Slack surely refused
	Unanswered unansweredPosts `json:"unanswered,omitzero"` // a post that Slack neither accepts nor refuses
	Shown      cardSeen        `json:"shown,omitzero"`
	Refresh    bool            `json:"refresh,omitempty"` // edit the card even if it is current: see leaveButtons
	Missing    []string        `json:"missing,omitempty"` // addresses of pictures that Slack could not fetch
	Unasked    []string        `json:"unasked,omitempty"` // those of Missing that were too slow for this process
	// Edits that Slack did not answer, while it answered others.
	SlowCard    int `json:"slow_card,omitempty"`
	SlowReplies int `json:"slow_replies,omitempty"`
	// For a job that fills in previews: the uploaded copies, nil before, and when the latest was uploaded;
	// when it last started to edit the review; and whether Slack left such an edit with foreign pictures
	// unanswered.
	Copies  cards.Copies `json:"copies"`
	Copied  time.Time    `json:"copied,omitzero"`
	Crowded bool         `json:"crowded,omitempty"` // some copies still wait for a slot
	Filled  time.Time    `json:"filled,omitzero"`
	Asked   bool         `json:"asked,omitempty"`
	// For a job that fills in contact sheets: those uploaded so far, in order.
	Sheets []store.Sheet `json:"sheets,omitempty"`
	// For a job that inspects a delivery: what it found, nil before.
	Found *order.Inspection `json:"found,omitempty"`
}

// unansweredPosts counts posts of one message without an answer that turned out not to be delivered.
type unansweredPosts struct {
	Event int64 `json:"event"`
	Times int   `json:"times"`
}

// cardSeen is when the card was last known to exist.
type cardSeen struct {
	TS string    `json:"ts"`
	At time.Time `json:"at"`
}

func (m jobState) unansweredOf(mark int64) int {
	if m.Unanswered.Event != mark {
		return 0
	}
	return m.Unanswered.Times
}

func (a *announcement) save(ctx context.Context, m jobState) error {
	a.state, a.unsaved = m, false
	return a.job.SetState(ctx, m)
}

// outcomeUnknown reports whether a post may have been delivered without being recorded.
func (a *announcement) outcomeUnknown() bool {
	mark, unsent := a.tracked.InFlight, a.state.Unsent
	if mark == nil {
		return false
	}
	return unsent == nil || unsent.Event != mark.Event || !unsent.At.Equal(mark.At)
}

func (a *announcement) current() bool {
	return len(a.events) == 0 && (a.cardCurrent() || a.limited >= a.tracked.Version)
}

func (a *announcement) cardCurrent() bool {
	return a.tracked.CardTS != "" && a.tracked.CardVersion >= a.tracked.Version
}

// leaveOut adds pictures that Slack could not fetch.
func (a *announcement) leaveOut(missing []string) {
	had := len(a.state.Missing)
	for _, address := range missing {
		if !slices.Contains(a.state.Missing, address) {
			a.state.Missing = append(a.state.Missing, address)
		}
	}
	a.unsaved = a.unsaved || len(a.state.Missing) > had
}

// forgetPictures forgets which pictures of a review were left out.
func (a *announcement) forgetPictures() { a.state.Missing, a.state.Unasked, a.asked = nil, nil, nil }

// leaveButtons requests an edit of the card after a review with buttons was posted: buttons appear in one
// place only.
func (a *announcement) leaveButtons(e order.Event, posted store.Posted) {
	if posted.Buttons && posted.TS != "" && e.Kind == order.EventReady && a.state.SlowCard < mostSlow {
		a.refresh, a.state.Refresh, a.unsaved = true, true, true // later work may end this delivery
	}
}

// live reports whether a reply's buttons still work: it shows the current review, the latest message, or a
// lasting pause. events are searched for later ones.
func (a *announcement) live(e order.Event, events []order.Event) bool {
	newer := func(kinds ...order.EventKind) bool {
		return slices.ContainsFunc(events, func(other order.Event) bool { return other.Seq > e.Seq && slices.Contains(kinds, other.Kind) })
	}
	switch e.Kind {
	case order.EventReady:
		return !newer(order.EventReady) && a.tracked.InReview(e.Order.Rev()) && !a.tracked.ChangeWaits(time.Now())
	case order.EventMessage:
		return !newer(order.EventMessage, order.EventEditor) && a.tracked.Offers(order.VerbMessage, a.tracked.Order.OrderedAt)
	case order.EventPaused:
		return !newer(order.EventPaused) && !a.tracked.Untracked && a.tracked.Paused()
	case order.EventReminder:
		return !newer(cards.AfterReminder()...) && a.tracked.Order.Status == e.Order.Status && (a.tracked.InReview(e.Order.Rev()) || a.tracked.Paused() && !a.tracked.Untracked)
	}
	return false
}

// ended returns how a review or pause ended, as it is stored with its reply: the id of the event that ended it, or
// [announcement.stateForNow]. It is "" while the reply is live, for a pause that is over, and for other events.
func (a *announcement) ended(e order.Event, events []order.Event, live bool) string {
	review, pause := e.Kind == order.EventReady, e.Kind == order.EventPaused
	if live || !review && !pause || pause && cards.PauseOver(a.tracked, e, events) {
		return ""
	}
	if c := cards.RoundHistoryOf(a.tracked, events, e); review && c.Ended != nil {
		return c.Ended.ID
	}
	return a.stateForNow()
}

// stateForNow describes the order while no event has ended a reply that is not live. When it changes, the reply is edited
// again.
func (a *announcement) stateForNow() string {
	now := store.ForNow + fmt.Sprint(a.tracked.Order.Status, a.tracked.Gone, a.tracked.Untracked)
	if a.tracked.ChangeWaits(time.Now()) {
		now += kit.Either(a.tracked.Waits[0].Begun, " begun", " waits")
	}
	return now
}

// verdicts returns a live review's count of good images, else "".
func (a *announcement) verdicts(e order.Event, live bool) string {
	if !live || e.Kind != order.EventReady {
		return ""
	}
	return a.tracked.Tally()
}

// outdated reports whether an event needs no message: the reminder itself shows a snooze, and nobody needs
// an old reminder.
func (a *announcement) outdated(e order.Event) bool {
	switch e.Kind {
	case order.EventSnoozed:
		return true
	case order.EventReminder:
		return !a.live(e, a.events) || a.tracked.ChangeWaits(time.Now())
	case order.EventLate:
		return !a.tracked.Expected() || a.tracked.Order.Rev() != e.Order.Rev()
	}
	return false
}

// broadcast reports whether an event also appears in the channel, because it asks somebody to act. One message tells of
// the deliveries of a batch: see deliveries.go.
func (a *announcement) broadcast(e order.Event, live bool) bool {
	switch e.Kind {
	case order.EventReady:
		return a.tracked.Root == ""
	case order.EventPaused:
		return live
	}
	return e.Kind == order.EventResumed && a.tracked.Root == "" && a.tracked.InReview(e.Order.Rev())
}
