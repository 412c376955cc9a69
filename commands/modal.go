package commands

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/store"
	"darkroom/store/queue"
)

// modal opens "loading" at once, because a trigger lives three seconds, and then puts
// what fill makes in its place: fill may ask Slack and the service. An error that fill
// meets is told in that modal. window is its external id, the same at every delivery: one
// that was filled is left to the person, who may be typing into it.
func (c *Commands) modal(ctx context.Context, r bot.Request, title, window string, fill func(ctx context.Context) (jobs.ViewFunc, error)) error {
	empty, err := c.openLoading(ctx, r, title, window)
	if err != nil || !empty {
		return err
	}
	view, err := fill(ctx)
	if err != nil && (ctx.Err() != nil || queue.Away(err)) {
		return err
	}
	if err != nil {
		ref := jobs.ShortRef(r.ID)
		c.log.ErrorContext(ctx, "modal not filled", "title", title, "user", r.User, "reference", ref, "err", err)
		sorry := cards.NoticeWith(title, c.jobs.Sentence(ctx, err, ref), typedLine(r), window)
		view = func(bool) slack.ModalViewRequest { return sorry }
	}
	return c.fillWindow(ctx, r, emptyWindow(window), "", view)
}

// emptyWindow is the external id of a window until it is filled; what fills it gives it
// its own. Slack itself then tells an empty window from one in which somebody types, and
// no delivery of a click paints over the second, whatever Redis has forgotten.
func emptyWindow(window string) string { return window + ":empty" }

// openedNote remembers that a window was opened: who finds none that is empty then knows
// that it was filled, or closed.
func openedNote(window string) string { return "opened:" + jobs.Hash(window) }

// openLoading opens the empty modal, or finds it still empty at a second delivery; false
// when nothing is left to do.
func (c *Commands) openLoading(ctx context.Context, r bot.Request, title, window string) (empty bool, err error) {
	loading := cards.Loading(title, emptyWindow(window))
	open := c.slack.OpenView
	if r.View != nil && r.View.Type == slack.VTModal {
		open = c.slack.PushView
	}
	_, err = open(ctx, r.TriggerID, loading)
	if openedBefore(err) {
		return c.stillEmpty(ctx, window, loading, err)
	}
	if err != nil {
		return false, err
	}
	return true, c.store.Note(ctx, openedNote(window), true, jobs.AnswerLife)
}

// stillEmpty looks for the window that an earlier delivery may have opened; why is what
// Slack said when it was to be opened now, and is returned when none ever was.
func (c *Commands) stillEmpty(ctx context.Context, window string, loading slack.ModalViewRequest, why error) (bool, error) {
	_, err := c.slack.UpdateView(ctx, emptyWindow(window), "", "", loading)
	if !errors.Is(err, bot.ErrGone) {
		return err == nil, err
	}
	var opened bool
	if err := c.store.Noted(ctx, openedNote(window), &opened); errors.Is(err, store.ErrNoNote) {
		return false, why
	} else if err != nil {
		return false, err
	}
	return false, nil
}

// openedBefore tells an error that is met, too, when an earlier delivery of the click has
// opened the window.
func openedBefore(err error) bool {
	return errors.Is(err, bot.ErrTrigger) || errors.Is(err, bot.ErrDuplicateView) || errors.Is(err, bot.ErrUnknownOutcome)
}

// fillWindow puts a view into an open modal; a picture that Slack cannot fetch does not
// cost the view, and a person who closed it meanwhile wanted nothing more. With the hash of
// what was seen there, something newer is not painted over.
func (c *Commands) fillWindow(ctx context.Context, r bot.Request, window, seen string, view jobs.ViewFunc) error {
	err := c.paint(ctx, window, seen, view(true))
	if errors.Is(err, bot.ErrPayload) {
		c.log.WarnContext(ctx, "shown without pictures", "user", r.User, "err", err)
		err = c.paint(ctx, window, seen, view(false))
	}
	if errors.Is(err, bot.ErrGone) || errors.Is(err, bot.ErrHashConflict) {
		return nil
	}
	return err
}

// repaints are the waits before an open modal is filled again after Slack has stumbled:
// otherwise it would say "One moment…" for good.
var repaints = []time.Duration{500 * time.Millisecond, 2 * time.Second}

// paint puts a view into an open modal; doing it twice is doing it once.
func (c *Commands) paint(ctx context.Context, window, seen string, view slack.ModalViewRequest) error {
	_, err := c.slack.UpdateView(ctx, window, "", seen, view)
	for _, wait := range repaints {
		if !stumbled(err) {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
		_, err = c.slack.UpdateView(ctx, window, "", seen, view)
	}
	return err
}

// stumbled tells an error of Slack's that another try a moment later may not meet.
func stumbled(err error) bool {
	return errors.Is(err, bot.ErrTryLater) || errors.Is(err, bot.ErrUnknownOutcome)
}

// notice is a sentence instead of a form.
func (c *Commands) notice(title, says, window string) jobs.ViewFunc {
	return func(bool) slack.ModalViewRequest { return cards.Notice(title, says, window) }
}

// orderForm is a verb that is answered by a modal about one order.
type orderForm struct {
	verb  string
	title string
	// fill makes the modal of an order on which the person may act; words are the rest of
	// the command line.
	fill func(ctx context.Context, t store.Tracked, words, window string) (jobs.ViewFunc, error)
}

// openOrder opens the modal of the order that a click or a line is about. Whether an id
// that is shown to nobody exists, or is hidden from this person, nothing tells.
func (c *Commands) openOrder(ctx context.Context, r bot.Request, f orderForm) error {
	p, late, err := c.pointSoon(ctx, r, f.verb)
	if err != nil {
		return err
	}
	if p.id == "" && !late {
		return c.askWhich(ctx, r, f.verb, p)
	}
	window := f.verb + ":" + jobs.Hash(r.ID)
	return c.modal(ctx, r, f.title, window, func(ctx context.Context) (jobs.ViewFunc, error) {
		if late {
			if p, err = c.point(ctx, r, f.verb); err != nil {
				return nil, err
			}
			if p.id == "" {
				return c.notice(f.title, cards.AskedBelow, window), c.askWhich(ctx, r, f.verb, p)
			}
		}
		t, err := c.jobs.Visible(ctx, r, p.id)
		if errors.Is(err, jobs.ErrNotFound) {
			return func(bool) slack.ModalViewRequest { return cards.Missing(f.title, p.id, bot.AsTyped(p.words), window) }, nil
		}
		if err != nil {
			return nil, err
		}
		why, err := c.access.WhyNoMemberNow(ctx, r.User)
		if err != nil {
			return nil, err
		}
		if why != "" {
			return func(bool) slack.ModalViewRequest {
				return cards.NoticeWith(f.title, cards.CannotPost(t.Owner.Channel, why), bot.AsTyped(p.words), window)
			}, nil
		}
		return f.fill(ctx, t, p.words, window)
	})
}
