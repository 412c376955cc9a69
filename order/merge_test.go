package order_test

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"

	"darkroom/order"
)

func TestMergeKeepsWhatAnAnswerDoesNotTell(t *testing.T) {
	full := delivered(1, "a")
	full.ID, full.ProjectName, full.CustomerID = "1", "Wedding", "007"
	full.Price = decimal.NewNullDecimal(decimal.RequireFromString("12.50"))
	full.OrderedAt, full.EstimatedDelivery = noon, noon
	full = talk(full, said...)

	assert.Equal(t, full, order.Merge(full, order.Order{}))
	same := order.Order{Price: decimal.NewNullDecimal(decimal.RequireFromString("12.5")), OrderedAt: noon.In(time.FixedZone("", 4*3600))}
	assert.Equal(t, full, order.Merge(full, same), "the same amount and instant are no change")
	assert.Empty(t, order.Merge(full, order.Order{EditedImages: []order.EditedImage{}}).EditedImages, "none is not absent")
	assert.NotNil(t, order.Merge(full, order.Order{EditedImages: []order.EditedImage{}}).EditedImages)
}

func TestANewWorkPeriodEndsTheEstimate(t *testing.T) {
	later := noon.Add(time.Hour)
	tests := map[string]struct {
		old, seen order.Order
		given     time.Time
		want      time.Time
	}{
		"revising":                         {anOrder(order.StatusReviewing, 0), anOrder(order.StatusRevising, 1), time.Time{}, time.Time{}},
		"revising with a new estimate":     {anOrder(order.StatusReviewing, 0), anOrder(order.StatusRevising, 1), later, later},
		"editing again":                    {anOrder(order.StatusReviewing, 0), anOrder(order.StatusEditing, 0), time.Time{}, time.Time{}},
		"going on after a pause":           {anOrder(order.StatusPaused, 0), anOrder(order.StatusEditing, 0), time.Time{}, noon},
		"going on with a new estimate":     {anOrder(order.StatusPaused, 1), anOrder(order.StatusRevising, 1), later, later},
		"paused":                           {anOrder(order.StatusEditing, 0), anOrder(order.StatusPaused, 0), time.Time{}, noon},
		"revised in the pause":             {anOrder(order.StatusPaused, 0), anOrder(order.StatusRevising, 1), time.Time{}, time.Time{}},
		"still the same period":            {anOrder(order.StatusRevising, 1), anOrder(order.StatusRevising, 1), time.Time{}, noon},
		"a fetch while editing":            {anOrder(order.StatusEditing, 0), anOrder(order.StatusEditing, 0), time.Time{}, noon},
		"delivered":                        {anOrder(order.StatusEditing, 0), anOrder(order.StatusReviewing, 0), time.Time{}, noon},
		"revised and delivered in between": {anOrder(order.StatusReviewing, 0), anOrder(order.StatusReviewing, 1), time.Time{}, time.Time{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.old.EstimatedDelivery, tt.seen.EstimatedDelivery = noon, tt.given
			merged := order.Merge(tt.old, tt.seen)
			assert.Equal(t, tt.want, merged.EstimatedDelivery)
			assert.Equal(t, merged, order.Merge(tt.old, merged), "merging the merged changes nothing")
		})
	}
}

func TestChangesWereAskedForInTheirOwnRound(t *testing.T) {
	later := noon.Add(time.Hour)
	for name, tt := range map[string]struct {
		old, seen   order.Order
		given, want time.Time
	}{
		"asked for by us":          {anOrder(order.StatusReviewing, 0), anOrder(order.StatusRevising, 1), later, later},
		"asked for at the service": {anOrder(order.StatusReviewing, 0), anOrder(order.StatusRevising, 1), time.Time{}, time.Time{}},
		"missed":                   {anOrder(order.StatusReviewing, 0), anOrder(order.StatusReviewing, 1), time.Time{}, time.Time{}},
		"still worked on":          {anOrder(order.StatusRevising, 1), anOrder(order.StatusRevising, 1), time.Time{}, noon},
		"delivered":                {anOrder(order.StatusRevising, 1), anOrder(order.StatusReviewing, 1), time.Time{}, noon},
		"counted when delivered":   {anOrder(order.StatusRevising, 0), anOrder(order.StatusReviewing, 1), time.Time{}, noon},
		"paused meanwhile":         {anOrder(order.StatusPaused, 1), anOrder(order.StatusRevising, 1), time.Time{}, noon},
	} {
		t.Run(name, func(t *testing.T) {
			tt.old.RevisionRequestedAt, tt.seen.RevisionRequestedAt = noon, tt.given
			assert.Equal(t, tt.want, order.Merge(tt.old, tt.seen).RevisionRequestedAt)
		})
	}
}
