package batch

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	cardsbatch "darkroom/cards/batch"
	"darkroom/cards/place"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Source is a file or a thread that may hold a batch, with defaults for its rows. Equal sources are one batch.
type Source struct {
	Team            string         `json:"team"`
	User            string         `json:"user"`
	Channel         string         `json:"channel"` // for the orders
	From            string         `json:"from"`
	File            string         `json:"file"`             // id in Slack
	Thread          string         `json:"thread,omitempty"` // saved thread of photos, instead of a file
	Name            string         `json:"name"`
	Origin          string         `json:"origin"` // id of the form's draft, or of the click
	place.BatchBack                // form to go back to
	Run             string         `json:"run,omitempty"` // run of Redis in which the form was opened; "": the current run
	Opened          time.Time      `json:"opened"`
	Otherwise       order.BatchRow `json:"otherwise"`
}

// id returns the batch's id, the same for equal sources, so that no source is placed twice.
func (s Source) id() (string, error) {
	s.Run, s.UploadGen, s.Credits, s.Table = "", 0, "", false
	raw, err := json.Marshal(s)
	return job.Hash("batch " + string(raw)), err
}

// CheckBatch reads a file and checks every row. The view shows the orders that it would place, or the problems. Nothing
// is sent.
func (j *Batches) CheckBatch(ctx context.Context, s Source, window string) (slack.ModalViewRequest, error) {
	none := slack.ModalViewRequest{}
	if s.Thread != "" {
		return j.checkThread(ctx, s, window)
	}
	data, sentence, err := j.readTable(ctx, s.File)
	if err != nil {
		return none, err
	}
	if sentence != "" {
		return cardsbatch.Refused(sentence, s.BatchBack, window), nil
	}
	rows, problems := order.ReadBatch(data, s.Otherwise)
	if len(problems) > 0 {
		return cardsbatch.Wrong(s.Name, problems, s.BatchBack, window), nil
	}
	return j.saveBatch(ctx, s, rows, nil, window)
}

// checkThread is [Batches.CheckBatch] for a thread of photos.
func (j *Batches) checkThread(ctx context.Context, s Source, window string) (slack.ModalViewRequest, error) {
	t, err := j.Store.PhotoThreads.Thread(ctx, s.Thread)
	if errors.Is(err, store.ErrNoThread) || err == nil && t.User != s.User {
		return cardsbatch.Refused(place.ThreadGone, s.BatchBack, window), nil
	}
	if err != nil {
		return slack.ModalViewRequest{}, err
	}
	rows, orders := t.Rows(s.Otherwise), 0
	for _, row := range rows {
		orders += len(row.Parts())
	}
	if orders > order.MaxBatchOrders {
		return cardsbatch.Refused(place.ThreadHuge(orders), s.BatchBack, window), nil
	}
	return j.saveBatch(ctx, s, rows, t.Photos(), window)
}

// saveBatch saves the rows for the button that places them, unless an earlier check did, or the person may not order
// in the channel.
func (j *Batches) saveBatch(ctx context.Context, s Source, rows []order.BatchRow, photos []store.DraftFile, window string) (slack.ModalViewRequest, error) {
	none := slack.ModalViewRequest{}
	why, err := j.Access.WhyNotPost(ctx, s.User, s.Channel)
	if err != nil {
		return none, err
	}
	if why != "" {
		return cardsbatch.Refused(cards.CannotPost(s.Channel, why), s.BatchBack, window), nil
	}
	id, err := s.id()
	if err != nil {
		return none, err
	}
	b, err := j.Store.Batches.Batch(ctx, id)
	if errors.Is(err, store.ErrNoBatch) {
		b, err = j.newBatch(ctx, s, id, rows, photos)
	}
	if err != nil {
		return none, err
	}
	progress, err := j.Progress(ctx, b)
	if err != nil {
		return none, err
	}
	if progress.Begun() {
		return cardsbatch.Window(progress, window), nil
	}
	who := bot.Request{Team: s.Team, User: s.User}
	settings, err := j.Store.Settings.Of(ctx, s.Team, s.Channel)
	if err != nil {
		return slack.ModalViewRequest{}, err
	}
	view := cardsbatch.Check(b, j.Credits.Text(ctx, who), window)
	return place.WithPrice(view, j.Guide(ctx, who, s.Channel), b.Drafts(), settings.Decides.OrderLimit), nil
}

// newBatch saves a new batch. Rows without a name get one derived from the id, so that a second call makes equal
// orders.
func (j *Batches) newBatch(ctx context.Context, s Source, id string, rows []order.BatchRow, photos []store.DraftFile) (store.OrderBatch, error) {
	b := store.OrderBatch{
		ID: id, Team: s.Team, User: s.User, Channel: s.Channel, From: s.From, Name: s.Name, Run: s.Run, Opened: s.Opened, Rows: rows, Photos: photos,
	}
	source := rand.NewChaCha8(sha256.Sum256([]byte(id)))
	for i, row := range rows {
		if row.Name != "" {
			continue
		}
		name, err := order.FriendlyName(source)
		if err != nil {
			return b, err
		}
		rows[i].Name = name
	}
	if b.Run == "" {
		run, err := j.Store.Server.Run(ctx)
		if err != nil {
			return b, err
		}
		b.Run = run.ID
	}
	return b, j.Store.Batches.SaveBatch(ctx, b)
}

// readTable reads a file, or returns a sentence for people that says why it cannot be read.
func (j *Batches) readTable(ctx context.Context, file string) (data []byte, sentence string, err error) {
	resp, err := j.Slack.OpenFile(ctx, file, "")
	switch {
	case errors.Is(err, client.ErrGone), errors.Is(err, client.ErrNotAllowed):
		return nil, cardsbatch.Unread, nil
	case err != nil:
		return nil, "", err
	}
	defer func() { _ = resp.Body.Close() }() // all that is wanted was read
	data, err = io.ReadAll(io.LimitReader(resp.Body, order.MaxBatchFile+1+3))
	if err != nil {
		return nil, "", fmt.Errorf("file %s: %w: %w", file, client.ErrTryLater, err)
	}
	return data, "", nil
}

// checkArgs is the body of the job that checks a file for a submitted form.
type checkArgs struct {
	Source
	View string    `json:"view"`
	At   time.Time `json:"at"`
}

// PutBatchCheck puts that job; request is the id of the request. A repeated request gets the answer again.
func (j *Batches) PutBatchCheck(ctx context.Context, s Source, view, request string) error {
	lane := "check:" + job.Hash(view)
	added, err := j.Putter.Add(ctx, job.CheckBatch, job.CheckBatch+":"+job.Hash(request), lane, checkArgs{s, view, time.Now()})
	if err != nil || added {
		return err
	}
	return j.Forms.Repaint(ctx, lane, view, s.User)
}

// checkBatch shows the result in the form's window, if that is open.
func (j *Batches) checkBatch(ctx context.Context, _ *queue.Delivery, args checkArgs) error {
	view, err := j.CheckBatch(ctx, args.Source, args.View)
	if err != nil {
		return err
	}
	err = j.Forms.Paint(ctx, answers.Asker{Team: args.Team, User: args.User, View: args.View, At: args.At}, view)
	if errors.Is(err, client.ErrGone) {
		return nil
	}
	return err
}

// CheckKind declares the job that checks a file of orders.
func (j *Batches) CheckKind() queue.Declared {
	return queue.Kind[checkArgs]{
		Name: job.CheckBatch, NeedsService: true, Work: j.checkBatch, Asked: "checking a file of orders", Truth: job.Always(job.NothingSent),
	}.Declare()
}
