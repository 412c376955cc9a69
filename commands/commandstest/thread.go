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

// Thread is what Slack has of a thread's first message.
type Thread struct {
	slack.Message

	sync.Mutex
	reads int   // how often it was read
	fails error // what reading it meets
}

// Meets is what reading it meets from now on; nil: nothing.
func (t *Thread) Meets(err error) {
	t.Lock()
	defer t.Unlock()
	t.fails = err
}

// read is one look at it.
func (t *Thread) read() (slack.Message, error) {
	t.Lock()
	defer t.Unlock()
	t.reads++
	return t.Message, t.fails
}

// Looks is how often it was read.
func (t *Thread) Looks() int {
	t.Lock()
	defer t.Unlock()
	return t.reads
}

// Root reads a thread's first message; one that nobody wrote is not there.
func (s *Screen) Root(_ context.Context, _, ts string) (slack.Message, error) {
	s.Lock()
	defer s.Unlock()
	t := s.threads[ts]
	if t == nil {
		return slack.Message{}, fmt.Errorf("conversations.replies: %w", client.ErrGone)
	}
	return t.read()
}

// Read is what a reading of them all finds.
func (s *Screen) Read(ctx context.Context, r client.Reading) ([]slack.Message, error) {
	if strings.HasPrefix(r.Channel, "D") {
		return s.directs(r.Channel, r.Oldest), nil
	}
	return s.History(ctx, r.Channel, r.Oldest)
}

// History is every message of #shoots that a thread hangs from.
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

// Begins puts a message into #shoots that a thread hangs from.
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

// ErrNoScope is Slack refusing to show a thread for want of a scope.
var ErrNoScope = errors.Join(errors.New("conversations.replies: missing_scope"), client.ErrMissingScope)

// Begin reads a thread's first message and its replies, as far as somebody wrote any.
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
