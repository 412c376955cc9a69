package place

import (
	"darkroom/cards/kit"

	"github.com/slack-go/slack"
)

// Why a file is not read as a batch.
const (
	TableAlone = "A CSV file is ordered by itself, one order a row: take out everything else, or the file."
)

// BatchTable is the problem beside the file in a form, "" when the form can be read as a batch: what else it
// holds is for the rows that do not say it themselves.
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

// BatchBack is the form that a batch came from, and what it knows that its draft does not; the zero value is none.
type BatchBack struct {
	Draft     string `json:"draft,omitempty"`
	UploadGen int    `json:"upload_gen,omitempty"` // that its upload field has from now on: Slack fills one that it knows
	Credits   string `json:"credits,omitempty"`
}

// Back is the form to go back to from a file that cannot be placed.
func (f Form) Back() BatchBack { return BatchBack{f.Draft, f.UploadGen + 1, f.Credits} }

// LeadsBack marks a window that leads back to a form: of a window that was acted on, this is read and no title.
const LeadsBack = "back"

// Meta says so in a window.
func (b BatchBack) Meta() kit.Meta {
	if b.Draft == "" {
		return kit.Meta{}
	}
	return kit.Meta{Draft: b.Draft, Note: LeadsBack, UploadGen: b.UploadGen, Credits: b.Credits}
}
