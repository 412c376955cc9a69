package commands

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// thumbed makes a modal with or without its pictures.
type thumbed func(thumbs bool) slack.ModalViewRequest

// modal opens "loading" at once, because a trigger lives three seconds, and then puts
// what fill makes in its place: fill may ask Slack and the service. An error that fill
// meets is told in that modal. window is its external id, the same at every delivery: one
// that was filled is left to the person, who may be typing into it.
func (c *Commands) modal(ctx context.Context, r bot.Request, title, window string, fill func(ctx context.Context) (thumbed, error)) error {
	empty, err := c.openLoading(ctx, r, title, window)
	if err != nil {
		return err
	}
	view, err := fill(ctx)
	if err != nil && (ctx.Err() != nil || redisAway(err)) {
		return err
	}
	if err != nil {
		ref := Mark(r.ID)
		c.log.ErrorContext(ctx, "modal not filled", "title", title, "user", r.User, "reference", ref, "err", err)
		sorry := cards.NoticeWith(title, sentence(err, ref), typedLine(r), window)
		view = func(bool) slack.ModalViewRequest { return sorry }
	}
	return c.fillWindow(ctx, r, window, empty, view)
}

// emptyNote keeps the hash that a window had while it was empty. It is kept before the
// window is filled: whoever finds it fills the window only while it shows that hash, so
// that no crash paints over what somebody has typed since.
func emptyNote(window string) string { return "empty:" + hash(window) }

// openLoading opens the empty modal and returns its hash; a second delivery finds it open
// already, and perhaps filled.
func (c *Commands) openLoading(ctx context.Context, r bot.Request, title, window string) (empty string, err error) {
	loading := cards.Loading(title, window)
	open := c.slack.OpenView
	if r.View != nil && r.View.Type == slack.VTModal {
		open = c.slack.PushView
	}
	opened, err := open(ctx, r.TriggerID, loading)
	if openedBefore(err) {
		if lost := c.store.Noted(ctx, emptyNote(window), &empty); !errors.Is(lost, store.ErrNoNote) {
			return empty, lost
		}
		there, gone := c.slack.UpdateView(ctx, window, "", "", loading)
		if gone != nil {
			return "", err
		}
		opened, err = there, nil
	}
	if err != nil {
		return "", err
	}
	return opened.Hash, c.store.Note(ctx, emptyNote(window), opened.Hash, clickLife)
}

// openedBefore tells an error that is met, too, when an earlier delivery of the click has
// opened the window.
func openedBefore(err error) bool {
	return errors.Is(err, bot.ErrTrigger) || errors.Is(err, bot.ErrDuplicateView) || errors.Is(err, bot.ErrUnknownOutcome)
}

// fillWindow puts a view into an open modal; a picture that Slack cannot fetch does not
// cost the view, and a person who closed it meanwhile wanted nothing more. With the hash of
// what was seen there, something newer is not painted over.
func (c *Commands) fillWindow(ctx context.Context, r bot.Request, window, seen string, view thumbed) error {
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
func (c *Commands) notice(title, says, window string) thumbed {
	return func(bool) slack.ModalViewRequest { return cards.Notice(title, says, window) }
}

// orderForm is a verb that is answered by a modal about one order.
type orderForm struct {
	verb  string
	title string
	fits  func(store.Tracked) bool // which orders an id left out can mean
	// fill makes the modal of an order on which the person may act; words are the rest of
	// the command line.
	fill func(ctx context.Context, t store.Tracked, words, window string) (thumbed, error)
}

// openOrder opens the modal of the order that a click or a line is about. Whether an id
// that is shown to nobody exists, or is hidden from this person, nothing tells.
func (c *Commands) openOrder(ctx context.Context, r bot.Request, f orderForm) error {
	p, err := c.point(ctx, r, f.fits)
	if err != nil {
		return err
	}
	if p.id == "" {
		return c.askWhich(ctx, r, f.verb, p)
	}
	window := f.verb + ":" + hash(r.ID)
	return c.modal(ctx, r, f.title, window, func(ctx context.Context) (thumbed, error) {
		t, err := c.visible(ctx, r, p.id)
		if errors.Is(err, errNotFound) {
			return func(bool) slack.ModalViewRequest { return cards.Missing(f.title, p.id, asTyped(p.words), window) }, nil
		}
		if err != nil {
			return nil, err
		}
		may, err := c.mayAct(ctx, r, t)
		if err != nil {
			return nil, err
		}
		if !may {
			return func(bool) slack.ModalViewRequest {
				return cards.NoticeWith(f.title, cards.CannotPost(t.Owner.Channel, cards.Guest), asTyped(p.words), window)
			}, nil
		}
		return f.fill(ctx, t, p.words, window)
	})
}
