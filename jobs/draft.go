package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/files"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// Drafts shows people the states of their drafts.
type Drafts struct {
	drafts   *store.Drafts
	orders   *store.Orders
	files    *files.Signer
	services place.Descriptions
	credits  *accounts.Credits
	presets  *Presets
	forms    *answers.Forms
	putter   *job.Putter
}

// followArgs is the body of the job that shows a window the state of its draft. It runs in the draft's lane, after the
// job that places the draft.
type followArgs struct {
	Draft string    `json:"draft"`
	View  string    `json:"view"`
	At    time.Time `json:"at"`             // when the window was submitted
	Card  bool      `json:"card,omitempty"` // only adds the link to the placed order's card
}

// Follow puts that job, once for each window and attempt. As a job, it outlives an outage of Slack.
func (j *Drafts) Follow(ctx context.Context, d store.Draft, attempt int, view string, at time.Time) error {
	return j.putFollow(ctx, "follow", d, placeArgs{Attempt: attempt, View: view, At: at})
}

// putFollow puts the job under another name, for a dead letter: the usual job may have run before the draft had its
// final state.
func (j *Drafts) putFollow(ctx context.Context, name string, d store.Draft, p placeArgs) error {
	id := fmt.Sprintf("%s:%s:%d:%s", name, d.ID, p.Attempt, job.Hash(p.View))
	return j.putter.Put(ctx, job.Follow, id, DraftLane(d), followArgs{Draft: d.ID, View: p.View, At: p.At})
}

// showDraft shows the draft's state in the window or to its person.
func (j *Drafts) showDraft(ctx context.Context, d *queue.Delivery, f followArgs) error {
	draft, err := j.draftOf(ctx, d, f.Draft)
	if err != nil {
		return err
	}
	a := DraftAsker(draft, f.View, f.At)
	if f.Card {
		return j.linkCard(ctx, d, draft, f)
	}
	if draft.IsHeld() {
		draft.Hold.Hides = !j.credits.MayRead(ctx, ownerOf(draft))
		return j.forms.Show(ctx, a, answers.Plain(place.AwaitingApproval(draft, f.View)))
	}
	if draft.State == store.DraftRefused {
		return j.giveBack(ctx, a, draft)
	}
	view, err := j.DraftView(ctx, draft, f.View)
	switch {
	case err != nil:
		return err
	case draft.State == store.DraftUnknown: // money of unknown outcome always gets a direct message, too
		return j.forms.AnswerAndSend(ctx, a, answers.Plain(view, kit.AsMessage(view)))
	}
	if err := j.forms.Answer(ctx, a, view); err != nil || draft.State != store.DraftPlaced || f.View == "" {
		return err
	}
	f.Card = true
	return j.putter.Put(ctx, job.Follow, "card:"+draft.ID+":"+job.Hash(f.View), "card:"+draft.ID, f)
}

// The card of a placed order is posted after its window is shown.
const (
	cardPause    = time.Second
	cardPatience = 20 * time.Second
)

// linkCard adds the link to the card to a window that is still open.
func (j *Drafts) linkCard(ctx context.Context, d *queue.Delivery, draft store.Draft, f followArgs) error {
	t, err := j.orders.Order(ctx, draft.OrderID)
	switch {
	case err != nil:
		return err
	case t.CardTS == "" && d.Now().Sub(d.PutAt) < cardPatience:
		return queue.Wait(cardPause)
	case t.CardTS == "":
		return nil
	}
	view, err := j.DraftView(ctx, draft, f.View)
	if err == nil {
		j.forms.Progress(ctx, DraftAsker(draft, f.View, f.At), view)
	}
	return err
}

// draftOf returns the draft of a job. A job without its draft is a dead letter.
func (j *Drafts) draftOf(ctx context.Context, d *queue.Delivery, id string) (store.Draft, error) {
	draft, err := j.drafts.Draft(ctx, id)
	if errors.Is(err, store.ErrNoDraft) {
		err = queue.Dead(fmt.Errorf("job %s: %w", d.ID, err))
	}
	return draft, err
}

// giveBack shows the form again, with the reasons and everything typed.
func (j *Drafts) giveBack(ctx context.Context, a answers.Asker, draft store.Draft) error {
	form := place.Window(draft, place.FormExtras{
		Problems: draft.Problems, Balance: j.credits.Text(ctx, ownerOf(draft)), Upload: j.files != nil, Services: j.services,
		Presets: j.presets.Presets(ctx, ownerOf(draft), draft.Channel),
	}, a.View)
	return j.forms.Show(ctx, a, answers.Plain(form, place.Refused(draft, draft.Problems)))
}

// DraftView returns a modal with the draft's state. It fails while Redis is away: a placed order must not look as if it
// were being placed.
func (j *Drafts) DraftView(ctx context.Context, draft store.Draft, window string) (slack.ModalViewRequest, error) {
	switch draft.State {
	case store.DraftPlaced:
		t, err := j.orders.Order(ctx, draft.OrderID)
		if err != nil {
			return slack.ModalViewRequest{}, err
		}
		return place.Placed(t, j.credits.For(ctx, ownerOf(draft)), j.forms.Messages.Links(ctx), window), nil
	case store.DraftUnknown:
		return place.NotPlaced(draft, window), nil
	case store.DraftDiscarded:
		return place.Discarded(draft, window), nil
	}
	return place.Placing(draft, window), nil
}

// ownerOf returns the draft's person as the sender of a request.
func ownerOf(d store.Draft) bot.Request { return bot.Request{Team: d.Team, User: d.User} }

// DraftLane returns the lane of a draft's jobs.
func DraftLane(d store.Draft) string { return "draft:" + d.ID }

// DraftAsker returns the person who submitted a draft at that time; zero: it is not submitted.
func DraftAsker(d store.Draft, view string, at time.Time) answers.Asker {
	return answers.Asker{Team: d.Team, User: d.User, Channel: d.From, View: view, At: at}
}

func (j *Drafts) followKind() queue.Declared {
	return queue.Kind[followArgs]{
		Name: job.Follow, Work: j.showDraft, Asked: "showing how an order stands", Truth: job.Always(job.OrderUntouched),
	}.Declare()
}
