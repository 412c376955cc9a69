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

// Content makes the view of the window with that external id.
type Content func(ctx context.Context, window string) (answers.ViewFunc, error)

// FillTime is what opening and filling a window may take: then there is still time to say so in it.
const FillTime = readOnlyTime * 2 / 3

// fillRetries are the waits before an open modal is filled again after Slack has failed:
// otherwise it would say "One moment…" for good.
var fillRetries = []time.Duration{500 * time.Millisecond, 2 * time.Second}

// Windows opens windows, fills them, and answers forms with the next view of their window.
type Windows struct {
	slack     answers.Slack
	documents *store.DocumentStore
	jobs      *jobs.Jobs
	log       *slog.Logger
}

// NewWindows makes the handler from what it uses.
func NewWindows(slack answers.Slack, store *store.Store, jobs *jobs.Jobs, log *slog.Logger) *Windows {
	return &Windows{slack: slack, documents: store.Documents, jobs: jobs, log: log}
}

// Open opens "loading" at once, because a trigger lives three seconds, and then puts
// what fill makes in its place: fill may ask Slack and the service. An error that fill
// meets is told in that modal. Its window has an external id that is the same whenever the click
// is brought again: one that was filled is left to the person, who may be typing into it.
func (c *Windows) Open(ctx context.Context, r bot.Request, verb, title string, fill Content) error {
	acked(ctx)
	quick, cancel := context.WithTimeout(ctx, FillTime)
	defer cancel()
	window := verb + ":" + job.Hash(r.ID)
	empty, err := c.openLoading(quick, r, title, window)
	if err != nil || !empty {
		return err
	}
	view, err := fill(quick, window)
	if err != nil {
		view = c.sorryView(ctx, r, title, window, err)
	}
	return c.Fill(ctx, r, EmptyWindow(window), "", view)
}

// sorryView says in its window why there is no form.
func (c *Windows) sorryView(ctx context.Context, r bot.Request, title, window string, err error) answers.ViewFunc {
	no, ok := errors.AsType[Refusal](err)
	if !ok || no.Sentence == "" {
		ref := job.ShortRef(r.ID)
		c.log.ErrorContext(ctx, "modal not filled", "title", title, "user", r.User, "ref", ref, "err", err)
		no.Sentence, no.Text = c.jobs.Operators.Sentence(ctx, err, ref), TypedLine(r)
	}
	return Plain(kit.NoticeWith(title, no.Sentence, no.Text, window))
}

// EmptyWindow is the external id of a window until it is filled; what fills it gives it
// its own. Slack itself then tells an empty window from one in which somebody types, and
// no click that is brought again paints over the second, whatever Redis has forgotten.
func EmptyWindow(window string) string { return window + ":empty" }

// openedNote remembers that a window was opened: who finds none that is empty then knows
// that it was filled, or closed.
func openedNote(window string) string { return "opened:" + job.Hash(window) }

// openLoading opens the empty modal, or finds it still empty when the click was brought before;
// false when nothing is left to do.
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
	if err := c.documents.PutTTL(ctx, openedNote(window), true, answers.AnswerLife); err != nil {
		c.log.InfoContext(ctx, "not noted that a window was opened", "user", r.User, "err", err)
	}
	return true, nil
}

// stillEmpty looks for the window that the same click may have opened before; why is what
// Slack said when it was to be opened now, and is returned when none ever was.
func (c *Windows) stillEmpty(ctx context.Context, window string, loading slack.ModalViewRequest, why error) (bool, error) {
	err := c.slack.UpdateView(ctx, EmptyWindow(window), "", "", loading)
	if !errors.Is(err, client.ErrGone) {
		return err == nil, err
	}
	var opened bool
	err = c.documents.Get(ctx, openedNote(window), &opened)
	if errors.Is(err, store.ErrAbsent) {
		return false, why
	}
	return false, err
}

// openedBefore tells an error that is met, too, when the click was brought before and has
// opened the window.
func openedBefore(err error) bool {
	return errors.Is(err, client.ErrTrigger) || errors.Is(err, client.ErrDuplicateView) || errors.Is(err, client.ErrUnknownOutcome)
}

// Fill puts a view into an open modal; a picture that Slack cannot fetch, or a
// block that it does not know, does not cost the view, and a person who closed it meanwhile wanted nothing more. With the hash of
// what was seen there, something newer is not painted over.
func (c *Windows) Fill(ctx context.Context, r bot.Request, window, seen string, view answers.ViewFunc) error {
	err := c.FillUnchanged(ctx, r, window, seen, view)
	if errors.Is(err, client.ErrHashConflict) {
		return nil
	}
	return err
}

// FillUnchanged is Fill that returns [client.ErrHashConflict] where there was something newer.
func (c *Windows) FillUnchanged(ctx context.Context, r bot.Request, window, seen string, view answers.ViewFunc) error {
	err := c.jobs.Forms.ShowView(ctx, view, func(drawn slack.ModalViewRequest) error { return c.Update(ctx, window, seen, drawn) })
	if errors.Is(err, client.ErrGone) {
		return nil
	}
	return err
}

// Update puts a view into an open modal; doing it twice is doing it once.
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

// Transient tells an error of Slack that may be gone a moment later.
func Transient(err error) bool {
	return errors.Is(err, client.ErrTryLater) || errors.Is(err, client.ErrUnknownOutcome)
}

// Plain is a view that has no pictures to leave out.
func Plain(view slack.ModalViewRequest) answers.ViewFunc {
	return func(cards.Thumbs) slack.ModalViewRequest { return view }
}
