package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"darkroom/store/kv"
	"darkroom/store/queue"
	"darkroom/store/script"
)

// ErrAbsent says that no document of that name is kept any more.
var ErrAbsent = errors.New("no such document")

// kept is what Redis holds: the document, and the call that put it. The second lets a
// call that is sent again because its answer was lost know its own document. Of is the person
// whose document it is; "": nobody's.
type kept struct {
	By  string          `json:"by"`
	Of  string          `json:"of,omitempty"`
	Doc json.RawMessage `json:"doc"`
}

// DocumentStore keeps documents, each under its name and for a while.
type DocumentStore struct {
	db    kv.DB
	queue *queue.Queue
}

// PutTTL keeps a document of the caller's under a name, until life is over, in place of one of the same name: what
// a person typed on one page of a form while they fill in the next, what was relayed.
func (s *DocumentStore) PutTTL(ctx context.Context, name string, doc any, life time.Duration) error {
	return s.PutPersonal(ctx, "", name, doc, life)
}

// PutPersonal is PutTTL for a document with a person's words, or of what only they see: [retention.People.Forget] finds
// it by their user id, which neither its name nor its text need have.
func (s *DocumentStore) PutPersonal(ctx context.Context, user, name string, doc any, life time.Duration) error {
	value, err := newDocument(user, doc, life)
	if err == nil {
		err = s.db.Redis.Set(ctx, s.db.Key("note", name), value, life).Err()
	}
	return documentError(name, err)
}

// PutIfAbsent is PutTTL for a name that must be new: false says that one of that name is kept already.
func (s *DocumentStore) PutIfAbsent(ctx context.Context, name string, doc any, life time.Duration) (bool, error) {
	value, err := newDocument("", doc, life)
	if err != nil {
		return false, documentError(name, err)
	}
	put, err := s.db.Acquire(ctx, s.db.Key("note", name), value, life)
	return put, documentError(name, err)
}

// Get reads a document into doc, or returns [ErrAbsent].
func (s *DocumentStore) Get(ctx context.Context, name string, doc any) error {
	var k kept
	err := s.db.ReadJSON(ctx, s.db.Key("note", name), &k, ErrAbsent)
	if err == nil {
		err = json.Unmarshal(k.Doc, doc)
	}
	return documentError(name, err)
}

// GetMany reads documents, each into what stands beside its name, in one call, and says which were there.
func (s *DocumentStore) GetMany(ctx context.Context, docs map[string]any) (there map[string]bool, err error) {
	names, keys := slices.Sorted(maps.Keys(docs)), make([]string, len(docs))
	for i, name := range names {
		keys[i] = s.db.Key("note", name)
	}
	values, err := s.db.Redis.MGet(ctx, keys...).Result()
	if err != nil {
		return nil, documentError(strings.Join(names, ", "), err)
	}
	there = make(map[string]bool, len(docs))
	for i, name := range names {
		value, is := values[i].(string)
		if !is {
			continue
		}
		var k kept
		err := json.Unmarshal([]byte(value), &k)
		if err == nil {
			err = json.Unmarshal(k.Doc, docs[name])
		}
		if err != nil {
			return nil, documentError(name, err)
		}
		there[name] = true
	}
	return there, nil
}

// GetIfThere is Get that leaves doc as it is when no such document is kept.
func (s *DocumentStore) GetIfThere(ctx context.Context, name string, doc any) error {
	err := s.Get(ctx, name, doc)
	if errors.Is(err, ErrAbsent) {
		return nil
	}
	return err
}

// Delete forgets a document; one that is not kept is fine.
func (s *DocumentStore) Delete(ctx context.Context, name string) error {
	return documentError(name, s.db.Redis.Del(ctx, s.db.Key("note", name)).Err())
}

func newDocument(user string, doc any, life time.Duration) (string, error) {
	if life < time.Millisecond { // Redis would refuse it or keep it for good
		return "", fmt.Errorf("cannot be kept for %v", life)
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		return "", err
	}
	return kv.Encode(kept{By: rand.Text(), Of: user, Doc: raw}), nil
}

// DocumentOwner returns the person whose document Redis has, "" for nobody's, and the document.
func DocumentOwner(value string) (user string, doc json.RawMessage, is bool) {
	var k kept
	is = json.Unmarshal([]byte(value), &k) == nil
	return k.Of, k.Doc, is
}

func documentError(name string, err error) error { return kv.About("document", name, err) }

// Documents keeps documents, each under its name and for a while. A [DocumentStore] does.
type Documents interface {
	PutTTL(ctx context.Context, name string, doc any, life time.Duration) error
	Get(ctx context.Context, name string, doc any) error
	Delete(ctx context.Context, name string) error
}

// Saved reads a document; there is false when it is not kept.
func Saved[T any](ctx context.Context, from Documents, name string) (doc T, there bool, err error) {
	err = from.Get(ctx, name, &doc)
	if errors.Is(err, ErrAbsent) {
		return doc, false, nil
	}
	return doc, err == nil, err
}

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
