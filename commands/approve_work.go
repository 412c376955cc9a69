package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/upstream"
)

const approveJob = "approve"

// approving is the body of the job that approves one order.
type approving struct {
	Order    string    `json:"order"`
	Revision int       `json:"revision"` // the one the person saw
	Feedback string    `json:"feedback,omitempty"`
	Team     string    `json:"team"`
	User     string    `json:"user"`
	View     string    `json:"view"`
	At       time.Time `json:"at"` // when it was submitted
}

// approveState is the durable progress of an approve job.
type approveState struct {
	Phase phase `json:"phase,omitempty"`
	Sends int   `json:"sends,omitempty"`
	Waits int   `json:"waits,omitempty"`

	Problems cards.Problems `json:"problems,omitempty"` // why the service refused it
	Denied   string         `json:"denied,omitempty"`   // why we did not send it, in a sentence
}

// approval is one delivery of the job with all it needs.
type approval struct {
	d     *queue.Delivery
	body  approving
	state approveState
	order store.Tracked
}

// mostSends bounds how often an approval of unknown outcome is sent: each time the
// service was seen not to have it.
const mostSends = 5

// approve does the job: it fetches, sends only when the order still is what the person
// saw, and follows an unknown outcome to the truth.
func (c *Commands) approve(ctx context.Context, d *queue.Delivery) error {
	a := &approval{d: d}
	if err := a.load(); err != nil {
		return queue.Dead(err)
	}
	if err := c.freshen(ctx, a); err != nil {
		return c.approveLater(ctx, a, err)
	}
	if a.state.Phase == answered {
		return c.approveAnswered(ctx, a)
	}
	if done, err := c.approveSettled(ctx, a); done || err != nil {
		return err
	}
	return c.sendApproval(ctx, a)
}

func (a *approval) load() error {
	if err := json.Unmarshal(a.d.Body, &a.body); err != nil {
		return fmt.Errorf("job %s: %w", a.d.ID, err)
	}
	if len(a.d.State) == 0 {
		return nil
	}
	if err := json.Unmarshal(a.d.State, &a.state); err != nil {
		return fmt.Errorf("job %s: its state: %w", a.d.ID, err)
	}
	return nil
}

// freshen fetches the order and records what came back; a newer truth met on the way
// is fetched again.
func (c *Commands) freshen(ctx context.Context, a *approval) error {
	for range 5 {
		t, err := c.store.Order(ctx, a.body.Order)
		if err != nil {
			return err
		}
		a.order = t
		seen, err := c.service.Fetch(ctx, t.ID)
		if err != nil {
			return err
		}
		a.order, _, err = c.store.Record(ctx, t.ID, t.Version, seen)
		if !errors.Is(err, store.ErrStale) {
			return err
		}
	}
	return queue.Wait(time.Second) // somebody else keeps recording this order
}

// approveSettled answers when there is nothing (more) to send: the order is closed, no
// longer waits for a review, or has moved on since the person looked.
func (c *Commands) approveSettled(ctx context.Context, a *approval) (bool, error) {
	if a.state.Phase == accepted { // what may be out already is followed whoever asked for it
		may, err := c.mayAct(ctx, bot.Request{Team: a.body.Team, User: a.body.User}, a.order)
		if err != nil {
			return false, err
		}
		if !may {
			return true, c.approveDenied(ctx, a, cards.NotFound(a.body.Order))
		}
	}
	switch {
	case a.order.Order.Status == upstream.Closed && a.state.Phase == sending:
		return true, c.answer(ctx, a.window(), cards.Approved(a.order, a.body.View))
	case !reviewing(a.order):
		return true, c.approveDenied(ctx, a, cards.CannotApprove(a.order))
	case a.order.Order.Rev() != a.body.Revision || a.newerImages():
		return true, c.approveStale(ctx, a)
	}
	return false, nil
}

// newerImages tells whether images arrived after the revision the person saw.
func (a *approval) newerImages() bool {
	for _, image := range a.order.Order.EditedImages {
		if image.Revision > a.body.Revision {
			return true
		}
	}
	return false
}

// sendApproval leaves the intent on the order and sends.
func (c *Commands) sendApproval(ctx context.Context, a *approval) error {
	if a.state.Sends >= mostSends {
		return c.approveUnsettled(ctx, a)
	}
	if err := c.intendApproval(ctx, a); err != nil {
		return err
	}
	a.state.Phase, a.state.Sends = sending, a.state.Sends+1
	if err := a.d.SetState(ctx, a.state); err != nil {
		return err
	}
	order, err := c.service.Approve(ctx, a.order.ID, upstream.Lines(a.body.Feedback))
	switch {
	case err == nil:
		return c.approved(ctx, a, order)
	case ctx.Err() != nil:
		return ctx.Err() // whoever takes over fetches first
	case errors.Is(err, upstream.ErrUnavailable):
		return c.approvalUnsent(ctx, a, err)
	case errors.Is(err, upstream.ErrUnknown):
		return c.approveLater(ctx, a, err)
	case errors.Is(err, upstream.ErrInvalidStatus) && a.state.Sends > 1:
		return queue.Wait(0) // an earlier send may have arrived meanwhile: fetch and see
	}
	return c.approveRefused(ctx, a, words(err))
}

// approvalUnsent takes back the marks of a send that certainly never left.
func (c *Commands) approvalUnsent(ctx context.Context, a *approval, err error) error {
	if a.state.Sends--; a.state.Sends == 0 {
		a.state.Phase = accepted
		if err := c.store.ClearIntent(ctx, a.order.ID, a.d.ID); err != nil {
			return err
		}
	}
	return c.approveLater(ctx, a, err)
}

func (c *Commands) intendApproval(ctx context.Context, a *approval) error {
	return c.store.Intend(ctx, a.order.ID, store.Intent{
		Verb: "approve", Actor: a.body.User, Words: upstream.Lines(a.body.Feedback),
		Revision: a.body.Revision, At: now(), Job: a.d.ID,
	})
}

// approved records the service's answer; when the poller was faster there is nothing
// left to record.
func (c *Commands) approved(ctx context.Context, a *approval, order upstream.Order) error {
	t, _, err := c.store.RecordAnswer(ctx, a.order.ID, a.order.Version, order, a.d.ID)
	if errors.Is(err, store.ErrStale) {
		err = c.freshen(ctx, a)
		t = a.order
	}
	if err != nil {
		return err
	}
	return c.answer(ctx, a.window(), cards.Approved(t, a.body.View))
}

// approveLater waits for a service that does not answer, and then looks again.
func (c *Commands) approveLater(ctx context.Context, a *approval, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, upstream.ErrInvalidOrder):
		return c.approveRefused(ctx, a, words(err))
	case !errors.Is(err, upstream.ErrUnavailable) && !errors.Is(err, upstream.ErrUnknown):
		return err
	}
	view := cards.ApproveLater(a.order, a.body.View)
	if a.state.Phase == sending {
		view = cards.ApproveUnsettled(a.order, a.body.Feedback, a.body.View)
	}
	if a.state.Waits++; a.state.Waits == 2 {
		c.progress(ctx, a.window(), view)
	}
	if err := a.d.SetState(ctx, a.state); err != nil {
		return err
	}
	return queue.Wait(retryAfter(err, a.state.Waits-1))
}

// approveRefused shows the service's reasons beside the person's words.
func (c *Commands) approveRefused(ctx context.Context, a *approval, problems cards.Problems) error {
	a.state.Problems = problems
	return c.approveEnded(ctx, a)
}

// approveDenied says why nothing was sent.
func (c *Commands) approveDenied(ctx context.Context, a *approval, sentence string) error {
	a.state.Denied = sentence
	return c.approveEnded(ctx, a)
}

// approveEnded keeps the answer before it is given, so that a job which is delivered
// again answers again and sends nothing; and clears the intent.
func (c *Commands) approveEnded(ctx context.Context, a *approval) error {
	a.state.Phase = answered
	if err := a.d.SetState(ctx, a.state); err != nil {
		return err
	}
	if err := c.store.ClearIntent(ctx, a.body.Order, a.d.ID); err != nil {
		return err
	}
	return c.approveAnswered(ctx, a)
}

// approveAnswered gives the answer that was kept.
func (c *Commands) approveAnswered(ctx context.Context, a *approval) error {
	view := cards.ApproveRefused(a.order, a.body.Feedback, a.state.Problems, a.body.View)
	if a.state.Denied != "" {
		view = cards.ApproveDenied(a.order, a.body.Feedback, a.state.Denied, a.body.View)
	}
	return c.answer(ctx, a.window(), view)
}

// approveStale shows the newer revision: only what was seen is approved.
func (c *Commands) approveStale(ctx context.Context, a *approval) error {
	if err := c.store.ClearIntent(ctx, a.body.Order, a.d.ID); err != nil {
		return err
	}
	stale := func(thumbs bool) slack.ModalViewRequest {
		return cards.ApproveStale(a.order, a.body.Revision, a.body.Feedback, thumbs, a.body.View)
	}
	err := c.update(ctx, a.window(), stale(true))
	if err == nil {
		return nil
	}
	return c.answer(ctx, a.window(), stale(!errors.Is(err, bot.ErrImage)))
}

// approveUnsettled gives up: the person is told, and what they typed is shown to them.
func (c *Commands) approveUnsettled(ctx context.Context, a *approval) error {
	return c.answer(ctx, a.window(), cards.ApproveUnsettled(a.order, a.body.Feedback, a.body.View))
}

func (a *approval) window() window {
	return window{View: a.body.View, User: a.body.User, Channel: a.order.Owner.Channel, Acked: a.body.At}
}
