package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"darkroom/access"
	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/jobs/pins"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Change approves, revises and cancels orders.
type Change struct {
	service    job.Service
	store      *store.Store
	access     *access.Control
	liveOrders *job.Orders
	waiting    *job.Waiting
	forms      *answers.Forms
	messages   *answers.Messages
	home       *Home
	putter     *job.Putter
	pins       *pins.Pins
	waits      Waits
}

// Approve, revise and cancel follow one rule. The order is fetched. While it is as the person saw it (status, revision,
// the very pictures), the change is sent, more than once if needed. Once the order shows the change with the job's
// intent, it is done. Anything else is shown to the person, and their text is saved.

// ChangeArgs is the body of a job that changes one order.
type ChangeArgs struct {
	answers.Asker
	Order    string `json:"order"`
	Revision int    `json:"revision"`           // revision that the person saw
	Pictures string `json:"pictures,omitempty"` // pictures that they saw, see [kit.Meta]

	Feedback string         `json:"feedback,omitempty"` // approve
	Reason   string         `json:"reason,omitempty"`   // cancel
	Changes  change.Changes `json:"changes,omitzero"`   // revise
	Page     int            `json:"page,omitempty"`     // revise: page that was submitted
	Selected []string       `json:"selected,omitempty"` // approve: all orders of a form that approved several
}

// typed returns the text of the form.
func (b ChangeArgs) typed() string {
	lines := []string{b.Feedback, b.Reason, b.Changes.All}
	for _, image := range b.Changes.Each {
		lines = append(lines, image.Name+": "+image.Words)
	}
	for _, pin := range b.Changes.Pins {
		lines = append(lines, pin.Name+": ("+pin.Place()+") "+pin.Words)
	}
	return job.Written(lines...)
}

// changeState is the durable progress of that job.
type changeState struct {
	job.Progress
	Unseen int `json:"unseen,omitempty"` // fetches that the service answered with: no such order

	Problems   kit.Problems `json:"problems,omitempty"` // why the service refused it
	TooLate    bool         `json:"too_late,omitempty"` // refused for good: the deadline has passed
	Denied     string       `json:"denied,omitempty"`   // why the app did not send it, a sentence
	Hidden     bool         `json:"hidden,omitempty"`   // denied: the person may not see the order
	Concurrent *order.Event `json:"rival,omitempty"`    // denied: this change came first
}

// changeVerb is how one of approving, revising and canceling differs from the others.
type changeVerb struct {
	kind, asked string                     // see [queue.Kind]
	name        string                     // the order's verb
	whyNot      func(store.Tracked) string // why it is no longer possible
	alwaysDM    bool                       // an unknown outcome is also sent as a direct message
	// repeatable says that the service may carry it out twice: the order can be in the same status again when a late
	// request arrives.
	repeatable bool
	// differs reports whether the order differs from what the person saw, or text would be lost; nil: never.
	differs func(c *changeRun) bool
	// reservedFor returns a sentence with the people who may do it, or "" if the person may; nil: every member may.
	reservedFor func(c *changeRun, ctx context.Context) (string, error)
	// before runs once the person is known to be allowed, before the first send; optional.
	before func(c *changeRun, ctx context.Context) error
	// after runs once it is carried out, perhaps twice; optional.
	after  func(ctx context.Context, c *changeRun) error
	intent func(c *changeRun) order.Intent // its text alone
	send   func(c *changeRun, ctx context.Context) (order.Order, error)
	// saveTyped saves the text for the answer's buttons; nil without such buttons.
	saveTyped func(c *changeRun, ctx context.Context) error
	show      func(c *changeRun, how changeEnd) answers.Answer
	form      string // callback id
	// typed returns the content of the form.
	typed func(c *changeRun) answers.Typed
}

// changeEnd is the state of a change as its person sees it.
type changeEnd int

const (
	changeWaits   changeEnd = iota // not sent: the service does not answer
	changeDone                     // carried out
	changeStale                    // not sent: the order has newer pictures
	changeRefused                  // refused by the service
	changeDenied                   // not sent: the app denied it
	changeUnknown                  // of unknown outcome
)

// changeRun is one delivery of the job.
type changeRun struct {
	job.Run
	change  *Change
	verb    changeVerb
	body    ChangeArgs
	saved   changeState
	order   store.Tracked
	history cards.RoundHistory // of the newest delivery
}

// maxSends bounds the sends of a change of unknown outcome, and the fetches of an order that the service does not
// know.
const maxSends = 5

// changeKind declares the job of one of the three verbs.
func (j *Change) changeKind(verb changeVerb) queue.Declared {
	return queue.Kind[ChangeArgs]{
		Name: verb.kind, NeedsService: true, Asked: verb.asked, Truth: job.OutcomeOfWrite, Typed: ChangeArgs.typed,
		Work: func(ctx context.Context, d *queue.Delivery, args ChangeArgs) error {
			c, err := j.changeRun(d, args, verb)
			if err != nil {
				return err
			}
			return c.ended(ctx, job.Resume(ctx, c))
		},
		Blocked: func(ctx context.Context, d *queue.Delivery, args ChangeArgs) error {
			c, err := j.changeRun(d, args, verb)
			if err == nil {
				c.order, err = j.store.Orders.Order(ctx, args.Order)
			}
			if err != nil {
				return err
			}
			return c.show(ctx, changeWaits)
		},
	}.Declare()
}

func (j *Change) changeRun(d *queue.Delivery, args ChangeArgs, verb changeVerb) (*changeRun, error) {
	state, err := queue.State[changeState](d)
	c := &changeRun{change: j, verb: verb, body: args, saved: state}
	c.Run = job.Run{Waiting: j.waiting, Delivery: d, Mark: &c.saved.Progress, State: &c.saved}
	return c, err
}

// pressed reports whether a button asked for the change, without a form.
func (b ChangeArgs) pressed() bool { return b.View == "" }

// showBegun shows where the button was that its change is under way. It leaves out a person who may not, as Slack said some
// minutes ago at most, and a change that surely fails. Begin asks again.
func (c *changeRun) showBegun(ctx context.Context) error {
	if !c.body.pressed() || c.saved.Waits > 0 {
		return nil
	}
	t, err := c.change.store.Orders.Order(ctx, c.body.Order)
	switch {
	case errors.Is(err, store.ErrNotTracked):
		return nil
	case err != nil || !t.Can(c.verb.name):
		return err
	}
	if why, err := c.change.access.WhyNoMember(ctx, c.body.User); err != nil || why != "" {
		return err
	}
	if sees, err := c.change.access.Viewer(c.body.AsRequest()).Sees(ctx, t); err != nil || !sees {
		return err
	}
	c.order = t
	if c.verb.reservedFor != nil {
		if why, err := c.verb.reservedFor(c, ctx); err != nil || why != "" {
			return err
		}
	}
	return c.change.waiting.Begin(ctx, c.Delivery, t.ID)
}

// Begin sends the change if the person may, and the order is as they saw it.
func (c *changeRun) Begin(ctx context.Context) error {
	if err := c.showBegun(ctx); err != nil {
		return err
	}
	if err := c.refetch(ctx); err != nil {
		return c.retryLater(ctx, err)
	}
	permit, err := c.change.access.Authorize(ctx, c.body.AsRequest(), c.order)
	switch {
	case err != nil:
		return err
	case !permit.Sees:
		return c.hidden(ctx)
	case permit.Denial != "":
		c.saved.Denied = cards.CannotPost(c.order.Owner.Channel, permit.Denial)
		return c.end(ctx)
	}
	if told, err := c.denyIfReserved(ctx); told || err != nil {
		return err
	}
	if told, err := c.answerIfChanged(ctx); told || err != nil {
		return err
	}
	if c.verb.before != nil {
		if err := c.verb.before(c, ctx); err != nil {
			return c.retryLater(ctx, err)
		}
	}
	return c.transmit(ctx)
}

// denyIfReserved denies the change if the channel's current settings reserve it for others.
func (c *changeRun) denyIfReserved(ctx context.Context) (bool, error) {
	if c.verb.reservedFor == nil {
		return false, nil
	}
	why, err := c.verb.reservedFor(c, ctx)
	if err != nil || why == "" {
		return false, err
	}
	c.saved.Denied = why
	return true, c.end(ctx)
}

// Unknown fetches the order. If it shows neither this change nor another, the change did not arrive and is sent again.
func (c *changeRun) Unknown(ctx context.Context, why error) error {
	if why == nil {
		why = c.refetch(ctx)
	}
	if why != nil {
		return c.retryLater(ctx, why)
	}
	if told, err := c.answerIfEnded(ctx); told || err != nil {
		return err
	}
	if c.mayStillArrive() > 0 {
		return c.retryLater(ctx, errMayArrive)
	}
	return c.transmit(ctx)
}

var errMayArrive = fmt.Errorf("what was sent may still arrive: %w", order.ErrUnknown)

// lateAfter is how long after its deadline a request may still arrive. It is short, because a later one is refused: the
// order is not in review then, unless an editor delivers in between.
const lateAfter = 15 * time.Second

// mayStillArrive returns how long an earlier request may still arrive after a new one.
func (c *changeRun) mayStillArrive() time.Duration {
	if !c.verb.repeatable || c.saved.Phase != job.Sending {
		return 0
	}
	return c.saved.SentAt.Add(c.change.service.Timeout() + c.change.waits.Late).Sub(c.Delivery.Now())
}

// refetch fetches the order and records what came back.
func (c *changeRun) refetch(ctx context.Context) (err error) {
	c.order, err = c.change.liveOrders.Record(ctx, c.body.Order, "", func(t store.Tracked) (order.Order, error) {
		return c.change.service.Fetch(ctx, t.ID)
	})
	if err == nil {
		c.change.waiting.Stop(ctx, c.order.ID, c.saved.Waits)
	}
	return err
}

// answerIfEnded notifies the person if the order shows the outcome.
func (c *changeRun) answerIfEnded(ctx context.Context) (bool, error) {
	events, err := c.change.store.Orders.Events(ctx, c.order.ID)
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(events, func(e order.Event) bool { return e.Job == c.Delivery.ID }) {
		return true, c.succeeded(ctx)
	}
	return c.answerIfChanged(ctx)
}

// answerIfChanged notifies the person if the order differs from what they saw. It checks again that they may see it:
// they may have left the channel since they asked.
func (c *changeRun) answerIfChanged(ctx context.Context) (bool, error) {
	can := c.order.Can(c.verb.name)
	if can && (c.verb.differs == nil || !c.verb.differs(c)) {
		return false, nil
	}
	see, err := c.change.access.CanSee(ctx, c.body.AsRequest(), c.order)
	switch {
	case err != nil:
		return false, err
	case !see:
		return true, c.hidden(ctx)
	case can:
		return true, c.stale(ctx)
	}
	c.saved.Denied, c.saved.Concurrent, err = c.change.liveOrders.WhyCannot(ctx, c.body.AsRequest(), c.order, c.verb.name, c.verb.whyNot(c.order))
	if err != nil {
		return false, err
	}
	return true, c.end(ctx)
}

// hasNewPictures reports whether the order has other pictures than the person saw.
func (c *changeRun) hasNewPictures() bool {
	return cards.Newer(c.order, c.body.Revision, c.body.Pictures)
}
