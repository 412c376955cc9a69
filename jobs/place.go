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
	service   job.Service
	store     *store.Store
	queue     *queue.Queue
	access    *access.Control
	account   *accounts.Account
	credits   *accounts.Credits
	limits    *Limits
	drafts    *Drafts
	forms     *answers.Forms
	holds     *Holds
	home      *Home
	messages  *answers.Messages
	names     *accounts.Names
	operators *answers.Operators
	orders    *job.Orders
	presets   *Presets
	search    *Search
	watch     *Watch
	waiting   *job.Waiting
	waits     Waits
	log       *slog.Logger
}

// placeArgs is the body of the job that places one attempt of a draft.
type placeArgs struct {
	Draft   string    `json:"draft"`
	Attempt int       `json:"attempt"`
	View    string    `json:"view"` // external id of the modal that waits; "": a batch tells how it ends
	At      time.Time `json:"at"`   // when it was submitted
	User    string    `json:"user"`
}

// placeState is the durable progress of the job that places an order.
type placeState struct {
	job.Progress
	Looks  int          `json:"looks,omitempty"`  // looks that found nothing
	Since  time.Time    `json:"since,omitzero"`   // when it was first looked for
	Search store.Search `json:"search,omitzero"`  // what the looks came to
	Unread int          `json:"unread,omitempty"` // readings of the list, late enough to count, that did not come to its end
	Told   bool         `json:"told,omitempty"`   // the person was told that it is unsettled
	Order  *order.Order `json:"order,omitempty"`  // the service's answer
	Doubt  bool         `json:"doubt,omitempty"`  // Redis may have forgotten that it was sent
	Run    string       `json:"run,omitempty"`    // the last run of Redis in which it is known that the doubt had not ended
	Due    time.Time    `json:"due,omitzero"`     // of a doubt: no reading before then counts
	Ends   time.Time    `json:"ends,omitzero"`    // and it cannot end before then
}

// placeRun is one delivery of the job.
type placeRun struct {
	job.Run
	place  *Place
	body   placeArgs
	draft  store.Draft
	kept   placeState
	before store.Draft // as it was before this delivery sent it
	redis  conn.Run    // the present run of Redis; only where it was asked for
	sent   bool        // by this delivery
}

// PutPlace puts the job of a draft that is being placed, if need be again, in case whoever moved
// the draft died before it could; the same job twice is one. view is the modal that waits; "": none does, and
// whoever put it tells how it ends.
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

// PlaceJobOf is the job that places the draft at its attempt; view is the modal that waits.
func PlaceJobOf(draft store.Draft, view string) (queue.Job, error) {
	id := fmt.Sprintf("place:%s:%d", draft.ID, draft.Attempt)
	return job.New(job.Place, id, DraftLane(draft), placeArgs{draft.ID, draft.Attempt, view, time.Now(), draft.User})
}

// place sends the order unless it may be out already, and follows it to an outcome that the
// person can rely on.
func (j *Place) place(ctx context.Context, d *queue.Delivery, args placeArgs) error {
	state, err := queue.State[placeState](d)
	if err != nil {
		return err
	}
	p := &placeRun{place: j, body: args, kept: state}
	p.Run = job.Run{Waiting: j.waiting, Delivery: d, Mark: &p.kept.Progress, State: &p.kept}
	if p.draft, err = j.drafts.draftOf(ctx, d, args.Draft); err != nil {
		return err
	}
	if p.body.Attempt != p.draft.Attempt || p.kept.Phase == job.Accepted && p.draft.State != store.DraftPlacing {
		return p.follow(ctx) // an earlier delivery ended it
	}
	return job.Resume(ctx, p)
}

// Begin sends at once only what can be nowhere yet: the first attempt of a draft without a
// reference, delivered for the first time, in the run of Redis in which its form was opened
// and its job accepted. The draft says so from then on, so that waiting makes no doubt of it.
// Redis may have forgotten that anything else was sent, or an earlier attempt of it may be out
// after all: it is looked for first.
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
		return p.doubt(ctx, run, latest(run.Since, p.draft.SentAt))
	case p.Delivery.Now().Before(p.place.settles(p.draft.SentAt)):
		return p.doubt(ctx, run, p.draft.SentAt)
	}
	return p.look(ctx, p.sendUnseen)
}

// Unknown looks whether it has arrived.
func (p *placeRun) Unknown(ctx context.Context, why error) error {
	if why != nil {
		p.place.log.WarnContext(ctx, "order may be out", "draft", p.draft.ID, "reference", p.draft.Reference, "err", why)
	}
	if p.kept.Doubt {
		return p.doubtStill(ctx)
	}
	return p.lookForOrder(ctx)
}

// doubt is for an order that may have been sent until then, although nothing says so: it is
// looked for as long as one that was, and sent only when it is surely not there.
func (p *placeRun) doubt(ctx context.Context, run conn.Run, until time.Time) error {
	p.kept.Phase, p.kept.SentAt, p.kept.Doubt, p.kept.Run = job.Sending, until, true, run.ID
	p.kept.Search.Readings, p.kept.Unread = 0, 0 // what was read before then proves nothing
	p.doubtDue(time.Time{})
	if err := p.Save(ctx); err != nil {
		return err
	}
	return p.lookForOrder(ctx)
}

// doubtStill goes on looking. A doubt from an earlier run of Redis may have ended in sending
// before that run did, and that be forgotten: it begins anew. One that could not have ended by
// then goes on, else a Redis that restarts often would have no order sent. So the present run is
// noted until the last reading is due.
func (p *placeRun) doubtStill(ctx context.Context) error {
	run, err := p.place.store.Server.Run(ctx)
	if err != nil {
		return err
	}
	p.redis = run
	if p.kept.Run != run.ID && run.Since.After(latest(p.place.settles(p.kept.SentAt), p.kept.Ends)) {
		return p.doubt(ctx, run, latest(run.Since, p.kept.SentAt, p.draft.SentAt))
	}
	p.kept.Run = run.ID
	if left := p.kept.Due.Sub(p.Delivery.Now()); left > 0 {
		return p.wait(ctx, p.kept.approach(left), p.kept.view(p.draft, p.body.View), false)
	}
	return p.lookForOrder(ctx)
}

// doubtDue notes when the next reading is due, and so when the doubt can end.
func (p *placeRun) doubtDue(next time.Time) {
	more := time.Duration(max(scansNeeded-1-p.kept.Search.Readings, 0))
	p.kept.Due, p.kept.Ends = next, latest(next, p.place.settles(p.kept.SentAt)).Add(more*p.place.waits.Scan)
}

// approach is the wait for the next reading. Before the last one it is a part of what is left, the
// shorter the less that is.
func (k *placeState) approach(left time.Duration) time.Duration {
	if k.Search.Readings != scansNeeded-1 {
		return left
	}
	return min(max(left/2, 250*time.Millisecond), left)
}

// settles is from when on an order that was sent then is either there or not.
func (j *Place) settles(sent time.Time) time.Time {
	return sent.Add(j.service.Timeout() + j.waits.Settle)
}

// latest is the last of these moments.
func latest(moments ...time.Time) time.Time { return slices.MaxFunc(moments, time.Time.Compare) }

func (j *Place) placeKind() queue.Declared {
	return queue.Kind[placeArgs]{
		Name: job.Place, NeedsService: true, Work: j.place, Died: j.placeDied, Asked: "placing an order", Truth: job.OutcomeOfWrite,
	}.Declare()
}

// placeDied gives an order that can no longer be followed to the person, like one that
// nobody finds: with Try again and Discard, its reference watched. Whether anything was sent
// the draft says, unless Redis may have forgotten it.
func (j *Place) placeDied(ctx context.Context, l queue.DeadLetter, body placeArgs) bool {
	draft, err := j.store.Drafts.Draft(ctx, body.Draft)
	if err != nil || draft.Attempt != body.Attempt || draft.State != store.DraftPlacing {
		return false
	}
	draft.Search.Stopped = true
	if run, lost := j.store.Server.Run(ctx); draft.SentAt.IsZero() && (lost != nil || run.ID != draft.Run) {
		draft.SentAt = l.At
	}
	err = errors.Join(j.watch.giveUp(ctx, &draft), j.drafts.followAs(ctx, "follow:died", draft, body))
	if err != nil {
		j.log.ErrorContext(ctx, "order of a dead job not given up", "job", l.ID, "err", err)
	}
	return err == nil
}
