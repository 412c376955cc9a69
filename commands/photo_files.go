package commands

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/cards/kit"
	"darkroom/cards/place"
	cardstalk "darkroom/cards/talk"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/order"
	"darkroom/store"
)

// photoFiles prepares Slack's photos for an order.
type photoFiles struct {
	files *files.Signer
}

// filled returns the draft with the content of its form.
func (c *photoFiles) filled(draft store.Draft, form place.Form) store.Draft {
	if form.Channel != "" && form.Channel != draft.Channel {
		draft.Channel, draft.Unpostable = form.Channel, ""
	}
	if form.Service != "" {
		draft.Service = form.Service
	}
	draft.Files, draft.URLs, draft.Instructions = c.formPhotos(draft, form), form.URLs, form.Instructions
	draft.ProjectName, draft.CustomerID = form.ProjectName, form.CustomerID
	draft.SubmittedAt, draft.UpdatedAt = time.Now(), time.Now()
	return draft
}

// photosIn returns at most most of a message's photos with their public URLs, and a sentence for each file that cannot
// be ordered.
func (c *photoFiles) photosIn(attached []jobs.SlackFile, most int) (photos []store.DraftFile, skipped []string) {
	switch {
	case len(attached) == 0:
		return nil, []string{"This message has no photos of its own."}
	case c.files == nil:
		return nil, []string{"The photos of this message: the photo service could not fetch them from me. Whoever runs me can change that by setting PUBLIC_URL."}
	}
	var unread []string
	direct := false
judged:
	for i, f := range attached {
		name, why := cmp.Or(f.Name, "A file without a name"), f.Problem()
		switch {
		case why == cardstalk.UnreadFile, why == cardstalk.UnreadDirect:
			unread, direct = append(unread, name), why == cardstalk.UnreadDirect
		case why != "":
			skipped = append(skipped, name+": "+why)
		case len(photos) == most:
			skipped = append(skipped, fmt.Sprintf("%d more files: one order holds at most %d photos.", len(attached)-i, order.MaxImages))
			break judged
		default:
			photos = append(photos, c.photoFile(kit.Photo{ID: f.ID, Name: f.Name, Type: f.Mimetype, Size: f.Size}))
		}
	}
	if len(unread) > 0 {
		skipped = slices.Insert(skipped, 0, place.Unread(unread, direct))
	}
	return photos, skipped
}

// photoFile gives a photo its signed URL. The URL stays the same from then on: the service would take a new URL for
// another photo.
func (c *photoFiles) photoFile(f kit.Photo) store.DraftFile {
	return store.DraftFile{ID: f.ID, Name: f.Name, Size: f.Size, URL: c.files.URL(f.ID, f.Name, time.Now())}
}

// formPhotos returns the photos of a form: the saved ones that it shows, and the uploads.
func (c *photoFiles) formPhotos(d store.Draft, form place.Form) []store.DraftFile {
	var photos []store.DraftFile
	uploading := func(id string) bool {
		return slices.ContainsFunc(form.Photos, func(p kit.Photo) bool { return p.ID == id })
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

// uploadsOf returns the uploads of a reference form with their signed URLs.
func (c *photoFiles) uploadsOf(form cardstalk.RefForm) []answers.RefPhoto {
	if c.files == nil {
		return nil
	}
	var photos []answers.RefPhoto
	for _, p := range form.Uploads {
		photos = append(photos, answers.RefPhoto{Name: p.Name, File: p.ID, URL: c.photoFile(p).URL, Picture: true})
	}
	return photos
}

// photoProblem returns the reason that a file cannot be ordered, or "".
func photoProblem(f kit.Photo) string {
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

// uploadProblems names the uploads that cannot be ordered, with their reasons; "" if all can.
func uploadProblems(photos []kit.Photo) string {
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

func filesOf(m *slack.Message) []jobs.SlackFile {
	if m == nil {
		return nil
	}
	return jobs.SlackFiles(m.Files)
}
