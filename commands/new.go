package commands

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/batch"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/commands/answer"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/store"
)

// ShortcutNew is the callback id of the global shortcut *New photo order*.
const ShortcutNew = "new"

var newHelp = cards.HelpRow{
	Verb: "new", Usage: "new [urls…]", Does: "opens the order form, with the photo links that you typed",
	Example: "new https://example.com/beach.jpg",
	More: []string{
		"One order holds up to 50 photos and photo links. “More Options” has what few orders need.",
		"A CSV file instead of photos makes one order a row.",
		"For photos over 10 MB: post them in a channel and choose “Order these photos” in the message's menu, or mention me there.",
	},
}

// formFill completes a draft and returns it with the extras of its form.
type formFill func(ctx context.Context, draft store.Draft) (store.Draft, place.FormExtras, error)

// newOrder opens the order form.
type newOrder struct {
	storedDrafts *store.Drafts
	jobs         *jobs.Jobs
	log          *slog.Logger
	guests       *guests
	answers      *answer.Messages
	readOnly     *answer.ReadOnly
	windows      *answer.Windows
	views        *draftViews
	draftWindows *draftWindows
	drafts       *drafts
}

// openNew opens the order form on a fresh draft, and offers an unfinished one.
func (c *newOrder) openNew(ctx context.Context, r bot.Request) error {
	if err := c.guests.rejectKnownGuest(ctx, r); err != nil {
		return err
	}
	saved, err := c.openFresh(ctx, r, newDraft(r), c.inHouseStyle(r))
	if err != nil || !saved || !inGroup(r) {
		return err
	}
	return c.answers.Send(ctx, r, kit.Say(cards.NeedsChannel))
}

// reopenDraft opens a draft's form with all its content. It replaces an open order form, and the notice of a file that
// cannot be placed: a batch's window must not say that nothing was placed.
func (c *newOrder) reopenDraft(ctx context.Context, r bot.Request) error {
	draft, err := c.drafts.ownDraft(ctx, r)
	if err != nil {
		return err
	}
	if inForm(r) {
		c.drafts.saveQuietly(ctx, r)
	}
	switch {
	case !fillable(draft):
		return c.draftWindows.showPlacing(ctx, r, draft)
	case inForm(r), r.View != nil && batch.LeadsBack(*r.View, draft.ID):
		meta := kit.DecodeMeta(r.View.PrivateMetadata)
		return c.draftWindows.replaceForm(ctx, r, draft, place.Form{Credits: meta.Credits, UploadGen: meta.UploadGen, Table: meta.Table, PerImage: len(draft.Each) > 0})
	}
	return c.openDraft(ctx, r, draft)
}

// openFresh opens the form on a fresh draft. Saving the draft and checking the person run while Slack opens the window,
// because a trigger lives three seconds. Their failure is shown in the window; saved reports whether there was none.
func (c *newOrder) openFresh(ctx context.Context, r bot.Request, fresh store.Draft, fill formFill) (saved bool, err error) {
	quick, cancel := context.WithTimeout(ctx, answer.FillTime)
	defer cancel()
	save := async(ctx, c.readOnly.Panicked, r, func() (store.Draft, error) {
		if err := c.guests.rejectGuest(quick, r); err != nil {
			return fresh, err
		}
		return c.drafts.saveNew(quick, fresh)
	})
	err = c.openForm(ctx, r, fresh, save, fill)
	_, saveErr := save()
	if saveErr != nil && errors.Is(err, client.ErrTrigger) {
		return false, saveErr // no window opened to show the error
	}
	return saveErr == nil, c.reportLate(ctx, r, fresh, err)
}

// openDraft opens the form of a saved draft.
func (c *newOrder) openDraft(ctx context.Context, r bot.Request, draft store.Draft) error {
	err := c.openForm(ctx, r, draft, func() (store.Draft, error) { return draft, nil }, c.views.asSaved)
	return c.reportLate(ctx, r, draft, err)
}

// openForm opens the form of a draft after it is saved and filled, and after the service returned the credits or timed
// out. An open form is not redrawn for the credits: uploads chosen in it might be lost.
func (c *newOrder) openForm(ctx context.Context, r bot.Request, draft store.Draft, saved func() (store.Draft, error), fill formFill) error {
	ctx, cancel := context.WithCancel(ctx)
	credits := async(ctx, c.readOnly.Panicked, r, func() (string, error) {
		if _, err := saved(); err != nil {
			return "", err
		}
		return c.jobs.Credits.Text(ctx, r), nil
	})
	defer func() {
		cancel()
		_, _ = credits() // its goroutine ends with this function
	}()
	return c.windows.Open(ctx, r, newWindow(draft), place.Title, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		draft, err := saved()
		if err != nil {
			return nil, err
		}
		draft, extras, err := fill(ctx, draft)
		if err != nil {
			return nil, err
		}
		extras.Balance, err = credits()
		return answer.Static(c.views.orderView(ctx, r, draft, extras, window)), err
	})
}

// reportLate tells a person that their form opened too late, and that its content is saved. An empty draft, or another
// error, is returned as it is.
func (c *newOrder) reportLate(ctx context.Context, r bot.Request, draft store.Draft, err error) error {
	if !errors.Is(err, client.ErrTrigger) || len(draft.Images()) == 0 && len(draft.Instructions) == 0 {
		return err
	}
	c.log.InfoContext(ctx, "form came too late", "draft", draft.ID, "err", err)
	return c.answers.Send(ctx, r, place.Reopen(draft, c.jobs.Operators.Sentence(ctx, err, "")))
}

// inHouseStyle fills an untouched draft from the channel's house style, if there is exactly one.
func (c *newOrder) inHouseStyle(r bot.Request) formFill {
	return func(ctx context.Context, draft store.Draft) (store.Draft, place.FormExtras, error) {
		extras := c.views.extras(ctx, draft)
		extras.Presets = c.jobs.Presets.Presets(ctx, r, draft.Channel)
		house := store.HouseStyle(extras.Presets.Presets)
		if house == nil || !draft.Untouched() {
			return draft, extras, nil
		}
		f := fillingOf(*house, r)
		f.House = true
		filled, err := unlessMoved(c.storedDrafts.EditDraft(ctx, draft.ID, func(d *store.Draft) error {
			if d.Untouched() {
				d.Fill(f)
			}
			return nil
		}))
		return filled, extras, err
	}
}

// newWindow returns the prefix of the external ids of a draft's windows. A draft may be open in several.
func newWindow(draft store.Draft) string { return newHelp.Verb + ":" + draft.ID }

// async runs do in a goroutine and returns a function that waits for its result. A panic becomes the error that
// panicked returns.
func async[T any](ctx context.Context, panicked func(context.Context, bot.Request, any) error, r bot.Request, do func() (T, error)) func() (T, error) {
	var value T
	var err error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			if p := recover(); p != nil {
				err = panicked(ctx, r, p)
			}
		}()
		value, err = do()
	}()
	return func() (T, error) {
		<-ended
		return value, err
	}
}

// lineURLs returns the image URLs of a command line.
func lineURLs(r bot.Request) []string {
	switch {
	case r.Kind != bot.KindCommand:
		return nil
	case looksLikeURL(r.Verb):
		return urlsIn(r.Text)
	}
	return urlsIn(r.Args)
}

// urlsIn returns the words of a line, without Slack's <url> or <url|text> around them.
func urlsIn(line string) []string {
	words := strings.Fields(line)
	for i, w := range words {
		w = strings.TrimSuffix(strings.TrimPrefix(w, "<"), ">")
		words[i], _, _ = strings.Cut(w, "|")
	}
	return words
}
