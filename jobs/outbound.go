package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// outbound is one delivery of a job that sends words or images to an order's editor. The
// service refuses the same thing twice: what may be out is sent again, and "duplicate"
// then means that it had arrived.
type outbound struct {
	d       *queue.Delivery
	asker   Asker
	payload payload
	order   store.Tracked
	state   outboundState
}

// payload is what goes to the editor, and how its person hears of it.
type payload interface {
	// prepare makes what is to be sent; a sentence, or an end other than none, stops it.
	prepare(ctx context.Context, e *outbound) (end, string, error)
	intent(e *outbound) order.Intent // verb, words, and what it brings
	send(ctx context.Context, e *outbound) (order.Order, error)
	// notify tells how it ended, as the state says; also when it was told before.
	notify(ctx context.Context, e *outbound) error
	// later tells, once, that the service does not answer.
	later(ctx context.Context, e *outbound) error
}

// end is how it ended.
type end string

const (
	endNone      end = ""
	endDelivered end = "delivered"
	endKept      end = "kept"   // not brought: state.Unsent says why
	endHidden    end = "hidden" // to this person the order does not exist
	endGuest     end = "guest"  // who may only see; state.Why says for what reason
	endNothing   end = "nothing"
)

// Arrived follows sending: the service has it, and the order is still to be recorded.
const arrived phase = "arrived"

// outboundState is the durable progress of one.
type outboundState struct {
	Phase phase `json:"phase,omitempty"`
	Tries int   `json:"tries,omitempty"` // sends, whatever became of them
	Sends int   `json:"sends,omitempty"` // those of them that may have arrived
	Waits int   `json:"waits,omitempty"`
	End   end   `json:"end,omitempty"`

	Why     order.Denial `json:"why,omitempty"`    // guest
	Text    string       `json:"text,omitempty"`   // the words, made once
	Answer  *order.Order `json:"answer,omitempty"` // the service's, until it is recorded
	Version int64        `json:"version,omitempty"`
	Unsent  cards.Unsent `json:"unsent,omitzero"`
}

// Asker is who asked for a job and how they are answered.
type Asker struct {
	Team        string    `json:"team"`
	User        string    `json:"user"`
	Channel     string    `json:"channel,omitempty"`
	Thread      string    `json:"thread,omitempty"`
	ResponseURL string    `json:"response_url,omitempty"`
	View        string    `json:"view,omitempty"` // external id of the form that was submitted
	At          time.Time `json:"at"`
}

// AskerOf is who sent a request.
func AskerOf(r bot.Request) Asker {
	a := Asker{Team: r.Team, User: r.User, Channel: r.Channel, Thread: besides(r), ResponseURL: r.ResponseURL, At: r.At}
	if r.View != nil {
		a.View, a.At = r.View.ExternalID, time.Now()
	}
	return a
}

func (a Asker) request() bot.Request {
	return bot.Request{Team: a.Team, User: a.User, Channel: a.Channel, Thread: a.Thread, ResponseURL: a.ResponseURL, At: a.At}
}

func (a Asker) window() ModalRef {
	return ModalRef{View: a.View, User: a.User, Channel: a.Channel, Acked: a.At}
}

// whisper tells the person alone. It fails only while it makes sense to come back: see sayLater.
func (j *Jobs) whisper(ctx context.Context, a Asker, m cards.Message) error {
	err := j.Tell(ctx, a.request(), m)
	if err == nil || ctx.Err() != nil || sayLater(err) {
		return err
	}
	j.log.ErrorContext(ctx, "person not told", "user", a.User, "err", err)
	return nil
}

// shown answers in the form's window, or to its person alone.
func (j *Jobs) shown(ctx context.Context, e *outbound, view slack.ModalViewRequest) error {
	if e.asker.View != "" {
		return j.showAnswer(ctx, e.asker.window(), plainly(view))
	}
	for _, m := range cards.AsMessages(view) {
		if err := j.whisper(ctx, e.asker, m); err != nil {
			return err
		}
	}
	return nil
}

// mostTries bounds how often something of unknown outcome is sent: by then the service,
// which answers otherwise, cannot take it.
const mostTries = 20

// runOutbound does the job from wherever an earlier delivery left it.
func (j *Jobs) runOutbound(ctx context.Context, e *outbound, order string) error {
	state, err := queue.State[outboundState](e.d)
	if err != nil {
		return err
	}
	e.state = state
	t, err := j.store.Order(ctx, order)
	if errors.Is(err, store.ErrNotTracked) && e.state.Phase != answered {
		return j.endOutbound(ctx, e, endHidden)
	}
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	e.order = t
	switch e.state.Phase {
	case answered:
		return e.payload.notify(ctx, e)
	case arrived:
		return j.recordOutbound(ctx, e)
	case accepted:
		if stopped, err := j.authorize(ctx, e); stopped || err != nil {
			return err
		}
	}
	return j.sendOutbound(ctx, e)
}

// authorize ends what this person, or anybody, may not do. What may be out
// already is followed whoever asked for it.
func (j *Jobs) authorize(ctx context.Context, e *outbound) (bool, error) {
	permit, err := j.access.Authorize(ctx, e.asker.request(), e.order)
	switch {
	case err != nil:
		return false, err
	case !permit.Sees:
		return true, j.endOutbound(ctx, e, endHidden)
	case permit.Denial != "":
		e.state.Why = permit.Denial
		return true, j.endOutbound(ctx, e, endGuest)
	}
	e.order, err = j.seeAgain(ctx, e.order)
	switch {
	case outage(err):
		return true, j.outboundLater(ctx, e, err)
	case errors.Is(err, order.ErrRefused): // it is not seen again
		j.log.WarnContext(ctx, "the service tells nothing of an order that is gone", "order", e.order.ID, "err", err)
	case err != nil:
		return false, err
	}
	stop, why, err := e.payload.prepare(ctx, e)
	switch {
	case err != nil:
		return false, err
	case stop != endNone:
		return true, j.endOutbound(ctx, e, stop)
	case why == "":
		why = cards.NoMessage(e.order)
	}
	if why == "" {
		return false, nil
	}
	e.state.Unsent.Why = why
	return true, j.endOutbound(ctx, e, endKept)
}

// sendOutbound leaves the intent on the order and sends.
func (j *Jobs) sendOutbound(ctx context.Context, e *outbound) error {
	again := e.state.Sends > 0 || !e.d.SameRun // then an earlier send may have arrived
	if e.state.Tries >= mostTries {
		return j.unanswered(ctx, e)
	}
	if e.state.Sends > 0 {
		if _, err := j.service.Fetch(ctx, e.order.ID); err != nil && outage(err) {
			return j.outboundLater(ctx, e, err) // it is away altogether: no try is used up
		}
	}
	intent := e.payload.intent(e)
	intent.Actor, intent.At, intent.Job = e.asker.User, time.Now(), e.d.ID
	switch goes, err := j.intend(ctx, e.order.ID, intent, e.state.Sends > 0); {
	case err != nil:
		return err
	case !goes:
		return j.endOutbound(ctx, e, endHidden)
	}
	e.state.Phase, e.state.Version = sending, e.order.Version
	e.state.Sends, e.state.Tries = e.state.Sends+1, e.state.Tries+1
	if err := e.d.SetState(ctx, e.state); err != nil {
		return err
	}
	answer, err := e.payload.send(ctx, e)
	return j.outboundAnswered(ctx, e, again, answer, err)
}

// outboundAnswered goes by what the service said.
func (j *Jobs) outboundAnswered(ctx context.Context, e *outbound, again bool, answer order.Order, err error) error {
	if err == nil || errors.Is(err, order.ErrRefused) {
		j.lineMoves(ctx, e.order.ID, e.state.Waits)
	}
	switch {
	case err == nil:
		e.state.Answer = &answer
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, order.ErrUnavailable):
		return j.outboundUnsent(ctx, e, err)
	case errors.Is(err, order.ErrUnknown):
		return j.outboundLater(ctx, e, err)
	case !again || !errors.Is(err, order.ErrDuplicate):
		return j.outboundRefused(ctx, e, again, err)
	}
	e.state.Phase = arrived
	if err := e.d.SetState(ctx, e.state); err != nil {
		return err
	}
	return j.recordOutbound(ctx, e)
}

// outboundRefused ends with the service's reasons. An error that is no answer of the service, nor our
// own about what was to be sent, is returned: the job tries again.
func (j *Jobs) outboundRefused(ctx context.Context, e *outbound, again bool, err error) error {
	_, input := errors.AsType[*order.InputError](err)
	u := cards.Unsent{Doubt: again && e.state.Sends > 1}
	switch {
	case errors.Is(err, order.ErrRefused):
		u.Problems = words(err)
	case input, errors.Is(err, order.ErrNoSuchPath):
		u.Why = cards.Sentence(err, ShortRef(e.d.ID))
	default:
		return err
	}
	if errors.Is(err, order.ErrDuplicate) {
		u.Why = cards.HadThis(e.order, e.payload.intent(e).Verb)
	}
	e.state.Unsent = u
	return j.endOutbound(ctx, e, endKept)
}

// outboundUnsent takes back the marks of a send that certainly never left.
func (j *Jobs) outboundUnsent(ctx context.Context, e *outbound, err error) error {
	e.state.Tries--
	if e.state.Sends--; e.state.Sends == 0 {
		e.state.Phase = accepted
		if err := j.store.ClearIntent(ctx, e.order.ID, e.d.ID); err != nil {
			return err
		}
	}
	return j.outboundLater(ctx, e, err)
}

// outboundLater waits for a service that does not answer. The person hears of it when it
// takes longer than a moment.
func (j *Jobs) outboundLater(ctx context.Context, e *outbound, err error) error {
	j.log.WarnContext(ctx, "what goes to an editor waits for the service", "job", e.d.ID, "sends", e.state.Sends, "err", err)
	e.state.Waits++
	if err := e.d.SetState(ctx, e.state); err != nil {
		return err
	}
	if e.state.Waits == 2 && j.TellFirst(ctx, e.d.ID) {
		if err := e.payload.later(ctx, e); err != nil {
			j.log.WarnContext(ctx, "person not told that the service is away", "user", e.asker.User, "err", err)
		}
	}
	wait := retryAfter(err, e.state.Waits-1)
	if e.state.Waits >= 2 {
		j.lineWaits(ctx, e.d, e.order.ID, wait)
	}
	return queue.Wait(wait)
}

// unanswered gives up what the service never answers.
func (j *Jobs) unanswered(ctx context.Context, e *outbound) error {
	e.state.Unsent = cards.Unsent{Why: cards.NoAnswer(e.order), Doubt: true}
	return j.endOutbound(ctx, e, endKept)
}

// recordOutbound records what the service has; when the order changed meanwhile, or no
// answer came, it is fetched, and keeps the conversation of the answer.
func (j *Jobs) recordOutbound(ctx context.Context, e *outbound) error {
	if e.state.Answer != nil {
		t, _, err := j.store.RecordAnswer(ctx, e.order.ID, e.state.Version, *e.state.Answer, e.d.ID)
		if err == nil {
			e.order = t
			return j.endOutbound(ctx, e, endDelivered)
		}
		if !errors.Is(err, store.ErrStale) {
			return err
		}
	}
	for range 5 {
		err := j.recordFetched(ctx, e)
		switch {
		case err == nil:
			return j.endOutbound(ctx, e, endDelivered)
		case errors.Is(err, order.ErrUnavailable), errors.Is(err, order.ErrUnknown):
			return j.outboundLater(ctx, e, err)
		case !errors.Is(err, store.ErrStale):
			return err
		}
	}
	return queue.Wait(time.Second) // somebody else keeps recording this order
}

func (j *Jobs) recordFetched(ctx context.Context, e *outbound) error {
	t, err := j.store.Order(ctx, e.order.ID)
	if err != nil {
		return err
	}
	seen, err := j.service.Fetch(ctx, t.ID)
	if errors.Is(err, order.ErrRefused) {
		seen, err = t.Order, nil // it arrived, whatever became of the order since
	}
	if err != nil {
		return err
	}
	if e.state.Answer != nil {
		seen.Conversation = e.state.Answer.Conversation
	}
	e.order, _, err = j.store.RecordAnswer(ctx, t.ID, t.Version, seen, e.d.ID)
	return err
}

// endOutbound keeps the end before it is told, so that a job which is delivered again tells
// it again and sends nothing.
func (j *Jobs) endOutbound(ctx context.Context, e *outbound, how end) error {
	e.state.Phase, e.state.End, e.state.Answer = answered, how, nil
	if err := e.d.SetState(ctx, e.state); err != nil {
		return err
	}
	if e.order.ID != "" && how != endDelivered {
		if err := j.store.ClearIntent(ctx, e.order.ID, e.d.ID); err != nil && !errors.Is(err, store.ErrNotTracked) {
			return err
		}
	}
	if how == endDelivered {
		j.HomeChanged(ctx, e.asker.Team, e.asker.User)
	}
	return e.payload.notify(ctx, e)
}

// outboundBlocked tells whose words or images wait behind another job.
func (j *Jobs) outboundBlocked(ctx context.Context, e *outbound, order string) (err error) {
	if e.order, err = j.store.Order(ctx, order); err != nil {
		return err
	}
	return e.payload.later(ctx, e)
}
