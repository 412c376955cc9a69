package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// heldDraft is an order that waits for an approver.
func heldDraft() store.Draft {
	return store.Draft{
		ID: "d1", Team: "T", User: "UMARIA", Channel: "C1", ProjectName: "Hats", Service: order.ServiceBasic, CustomerID: "7",
		Instructions: []string{"Brighten."}, URLs: []string{"https://e.com/a.jpg"}, Files: []store.DraftFile{{ID: "F1"}},
		Each:    map[string]store.PerImage{"https://e.com/a.jpg": {Service: order.ServiceReference, Instruction: "These colours."}},
		Attempt: 2, State: store.DraftRefused, Hold: &store.Hold{Draft: "d1", Attempt: 2},
	}
}

func TestAnAllowanceCoversWhatWasShownAndNothingElse(t *testing.T) {
	d := heldDraft()
	allowed := &store.Allowed{By: "UTOM", Print: d.Print()}
	require.True(t, allowed.Covers(d))
	require.False(t, (*store.Allowed)(nil).Covers(d), "nobody allowed it")
	for name, change := range map[string]func(d *store.Draft){
		"channel":        func(d *store.Draft) { d.Channel = "C2" },
		"service":        func(d *store.Draft) { d.Service = order.ServiceExtensive },
		"name":           func(d *store.Draft) { d.ProjectName = "Caps" },
		"customer":       func(d *store.Draft) { d.CustomerID = "8" },
		"instructions":   func(d *store.Draft) { d.Instructions = []string{"Darken."} },
		"images":         func(d *store.Draft) { d.URLs = []string{"https://e.com/a.jpg", "https://e.com/b.jpg"} },
		"photos":         func(d *store.Draft) { d.Files = []store.DraftFile{{ID: "F2"}} },
		"an image's own": func(d *store.Draft) { d.Each["https://e.com/a.jpg"] = store.PerImage{Service: order.ServiceReference} },
		"what is an image": func(d *store.Draft) {
			d.Each["https://e.com/a.jpg"] = store.PerImage{Service: order.ServiceBasic, Instruction: "These colours."}
		},
		"of which image": func(d *store.Draft) {
			d.Each = map[string]store.PerImage{"F1": {Service: order.ServiceReference, Instruction: "These colours."}}
		},
	} {
		other := heldDraft()
		change(&other)
		require.False(t, allowed.Covers(other), name)
	}
	same := heldDraft()
	same.Attempt, same.State, same.Problems, same.Reference = 7, store.DraftPlacing, []string{"refused"}, "K7Q2XM"
	require.True(t, allowed.Covers(same), "what becomes of it changes nothing that is placed")
}

func TestAnOrderWaitsForAnApproverUntilItIsSubmittedAgain(t *testing.T) {
	for name, change := range map[string]func(d *store.Draft){
		"it is on its way":     func(d *store.Draft) { d.State = store.DraftPlacing },
		"nobody was asked":     func(d *store.Draft) { d.Hold = nil },
		"it was refused since": func(d *store.Draft) { d.Attempt++ },
		"it was declined":      func(d *store.Draft) { d.Hold.Answer = &store.HoldDecision{By: "UTOM"} },
	} {
		d := heldDraft()
		require.True(t, d.IsHeld())
		change(&d)
		require.False(t, d.IsHeld(), name)
	}
}

func TestTheFirstAnswerToAQuestionHolds(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		h := *heldDraft().Hold
		_, _, err := s.Holds.Hold(ctx, h.ID())
		require.ErrorIs(t, err, store.ErrAbsent)
		require.NoError(t, s.Holds.AskHold(ctx, h))
		asked, none, err := s.Holds.Hold(ctx, h.ID())
		require.NoError(t, err)
		require.Nil(t, none)
		require.Equal(t, h.ID(), asked.ID())

		at := time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC)
		first := store.HoldDecision{By: "UTOM", At: at, Allowed: true}
		for _, decision := range []store.HoldDecision{first, {By: "UBOSS", At: at.Add(time.Second)}} {
			holds, err := s.Holds.DecideHold(ctx, h.ID(), decision)
			require.NoError(t, err)
			require.Equal(t, first, holds)
		}
		_, decided, err := s.Holds.Hold(ctx, h.ID())
		require.NoError(t, err)
		require.Equal(t, &first, decided)

		lost := &refusing{command: "evalsha"}
		lost.next.Store(1)
		rdb.AddHook(lost)
		_, err = s.Holds.DecideHold(ctx, h.ID(), first)
		require.ErrorIs(t, err, errRefused, "nobody knows whether it is kept")
	})
}

// The question is shown once for each of its stages, however often that is asked for.
func TestAQuestionIsShownOnceAtEachStage(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		h := *heldDraft().Hold
		for range 2 {
			require.NoError(t, s.Holds.AskHold(t.Context(), h))
			require.NoError(t, s.Holds.ShowHold(t.Context(), h.ID(), "decided"))
		}
		require.Equal(t, int64(2), rdb.LLen(t.Context(), "{darkroom}:q:lane:hold:d1.2").Val())
	})
}

func TestAQuestionIsAboutOneDraftOrSeveral(t *testing.T) {
	h := *heldDraft().Hold
	require.Equal(t, []string{"d1"}, h.Drafts())
	h.Orders = []string{"b-1", "b-2"}
	require.Equal(t, []string{"b-1", "b-2"}, h.Drafts())
}

func TestAQuestionIsAboutTheMonthOfItsChannelOrOfTheAccount(t *testing.T) {
	of := func(channel string, credits int64) order.Spending {
		return order.Spending{Channel: channel, Price: decimal.NewNullDecimal(decimal.NewFromInt(credits))}
	}
	l := order.Ledger{Month: []order.Spending{of("C1", 3), of("C2", 4)}}
	h := store.Hold{Channel: "C1"}
	for why, want := range map[store.HoldWhy]string{store.HoldMonth: "3", store.HoldOrder: "3", store.HoldAccount: "7"} {
		h.Why = why
		require.Equal(t, want, h.SpentOf(l).String(), why)
	}
}

// A question, and the draft that it is about, outlive the time in which it can be answered: who ordered is told of its end.
func TestAQuestionOutlivesItsTime(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		d := heldDraft()
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), d))
		require.NoError(t, s.Holds.AskHold(t.Context(), *d.Hold))
		for _, key := range []string{"{darkroom}:draft:d1", "{darkroom}:note:hold:d1.2"} {
			require.Greater(t, rdb.TTL(t.Context(), key).Val(), store.HoldLife+time.Hour, key)
		}
		d.Hold.Answer = &store.HoldDecision{Ended: true}
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), d))
		require.LessOrEqual(t, rdb.TTL(t.Context(), "{darkroom}:draft:d1").Val(), store.HoldLife)
	})
}
