package jobs

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/upstream"
)

// placeArgs is the body of the job that places one attempt of a draft.
type placeArgs struct {
	Draft   string    `json:"draft"`
	Attempt int       `json:"attempt"`
	View    string    `json:"view"` // external id of the modal that waits
	At      time.Time `json:"at"`   // when it was submitted
	User    string    `json:"user"`
}

// A placed order goes accepted → sending → answered; the phases are written down
// before the step they name, so that a crash never leaves a sent order unmarked.
type phase string

const (
	accepted phase = ""
	sending  phase = "sending"
	answered phase = "answered"
)

// placeState is the durable progress of the job that places an order.
type placeState struct {
	Phase  phase        `json:"phase,omitempty"`
	SentAt time.Time    `json:"sent_at,omitzero"` // by the clock of Redis, as all that replicas compare
	Looks  int          `json:"looks,omitempty"`  // looks that found nothing
	Since  time.Time    `json:"since,omitzero"`   // when it was first looked for
	Search store.Search `json:"search,omitzero"`  // what the looks came to
	Unread int          `json:"unread,omitempty"` // readings of the list, late enough to count, that did not come to its end
	Told   bool         `json:"told,omitempty"`   // the person was told that it is unsettled
	Order  *order.Order `json:"order,omitempty"`  // the service's answer
	Waits  int          `json:"waits,omitempty"`  // times the service could not be reached
	Doubt  bool         `json:"doubt,omitempty"`  // Redis may have forgotten that it was sent
	Run    string       `json:"run,omitempty"`    // the run of Redis in which the doubt began
}

// placement is one delivery of the job with all it needs.
type placement struct {
	d     *queue.Delivery
	body  placeArgs
	draft store.Draft
	state placeState
}

// PutPlacing appends the job of the draft's attempt.
func (j *Jobs) PutPlacing(ctx context.Context, draft store.Draft, view string) error {
	id := fmt.Sprintf("place:%s:%d", draft.ID, draft.Attempt)
	return j.Put(ctx, PlaceJob, id, draftLane(draft), placeArgs{draft.ID, draft.Attempt, view, time.Now(), draft.User})
}

// EnsurePlacing puts the job of a draft that is being placed, in case whoever moved the
// draft died before it could; the same job twice is one.
func (j *Jobs) EnsurePlacing(ctx context.Context, draft store.Draft, view string) error {
	if draft.State != store.DraftPlacing {
		return nil
	}
	return j.PutPlacing(ctx, draft, view)
}

// place does the job: it sends the order unless it may be out already, and follows it
// to an outcome the person can rely on.
func (j *Jobs) place(ctx context.Context, d *queue.Delivery, args placeArgs) error {
	p, err := j.loadPlacement(ctx, d, args)
	if err != nil {
		return err
	}
	switch {
	case p.body.Attempt != p.draft.Attempt, p.state.Phase == accepted && p.draft.State != store.DraftPlacing:
		return j.Follow(ctx, p.draft, p.body.Attempt, p.body.View, p.body.At) // settled by an earlier delivery
	case p.state.Phase == answered:
		return j.placed(ctx, p)
	case p.state.Phase == sending && p.state.Doubt:
		return j.doubtStill(ctx, p)
	case p.state.Phase == sending:
		return j.lookForOrder(ctx, p)
	}
	return j.begin(ctx, p)
}

// begin sends at once only what can be nowhere yet: the first attempt of a draft without a
// reference, delivered for the first time, in the run of Redis in which its form was opened
// and its job accepted. Redis may have forgotten that anything else was sent, or an
// earlier attempt of it may be out after all: it is looked for first.
func (j *Jobs) begin(ctx context.Context, p *placement) error {
	run, err := j.store.Run(ctx)
	if err != nil {
		return err
	}
	forgotten := !p.d.SameRun || p.draft.Run != run.ID
	fresh, err := j.nameOrder(ctx, &p.draft, forgotten || p.body.Attempt > 1)
	switch {
	case err != nil:
		return err
	case forgotten:
		return j.doubt(ctx, p, run, latest(run.Since, p.draft.SentAt))
	case p.d.Now().Before(p.draft.SentAt.Add(j.service.Timeout() + settleAfter)):
		return j.doubt(ctx, p, run, p.draft.SentAt)
	case p.d.First && p.body.Attempt == 1 && fresh:
		return j.send(ctx, p)
	}
	return j.lookThenSend(ctx, p)
}

// doubt is for an order that may have been sent until then, although nothing says so: it is
// looked for as long as one that was, and sent only when it is surely not there.
func (j *Jobs) doubt(ctx context.Context, p *placement, run store.Run, until time.Time) error {
	p.state.Phase, p.state.SentAt, p.state.Doubt, p.state.Run = sending, until, true, run.ID
	p.state.Search.Readings, p.state.Unread = 0, 0 // what was read before then proves nothing
	if err := p.d.SetState(ctx, p.state); err != nil {
		return err
	}
	return j.lookForOrder(ctx, p)
}

// doubtStill goes on looking. A doubt from an earlier run of Redis may have ended in sending
// before that run did, and that be forgotten: it begins anew. One that could not have ended by
// then goes on, else a Redis that restarts often would have no order sent.
func (j *Jobs) doubtStill(ctx context.Context, p *placement) error {
	run, err := j.store.Run(ctx)
	switch {
	case err != nil:
		return err
	case p.state.Run != run.ID && run.Since.After(p.state.SentAt.Add(j.service.Timeout()+settleAfter)):
		return j.doubt(ctx, p, run, latest(run.Since, latest(p.state.SentAt, p.draft.SentAt)))
	}
	return j.lookForOrder(ctx, p)
}

// latest is the later of two moments.
func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func (j *Jobs) loadPlacement(ctx context.Context, d *queue.Delivery, args placeArgs) (*placement, error) {
	state, err := queue.State[placeState](d)
	if err != nil {
		return nil, err
	}
	p := &placement{d: d, body: args, state: state}
	p.draft, err = j.store.Draft(ctx, p.body.Draft)
	if errors.Is(err, store.ErrNoDraft) {
		return nil, queue.Dead(fmt.Errorf("job %s: %w", d.ID, err))
	}
	return p, err
}

// send places the order at the service, once.
func (j *Jobs) send(ctx context.Context, p *placement) error {
	why, err := j.access.WhyNotPost(ctx, p.draft.User, p.draft.Channel)
	if err != nil {
		return err
	}
	if why != "" {
		p.draft.Unpostable = string(why)
		return j.refuse(ctx, p, nil)
	}
	before := p.draft.SentAt
	p.draft.SentAt = p.d.Now()
	if err := j.store.SaveDraft(ctx, p.draft); err != nil {
		return err
	}
	p.state.Phase, p.state.SentAt = sending, p.draft.SentAt
	if err := p.d.SetState(ctx, p.state); err != nil {
		return err
	}
	o, err := j.service.Create(ctx, request(p.draft))
	switch {
	case err == nil:
		return j.adopt(ctx, p, o)
	case ctx.Err() != nil:
		return ctx.Err() // whoever takes over looks first
	case errors.Is(err, order.ErrUnavailable):
		p.state.Phase, p.state.SentAt = accepted, time.Time{} // it certainly never left
		p.draft.SentAt = before
		return j.serviceAway(ctx, p, err)
	case errors.Is(err, order.ErrUnknown):
		j.log.WarnContext(ctx, "order may be out", "draft", p.draft.ID, "reference", p.draft.Reference, "err", err)
		return j.lookForOrder(ctx, p)
	}
	return j.refuse(ctx, p, words(err))
}

// serviceAway waits for a service that does not answer as it should; nobody's attempt
// is used up, and the draft is kept meanwhile.
func (j *Jobs) serviceAway(ctx context.Context, p *placement, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	j.log.WarnContext(ctx, "order waits for the service", "draft", p.draft.ID, "phase", p.state.Phase, "err", err)
	if err := j.store.SaveDraft(ctx, p.draft); err != nil && !errors.Is(err, store.ErrDraftMoved) {
		return err
	}
	p.state.Waits++
	if err := j.tellWaiting(ctx, p, p.state.Waits == 1); err != nil {
		return err
	}
	if err := p.d.SetState(ctx, p.state); err != nil {
		return err
	}
	return queue.Wait(retryAfter(err, p.state.Waits))
}

// longWait is when a person who waits is told by direct message as well: the modal may
// be closed by then.
const longWait = 3 * time.Minute

// tellWaiting says how it stands: that nothing was sent, or that nobody knows.
func (j *Jobs) tellWaiting(ctx context.Context, p *placement, show bool) error {
	view := cards.PlacingLater(p.draft, p.body.View)
	if p.state.Phase == sending || !p.draft.SentAt.IsZero() {
		view = cards.Unsettled(p.draft, p.body.View)
	}
	return j.tellStanding(ctx, p, view, show)
}

// tellStanding shows it in the modal, and tells who waits long by direct message, once.
func (j *Jobs) tellStanding(ctx context.Context, p *placement, view slack.ModalViewRequest, show bool) error {
	if show {
		j.progress(ctx, p.window(), view)
	}
	if p.state.Told || p.d.Now().Sub(p.d.PutAt) < longWait {
		return nil
	}
	err := j.dmOrLog(ctx, p.draft.User, cards.AsMessage(view))
	if bot.Mendable(err) { // no reason to stop looking: how it ends is told
		j.tellOperators(ctx, err)
		return nil
	}
	p.state.Told = err == nil
	return err
}

// adopt keeps the service's answer before anything is done with it.
func (j *Jobs) adopt(ctx context.Context, p *placement, order order.Order) error {
	p.state.Phase, p.state.Order = answered, &order
	if err := p.d.SetState(ctx, p.state); err != nil {
		return err
	}
	return j.placed(ctx, p)
}

// placed makes the channel own the order and tells the person.
func (j *Jobs) placed(ctx context.Context, p *placement) error {
	credits := j.creditsIn(ctx, p.draft.Team, p.draft.Channel)
	placement := store.Placement{
		ID:        p.state.Order.ID,
		Owner:     store.Owner{Team: p.draft.Team, Channel: p.draft.Channel, Requester: p.draft.User},
		Reference: p.draft.Reference, Images: len(p.draft.Images()), Order: *p.state.Order, Credits: credits,
	}
	tracked, err := j.store.Place(ctx, placement)
	if err == nil && tracked.Untracked && p.draft.State == store.DraftPlacing { // found, after somebody had followed it for a while
		placement.Adopted = true
		tracked, err = j.store.Place(ctx, placement)
	}
	if err != nil {
		return err
	}
	p.draft.State, p.draft.OrderID, p.draft.UpdatedAt = store.DraftPlaced, tracked.ID, time.Now()
	p.draft.Problems = nil
	if err := j.store.SaveDraft(ctx, p.draft); err != nil {
		return err
	}
	j.HomeChanged(ctx, p.draft.Team, p.draft.User)
	return j.Follow(ctx, p.draft, p.body.Attempt, p.body.View, p.body.At)
}

// refuse gives the form back with the reasons; the next submission is a new attempt.
func (j *Jobs) refuse(ctx context.Context, p *placement, problems cards.Problems) error {
	p.draft.State, p.draft.Problems, p.draft.UpdatedAt = store.DraftRefused, problems, time.Now()
	p.draft.Attempt++
	p.draft.SentAt = time.Time{} // the service says so
	if err := j.store.SaveDraft(ctx, p.draft); err != nil {
		return err
	}
	return j.Follow(ctx, p.draft, p.body.Attempt, p.body.View, p.body.At)
}

// window is where this job answers.
func (p *placement) window() ModalRef {
	return DraftWindow(p.draft, p.body.View, p.body.At)
}

// request is the draft as the service wants it.
func request(d store.Draft) upstream.NewOrder {
	all := d.Images()
	images := make([]upstream.Image, len(all))
	for i, image := range all {
		images[i] = upstream.Image{URL: image.Address, Service: image.Service, Instruction: image.Instruction}
	}
	return upstream.NewOrder{
		ProjectName: order.FullName(d.ProjectName, d.Reference), Instructions: d.Instructions,
		CustomerID: d.CustomerID, Images: images,
	}
}

// nameOrder gives the draft its reference, and a name when the person gave none. Both
// are made from the draft's id alone: a Redis that forgot them makes the same ones, and
// an order that is out is found by them. Fresh says that nobody reserved it before. What
// somebody did reserve, or may have and it was forgotten, can be as old as the form.
func (j *Jobs) nameOrder(ctx context.Context, d *store.Draft, forgotten bool) (fresh bool, _ error) {
	if d.Reference != "" {
		return false, nil
	}
	source := rand.NewChaCha8(sha256.Sum256([]byte(d.ID)))
	fresh = true
	for d.Reference == "" {
		ref, err := order.GenerateReference(source)
		if err != nil {
			return false, err
		}
		held, err := j.store.Reserved(ctx, ref)
		if err != nil {
			return false, err
		}
		free, err := j.store.ReserveReference(ctx, ref, d.ID)
		if err != nil {
			return false, err
		}
		if free {
			d.Reference, d.ReferenceAt, fresh = ref, d.SubmittedAt, !held
		}
	}
	if (forgotten || !fresh) && !d.OpenedAt.IsZero() {
		d.ReferenceAt = d.OpenedAt
	}
	if d.ProjectName == "" {
		var err error
		if d.ProjectName, err = order.FriendlyName(source); err != nil {
			return false, err
		}
	}
	return fresh, j.store.SaveDraft(ctx, *d)
}

// words are the reasons of a refusal: the service's own, or ours for what never left.
func words(err error) cards.Problems {
	if refused, ok := errors.AsType[*order.Error](err); ok && len(refused.Messages) > 0 {
		return refused.Messages
	}
	if input, ok := errors.AsType[*order.InputError](err); ok {
		return cards.Problems{input.Problem}
	}
	return cards.Problems{cards.Sentence(err, "")}
}

// retryAfter is how long to leave the service alone: as long as it asked, else a
// little longer each time, up to a minute.
func retryAfter(err error, waits int) time.Duration {
	var told *order.Error
	if errors.As(err, &told) && told.RetryAfter > 0 {
		return min(told.RetryAfter, 10*time.Minute)
	}
	return min(time.Duration(1<<min(waits, 6))*time.Second, time.Minute)
}

func (j *Jobs) placeKind() queue.Declared {
	return queue.Kind[placeArgs]{
		Name: PlaceJob, Work: j.place, Died: j.placeDied, Asked: "placing an order", Truth: truthOfPlacing,
	}.Declare()
}

// placeDied gives an order that can no longer be followed to the person, like one that
// nobody finds: with Try again and Discard, its reference watched. Whether anything was sent
// the draft says, unless Redis may have forgotten it.
func (j *Jobs) placeDied(ctx context.Context, l queue.DeadLetter, body placeArgs) bool {
	draft, err := j.store.Draft(ctx, body.Draft)
	if err != nil || draft.Attempt != body.Attempt || draft.State != store.DraftPlacing {
		return false
	}
	draft.Search.Stopped = true
	if run, lost := j.store.Run(ctx); draft.SentAt.IsZero() && (lost != nil || run.ID != draft.Run) {
		draft.SentAt = l.At
	}
	err = errors.Join(j.giveUp(ctx, draft), j.followDead(ctx, draft, body))
	if err != nil {
		j.log.ErrorContext(ctx, "order of a dead job not given up", "job", l.ID, "err", err)
	}
	return err == nil
}
