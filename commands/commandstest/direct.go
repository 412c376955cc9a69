package commandstest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
)

// Sent returns the direct messages and files that arrived, oldest first. An edited message appears once.
func (s *Screen) Sent() []slack.Message {
	s.Lock()
	defer s.Unlock()
	return slices.Clone(s.sent)
}

// Writes adds another author's message to a person's direct messages with the app.
func (s *Screen) Writes(user string, m slack.Message) {
	s.Lock()
	defer s.Unlock()
	m.Timestamp = fmt.Sprintf("%d.%06d", time.Now().Unix(), len(s.sent))
	m.Channel, m.User = "D"+user, user
	s.sent = append(s.sent, m)
}

// DM posts a direct message.
func (s *Screen) DM(_ context.Context, user string, p client.Post) (channel, ts string, err error) {
	s.Lock()
	defer s.Unlock()
	if s.Denied != nil {
		return "", "", fmt.Errorf("chat.postMessage: %w", s.Denied)
	}
	if s.NoDMs != nil {
		return "", "", fmt.Errorf("chat.postMessage: %w", s.NoDMs)
	}
	if s.Busy > 0 {
		s.Busy--
		return "", "", fmt.Errorf("chat.postMessage: %w", client.ErrTryLater)
	}
	m := slack.Message{Msg: slack.Msg{Text: p.Text}}
	if p.Metadata != nil {
		m.Metadata = *p.Metadata
	}
	ts, err = s.arrives(user, p.Text+Text(p.Blocks), m)
	if err != nil {
		return "", "", fmt.Errorf("chat.postMessage: %w", err)
	}
	return "D" + user, ts, nil
}

// arrives adds a message of the app to a person's direct messages. With [Screen.LostAnswers], the message or its answer may
// be lost.
func (s *Screen) arrives(user, says string, m slack.Message) (ts string, err error) {
	there := true
	if len(s.LostAnswers) > 0 {
		there, s.LostAnswers, err = s.LostAnswers[0], s.LostAnswers[1:], client.ErrUnknownOutcome
	}
	if there {
		s.notify(&s.DMs, says)
		m.Timestamp = fmt.Sprintf("%d.%06d", time.Now().Unix(), len(s.sent))
		m.Channel, m.BotID, m.User = "D"+user, "BDARKROOM", "UDARKROOM"
		s.sent = append(s.sent, m)
	}
	return m.Timestamp, err
}

// Edit edits a direct message.
func (s *Screen) Edit(_ context.Context, ts string, p client.Post) error {
	s.Lock()
	defer s.Unlock()
	at := slices.IndexFunc(s.sent, func(m slack.Message) bool { return m.Channel == p.Channel && m.Timestamp == ts })
	switch {
	case s.NoEdits != nil:
		return fmt.Errorf("chat.update: %w", s.NoEdits)
	case at < 0:
		return fmt.Errorf("chat.update: %w", client.ErrGone)
	}
	s.sent[at].Text = p.Text
	s.notify(&s.DMs, p.Text+Text(p.Blocks))
	return nil
}

// ShareFiles shares files in a direct message.
func (s *Screen) ShareFiles(_ context.Context, channel, _, comment string, files []slack.FileSummary) error {
	s.Lock()
	defer s.Unlock()
	if s.NoShare != nil {
		return fmt.Errorf("files.completeUploadExternal: %w", s.NoShare)
	}
	m := slack.Message{Msg: slack.Msg{Text: comment}}
	for _, f := range files {
		comment += "\n" + f.Title
		m.Files = append(m.Files, slack.File{ID: f.ID, Name: f.Title})
	}
	if _, err := s.arrives(strings.TrimPrefix(channel, "D"), comment, m); err != nil {
		return fmt.Errorf("files.completeUploadExternal: %w", err)
	}
	return nil
}

// Direct returns the channel of a person's direct messages.
func (s *Screen) Direct(_ context.Context, user string) (string, error) { return "D" + user, nil }

// directs returns a channel's direct messages since oldest, oldest first.
func (s *Screen) directs(channel string, oldest time.Time) (found []slack.Message) {
	s.Lock()
	defer s.Unlock()
	for _, m := range s.sent {
		at, _ := strconv.ParseFloat(m.Timestamp, 64)
		if m.Channel == channel && at >= float64(oldest.Unix()) {
			found = append(found, m)
		}
	}
	return found
}
