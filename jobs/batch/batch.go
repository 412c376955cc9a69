// Package batch places the orders of a file or a thread of photos as one: it checks them, submits them, follows them
// to their outcomes, and sends their person one message and one file.
package batch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	cardsbatch "darkroom/cards/batch"
	"darkroom/cards/place"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// placer puts the job that places a draft.
type placer interface {
	PutPlace(ctx context.Context, d store.Draft, window string) error
}

// questions asks approvers.
type questions interface {
	Ask(ctx context.Context, h store.Hold) error
}

// Batches places many orders as one.
type Batches struct {
	Slack    answers.Slack
	Store    *store.Store
	Queue    *queue.Queue
	Access   *access.Control
	Place    placer
	Holds    questions
	Credits  *accounts.Credits
	Forms    *answers.Forms
	Messages *answers.Messages
	Putter   *job.Putter
	Outcome  time.Duration // how long a post that Slack did not confirm may be under way
	Log      *slog.Logger
}

// The orders of a batch are drafts, each placed by a job of its own as that of a form is. The job here submits
// them, and then says how far they have come until each has an outcome: what was submitted, and what became
// of it, only the drafts say, so it may be cut off anywhere.

// batchArgs is the body of that job.
type batchArgs struct {
	Batch string    `json:"batch"`
	User  string    `json:"user"`
	View  string    `json:"view"` // external id of the window in which it was placed
	At    time.Time `json:"at"`
	Tries int       `json:"tries,omitempty"` // how often all of it was refused before
	Hold  string    `json:"hold,omitempty"`  // the question that was answered about orders of it, which ended before; "": it was placed
}

// batchState is its durable progress.
type batchState struct {
	Submitted int       `json:"submitted,omitempty"` // orders, from the first
	Asked     []string  `json:"asked,omitempty"`     // questions about its orders
	Channel   string    `json:"channel,omitempty"`   // of the message that says how far it is
	TS        string    `json:"ts,omitempty"`
	Posting   time.Time `json:"posting,omitzero"` // since when that message may be out; zero: it is not
	Lost      bool      `json:"lost,omitempty"`   // it may be out, and nobody can tell where
	Mute      bool      `json:"mute,omitempty"`   // the person can be sent no messages
	Said      string    `json:"said,omitempty"`   // by that message
	Ended     time.Time `json:"ended,omitzero"`   // when all had an outcome
	File      string    `json:"file,omitempty"`   // the id of the file with the results, once it is uploaded
	Sharing   time.Time `json:"sharing,omitzero"` // since when that may be in the person's messages; zero: it is not
	Filed     bool      `json:"filed,omitempty"`  // there is no more to do about it
}

// batchRun is one delivery of the job.
type batchRun struct {
	batches *Batches
	d       *queue.Delivery
	body    batchArgs
	batch   store.OrderBatch
	kept    batchState
}

// PutBatch puts the job that places a batch, which is placed once however often that is asked for. After a refusal of
// all of it, it can be asked for again.
func (j *Batches) PutBatch(ctx context.Context, b store.OrderBatch, view string) error {
	args := batchArgs{Batch: b.ID, User: b.User, View: view, At: time.Now()}
	if err := j.Store.Documents.GetIfThere(ctx, batchTries(b.ID), &args.Tries); err != nil {
		return err
	}
	id := job.Batch + ":" + b.ID
	if args.Tries > 0 {
		id += ":" + strconv.Itoa(args.Tries)
	}
	return j.Putter.Put(ctx, job.Batch, id, batchLane(b.ID), args)
}

// batchTries names the note of how often all of a batch was refused.
func batchTries(id string) string { return "batch-tries:" + id }

func batchLane(id string) string { return "batch:" + id }

func (j *Batches) placeBatch(ctx context.Context, d *queue.Delivery, args batchArgs) error {
	state, err := queue.State[batchState](d)
	if err != nil {
		return err
	}
	b := &batchRun{batches: j, d: d, body: args, kept: state}
	if b.batch, err = j.Store.Batches.Batch(ctx, args.Batch); errors.Is(err, store.ErrNoBatch) {
		return queue.Dead(fmt.Errorf("job %s: %w", d.ID, err))
	}
	if err == nil {
		err = b.goesOn(ctx)
	}
	if err != nil {
		return err
	}
	if why, err := b.whyNot(ctx); err != nil || why != "" {
		return errors.Join(err, b.refuse(ctx, why))
	}
	if err := b.submit(ctx); err != nil {
		return err
	}
	return b.tell(ctx)
}

// whyNot is why nothing of it is to be sent, as it is when the button is pressed; "": it is. Each order is
// looked at again before it is sent.
func (b *batchRun) whyNot(ctx context.Context) (order.Denial, error) {
	if b.kept.Submitted > 0 {
		return "", nil
	}
	return b.batches.Access.WhyNotPost(ctx, b.body.User, b.batch.Channel)
}

// refuse tells who placed it that nothing was sent, and lets them place it again.
func (b *batchRun) refuse(ctx context.Context, why order.Denial) error {
	if why == "" {
		return nil
	}
	if err := b.batches.Store.Documents.PutTTL(ctx, batchTries(b.batch.ID), b.body.Tries+1, answers.TypedLife); err != nil {
		return err
	}
	return b.batches.Forms.Answer(ctx, b.asker(), cardsbatch.Refused(cards.CannotPost(b.batch.Channel, why), place.BatchBack{}, b.body.View))
}

// asker is who placed it.
func (b *batchRun) asker() answers.Asker {
	return answers.Asker{Team: b.batch.Team, User: b.body.User, Channel: b.batch.From, View: b.body.View, At: b.body.At}
}

// submitTogether is how many orders are submitted between two notes of how far that is.
const submitTogether = 20

// submit has each order placed. One that was submitted before stays as it is now.
func (b *batchRun) submit(ctx context.Context) error {
	drafts := b.batch.Drafts()
	for b.kept.Submitted < len(drafts) {
		sent, _, err := b.batches.Store.Drafts.Submit(ctx, drafts[b.kept.Submitted])
		if err == nil {
			err = b.batches.Place.PutPlace(ctx, sent, "")
		}
		if err != nil {
			return err
		}
		b.kept.Submitted++
		if b.kept.Submitted%submitTogether != 0 && b.kept.Submitted < len(drafts) {
			continue
		}
		if err := b.save(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (b *batchRun) save(ctx context.Context) error { return b.d.SetState(ctx, b.kept) }

// tell says how far it is, and comes back until there is no more to say.
func (b *batchRun) tell(ctx context.Context) error {
	stand, err := b.batches.BatchStand(ctx, b.batch)
	if err != nil {
		return err
	}
	if !stand.Ended() {
		if err := b.say(ctx, stand); err != nil {
			return err
		}
		return queue.Wait(b.pause())
	}
	if err := b.askTogether(ctx, stand); err != nil {
		return err
	}
	if b.kept.Ended.IsZero() {
		b.kept.Ended = b.d.Now()
	}
	whole, err := b.addLinks(ctx, &stand)
	switch {
	case err != nil:
		return err
	case !whole && b.d.Now().Sub(b.kept.Ended) < cardPatience:
		if err := b.say(ctx, stand); err != nil {
			return err
		}
		return queue.Wait(b.pause())
	}
	if err := b.finish(ctx, stand); err != nil {
		return err
	}
	return b.ends(ctx, stand)
}

// cardPatience is how long the file with the results waits for the cards of all orders to be in the channel, which
// takes about one a second.
const cardPatience = 5 * time.Minute

// pause is how long until it is said anew how far the batch is: less and less often.
func (b *batchRun) pause() time.Duration {
	return max(min(b.d.Now().Sub(b.d.PutAt)/20, time.Minute), 2*time.Second)
}

// BatchStand is how far a batch has come.
func (j *Batches) BatchStand(ctx context.Context, b store.OrderBatch) (cardsbatch.Progress, error) {
	stand := cardsbatch.Progress{Batch: b, Drafts: b.Drafts(), Links: map[string]string{}}
	for i, d := range stand.Drafts {
		kept, err := j.Store.Drafts.Draft(ctx, d.ID)
		switch {
		case err == nil:
			stand.Drafts[i] = kept
		case !errors.Is(err, store.ErrNoDraft):
			return stand, err
		}
	}
	if stand.Held() > 0 {
		stand.Hides = !j.Credits.MayRead(ctx, bot.Request{Team: b.Team, User: b.User})
	}
	return stand, nil
}

// addLinks finds the cards of the orders that are placed. It is false while some have none.
func (b *batchRun) addLinks(ctx context.Context, stand *cardsbatch.Progress) (whole bool, err error) {
	links := b.batches.Messages.Links(ctx)
	whole = true
	for _, d := range stand.Drafts {
		if d.State != store.DraftPlaced {
			continue
		}
		t, err := b.batches.Store.Orders.Order(ctx, d.OrderID)
		if err != nil && !errors.Is(err, store.ErrNotTracked) {
			return false, err
		}
		if stand.Links[d.ID] = links.Card(t); err == nil && t.CardTS == "" {
			whole = false
		}
	}
	return whole, nil
}

// Kind declares the job that places a batch.
func (j *Batches) Kind() queue.Declared {
	return queue.Kind[batchArgs]{
		Name: job.Batch, NeedsService: true, Work: j.placeBatch, Asked: "placing a batch of orders",
		Truth: job.Always("Each order that is placed has its card in the channel; the others may not have been sent."),
	}.Declare()
}
