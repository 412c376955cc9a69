package store

import "context"

// recordKeys are the keys with which every script begins that writes an event.
func recordKeys(id string) []string {
	return []string{
		orderKey(id), eventsKey(id), eventIDsKey(id), activeKey(), laggingKey(), finishedKey(), shrunkKey(),
	}
}

// ownerKeys are the indexes of an owner's orders; they follow next.
func ownerKeys(o Owner) []string {
	return []string{channelKey(o.Team, o.Channel), requesterKey(o.Team, o.Requester), channelsKey(o.Team)}
}

// activeKeys are the keys of a script that only keeps an order's entry among the active.
func activeKeys(id string) []string {
	return []string{orderKey(id), activeKey(), finishedKey(), shrunkKey()}
}

// rewrite reads an order and does a step on it, again as long as somebody else changes the
// order between its reading and its writing. It returns the order as it is then.
func (s *Store) rewrite(ctx context.Context, id string, step func(old stored) (result, error)) (Tracked, error) {
	err := retryOnConflict(orderError(id, ErrStale), func() (result, error) {
		old, err := s.load(ctx, id)
		if err != nil {
			return stale, err
		}
		result, err := step(old)
		return result, orderError(id, err)
	})
	if err != nil {
		return Tracked{}, err
	}
	return s.Order(ctx, id)
}
