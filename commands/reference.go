package commands

import (
	"context"
	"errors"
	"maps"
	"strings"

	"github.com/slack-go/slack"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	cardstalk "darkroom/cards/talk"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

// reference adds reference images to an order.
type reference struct {
	jobs         *jobs.Jobs
	access       *access.Control
	files        *files.Signer
	finder       *resolve.Finder
	answers      *answer.Messages
	orderWindows *resolve.Windows
	windows      *answer.Windows
	orderThreads *orderThreads
	photos       *photoFiles
	submissions  *submissions
	saved        *savedForms
}

// ShortcutReference is the callback id of the message shortcut *Add as reference*.
const ShortcutReference = "add_reference"

var referenceHelp = cards.HelpRow{
	Verb: "reference", Usage: "reference [ID] urls…", Does: "adds reference images to an order",
	Example: "reference K7Q2XM https://example.com/mood.jpg",
	More: []string{
		"Photos that are in Slack: “Add as reference” in their message's menu.",
	},
}

// reference adds the images of the line at once; without any it opens the form.
func (c *reference) reference(ctx context.Context, r bot.Request) error {
	t, line, err := c.finder.WholeLine(ctx, r, "reference")
	switch {
	case err != nil:
		return err
	case line != "":
		return c.referenceNow(ctx, r, t, urlsIn(line))
	}
	return c.orderWindows.Open(ctx, r, "reference", cardstalk.TitleReference, func(ctx context.Context, f resolve.Form) (answers.ViewFunc, error) {
		urls, had := urlsIn(f.Line), c.saved.typedBefore(ctx, r, kit.CallbackReference, f.Order)
		if len(urls) > 0 || had.Empty() {
			return c.referenceForm(f.Order, answers.Album{URLs: urls}, "", "", r.Channel, f.Window), nil
		}
		note, err := c.jobs.Albums.SaveAlbum(ctx, r.ID, had.Album)
		form := c.referenceForm(f.Order, had.Album, "", note, r.Channel, f.Window)
		return func(thumbs cards.Thumbs) slack.ModalViewRequest { return kit.WithSaved(form(thumbs), had.At) }, err
	})
}

// referenceNow puts the job that adds the line's images.
func (c *reference) referenceNow(ctx context.Context, r bot.Request, t store.Tracked, urls []string) error {
	if why := cardstalk.ReferenceProblem(urls, 0); why != "" {
		why = "Nothing was sent. " + kit.Escape(why)
		return c.answers.Send(ctx, r, kit.AsMessage(cardstalk.ReferencesDenied(why, urls, "", "")))
	}
	body := jobs.ReferenceArgs{Asker: answers.AskerOf(r), Order: t.ID, URLs: urls}
	return c.jobs.Putter.Put(ctx, job.Reference, job.Reference+":"+r.ID, "order:"+t.ID, body)
}

// addReference opens the form with the images of a message.
func (c *reference) addReference(ctx context.Context, r bot.Request) error {
	return c.openAlbum(ctx, r, "")
}

// openAlbum opens the form with a message's images; the order is known in its thread.
func (c *reference) openAlbum(ctx context.Context, r bot.Request, intro string) error {
	came := filesOf(r.Message)
	if r.Message != nil && len(came) == 0 {
		intro = strings.TrimSpace(intro + " " + cardstalk.NoPhotos)
	}
	supply := func(ctx context.Context) (kept answers.Album, note string, err error) {
		kept = answers.Album{User: r.User, Photos: c.jobs.Albums.PhotosOf(c.jobs.Albums.Inspect(ctx, came, unreadIn(r)))}
		note, err = c.jobs.Albums.SaveAlbum(ctx, r.ID, kept)
		return kept, note, err
	}
	t, err := c.orderThreads.messageThread(ctx, r)
	if err == nil {
		return c.openAlbumOf(ctx, r, t.ID, intro, supply)
	}
	if !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	return c.windows.Open(ctx, r, "reference", cardstalk.TitleReference, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		only, err := c.access.WhyNoMember(ctx, r.User)
		if err := answer.CannotPost(r.Channel, only, "", err); err != nil {
			return nil, err
		}
		kept, note, err := supply(ctx)
		if err != nil {
			return nil, err
		}
		why, err := c.finder.NothingToPick(ctx, r, order.VerbReference)
		if why != "" {
			return referencesDenied(why, kept, window), err
		}
		return c.referenceForm(store.Tracked{}, kept, intro, note, r.Channel, window), err
	})
}

// openAlbumOf opens the form of an order with an album, which supply gives while the form says
// *loading*, and the note in which it is kept.
func (c *reference) openAlbumOf(ctx context.Context, r bot.Request, order, intro string, supply func(context.Context) (answers.Album, string, error)) error {
	r.Value = cards.Value(order, 0)
	return c.orderWindows.Open(ctx, r, "reference", cardstalk.TitleReference, func(ctx context.Context, f resolve.Form) (answers.ViewFunc, error) {
		kept, note, err := supply(ctx)
		return c.referenceForm(f.Order, kept, intro, note, r.Channel, f.Window), err
	})
}

// attach opens the form with the images that were offered, or given back.
func (c *reference) attach(ctx context.Context, r bot.Request) error {
	kept, err := c.jobs.Albums.Album(ctx, r.Value, r.User)
	if errors.Is(err, store.ErrAbsent) {
		return c.answers.Send(ctx, r, cardstalk.OfferOld())
	}
	if err != nil {
		return err
	}
	return c.openAlbumOf(ctx, r, kept.Order, "", func(context.Context) (answers.Album, string, error) { return kept, r.Value, nil })
}

// referenceForm returns the filled form, or a message that says why not.
func (c *reference) referenceForm(t store.Tracked, kept answers.Album, intro, note, channel, window string) answers.ViewFunc {
	if c.files == nil {
		intro = strings.TrimSpace(intro + " " + cardstalk.NoPublicURL)
	}
	if why := cards.NoMessage(t); why != "" {
		return referencesDenied(why, kept, window)
	}
	return answer.Plain(cardstalk.References(t, cardstalk.RefForm{
		Intro: intro, Photos: kept.Shown(), URLs: kept.URLs, Instruction: kept.Instruction,
		Note: note, Channel: channel, Upload: c.files != nil, PerImage: len(kept.Each) > 0,
	}, window))
}

// reshapeReference shows the form as what was ticked makes it: its button says Next when it leads on. What
// was uploaded is kept before: Slack does not promise that it stays in its field.
func (c *reference) reshapeReference(ctx context.Context, r bot.Request) error {
	if r.View == nil {
		return nil
	}
	form := cardstalk.TypedReference(*r.View)
	kept, err := c.albumOf(ctx, r)
	if err != nil && !errors.Is(err, store.ErrAbsent) { // submitting it says so
		return err
	}
	t, err := c.finder.OfForm(ctx, r)
	if err != nil {
		return err
	}
	if len(form.Uploads) > 0 && uploadProblems(form.Uploads) == "" {
		kept = c.filledIn(r, kept)
		if form.Note, err = c.jobs.Albums.SaveAlbum(ctx, r.ID, kept); err != nil {
			return err
		}
	}
	form.Photos, form.Upload = kept.Shown(), c.files != nil
	if c.files == nil {
		form.Intro = cardstalk.NoPublicURL
	}
	return c.windows.Fill(ctx, r, r.View.ExternalID, r.View.Hash, answer.Plain(cardstalk.References(t, form, r.View.ExternalID)))
}

// albumOf are the photos that a form brought along.
func (c *reference) albumOf(ctx context.Context, r bot.Request) (answers.Album, error) {
	note := kit.DecodeMeta(r.View.PrivateMetadata).Note
	if note == "" {
		return answers.Album{User: r.User}, nil
	}
	return c.jobs.Albums.Album(ctx, note, r.User)
}

// referencesDenied says why there is no form; what was to be in it is named.
func referencesDenied(why string, kept answers.Album, window string) answers.ViewFunc {
	return answer.Plain(cardstalk.ReferencesDenied(why, kept.Names(), kept.Instruction, window))
}

// submitReference takes the submitted form, on the ack path.
func (c *reference) submitReference(ctx context.Context, r bot.Request) (bot.Reply, error) {
	kept, err := c.albumOf(ctx, r)
	if errors.Is(err, store.ErrAbsent) {
		form, _ := cardstalk.DecodeReference(*r.View, 0)
		lost := cardstalk.ReferencesDenied(cardstalk.LostPhotos, form.URLs, form.Instruction, r.View.ExternalID)
		return c.windows.Reply(ctx, r, lost) // nothing was sent, and what was typed is shown
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if cardstalk.IsReferenceEach(*r.View) {
		return c.submittedReference(ctx, r, kit.DecodeMeta(r.View.PrivateMetadata).Channel, c.filledIn(r, kept))
	}
	form, problems := cardstalk.DecodeReference(*r.View, len(kept.Ready()))
	if why := uploadProblems(form.Uploads); why != "" {
		maps.Copy(problems, cardstalk.UploadProblem(*r.View, why))
	}
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	kept = c.filledIn(r, kept)
	if form.PerImage {
		return c.askForEach(ctx, r, form, kept)
	}
	kept.Each = nil
	return c.submittedReference(ctx, r, form.Channel, kept)
}

// filledIn is an album as either step of the form fills it in.
func (c *reference) filledIn(r bot.Request, a answers.Album) answers.Album {
	if each, all, second := cardstalk.DecodeReferenceEach(*r.View); second {
		return a.WithInstructions(each, all)
	}
	form := cardstalk.TypedReference(*r.View)
	a.Order, a.URLs, a.Instruction = form.Order, form.URLs, form.Instruction
	a.Photos = append(a.Ready(), c.photos.uploadsOf(form)...)
	return a
}

// typedAlbum is what a form that is still being filled in holds.
func (c *reference) typedAlbum(ctx context.Context, r bot.Request) (answers.Album, error) {
	had, err := c.albumOf(ctx, r)
	if errors.Is(err, store.ErrAbsent) {
		had, err = answers.Album{User: r.User}, nil
	}
	return c.filledIn(r, had), err
}

// askForEach keeps the images and shows the second step.
func (c *reference) askForEach(ctx context.Context, r bot.Request, form cardstalk.RefForm, kept answers.Album) (bot.Reply, error) {
	t, err := c.jobs.Finder.Visible(ctx, r, kept.Order)
	if errors.Is(err, jobs.ErrNotFound) {
		return c.windows.Reply(ctx, r, cardstalk.ReferencesDenied(cards.NotFound(kept.Order), kept.Names(), kept.Instruction, r.View.ExternalID))
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if form.Note, err = c.jobs.Albums.SaveAlbum(ctx, r.ID, kept); err != nil {
		return bot.Reply{}, err
	}
	c.saved.saveForOrder(ctx, r, kept)
	return c.windows.Reply(ctx, r, cardstalk.ReferenceEach(t, kept.Images(), form, r.View.ExternalID))
}

func (c *reference) submittedReference(ctx context.Context, r bot.Request, channel string, kept answers.Album) (bot.Reply, error) {
	body := jobs.ReferenceArgs{Asker: answers.AskerOf(r), Photos: kept.Ready(), URLs: kept.URLs, Instruction: kept.Instruction, Each: kept.Each}
	body.Channel, body.Order = channel, kept.Order
	t, err := c.submissions.boundTo(ctx, *r.View)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.submissions.putForm(ctx, r, submission{
		kind: job.Reference, order: body.Order, body: body, unnamed: t.ID == "",
		underWay: cardstalk.ReferencesSending(t, r.View.ExternalID), late: cardstalk.ReferencesLater(t, body.Names(), r.View.ExternalID),
	})
}
