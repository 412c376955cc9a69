package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"darkroom/access"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/queue"
)

// Place places orders.
type Place struct {
	service    job.Service
	store      *store.Store
	queue      *queue.Queue
	access     *access.Control
	account    *accounts.Account
	credits    *accounts.Credits
	limits     *Limits
	drafts     *Drafts
	forms      *answers.Forms
	holds      *Holds
	home       *Home
	messages   *answers.Messages
	names      *accounts.Names
	operators  *answers.Operators
	liveOrders *job.Orders
	presets    *Presets
	search     *Search
	watch      *Watch
	waiting    *job.Waiting
	waits      Waits
	log        *slog.Logger
}

// placeArgs is the body of the job that places one attempt of a draft.
type placeArgs struct {
	Draft   string    `json:"draft"`
	Attempt int       `json:"attempt"`
	View    string    `json:"view"` // external id of the waiting modal; "": a batch reports the outcome
	At      time.Time `json:"at"`   // when the form was submitted
	User    string    `json:"user"`
}

// placeState is the durable progress of the job that places an order.
type placeState struct {
	job.Progress
	Searches   int          `json:"looks,omitempty"`  // searches that found nothing
	Since      time.Time    `json:"since,omitzero"`   // when the first search began
	Search     store.Search `json:"search,omitzero"`  // results of the searches
	Incomplete int          `json:"unread,omitempty"` // readings of the list that began late enough and were not completed
	Notified   bool         `json:"told,omitempty"`   // the person was notified that the outcome is unknown
	Order      *order.Order `json:"order,omitempty"`  // the service's answer
	MaybeSent  bool         `json:"doubt,omitempty"`  // Redis may have forgotten that it was sent
	Run        string       `json:"run,omitempty"`    // last run of Redis in which MaybeSent was known to hold
	Due        time.Time    `json:"due,omitzero"`     // with MaybeSent: readings before then do not count
	Ends       time.Time    `json:"ends,omitzero"`    // with MaybeSent: it holds at least until then
}

// placeRun is one delivery of the job.
type placeRun struct {
	job.Run
	place  *Place
	body   placeArgs
	draft  store.Draft
	saved  placeState
	before store.Draft // draft before this delivery sent it
	redis  conn.Run    // current run of Redis, if it was read
	sent   bool        // this delivery sent it
}

// PutPlace puts the job of a draft that is being placed. A second put is the same job: the process that submitted the
// draft may have died before its put. view is the waiting modal; "": the caller reports the outcome.
func (j *Place) PutPlace(ctx context.Context, draft store.Draft, view string) error {
	if draft.State != store.DraftPlacing {
		return nil
	}
	job, err := PlaceJobOf(draft, view)
	if err == nil {
		_, err = j.queue.Put(ctx, job)
	}
	return err
}

// PlaceJobOf returns the job that places the draft's current attempt; view is the waiting modal.
func PlaceJobOf(draft store.Draft, view string) (queue.Job, error) {
	id := fmt.Sprintf("place:%s:%d", draft.ID, draft.Attempt)
	return job.New(job.Place, id, DraftLane(draft), placeArgs{draft.ID, draft.Attempt, view, time.Now(), draft.User})
}

// place sends the order unless it may be sent already, and follows it to its final outcome.
func (j *Place) place(ctx context.Context, d *queue.Delivery, args placeArgs) error {
	state, err := queue.State[placeState](d)
	if err != nil {
		return err
	}
	p := &placeRun{place: j, body: args, saved: state}
	p.Run = job.Run{Waiting: j.waiting, Delivery: d, Mark: &p.saved.Progress, State: &p.saved}
	if p.draft, err = j.drafts.draftOf(ctx, d, args.Draft); err != nil {
		return err
	}
	if p.body.Attempt != p.draft.Attempt || p.saved.Phase == job.Accepted && p.draft.State != store.DraftPlacing {
		return p.follow(ctx) // an earlier delivery ended it
	}
	return job.Resume(ctx, p)
}

// Begin sends at once only an order that surely was not sent: the first delivery of the first attempt of a draft
// without a reference, in the run of Redis in which its form was opened and its job accepted. The draft saves that in
// Absent. Any other order is searched first: Redis may have forgotten that it was sent, or an earlier attempt may have
// arrived after all.
func (p *placeRun) Begin(ctx context.Context) error {
	run, err := p.place.store.Server.Run(ctx)
	if err != nil {
		return err
	}
	p.redis = run
	forgotten := !p.Delivery.SameRun || p.draft.Run != run.ID
	fresh, err := p.place.nameOrder(ctx, &p.draft, forgotten || p.body.Attempt > 1)
	if err == nil && fresh && !forgotten && p.Delivery.First && p.body.Attempt == 1 {
		p.draft.Absent = run.ID
	}
	switch {
	case err != nil:
		return err
	case p.draft.Absent == run.ID:
		return p.transmit(ctx)
	case forgotten:
		return p.assumeSent(ctx, run, latest(run.Since, p.draft.SentAt))
	case p.Delivery.Now().Before(p.place.settledAt(p.draft.SentAt)):
		return p.assumeSent(ctx, run, p.draft.SentAt)
	}
	return p.searchOnce(ctx, p.sendIfAbsent)
}

// Unknown searches for the order.
func (p *placeRun) Unknown(ctx context.Context, why error) error {
	if why != nil {
		p.place.log.WarnContext(ctx, "order may be out", "draft", p.draft.ID, "reference", p.draft.Reference, "err", why)
	}
	if p.saved.MaybeSent {
		return p.resumeAssumed(ctx)
	}
	return p.reconcile(ctx)
}

// assumeSent treats the order as sent at until, because Redis may have forgotten that it was. The order is searched for as
// long as a sent one, and sent only if it is surely absent.
func (p *placeRun) assumeSent(ctx context.Context, run conn.Run, until time.Time) error {
	p.saved.Phase, p.saved.SentAt, p.saved.MaybeSent, p.saved.Run = job.Sending, until, true, run.ID
	p.saved.Search.Readings, p.saved.Incomplete = 0, 0 // earlier readings prove nothing
	p.scheduleReading(time.Time{})
	if err := p.Save(ctx); err != nil {
		return err
	}
	return p.reconcile(ctx)
}

// resumeAssumed goes on searching. In an earlier run of Redis the search may have ended in sending, which Redis then
// forgot: such a search begins anew. A search that could not have ended by then goes on; otherwise an order would never
// be sent while Redis restarts often. So the current run is saved until the last reading is due.
func (p *placeRun) resumeAssumed(ctx context.Context) error {
	run, err := p.place.store.Server.Run(ctx)
	if err != nil {
		return err
	}
	p.redis = run
	if p.saved.Run != run.ID && run.Since.After(latest(p.place.settledAt(p.saved.SentAt), p.saved.Ends)) {
		return p.assumeSent(ctx, run, latest(run.Since, p.saved.SentAt, p.draft.SentAt))
	}
	p.saved.Run = run.ID
	if left := p.saved.Due.Sub(p.Delivery.Now()); left > 0 {
		return p.wait(ctx, p.saved.approach(left), p.saved.view(p.draft, p.body.View), false)
	}
	return p.reconcile(ctx)
}

// scheduleReading sets when the next reading is due, and when the search can end at the earliest.
func (p *placeRun) scheduleReading(next time.Time) {
	more := time.Duration(max(readingsNeeded-1-p.saved.Search.Readings, 0))
	p.saved.Due, p.saved.Ends = next, latest(next, p.place.settledAt(p.saved.SentAt)).Add(more*p.place.waits.Scan)
}

// approach returns the wait for the next reading. Before the last reading it is half of the time left.
func (k *placeState) approach(left time.Duration) time.Duration {
	if k.Search.Readings != readingsNeeded-1 {
		return left
	}
	return min(max(left/2, 250*time.Millisecond), left)
}

// settledAt returns the time from which on an order sent at sent has either arrived or never will.
func (j *Place) settledAt(sent time.Time) time.Time {
	return sent.Add(j.service.Timeout() + j.waits.Settle)
}

// latest returns the latest of the moments.
func latest(moments ...time.Time) time.Time { return slices.MaxFunc(moments, time.Time.Compare) }

func (j *Place) placeKind() queue.Declared {
	return queue.Kind[placeArgs]{
		Name: job.Place, NeedsService: true, Work: j.place, Died: j.placeDied, Asked: "placing an order", Truth: job.OutcomeOfWrite,
	}.Declare()
}

// placeDied leaves the order of a dead letter to its person, with Try again and Discard, and watches its reference.
// The draft tells whether it was sent, unless Redis may have forgotten that.
func (j *Place) placeDied(ctx context.Context, l queue.DeadLetter, body placeArgs) bool {
	draft, err := j.store.Drafts.Draft(ctx, body.Draft)
	if err != nil || draft.Attempt != body.Attempt || draft.State != store.DraftPlacing {
		return false
	}
	draft.Search.Stopped = true
	if run, lost := j.store.Server.Run(ctx); draft.SentAt.IsZero() && (lost != nil || run.ID != draft.Run) {
		draft.SentAt = l.At
	}
	err = errors.Join(j.watch.giveUp(ctx, &draft), j.drafts.putFollow(ctx, "follow:died", draft, body))
	if err != nil {
		j.log.ErrorContext(ctx, "order of a dead job not given up", "job", l.ID, "err", err)
	}
	return err == nil
}
