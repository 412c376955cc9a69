package place

import (
	"darkroom/cards/kit"

	"github.com/slack-go/slack"
)

// Form errors of a file that is not read as a batch.
const TableAlone = "A CSV file is ordered by itself, one order a row: take out everything else, or the file."

// BatchTable returns what keeps the form from being read as a batch. Its other values are defaults for the
// rows.
func (f Form) BatchTable(view slack.View) Wrong {
	all, wrong := f.problems(view), Wrong{}
	for _, field := range []string{fieldChannel, fieldService, fieldProject, fieldCustomer} {
		if all[field] != "" {
			wrong[field] = all[field]
		}
	}
	if len(f.Photos)+len(f.Kept)+len(f.URLs) > 1 {
		wrong.Photos(view, TableAlone)
	}
	return wrong
}

// BatchBack leads from a batch back to its form. The zero value leads nowhere.
type BatchBack struct {
	Draft     string `json:"draft,omitempty"`
	UploadGen int    `json:"upload_gen,omitempty"` // of the form's new upload field: Slack refills a known one
	Credits   string `json:"credits,omitempty"`
}

// Back returns the way back to the form.
func (f Form) Back() BatchBack { return BatchBack{f.Draft, f.UploadGen + 1, f.Credits} }

// LeadsBack marks a window that leads back to a form. Code reads this mark, never the title.
const LeadsBack = "back"

// Meta returns the window's metadata.
func (b BatchBack) Meta() kit.Meta {
	if b.Draft == "" {
		return kit.Meta{}
	}
	return kit.Meta{Draft: b.Draft, Note: LeadsBack, UploadGen: b.UploadGen, Credits: b.Credits}
}
