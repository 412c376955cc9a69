// Package batch is what people can ask with a file that holds many orders.
package batch

import (
	"context"
	"errors"
	"slices"
	"strings"

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
	jobs        *jobs.Jobs
	rejectGuest func(ctx context.Context, r bot.Request) error
	windows     *answer.Windows
}

// New makes the handler from what it uses.
func New(slack answers.Slack, store *store.Store, jobs *jobs.Jobs, rejectGuest func(ctx context.Context, r bot.Request) error, windows *answer.Windows) *Handler {
	return &Handler{slack: slack, batches: store.Batches, jobs: jobs, rejectGuest: rejectGuest, windows: windows}
}

// FileIn is the file of a form that holds many orders, if there is one.
func FileIn(form place.Form) (kit.Photo, bool) {
	at := slices.IndexFunc(form.Photos, func(f kit.Photo) bool { return cardsbatch.IsFile(f.Name, f.Type) })
	if at < 0 {
		return kit.Photo{}, false
	}
	return form.Photos[at], true
}

// Check takes an order form that holds a file of many orders, on the ack path: the file is read and
// checked, and shown before anything is sent. What the form says besides holds for the rows that do not say it.
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

// Open shows what the file of a message would place. The words of the message are the instructions of the
// rows that have none.
func (c *Handler) Open(ctx context.Context, r bot.Request, file jobs.SlackFile) error {
	return c.windows.Open(ctx, r, "batch", cardsbatch.Title, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if err := c.rejectGuest(ctx, r); err != nil {
			return nil, err
		}
		channel := jobs.Postable(r.Channel)
		if channel == "" {
			return nil, answer.Sorry(cardsbatch.NeedChannel, "")
		}
		words, err := client.Plain(ctx, c.slack, r.Message.Text)
		if err != nil {
			return nil, err
		}
		view, err := c.jobs.Batches.CheckBatch(ctx, batch.Source{
			Team: r.Team, User: r.User, Channel: channel, From: r.Channel, File: file.ID, Name: file.Name, Origin: r.ID, Opened: r.At,
			Otherwise: order.BatchRow{Service: order.ServiceBasic, Instructions: order.Lines(strings.TrimSpace(words))},
		}, window)
		return answer.Plain(view), err
	})
}

// FileAmong is the one of a message's files that holds many orders, if there is one.
func FileAmong(came []jobs.SlackFile) (jobs.SlackFile, bool) {
	at := slices.IndexFunc(came, func(f jobs.SlackFile) bool { return cardsbatch.IsFile(f.Name, f.Mimetype) })
	if at < 0 {
		return jobs.SlackFile{}, false
	}
	return came[at], true
}

// Place places what was shown, once, however often and from however many windows it is pressed.
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
