package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// followArgs is the body of the job that shows one window how its draft stands. It runs
// in the draft's lane: after the job that is placing it, whichever window put that one.
type followArgs struct {
	Draft string    `json:"draft"`
	View  string    `json:"view"`
	At    time.Time `json:"at"` // when the window was submitted
}

// Follow puts that job, once for each window and attempt; a person is told although
// Slack may be away just now.
func (j *Jobs) Follow(ctx context.Context, d store.Draft, attempt int, view string, at time.Time) error {
	return j.followAs(ctx, "follow", d, placeArgs{Attempt: attempt, View: view, At: at})
}

// followAs puts one of that name. A job that died puts another than the usual one, which may have
// run after the death and before the draft said so.
func (j *Jobs) followAs(ctx context.Context, name string, d store.Draft, p placeArgs) error {
	id := fmt.Sprintf("%s:%s:%d:%s", name, d.ID, p.Attempt, Hash(p.View))
	return j.Put(ctx, followJob, id, DraftLane(d), followArgs{Draft: d.ID, View: p.View, At: p.At})
}

// showDraft shows how the draft stands, in the window or to its person.
func (j *Jobs) showDraft(ctx context.Context, d *queue.Delivery, f followArgs) error {
	draft, err := j.draftOf(ctx, d, f.Draft)
	if err != nil {
		return err
	}
	a := DraftAsker(draft, f.View, f.At)
	if draft.IsHeld() {
		draft.Held.Hides = !j.mayRead(ctx, ownerOf(draft))
		return j.showAnswer(ctx, a, plainly(cards.Held(draft, f.View)))
	}
	if draft.State == store.DraftRefused {
		return j.giveBack(ctx, a, draft)
	}
	view, err := j.DraftView(ctx, draft, f.View)
	switch {
	case err != nil:
		return err
	case draft.State == store.DraftUnknown: // unsettled money is always also a direct message
		return j.answerAndDM(ctx, a, plainly(view, cards.AsMessage(view)))
	}
	return j.Answer(ctx, a, view)
}

// draftOf is the draft that a job is about; when there is none any more, that ends the job.
func (j *Jobs) draftOf(ctx context.Context, d *queue.Delivery, id string) (store.Draft, error) {
	draft, err := j.store.Draft(ctx, id)
	if errors.Is(err, store.ErrNoDraft) {
		err = queue.Dead(fmt.Errorf("job %s: %w", d.ID, err))
	}
	return draft, err
}

// giveBack shows the form again, the reasons in it and everything typed still there.
func (j *Jobs) giveBack(ctx context.Context, a Asker, draft store.Draft) error {
	form := cards.NewOrder(draft, cards.Around{
		Problems: draft.Problems, Balance: j.CreditWords(ctx, ownerOf(draft)), Upload: j.files != nil, Services: j.says,
		Presets: j.Presets(ctx, ownerOf(draft), draft.Channel),
	}, a.View)
	return j.showAnswer(ctx, a, plainly(form, cards.Kept(draft, draft.Problems)))
}

// DraftView is how a draft stands, as a modal. It fails while Redis is away: a placed order
// must not look as if it were still on its way.
func (j *Jobs) DraftView(ctx context.Context, draft store.Draft, window string) (slack.ModalViewRequest, error) {
	switch draft.State {
	case store.DraftPlaced:
		t, err := j.store.Order(ctx, draft.OrderID)
		if err != nil {
			return slack.ModalViewRequest{}, err
		}
		return cards.Placed(t, j.creditsFor(ctx, ownerOf(draft)), window), nil
	case store.DraftUnknown:
		return cards.NotPlaced(draft, window), nil
	case store.DraftDiscarded:
		return cards.Discarded(draft, window), nil
	}
	return cards.Placing(draft, window), nil
}

// ownerOf is the person whose draft it is, as one who asks.
func ownerOf(d store.Draft) bot.Request { return bot.Request{Team: d.Team, User: d.User} }

// DraftLane keeps everything about one draft in order.
func DraftLane(d store.Draft) string { return "draft:" + d.ID }

// DraftAsker is who hears how a draft's submission ends; zero at: it is not submitted.
func DraftAsker(d store.Draft, view string, at time.Time) Asker {
	return Asker{Team: d.Team, User: d.User, Channel: d.From, View: view, At: at}
}

func (j *Jobs) followKind() queue.Declared {
	return queue.Kind[followArgs]{
		Name: followJob, Work: j.showDraft, Asked: "showing how an order stands", Truth: Always(orderStands),
	}.Declare()
}
