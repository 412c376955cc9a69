package commands

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
)

// windowFill makes the view of the window with that external id.
type windowFill func(ctx context.Context, window string) (answers.ViewFunc, error)

// modal opens "loading" at once, because a trigger lives three seconds, and then puts
// what fill makes in its place: fill may ask Slack and the service. An error that fill
// meets is told in that modal. Its window has an external id that is the same whenever the click
// is brought again: one that was filled is left to the person, who may be typing into it.
func (c *Commands) modal(ctx context.Context, r bot.Request, verb, title string, fill windowFill) error {
	acked(ctx)
	quick, cancel := context.WithTimeout(ctx, fillTime)
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
	return c.fillWindow(ctx, r, emptyWindow(window), "", view)
}

// sorryView says in its window why there is no form.
func (c *Commands) sorryView(ctx context.Context, r bot.Request, title, window string, err error) answers.ViewFunc {
	no, ok := errors.AsType[refusal](err)
	if !ok || no.sentence == "" {
		ref := job.ShortRef(r.ID)
		c.log.ErrorContext(ctx, "modal not filled", "title", title, "user", r.User, "ref", ref, "err", err)
		no.sentence, no.words = c.jobs.Operators.Sentence(ctx, err, ref), typedLine(r)
	}
	return plainView(cards.NoticeWith(title, no.sentence, no.words, window))
}

// fillTime is what opening and filling a window may take: then there is still time to say so in it.
const fillTime = lookTime * 2 / 3

// emptyWindow is the external id of a window until it is filled; what fills it gives it
// its own. Slack itself then tells an empty window from one in which somebody types, and
// no click that is brought again paints over the second, whatever Redis has forgotten.
func emptyWindow(window string) string { return window + ":empty" }

// openedNote remembers that a window was opened: who finds none that is empty then knows
// that it was filled, or closed.
func openedNote(window string) string { return "opened:" + job.Hash(window) }

// openLoading opens the empty modal, or finds it still empty when the click was brought before;
// false when nothing is left to do.
func (c *Commands) openLoading(ctx context.Context, r bot.Request, title, window string) (empty bool, err error) {
	loading := cards.Loading(title, emptyWindow(window))
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
	if err := c.store.PutTTL(ctx, openedNote(window), true, answers.AnswerLife); err != nil {
		c.log.InfoContext(ctx, "not noted that a window was opened", "user", r.User, "err", err)
	}
	return true, nil
}

// stillEmpty looks for the window that the same click may have opened before; why is what
// Slack said when it was to be opened now, and is returned when none ever was.
func (c *Commands) stillEmpty(ctx context.Context, window string, loading slack.ModalViewRequest, why error) (bool, error) {
	err := c.slack.UpdateView(ctx, emptyWindow(window), "", "", loading)
	if !errors.Is(err, bot.ErrGone) {
		return err == nil, err
	}
	var opened bool
	err = c.store.Get(ctx, openedNote(window), &opened)
	if errors.Is(err, store.ErrAbsent) {
		return false, why
	}
	return false, err
}

// openedBefore tells an error that is met, too, when the click was brought before and has
// opened the window.
func openedBefore(err error) bool {
	return errors.Is(err, bot.ErrTrigger) || errors.Is(err, bot.ErrDuplicateView) || errors.Is(err, bot.ErrUnknownOutcome)
}

// fillWindow puts a view into an open modal; a picture that Slack cannot fetch, or a
// block that it does not know, does not cost the view, and a person who closed it meanwhile wanted nothing more. With the hash of
// what was seen there, something newer is not painted over.
func (c *Commands) fillWindow(ctx context.Context, r bot.Request, window, seen string, view answers.ViewFunc) error {
	err := c.fillSeen(ctx, r, window, seen, view)
	if errors.Is(err, bot.ErrHashConflict) {
		return nil
	}
	return err
}

// fillSeen is fillWindow that returns [bot.ErrHashConflict] where there was something newer.
func (c *Commands) fillSeen(ctx context.Context, r bot.Request, window, seen string, view answers.ViewFunc) error {
	err := c.jobs.Forms.ShowView(ctx, view, func(drawn slack.ModalViewRequest) error { return c.paint(ctx, window, seen, drawn) })
	if errors.Is(err, bot.ErrGone) {
		return nil
	}
	return err
}

// fillRetries are the waits before an open modal is filled again after Slack has failed:
// otherwise it would say "One moment…" for good.
var fillRetries = []time.Duration{500 * time.Millisecond, 2 * time.Second}

// paint puts a view into an open modal; doing it twice is doing it once.
func (c *Commands) paint(ctx context.Context, window, seen string, view slack.ModalViewRequest) error {
	err := c.slack.UpdateView(ctx, window, "", seen, view)
	for _, wait := range fillRetries {
		if !isTransient(err) {
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

// isTransient tells an error of Slack that may be gone a moment later.
func isTransient(err error) bool {
	return errors.Is(err, bot.ErrTryLater) || errors.Is(err, bot.ErrUnknownOutcome)
}

// orderForm is what the modal of a verb is made of.
type orderForm struct {
	order  store.Tracked // on which the person may act
	line   string        // the rest of the command line as it was typed
	words  string        // and as it reads
	window string
}

// orderFill makes such a modal.
type orderFill func(ctx context.Context, f orderForm) (answers.ViewFunc, error)

// openOrder opens the modal of the order that a click or a line is about, made by fill. Whether
// an id that is shown to nobody exists, or is hidden from this person, nothing tells.
func (c *Commands) openOrder(ctx context.Context, r bot.Request, verb, title string, fill orderFill) error {
	p, late, err := c.resolveSoon(ctx, r, verb)
	if err != nil {
		return err
	}
	if p.id == "" && !late {
		return c.askWhich(ctx, r, verb, p)
	}
	return c.modal(ctx, r, verb, title, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		if late {
			if p, err = c.resolveOrder(ctx, r, verb); err != nil {
				return nil, err
			}
			if p.id == "" {
				if err := c.askWhich(ctx, r, verb, p); err != nil {
					return nil, err
				}
				return nil, sorry(cards.AskedBelow, "")
			}
		}
		form, err := c.formOf(ctx, r, p, window)
		if err != nil {
			return nil, err
		}
		return fill(ctx, form)
	})
}

// formOf is what the modal of that order is made of, when the person may act on it.
func (c *Commands) formOf(ctx context.Context, r bot.Request, p orderRef, window string) (orderForm, error) {
	t, err := c.visible(ctx, r, p)
	if err != nil {
		return orderForm{}, err
	}
	why, err := c.access.WhyNoMemberNow(ctx, r.User)
	if err := cannotPost(t.Owner.Channel, why, bot.AsTyped(p.words), err); err != nil {
		return orderForm{}, err
	}
	words, err := bot.Plain(ctx, c.slack, p.words)
	return orderForm{t, p.words, words, window}, err
}

// plainView is a view that has no pictures to leave out.
func plainView(view slack.ModalViewRequest) answers.ViewFunc {
	return func(cards.Thumbs) slack.ModalViewRequest { return view }
}
