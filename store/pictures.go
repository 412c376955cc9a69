package store

import (
	"context"
	"slices"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/script"
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
	return kv.Encode(e)
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

// ownPictures is how many events of an order have pictures of their own. More often no service replaces what it
// delivered; later events show what the snapshot has.
const ownPictures = 20

// keepPictures writes into the events of an order the pictures that the next snapshot no
// longer has. That is no change of the order: what was seen stays to be seen.
func (s *records) keepPictures(ctx context.Context, old stored, next order.Order) error {
	revision := old.Order.Rev()
	was := old.Order.EditedImages
	if len(was) == 0 || order.Fingerprint(ofRevision(was, revision)) == order.Fingerprint(ofRevision(next.EditedImages, revision)) {
		return nil
	}
	events, err := s.events(ctx, old.ID, 0, old.LastEvent-1)
	if err != nil {
		return err
	}
	var kept []script.Args
	own := 0
	for i, e := range events {
		if e.Kind != order.EventReady {
			continue
		}
		if own++; own <= ownPictures && e.Order.EditedImages == nil {
			kept = append(kept, script.Args{"place": i, "doc": kv.Encode(withPictures(events[i:i+1], old.Order)[0])})
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return s.stepCmd(ctx, "keep_pictures", old.Tracked, script.Args{"events": kept}).Err()
}
