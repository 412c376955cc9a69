package store

import (
	"context"
	"errors"
	"time"
)

// ErrNoNote says that no note of that name is kept any more.
var ErrNoNote = errors.New("no such note")

// Note keeps a document of the caller's under a name for life, in place of one of the same name: what
// a person typed on one page of a form while they fill in the next, what was relayed.
func (s *Store) Note(ctx context.Context, name string, doc any, life time.Duration) error {
	return errNotBuilt
}

// NoteOnce is Note for a name that must be new: false says that one of that name is kept already.
func (s *Store) NoteOnce(ctx context.Context, name string, doc any, life time.Duration) (bool, error) {
	return false, errNotBuilt
}

// Noted reads a note into doc, or returns [ErrNoNote].
func (s *Store) Noted(ctx context.Context, name string, doc any) error {
	return errNotBuilt
}

// DropNote forgets a note; one that is not kept is fine.
func (s *Store) DropNote(ctx context.Context, name string) error {
	return errNotBuilt
}
