package store

import (
	"context"
	"strconv"
	"time"

	"darkroom/store/kv"
)

// Inbound is a kind of inbound request, or another sign of life.
type Inbound string

// The kinds whose last time is saved. Several kinds of Slack's requests share one.
const (
	InboundStart       Inbound = "start"       // the app was started, or still runs
	InboundCommand     Inbound = "command"     // a slash command came
	InboundInteraction Inbound = "interaction" // a button, a form, a shortcut
	InboundEvent       Inbound = "event"       // an event
	InboundVerified    Inbound = "verified"    // Slack verified the request URL
	InboundPoll        Inbound = "poll"        // a poll read an answer of the photo service
	InboundUnverified  Inbound = "unverified"  // a verification of the request URL came, signed with another secret
)

// Inbounds saves when each kind of request came last.
type Inbounds struct{ db kv.DB }

// NoteInbound saves when a request came. Operators read the times; they may be some minutes old.
func (s *Inbounds) NoteInbound(ctx context.Context, what Inbound, at time.Time) error {
	return kv.About("mark of", string(what), s.db.Redis.HSet(ctx, s.db.Key("heard"), string(what), at.UnixMilli()).Err())
}

// LastInbound returns when each kind came last, to any replica. Kinds that never came are absent.
func (s *Inbounds) LastInbound(ctx context.Context) (map[Inbound]time.Time, error) {
	fields, err := s.db.Redis.HGetAll(ctx, s.db.Key("heard")).Result()
	if err != nil {
		return nil, kv.About("marks", "heard", err)
	}
	last := make(map[Inbound]time.Time, len(fields))
	for what, at := range fields {
		if ms, err := strconv.ParseInt(at, 10, 64); err == nil {
			last[Inbound(what)] = time.UnixMilli(ms)
		}
	}
	return last, nil
}
