package store_test

import (
	"testing"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/storetest"
)

// What an earlier version kept is read by this one.
func TestYesterdaysDocumentsAreRead(t *testing.T) {
	t.Parallel()
	storetest.Yesterday(t, map[string]func() any{
		"order": func() any { return new(order.Order) }, "event": func() any { return new(order.Event) },
		"intent": func() any { return new(order.Intent) }, "delivered": func() any { return new(order.Delivered) },
		"posting": func() any { return new(store.InFlight) }, "reply": func() any { return new(store.Posted) },
		"active": func() any { return new(store.Active) }, "draft": func() any { return new(store.Draft) },
		"settings": func() any { return new(store.Settings) }, "account": func() any { return new(store.Account) },
		"announce_job": func() any { return new(store.AnnounceJob) }, "leave_job": func() any { return new(store.LeaveJob) },
		"mark_job": func() any { return new(store.Mark) }, "brief": func() any { return new(order.Brief) },
	})
}
