// Package ordertest makes orders for tests.
package ordertest

import (
	"time"

	"darkroom/order"
)

// Noon is the time of all test data.
var Noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// Order returns an order as an answer without images describes it.
func Order(status order.Status, revision int) order.Order {
	return order.Order{Status: status, Revision: &revision}
}

// Delivered returns an order in review with these images at its revision.
func Delivered(revision int, images ...string) order.Order {
	o := Order(order.StatusReviewing, revision)
	o.EditedImages = []order.EditedImage{}
	for _, id := range images {
		o.EditedImages = append(o.EditedImages, order.EditedImage{ID: id, Revision: revision})
	}
	return o
}

// Talk returns the order with a conversation.
func Talk(o order.Order, entries ...order.Entry) order.Order {
	o.Conversation = entries
	return o
}

// Entry returns an entry written so many minutes after noon.
func Entry(from, content string, minute int) order.Entry {
	return order.Entry{From: from, Content: content, CreatedAt: Noon.Add(time.Duration(minute) * time.Minute)}
}

// IDs returns the IDs of events.
func IDs(events []order.Event) []string {
	var ids []string
	for _, e := range events {
		ids = append(ids, e.ID)
	}
	return ids
}

// Kinds returns the kinds of events.
func Kinds(events []order.Event) []order.EventKind {
	var kinds []order.EventKind
	for _, e := range events {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// Print returns the fingerprint of images delivered at revision 0.
func Print(images ...string) string { return order.Fingerprint(Delivered(0, images...).EditedImages) }
