package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
)

// ShortcutPhotos is the callback id of the message shortcut *Order these photos*.
const ShortcutPhotos = "order_photos"

// openPhotos opens the order form with the photos and the words of a message. Only files
// in the payload that Slack signed for this person become public; while the form says
// *loading*, Slack is asked which of them the app may read.
func (c *Commands) openPhotos(ctx context.Context, r bot.Request) error {
	if err := c.rejectKnownGuest(ctx, r); err != nil {
		return err
	}
	if file, is := batchOf(r); is {
		return c.openBatch(ctx, r, file)
	}
	fresh, came := newDraft(r), filesOf(r.Message)
	fresh.Files, _ = c.photosIn(came)
	_, err := c.openFresh(ctx, r, fresh, func(ctx context.Context, draft store.Draft) (store.Draft, cards.Around, error) {
		photos, left := c.photosIn(c.jobs.Albums.LookAt(ctx, came, unreadIn(r)))
		full, err := c.withPhotos(ctx, draft, fresh.Files, photos)
		if err == nil {
			full, err = c.withInstructions(ctx, r, full)
		}
		around := c.aroundOf(full)
		around.Left = left
		if err == nil {
			c.addThread(ctx, r, full, &around)
		}
		return full, around, err
	})
	return err
}

func filesOf(m *slack.Message) []jobs.SlackFile {
	if m == nil {
		return nil
	}
	return jobs.SlackFiles(m.Files)
}

// photosIn are the photos of a message, each with its public address, and the reasons
// for what cannot be ordered.
func (c *Commands) photosIn(came []jobs.SlackFile) (photos []store.DraftFile, left []string) {
	return c.photosUpTo(order.MaxImages, came)
}

// photosUpTo are at most so many of them.
func (c *Commands) photosUpTo(most int, came []jobs.SlackFile) (photos []store.DraftFile, left []string) {
	switch {
	case len(came) == 0:
		return nil, []string{"This message has no photos of its own."}
	case c.files == nil:
		return nil, []string{"The photos of this message: the photo service could not fetch them from me. Whoever runs me can change that by setting PUBLIC_URL."}
	}
	var unread []string
	direct := false
judged:
	for i, f := range came {
		name, why := cmp.Or(f.Name, "A file without a name"), f.Problem()
		switch {
		case why == cards.UnreadFile, why == cards.UnreadDirect:
			unread, direct = append(unread, name), why == cards.UnreadDirect
		case why != "":
			left = append(left, name+": "+why)
		case len(photos) == most:
			left = append(left, fmt.Sprintf("%d more files: one order holds at most %d images.", len(came)-i, order.MaxImages))
			break judged
		default:
			photos = append(photos, c.photoFile(cards.Photo{ID: f.ID, Name: f.Name, Type: f.Mimetype, Size: f.Size}))
		}
	}
	if len(unread) > 0 {
		left = slices.Insert(left, 0, cards.Unread(unread, direct))
	}
	return photos, left
}

// withPhotos puts what Slack tells of a message's photos into the draft that was begun with
// what came of them. A photo keeps its address; one that was taken out meanwhile stays out.
func (c *Commands) withPhotos(ctx context.Context, draft store.Draft, began, photos []store.DraftFile) (store.Draft, error) {
	same := func(a, b store.DraftFile) bool { return a.ID == b.ID }
	if slices.EqualFunc(draft.Files, photos, same) {
		return draft, nil
	}
	kept, err := c.store.EditDraft(ctx, draft.ID, func(d *store.Draft) error {
		if !slices.EqualFunc(d.Files, began, same) {
			return nil
		}
		for i, f := range photos {
			if at := slices.IndexFunc(d.Files, func(old store.DraftFile) bool { return same(f, old) }); at >= 0 {
				photos[i].URL = d.Files[at].URL
			}
		}
		d.Files = photos
		return nil
	})
	if errors.Is(err, store.ErrDraftMoved) { // it is being placed: the window says so
		err = nil
	}
	return kept, err
}

// withInstructions makes the words of the message the draft's instructions, one line each.
func (c *Commands) withInstructions(ctx context.Context, r bot.Request, draft store.Draft) (store.Draft, error) {
	if r.Message == nil || strings.TrimSpace(r.Message.Text) == "" || len(draft.Instructions) > 0 {
		return draft, nil
	}
	words, err := bot.Plain(ctx, c.slack, r.Message.Text)
	if err != nil {
		return draft, err
	}
	return c.store.EditDraft(ctx, draft.ID, func(d *store.Draft) error {
		if len(d.Instructions) == 0 {
			d.Instructions = shortLines(order.Lines(words))
		}
		return nil
	})
}

// lineRoom is how many bytes of one line certainly fit a box of Slack's.
const lineRoom = 2900

// shortLines parts lines that no box could show, between words.
func shortLines(lines []string) []string {
	var all []string
	for _, line := range lines {
		for len(line) > lineRoom {
			end := strings.LastIndexByte(line[:lineRoom], ' ')
			if end <= 0 {
				end = len(strings.ToValidUTF8(line[:lineRoom], ""))
			}
			all, line = append(all, line[:end]), strings.TrimSpace(line[end:])
		}
		all = append(all, line)
	}
	return all
}

// photoProblem says why a file cannot be ordered, "" when it can.
func photoProblem(f cards.Photo) string {
	switch err := files.Check(f.Name, f.Type, f.Size); {
	case errors.Is(err, files.ErrNotPicture):
		return "is not a photo that can be ordered: JPEG, PNG, GIF, WebP, TIFF, HEIC and camera raw can."
	case errors.Is(err, files.ErrTooLarge):
		return fmt.Sprintf("is larger than %d MB.", files.MaxSize>>20)
	case errors.Is(err, files.ErrEmpty):
		return "is empty."
	case err != nil:
		return "cannot be ordered."
	}
	return ""
}

// photoFile gives a photo the address under which the service fetches it; a new one for
// each attempt would look like another photo, so it is kept from then on.
func (c *Commands) photoFile(f cards.Photo) store.DraftFile {
	return store.DraftFile{ID: f.ID, Name: f.Name, Size: f.Size, URL: c.files.URL(f.ID, f.Name, time.Now())}
}

// formPhotos are the photos of a form as it is filled in: those kept that it shows, and
// those in its upload field.
func (c *Commands) formPhotos(d store.Draft, form cards.Form) []store.DraftFile {
	var photos []store.DraftFile
	uploading := func(id string) bool {
		return slices.ContainsFunc(form.Photos, func(p cards.Photo) bool { return p.ID == id })
	}
	for _, f := range d.Files {
		if slices.Contains(form.Kept, f.ID) || uploading(f.ID) {
			photos = append(photos, f)
		}
	}
	for _, p := range form.Photos {
		known := slices.ContainsFunc(photos, func(f store.DraftFile) bool { return f.ID == p.ID })
		if !known && c.files != nil && photoProblem(p) == "" {
			photos = append(photos, c.photoFile(p))
		}
	}
	return photos
}

// photoProblems names the uploads that cannot be ordered, "" when there are none.
func photoProblems(form cards.Form) string { return uploadProblems(form.Photos) }

func uploadProblems(photos []cards.Photo) string {
	var reasons []string
	for _, p := range photos {
		if why := photoProblem(p); why != "" {
			reasons = append(reasons, cmp.Or(p.Name, "A file without a name")+" "+why)
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return strings.Join(reasons, " ") + " Take it out, and everything else stays."
}

// removePhoto takes a kept photo out of a draft; what is being typed stays.
func (c *Commands) removePhoto(ctx context.Context, r bot.Request) error {
	id, file, ok := cards.ParsePhotoValue(r.Value)
	if !ok {
		return draftGone(store.ErrNoDraft)
	}
	var form cards.Form
	draft, err := c.store.EditDraft(ctx, id, func(d *store.Draft) error {
		if d.User != r.User {
			return store.ErrNoDraft
		}
		if inForm(r) {
			if form = cards.DecodeTyped(*r.View); form.Attempt == d.Attempt && form.Draft == d.ID {
				*d = c.filled(*d, form)
			}
		}
		removeFile(d, file)
		return nil
	})
	switch {
	case errors.Is(err, store.ErrDraftMoved) && inForm(r):
		return nil // it is being placed as it was submitted; the window says so
	case errors.Is(err, store.ErrDraftMoved):
		return c.draftShown(ctx, r, draft)
	case err != nil:
		return draftGone(err)
	case !inForm(r):
		return c.tell(ctx, r, cards.Reopen(draft, "The photo is taken out of your order. Nothing else has changed."))
	}
	return c.replaceForm(ctx, r, draft, form)
}

func removeFile(d *store.Draft, file string) {
	d.Files = slices.DeleteFunc(d.Files, func(f store.DraftFile) bool {
		if f.ID != file {
			return false
		}
		delete(d.Each, f.URL)
		for i := range d.Problems { // a name that is still known when its address is not
			d.Problems[i] = strings.ReplaceAll(d.Problems[i], f.URL, f.Name)
		}
		return true
	})
}

// unreadIn is the sentence about a file that the app may not read, by where it was chosen:
// nobody can invite the app into a direct message between people.
func unreadIn(r bot.Request) string {
	if inGroup(r) || r.Channel != "" && jobs.Postable(r.Channel) == "" {
		return cards.UnreadDirect
	}
	return cards.UnreadFile
}
