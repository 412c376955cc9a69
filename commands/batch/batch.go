// Package batch handles files that hold many orders.
package batch

import (
	"context"
	"errors"
	"slices"
	"strings"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/bot/client"
	cardsbatch "darkroom/cards/batch"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/commands/answer"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/batch"
	"darkroom/order"
	"darkroom/store"
)

// Handler places the orders of a file.
type Handler struct {
	slack       answers.Slack
	batches     *store.Batches
	cards       *store.BatchCards
	access      *access.Control
	jobs        *jobs.Jobs
	rejectGuest func(ctx context.Context, r bot.Request) error
	windows     *answer.Windows
}

// New returns the handler.
func New(slack answers.Slack, store *store.Store, jobs *jobs.Jobs, access *access.Control, rejectGuest func(ctx context.Context, r bot.Request) error, windows *answer.Windows) *Handler {
	return &Handler{slack: slack, batches: store.Batches, cards: store.BatchCards, access: access, jobs: jobs, rejectGuest: rejectGuest, windows: windows}
}

// FileIn returns a form's upload that holds many orders, if there is one.
func FileIn(form place.Form) (kit.Photo, bool) {
	at := slices.IndexFunc(form.Photos, func(f kit.Photo) bool { return cardsbatch.IsFile(f.Name, f.Type) })
	if at < 0 {
		return kit.Photo{}, false
	}
	return form.Photos[at], true
}

// Check handles an order form with a batch file, on the ack path: a job reads and checks the file and shows the result
// before anything is placed. The form's fields are the defaults of the rows.
func (c *Handler) Check(ctx context.Context, r bot.Request, form place.Form, file kit.Photo) (bot.Reply, error) {
	source := batch.Source{
		Team: r.Team, User: r.User, Channel: form.Channel, From: form.From, File: file.ID, Name: file.Name,
		Origin: form.Draft, BatchBack: form.Back(), Run: form.Run, Opened: form.Opened,
		Otherwise: order.BatchRow{Name: form.ProjectName, Service: form.Service, Instructions: form.Instructions, CustomerID: form.CustomerID},
	}
	window := r.View.ExternalID
	if err := c.jobs.Batches.PutBatchCheck(ctx, source, window, r.ID); err != nil {
		return bot.Reply{}, err
	}
	return c.windows.Reply(ctx, r, cardsbatch.Reading(file.Name, window))
}

// Open shows what a message's file would place. The message's text is the default instruction of the rows.
func (c *Handler) Open(ctx context.Context, r bot.Request, file jobs.SlackFile) error {
	return c.windows.Open(ctx, r, "batch", cardsbatch.Title, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if err := c.rejectGuest(ctx, r); err != nil {
			return nil, err
		}
		channel := jobs.Postable(r.Channel)
		if channel == "" {
			return nil, answer.Refuse(cardsbatch.NeedChannel, "")
		}
		words, err := client.Plain(ctx, c.slack, r.Message.Text)
		if err != nil {
			return nil, err
		}
		view, err := c.jobs.Batches.CheckBatch(ctx, batch.Source{
			Team: r.Team, User: r.User, Channel: channel, From: r.Channel, File: file.ID, Name: file.Name, Origin: r.ID, Opened: r.At,
			Otherwise: order.BatchRow{Service: order.ServiceBasic, Instructions: order.Lines(strings.TrimSpace(words))},
		}, window)
		return answer.Static(view), err
	})
}

// FileAmong returns the message's file that holds many orders, if there is one.
func FileAmong(came []jobs.SlackFile) (jobs.SlackFile, bool) {
	at := slices.IndexFunc(came, func(f jobs.SlackFile) bool { return cardsbatch.IsFile(f.Name, f.Mimetype) })
	if at < 0 {
		return jobs.SlackFile{}, false
	}
	return came[at], true
}

// Place places the shown orders, once for any number of presses and windows.
func (c *Handler) Place(ctx context.Context, r bot.Request) (bot.Reply, error) {
	window := r.View.ExternalID
	b, err := c.batches.Batch(ctx, kit.DecodeMeta(r.View.PrivateMetadata).Note)
	if errors.Is(err, store.ErrNoBatch) || err == nil && b.User != r.User {
		return c.windows.ReplyNext(ctx, r, kit.Notice(cardsbatch.Title, cardsbatch.Gone, window))
	}
	if err == nil {
		err = c.jobs.Batches.PutBatch(ctx, b, window)
	}
	if err != nil {
		return bot.Reply{}, err
	}
	stand, err := c.jobs.Batches.Progress(ctx, b)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.windows.ReplyNext(ctx, r, cardsbatch.Window(stand, window))
}
