package store

import (
	"context"
	"time"
)

// OlderBlocksLife is for how long what is shown to a workspace begins with the older blocks once its
// Slack refused newer ones; then those are tried again.
const OlderBlocksLife = 24 * time.Hour

func olderBlocksNote(team string) string { return "older-blocks:" + team }

// OlderBlocks says that the workspace's Slack refused newer blocks less than [OlderBlocksLife] ago.
func (s *Store) OlderBlocks(ctx context.Context, team string) (bool, error) {
	var older bool
	err := s.GetIfThere(ctx, olderBlocksNote(team), &older)
	return older, err
}

// NoteOlderBlocks keeps that the workspace's Slack takes only the older blocks.
func (s *Store) NoteOlderBlocks(ctx context.Context, team string) error {
	return s.PutTTL(ctx, olderBlocksNote(team), true, OlderBlocksLife)
}
