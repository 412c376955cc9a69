package order_test

import (
	"testing"
	"time"

	"darkroom/order"
	"darkroom/order/ordertest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	noon      = ordertest.Noon
	anOrder   = ordertest.Order
	delivered = ordertest.Delivered
	talk      = ordertest.Talk
	entry     = ordertest.Entry
	ids       = ordertest.IDs
	kinds     = ordertest.Kinds
	print     = ordertest.Print
	said      = []order.Entry{{From: "service", Content: "Which sky?", CreatedAt: noon}}
)

func TestDiffNamesWhatHappened(t *testing.T) {
	first := &order.Delivered{Revision: 0}
	approve := &order.Intent{Verb: order.VerbApprove, Actor: "UMARIA", Words: []string{"lovely"}, Job: "j1"}
	revise := &order.Intent{Verb: order.VerbRevise, Actor: "UMARIA", PerImage: map[string][]string{"i1": {"brighter"}}, Job: "j1"}
	tests := map[string]struct {
		old    order.Known
		seen   order.Order
		intent *order.Intent
		want   []string
		by     string // the actor of the first event
	}{
		"the same again":                       {old: known(anOrder(order.StatusEditing, 0)), seen: anOrder(order.StatusEditing, 0)},
		"an answer that tells nothing":         {old: known(anOrder(order.StatusEditing, 0)), seen: order.Order{}},
		"the first revision is ready":          {old: known(anOrder(order.StatusEditing, 0)), seen: delivered(0, "a"), want: []string{"ready:r0"}},
		"changes requested":                    {old: known(anOrder(order.StatusReviewing, 0)), seen: anOrder(order.StatusRevising, 1), want: []string{"changes:r1"}},
		"changes requested by us":              {old: known(anOrder(order.StatusReviewing, 0)), seen: anOrder(order.StatusRevising, 1), intent: revise, want: []string{"changes:r1"}, by: "UMARIA"},
		"the revision is counted on delivery":  {old: known(anOrder(order.StatusReviewing, 0)), seen: anOrder(order.StatusRevising, 0), want: []string{"changes:r1"}},
		"delivered under the number awaited":   {old: known(anOrder(order.StatusRevising, 0)), seen: delivered(1, "b"), want: []string{"ready:r1"}},
		"nobody saw it revising":               {old: with(known(delivered(0, "a")), first), seen: delivered(1, "b"), want: []string{"changes:r1", "ready:r1"}},
		"nobody saw it revising, but we asked": {old: with(known(delivered(0, "a")), first), seen: delivered(1, "b"), intent: revise, want: []string{"changes:r1", "ready:r1"}, by: "UMARIA"},
		"approved before anybody saw it ready": {old: known(anOrder(order.StatusEditing, 0)), seen: anOrder(order.StatusClosed, 0), want: []string{"approved"}},
		"approved by us":                       {old: known(anOrder(order.StatusReviewing, 0)), seen: anOrder(order.StatusClosed, 0), intent: approve, want: []string{"approved"}, by: "UMARIA"},
		"revised and closed in between":        {old: known(anOrder(order.StatusReviewing, 0)), seen: anOrder(order.StatusClosed, 1), want: []string{"changes:r1", "approved"}},
		"canceled is not what approve wanted":  {old: known(anOrder(order.StatusEditing, 0)), seen: anOrder(order.StatusCanceled, 0), intent: approve, want: []string{"canceled"}},
		"paused":                               {old: known(anOrder(order.StatusEditing, 0)), seen: anOrder(order.StatusPaused, 0), want: []string{"paused"}},
		"work goes on":                         {old: known(anOrder(order.StatusPaused, 0)), seen: anOrder(order.StatusEditing, 0), want: []string{"resumed"}},
		"delivered after a pause":              {old: known(anOrder(order.StatusPaused, 0)), seen: delivered(0, "a"), want: []string{"ready:r0"}},
		"changes requested after a pause":      {old: known(anOrder(order.StatusPaused, 0)), seen: anOrder(order.StatusRevising, 1), want: []string{"changes:r1"}},
		"canceled while paused":                {old: known(anOrder(order.StatusPaused, 0)), seen: anOrder(order.StatusCanceled, 0), want: []string{"canceled"}},
		"still paused":                         {old: known(anOrder(order.StatusPaused, 0)), seen: anOrder(order.StatusPaused, 0)},
		"odd after a pause":                    {old: known(anOrder(order.StatusPaused, 0)), seen: anOrder("proofing", 0)},
		"an unknown status":                    {old: known(anOrder(order.StatusEditing, 0)), seen: anOrder("proofing", 0)},
		"back from a pause with the same pictures": {
			old: with(known(paused(delivered(0, "a"))), &order.Delivered{Revision: 0, Images: print("a")}), seen: delivered(0, "a"), want: []string{"resumed"},
		},
		"an answer to a message shows no pictures": {
			old: known(anOrder(order.StatusEditing, 0)), seen: talk(anOrder(order.StatusReviewing, 0), said...), want: []string{"editor:9e9e58eff917b127"},
		},
		"the fetch after it does": {
			old: known(talk(anOrder(order.StatusReviewing, 0), said...)), seen: delivered(0, "a"), want: []string{"ready:r0"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			events := order.Diff(tt.old, tt.seen, tt.intent, noon)
			assert.Equal(t, tt.want, ids(events))
			if len(events) > 0 {
				assert.Equal(t, tt.by, events[0].Actor)
			}
			merged := order.Diff(order.Known{Order: tt.old.Order, Delivered: tt.old.Delivered}, tt.seen, tt.intent, noon)
			assert.Equal(t, events, merged, "it depends on nothing else")
		})
	}
}

func known(o order.Order) order.Known { return order.Known{Order: o} }

func with(k order.Known, d *order.Delivered) order.Known {
	k.Delivered = d
	return k
}

func paused(o order.Order) order.Order {
	o.Status = order.StatusPaused
	return o
}

func TestAnIntentExplainsOnlyItsOwnKind(t *testing.T) {
	intent := &order.Intent{Verb: order.VerbRevise, Actor: "UMARIA", Words: []string{"w"}, Job: "j"}
	events := order.Diff(known(delivered(0, "a")), delivered(1, "b"), intent, noon)
	require.Len(t, events, 2)
	assert.Equal(t, "j", events[0].Job)
	assert.Equal(t, []string{"w"}, events[0].Words)
	assert.Empty(t, events[1].Actor, "ready is the service's")
	assert.Nil(t, events[0].Order.EditedImages, "only ready needs pictures")
	assert.Len(t, events[1].Order.EditedImages, 1)
}

func TestAnIntentLeftBehindClaimsNobodyElsesAct(t *testing.T) {
	for name, intent := range map[string]order.Intent{
		"of another revision": {Verb: order.VerbApprove, Actor: "UMARIA", Revision: 0, At: noon},
		"of last week":        {Verb: order.VerbApprove, Actor: "UMARIA", Revision: 1, At: noon.Add(-7 * 24 * time.Hour)},
	} {
		t.Run(name, func(t *testing.T) {
			events := order.Diff(known(anOrder(order.StatusReviewing, 1)), anOrder(order.StatusClosed, 1), &intent, noon)
			require.Equal(t, []string{"approved"}, ids(events))
			assert.Empty(t, events[0].Actor)
		})
	}
}

func TestTheSameNumberWithOtherPicturesIsAnotherDelivery(t *testing.T) {
	back := with(known(anOrder(order.StatusRevising, 0)), &order.Delivered{Revision: 0, Images: print("a")})
	assert.Empty(t, order.Diff(back, delivered(0, "a"), nil, noon))
	again := order.Diff(back, delivered(0, "b"), nil, noon)
	assert.Equal(t, []string{"ready:r0:" + print("b")}, ids(again))
}

func TestTheSecondPauseIsToldToo(t *testing.T) {
	old := known(anOrder(order.StatusEditing, 0))
	old.Pauses = 1
	assert.Equal(t, []string{"paused:2"}, ids(order.Diff(old, anOrder(order.StatusPaused, 0), nil, noon)))
}
