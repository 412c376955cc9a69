// Package batch places the orders of a file or a thread of photos as one batch: it checks them, submits them, follows
// them to their outcomes, and sends their person one message and one file.
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
	Guide    func(ctx context.Context, r bot.Request, channel string) order.PriceGuide // what images may cost
	Forms    *answers.Forms
	Messages *answers.Messages
	Putter   *job.Putter
	Outcome  time.Duration // how long a post that Slack did not confirm may still arrive
	Log      *slog.Logger
}

// batchArgs is the body of the job that places a batch. The orders are drafts, each placed by a job of its own. This job
// submits them, and reports their progress until each has an outcome. The drafts hold all state, so that the job may be
// interrupted anywhere.
type batchArgs struct {
	Batch string    `json:"batch"`
	User  string    `json:"user"`
	View  string    `json:"view"` // external id of the submitted window
	At    time.Time `json:"at"`
	Tries int       `json:"tries,omitempty"` // how often the whole batch was refused before
	Hold  string    `json:"hold,omitempty"`  // answered question about orders of an ended batch; "": the batch is placed
}

// batchState is the job's durable progress.
type batchState struct {
	Submitted int       `json:"submitted,omitempty"` // number of submitted orders
	Asked     []string  `json:"asked,omitempty"`     // ids of the questions about its orders
	Channel   string    `json:"channel,omitempty"`   // of the progress message
	TS        string    `json:"ts,omitempty"`
	Posting   time.Time `json:"posting,omitzero"` // when that message was perhaps sent; zero: not sent
	Lost      bool      `json:"lost,omitempty"`   // perhaps sent, and impossible to find
	Mute      bool      `json:"mute,omitempty"`   // the person cannot get messages
	Said      string    `json:"said,omitempty"`   // hash of the message's text
	Ended     time.Time `json:"ended,omitzero"`   // when all orders had an outcome
	File      string    `json:"file,omitempty"`   // id of the file with the results, once uploaded
	Sharing   time.Time `json:"sharing,omitzero"` // when the file was perhaps shared; zero: not shared
	Filed     bool      `json:"filed,omitempty"`  // the file needs no more work
}

// batchRun is one delivery of the job.
type batchRun struct {
	batches *Batches
	d       *queue.Delivery
	body    batchArgs
	batch   store.OrderBatch
	saved   batchState
}

// PutBatch puts the job that places a batch, once. After a refusal of the whole batch it can be put again.
func (j *Batches) PutBatch(ctx context.Context, b store.OrderBatch, view string) error {
	args := batchArgs{Batch: b.ID, User: b.User, View: view, At: time.Now()}
	if err := j.Store.Documents.GetIfThere(ctx, triesDoc(b.ID), &args.Tries); err != nil {
		return err
	}
	id := job.Batch + ":" + b.ID
	if args.Tries > 0 {
		id += ":" + strconv.Itoa(args.Tries)
	}
	return j.Putter.Put(ctx, job.Batch, id, batchLane(b.ID), args)
}

// triesDoc names the document that counts the refusals of a whole batch.
func triesDoc(id string) string { return "batch-tries:" + id }

func batchLane(id string) string { return "batch:" + id }

func (j *Batches) placeBatch(ctx context.Context, d *queue.Delivery, args batchArgs) error {
	state, err := queue.State[batchState](d)
	if err != nil {
		return err
	}
	b := &batchRun{batches: j, d: d, body: args, saved: state}
	if b.batch, err = j.Store.Batches.Batch(ctx, args.Batch); errors.Is(err, store.ErrNoBatch) {
		return queue.Dead(fmt.Errorf("job %s: %w", d.ID, err))
	}
	if err == nil {
		err = b.restore(ctx)
	}
	if err != nil {
		return err
	}
	why, err := b.whyNot(ctx)
	if err != nil {
		return err
	}
	if why != "" {
		return b.refuse(ctx, why)
	}
	if err := b.begin(ctx); err != nil {
		return err
	}
	if err := b.submit(ctx); err != nil {
		return err
	}
	return b.follow(ctx)
}

// whyNot returns why the batch cannot be placed now, or "". Each order is checked again before it is sent.
func (b *batchRun) whyNot(ctx context.Context) (order.Denial, error) {
	if b.saved.Submitted > 0 {
		return "", nil
	}
	return b.batches.Access.WhyNotPost(ctx, b.body.User, b.batch.Channel)
}

// refuse tells the person that nothing was sent, and lets them place the batch again.
func (b *batchRun) refuse(ctx context.Context, why order.Denial) error {
	if err := b.batches.Store.Documents.PutTTL(ctx, triesDoc(b.batch.ID), b.body.Tries+1, answers.TypedLife); err != nil {
		return err
	}
	return b.batches.Forms.Answer(ctx, b.asker(), cardsbatch.Refused(cards.CannotPost(b.batch.Channel, why), place.BatchBack{}, b.body.View))
}

// asker returns the person who placed the batch.
func (b *batchRun) asker() answers.Asker {
	return answers.Asker{Team: b.batch.Team, User: b.body.User, Channel: b.batch.From, View: b.body.View, At: b.body.At}
}

// begin gives the batch its card in the channel, before any of its orders has one. A single order needs none.
func (b *batchRun) begin(ctx context.Context) error {
	if b.saved.Submitted > 0 || len(b.batch.Drafts()) < 2 {
		return nil
	}
	return b.batches.Store.BatchCards.Begin(ctx, b.batch)
}

// submitTogether is the number of orders submitted between two saves.
const submitTogether = 20

// submit puts a job for each order. An order that was submitted before keeps its state.
func (b *batchRun) submit(ctx context.Context) error {
	drafts := b.batch.Drafts()
	for b.saved.Submitted < len(drafts) {
		sent, _, err := b.batches.Store.Drafts.Submit(ctx, drafts[b.saved.Submitted])
		if err == nil {
			err = b.batches.Place.PutPlace(ctx, sent, "")
		}
		if err != nil {
			return err
		}
		b.saved.Submitted++
		if b.saved.Submitted%submitTogether != 0 && b.saved.Submitted < len(drafts) {
			continue
		}
		if err := b.save(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (b *batchRun) save(ctx context.Context) error { return b.d.SetState(ctx, b.saved) }

// follow reports the progress, and waits until the batch is complete.
func (b *batchRun) follow(ctx context.Context) error {
	progress, err := b.batches.Progress(ctx, b.batch)
	if err != nil {
		return err
	}
	if err := b.batches.Store.BatchCards.Progressed(ctx, b.batch.ID, progress.OnHold(), progress.Failed()); err != nil {
		return err
	}
	if !progress.Ended() {
		if err := b.report(ctx, progress); err != nil {
			return err
		}
		return queue.Wait(b.pause())
	}
	if err := b.askHeld(ctx, progress); err != nil {
		return err
	}
	if b.saved.Ended.IsZero() {
		b.saved.Ended = b.d.Now()
	}
	complete, err := b.addLinks(ctx, &progress)
	switch {
	case err != nil:
		return err
	case !complete && b.d.Now().Sub(b.saved.Ended) < cardPatience:
		if err := b.report(ctx, progress); err != nil {
			return err
		}
		return queue.Wait(b.pause())
	}
	if err := b.finish(ctx, progress); err != nil {
		return err
	}
	return b.finishEnded(ctx, progress)
}

// cardPatience is how long the file with the results waits for the cards of all orders. A channel gets about one a
// second.
const cardPatience = 5 * time.Minute

// pause returns the wait until the next report of progress. It grows with the age of the job.
func (b *batchRun) pause() time.Duration {
	return max(min(b.d.Now().Sub(b.d.PutAt)/20, time.Minute), 2*time.Second)
}

// Progress returns the progress of a batch.
func (j *Batches) Progress(ctx context.Context, b store.OrderBatch) (cardsbatch.Progress, error) {
	progress := cardsbatch.Progress{Batch: b, Drafts: b.Drafts(), Links: map[string]string{}}
	for i, d := range progress.Drafts {
		kept, err := j.Store.Drafts.Draft(ctx, d.ID)
		switch {
		case err == nil:
			progress.Drafts[i] = kept
		case !errors.Is(err, store.ErrNoDraft):
			return progress, err
		}
	}
	if progress.OnHold() > 0 {
		progress.Hides = !j.Credits.MayRead(ctx, bot.Request{Team: b.Team, User: b.User})
	}
	return progress, nil
}

// addLinks adds links to the cards of placed orders. whole reports that all have a card.
func (b *batchRun) addLinks(ctx context.Context, progress *cardsbatch.Progress) (complete bool, err error) {
	links := b.batches.Messages.Links(ctx)
	complete = true
	for _, d := range progress.Drafts {
		if d.State != store.DraftPlaced {
			continue
		}
		t, err := b.batches.Store.Orders.Order(ctx, d.OrderID)
		if err != nil && !errors.Is(err, store.ErrNotTracked) {
			return false, err
		}
		if progress.Links[d.ID] = links.Card(t); err == nil && t.CardTS == "" {
			complete = false
		}
	}
	return complete, nil
}

// Kind declares the job that places a batch.
func (j *Batches) Kind() queue.Declared {
	return queue.Kind[batchArgs]{
		Name: job.Batch, NeedsService: true, Work: j.placeBatch, Asked: "placing a batch of orders",
		Truth: job.Always("Each order that is placed has its card in the channel; the others may not have been sent."),
	}.Declare()
}
