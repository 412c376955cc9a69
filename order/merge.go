package order

import (
	"cmp"
	"slices"
	"time"

	"github.com/shopspring/decimal"
)

// Merge applies an answer to the known order. A field missing from the answer keeps its value. A new work
// period clears the old estimate and the old request time, unless the answer has new ones; work that resumes
// after a pause is not a new period. Conversations are united, so an answer with only the latest entries loses
// none. All times are in UTC: the service's offset is no change.
func Merge(old, seen Order) Order {
	m := old
	m.ID = cmp.Or(seen.ID, old.ID)
	m.ProjectName = cmp.Or(seen.ProjectName, old.ProjectName)
	m.CustomerID = cmp.Or(seen.CustomerID, old.CustomerID)
	m.Status = cmp.Or(seen.Status, old.Status)
	if seen.Revision != nil {
		m.Revision = new(*seen.Revision)
	}
	m.Price = mergePrice(old.Price, seen.Price)
	if newPeriod(old, m) {
		m.EstimatedDelivery = time.Time{}
		if old.Status != StatusRevising { // else the requested changes are ready, or more are requested
			m.RevisionRequestedAt = time.Time{}
		}
	}
	m.OrderedAt = cmp.Or(seen.OrderedAt, m.OrderedAt).UTC()
	m.EstimatedDelivery = cmp.Or(seen.EstimatedDelivery, m.EstimatedDelivery).UTC()
	m.RevisionRequestedAt = cmp.Or(seen.RevisionRequestedAt, m.RevisionRequestedAt).UTC()
	m.ClosedAt = cmp.Or(seen.ClosedAt, m.ClosedAt).UTC()
	m.CanceledAt = cmp.Or(seen.CanceledAt, m.CanceledAt).UTC()
	if seen.EditedImages != nil {
		m.EditedImages = seen.EditedImages
	}
	m.EditedImages = inUTC(m.EditedImages, func(i *EditedImage) *time.Time { return &i.UploadedAt })
	m.Conversation = inUTC(unite(old.Conversation, seen.Conversation), func(e *Entry) *time.Time { return &e.CreatedAt })
	return m
}

// newPeriod reports whether the editor started to work again, or did so in between.
func newPeriod(old, now Order) bool {
	begins := now.Status.Works() && now.Status != old.Status && old.Status != StatusPaused
	return begins || now.Rev() > old.Rev()
}

// mergePrice keeps the known digits of an equal amount.
func mergePrice(old, seen decimal.NullDecimal) decimal.NullDecimal {
	if !seen.Valid || old.Valid && old.Decimal.Equal(seen.Decimal) {
		return old
	}
	return seen
}

// inUTC returns a copy of list whose times are in UTC; nil stays nil.
func inUTC[E any](list []E, field func(*E) *time.Time) []E {
	list = slices.Clone(list)
	for i := range list {
		t := field(&list[i])
		*t = t.UTC()
	}
	return list
}

// unite returns the entries of both conversations, oldest first.
func unite(old, seen []Entry) []Entry {
	if seen == nil {
		return old
	}
	all := []Entry{}
	for _, l := range mergeConversation(old, seen) {
		all = append(all, l.Entry)
	}
	return all
}
