package store

import (
	"context"
	"errors"
)

// Relay says which replies in an order's thread reach the editor.
type Relay string

// The relay modes. The zero value means RelayMentions.
const (
	RelayMentions Relay = "mentions" // only what somebody sends on purpose
	RelayReplies  Relay = "replies"  // every reply, but those that begin with //
)

// Settings are a channel's own; the zero value is what a channel has that set nothing.
type Settings struct {
	Relay Relay `json:"relay,omitempty"`
}

var errNotBuilt = errors.New("not built yet")

// Settings returns a channel's settings.
func (s *Store) Settings(ctx context.Context, team, channel string) (Settings, error) {
	return Settings{}, errNotBuilt
}

// SaveSettings keeps a channel's settings in place of those it had.
func (s *Store) SaveSettings(ctx context.Context, team, channel string, settings Settings) error {
	return errNotBuilt
}
