package commands

import (
	"context"
	"errors"
	"strings"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
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
		"The shortcut “New photo order” opens it, too; “Order these photos” in a message's menu fills it with that message's photos.",
	},
}

// openNew opens the order form on a fresh draft, and offers what was left unfinished.
func (c *Commands) openNew(ctx context.Context, r bot.Request) error {
	if err := c.rejectGuest(ctx, r); err != nil {
		return err
	}
	around := c.around(ctx, newDraft(r))
	draft, err := c.keepNew(ctx, newDraft(r))
	if err != nil {
		return err
	}
	if err := c.openForm(ctx, r, draft, around); err != nil || !inGroup(r) {
		return err
	}
	return c.tell(ctx, r, cards.Say(cards.NeedsChannel))
}

// rejectGuest tells a guest before the form opens that they cannot order: nobody fills in a
// form for nothing. When Slack does not say in time who somebody is, the form opens, and
// whoever submits it is looked at again.
func (c *Commands) rejectGuest(ctx context.Context, r bot.Request) error {
	quick, cancel := context.WithTimeout(ctx, time.Second) // the form must open within three
	defer cancel()
	why, err := c.access.WhyNoMemberNow(quick, r.User)
	if err != nil {
		c.log.InfoContext(ctx, "not known whether a guest", "user", r.User, "err", err)
		return ctx.Err()
	}
	if why == "" {
		return nil
	}
	return refusal{message: cards.GuestOrder(jobs.Postable(r.Channel), why, strings.Join(lineURLs(r), "\n"))}
}

// newDraft is the draft of a click; the same click makes the same one.
func newDraft(r bot.Request) store.Draft {
	return store.Draft{
		ID: jobs.Hash(r.ID), Team: r.Team, User: r.User, Channel: jobs.Postable(r.Channel), From: r.Channel,
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

// reopenDraft opens the form again with everything that was typed; from another form, in
// its place.
func (c *Commands) reopenDraft(ctx context.Context, r bot.Request) error {
	draft, err := c.ownDraft(ctx, r)
	if err != nil {
		return err
	}
	here := inForm(r)
	if here {
		c.keepQuietly(ctx, r)
	}
	switch {
	case !fillable(draft):
		return c.placeShown(ctx, r, draft)
	case here:
		return c.replaceForm(ctx, r, draft, cards.Form{
			Credits: cards.DecodeMeta(r.View.PrivateMetadata).Credits, PerImage: len(draft.Each) > 0,
		})
	}
	return c.openForm(ctx, r, draft, c.around(ctx, draft))
}

// fillable tells a draft whose form can be filled in.
func fillable(d store.Draft) bool { return d.State == store.DraftOpen || d.State == store.DraftRefused }

// openForm opens the form once the service has told the credits, or has taken too long: a
// form that somebody fills in is not painted again, because photos chosen in it may not
// survive that.
func (c *Commands) openForm(ctx context.Context, r bot.Request, draft store.Draft, around cards.Around) error {
	return c.openFilled(ctx, r, draft, func(context.Context) (store.Draft, cards.Around, error) { return draft, around, nil })
}

// openFilled is openForm for a draft that is not known before Slack was asked.
func (c *Commands) openFilled(ctx context.Context, r bot.Request, draft store.Draft, fill func(ctx context.Context) (store.Draft, cards.Around, error)) error {
	err := c.modal(ctx, r, newWindow(draft), cards.TitleNew, func(ctx context.Context, window string) (jobs.ViewFunc, error) {
		draft, around, err := fill(ctx)
		if err != nil {
			return nil, err
		}
		around.Balance = c.jobs.CreditWords(ctx, r)
		return plainView(cards.NewOrder(draft, around, window)), nil
	})
	if !errors.Is(err, bot.ErrTrigger) || len(draft.Images()) == 0 && len(draft.Instructions) == 0 {
		return err
	}
	c.log.InfoContext(ctx, "form came too late", "draft", draft.ID, "err", err)
	return c.tell(ctx, r, cards.Reopen(draft, c.jobs.Sentence(ctx, err, ""))) // what it would have held is kept
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
	if err := c.jobs.PutPlace(ctx, draft, buttonWindow(r, draft)); err != nil {
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
	view, err := c.jobs.DraftView(ctx, draft, window)
	if err != nil {
		return err
	}
	if r.View == nil {
		return c.tell(ctx, r, cards.AsMessage(view))
	}
	return c.jobs.Answer(ctx, jobs.DraftAsker(draft, window, time.Time{}), view)
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
	return newWindow(draft) + ":" + jobs.Hash(r.ID)
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
