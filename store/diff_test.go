package store_test

import (
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/upstream"
)

var (
	noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	said = []upstream.Entry{{From: "service", Content: "Which sky?", CreatedAt: noon}}
)

func TestDiffNamesWhatHappened(t *testing.T) {
	first := &store.Delivered{Revision: 0}
	approve := &store.Intent{Verb: store.VerbApprove, Actor: "UMARIA", Words: []string{"lovely"}, Job: "j1"}
	revise := &store.Intent{Verb: store.VerbRevise, Actor: "UMARIA", PerImage: map[string][]string{"i1": {"brighter"}}, Job: "j1"}
	tests := map[string]struct {
		old    store.Known
		seen   upstream.Order
		intent *store.Intent
		want   []string
		by     string // the actor of the first event
	}{
		"the same again":                       {old: known(order(upstream.Editing, 0)), seen: order(upstream.Editing, 0)},
		"an answer that tells nothing":         {old: known(order(upstream.Editing, 0)), seen: upstream.Order{}},
		"the first revision is ready":          {old: known(order(upstream.Editing, 0)), seen: delivered(0, "a"), want: []string{"ready:r0"}},
		"changes requested":                    {old: known(order(upstream.Reviewing, 0)), seen: order(upstream.Revising, 1), want: []string{"changes:r1"}},
		"changes requested by us":              {old: known(order(upstream.Reviewing, 0)), seen: order(upstream.Revising, 1), intent: revise, want: []string{"changes:r1"}, by: "UMARIA"},
		"the revision is counted on delivery":  {old: known(order(upstream.Reviewing, 0)), seen: order(upstream.Revising, 0), want: []string{"changes:r1"}},
		"delivered under the number awaited":   {old: known(order(upstream.Revising, 0)), seen: delivered(1, "b"), want: []string{"ready:r1"}},
		"nobody saw it revising":               {old: with(known(delivered(0, "a")), first), seen: delivered(1, "b"), want: []string{"changes:r1", "ready:r1"}},
		"nobody saw it revising, but we asked": {old: with(known(delivered(0, "a")), first), seen: delivered(1, "b"), intent: revise, want: []string{"changes:r1", "ready:r1"}, by: "UMARIA"},
		"approved before anybody saw it ready": {old: known(order(upstream.Editing, 0)), seen: order(upstream.Closed, 0), want: []string{"approved"}},
		"approved by us":                       {old: known(order(upstream.Reviewing, 0)), seen: order(upstream.Closed, 0), intent: approve, want: []string{"approved"}, by: "UMARIA"},
		"revised and closed in between":        {old: known(order(upstream.Reviewing, 0)), seen: order(upstream.Closed, 1), want: []string{"changes:r1", "approved"}},
		"canceled is not what approve wanted":  {old: known(order(upstream.Editing, 0)), seen: order(upstream.Canceled, 0), intent: approve, want: []string{"canceled"}},
		"paused":                               {old: known(order(upstream.Editing, 0)), seen: order(upstream.Paused, 0), want: []string{"paused"}},
		"resumed is told by the card":          {old: known(order(upstream.Paused, 0)), seen: order(upstream.Editing, 0)},
		"an unknown status":                    {old: known(order(upstream.Editing, 0)), seen: order("proofing", 0)},
		"back from a pause with the same pictures": {
			old: with(known(paused(delivered(0, "a"))), &store.Delivered{Revision: 0, Images: print(t, "a")}), seen: delivered(0, "a"),
		},
		"an answer to a message shows no pictures": {
			old: known(order(upstream.Editing, 0)), seen: talk(order(upstream.Reviewing, 0), said...), want: []string{"editor:9e9e58eff917b127"},
		},
		"the fetch after it does": {
			old: known(talk(order(upstream.Reviewing, 0), said...)), seen: delivered(0, "a"), want: []string{"ready:r0"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			events := store.Diff(tt.old, tt.seen, tt.intent, noon)
			assert.Equal(t, tt.want, ids(events))
			if len(events) > 0 {
				assert.Equal(t, tt.by, events[0].Actor)
			}
			merged := store.Diff(store.Known{Order: tt.old.Order, Delivered: tt.old.Delivered}, tt.seen, tt.intent, noon)
			assert.Equal(t, events, merged, "it depends on nothing else")
		})
	}
}

func known(o upstream.Order) store.Known { return store.Known{Order: o} }

func with(k store.Known, d *store.Delivered) store.Known {
	k.Delivered = d
	return k
}

func paused(o upstream.Order) upstream.Order {
	o.Status = upstream.Paused
	return o
}

func talk(o upstream.Order, entries ...upstream.Entry) upstream.Order {
	o.Conversation = entries
	return o
}

// print is the fingerprint of pictures at revision 0, as a redelivery shows it.
func print(t *testing.T, images ...string) string {
	t.Helper()
	events := store.Diff(with(known(order(upstream.Revising, 0)), &store.Delivered{}), delivered(0, images...), nil, noon)
	require.Len(t, events, 1)
	return events[0].ID[len("ready:r0:"):]
}

func TestAnIntentExplainsOnlyItsOwnKind(t *testing.T) {
	intent := &store.Intent{Verb: store.VerbRevise, Actor: "UMARIA", Words: []string{"w"}, Job: "j"}
	events := store.Diff(known(delivered(0, "a")), delivered(1, "b"), intent, noon)
	require.Len(t, events, 2)
	assert.Equal(t, "j", events[0].Job)
	assert.Equal(t, []string{"w"}, events[0].Words)
	assert.Empty(t, events[1].Actor, "ready is the service's")
	assert.Nil(t, events[0].Order.EditedImages, "only ready needs pictures")
	assert.Len(t, events[1].Order.EditedImages, 1)
}

func TestAnIntentLeftBehindClaimsNobodyElsesAct(t *testing.T) {
	for name, intent := range map[string]store.Intent{
		"of another revision": {Verb: store.VerbApprove, Actor: "UMARIA", Revision: 0, At: noon},
		"of last week":        {Verb: store.VerbApprove, Actor: "UMARIA", Revision: 1, At: noon.Add(-7 * 24 * time.Hour)},
	} {
		t.Run(name, func(t *testing.T) {
			events := store.Diff(known(order(upstream.Reviewing, 1)), order(upstream.Closed, 1), &intent, noon)
			require.Equal(t, []string{"approved"}, ids(events))
			assert.Empty(t, events[0].Actor)
		})
	}
}

func TestTheSameNumberWithOtherPicturesIsAnotherDelivery(t *testing.T) {
	back := with(known(order(upstream.Revising, 0)), &store.Delivered{Revision: 0, Images: print(t, "a")})
	assert.Empty(t, store.Diff(back, delivered(0, "a"), nil, noon))
	again := store.Diff(back, delivered(0, "b"), nil, noon)
	assert.Equal(t, []string{"ready:r0:" + print(t, "b")}, ids(again))
}

func TestTheSecondPauseIsToldToo(t *testing.T) {
	old := known(order(upstream.Editing, 0))
	old.Pauses = 1
	assert.Equal(t, []string{"paused:2"}, ids(store.Diff(old, order(upstream.Paused, 0), nil, noon)))
}

func TestMergeKeepsWhatAnAnswerDoesNotTell(t *testing.T) {
	full := delivered(1, "a")
	full.ID, full.ProjectName, full.CustomerID = "1", "Wedding", "007"
	full.Price = decimal.NewNullDecimal(decimal.RequireFromString("12.50"))
	full.OrderedAt, full.EstimatedDelivery = noon, noon
	full = talk(full, said...)

	assert.Equal(t, full, store.Merge(full, upstream.Order{}))
	same := upstream.Order{Price: decimal.NewNullDecimal(decimal.RequireFromString("12.5")), OrderedAt: noon.In(time.FixedZone("", 4*3600))}
	assert.Equal(t, full, store.Merge(full, same), "the same amount and instant are no change")
	assert.Empty(t, store.Merge(full, upstream.Order{EditedImages: []upstream.EditedImage{}}).EditedImages, "none is not absent")
	assert.NotNil(t, store.Merge(full, upstream.Order{EditedImages: []upstream.EditedImage{}}).EditedImages)
}

func TestANewWorkPeriodEndsTheEstimate(t *testing.T) {
	later := noon.Add(time.Hour)
	tests := map[string]struct {
		old, seen upstream.Order
		given     time.Time
		want      time.Time
	}{
		"revising":                         {order(upstream.Reviewing, 0), order(upstream.Revising, 1), time.Time{}, time.Time{}},
		"revising with a new estimate":     {order(upstream.Reviewing, 0), order(upstream.Revising, 1), later, later},
		"editing again":                    {order(upstream.Reviewing, 0), order(upstream.Editing, 0), time.Time{}, time.Time{}},
		"still the same period":            {order(upstream.Revising, 1), order(upstream.Revising, 1), time.Time{}, noon},
		"a fetch while editing":            {order(upstream.Editing, 0), order(upstream.Editing, 0), time.Time{}, noon},
		"delivered":                        {order(upstream.Editing, 0), order(upstream.Reviewing, 0), time.Time{}, noon},
		"revised and delivered in between": {order(upstream.Reviewing, 0), order(upstream.Reviewing, 1), time.Time{}, time.Time{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.old.EstimatedDelivery, tt.seen.EstimatedDelivery = noon, tt.given
			merged := store.Merge(tt.old, tt.seen)
			assert.Equal(t, tt.want, merged.EstimatedDelivery)
			assert.Equal(t, merged, store.Merge(tt.old, merged), "merging the merged changes nothing")
		})
	}
}
