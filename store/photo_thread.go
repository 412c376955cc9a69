package store

import (
	"context"
	"errors"

	"darkroom/order"
	"darkroom/store/kv"
)

// Thread is a thread of photos at the moment when somebody was asked which of them to order. It never changes:
// the person orders the photos that they saw counted.
type Thread struct {
	ID       string          `json:"id"` // of its draft
	User     string          `json:"user"`
	Words    []string        `json:"words,omitempty"` // of its first message, one instruction each
	Messages []ThreadMessage `json:"messages"`        // those with photos
	Skipped  []string        `json:"left,omitempty"`  // the files that are left out, and why
	Own      []string        `json:"own,omitempty"`   // the files of the chosen message that are left out, and why
}

// ThreadMessage is a message with photos.
type ThreadMessage struct {
	Number int         `json:"number"` // in the thread, from 1
	Words  []string    `json:"words,omitempty"`
	Photos []DraftFile `json:"photos"`
}

// ErrNoThread says that a thread does not exist or has expired.
var ErrNoThread = errors.New("no such thread")

// Photos returns all photos of the thread, each once.
func (t Thread) Photos() (all []DraftFile) {
	seen := map[string]bool{}
	for _, m := range t.Messages {
		for _, f := range m.Photos {
			if !seen[f.ID] {
				seen[f.ID] = true
				all = append(all, f)
			}
		}
	}
	return all
}

// Instructions returns the words of the thread's first message and of the messages with photos, each line once.
// They go with all photos of the thread.
func (t Thread) Instructions() (all []string) {
	seen := map[string]bool{}
	add := func(words []string) {
		for _, line := range words {
			if !seen[line] {
				seen[line] = true
				all = append(all, line)
			}
		}
	}
	add(t.Words)
	for _, m := range t.Messages {
		add(m.Words)
	}
	return all
}

// Wordless returns how many messages have photos and no words.
func (t Thread) Wordless() (n int) {
	for _, m := range t.Messages {
		if len(m.Words) == 0 {
			n++
		}
	}
	return n
}

// Rows returns one order for each message. fallback gives the fields that a message does not have.
func (t Thread) Rows(fallback order.BatchRow) []order.BatchRow {
	rows := make([]order.BatchRow, len(t.Messages))
	for i, m := range t.Messages {
		r := fallback
		r.Line, r.Images = m.Number, nil
		for _, f := range m.Photos {
			r.Images = append(r.Images, f.URL)
		}
		if len(m.Words) > 0 {
			r.Name, r.Instructions = order.FirstWords(m.Words[0]), m.Words
		}
		rows[i] = r
	}
	return rows
}

func threadDoc(id string) string { return "photos:" + id }

// PhotoThreads saves threads of photos.
type PhotoThreads struct{ docs *DocumentStore }

// SaveThread saves a thread for as long as a draft.
func (s *PhotoThreads) SaveThread(ctx context.Context, t Thread) error {
	return s.docs.PutPersonal(ctx, t.User, threadDoc(t.ID), t, draftLife)
}

// Thread returns a saved thread, or [ErrNoThread].
func (s *PhotoThreads) Thread(ctx context.Context, id string) (t Thread, err error) {
	err = s.docs.Get(ctx, threadDoc(id), &t)
	if errors.Is(err, ErrAbsent) {
		err = kv.About("thread", id, ErrNoThread)
	}
	return t, err
}
