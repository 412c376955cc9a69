package jobs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"darkroom/access"
	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Change approves, revises and cancels orders.
type Change struct {
	service  job.Service
	store    *store.Store
	access   *access.Control
	orders   *job.Orders
	waiting  *job.Waiting
	forms    *answers.Forms
	messages *answers.Messages
	home     *Home
	putter   *job.Putter
	waits    Waits
}

// Approve, revise and cancel follow one rule. The order is fetched. While it still is as
// the person saw it (status, revision, the very pictures), the change is sent, again if need
// be; once it shows the change with our intent, it is done; anything else is told to the
// person, their words kept.

// ChangeArgs is the body of a job that changes one order.
type ChangeArgs struct {
	answers.Asker
	Order    string `json:"order"`
	Revision int    `json:"revision"`           // the one the person saw
	Pictures string `json:"pictures,omitempty"` // which ones, see [kit.Meta]

	Feedback string         `json:"feedback,omitempty"` // approve
	Reason   string         `json:"reason,omitempty"`   // cancel
	Changes  change.Changes `json:"changes,omitzero"`   // revise
	Page     int            `json:"page,omitempty"`     // revise: the one it was sent from
	Selected []string       `json:"selected,omitempty"` // approve: all orders that its form approved, when that were several
}

// typed is what was typed into the form.
func (b ChangeArgs) typed() string {
	lines := []string{b.Feedback, b.Reason, b.Changes.All}
	for _, image := range b.Changes.Each {
		lines = append(lines, image.Name+": "+image.Words)
	}
	return job.Written(lines...)
}

// changeState is the durable progress of such a job.
type changeState struct {
	job.Progress
	Unseen int `json:"unseen,omitempty"` // looks to which the service said that it knows no such order

	Problems kit.Problems `json:"problems,omitempty"` // why the service refused it
	TooLate  bool         `json:"too_late,omitempty"` // refused for good: its time is over
	Denied   string       `json:"denied,omitempty"`   // why we did not send it, in a sentence
	Hidden   bool         `json:"hidden,omitempty"`   // denied: the order is not for this person
	Rival    *order.Event `json:"rival,omitempty"`    // denied: this was first
}

// changeVerb is what tells approving, requesting changes and canceling apart.
type changeVerb struct {
	kind, asked string                     // see [queue.Kind]
	does        string                     // the verb's name on an order
	cannot      func(store.Tracked) string // why it can be done no more
	money       bool                       // an outcome that nobody knows is also told by DM
	// repeats says that the service may take it twice: the order can come back to where it
	// was sent from before a late request arrives.
	repeats bool
	// moved tells that the order shows something else than the person saw, or that words would
	// reach nobody; nil: that does not matter.
	moved func(c *changeRun) bool
	// keptFor is the sentence that says who alone may do it, "" when this person may; nil: every member may.
	keptFor func(c *changeRun, ctx context.Context) (string, error)
	// before is done once the person is known to be one who may, before it is sent first; nil: nothing.
	before func(c *changeRun, ctx context.Context) error
	intent func(c *changeRun) order.Intent // the words
	send   func(c *changeRun, ctx context.Context) (order.Order, error)
	// keep puts what was typed where the answer's buttons find it; nil: it has none.
	keep func(c *changeRun, ctx context.Context) error
	show func(c *changeRun, how changeEnd) answers.Answer
	form string // its callback id
	// typed is what its form held.
	typed func(c *changeRun) answers.Typed
}

// changeEnd is how a change stands for the person who asked for it.
type changeEnd int

const (
	changeWaits     changeEnd = iota // nothing is out, and the service does not answer
	changeDone                       // it was carried out
	changeStale                      // the order has other pictures than those that were seen
	changeRefused                    // the service said no
	changeDenied                     // we did not send it
	changeUnsettled                  // nobody knows
)

// changeRun is one delivery of the job.
type changeRun struct {
	job.Run
	change *Change
	verb   changeVerb
	body   ChangeArgs
	kept   changeState
	order  store.Tracked
	course cards.RoundHistory // of its newest delivery, for what is shown
}

// mostSends bounds how often a change of unknown outcome is sent: each time the service
// was seen not to have it. As often it is looked for while the service does not know the order.
const mostSends = 5

// changeKind declares the job of one of the three verbs.
func (j *Change) changeKind(verb changeVerb) queue.Declared {
	return queue.Kind[ChangeArgs]{
		Name: verb.kind, NeedsService: true, Asked: verb.asked, Truth: job.OutcomeOfWrite, Typed: ChangeArgs.typed,
		Work: func(ctx context.Context, d *queue.Delivery, args ChangeArgs) error {
			c, err := j.changeRun(d, args, verb)
			if err != nil {
				return err
			}
			return c.Ended(ctx, args.Order, job.Resume(ctx, c))
		},
		Blocked: func(ctx context.Context, d *queue.Delivery, args ChangeArgs) error {
			c, err := j.changeRun(d, args, verb)
			if err == nil {
				c.order, err = j.store.Orders.Order(ctx, args.Order)
			}
			if err != nil {
				return err
			}
			return c.say(ctx, changeWaits)
		},
	}.Declare()
}

func (j *Change) changeRun(d *queue.Delivery, args ChangeArgs, verb changeVerb) (*changeRun, error) {
	state, err := queue.State[changeState](d)
	c := &changeRun{change: j, verb: verb, body: args, kept: state}
	c.Run = job.Run{Waiting: j.waiting, Delivery: d, Mark: &c.kept.Progress, State: &c.kept}
	return c, err
}

// Begin sends it if the person may, and nothing has changed since they looked.
func (c *changeRun) Begin(ctx context.Context) error {
	if err := c.refetch(ctx); err != nil {
		return c.later(ctx, err)
	}
	permit, err := c.change.access.Authorize(ctx, c.body.AsRequest(), c.order)
	switch {
	case err != nil:
		return err
	case !permit.Sees:
		return c.hidden(ctx)
	case permit.Denial != "":
		c.kept.Denied = cards.CannotPost(c.order.Owner.Channel, permit.Denial)
		return c.end(ctx)
	}
	if told, err := c.tellIfKept(ctx); told || err != nil {
		return err
	}
	if told, err := c.tellIfChanged(ctx); told || err != nil {
		return err
	}
	if c.verb.before != nil {
		if err := c.verb.before(c, ctx); err != nil {
			return c.later(ctx, err)
		}
	}
	return c.transmit(ctx)
}

// tellIfKept tells the person when the channel leaves it to others: as its settings are now, whatever they
// were when the form was opened or submitted.
func (c *changeRun) tellIfKept(ctx context.Context) (bool, error) {
	if c.verb.keptFor == nil {
		return false, nil
	}
	why, err := c.verb.keptFor(c, ctx)
	if err != nil || why == "" {
		return false, err
	}
	c.kept.Denied = why
	return true, c.end(ctx)
}

// Unknown looks at the order: it shows the change, or something else than the person saw, or it
// is as it was, and what was sent did not arrive.
func (c *changeRun) Unknown(ctx context.Context, why error) error {
	if why == nil {
		why = c.refetch(ctx)
	}
	if why != nil {
		return c.later(ctx, why)
	}
	if told, err := c.tellIfEnded(ctx); told || err != nil {
		return err
	}
	if c.mayArrive() > 0 {
		return c.later(ctx, errMayArrive)
	}
	return c.transmit(ctx)
}

var errMayArrive = fmt.Errorf("what was sent may still arrive: %w", order.ErrUnknown)

// late is how long after its own deadline a request may still arrive. It is short, because
// one that comes even later is refused: unless an editor delivers between the two, the order
// is not in review then.
const late = 15 * time.Second

// mayArrive is how long an earlier request may still arrive, after one that would be sent now.
func (c *changeRun) mayArrive() time.Duration {
	if !c.verb.repeats || c.kept.Phase != job.Sending {
		return 0
	}
	return c.kept.SentAt.Add(c.change.service.Timeout() + c.change.waits.Late).Sub(c.Delivery.Now())
}

// refetch fetches the order and records what came back.
func (c *changeRun) refetch(ctx context.Context) (err error) {
	c.order, err = c.change.orders.Record(ctx, c.body.Order, "", func(t store.Tracked) (order.Order, error) {
		return c.change.service.Fetch(ctx, t.ID)
	})
	if err == nil {
		c.change.waiting.Stop(ctx, c.order.ID, c.kept.Waits)
	}
	return err
}

// tellIfEnded tells the person when the order shows how it ended.
func (c *changeRun) tellIfEnded(ctx context.Context) (bool, error) {
	events, err := c.change.store.Orders.Events(ctx, c.order.ID)
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(events, func(e order.Event) bool { return e.Job == c.Delivery.ID }) {
		return true, c.succeeded(ctx)
	}
	return c.tellIfChanged(ctx)
}

// tellIfChanged tells the person when the order stands otherwise than they saw it; that is for members
// to know, and whose request is unsettled may have left since it was sent.
func (c *changeRun) tellIfChanged(ctx context.Context) (bool, error) {
	can := c.order.Can(c.verb.does)
	if can && (c.verb.moved == nil || !c.verb.moved(c)) {
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
	c.kept.Denied, c.kept.Rival, err = c.change.orders.WhyCannot(ctx, c.body.AsRequest(), c.order, c.verb.does, c.verb.cannot(c.order))
	if err != nil {
		return false, err
	}
	return true, c.end(ctx)
}

// newer tells that the order has other pictures than those that the person saw.
func (c *changeRun) newer() bool { return cards.Newer(c.order, c.body.Revision, c.body.Pictures) }
