package store

import (
	"context"
	"errors"

	"darkroom/order"
	"darkroom/store/kv"
)

// Thread is what a thread of photos held when somebody was asked which of them to order. It never changes:
// what is ordered is what was counted before their eyes.
type Thread struct {
	ID       string          `json:"id"` // of the draft that it is kept for
	User     string          `json:"user"`
	Words    []string        `json:"words,omitempty"` // of its first message, one instruction each
	Messages []ThreadMessage `json:"messages"`        // those with photos
	Skipped  []string        `json:"left,omitempty"`  // what is not among them, and why
	Own      []string        `json:"own,omitempty"`   // the same of the message that was chosen
}

// ThreadMessage is a message with photos.
type ThreadMessage struct {
	Number int         `json:"number"` // in the thread, from 1: what began it
	Words  []string    `json:"words,omitempty"`
	Photos []DraftFile `json:"photos"`
}

// ErrNoThread says that a thread is not kept any more.
var ErrNoThread = errors.New("no such thread")

// Photos are all photos of the thread, each once.
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

// Instructions are the words of the thread that go with all of its photos, each once: those of its first
// message, and of each with photos.
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

// Wordless is how many messages have photos and no words of their own.
func (t Thread) Wordless() (n int) {
	for _, m := range t.Messages {
		if len(m.Words) == 0 {
			n++
		}
	}
	return n
}

// Rows are one order for each message; what a message does not say it has of otherwise.
func (t Thread) Rows(otherwise order.BatchRow) []order.BatchRow {
	rows := make([]order.BatchRow, len(t.Messages))
	for i, m := range t.Messages {
		r := otherwise
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

func threadNote(id string) string { return "photos:" + id }

// PhotoThreads keeps threads of photos.
type PhotoThreads struct{ docs *DocumentStore }

// SaveThread keeps a thread as long as a draft.
func (s *PhotoThreads) SaveThread(ctx context.Context, t Thread) error {
	return s.docs.PutPersonal(ctx, t.User, threadNote(t.ID), t, draftLife)
}

// Thread returns a thread that was kept, or [ErrNoThread].
func (s *PhotoThreads) Thread(ctx context.Context, id string) (t Thread, err error) {
	err = s.docs.Get(ctx, threadNote(id), &t)
	if errors.Is(err, ErrAbsent) {
		err = kv.About("thread", id, ErrNoThread)
	}
	return t, err
}
