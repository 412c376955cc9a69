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

// Source is a file, or a thread, that may hold a batch, and what its rows do not say themselves. The same source is
// the same batch.
type Source struct {
	Team            string         `json:"team"`
	User            string         `json:"user"`
	Channel         string         `json:"channel"` // Post to
	From            string         `json:"from"`
	File            string         `json:"file"`             // Slack's id
	Thread          string         `json:"thread,omitempty"` // in place of a file: a thread of photos, as it was kept
	Name            string         `json:"name"`
	Origin          string         `json:"origin"` // the draft of the form, or the click, that it came with
	place.BatchBack                // the form to go back to
	Run             string         `json:"run,omitempty"` // the run of Redis in which that was opened; "": this one
	Opened          time.Time      `json:"opened"`
	Otherwise       order.BatchRow `json:"otherwise"`
}

// id is the same for the same source: what was placed of it is not placed again.
func (s Source) id() (string, error) {
	s.Run, s.UploadGen, s.Credits = "", 0, ""
	raw, err := json.Marshal(s)
	return job.Hash("batch " + string(raw)), err
}

// CheckBatch reads a file and checks every row: the view shows what it would place, or what is wrong.
// Nothing is sent.
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
	return j.keepBatch(ctx, s, rows, nil, window)
}

// checkThread is CheckBatch for a thread of photos, one order for each message.
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
	return j.keepBatch(ctx, s, rows, t.Photos(), window)
}

// keepBatch keeps what was read for the button that places it, unless an earlier check has, or the person may
// not order there.
func (j *Batches) keepBatch(ctx context.Context, s Source, rows []order.BatchRow, photos []store.DraftFile, window string) (slack.ModalViewRequest, error) {
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
	stand, err := j.BatchStand(ctx, b)
	if err != nil {
		return none, err
	}
	if stand.Begun() {
		return cardsbatch.Window(stand, window), nil
	}
	return cardsbatch.Check(b, j.Credits.Text(ctx, bot.Request{Team: s.Team, User: s.User}), window), nil
}

// newBatch gives each row that has none a name, always the same one: its orders are known by it.
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

// readTable reads a file, or says in a safe sentence why it cannot be read.
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

// checkArgs is the body of the job that checks a file for a form that was submitted.
type checkArgs struct {
	Source
	View string    `json:"view"`
	At   time.Time `json:"at"`
}

// PutBatchCheck puts that job; request is what asked for it. Who asks again has the answer painted again.
func (j *Batches) PutBatchCheck(ctx context.Context, s Source, view, request string) error {
	lane := "check:" + job.Hash(view)
	job, err := job.New(job.CheckBatch, job.CheckBatch+":"+job.Hash(request), lane, checkArgs{s, view, time.Now()})
	if err != nil {
		return err
	}
	added, err := j.Queue.Put(ctx, job)
	if err != nil || added {
		return err
	}
	return j.Forms.Repaint(ctx, lane, view, s.User)
}

// checkBatch shows in the form's window what came of it. Who has closed that wanted nothing more.
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
