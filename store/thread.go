package store

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// foundLife is how long a thread counts as an order's that was found by its first message
// alone. The announcer makes it the order's for good when it records the card.
const foundLife = 24 * time.Hour

// FoundThread makes the message with that timestamp a thread of the order, for [Orders.ByThread]:
// it says so itself, and the card's record does not, or not yet.
func (s *Announcements) FoundThread(ctx context.Context, t Tracked, ts string) error {
	key := s.db.Key("thread", t.Owner.Team, t.Owner.Channel, ts)
	value := fmt.Sprintf("%d:%s", t.Owner.Generation, t.ID)
	return orderError(t.ID, s.db.Redis.SetNX(ctx, key, value, foundLife).Err())
}

// CardInDoubt tells whether a card may be out in the channel that is not recorded: the
// answer to its post was lost, or is still to come.
func (s *Announcements) CardInDoubt(ctx context.Context, team, channel string) (bool, error) {
	orders, err := s.unannouncedIn(ctx, team, channel)
	return slices.ContainsFunc(orders, func(t Tracked) bool { return t.InFlight != nil && t.InFlight.Event == 0 }), err
}
