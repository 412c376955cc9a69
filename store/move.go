package store

import "context"

// Move hands an order to another channel of its team, in one step: its generation grows,
// the new channel gets a card and a thread of its own with the event "moved" by actor
// and every event that the old one has not been told yet; the old channel's lane gets a
// job of [LeaveKind]. An order that is in that channel already stays as it is.
func (s *Store) Move(ctx context.Context, id, channel, actor string) (Tracked, error) {
	return Tracked{}, errNotBuilt
}

// Untrack ends a channel's ownership: the event "untracked" by actor is announced, then
// nothing more; the order is in no list and is found by no name. See [Tracked.Left].
func (s *Store) Untrack(ctx context.Context, id, actor string) (Tracked, error) {
	return Tracked{}, errNotBuilt
}

// LeaveKind is the kind of the job that leaves an old place tidy: the card there says
// that the channel no longer has the order, and no button of its thread stays.
const LeaveKind = "leave"

// LeaveJob is the body of that job; it runs in the old channel's lane.
type LeaveJob struct {
	Order      string   `json:"order"`
	Team       string   `json:"team"`
	Channel    string   `json:"channel"`
	Generation int      `json:"generation"` // the old one: that of the messages there
	CardTS     string   `json:"card_ts"`
	Replies    []Posted `json:"replies,omitempty"` // those with buttons
}
