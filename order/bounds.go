package order

import (
	"cmp"
	"slices"
)

// The service may be somebody else's, so what is kept of what it sends has bounds. What is cut is told by the event
// [EventCut].
const (
	// MostKept is how many entries of a conversation, and how many edited images, an order has at most.
	MostKept = 500
	keptSize = 512 << 10 // bytes of either
	// MostTold is how many new entries one answer tells of.
	MostTold = 100
	// MostEvents is how many events an order has until its talk is told no more. Twice as many end all but what people here
	// do and how it ends.
	MostEvents = 300
)

// IDs of [EventCut], each of which an order has once.
const (
	CutEntries = "cut:entries"
	CutImages  = "cut:images"
	CutEvents  = "cut:events"
)

// KeptEntries are the newest of a conversation that is in order of time.
func KeptEntries(all []Entry) []Entry {
	return newest(all, func(e Entry) int { return len(e.Content) })
}

// newest are the last elements, as many as are kept.
func newest[E any](all []E, size func(E) int) []E {
	first, sum := len(all), 0
	for first > max(0, len(all)-MostKept) {
		if sum += size(all[first-1]); sum > keptSize {
			break
		}
		first--
	}
	if first == 0 {
		return all
	}
	return slices.Clone(all[first:]) // the others are let go
}

// KeptImages are the edited images that are kept, in their order: first the newest edit of each image, then newer rounds
// before older ones.
func KeptImages(all []EditedImage) []EditedImage {
	size := func(i EditedImage) int { return len(i.ID) + len(i.Name) + len(i.Size) + len(i.Thumb) + len(i.Origin) }
	if len(newest(all, size)) == len(all) {
		return all
	}
	latest := map[EditedImage]bool{}
	for _, image := range Latest(all) {
		latest[image] = true
	}
	places := make([]int, len(all))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int {
		if latest[all[a]] != latest[all[b]] {
			return map[bool]int{true: 1, false: -1}[latest[all[a]]]
		}
		return cmp.Or(cmp.Compare(all[a].Revision, all[b].Revision), cmp.Compare(b, a))
	})
	places = newest(places, func(i int) int { return size(all[i]) })
	slices.Sort(places)
	kept := make([]EditedImage, len(places))
	for i, place := range places {
		kept[i] = all[place]
	}
	return kept
}

// Bounded are the events that an order may still have which has that many: see [MostEvents]. What is left out is told once.
func Bounded(events []Event, had int64) (kept []Event) {
	var cut []Event
	for _, e := range events {
		most := int64(2 * MostEvents)
		if e.Kind == EventEditor || e.Kind == EventMessage {
			most = MostEvents
		}
		if had+int64(len(kept)) < most || e.Actor != "" || e.Ends() {
			kept = append(kept, e)
			continue
		}
		cut = []Event{{ID: CutEvents, Kind: EventCut, Order: Trim(e.Order, EventCut), At: e.At}}
	}
	return append(kept, cut...)
}
