package store

import (
	"context"
	"strconv"
	"time"
)

// Heard is something that the app hears of, for whoever asks when it last did.
type Heard string

// What is marked. One of Slack's requests has the name of its kind.
const (
	HeardStart       Heard = "start"       // the app was started, or still runs
	HeardCommand     Heard = "command"     // a slash command came
	HeardInteraction Heard = "interaction" // a button, a form, a shortcut
	HeardEvent       Heard = "event"       // an event
	HeardVerified    Heard = "verified"    // Slack verified the request URL
	HeardPoll        Heard = "poll"        // a poll read what the photo service told
	HeardUnverified  Heard = "unverified"  // a verification of it came, signed with another secret
)

// NoteHeard marks that something was heard of, at a time. Marks are for people: they may be some
// minutes old, and say nothing of who or what.
func (s *Store) NoteHeard(ctx context.Context, what Heard, at time.Time) error {
	return about("mark of", string(what), s.rdb.HSet(ctx, s.key("heard"), string(what), at.UnixMilli()).Err())
}

// LastHeard is when each thing was heard of last, by any replica; what never was is not there.
func (s *Store) LastHeard(ctx context.Context) (map[Heard]time.Time, error) {
	fields, err := s.rdb.HGetAll(ctx, s.key("heard")).Result()
	if err != nil {
		return nil, about("marks", "heard", err)
	}
	heard := make(map[Heard]time.Time, len(fields))
	for what, at := range fields {
		if ms, err := strconv.ParseInt(at, 10, 64); err == nil {
			heard[Heard(what)] = time.UnixMilli(ms)
		}
	}
	return heard, nil
}
