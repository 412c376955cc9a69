package notifier

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// laps bounds how often one delivery chases an order that keeps changing; every
// change has put a job of its own.
const laps = 10

// visit is one delivery's work on one order.
type visit struct {
	*Announcer
	d          *queue.Delivery
	id         string
	generation int
	memory     memory

	t      store.Tracked
	events []store.Event // not yet announced, oldest first
}

// memory is what an announce job keeps between its deliveries.
type memory struct {
	Told   cards.Why      `json:"told,omitempty"`   // why the requester was told that the channel is out of reach
	Waits  int            `json:"waits,omitempty"`  // how often the job has waited for that
	Unsent *store.Posting `json:"unsent,omitempty"` // a mark whose post Slack refused: nothing of it is out
	Doubt  doubt          `json:"doubt,omitzero"`   // a post that Slack neither takes nor refuses
	Slow   int            `json:"slow,omitempty"`   // edits of superseded replies that Slack did not answer
}

// doubt counts the posts of one message that were not answered and are not out.
type doubt struct {
	Event int64 `json:"event"`
	Times int   `json:"times"`
}

func (m memory) doubtsOf(mark int64) int {
	if m.Doubt.Event != mark {
		return 0
	}
	return m.Doubt.Times
}

func (v *visit) recall() error {
	if len(v.d.State) == 0 {
		return nil
	}
	if err := json.Unmarshal(v.d.State, &v.memory); err != nil {
		return fmt.Errorf("announce job's state: %w", err)
	}
	return nil
}

func (v *visit) remember(ctx context.Context, m memory) error {
	v.memory = m
	return v.d.SetState(ctx, m)
}

// work brings the channel up to date, whatever was left undone.
func (v *visit) work(ctx context.Context) error {
	for range laps {
		if err := v.read(ctx); err != nil {
			return err
		}
		if v.inDoubt() {
			if err := v.resolve(ctx); err != nil {
				return err
			}
			continue
		}
		if v.current() {
			break
		}
		if err := v.catchUp(ctx); err != nil {
			return err
		}
	}
	return v.quiet(ctx)
}

func (v *visit) read(ctx context.Context) error {
	var err error
	v.t, v.events, err = v.store.Unannounced(ctx, v.id)
	if err != nil {
		return err
	}
	if v.t.Owner.Generation != v.generation {
		return store.ErrMoved
	}
	return nil
}

func (v *visit) current() bool {
	return len(v.events) == 0 && v.t.CardTS != "" && v.t.CardVersion >= v.t.Version
}

// catchUp shows the card as it is now and posts what the thread lacks.
func (v *visit) catchUp(ctx context.Context) error {
	if err := v.showCard(ctx); err != nil {
		return err
	}
	for _, e := range v.events {
		if err := v.reply(ctx, e); err != nil {
			return fmt.Errorf("event %s: %w", e.ID, err)
		}
	}
	return nil
}

// showCard comes before any reply, even when the card is current: a reply to
// a card that was deleted would land in the channel.
func (v *visit) showCard(ctx context.Context) error {
	forms := formsOf(cards.Card(v.t, v.can, time.Now()))
	ts := v.t.CardTS
	err := bot.ErrGone
	if ts != "" {
		err = v.edit(ctx, ts, forms)
	}
	if errors.Is(err, bot.ErrGone) {
		ts, err = v.post(ctx, cardMark, bot.Post{}, forms)
	}
	if err != nil {
		return fmt.Errorf("card: %w", err)
	}
	v.t.CardTS = ts
	return v.store.CardPosted(ctx, v.id, v.generation, ts, v.t.Version)
}

// reply posts one event into the order's thread and moves the watermark. An
// event that Slack takes in no form is left out, for the sake of those behind it.
func (v *visit) reply(ctx context.Context, e store.Event) error {
	live := v.live(e, v.events)
	into := bot.Post{Thread: v.t.CardTS, Broadcast: e.Kind == store.Ready}
	ts, err := v.post(ctx, e.Seq, into, v.replyForms(e, live))
	if errors.Is(err, bot.ErrPayload) {
		v.log.ErrorContext(ctx, "event left out: slack takes it in no form", "order", v.id, "event", e.ID, "err", err)
		ts, err = "", nil
	}
	if err != nil {
		return err
	}
	return v.store.EventPosted(ctx, v.id, v.generation, store.Posted{Event: e.Seq, ID: e.ID, TS: ts, Buttons: live})
}
