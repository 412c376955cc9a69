package announce

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// maxPasses bounds how often one delivery chases an order that keeps changing; every
// change has put a job of its own.
const maxPasses = 10

// announceRun is one delivery's work on one order.
type announceRun struct {
	*Announcer
	d          *queue.Delivery
	id         string
	generation int
	refresh    bool   // the card is edited even when it is current
	reach      int    // how often the channel was out of reach so far
	deleted    string // a reply that somebody deleted in Slack; "": none
	chain      string // which row of jobs waits for the channel; "": none does, or this job begins one
	imageless  bool   // Slack took the message only without some of its pictures, or all
	memory     memory

	t      store.Tracked
	events []order.Event // not yet announced, oldest first

	all   []order.Event // all that happened to it, once somebody asked; nil: nobody did
	asked []string      // of the review that is posted now: the previews that Slack is asked for

	ours    bool  // the channel's turn has come, and nothing was posted since
	unsaved bool  // memory has what the next delivery of the job should know
	late    int64 // the version whose edits wait for Slack's limit on edits, in a job of their own
}

// memory is what an announce job keeps between its deliveries.
type memory struct {
	Unsent     *store.InFlight `json:"unsent,omitempty"` // a mark whose post Slack refused: nothing of it is out
	Unanswered unansweredPosts `json:"doubt,omitzero"`   // a post that Slack neither takes nor refuses
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

// shownLife is how long a card is taken to be there still: each reply waits for its turn in
// the queue, and would else cost an edit, of which Slack allows fifty a minute.
const shownLife = 20 * time.Second

func (m memory) unansweredOf(mark int64) int {
	if m.Unanswered.Event != mark {
		return 0
	}
	return m.Unanswered.Times
}

func (v *announceRun) saveState(ctx context.Context, m memory) error {
	v.memory, v.unsaved = m, false
	return v.d.SetState(ctx, m)
}

// work brings the channel up to date, whatever was left undone.
func (v *announceRun) work(ctx context.Context) error {
	for range maxPasses {
		if err := v.read(ctx); err != nil {
			return err
		}
		if v.inDoubt() {
			if err := v.resolve(ctx); err != nil {
				return err
			}
			continue
		}
		if v.current() && !v.refresh {
			break
		}
		if err := v.compare(ctx); err != nil {
			return err
		}
		if err := v.catchUp(ctx); err != nil {
			return err
		}
	}
	if err := v.settleReviews(ctx); err != nil || !v.refresh {
		return err
	}
	if err := v.read(ctx); err != nil {
		return err
	}
	return v.showCard(ctx)
}

func (v *announceRun) read(ctx context.Context) error {
	var err error
	v.t, v.events, err = v.Store.Pending(ctx, v.id)
	v.all = nil
	if err != nil {
		return err
	}
	if v.t.Owner.Generation != v.generation {
		return store.ErrMoved
	}
	return nil
}

func (v *announceRun) current() bool {
	return len(v.events) == 0 && (v.cardCurrent() || v.late >= v.t.Version)
}

func (v *announceRun) cardCurrent() bool {
	return v.t.CardTS != "" && v.t.CardVersion >= v.t.Version
}

// catchUp shows the card as it is now and posts what the thread lacks.
func (v *announceRun) catchUp(ctx context.Context) error {
	if err := v.lookAhead(ctx); err != nil {
		return err
	}
	if len(v.events) > 0 || v.t.CardTS == "" {
		if err := v.turn(ctx); err != nil {
			return err
		}
	}
	if !v.justShown() {
		if err := v.showCard(ctx); err != nil {
			return err
		}
	}
	for _, e := range v.events {
		if err := v.reply(ctx, e); err != nil {
			return fmt.Errorf("event %s: %w", e.ID, err)
		}
	}
	return nil
}

// justShown says that this job has made the card what it should be a moment ago.
func (v *announceRun) justShown() bool {
	s := v.memory.Shown
	return v.cardCurrent() && !v.refresh && s.TS == v.t.CardTS && v.d.Now().Sub(s.At) < shownLife
}

// showCard comes before any reply, even when the card is current: a reply to
// a card that was deleted would land in the channel.
func (v *announceRun) showCard(ctx context.Context) error {
	forms := formsOf(v.card(ctx))
	ts, version := v.t.CardTS, v.t.Version // 0: plainer than it should be, and to be edited
	err := bot.ErrGone
	if ts != "" {
		err = v.edit(ctx, ts, forms)
		if err := v.overtaken(ctx, err); err != nil {
			return err
		}
		err = v.slowEdit(ctx, err, slowCard)
	}
	after, limited := bot.RetryAfter(err)
	if limited {
		err = v.cardExists(ctx, ts)
	}
	switch {
	case limited && err == nil:
		return v.editLater(ctx, after)
	case errors.Is(err, bot.ErrGone):
		if v.memory.unansweredOf(cardMark) >= patience {
			version = 0
		}
		ts, err = v.post(ctx, cardMark, bot.Post{}, forms)
	case errors.Is(err, bot.ErrNotEditable): // a new card for every change would be worse
		v.Log.WarnContext(ctx, "card left as it is", "order", v.id, "err", err)
		err = nil
	}
	if err != nil {
		return fmt.Errorf("card: %w", err)
	}
	v.t.CardTS, v.refresh, v.memory.Refresh = ts, false, false
	v.memory.Shown, v.unsaved = shown{TS: ts, At: v.d.Now()}, true
	if err := v.refreshLater(ctx); err != nil {
		return err
	}
	if err := v.refreshWaits(ctx); err != nil {
		return err
	}
	return v.Store.CardPosted(ctx, v.id, v.generation, ts, version)
}

// overtaken puts another edit of the card behind one that Slack did not answer: it may be
// carried out late, after a newer one, and would leave the card as it was. One is enough
// for each version: an edit that Slack never answers is not tried for ever.
func (v *announceRun) overtaken(ctx context.Context, edited error) error {
	if _, told := bot.RetryAfter(edited); told || !errors.Is(edited, bot.ErrTryLater) {
		return nil
	}
	id := fmt.Sprintf("announce:%s:g%d:unanswered:v%d", v.id, v.generation, v.t.Version)
	return v.again(ctx, id, store.AnnounceJob{Refresh: true}, v.OutcomeAfter)
}

// interrupted does the same behind an edit that the worker before may have had under way when it
// died or had to stop: nobody waited for Slack's answer to it.
func (v *announceRun) interrupted(ctx context.Context) error {
	if !v.d.Interrupted {
		return nil
	}
	id := fmt.Sprintf("%s:interrupted:%d", v.d.ID, v.d.Deliveries)
	return v.again(ctx, id, store.AnnounceJob{Refresh: true}, v.OutcomeAfter)
}

// card is what the card says now.
func (v *announceRun) card(ctx context.Context) cards.Message {
	if v.t.Untracked {
		return cards.Left(v.t)
	}
	return cards.Card(v.t, v.links(ctx), time.Now())
}

// refreshLater puts the job that takes *Cancel order* off the card when its time is over.
func (v *announceRun) refreshLater(ctx context.Context) error {
	until, ok := cards.CancelUntil(v.t, time.Now())
	if !ok {
		return nil
	}
	// A job that comes too early, by this replica's clock, puts another under a name of its own.
	id := fmt.Sprintf("announce:%s:g%d:cancel-over:%d", v.id, v.generation, until.Unix())
	if v.d.ID == id {
		id += ":again"
	}
	return v.again(ctx, id, store.AnnounceJob{Refresh: true}, time.Until(until)+time.Second)
}

// refreshWaits puts the job that takes off the card what waits for the service, should nobody note any
// more that it does.
func (v *announceRun) refreshWaits(ctx context.Context) error {
	if len(v.t.Waiting(time.Now())) == 0 {
		return nil
	}
	id := fmt.Sprintf("announce:%s:g%d:waits-over:%d", v.id, v.generation, v.t.WaitsUntil.UnixMilli())
	if v.d.ID == id {
		id += ":again"
	}
	return v.again(ctx, id, store.AnnounceJob{Refresh: true}, time.Until(v.t.WaitsUntil)+time.Second)
}

// again puts another announcement of this order into this lane for later.
func (v *announceRun) again(ctx context.Context, id string, job store.AnnounceJob, after time.Duration) error {
	job.Order, job.Generation = v.id, v.generation
	return v.put(ctx, queue.Job{ID: id, Lane: v.d.Lane, Kind: store.AnnounceKind}, job, after)
}

// broadcast says that an event is shown in the channel too: it asks somebody to act.
func (v *announceRun) broadcast(e order.Event, live bool) bool {
	switch e.Kind {
	case order.EventReady:
		return true
	case order.EventPaused:
		return live
	}
	return e.Kind == order.EventResumed && v.t.InReview(e.Order.Rev())
}

// reply posts one event into the order's thread and moves the watermark. An
// event that Slack takes in no form is left out, for the sake of those behind it.
func (v *announceRun) reply(ctx context.Context, e order.Event) error {
	if told, err := v.toldAlready(ctx, e); told || err != nil {
		return err
	}
	if v.outdated(e) {
		return v.Store.EventPosted(ctx, v.id, v.generation, store.Posted{Event: e.Seq, ID: e.ID})
	}
	e, err := v.addressed(ctx, e)
	if err != nil {
		return err
	}
	events, err := v.course(ctx, e)
	if err != nil {
		return err
	}
	live := v.live(e, v.events)
	asks, err := v.asks(ctx, e, live)
	if err != nil {
		return err
	}
	into := bot.Post{Thread: v.t.CardTS, Broadcast: v.broadcast(e, live)}
	if err := v.ready(ctx, e, events, live); err != nil {
		return err
	}
	v.imageless = len(v.memory.Missing) > 0
	began := time.Now()
	ownerless := v.ownerless(ctx, e, live)
	ts, err := v.post(ctx, e.Seq, into, v.replyForms(ctx, e, events, live, store.Posted{Asks: asks, Ownerless: ownerless}))
	if noted := v.noteSlackSlow(ctx, time.Since(began), err); noted != nil {
		err = errors.Join(err, noted)
	}
	if errors.Is(err, bot.ErrPayload) {
		v.Log.ErrorContext(ctx, "event left out: slack takes it in no form", "order", v.id, "event", e.ID, "err", err)
		ts, err = "", nil
	}
	if err != nil {
		return err
	}
	if v.imageless && ts != "" && live {
		if err := v.fillLater(ctx, e, v.memory.Missing, ""); err != nil {
			return err
		}
	}
	if ts != "" && live {
		if err := v.sheetsLater(ctx, e, events); err != nil {
			return err
		}
	}
	if err := v.finalsLater(ctx, e); err != nil {
		return err
	}
	if err := v.tellFollowers(ctx, e, false); err != nil {
		return err
	}
	v.forgetPictures()
	posted := store.Posted{Event: e.Seq, ID: e.ID, TS: ts, Buttons: live, Ended: v.ended(e, events, live), Verdicts: v.verdicts(e, live), Asks: asks, Ownerless: ownerless}
	if err := v.Store.EventPosted(ctx, v.id, v.generation, posted); err != nil {
		return err
	}
	v.leaveButtons(e, posted)
	if ts != "" {
		v.announced(e)
	}
	return nil
}

// ready waits for the channel's turn, and then a moment for the previews of a review: it is posted with
// those that are there.
func (v *announceRun) ready(ctx context.Context, e order.Event, events []order.Event, live bool) error {
	v.asked = nil
	if !live || e.Kind != order.EventReady {
		return nil
	}
	if err := v.turn(ctx); err != nil {
		return err
	}
	return v.leaveOutSlow(ctx, e, events, nil)
}
