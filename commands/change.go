package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Approve, revise and cancel follow one rule. The order is fetched. While it still is as
// the person saw it (status, revision, the very pictures), the change is sent, again if need
// be; once it shows the change with our intent, it is done; anything else is told to the
// person, their words kept.

// changing is the body of a job that changes one order.
type changing struct {
	Order    string    `json:"order"`
	Revision int       `json:"revision"`           // the one the person saw
	Pictures string    `json:"pictures,omitempty"` // which ones, see [cards.Meta]
	Team     string    `json:"team"`
	User     string    `json:"user"`
	View     string    `json:"view"`
	At       time.Time `json:"at"` // when it was submitted

	Feedback string        `json:"feedback,omitempty"` // approve
	Reason   string        `json:"reason,omitempty"`   // cancel
	Changes  cards.Changes `json:"changes,omitzero"`   // revise
	Page     int           `json:"page,omitempty"`     // revise: the one it was sent from
}

// putChange puts the job of a submitted form, once for each submission, and answers
// that it is on its way, or that it waits for its turn.
func (c *Commands) putChange(ctx context.Context, r bot.Request, kind string, body changing, underWay, later slack.ModalViewRequest) (bot.Reply, error) {
	body.Team, body.User, body.View, body.At = r.Team, r.User, r.View.ExternalID, time.Now()
	id := kind + ":" + r.ID
	if err := c.put(ctx, kind, id, "order:"+body.Order, body); err != nil {
		return bot.Reply{}, err
	}
	return c.lineReply(ctx, r, id, body.Order, underWay, later)
}

// changeState is the durable progress of such a job.
type changeState struct {
	Phase  phase     `json:"phase,omitempty"`
	Sends  int       `json:"sends,omitempty"`
	SentAt time.Time `json:"sent_at,omitzero"` // last, by the clock of Redis
	Waits  int       `json:"waits,omitempty"`
	Unseen int       `json:"unseen,omitempty"` // looks to which the service said that it knows no such order

	Problems cards.Problems `json:"problems,omitempty"` // why the service refused it
	TooLate  bool           `json:"too_late,omitempty"` // refused for good: its time is over
	Denied   string         `json:"denied,omitempty"`   // why we did not send it, in a sentence
	Hidden   bool           `json:"hidden,omitempty"`   // denied: the order is not for this person
	Rival    *order.Event   `json:"rival,omitempty"`    // denied: somebody else was first
}

// attempt is one delivery of the job with all it needs.
type attempt struct {
	d     *queue.Delivery
	verb  changeVerb
	body  changing
	state changeState
	order store.Tracked
}

// changeVerb is what tells the three verbs apart.
type changeVerb struct {
	may  func(context.Context, bot.Request, store.Tracked) (access.Permit, error)
	does string // the store's name of the verb
	// moved tells that the order shows something else than the person saw, or that words
	// would reach nobody; nil: that does not matter.
	moved func(a *attempt) bool
	// deny says why it cannot be sent any more, in a.state.
	deny func(ctx context.Context, a *attempt) error
	// intent holds the verb and the words.
	intent func(a *attempt) order.Intent
	send   func(ctx context.Context, a *attempt) (order.Order, error)
	// keep puts what was typed where the buttons of an answer find it; it may be nil.
	keep  func(ctx context.Context, a *attempt) error
	money bool // an outcome that nobody knows is also told by DM
	// repeats says that the service may take it twice: the order can come back to where it
	// was sent from before a late request arrives.
	repeats bool

	// What the person is shown.
	later, done, stale, refused, denied, unsettled func(a *attempt) answer
}

// mostSends bounds how often a change of unknown outcome is sent: each time the service
// was seen not to have it. As often it is looked for while the service does not know the order.
const mostSends = 5

// change does the job.
func (c *Commands) change(ctx context.Context, d *queue.Delivery, verb changeVerb) error {
	a := &attempt{d: d, verb: verb}
	if err := a.load(); err != nil {
		return queue.Dead(err)
	}
	if a.state.Phase == answered {
		return c.answerAgain(ctx, a)
	}
	if err := c.freshen(ctx, a); err != nil {
		return c.changeLater(ctx, a, err)
	}
	c.lineMoves(ctx, a.order.ID, a.state.Waits)
	if settled, err := c.changeSettled(ctx, a); settled || err != nil {
		return err
	}
	if c.underWay(a) > 0 {
		return c.changeLater(ctx, a, errUnderWay)
	}
	return c.sendChange(ctx, a)
}

var errUnderWay = fmt.Errorf("what was sent may still arrive: %w", order.ErrUnknown)

// late is how long after its own deadline a request may still arrive. It is short, because
// one that comes even later is refused: unless an editor delivers between the two, the order
// is not in review then.
const late = 15 * time.Second

// underWay is how long an earlier request may still arrive, after one that would be sent now.
func (c *Commands) underWay(a *attempt) time.Duration {
	if !a.verb.repeats || a.state.Phase != sending {
		return 0
	}
	return a.state.SentAt.Add(c.service.Timeout() + late).Sub(a.d.Now())
}

func (a *attempt) load() error {
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
func (c *Commands) freshen(ctx context.Context, a *attempt) error {
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

// changeSettled answers when there is nothing (more) to send: it was carried out, the
// order stands otherwise now, or has moved on since the person looked.
func (c *Commands) changeSettled(ctx context.Context, a *attempt) (bool, error) {
	if a.state.Phase == accepted { // what may be out already is followed whoever asked for it
		permit, err := a.verb.may(ctx, bot.Request{Team: a.body.Team, User: a.body.User}, a.order)
		switch {
		case err != nil:
			return false, err
		case !permit.Sees:
			return true, c.hidden(ctx, a)
		case permit.Denial != "":
			a.state.Denied = cards.CannotPost(a.order.Owner.Channel, permit.Denial)
			return true, c.changeEnded(ctx, a)
		}
	} else {
		done, err := c.carriedOut(ctx, a)
		if err != nil {
			return false, err
		}
		if done {
			return true, c.changeDone(ctx, a)
		}
	}
	can := a.order.Can(a.verb.does)
	if can && (a.verb.moved == nil || !a.verb.moved(a)) {
		return false, nil
	}
	return true, c.overtaken(ctx, a, can)
}

// overtaken tells that the order stands otherwise now, and how; that is for members to know,
// and whose request is unsettled may have left since it was sent.
func (c *Commands) overtaken(ctx context.Context, a *attempt, can bool) error {
	see, err := c.access.CanSee(ctx, bot.Request{Team: a.body.Team, User: a.body.User}, a.order)
	switch {
	case err != nil:
		return err
	case !see:
		return c.hidden(ctx, a)
	case can:
		return c.changeStale(ctx, a)
	}
	if err := a.verb.deny(ctx, a); err != nil {
		return err
	}
	return c.changeEnded(ctx, a)
}

// newer tells that the order has other pictures than those that the person saw.
func (a *attempt) newer() bool { return cards.Newer(a.order, a.body.Revision, a.body.Pictures) }

// carriedOut tells whether an event says that this job's intent was fulfilled.
func (c *Commands) carriedOut(ctx context.Context, a *attempt) (bool, error) {
	events, err := c.store.Events(ctx, a.order.ID)
	if err != nil {
		return false, err
	}
	for _, e := range events {
		if e.Job == a.d.ID {
			return true, nil
		}
	}
	return false, nil
}

// sendChange leaves the intent on the order and sends.
func (c *Commands) sendChange(ctx context.Context, a *attempt) error {
	if a.state.Sends >= mostSends {
		return c.changeUnsettled(ctx, a)
	}
	intent := a.verb.intent(a)
	intent.Actor, intent.Revision, intent.At, intent.Job = a.body.User, a.body.Revision, time.Now(), a.d.ID
	switch goes, err := c.intend(ctx, a.order.ID, intent, a.state.Sends > 0); {
	case err != nil:
		return err
	case !goes:
		return c.hidden(ctx, a)
	}
	a.state.Phase, a.state.Sends, a.state.SentAt = sending, a.state.Sends+1, a.d.Now()
	if err := a.d.SetState(ctx, a.state); err != nil {
		return err
	}
	o, err := a.verb.send(ctx, a)
	switch {
	case err == nil:
		return c.changeAnswered(ctx, a, o)
	case ctx.Err() != nil:
		return ctx.Err() // whoever takes over fetches first
	case errors.Is(err, order.ErrUnavailable):
		return c.changeUnsent(ctx, a, err)
	case errors.Is(err, order.ErrUnknown):
		return c.changeLater(ctx, a, err)
	}
	return c.changeRefused(ctx, a, err)
}

// intend leaves an intent on an order, and tells whether its write may go out. Nothing
// begins for an order that was untracked: only what may be out is brought to its end.
func (c *Commands) intend(ctx context.Context, order string, intent order.Intent, out bool) (bool, error) {
	err := c.store.Intend(ctx, order, intent)
	if errors.Is(err, store.ErrNotTracked) {
		return out, nil
	}
	return err == nil, err
}

// changeUnsent takes back the marks of a send that certainly never left.
func (c *Commands) changeUnsent(ctx context.Context, a *attempt, err error) error {
	if a.state.Sends--; a.state.Sends == 0 {
		a.state.Phase = accepted
		if err := c.store.ClearIntent(ctx, a.order.ID, a.d.ID); err != nil {
			return err
		}
	}
	return c.changeLater(ctx, a, err)
}

// changeAnswered records the service's answer; when the poller was faster there is
// nothing left to record.
func (c *Commands) changeAnswered(ctx context.Context, a *attempt, order order.Order) error {
	t, _, err := c.store.RecordAnswer(ctx, a.order.ID, a.order.Version, order, a.d.ID)
	if errors.Is(err, store.ErrStale) {
		err = c.freshen(ctx, a)
		t = a.order
	}
	if err != nil {
		return err
	}
	a.order = t
	return c.changeDone(ctx, a)
}

// changeLater waits for a service that does not answer, and then looks again.
func (c *Commands) changeLater(ctx context.Context, a *attempt, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, store.ErrNotTracked):
		return c.hidden(ctx, a)
	case errors.Is(err, order.ErrInvalidOrder) && a.state.Sends > 0:
		if a.state.Unseen++; a.state.Unseen >= mostSends {
			return c.changeUnsettled(ctx, a) // it may be carried out, whatever the looks say
		}
	case errors.Is(err, order.ErrInvalidOrder):
		a.state.Problems = words(err)
		return c.changeEnded(ctx, a)
	case !errors.Is(err, order.ErrUnavailable) && !errors.Is(err, order.ErrUnknown):
		return err
	}
	shown := a.verb.later(a)
	if a.state.Phase == sending {
		shown = a.verb.unsettled(a)
	}
	a.state.Waits++
	if err := a.d.SetState(ctx, a.state); err != nil {
		return err
	}
	if a.state.Waits == 2 && (c.tellFirst(ctx, a.d.ID) || a.state.Phase == sending) {
		if err := c.showAnswer(ctx, a.window(), shown); err != nil {
			c.log.WarnContext(ctx, "person not told that the service is away", "user", a.body.User, "err", err)
		}
	}
	wait := retryAfter(err, a.state.Waits-1)
	if left := c.underWay(a); left > 0 {
		wait = min(wait, left)
	}
	if a.state.Waits >= 2 {
		c.lineWaits(ctx, a.d, a.body.Order, wait)
	}
	return queue.Wait(wait)
}

// changeRefused looks once more when the refusal may have another reason than it says:
// an earlier send arrived, or somebody else changed the order meanwhile.
func (c *Commands) changeRefused(ctx context.Context, a *attempt, refusal error) error {
	again := a.state.Sends > 1
	if !again { // nothing of ours is out: what happened meanwhile is somebody else's
		if err := c.store.ClearIntent(ctx, a.order.ID, a.d.ID); err != nil {
			return err
		}
		a.state.Sends = 0
	}
	if again || errors.Is(refusal, order.ErrInvalidStatus) {
		if err := c.freshen(ctx, a); err != nil {
			return c.changeLater(ctx, a, err)
		}
		if settled, err := c.changeSettled(ctx, a); settled || err != nil {
			return err
		}
	}
	a.state.Problems, a.state.TooLate = words(refusal), errors.Is(refusal, order.ErrDeadlinePassed)
	return c.changeEnded(ctx, a)
}

// hidden answers as if there were no such order: there is none any more, or not for
// this person.
func (c *Commands) hidden(ctx context.Context, a *attempt) error {
	a.state.Denied, a.state.Hidden = cards.NotFound(a.body.Order), true
	return c.changeEnded(ctx, a)
}

// changeEnded keeps the answer before it is given, so that a job which is delivered
// again answers again and sends nothing; and clears the intent.
func (c *Commands) changeEnded(ctx context.Context, a *attempt) error {
	a.state.Phase = answered
	if err := a.d.SetState(ctx, a.state); err != nil {
		return err
	}
	err := c.store.ClearIntent(ctx, a.body.Order, a.d.ID)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	return c.giveAnswer(ctx, a)
}

// answerAgain is for an answer that was kept and perhaps not given.
func (c *Commands) answerAgain(ctx context.Context, a *attempt) error {
	t, err := c.store.Order(ctx, a.body.Order)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	a.order = t
	return c.giveAnswer(ctx, a)
}

func (c *Commands) giveAnswer(ctx context.Context, a *attempt) error {
	shown := a.verb.refused
	if a.state.Denied != "" {
		shown = a.verb.denied
	}
	return c.showKept(ctx, a, shown)
}

// changeStale shows the newer revision: only what was seen is changed.
func (c *Commands) changeStale(ctx context.Context, a *attempt) error {
	if err := c.store.ClearIntent(ctx, a.body.Order, a.d.ID); err != nil {
		return err
	}
	return c.showKept(ctx, a, a.verb.stale)
}

// changeDone is the good end.
func (c *Commands) changeDone(ctx context.Context, a *attempt) error {
	c.homeChanged(ctx, a.body.Team, a.body.User)
	return c.showAnswer(ctx, a.window(), a.verb.done(a))
}

// changeUnsettled gives up: the person is told, and what they typed is shown to them.
// Unsettled money is always also a direct message; it comes last, so that a second
// delivery does not send it twice.
func (c *Commands) changeUnsettled(ctx context.Context, a *attempt) error {
	shown := a.verb.unsettled(a)
	if !a.verb.money {
		return c.showAnswer(ctx, a.window(), shown)
	}
	if err := c.update(ctx, a.window(), shown.view(false)); err != nil && (outage(err) || ctx.Err() != nil) {
		return err
	}
	for _, m := range shown.messages() {
		if err := c.dmOrLog(ctx, a.body.User, m); err != nil {
			return err
		}
	}
	return nil
}

// showKept keeps what was typed for the answer's buttons, and answers.
func (c *Commands) showKept(ctx context.Context, a *attempt, shown func(*attempt) answer) error {
	if a.verb.keep != nil {
		if err := a.verb.keep(ctx, a); err != nil {
			return err
		}
	}
	return c.showAnswer(ctx, a.window(), shown(a))
}

func (a *attempt) window() window {
	w := window{View: a.body.View, User: a.body.User, Channel: a.order.Owner.Channel, Acked: a.body.At}
	if a.state.Hidden {
		w.Channel = ""
	}
	return w
}
