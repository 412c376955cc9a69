package commands

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

// ShortcutNew is the callback id of the global shortcut *New photo order*.
const ShortcutNew = "new"

var newHelp = cards.HelpRow{
	Verb: "new", Usage: "new [urls…]", Does: "opens the order form, filled with the image URLs of the line",
	Example: "new https://example.com/beach.jpg",
	More: []string{
		"The form takes uploaded photos and image URLs together, up to 50, and can ask for each image by itself.",
		"A CSV file instead of photos places one order a row, once you have seen all of them.",
		"The shortcut “New photo order” opens it, too; “Order these photos” in a message's menu fills it with that message's photos.",
	},
}

// openNew opens the order form on a fresh draft, and offers what was left unfinished.
func (c *Commands) openNew(ctx context.Context, r bot.Request) error {
	if err := c.rejectKnownGuest(ctx, r); err != nil {
		return err
	}
	kept, err := c.openFresh(ctx, r, newDraft(r), c.inHouseStyle(r))
	if err != nil || !kept || !inGroup(r) {
		return err
	}
	return c.tell(ctx, r, cards.Say(cards.NeedsChannel))
}

// rejectKnownGuest tells somebody before the form opens that they cannot order, if the app remembers that:
// nobody fills in a form for nothing. Slack is asked whether it is still so. Of whom nothing is remembered,
// Slack is asked while it opens the form: nearly all who order may, and none of them waits for that.
func (c *Commands) rejectKnownGuest(ctx context.Context, r bot.Request) error {
	if !c.access.SeemsNoMember(ctx, r.User) {
		return nil
	}
	return c.rejectGuest(ctx, r)
}

// rejectGuest refuses the form to somebody who cannot order. When Slack does not say in time who they
// are, they get it, and whoever submits it is looked at again.
func (c *Commands) rejectGuest(ctx context.Context, r bot.Request) error {
	quick, cancel := context.WithTimeout(ctx, time.Second) // whoever is remembered as a guest waits for this, and a trigger lives three
	defer cancel()
	why, err := c.access.WhyNoMemberNow(quick, r.User)
	if err != nil {
		c.log.InfoContext(ctx, "not known whether a guest", "user", r.User, "err", err)
		return ctx.Err()
	}
	if why == "" {
		return nil
	}
	channel, urls := jobs.Postable(r.Channel), strings.Join(lineURLs(r), "\n")
	return refusal{cards.GuestOrder(channel, why, urls), cards.CannotOrder(channel, why), urls}
}

// newDraft is the draft of a click; the same click makes the same one.
func newDraft(r bot.Request) store.Draft {
	return store.Draft{
		ID: job.Hash(r.ID), Team: r.Team, User: r.User, Channel: jobs.Postable(r.Channel), From: r.Channel,
		URLs: lineURLs(r), Service: order.ServiceBasic,
		Attempt: 1, State: store.DraftOpen, OpenedAt: r.At, UpdatedAt: time.Now(),
	}
}

// keepNew keeps a fresh draft, unless an earlier delivery of the same click has: what
// was typed since stays.
func (c *Commands) keepNew(ctx context.Context, draft store.Draft) (store.Draft, error) {
	kept, err := c.store.Draft(ctx, draft.ID)
	if !errors.Is(err, store.ErrNoDraft) {
		return kept, err
	}
	run, err := c.store.Run(ctx)
	if err != nil {
		return draft, err
	}
	draft.Run = run.ID
	return draft, c.store.SaveDraft(ctx, draft)
}

// reopenDraft opens the form again with everything that was typed; from another form, or from a file that
// cannot be placed, in its place: below a batch that is placed, nothing may say any more that it was not.
func (c *Commands) reopenDraft(ctx context.Context, r bot.Request) error {
	draft, err := c.ownDraft(ctx, r)
	if err != nil {
		return err
	}
	if inForm(r) {
		c.keepQuietly(ctx, r)
	}
	switch {
	case !fillable(draft):
		return c.placeShown(ctx, r, draft)
	case inForm(r), r.View != nil && cards.BatchLeadsBack(*r.View, draft.ID):
		meta := cards.DecodeMeta(r.View.PrivateMetadata)
		return c.replaceForm(ctx, r, draft, cards.Form{Credits: meta.Credits, UploadGen: meta.UploadGen, PerImage: len(draft.Each) > 0})
	}
	return c.openDraft(ctx, r, draft)
}

// fillable tells a draft whose form can be filled in.
func fillable(d store.Draft) bool { return d.State == store.DraftOpen || d.State == store.DraftRefused }

// formFill is what the form of a draft shows, and the draft as it is then.
type formFill func(ctx context.Context, draft store.Draft) (store.Draft, cards.Around, error)

// openFresh opens the form on a fresh draft. The draft is kept, and the person looked at, while Slack opens
// the window: a trigger lives three seconds, so nothing comes first that need not. What goes wrong with
// that is told in the window; it tells whether all went well.
func (c *Commands) openFresh(ctx context.Context, r bot.Request, fresh store.Draft, fill formFill) (kept bool, err error) {
	quick, cancel := context.WithTimeout(ctx, fillTime)
	defer cancel()
	keep := meanwhile(ctx, c, r, func() (store.Draft, error) {
		if err := c.rejectGuest(quick, r); err != nil {
			return fresh, err
		}
		return c.keepNew(quick, fresh)
	})
	err = c.openForm(ctx, r, fresh, keep, fill)
	_, lost := keep()
	if lost != nil && errors.Is(err, bot.ErrTrigger) {
		return false, lost // there is no window that says so
	}
	return lost == nil, c.cameTooLate(ctx, r, fresh, err)
}

// openDraft opens the form of a draft that is kept already.
func (c *Commands) openDraft(ctx context.Context, r bot.Request, draft store.Draft) error {
	err := c.openForm(ctx, r, draft, func() (store.Draft, error) { return draft, nil }, c.withAround)
	return c.cameTooLate(ctx, r, draft, err)
}

// openForm opens the form of a draft once it is kept and filled, and the service has told the credits or has
// taken too long: a form that somebody fills in is not painted again, because photos chosen in it may not
// survive that.
func (c *Commands) openForm(ctx context.Context, r bot.Request, draft store.Draft, kept func() (store.Draft, error), fill formFill) error {
	ctx, cancel := context.WithCancel(ctx)
	credits := meanwhile(ctx, c, r, func() (string, error) {
		if _, err := kept(); err != nil {
			return "", err
		}
		return c.jobs.Credits.Text(ctx, r), nil
	})
	defer func() {
		cancel()
		_, _ = credits() // nothing goes on when this has ended
	}()
	return c.modal(ctx, r, newWindow(draft), cards.TitleNew, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		draft, err := kept()
		if err != nil {
			return nil, err
		}
		draft, around, err := fill(ctx, draft)
		if err != nil {
			return nil, err
		}
		around.Balance, err = credits()
		return plainView(c.orderView(ctx, r, draft, around, window)), err
	})
}

// meanwhile does something beside what follows; what it returns waits for the end of that. A panic of it
// is an error.
func meanwhile[T any](ctx context.Context, c *Commands, r bot.Request, do func() (T, error)) func() (T, error) {
	var value T
	var err error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			if p := recover(); p != nil {
				err = c.panicked(ctx, r, p)
			}
		}()
		value, err = do()
	}()
	return func() (T, error) {
		<-ended
		return value, err
	}
}

// cameTooLate tells somebody whose form was to hold something that it could not be opened in time: what it
// would have held is kept. Anything else that went wrong is returned.
func (c *Commands) cameTooLate(ctx context.Context, r bot.Request, draft store.Draft, err error) error {
	if !errors.Is(err, bot.ErrTrigger) || len(draft.Images()) == 0 && len(draft.Instructions) == 0 {
		return err
	}
	c.log.InfoContext(ctx, "form came too late", "draft", draft.ID, "err", err)
	return c.tell(ctx, r, cards.Reopen(draft, c.jobs.Operators.Sentence(ctx, err, "")))
}

// withAround is a form that shows its draft as it is.
func (c *Commands) withAround(ctx context.Context, draft store.Draft) (store.Draft, cards.Around, error) {
	return draft, c.around(ctx, draft), nil
}

// around is what a draft's form shows besides it: another draft of that person's too.
func (c *Commands) around(ctx context.Context, draft store.Draft) cards.Around {
	a := c.aroundOf(draft)
	other, err := c.store.Unfinished(ctx, draft.Team, draft.User)
	switch {
	case err == nil && other.ID != draft.ID:
		a.Unfinished = &other
	case err != nil && !errors.Is(err, store.ErrNoDraft):
		c.log.WarnContext(ctx, "unfinished order not offered", "user", draft.User, "err", err)
	}
	return a
}

// orderView is the form of a draft, with what it can be filled from.
func (c *Commands) orderView(ctx context.Context, r bot.Request, draft store.Draft, around cards.Around, window string) slack.ModalViewRequest {
	if around.Thread != nil {
		return cards.ThreadPhotos(draft, around, window)
	}
	if around.Presets == nil {
		around.Presets = c.jobs.Presets.Presets(ctx, r, draft.Channel)
	}
	return cards.NewOrder(draft, around, window)
}

// aroundOf is what is shown besides a draft wherever it is.
func (c *Commands) aroundOf(draft store.Draft) cards.Around {
	return cards.Around{Problems: draft.Problems, Upload: c.files != nil, Services: c.says}
}

// aroundForm is what is shown besides a draft whose form takes the place of this one.
func (c *Commands) aroundForm(draft store.Draft, form cards.Form) cards.Around {
	a := c.aroundOf(draft)
	a.Balance, a.UploadGen, a.Filled = form.Credits, nextUploadGen(form), &form
	return a
}

// retryDraft is *Try again* after an order that was never seen at the service: a new
// attempt under the same reference, which looks once more before it sends. The button names
// the attempt that it follows: however often it is pressed, and the press delivered, it is
// followed by one.
func (c *Commands) retryDraft(ctx context.Context, r bot.Request) error {
	id, attempt, named := cards.ParseValue(r.Value)
	if named {
		r.Value = id
	}
	draft, err := c.ownDraft(ctx, r)
	if err != nil {
		return err
	}
	if !named {
		attempt = draft.Attempt // a button from before they named it
	}
	draft, _, err = c.store.TryAgain(ctx, at(draft, attempt))
	if err != nil {
		return err
	}
	return c.placeShown(ctx, r, draft)
}

// placeShown makes sure that there is the job of a draft that was submitted, and shows how it stands.
func (c *Commands) placeShown(ctx context.Context, r bot.Request, draft store.Draft) error {
	if err := c.jobs.Place.PutPlace(ctx, draft, buttonWindow(r, draft)); err != nil {
		return err
	}
	return c.draftShown(ctx, r, draft)
}

// discardDraft is *Discard*: the draft is not placed. Its reference stays watched.
func (c *Commands) discardDraft(ctx context.Context, r bot.Request) error {
	draft, err := c.ownDraft(ctx, r)
	if err != nil {
		return err
	}
	if draft.State == store.DraftUnknown || fillable(draft) {
		draft.State, draft.UpdatedAt = store.DraftDiscarded, time.Now()
		err := c.store.SaveDraft(ctx, draft)
		if errors.Is(err, store.ErrDraftMoved) { // placed from another window meanwhile
			draft, err = c.store.Draft(ctx, draft.ID)
		}
		if err != nil {
			return err
		}
	}
	if draft.State == store.DraftDiscarded {
		if err := c.jobs.Holds.EndHold(ctx, draft); err != nil {
			return err
		}
	}
	if inForm(r) && cards.DecodeMeta(r.View.PrivateMetadata).Draft != draft.ID {
		return c.withoutOffer(ctx, r)
	}
	return c.draftShown(ctx, r, draft)
}

// withoutOffer shows a form again from which another draft was discarded.
func (c *Commands) withoutOffer(ctx context.Context, r bot.Request) error {
	draft, form, err := c.keepTypedOf(ctx, r)
	if errors.Is(err, store.ErrDraftMoved) {
		return nil // the form is gone
	}
	if err != nil {
		return err
	}
	return c.replaceForm(ctx, r, draft, form)
}

// draftShown answers a draft's button where it was pressed: in its modal or message.
func (c *Commands) draftShown(ctx context.Context, r bot.Request, draft store.Draft) error {
	window := buttonWindow(r, draft)
	view, err := c.jobs.Drafts.DraftView(ctx, draft, window)
	if err != nil {
		return err
	}
	if r.View == nil {
		return c.tell(ctx, r, cards.AsMessage(view))
	}
	err = c.jobs.Forms.Answer(ctx, jobs.DraftAsker(draft, window, time.Time{}), view)
	if errors.Is(err, bot.ErrUnknownOutcome) {
		return nil // the modal was closed at once, and the message for that may be there
	}
	return err
}

// ownDraft loads the draft a button names; those of other people do not exist.
func (c *Commands) ownDraft(ctx context.Context, r bot.Request) (store.Draft, error) {
	draft, err := c.store.Draft(ctx, r.Value)
	if err == nil && draft.User != r.User {
		err = store.ErrNoDraft
	}
	return draft, draftGone(err)
}

// draftGone is what the button of a draft that is no more is answered with.
func draftGone(err error) error {
	if errors.Is(err, store.ErrNoDraft) {
		return refusal{message: cards.Say(draftLost)}
	}
	return err
}

// newWindow is what the names of a draft's windows begin with: it may be open in several.
func newWindow(draft store.Draft) string { return newHelp.Verb + ":" + draft.ID }

// buttonWindow is the modal whose button was pressed, else a name for none.
func buttonWindow(r bot.Request, draft store.Draft) string {
	if r.View != nil && r.View.ExternalID != "" {
		return r.View.ExternalID
	}
	return newWindow(draft) + ":" + job.Hash(r.ID)
}

// lineURLs are the image URLs on the command line.
func lineURLs(r bot.Request) []string {
	switch {
	case r.Kind != bot.KindCommand:
		return nil
	case looksLikeURL(r.Verb):
		return urlsIn(r.Text)
	}
	return urlsIn(r.Args)
}

// urlsIn are the words of a line; Slack may have wrapped them as <url> or <url|text>.
func urlsIn(line string) []string {
	words := strings.Fields(line)
	for i, w := range words {
		w = strings.TrimSuffix(strings.TrimPrefix(w, "<"), ">")
		words[i], _, _ = strings.Cut(w, "|")
	}
	return words
}
