package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
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

// Settings returns a channel's settings.
func (s *Store) Settings(ctx context.Context, team, channel string) (Settings, error) {
	var settings Settings
	err := s.settings(ctx, team, channel, &settings)
	return settings, err
}

func (s *Store) settings(ctx context.Context, team, channel string, into any) error {
	doc, err := s.rdb.Get(ctx, settingsKey(team, channel)).Bytes()
	if errors.Is(err, redis.Nil) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(doc, into)
	}
	return settingsError(channel, err)
}

// SaveSettings keeps a channel's settings in place of those it had.
func (s *Store) SaveSettings(ctx context.Context, team, channel string, settings Settings) error {
	return settingsError(channel, s.rdb.Set(ctx, settingsKey(team, channel), encode(settings), 0).Err())
}

// Credits says who reads what the account has left.
type Credits string

// Who reads the credits. The zero value means CreditsMembers.
const (
	CreditsMembers   Credits = "members"   // every full member
	CreditsOperators Credits = "operators" // operators only
)

// Account are the settings that hold for all of a workspace's channels.
type Account struct {
	Credits Credits `json:"credits,omitempty"`
}

// Account returns the settings of the whole workspace.
func (s *Store) Account(ctx context.Context, team string) (Account, error) {
	var account Account
	err := s.settings(ctx, team, "", &account)
	return account, err
}

// SaveAccount keeps the settings of the whole workspace.
func (s *Store) SaveAccount(ctx context.Context, team string, account Account) error {
	return settingsError(team, s.rdb.Set(ctx, settingsKey(team, ""), encode(account), 0).Err())
}

func settingsError(channel string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("settings of %s: %w", channel, err)
}
