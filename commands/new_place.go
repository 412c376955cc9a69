package commands

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/upstream"
)

const placeJob = "place"

// placing is the body of the job that places one attempt of a draft.
type placing struct {
	Draft   string    `json:"draft"`
	Attempt int       `json:"attempt"`
	View    string    `json:"view"`           // external id of the modal that waits
	Look    bool      `json:"look,omitempty"` // an earlier attempt may be out: look before sending
	At      time.Time `json:"at"`             // when it was submitted
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

// placeState is the durable progress of a placing job.
type placeState struct {
	Phase  phase           `json:"phase,omitempty"`
	SentAt time.Time       `json:"sent_at,omitzero"`
	Looks  int             `json:"looks,omitempty"`  // looks that found nothing
	Misses int             `json:"misses,omitempty"` // complete scans, late enough to count
	Total  int             `json:"total,omitempty"`  // orders at the service in the last such scan
	Told   bool            `json:"told,omitempty"`   // the person was told that it is unsettled
	Order  *upstream.Order `json:"order,omitempty"`  // the service's answer
	Waits  int             `json:"waits,omitempty"`  // times the service could not be reached
	Doubt  bool            `json:"doubt,omitempty"`  // Redis may have forgotten that it was sent
}

// placement is one delivery of the job with all it needs.
type placement struct {
	d     *queue.Delivery
	body  placing
	draft store.Draft
	state placeState
}

// putPlacing appends the job of the draft's attempt.
func (c *Commands) putPlacing(ctx context.Context, draft store.Draft, view string, look bool) error {
	id := fmt.Sprintf("place:%s:%d", draft.ID, draft.Attempt)
	return c.put(ctx, placeJob, id, draftLane(draft), placing{draft.ID, draft.Attempt, view, look, now(), draft.User})
}

// ensurePlacing puts the job of a draft that is being placed, in case whoever moved the
// draft died before it could; the same job twice is one.
func (c *Commands) ensurePlacing(ctx context.Context, draft store.Draft, view string) error {
	if draft.State != store.DraftPlacing {
		return nil
	}
	return c.putPlacing(ctx, draft, view, true)
}

// place does the job: it sends the order unless it may be out already, and follows it
// to an outcome the person can rely on.
func (c *Commands) place(ctx context.Context, d *queue.Delivery) error {
	p, err := c.loadPlacement(ctx, d)
	if err != nil {
		return err
	}
	switch {
	case p.body.Attempt != p.draft.Attempt, p.state.Phase == accepted && p.draft.State != store.DraftPlacing:
		return c.follow(ctx, p.draft, p.body.Attempt, p.body.View, p.body.At) // settled by an earlier delivery
	case p.state.Phase == answered:
		return c.placed(ctx, p)
	case p.state.Phase == sending:
		return c.lookForOrder(ctx, p)
	case d.First && !p.body.Look:
		return c.send(ctx, p)
	case d.SameRun:
		return c.lookThenSend(ctx, p)
	}
	return c.doubt(ctx, p)
}

// doubt is for a job that Redis may remember from before it was sent: the order is
// looked for as long as one that was, and sent only when it is surely not there.
func (c *Commands) doubt(ctx context.Context, p *placement) error {
	if err := c.nameOrder(ctx, &p.draft); err != nil {
		return err
	}
	p.state.Phase, p.state.SentAt, p.state.Doubt = sending, now(), true
	if err := p.d.SetState(ctx, p.state); err != nil {
		return err
	}
	return c.lookForOrder(ctx, p)
}

func (c *Commands) loadPlacement(ctx context.Context, d *queue.Delivery) (*placement, error) {
	p := &placement{d: d}
	if err := json.Unmarshal(d.Body, &p.body); err != nil {
		return nil, queue.Dead(fmt.Errorf("job %s: %w", d.ID, err))
	}
	if len(d.State) > 0 {
		if err := json.Unmarshal(d.State, &p.state); err != nil {
			return nil, queue.Dead(fmt.Errorf("job %s: its state: %w", d.ID, err))
		}
	}
	var err error
	p.draft, err = c.store.Draft(ctx, p.body.Draft)
	if errors.Is(err, store.ErrNoDraft) {
		return nil, queue.Dead(fmt.Errorf("job %s: %w", d.ID, err))
	}
	return p, err
}

// lookThenSend is for an attempt that was delivered before, or follows one that may be
// out: nothing says that it was sent, but a look costs less than a second order. An
// earlier attempt's order that turned up at this very moment is the one to keep.
func (c *Commands) lookThenSend(ctx context.Context, p *placement) error {
	if err := c.nameOrder(ctx, &p.draft); err != nil {
		return err
	}
	seen, err := c.search(ctx, p.draft, sighting{owned: true})
	switch {
	case err != nil:
		return c.serviceAway(ctx, p, err)
	case seen.order != nil:
		return c.adopt(ctx, p, *seen.order)
	case !seen.complete:
		return queue.Wait(between)
	}
	return c.send(ctx, p)
}

// send places the order at the service, once.
func (c *Commands) send(ctx context.Context, p *placement) error {
	why, err := c.whyNotPost(ctx, p.draft.Team, p.draft.User, p.draft.Channel)
	if err != nil {
		return err
	}
	if why != "" {
		p.draft.Unpostable = string(why)
		return c.refuse(ctx, p, nil)
	}
	if err := c.nameOrder(ctx, &p.draft); err != nil {
		return err
	}
	p.state.Phase, p.state.SentAt = sending, now()
	if err := p.d.SetState(ctx, p.state); err != nil {
		return err
	}
	order, err := c.service.Create(ctx, request(p.draft))
	switch {
	case err == nil:
		return c.adopt(ctx, p, order)
	case ctx.Err() != nil:
		return ctx.Err() // whoever takes over looks first
	case errors.Is(err, upstream.ErrUnavailable):
		p.state.Phase, p.state.SentAt = accepted, time.Time{} // it certainly never left
		return c.serviceAway(ctx, p, err)
	case errors.Is(err, upstream.ErrUnknown):
		c.log.WarnContext(ctx, "order may be out", "draft", p.draft.ID, "reference", p.draft.Reference, "err", err)
		return c.lookForOrder(ctx, p)
	}
	return c.refuse(ctx, p, words(err))
}

// serviceAway waits for a service that does not answer as it should; nobody's attempt
// is used up, and the draft is kept meanwhile.
func (c *Commands) serviceAway(ctx context.Context, p *placement, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.log.WarnContext(ctx, "order waits for the service", "draft", p.draft.ID, "phase", p.state.Phase, "err", err)
	if err := c.store.SaveDraft(ctx, p.draft); err != nil && !errors.Is(err, store.ErrDraftMoved) {
		return err
	}
	p.state.Waits++
	if err := c.tellWaiting(ctx, p, p.state.Waits == 1); err != nil {
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
func (c *Commands) tellWaiting(ctx context.Context, p *placement, show bool) error {
	view := cards.PlacingLater(p.draft, p.body.View)
	if p.state.Phase == sending {
		view = cards.Unsettled(p.draft, p.body.View)
	}
	if show {
		c.progress(ctx, p.window(), view)
	}
	if p.state.Told || now().Sub(p.body.At) < longWait {
		return nil
	}
	p.state.Told = true
	return c.dmOrLog(ctx, p.draft.User, cards.Told(view))
}

// adopt keeps the service's answer before anything is done with it.
func (c *Commands) adopt(ctx context.Context, p *placement, order upstream.Order) error {
	p.state.Phase, p.state.Order = answered, &order
	if err := p.d.SetState(ctx, p.state); err != nil {
		return err
	}
	return c.placed(ctx, p)
}

// placed makes the channel own the order and tells the person.
func (c *Commands) placed(ctx context.Context, p *placement) error {
	credits := c.creditsLeft(ctx)
	tracked, err := c.store.Place(ctx, store.Placement{
		ID:        p.state.Order.ID,
		Owner:     store.Owner{Team: p.draft.Team, Channel: p.draft.Channel, Requester: p.draft.User},
		Reference: p.draft.Reference, Images: len(p.draft.Images()), Order: *p.state.Order, Credits: credits,
	})
	if err != nil {
		return err
	}
	p.draft.State, p.draft.OrderID, p.draft.UpdatedAt = store.DraftPlaced, tracked.ID, now()
	p.draft.Problems = nil
	if err := c.store.SaveDraft(ctx, p.draft); err != nil {
		return err
	}
	c.homeChanged(ctx, p.draft.Team, p.draft.User)
	return c.follow(ctx, p.draft, p.body.Attempt, p.body.View, p.body.At)
}

// refuse gives the form back with the reasons; the next submission is a new attempt.
func (c *Commands) refuse(ctx context.Context, p *placement, problems cards.Problems) error {
	p.draft.State, p.draft.Problems, p.draft.UpdatedAt = store.DraftRefused, problems, now()
	p.draft.Attempt++
	if err := c.store.SaveDraft(ctx, p.draft); err != nil {
		return err
	}
	return c.follow(ctx, p.draft, p.body.Attempt, p.body.View, p.body.At)
}

// window is where this job answers.
func (p *placement) window() window {
	return draftWindow(p.draft, p.body.View, p.body.At)
}

// request is the draft as the service wants it.
func request(d store.Draft) upstream.NewOrder {
	all := d.Images()
	images := make([]upstream.Image, len(all))
	for i, image := range all {
		images[i] = upstream.Image{URL: image.Address, Service: image.Service, Instruction: image.Instruction}
	}
	return upstream.NewOrder{
		ProjectName: fmt.Sprintf("%s [%s]", d.ProjectName, d.Reference), Instructions: d.Instructions,
		CustomerID: d.CustomerID, Images: images,
	}
}

// nameOrder gives the draft its reference, and a name when the person gave none. Both
// are made from the draft's id alone: a Redis that forgot them makes the same ones, and
// an order that is out is found by them.
func (c *Commands) nameOrder(ctx context.Context, d *store.Draft) error {
	if d.Reference != "" {
		return nil
	}
	source := rand.NewChaCha8(sha256.Sum256([]byte(d.ID)))
	for d.Reference == "" {
		ref, err := store.GenerateReference(source)
		if err != nil {
			return err
		}
		free, err := c.store.ReserveReference(ctx, ref, d.ID)
		if err != nil {
			return err
		}
		if free {
			d.Reference, d.ReferenceAt = ref, d.SubmittedAt
		}
	}
	if d.ProjectName == "" {
		var err error
		if d.ProjectName, err = store.FriendlyName(source); err != nil {
			return err
		}
	}
	return c.store.SaveDraft(ctx, *d)
}

// creditsLeft decorates an answer; without it the answer is as good.
func (c *Commands) creditsLeft(ctx context.Context) decimal.NullDecimal {
	quick, cancel := brief(ctx)
	defer cancel()
	credits, err := c.service.Balance(quick)
	if err != nil {
		c.log.InfoContext(ctx, "credits not known", "err", err)
	}
	return decimal.NullDecimal{Decimal: credits, Valid: err == nil}
}

// words are the reasons of a refusal: the service's own, or ours for what never left.
func words(err error) cards.Problems {
	if refused, ok := errors.AsType[*upstream.Error](err); ok && len(refused.Messages) > 0 {
		return refused.Messages
	}
	if input, ok := errors.AsType[*upstream.InputError](err); ok {
		return cards.Problems{input.Problem}
	}
	return cards.Problems{cards.Sentence(err, "")}
}

// retryAfter is how long to leave the service alone: as long as it asked, else a
// little longer each time, up to a minute.
func retryAfter(err error, waits int) time.Duration {
	var told *upstream.Error
	if errors.As(err, &told) && told.RetryAfter > 0 {
		return min(told.RetryAfter, 10*time.Minute)
	}
	return min(time.Duration(1<<min(waits, 6))*time.Second, time.Minute)
}
