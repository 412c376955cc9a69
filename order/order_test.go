package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/order"
)

func TestWhoHasAnOrderInEachStatus(t *testing.T) {
	type who struct{ final, open, works, listed bool }
	for status, want := range map[order.Status]who{
		order.StatusEditing:   {open: true, works: true, listed: true},
		order.StatusRevising:  {open: true, works: true, listed: true},
		order.StatusPaused:    {open: true, listed: true},
		order.StatusReviewing: {listed: true},
		order.StatusClosed:    {final: true, listed: true},
		order.StatusCanceled:  {final: true},
		"proofing":            {open: true, listed: true}, // one that the interface does not name
	} {
		assert.Equal(t, want, who{status.Final(), status.Open(), status.Works(), status.Listed()}, status)
	}
}

func TestWhenAnOrderEnded(t *testing.T) {
	closed, canceled := noon, noon.Add(time.Hour)
	for status, want := range map[order.Status]time.Time{
		order.StatusClosed: closed, order.StatusCanceled: canceled, order.StatusReviewing: {}, order.StatusEditing: {},
	} {
		o := order.Order{Status: status, ClosedAt: closed, CanceledAt: canceled}
		assert.Equal(t, want, o.EndedAt(), status)
	}
}

func TestACanceledOrderAsItWasPlaced(t *testing.T) {
	o := order.Order{ID: "A1", Status: order.StatusCanceled, CanceledAt: noon}
	assert.Equal(t, order.Order{ID: "A1", Status: order.StatusEditing}, o.WhenPlaced())
	assert.True(t, o.Canceled(), "it is a copy")
	open := order.Order{ID: "A1", Status: order.StatusReviewing}
	assert.Equal(t, open, open.WhenPlaced())
}
