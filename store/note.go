package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// ErrNoNote says that no note of that name is kept any more.
var ErrNoNote = errors.New("no such note")

// note is what is kept: the document, and the call that kept it. The second lets a
// call that is sent again because its answer was lost know its own note.
type note struct {
	By  string          `json:"by"`
	Doc json.RawMessage `json:"doc"`
}

// Note keeps a document of the caller's under a name, until life is over, in place of one of the same name: what
// a person typed on one page of a form while they fill in the next, what was relayed.
func (s *Store) Note(ctx context.Context, name string, doc any, life time.Duration) error {
	value, err := newNote(doc, life)
	if err == nil {
		err = s.rdb.Set(ctx, noteKey(name), value, life).Err()
	}
	return noteError(name, err)
}

var noteOnceScript = newScript("note_once")

// noteOnceArgs are the argument of note_once.lua.
type noteOnceArgs struct {
	Value string `json:"value"`
	Life  int64  `json:"life,string"` // ms
}

// NoteOnce is Note for a name that must be new: false says that one of that name is kept already.
func (s *Store) NoteOnce(ctx context.Context, name string, doc any, life time.Duration) (bool, error) {
	value, err := newNote(doc, life)
	if err != nil {
		return false, noteError(name, err)
	}
	code, err := s.run(ctx, noteOnceScript, []string{noteKey(name)}, noteOnceArgs{value, life.Milliseconds()})
	return code == 1, noteError(name, err)
}

// Noted reads a note into doc, or returns [ErrNoNote].
func (s *Store) Noted(ctx context.Context, name string, doc any) error {
	value, err := s.rdb.Get(ctx, noteKey(name)).Bytes()
	if errors.Is(err, redis.Nil) {
		err = ErrNoNote
	}
	if err != nil {
		return noteError(name, err)
	}
	var n note
	if err := json.Unmarshal(value, &n); err != nil {
		return noteError(name, err)
	}
	return noteError(name, json.Unmarshal(n.Doc, doc))
}

// DropNote forgets a note; one that is not kept is fine.
func (s *Store) DropNote(ctx context.Context, name string) error {
	return noteError(name, s.rdb.Del(ctx, noteKey(name)).Err())
}

func newNote(doc any, life time.Duration) (string, error) {
	if life < time.Millisecond { // Redis would refuse it or keep it for good
		return "", fmt.Errorf("cannot be kept for %v", life)
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		return "", err
	}
	return encode(note{By: rand.Text(), Doc: raw}), nil
}

func noteError(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("note %s: %w", name, err)
}
