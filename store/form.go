package store

import (
	"context"
	"time"

	"darkroom/store/kv"
	"darkroom/store/queue"
	"darkroom/store/script"
)

// Form is a submitted form that becomes a job, and the documents that go with it.
type Form struct {
	Job queue.Job
	// Words is the document that holds what was typed, and Typed what is kept in its place, for Life; ""
	// = none.
	Words string
	Typed any
	User  string // whose words they are
	Life  time.Duration
	Over  string // is forgotten: the view that was on its way into the form's window
	Waits string // is looked for
}

// PutForm puts the job of a form and changes its documents, in one step. It tells whether there was no job
// of that id, and whether the document Waits is kept. If there was one, Over is forgotten and nothing else
// changes.
func (s *DocumentStore) PutForm(ctx context.Context, f Form) (added, waits bool, err error) {
	typed := ""
	if f.Words != "" {
		if typed, err = newDocument(f.User, f.Typed, f.Life); err != nil {
			return false, false, documentError(f.Words, err)
		}
	}
	code, err := s.db.Run(ctx, "put_form",
		script.Keys{"words": s.db.Key("note", f.Words), "over": s.db.Key("note", f.Over), "waits": s.db.Key("note", f.Waits)},
		script.Args{"typed": typed, "life": f.Life, "job": s.queue.PutArgs(ctx, f.Job)})
	return code&1 == 1, code&2 == 2, kv.About("form of job", f.Job.ID, err)
}
