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
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// errand is one delivery of a job that brings words or images to an order's editor. The
// service refuses the same thing twice: what may be out is sent again, and "duplicate"
// then means that it had arrived.
type errand struct {
	d     *queue.Delivery
	asker asker
	cargo cargo
	order store.Tracked
	state errandState
}

// cargo is what an errand brings, and how its person hears of it.
type cargo interface {
	// ready makes what is to be brought; a sentence or an end other than none stops it.
	ready(ctx context.Context, e *errand) (end, string, error)
	intent(e *errand) order.Intent // verb, words and what it brings
	bring(ctx context.Context, e *errand) (order.Order, error)
	// told tells how it ended, as the state says; also when it was told before.
	told(ctx context.Context, e *errand) error
	// later tells, once, that the service does not answer.
	later(ctx context.Context, e *errand) error
}

// end is how an errand ended.
type end string

const (
	endNone      end = ""
	endDelivered end = "delivered"
	endKept      end = "kept"   // not brought: state.Unsent says why
	endHidden    end = "hidden" // to this person the order does not exist
	endGuest     end = "guest"  // who may only see; state.Why says for what reason
	endNothing   end = "nothing"
)

// arrived follows sending: the service has it, and the order is still to be recorded.
const arrived phase = "arrived"

// errandState is the durable progress of an errand.
type errandState struct {
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

// asker is who asked for an errand and how they are answered.
type asker struct {
	Team        string    `json:"team"`
	User        string    `json:"user"`
	Channel     string    `json:"channel,omitempty"`
	Thread      string    `json:"thread,omitempty"`
	ResponseURL string    `json:"response_url,omitempty"`
	View        string    `json:"view,omitempty"` // external id of the form that was submitted
	At          time.Time `json:"at"`
}

func askerOf(r bot.Request) asker {
	a := asker{Team: r.Team, User: r.User, Channel: r.Channel, Thread: besides(r), ResponseURL: r.ResponseURL, At: r.At}
	if r.View != nil {
		a.View, a.At = r.View.ExternalID, time.Now()
	}
	return a
}

func (a asker) request() bot.Request {
	return bot.Request{Team: a.Team, User: a.User, Channel: a.Channel, Thread: a.Thread, ResponseURL: a.ResponseURL, At: a.At}
}

func (a asker) window() window {
	return window{View: a.View, User: a.User, Channel: a.Channel, Acked: a.At}
}

// whisper tells the person alone. It fails only while it makes sense to come back: see sayLater.
func (c *Commands) whisper(ctx context.Context, a asker, m cards.Message) error {
	err := c.tell(ctx, a.request(), m)
	if err == nil || ctx.Err() != nil || sayLater(err) {
		return err
	}
	c.log.ErrorContext(ctx, "person not told", "user", a.User, "err", err)
	return nil
}

// shown answers an errand in the form's window, or to its person alone.
func (c *Commands) shown(ctx context.Context, e *errand, view slack.ModalViewRequest) error {
	if e.asker.View != "" {
		return c.showAnswer(ctx, e.asker.window(), plainly(view))
	}
	for _, m := range cards.ToldInFull(view) {
		if err := c.whisper(ctx, e.asker, m); err != nil {
			return err
		}
	}
	return nil
}

// mostTries bounds how often something of unknown outcome is sent: by then the service,
// which answers otherwise, cannot take it.
const mostTries = 20

// run does the job from wherever an earlier delivery left it.
func (c *Commands) run(ctx context.Context, e *errand, order string) error {
	if len(e.d.State) > 0 {
		if err := json.Unmarshal(e.d.State, &e.state); err != nil {
			return queue.Dead(fmt.Errorf("job %s: its state: %w", e.d.ID, err))
		}
	}
	t, err := c.store.Order(ctx, order)
	if errors.Is(err, store.ErrNotTracked) && e.state.Phase != answered {
		return c.ended(ctx, e, endHidden)
	}
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	e.order = t
	switch e.state.Phase {
	case answered:
		return e.cargo.told(ctx, e)
	case arrived:
		return c.recordErrand(ctx, e)
	case accepted:
		if stopped, err := c.barred(ctx, e); stopped || err != nil {
			return err
		}
	}
	return c.bring(ctx, e)
}

// barred ends an errand that this person, or anybody, may not do. What may be out
// already is followed whoever asked for it.
func (c *Commands) barred(ctx context.Context, e *errand) (bool, error) {
	permit, err := c.access.Authorize(ctx, e.asker.request(), e.order)
	switch {
	case err != nil:
		return false, err
	case !permit.Sees:
		return true, c.ended(ctx, e, endHidden)
	case permit.Denial != "":
		e.state.Why = permit.Denial
		return true, c.ended(ctx, e, endGuest)
	}
	e.order, err = c.seeAgain(ctx, e.order)
	switch {
	case outage(err):
		return true, c.errandLater(ctx, e, err)
	case errors.Is(err, order.ErrRefused): // it is not seen again
		c.log.WarnContext(ctx, "the service tells nothing of an order that is gone", "order", e.order.ID, "err", err)
	case err != nil:
		return false, err
	}
	stop, why, err := e.cargo.ready(ctx, e)
	switch {
	case err != nil:
		return false, err
	case stop != endNone:
		return true, c.ended(ctx, e, stop)
	case why == "":
		why = cards.NoMessage(e.order)
	}
	if why == "" {
		return false, nil
	}
	e.state.Unsent.Why = why
	return true, c.ended(ctx, e, endKept)
}

// bring leaves the intent on the order and sends.
func (c *Commands) bring(ctx context.Context, e *errand) error {
	again := e.state.Sends > 0 || !e.d.SameRun // then an earlier send may have arrived
	if e.state.Tries >= mostTries {
		return c.unanswered(ctx, e)
	}
	if e.state.Sends > 0 {
		if _, err := c.service.Fetch(ctx, e.order.ID); err != nil && outage(err) {
			return c.errandLater(ctx, e, err) // it is away altogether: no try is used up
		}
	}
	intent := e.cargo.intent(e)
	intent.Actor, intent.At, intent.Job = e.asker.User, time.Now(), e.d.ID
	switch goes, err := c.intend(ctx, e.order.ID, intent, e.state.Sends > 0); {
	case err != nil:
		return err
	case !goes:
		return c.ended(ctx, e, endHidden)
	}
	e.state.Phase, e.state.Version = sending, e.order.Version
	e.state.Sends, e.state.Tries = e.state.Sends+1, e.state.Tries+1
	if err := e.d.SetState(ctx, e.state); err != nil {
		return err
	}
	answer, err := e.cargo.bring(ctx, e)
	return c.brought(ctx, e, again, answer, err)
}

// brought goes by what the service said.
func (c *Commands) brought(ctx context.Context, e *errand, again bool, answer order.Order, err error) error {
	if err == nil || errors.Is(err, order.ErrRefused) {
		c.lineMoves(ctx, e.order.ID, e.state.Waits)
	}
	switch {
	case err == nil:
		e.state.Answer = &answer
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, order.ErrUnavailable):
		return c.errandUnsent(ctx, e, err)
	case errors.Is(err, order.ErrUnknown):
		return c.errandLater(ctx, e, err)
	case !again || !errors.Is(err, order.ErrDuplicate):
		return c.refusedErrand(ctx, e, again, err)
	}
	e.state.Phase = arrived
	if err := e.d.SetState(ctx, e.state); err != nil {
		return err
	}
	return c.recordErrand(ctx, e)
}

// refusedErrand ends with the service's reasons. What is no answer of its is not one.
func (c *Commands) refusedErrand(ctx context.Context, e *errand, again bool, err error) error {
	_, input := errors.AsType[*order.InputError](err)
	u := cards.Unsent{Doubt: again && e.state.Sends > 1}
	switch {
	case errors.Is(err, order.ErrRefused):
		u.Problems = words(err)
	case input, errors.Is(err, order.ErrNoSuchPath):
		u.Why = cards.Sentence(err, Mark(e.d.ID))
	default:
		return err
	}
	if errors.Is(err, order.ErrDuplicate) {
		u.Why = cards.HadThis(e.order, e.cargo.intent(e).Verb)
	}
	e.state.Unsent = u
	return c.ended(ctx, e, endKept)
}

// errandUnsent takes back the marks of a send that certainly never left.
func (c *Commands) errandUnsent(ctx context.Context, e *errand, err error) error {
	e.state.Tries--
	if e.state.Sends--; e.state.Sends == 0 {
		e.state.Phase = accepted
		if err := c.store.ClearIntent(ctx, e.order.ID, e.d.ID); err != nil {
			return err
		}
	}
	return c.errandLater(ctx, e, err)
}

// errandLater waits for a service that does not answer. The person hears of it when it
// takes longer than a moment.
func (c *Commands) errandLater(ctx context.Context, e *errand, err error) error {
	c.log.WarnContext(ctx, "errand waits for the service", "job", e.d.ID, "sends", e.state.Sends, "err", err)
	e.state.Waits++
	if err := e.d.SetState(ctx, e.state); err != nil {
		return err
	}
	if e.state.Waits == 2 && c.tellFirst(ctx, e.d.ID) {
		if err := e.cargo.later(ctx, e); err != nil {
			c.log.WarnContext(ctx, "person not told that the service is away", "user", e.asker.User, "err", err)
		}
	}
	wait := retryAfter(err, e.state.Waits-1)
	if e.state.Waits >= 2 {
		c.lineWaits(ctx, e.d, e.order.ID, wait)
	}
	return queue.Wait(wait)
}

// unanswered gives up what the service never answers.
func (c *Commands) unanswered(ctx context.Context, e *errand) error {
	e.state.Unsent = cards.Unsent{Why: cards.NoAnswer(e.order), Doubt: true}
	return c.ended(ctx, e, endKept)
}

// recordErrand records what the service has; when the order changed meanwhile, or no
// answer came, it is fetched, and keeps the conversation of the answer.
func (c *Commands) recordErrand(ctx context.Context, e *errand) error {
	if e.state.Answer != nil {
		t, _, err := c.store.RecordAnswer(ctx, e.order.ID, e.state.Version, *e.state.Answer, e.d.ID)
		if err == nil {
			e.order = t
			return c.ended(ctx, e, endDelivered)
		}
		if !errors.Is(err, store.ErrStale) {
			return err
		}
	}
	for range 5 {
		err := c.recordFetched(ctx, e)
		switch {
		case err == nil:
			return c.ended(ctx, e, endDelivered)
		case errors.Is(err, order.ErrUnavailable), errors.Is(err, order.ErrUnknown):
			return c.errandLater(ctx, e, err)
		case !errors.Is(err, store.ErrStale):
			return err
		}
	}
	return queue.Wait(time.Second) // somebody else keeps recording this order
}

func (c *Commands) recordFetched(ctx context.Context, e *errand) error {
	t, err := c.store.Order(ctx, e.order.ID)
	if err != nil {
		return err
	}
	seen, err := c.service.Fetch(ctx, t.ID)
	if errors.Is(err, order.ErrRefused) {
		seen, err = t.Order, nil // it arrived, whatever became of the order since
	}
	if err != nil {
		return err
	}
	if e.state.Answer != nil {
		seen.Conversation = e.state.Answer.Conversation
	}
	e.order, _, err = c.store.RecordAnswer(ctx, t.ID, t.Version, seen, e.d.ID)
	return err
}

// ended keeps the end before it is told, so that a job which is delivered again tells
// it again and sends nothing.
func (c *Commands) ended(ctx context.Context, e *errand, how end) error {
	e.state.Phase, e.state.End, e.state.Answer = answered, how, nil
	if err := e.d.SetState(ctx, e.state); err != nil {
		return err
	}
	if e.order.ID != "" && how != endDelivered {
		if err := c.store.ClearIntent(ctx, e.order.ID, e.d.ID); err != nil && !errors.Is(err, store.ErrNotTracked) {
			return err
		}
	}
	if how == endDelivered {
		c.homeChanged(ctx, e.asker.Team, e.asker.User)
	}
	return e.cargo.told(ctx, e)
}
