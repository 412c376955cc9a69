package store

import (
	"context"
	"slices"

	"darkroom/order"
)

// The pictures of a delivery are half of what an order weighs, so they are kept once: in the
// snapshot. The event that tells of the delivery is written without them and gets them from
// there when it is read. Only when the service takes pictures out of its answer that an event
// shows are they written into the event, before the snapshot changes.

// eventDoc is what is kept of an event.
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

var keepPicturesScript = newScript("keep_pictures")

// keepPicturesArgs are the argument of keep_pictures.lua.
type keepPicturesArgs struct {
	Version int64         `json:"version,string"` // that must hold
	Events  []placedEvent `json:"events"`
}

type placedEvent struct {
	Place int    `json:"place,string"` // from 0
	Doc   string `json:"doc"`
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
	args := keepPicturesArgs{Version: old.Version}
	for i, e := range events {
		if e.Kind == order.EventReady && e.Order.EditedImages == nil {
			args.Events = append(args.Events, placedEvent{i, encode(withPictures(events[i:i+1], old.Order)[0])})
		}
	}
	if len(args.Events) == 0 {
		return nil
	}
	return s.script(ctx, keepPicturesScript, []string{orderKey(old.ID), eventsKey(old.ID)}, args).Err()
}
