package order

import (
	"cmp"
	"slices"
)

// Bounds on the data kept of an order. The service may be untrusted. [EventCut] tells people about data that was cut.
const (
	// MaxEntries is the most entries of a conversation, and the most edited images, that an order keeps.
	MaxEntries = 500
	keptSize   = 512 << 10 // bytes of either
	// MaxAnnounced is the most new entries of one answer that become events.
	MaxAnnounced = 100
	// MaxEvents is the number of events after which conversation makes no more events. After twice as many,
	// only acts of people here and the end of the order do.
	MaxEvents = 300
)

// The IDs of [EventCut] events. An order has each at most once.
const (
	CutEntries = "cut:entries"
	CutImages  = "cut:images"
	CutEvents  = "cut:events"
)

// KeptEntries returns the newest entries within the bounds. The entries must be oldest first.
func KeptEntries(all []Entry) []Entry {
	return newest(all, func(e Entry) int { return len(e.Content) })
}

// newest returns as many elements from the end as the bounds allow.
func newest[E any](all []E, size func(E) int) []E {
	first, sum := len(all), 0
	for first > max(0, len(all)-MaxEntries) {
		if sum += size(all[first-1]); sum > keptSize {
			break
		}
		first--
	}
	if first == 0 {
		return all
	}
	return slices.Clone(all[first:]) // so that the memory of the others is freed
}

// KeptImages returns the edited images within the bounds, in their order. The newest edit of each image has
// priority, then later revisions.
func KeptImages(all []EditedImage) []EditedImage {
	size := func(i EditedImage) int { return len(i.ID) + len(i.Name) + len(i.Size) + len(i.Thumb) + len(i.Origin) }
	if len(newest(all, size)) == len(all) {
		return all
	}
	latest := map[EditedImage]int{} // 1 for the newest edit of an image
	for _, image := range Latest(all) {
		latest[image] = 1
	}
	places := make([]int, len(all))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int {
		return cmp.Or(latest[all[a]]-latest[all[b]], cmp.Compare(all[a].Revision, all[b].Revision), cmp.Compare(b, a))
	})
	places = newest(places, func(i int) int { return size(all[i]) })
	slices.Sort(places)
	kept := make([]EditedImage, len(places))
	for i, place := range places {
		kept[i] = all[place]
	}
	return kept
}

// Bounded returns the events that an order with had earlier events may still get: see [MaxEvents]. An
// [EventCut] replaces the others.
func Bounded(events []Event, had int64) (kept []Event) {
	var cut []Event
	for _, e := range events {
		most := int64(2 * MaxEvents)
		if e.Kind == EventEditor || e.Kind == EventMessage {
			most = MaxEvents
		}
		if had+int64(len(kept)) < most || e.Actor != "" || e.Ends() {
			kept = append(kept, e)
			continue
		}
		cut = []Event{{ID: CutEvents, Kind: EventCut, Order: Trim(e.Order, EventCut), At: e.At}}
	}
	return append(kept, cut...)
}
