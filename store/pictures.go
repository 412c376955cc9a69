package store

import (
	"context"
	"slices"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// The pictures of a delivery are half of an order's size, so they are saved once: in the
// snapshot. The event of the delivery is saved without them and gets them from the snapshot
// when it is read. When the service drops pictures from its answer, they are written into the
// event before the snapshot changes.

// eventDoc returns an event as it is saved.
func eventDoc(e order.Event) string {
	if e.Kind == order.EventReady {
		e.Order.EditedImages = nil
	}
	return kv.Encode(e)
}

// ofRevision returns the images that a delivery of that revision showed, among all delivered
// so far. If all have higher numbers, the service numbers pictures differently from orders; then
// it returns all.
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

// ownPictures bounds how many events of an order have pictures of their own. No service replaces its deliveries
// more often; later events show the pictures of the snapshot.
const ownPictures = 20

// savePictures writes into the events of an order the pictures that the next snapshot no
// longer has. The order's version stays: people see the same pictures as before.
func (s *records) savePictures(ctx context.Context, old stored, next order.Order) error {
	revision := old.Order.Rev()
	was := old.Order.EditedImages
	if len(was) == 0 || order.Fingerprint(ofRevision(was, revision)) == order.Fingerprint(ofRevision(next.EditedImages, revision)) {
		return nil
	}
	events, err := s.events(ctx, old.ID, 0, old.LastEvent-1)
	if err != nil {
		return err
	}
	var changed []script.Args
	own := 0
	for i, e := range events {
		if e.Kind != order.EventReady {
			continue
		}
		if own++; own <= ownPictures && e.Order.EditedImages == nil {
			changed = append(changed, script.Args{"place": i, "doc": kv.Encode(withPictures(events[i:i+1], old.Order)[0])})
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return s.stepCmd(ctx, "keep_pictures", old.Tracked, script.Args{"events": changed}).Err()
}
