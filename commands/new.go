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
	Verb: "new", Usage: "new [urls…]", Does: "opens the order form, filled with the image URLs of the line",
	Example: "new https://example.com/beach.jpg",
	More: []string{
		"The form takes uploaded photos and image URLs together, up to 50, and can ask for each image by itself.",
		"A CSV file instead of photos places one order a row, once you have seen all of them.",
		"The shortcut “New photo order” opens it, too; “Order these photos” in a message's menu fills it with that message's photos.",
	},
}

// formFill is what the form of a draft shows, and the draft as it is then.
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

// openNew opens the order form on a fresh draft, and offers what was left unfinished.
func (c *newOrder) openNew(ctx context.Context, r bot.Request) error {
	if err := c.guests.rejectKnownGuest(ctx, r); err != nil {
		return err
	}
	kept, err := c.openFresh(ctx, r, newDraft(r), c.inHouseStyle(r))
	if err != nil || !kept || !inGroup(r) {
		return err
	}
	return c.answers.Send(ctx, r, kit.Say(cards.NeedsChannel))
}

// reopenDraft opens the form again with everything that was typed; from another form, or from a file that
// cannot be placed, in its place: below a batch that is placed, nothing may say any more that it was not.
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
		return c.draftWindows.placeShown(ctx, r, draft)
	case inForm(r), r.View != nil && batch.LeadsBack(*r.View, draft.ID):
		meta := kit.DecodeMeta(r.View.PrivateMetadata)
		return c.draftWindows.replaceForm(ctx, r, draft, place.Form{Credits: meta.Credits, UploadGen: meta.UploadGen, PerImage: len(draft.Each) > 0})
	}
	return c.openDraft(ctx, r, draft)
}

// openFresh opens the form on a fresh draft. The draft is kept, and the person looked at, while Slack opens
// the window: a trigger lives three seconds, so nothing comes first that need not. What goes wrong with
// that is told in the window; it tells whether all went well.
func (c *newOrder) openFresh(ctx context.Context, r bot.Request, fresh store.Draft, fill formFill) (kept bool, err error) {
	quick, cancel := context.WithTimeout(ctx, answer.FillTime)
	defer cancel()
	keep := meanwhile(ctx, c.readOnly.Panicked, r, func() (store.Draft, error) {
		if err := c.guests.rejectGuest(quick, r); err != nil {
			return fresh, err
		}
		return c.drafts.saveNew(quick, fresh)
	})
	err = c.openForm(ctx, r, fresh, keep, fill)
	_, lost := keep()
	if lost != nil && errors.Is(err, client.ErrTrigger) {
		return false, lost // there is no window that says so
	}
	return lost == nil, c.cameTooLate(ctx, r, fresh, err)
}

// openDraft opens the form of a draft that is kept already.
func (c *newOrder) openDraft(ctx context.Context, r bot.Request, draft store.Draft) error {
	err := c.openForm(ctx, r, draft, func() (store.Draft, error) { return draft, nil }, c.views.withAround)
	return c.cameTooLate(ctx, r, draft, err)
}

// openForm opens the form of a draft once it is kept and filled, and the service has told the credits or has
// taken too long: a form that somebody fills in is not painted again, because photos chosen in it may not
// survive that.
func (c *newOrder) openForm(ctx context.Context, r bot.Request, draft store.Draft, kept func() (store.Draft, error), fill formFill) error {
	ctx, cancel := context.WithCancel(ctx)
	credits := meanwhile(ctx, c.readOnly.Panicked, r, func() (string, error) {
		if _, err := kept(); err != nil {
			return "", err
		}
		return c.jobs.Credits.Text(ctx, r), nil
	})
	defer func() {
		cancel()
		_, _ = credits() // nothing goes on when this has ended
	}()
	return c.windows.Open(ctx, r, newWindow(draft), place.Title, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		draft, err := kept()
		if err != nil {
			return nil, err
		}
		draft, around, err := fill(ctx, draft)
		if err != nil {
			return nil, err
		}
		around.Balance, err = credits()
		return answer.Plain(c.views.orderView(ctx, r, draft, around, window)), err
	})
}

// cameTooLate tells somebody whose form was to hold something that it could not be opened in time: what it
// would have held is kept. Anything else that went wrong is returned.
func (c *newOrder) cameTooLate(ctx context.Context, r bot.Request, draft store.Draft, err error) error {
	if !errors.Is(err, client.ErrTrigger) || len(draft.Images()) == 0 && len(draft.Instructions) == 0 {
		return err
	}
	c.log.InfoContext(ctx, "form came too late", "draft", draft.ID, "err", err)
	return c.answers.Send(ctx, r, place.Reopen(draft, c.jobs.Operators.Sentence(ctx, err, "")))
}

// inHouseStyle is a form that shows its draft as it is; one that nobody has put anything into is filled in
// with the channel's house style, if it has just one.
func (c *newOrder) inHouseStyle(r bot.Request) formFill {
	return func(ctx context.Context, draft store.Draft) (store.Draft, place.FormExtras, error) {
		around := c.views.around(ctx, draft)
		around.Presets = c.jobs.Presets.Presets(ctx, r, draft.Channel)
		house := store.HouseStyle(around.Presets.Presets)
		if house == nil || !draft.Untouched() {
			return draft, around, nil
		}
		f := fillingOf(*house, r)
		f.House = true
		filled, err := c.storedDrafts.EditDraft(ctx, draft.ID, func(d *store.Draft) error {
			if d.Untouched() {
				d.Fill(f)
			}
			return nil
		})
		if errors.Is(err, store.ErrDraftMoved) { // it is being placed: the window says so
			err = nil
		}
		return filled, around, err
	}
}

// newWindow is what the names of a draft's windows begin with: it may be open in several.
func newWindow(draft store.Draft) string { return newHelp.Verb + ":" + draft.ID }

// meanwhile does something beside what follows, and returns how to wait for it. A panic becomes the error of panicked.
func meanwhile[T any](ctx context.Context, panicked func(context.Context, bot.Request, any) error, r bot.Request, do func() (T, error)) func() (T, error) {
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
