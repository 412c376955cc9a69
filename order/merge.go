package order

import (
	"slices"
	"time"

	"github.com/shopspring/decimal"
)

// Merge lays what an answer told over what was known: absent is not zero, and
// never overwrites. Two things need more. A new work period ends the old
// estimate, and what was asked for before it, unless the answer gives a new one; work that goes on after a pause is none. Conversations are united, so
// that an answer with only the latest entries forgets none.
func Merge(old, seen Order) Order {
	m := old
	set(&m.ID, seen.ID)
	set(&m.ProjectName, seen.ProjectName)
	set(&m.CustomerID, seen.CustomerID)
	set(&m.Status, seen.Status)
	if seen.Revision != nil {
		m.Revision = new(*seen.Revision)
	}
	m.Price = mergePrice(old.Price, seen.Price)
	if newPeriod(old, m) {
		m.EstimatedDelivery = time.Time{}
		if old.Status != StatusRevising { // else it is what was asked for that is ready, or asked for further
			m.RevisionRequestedAt = time.Time{}
		}
	}
	mergeTimes(&m, seen)
	if seen.EditedImages != nil {
		m.EditedImages = seen.EditedImages
	}
	m.EditedImages = inUTC(m.EditedImages, func(i *EditedImage) *time.Time { return &i.UploadedAt })
	m.Conversation = inUTC(unite(old.Conversation, seen.Conversation), func(e *Entry) *time.Time { return &e.CreatedAt })
	return m
}

// newPeriod says that the editor works on the order anew, or did meanwhile.
func newPeriod(old, now Order) bool {
	begins := now.Status.Works() && now.Status != old.Status && old.Status != StatusPaused
	return begins || now.Rev() > old.Rev()
}

func set[T ~string](to *T, from T) {
	if from != "" {
		*to = from
	}
}

// mergePrice keeps the digits it has when the amount is the same.
func mergePrice(old, seen decimal.NullDecimal) decimal.NullDecimal {
	if !seen.Valid || old.Valid && old.Decimal.Equal(seen.Decimal) {
		return old
	}
	return seen
}

// mergeTimes writes every time in UTC: the service's offset is no change.
func mergeTimes(m *Order, seen Order) {
	for _, t := range []struct {
		to   *time.Time
		from time.Time
	}{
		{&m.OrderedAt, seen.OrderedAt},
		{&m.EstimatedDelivery, seen.EstimatedDelivery},
		{&m.RevisionRequestedAt, seen.RevisionRequestedAt},
		{&m.ClosedAt, seen.ClosedAt},
		{&m.CanceledAt, seen.CanceledAt},
	} {
		if !t.from.IsZero() {
			*t.to = t.from
		}
		if !t.to.IsZero() {
			*t.to = t.to.UTC()
		}
	}
}

// inUTC returns a copy of list whose times are in UTC; nil stays nil.
func inUTC[E any](list []E, field func(*E) *time.Time) []E {
	list = slices.Clone(list)
	for i := range list {
		if t := field(&list[i]); !t.IsZero() {
			*t = t.UTC()
		}
	}
	return list
}

// unite returns all entries of both conversations, oldest first.
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
