package answer

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
)

// Content returns the view of the window with that external id.
type Content func(ctx context.Context, window string) (answers.ViewFunc, error)

// FillTime bounds opening and filling a window. It leaves time to report a failure in the window.
const FillTime = readOnlyTime * 2 / 3

// fillRetries are the waits between attempts to fill an open window. Without them, a failed one would say "One moment…"
// for good.
var fillRetries = []time.Duration{500 * time.Millisecond, 2 * time.Second}

// Windows opens windows, fills them, and answers forms with the next view of their window.
type Windows struct {
	slack     answers.Slack
	documents *store.DocumentStore
	jobs      *jobs.Jobs
	log       *slog.Logger
}

// NewWindows returns an opener of windows.
func NewWindows(slack answers.Slack, store *store.Store, jobs *jobs.Jobs, log *slog.Logger) *Windows {
	return &Windows{slack: slack, documents: store.Documents, jobs: jobs, log: log}
}

// Open opens a loading view at once, because a trigger lives three seconds, and then replaces it with fill's view: fill
// may call Slack and the service. An error of fill is shown in the window. A repeated click has the same window id, so
// a filled window, in which the person may be typing, is left alone.
func (c *Windows) Open(ctx context.Context, r bot.Request, verb, title string, fill Content) error {
	acknowledge(ctx)
	quick, cancel := context.WithTimeout(ctx, FillTime)
	defer cancel()
	window := verb + ":" + job.Hash(r.ID)
	empty, err := c.openLoading(quick, r, title, window)
	if err != nil || !empty {
		return err
	}
	view, err := fill(quick, window)
	if err != nil {
		view = c.failureView(ctx, r, title, window, err)
	}
	return c.Fill(ctx, EmptyWindow(window), "", view)
}

// failureView returns a view that says why there is no form.
func (c *Windows) failureView(ctx context.Context, r bot.Request, title, window string, err error) answers.ViewFunc {
	refusal, ok := errors.AsType[Refusal](err)
	if !ok || refusal.Sentence == "" {
		ref := job.ShortRef(r.ID)
		c.log.ErrorContext(ctx, "modal not filled", "title", title, "user", r.User, "ref", ref, "err", err)
		refusal.Sentence, refusal.Text = c.jobs.Operators.Sentence(ctx, err, ref), TypedLine(r)
	}
	return Static(kit.NoticeWith(title, refusal.Sentence, refusal.Text, window))
}

// EmptyWindow returns the external id of a window that is not filled yet; filling it sets its own id. Slack thus tells
// an empty window from a filled one. A repeated click cannot overwrite a person's typing, even if Redis lost its
// record.
func EmptyWindow(window string) string { return window + ":empty" }

// openedDoc names the document that marks a window as opened. If the window is no longer empty, it was filled or
// closed.
func openedDoc(window string) string { return "opened:" + job.Hash(window) }

// openLoading opens the loading view, or finds it still empty after a repeated click. empty is false if nothing is left
// to do.
func (c *Windows) openLoading(ctx context.Context, r bot.Request, title, window string) (empty bool, err error) {
	loading := kit.Loading(title, EmptyWindow(window))
	open := c.slack.OpenView
	if r.View != nil && r.View.Type == slack.VTModal {
		open = c.slack.PushView
	}
	if err = open(ctx, r.TriggerID, loading); openedBefore(err) {
		return c.stillEmpty(ctx, window, loading, err)
	}
	if err != nil {
		return false, err
	}
	if err := c.documents.PutTTL(ctx, openedDoc(window), true, answers.AnswerLife); err != nil {
		c.log.InfoContext(ctx, "not noted that a window was opened", "user", r.User, "err", err)
	}
	return true, nil
}

// stillEmpty reports whether the window of an earlier delivery of the click is still empty. It returns why, Slack's
// error for the second opening, if no window was ever opened.
func (c *Windows) stillEmpty(ctx context.Context, window string, loading slack.ModalViewRequest, why error) (bool, error) {
	err := c.slack.UpdateView(ctx, EmptyWindow(window), "", "", loading)
	if !errors.Is(err, client.ErrGone) {
		return err == nil, err
	}
	var opened bool
	err = c.documents.Get(ctx, openedDoc(window), &opened)
	if errors.Is(err, store.ErrAbsent) {
		return false, why
	}
	return false, err
}

// openedBefore reports whether an error may mean that an earlier delivery of the click opened the window.
func openedBefore(err error) bool {
	return errors.Is(err, client.ErrTrigger) || errors.Is(err, client.ErrDuplicateView) || errors.Is(err, client.ErrUnknownOutcome)
}

// Fill replaces the view of an open window. A picture that Slack cannot fetch, or an unknown block, is left out. A
// closed window is no error. A view newer than the hash in seen is left alone.
func (c *Windows) Fill(ctx context.Context, window, seen string, view answers.ViewFunc) error {
	err := c.FillUnchanged(ctx, window, seen, view)
	if errors.Is(err, client.ErrHashConflict) {
		return nil
	}
	return err
}

// FillUnchanged is Fill, but returns [client.ErrHashConflict] if a newer view is there.
func (c *Windows) FillUnchanged(ctx context.Context, window, seen string, view answers.ViewFunc) error {
	err := c.jobs.Forms.ShowView(ctx, view, func(drawn slack.ModalViewRequest) error { return c.Update(ctx, window, seen, drawn) })
	if errors.Is(err, client.ErrGone) {
		return nil
	}
	return err
}

// Update replaces the view of an open window and retries transient errors. It is idempotent.
func (c *Windows) Update(ctx context.Context, window, seen string, view slack.ModalViewRequest) error {
	err := c.slack.UpdateView(ctx, window, "", seen, view)
	for _, wait := range fillRetries {
		if !Transient(err) {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
		err = c.slack.UpdateView(ctx, window, "", seen, view)
	}
	return err
}

// Transient reports whether Slack's error may be gone a moment later.
func Transient(err error) bool {
	return errors.Is(err, client.ErrTryLater) || errors.Is(err, client.ErrUnknownOutcome)
}

// Static returns a view that does not depend on the pictures that Slack accepts.
func Static(view slack.ModalViewRequest) answers.ViewFunc {
	return func(cards.Thumbs) slack.ModalViewRequest { return view }
}
