package commandstest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
)

// Thread is a thread's first message at Slack.
type Thread struct {
	slack.Message

	sync.Mutex
	reads int   // number of reads
	fails error // error of reading it
}

// Meets sets the error of reading the thread; nil: none.
func (t *Thread) Meets(err error) {
	t.Lock()
	defer t.Unlock()
	t.fails = err
}

// read returns the message and counts the read.
func (t *Thread) read() (slack.Message, error) {
	t.Lock()
	defer t.Unlock()
	t.reads++
	return t.Message, t.fails
}

// Looks returns the number of reads.
func (t *Thread) Looks() int {
	t.Lock()
	defer t.Unlock()
	return t.reads
}

// Root returns a thread's first message, or [client.ErrGone].
func (s *Screen) Root(_ context.Context, _, ts string) (slack.Message, error) {
	s.Lock()
	defer s.Unlock()
	t := s.threads[ts]
	if t == nil {
		return slack.Message{}, fmt.Errorf("conversations.replies: %w", client.ErrGone)
	}
	return t.read()
}

// Read returns a channel's messages, or the direct messages.
func (s *Screen) Read(ctx context.Context, r client.Reading) ([]slack.Message, error) {
	if strings.HasPrefix(r.Channel, "D") {
		return s.directs(r.Channel, r.Oldest), nil
	}
	return s.History(ctx, r.Channel, r.Oldest)
}

// History returns every first message of a thread in C1.
func (s *Screen) History(context.Context, string, time.Time) ([]slack.Message, error) {
	s.Lock()
	defer s.Unlock()
	var all []slack.Message
	for _, t := range s.threads {
		m, err := t.read()
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// Begins adds the first message of a thread to C1.
func (r *Rig) Begins(ts, user string, about cards.About) *Thread {
	t := &Thread{}
	t.Timestamp, t.User = ts, user
	if user == "UDARKROOM" {
		t.BotID = "BDARKROOM"
	}
	if about.Order != "" {
		t.Metadata = slack.SlackMetadata{EventType: cards.MetadataType, EventPayload: map[string]any{
			"order_id": about.Order, "event": about.Event, "generation": float64(about.Generation), // as JSON brings it
		}}
	}
	r.Screen.Lock()
	defer r.Screen.Unlock()
	if r.Screen.threads == nil {
		r.Screen.threads = map[string]*Thread{}
	}
	r.Screen.threads[ts] = t
	return t
}

// ErrNoScope is Slack's refusal of a thread for a missing scope.
var ErrNoScope = errors.Join(errors.New("conversations.replies: missing_scope"), client.ErrMissingScope)

// Begin returns a thread's first message and replies, at most so many, and whether there are more.
func (s *Screen) Begin(ctx context.Context, channel, ts string, most int) ([]slack.Message, bool, error) {
	root, err := s.Root(ctx, channel, ts)
	if err != nil {
		return nil, false, err
	}
	s.Lock()
	defer s.Unlock()
	all := append([]slack.Message{root}, s.Replies[ts]...)
	return all[:min(len(all), most)], len(all) > most, nil
}
