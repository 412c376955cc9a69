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

// ErrAbsent says that no document has that name: it expired, or never existed.
var ErrAbsent = errors.New("no such document")

// ttlDoc is a document as Redis has it.
type ttlDoc struct {
	By  string          `json:"by"`           // the call that saved it: a call that is sent again finds its own document
	Of  string          `json:"of,omitempty"` // the person that it belongs to; "": nobody
	Doc json.RawMessage `json:"doc"`
}

// DocumentStore saves documents under a name, each with a time to live.
type DocumentStore struct {
	db    kv.DB
	queue *queue.Queue
}

// PutTTL saves a document under a name for life, and replaces an older one: the words of a form's first page, say,
// while its second is filled in.
func (s *DocumentStore) PutTTL(ctx context.Context, name string, doc any, life time.Duration) error {
	return s.PutPersonal(ctx, "", name, doc, life)
}

// PutPersonal is PutTTL for a document with a person's words, or with views that only they see.
// [retention.People.Forget] finds it by their user id.
func (s *DocumentStore) PutPersonal(ctx context.Context, user, name string, doc any, life time.Duration) error {
	value, err := newDocument(user, doc, life)
	if err == nil {
		err = s.db.Redis.Set(ctx, s.db.Key("note", name), value, life).Err()
	}
	return documentError(name, err)
}

// PutIfAbsent is PutTTL for a new name. It returns false if a document has that name.
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
	value, err := s.read(ctx, name, doc)
	if err == nil && value == "" {
		err = ErrAbsent
	}
	return documentError(name, err)
}

// read decodes a document into doc. It returns the text that Redis has, or "" without a document.
func (s *DocumentStore) read(ctx context.Context, name string, doc any) (value string, err error) {
	var saved ttlDoc
	value, err = s.db.ReadDoc(ctx, s.db.Key("note", name), &saved)
	if err == nil && value != "" {
		err = json.Unmarshal(saved.Doc, doc)
	}
	return value, err
}

// GetMany reads documents in one call, each into the value beside its name. It returns the names that exist.
func (s *DocumentStore) GetMany(ctx context.Context, docs map[string]any) (found map[string]bool, err error) {
	names, keys := slices.Sorted(maps.Keys(docs)), make([]string, len(docs))
	for i, name := range names {
		keys[i] = s.db.Key("note", name)
	}
	values, err := s.db.Redis.MGet(ctx, keys...).Result()
	if err != nil {
		return nil, documentError(strings.Join(names, ", "), err)
	}
	found = make(map[string]bool, len(docs))
	for i, name := range names {
		value, exists := values[i].(string)
		if !exists {
			continue
		}
		if err := decodeDocument(value, docs[name]); err != nil {
			return nil, documentError(name, err)
		}
		found[name] = true
	}
	return found, nil
}

// GetIfThere is Get that leaves doc unchanged when the document is absent.
func (s *DocumentStore) GetIfThere(ctx context.Context, name string, doc any) error {
	_, err := s.read(ctx, name, doc)
	return documentError(name, err)
}

// Delete deletes a document; an absent one is no error.
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
	return kv.Encode(ttlDoc{By: rand.Text(), Of: user, Doc: raw}), nil
}

// decodeDocument reads a document as Redis has it.
func decodeDocument(value string, doc any) error {
	var saved ttlDoc
	err := json.Unmarshal([]byte(value), &saved)
	if err == nil {
		err = json.Unmarshal(saved.Doc, doc)
	}
	return err
}

// DocumentOwner decodes a value of Redis. It returns the document and the person that it belongs to; "": nobody.
// ok is false for a value of another form.
func DocumentOwner(value string) (user string, doc json.RawMessage, ok bool) {
	var saved ttlDoc
	ok = json.Unmarshal([]byte(value), &saved) == nil
	return saved.Of, saved.Doc, ok
}

func documentError(name string, err error) error { return kv.About("document", name, err) }

// Documents saves documents under names, each with a time to live. [DocumentStore] implements it.
type Documents interface {
	PutTTL(ctx context.Context, name string, doc any, life time.Duration) error
	Get(ctx context.Context, name string, doc any) error
	Delete(ctx context.Context, name string) error
}

// Saved reads a document; found is false when it is absent.
func Saved[T any](ctx context.Context, from Documents, name string) (doc T, found bool, err error) {
	err = from.Get(ctx, name, &doc)
	if errors.Is(err, ErrAbsent) {
		return doc, false, nil
	}
	return doc, err == nil, err
}

// Form is a submitted form that becomes a job, and the documents that go with it.
type Form struct {
	Job   queue.Job
	Words string // the document that Typed replaces; "": no document
	Typed any    // the person's words
	User  string // who typed them
	Life  time.Duration
	Over  string // the document to delete: the view that was on its way into the form's window
	Waits string // the document to look for
}

// PutForm puts the job of a form and changes its documents, in one step. added says that the job's id was
// new; waits says that the document Waits exists. If a job has that id, PutForm only deletes Over.
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
