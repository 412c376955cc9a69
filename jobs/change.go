package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

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

// ChangeArgs is the body of a job that changes one order.
type ChangeArgs struct {
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
	body  ChangeArgs
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

// changeKind declares the job of one of the three verbs.
func (j *Jobs) changeKind(name, asked string, verb changeVerb) queue.Declared {
	return queue.Kind[ChangeArgs]{
		Name: name, Asked: asked, Truth: truthOfChange, Typed: ChangeArgs.typed,
		Work: func(ctx context.Context, d *queue.Delivery, args ChangeArgs) error {
			return j.change(ctx, d, args, verb)
		},
		Blocked: func(ctx context.Context, d *queue.Delivery, args ChangeArgs) error {
			return j.changeBlocked(ctx, d, args, verb)
		},
	}.Declare()
}

// typed is what was typed into the form.
func (b ChangeArgs) typed() string {
	lines := []string{b.Feedback, b.Reason, b.Changes.All}
	for _, image := range b.Changes.Each {
		lines = append(lines, image.Name+": "+image.Words)
	}
	return written(lines...)
}

// change does the job.
func (j *Jobs) change(ctx context.Context, d *queue.Delivery, args ChangeArgs, verb changeVerb) error {
	state, err := queue.State[changeState](d)
	if err != nil {
		return err
	}
	a := &attempt{d: d, verb: verb, body: args, state: state}
	if a.state.Phase == answered {
		return j.answerAgain(ctx, a)
	}
	if err := j.freshen(ctx, a); err != nil {
		return j.changeLater(ctx, a, err)
	}
	j.lineMoves(ctx, a.order.ID, a.state.Waits)
	if settled, err := j.changeSettled(ctx, a); settled || err != nil {
		return err
	}
	if j.underWay(a) > 0 {
		return j.changeLater(ctx, a, errUnderWay)
	}
	return j.sendChange(ctx, a)
}

var errUnderWay = fmt.Errorf("what was sent may still arrive: %w", order.ErrUnknown)

// late is how long after its own deadline a request may still arrive. It is short, because
// one that comes even later is refused: unless an editor delivers between the two, the order
// is not in review then.
const late = 15 * time.Second

// underWay is how long an earlier request may still arrive, after one that would be sent now.
func (j *Jobs) underWay(a *attempt) time.Duration {
	if !a.verb.repeats || a.state.Phase != sending {
		return 0
	}
	return a.state.SentAt.Add(j.service.Timeout() + late).Sub(a.d.Now())
}

// freshen fetches the order and records what came back; a newer truth met on the way
// is fetched again.
func (j *Jobs) freshen(ctx context.Context, a *attempt) error {
	for range 5 {
		t, err := j.store.Order(ctx, a.body.Order)
		if err != nil {
			return err
		}
		a.order = t
		seen, err := j.service.Fetch(ctx, t.ID)
		if err != nil {
			return err
		}
		a.order, _, err = j.store.Record(ctx, t.ID, t.Version, seen)
		if !errors.Is(err, store.ErrStale) {
			return err
		}
	}
	return queue.Wait(time.Second) // somebody else keeps recording this order
}

// changeSettled answers when there is nothing (more) to send: it was carried out, the
// order stands otherwise now, or has moved on since the person looked.
func (j *Jobs) changeSettled(ctx context.Context, a *attempt) (bool, error) {
	if a.state.Phase == accepted { // what may be out already is followed whoever asked for it
		permit, err := a.verb.may(ctx, bot.Request{Team: a.body.Team, User: a.body.User}, a.order)
		switch {
		case err != nil:
			return false, err
		case !permit.Sees:
			return true, j.hidden(ctx, a)
		case permit.Denial != "":
			a.state.Denied = cards.CannotPost(a.order.Owner.Channel, permit.Denial)
			return true, j.changeEnded(ctx, a)
		}
	} else {
		done, err := j.carriedOut(ctx, a)
		if err != nil {
			return false, err
		}
		if done {
			return true, j.changeDone(ctx, a)
		}
	}
	can := a.order.Can(a.verb.does)
	if can && (a.verb.moved == nil || !a.verb.moved(a)) {
		return false, nil
	}
	return true, j.overtaken(ctx, a, can)
}

// overtaken tells that the order stands otherwise now, and how; that is for members to know,
// and whose request is unsettled may have left since it was sent.
func (j *Jobs) overtaken(ctx context.Context, a *attempt, can bool) error {
	see, err := j.access.CanSee(ctx, bot.Request{Team: a.body.Team, User: a.body.User}, a.order)
	switch {
	case err != nil:
		return err
	case !see:
		return j.hidden(ctx, a)
	case can:
		return j.changeStale(ctx, a)
	}
	if err := a.verb.deny(ctx, a); err != nil {
		return err
	}
	return j.changeEnded(ctx, a)
}

// newer tells that the order has other pictures than those that the person saw.
func (a *attempt) newer() bool { return cards.Newer(a.order, a.body.Revision, a.body.Pictures) }

// carriedOut tells whether an event says that this job's intent was fulfilled.
func (j *Jobs) carriedOut(ctx context.Context, a *attempt) (bool, error) {
	events, err := j.store.Events(ctx, a.order.ID)
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
func (j *Jobs) sendChange(ctx context.Context, a *attempt) error {
	if a.state.Sends >= mostSends {
		return j.changeUnsettled(ctx, a)
	}
	intent := a.verb.intent(a)
	intent.Actor, intent.Revision, intent.At, intent.Job = a.body.User, a.body.Revision, time.Now(), a.d.ID
	switch goes, err := j.intend(ctx, a.order.ID, intent, a.state.Sends > 0); {
	case err != nil:
		return err
	case !goes:
		return j.hidden(ctx, a)
	}
	a.state.Phase, a.state.Sends, a.state.SentAt = sending, a.state.Sends+1, a.d.Now()
	if err := a.d.SetState(ctx, a.state); err != nil {
		return err
	}
	o, err := a.verb.send(ctx, a)
	switch {
	case err == nil:
		return j.changeAnswered(ctx, a, o)
	case ctx.Err() != nil:
		return ctx.Err() // whoever takes over fetches first
	case errors.Is(err, order.ErrUnavailable):
		return j.changeUnsent(ctx, a, err)
	case errors.Is(err, order.ErrUnknown):
		return j.changeLater(ctx, a, err)
	}
	return j.changeRefused(ctx, a, err)
}

// intend leaves an intent on an order, and tells whether its write may go out. Nothing
// begins for an order that was untracked: only what may be out is brought to its end.
func (j *Jobs) intend(ctx context.Context, order string, intent order.Intent, out bool) (bool, error) {
	err := j.store.Intend(ctx, order, intent)
	if errors.Is(err, store.ErrNotTracked) {
		return out, nil
	}
	return err == nil, err
}

// changeUnsent takes back the marks of a send that certainly never left.
func (j *Jobs) changeUnsent(ctx context.Context, a *attempt, err error) error {
	if a.state.Sends--; a.state.Sends == 0 {
		a.state.Phase = accepted
		if err := j.store.ClearIntent(ctx, a.order.ID, a.d.ID); err != nil {
			return err
		}
	}
	return j.changeLater(ctx, a, err)
}

// changeAnswered records the service's answer; when the poller was faster there is
// nothing left to record.
func (j *Jobs) changeAnswered(ctx context.Context, a *attempt, order order.Order) error {
	t, _, err := j.store.RecordAnswer(ctx, a.order.ID, a.order.Version, order, a.d.ID)
	if errors.Is(err, store.ErrStale) {
		err = j.freshen(ctx, a)
		t = a.order
	}
	if err != nil {
		return err
	}
	a.order = t
	return j.changeDone(ctx, a)
}

// changeLater waits for a service that does not answer, and then looks again.
func (j *Jobs) changeLater(ctx context.Context, a *attempt, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, store.ErrNotTracked):
		return j.hidden(ctx, a)
	case errors.Is(err, order.ErrInvalidOrder) && a.state.Sends > 0:
		if a.state.Unseen++; a.state.Unseen >= mostSends {
			return j.changeUnsettled(ctx, a) // it may be carried out, whatever the looks say
		}
	case errors.Is(err, order.ErrInvalidOrder):
		a.state.Problems = words(err)
		return j.changeEnded(ctx, a)
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
	if a.state.Waits == 2 && (j.TellFirst(ctx, a.d.ID) || a.state.Phase == sending) {
		if err := j.showAnswer(ctx, a.window(), shown); err != nil {
			j.log.WarnContext(ctx, "person not told that the service is away", "user", a.body.User, "err", err)
		}
	}
	wait := retryAfter(err, a.state.Waits-1)
	if left := j.underWay(a); left > 0 {
		wait = min(wait, left)
	}
	if a.state.Waits >= 2 {
		j.lineWaits(ctx, a.d, a.body.Order, wait)
	}
	return queue.Wait(wait)
}

// changeRefused looks once more when the refusal may have another reason than it says:
// an earlier send arrived, or somebody else changed the order meanwhile.
func (j *Jobs) changeRefused(ctx context.Context, a *attempt, refusal error) error {
	again := a.state.Sends > 1
	if !again { // nothing of ours is out: what happened meanwhile is somebody else's
		if err := j.store.ClearIntent(ctx, a.order.ID, a.d.ID); err != nil {
			return err
		}
		a.state.Sends = 0
	}
	if again || errors.Is(refusal, order.ErrInvalidStatus) {
		if err := j.freshen(ctx, a); err != nil {
			return j.changeLater(ctx, a, err)
		}
		if settled, err := j.changeSettled(ctx, a); settled || err != nil {
			return err
		}
	}
	a.state.Problems, a.state.TooLate = words(refusal), errors.Is(refusal, order.ErrDeadlinePassed)
	return j.changeEnded(ctx, a)
}

// hidden answers as if there were no such order: there is none any more, or not for
// this person.
func (j *Jobs) hidden(ctx context.Context, a *attempt) error {
	a.state.Denied, a.state.Hidden = cards.NotFound(a.body.Order), true
	return j.changeEnded(ctx, a)
}

// changeEnded keeps the answer before it is given, so that a job which is delivered
// again answers again and sends nothing; and clears the intent.
func (j *Jobs) changeEnded(ctx context.Context, a *attempt) error {
	a.state.Phase = answered
	if err := a.d.SetState(ctx, a.state); err != nil {
		return err
	}
	err := j.store.ClearIntent(ctx, a.body.Order, a.d.ID)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	return j.giveAnswer(ctx, a)
}

// answerAgain is for an answer that was kept and perhaps not given.
func (j *Jobs) answerAgain(ctx context.Context, a *attempt) error {
	t, err := j.store.Order(ctx, a.body.Order)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	a.order = t
	return j.giveAnswer(ctx, a)
}

func (j *Jobs) giveAnswer(ctx context.Context, a *attempt) error {
	shown := a.verb.refused
	if a.state.Denied != "" {
		shown = a.verb.denied
	}
	return j.showKept(ctx, a, shown)
}

// changeStale shows the newer revision: only what was seen is changed.
func (j *Jobs) changeStale(ctx context.Context, a *attempt) error {
	if err := j.store.ClearIntent(ctx, a.body.Order, a.d.ID); err != nil {
		return err
	}
	return j.showKept(ctx, a, a.verb.stale)
}

// changeDone is the good end.
func (j *Jobs) changeDone(ctx context.Context, a *attempt) error {
	j.HomeChanged(ctx, a.body.Team, a.body.User)
	return j.showAnswer(ctx, a.window(), a.verb.done(a))
}

// changeUnsettled gives up: the person is told, and what they typed is shown to them.
// Unsettled money is always also a direct message; it comes last, so that a second
// delivery does not send it twice.
func (j *Jobs) changeUnsettled(ctx context.Context, a *attempt) error {
	shown := a.verb.unsettled(a)
	if !a.verb.money {
		return j.showAnswer(ctx, a.window(), shown)
	}
	if err := j.update(ctx, a.window(), shown.view(false)); err != nil && (outage(err) || ctx.Err() != nil) {
		return err
	}
	for _, m := range shown.messages() {
		if err := j.dmOrLog(ctx, a.body.User, m); err != nil {
			return err
		}
	}
	return nil
}

// showKept keeps what was typed for the answer's buttons, and answers.
func (j *Jobs) showKept(ctx context.Context, a *attempt, shown func(*attempt) answer) error {
	if a.verb.keep != nil {
		if err := a.verb.keep(ctx, a); err != nil {
			return err
		}
	}
	return j.showAnswer(ctx, a.window(), shown(a))
}

func (a *attempt) window() ModalRef {
	w := ModalRef{View: a.body.View, User: a.body.User, Channel: a.order.Owner.Channel, Acked: a.body.At}
	if a.state.Hidden {
		w.Channel = ""
	}
	return w
}

// changeBlocked tells whose change waits behind another.
func (j *Jobs) changeBlocked(ctx context.Context, d *queue.Delivery, args ChangeArgs, verb changeVerb) (err error) {
	state, err := queue.State[changeState](d)
	if err != nil {
		return err
	}
	a := &attempt{d: d, verb: verb, body: args, state: state}
	if a.order, err = j.store.Order(ctx, a.body.Order); err != nil {
		return err
	}
	return j.showAnswer(ctx, a.window(), verb.later(a))
}
