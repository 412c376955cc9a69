package store

import (
	"context"
	"slices"

	"darkroom/order"

	"github.com/redis/go-redis/v9"
)

// The pictures of a delivery are half of what an order weighs, so they are kept once: in the
// snapshot. The event that tells of the delivery is written without them and gets them from
// there when it is read. Only when the service takes pictures out of its answer that an event
// shows are they written into the event, before the snapshot changes.

// doc is what is kept of an event.
func eventDoc(e order.Event) string {
	if e.Kind == order.EventReady {
		e.Order.EditedImages = nil
	}
	return encode(e)
}

// ofRevision is what there was to see when a revision was delivered, among all that was
// delivered so far. When all of it is numbered later, the service counts pictures otherwise
// than orders, and all of it was to be seen.
func ofRevision(images []order.EditedImage, revision int) []order.EditedImage {
	seen := slices.DeleteFunc(slices.Clone(images), func(i order.EditedImage) bool { return i.Revision > revision })
	if len(seen) == 0 {
		return images
	}
	return seen
}

// withPictures gives events the pictures that only the snapshot has.
func withPictures(events []order.Event, snapshot order.Order) []order.Event {
	for i, e := range events {
		if e.Kind == order.EventReady && e.Order.EditedImages == nil {
			events[i].Order.EditedImages = ofRevision(snapshot.EditedImages, e.Order.Rev())
		}
	}
	return events
}

// keepPictures writes into the events of an order the pictures that the next snapshot no
// longer has. That is no change of the order: what was seen stays to be seen.
func (s *Store) keepPictures(ctx context.Context, old stored, next order.Order) error {
	revision := old.Order.Rev()
	was := old.Order.EditedImages
	if len(was) == 0 || order.Fingerprint(ofRevision(was, revision)) == order.Fingerprint(ofRevision(next.EditedImages, revision)) {
		return nil
	}
	docs, err := s.rdb.LRange(ctx, eventsKey(old.ID), 0, old.LastEvent-1).Result()
	if err != nil {
		return err
	}
	events, err := decodeEvents(docs, 0)
	if err != nil {
		return err
	}
	args := []any{old.Version}
	for i, e := range events {
		if e.Kind == order.EventReady && e.Order.EditedImages == nil {
			args = append(args, i, encode(withPictures(events[i:i+1], old.Order)[0]))
		}
	}
	if len(args) == 1 {
		return nil
	}
	return keepPicturesScript.Run(ctx, s.rdb, []string{orderKey(old.ID), eventsKey(old.ID)}, args...).Err()
}

// KEYS: 1 order, 2 its events. ARGV: 1 version that must hold, then pairs of an event's place
// from 0 and its document. Returns 1, or 0 when the version is another, or the order has
// shrunk meanwhile, and its history with it.
var keepPicturesScript = redis.NewScript(`
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
if redis.call('HEXISTS', KEYS[1], 'order') == 0 then return 0 end
for i = 2, #ARGV, 2 do redis.call('LSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
return 1
`)
