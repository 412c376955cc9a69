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

// reference adds reference photos to an order.
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
	Verb: "reference", Usage: "reference [ID] urls…", Does: "adds reference photos to an order",
	Example: "reference K7Q2XM https://example.com/mood.jpg",
	More: []string{
		"Photos that are in Slack: “Add as reference” in their message's menu.",
	},
}

// reference adds the line's images at once, or opens the form if the line has none.
func (c *reference) reference(ctx context.Context, r bot.Request) error {
	t, line, err := c.finder.WholeLine(ctx, r, "reference")
	switch {
	case err != nil:
		return err
	case line != "":
		return c.referenceNow(ctx, r, t, urlsIn(line))
	}
	return c.orderWindows.Open(ctx, r, "reference", cardstalk.TitleReference, func(ctx context.Context, f resolve.Form) (answers.ViewFunc, error) {
		urls, before := urlsIn(f.Line), c.saved.typedBefore(ctx, r, kit.CallbackReference, f.Order)
		if len(urls) > 0 || before.Empty() {
			return c.referenceForm(f.Order, answers.Album{URLs: urls}, "", "", r.Channel, f.Window), nil
		}
		note, err := c.jobs.Albums.SaveAlbum(ctx, r.ID, before.Album)
		form := c.referenceForm(f.Order, before.Album, "", note, r.Channel, f.Window)
		return func(thumbs cards.Thumbs) slack.ModalViewRequest { return kit.WithSaved(form(thumbs), before.At) }, err
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

// addReference opens the form with a message's images.
func (c *reference) addReference(ctx context.Context, r bot.Request) error {
	return c.openAlbum(ctx, r, "")
}

// openAlbum opens the form with a message's images. Outside an order's thread, the person chooses the order in it.
func (c *reference) openAlbum(ctx context.Context, r bot.Request, intro string) error {
	attached := filesOf(r.Message)
	if r.Message != nil && len(attached) == 0 {
		intro = strings.TrimSpace(intro + " " + cardstalk.NoPhotos)
	}
	supply := func(ctx context.Context) (album answers.Album, note string, err error) {
		album = answers.Album{User: r.User, Photos: c.jobs.Albums.PhotosOf(c.jobs.Albums.Inspect(ctx, attached, unreadIn(r)))}
		note, err = c.jobs.Albums.SaveAlbum(ctx, r.ID, album)
		return album, note, err
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
		album, note, err := supply(ctx)
		if err != nil {
			return nil, err
		}
		why, err := c.finder.NothingToPick(ctx, r, order.VerbReference)
		if why != "" {
			return referencesDenied(why, album, window), err
		}
		return c.referenceForm(store.Tracked{}, album, intro, note, r.Channel, window), err
	})
}

// openAlbumOf opens an order's form. supply loads the images and the name of their document while the form says
// *loading*.
func (c *reference) openAlbumOf(ctx context.Context, r bot.Request, order, intro string, supply func(context.Context) (answers.Album, string, error)) error {
	r.Value = cards.Value(order, 0)
	return c.orderWindows.Open(ctx, r, "reference", cardstalk.TitleReference, func(ctx context.Context, f resolve.Form) (answers.ViewFunc, error) {
		album, note, err := supply(ctx)
		return c.referenceForm(f.Order, album, intro, note, r.Channel, f.Window), err
	})
}

// attach opens the form with images that an earlier message offered or returned.
func (c *reference) attach(ctx context.Context, r bot.Request) error {
	album, err := c.jobs.Albums.Album(ctx, r.Value, r.User)
	if errors.Is(err, store.ErrAbsent) {
		return c.answers.Send(ctx, r, cardstalk.OfferOld())
	}
	if err != nil {
		return err
	}
	return c.openAlbumOf(ctx, r, album.Order, "", func(context.Context) (answers.Album, string, error) { return album, r.Value, nil })
}

// referenceForm returns the filled form, or a notice with the reason that there is none.
func (c *reference) referenceForm(t store.Tracked, album answers.Album, intro, note, channel, window string) answers.ViewFunc {
	if c.files == nil {
		intro = strings.TrimSpace(intro + " " + cardstalk.NoPublicURL)
	}
	if why := cards.NoMessage(t); why != "" {
		return referencesDenied(why, album, window)
	}
	return answer.Static(cardstalk.References(t, cardstalk.RefForm{
		Intro: intro, Photos: album.Shown(), URLs: album.URLs, Instruction: album.Instruction,
		Note: note, Channel: channel, Upload: c.files != nil, PerImage: len(album.Each) > 0,
	}, window))
}

// reshapeReference redraws the form after a box was ticked. The submit button becomes *Next* if another step follows.
// Uploads are saved first: Slack does not promise to keep them in their field.
func (c *reference) reshapeReference(ctx context.Context, r bot.Request) error {
	if r.View == nil {
		return nil
	}
	form := cardstalk.TypedReference(*r.View)
	album, err := c.albumOf(ctx, r)
	if err != nil && !errors.Is(err, store.ErrAbsent) { // the submission reports it
		return err
	}
	t, err := c.finder.OfForm(ctx, r)
	if err != nil {
		return err
	}
	if len(form.Uploads) > 0 && uploadProblems(form.Uploads) == "" {
		album = c.filledIn(r, album)
		if form.Note, err = c.jobs.Albums.SaveAlbum(ctx, r.ID, album); err != nil {
			return err
		}
	}
	form.Photos, form.Upload = album.Shown(), c.files != nil
	if c.files == nil {
		form.Intro = cardstalk.NoPublicURL
	}
	return c.windows.Fill(ctx, r.View.ExternalID, r.View.Hash, answer.Static(cardstalk.References(t, form, r.View.ExternalID)))
}

// albumOf returns the images that the form was opened with.
func (c *reference) albumOf(ctx context.Context, r bot.Request) (answers.Album, error) {
	note := kit.DecodeMeta(r.View.PrivateMetadata).Note
	if note == "" {
		return answers.Album{User: r.User}, nil
	}
	return c.jobs.Albums.Album(ctx, note, r.User)
}

// referencesDenied says why there is no form, and lists what it would have held.
func referencesDenied(why string, album answers.Album, window string) answers.ViewFunc {
	return answer.Static(cardstalk.ReferencesDenied(why, album.Names(), album.Instruction, window))
}

// submitReference handles the submitted form, on the ack path.
func (c *reference) submitReference(ctx context.Context, r bot.Request) (bot.Reply, error) {
	album, err := c.albumOf(ctx, r)
	if errors.Is(err, store.ErrAbsent) {
		form, _ := cardstalk.DecodeReference(*r.View, 0)
		denied := cardstalk.ReferencesDenied(cardstalk.LostPhotos, form.URLs, form.Instruction, r.View.ExternalID)
		return c.windows.Reply(ctx, r, denied) // nothing was sent, and the notice repeats the text
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if page, second := cardstalk.ReferencePage(*r.View); second {
		return c.submittedEach(ctx, r, page, c.filledIn(r, album))
	}
	form, problems := cardstalk.DecodeReference(*r.View, len(album.Ready()))
	if why := uploadProblems(form.Uploads); why != "" {
		maps.Copy(problems, cardstalk.UploadProblem(*r.View, why))
	}
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	album = c.filledIn(r, album)
	if form.PerImage {
		return c.askForEach(ctx, r, form, album, 0)
	}
	album.Each = nil
	return c.submittedReference(ctx, r, form.Channel, album)
}

// filledIn returns the album with the content of either step of the form.
func (c *reference) filledIn(r bot.Request, a answers.Album) answers.Album {
	if own, second := cardstalk.DecodeReferenceEach(*r.View, len(a.Images())); second {
		if own.Last {
			a.Instruction = own.All
		}
		return a.WithInstructions(own.Each)
	}
	form := cardstalk.TypedReference(*r.View)
	a.Order, a.URLs, a.Instruction = form.Order, form.URLs, form.Instruction
	a.Photos = append(a.Ready(), c.photos.uploadsOf(form)...)
	return a
}

// typedAlbum returns the content of an unfinished form.
func (c *reference) typedAlbum(ctx context.Context, r bot.Request) (answers.Album, error) {
	before, err := c.albumOf(ctx, r)
	if errors.Is(err, store.ErrAbsent) {
		before, err = answers.Album{User: r.User}, nil
	}
	return c.filledIn(r, before), err
}

// submittedEach handles a submitted page of the second step.
func (c *reference) submittedEach(ctx context.Context, r bot.Request, page int, album answers.Album) (bot.Reply, error) {
	channel := kit.DecodeMeta(r.View.PrivateMetadata).Channel
	if page+1 < cardstalk.ReferencePages(len(album.Images())) {
		return c.askForEach(ctx, r, cardstalk.RefForm{Channel: channel, Instruction: album.Instruction}, album, page+1)
	}
	return c.submittedReference(ctx, r, channel, album)
}

// askForEach saves the photos and shows a page of the second step.
func (c *reference) askForEach(ctx context.Context, r bot.Request, form cardstalk.RefForm, album answers.Album, page int) (bot.Reply, error) {
	t, err := c.jobs.Finder.Visible(ctx, r, album.Order)
	if errors.Is(err, jobs.ErrNotFound) {
		return c.windows.Reply(ctx, r, cardstalk.ReferencesDenied(cards.NotFound(album.Order), album.Names(), album.Instruction, r.View.ExternalID))
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if form.Note, err = c.jobs.Albums.SaveAlbum(ctx, r.ID, album); err != nil {
		return bot.Reply{}, err
	}
	c.saved.saveForOrder(ctx, r, album)
	return c.windows.Reply(ctx, r, cardstalk.ReferenceEach(t, album.Images(), form, page, r.View.ExternalID))
}

func (c *reference) submittedReference(ctx context.Context, r bot.Request, channel string, album answers.Album) (bot.Reply, error) {
	body := jobs.ReferenceArgs{Asker: answers.AskerOf(r), Photos: album.Ready(), URLs: album.URLs, Instruction: album.Instruction, Each: album.Each}
	body.Channel, body.Order = channel, album.Order
	t, err := c.submissions.boundTo(ctx, *r.View)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.submissions.putForm(ctx, r, submission{
		kind: job.Reference, order: body.Order, body: body, orderChosen: t.ID == "",
		running: cardstalk.ReferencesSending(t, r.View.ExternalID), waiting: cardstalk.ReferencesLater(t, body.Names(), r.View.ExternalID),
	})
}
