package announce

import (
	"context"
	"fmt"
	"slices"
	"time"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// announcement is what the stages know of the order that one job announces.
type announcement struct {
	job        *queue.Delivery
	id         string
	generation int    // of the owner; another one ends the job
	refresh    bool   // the card is edited even when it is current
	tries      int    // how often the channel was out of reach so far
	deleted    string // a reply that somebody deleted in Slack; "": none
	row        string // the row of jobs that waits for the channel; "": none, or this job begins one
	state      jobState

	tracked store.Tracked
	events  []order.Event // not yet announced, oldest first
	history []order.Event // of the whole order; nil: not read yet

	asked     []string // previews of the review in hand that Slack is asked for
	imageless bool     // Slack took the message in hand only without some of its pictures
	hasSlot   bool     // the channel's slot has come, and nothing was posted since
	unsaved   bool     // state differs from the saved one
	limited   int64    // the version whose edits wait for Slack's limit, in a job of their own
}

// jobState is what an announce job saves between its deliveries.
type jobState struct {
	Unsent     *store.InFlight `json:"unsent,omitempty"`    // a mark whose post Slack refused: nothing of it is out
	Unanswered unansweredPosts `json:"unanswered,omitzero"` // a post that Slack neither takes nor refuses
	Shown      shown           `json:"shown,omitzero"`
	Refresh    bool            `json:"refresh,omitempty"` // the card is to be edited though it is current: see leaveButtons
	Missing    []string        `json:"missing,omitempty"` // addresses of pictures that Slack could not fetch
	Unasked    []string        `json:"unasked,omitempty"` // of those: too slow for this process to ask Slack for them
	// Edits that Slack did not answer, while it answered others.
	SlowCard    int `json:"slow_card,omitempty"`
	SlowReplies int `json:"slow_replies,omitempty"`
	// A job that fills previews in: the copies that it uploaded, nil before, and when; when it last
	// began to edit the review; and whether Slack left an edit with pictures unanswered that it had to fetch.
	Copies  cards.Copies `json:"copies"`
	Copied  time.Time    `json:"copied,omitzero"`
	Crowded bool         `json:"crowded,omitempty"` // there was no room for some, yet
	Filled  time.Time    `json:"filled,omitzero"`
	Asked   bool         `json:"asked,omitempty"`
	// A job that fills contact sheets in: those that are made and uploaded, first ones first.
	Sheets []store.Sheet `json:"sheets,omitempty"`
}

// unansweredPosts counts the posts of one message that were not answered and are not out.
type unansweredPosts struct {
	Event int64 `json:"event"`
	Times int   `json:"times"`
}

// shown is when the card was last seen to be there.
type shown struct {
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

// outcomeUnknown says that a post may be out that the record does not know of.
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

// leaveOut adds pictures to those that Slack could not fetch.
func (a *announcement) leaveOut(missing []string) {
	had := len(a.state.Missing)
	for _, address := range missing {
		if !slices.Contains(a.state.Missing, address) {
			a.state.Missing = append(a.state.Missing, address)
		}
	}
	a.unsaved = a.unsaved || len(a.state.Missing) > had
}

// forgetPictures forgets which pictures of a review were left out, and why.
func (a *announcement) forgetPictures() { a.state.Missing, a.state.Unasked, a.asked = nil, nil, nil }

// leaveButtons has the card edited once a review with buttons is out: buttons stand in one place.
func (a *announcement) leaveButtons(e order.Event, posted store.Posted) {
	if posted.Buttons && posted.TS != "" && e.Kind == order.EventReady && a.state.SlowCard < mostSlow {
		a.refresh, a.state.Refresh, a.unsaved = true, true, true // what follows may have to wait for its turn
	}
}

// live says that a reply's buttons can still be pressed with success: it shows the edit that is
// waiting for an answer now, the message that is, or a pause that lasts. It searches
// what overtook it in events.
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

// ended is how a review or a pause ended, as it is kept with its reply; "" while it is live, of a pause
// that is over, and of everything else.
func (a *announcement) ended(e order.Event, events []order.Event, live bool) string {
	review, pause := e.Kind == order.EventReady, e.Kind == order.EventPaused
	if live || !review && !pause || pause && cards.PauseOver(a.tracked, e, events) {
		return ""
	}
	if c := cards.RoundHistoryOf(a.tracked, events, e); review && c.Ended != nil {
		return c.Ended.ID
	}
	now := store.ForNow + fmt.Sprint(a.tracked.Order.Status, a.tracked.Gone, a.tracked.Untracked)
	if a.tracked.ChangeWaits(time.Now()) {
		now += " waits"
	}
	return now
}

// verdicts is what a review says of how many of its images are good; "" when it has ended, and of all else.
func (a *announcement) verdicts(e order.Event, live bool) string {
	if !live || e.Kind != order.EventReady {
		return ""
	}
	return a.tracked.Tally()
}

// outdated says that there is no message for an event, or no longer: a snooze is told by the reminder itself, and
// what nobody waits for any more is not said.
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

// broadcast says that an event is shown in the channel too: it asks somebody to act.
func (a *announcement) broadcast(e order.Event, live bool) bool {
	switch e.Kind {
	case order.EventReady:
		return true
	case order.EventPaused:
		return live
	}
	return e.Kind == order.EventResumed && a.tracked.InReview(e.Order.Rev())
}
