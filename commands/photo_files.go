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

// photoFiles makes photos of Slack ready to be ordered.
type photoFiles struct {
	files *files.Signer
}

// filled is the draft with what was typed into its form.
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

// photosIn are the photos of a message, each with its public address, and the reasons
// for what cannot be ordered.
func (c *photoFiles) photosIn(came []jobs.SlackFile) (photos []store.DraftFile, left []string) {
	return c.photosUpTo(order.MaxImages, came)
}

// photosUpTo are at most so many of them.
func (c *photoFiles) photosUpTo(most int, came []jobs.SlackFile) (photos []store.DraftFile, left []string) {
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
		case why == cardstalk.UnreadFile, why == cardstalk.UnreadDirect:
			unread, direct = append(unread, name), why == cardstalk.UnreadDirect
		case why != "":
			left = append(left, name+": "+why)
		case len(photos) == most:
			left = append(left, fmt.Sprintf("%d more files: one order holds at most %d images.", len(came)-i, order.MaxImages))
			break judged
		default:
			photos = append(photos, c.photoFile(kit.Photo{ID: f.ID, Name: f.Name, Type: f.Mimetype, Size: f.Size}))
		}
	}
	if len(unread) > 0 {
		left = slices.Insert(left, 0, place.Unread(unread, direct))
	}
	return photos, left
}

// photoFile gives a photo the address under which the service fetches it; a new one for
// each attempt would look like another photo, so it is kept from then on.
func (c *photoFiles) photoFile(f kit.Photo) store.DraftFile {
	return store.DraftFile{ID: f.ID, Name: f.Name, Size: f.Size, URL: c.files.URL(f.ID, f.Name, time.Now())}
}

// formPhotos are the photos of a form as it is filled in: those kept that it shows, and
// those in its upload field.
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

// uploadsOf are the photos in a form's upload field, each with the address under which the service
// fetches it.
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

// photoProblem says why a file cannot be ordered, "" when it can.
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

// photoProblems names the uploads that cannot be ordered; "": all can.
func photoProblems(form place.Form) string { return uploadProblems(form.Photos) }

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
