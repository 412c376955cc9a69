package jobs_test

import (
	"cmp"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/retention"
	"darkroom/store/settingstest"
)

// paid makes an order with n images of a service type, placed now, and its credits.
func paid(r *commandstest.Rig, id string, service order.ServiceType, images int, credits int64) {
	r.T.Helper()
	brief := &order.Brief{Service: service, Sources: make([]order.Source, images)}
	o := order.Order{ID: id, Status: order.StatusEditing, OrderedAt: time.Now(), Price: decimal.NewNullDecimal(decimal.NewFromInt(credits))}
	_, err := r.Store.Changes.AddOrder(r.T.Context(), store.NewOrder{ID: id, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "maria"}, Brief: brief, Order: o})
	require.NoError(r.T, err)
}

// submitsOf has maria submit an order with n images of a service type.
func submitsOf(r *commandstest.Rig, name, channel string, service order.ServiceType, images int) store.Draft {
	r.T.Helper()
	run, err := r.Store.Server.Run(r.T.Context())
	require.NoError(r.T, err)
	d := store.Draft{
		ID: name, Team: "T1", User: "maria", Channel: channel, Run: run.ID, OpenedAt: time.Now(), ProjectName: name, Service: service,
		Instructions: []string{"brighten"}, Attempt: 1, State: store.DraftOpen,
	}
	for i := range images {
		d.URLs = append(d.URLs, fmt.Sprintf("https://example.com/%s/%d.jpg", name, i))
	}
	submits(r, d)
	return draftNow(r, name)
}

// Twenty basic images at one credit do not make ten extensive ones cheap.
func TestAnOrderIsWeighedByItsOwnServiceType(t *testing.T) {
	for service, row := range map[order.ServiceType]struct {
		held bool
		cost string
	}{
		order.ServiceBasic:     {false, ""},
		order.ServiceExtensive: {true, "50"},
	} {
		t.Run(string(service), func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				paid(r, "many", order.ServiceBasic, 20, 20)
				paid(r, "few", order.ServiceExtensive, 3, 15)
				asks(r, store.Decides{OrderLimit: 20})
				d := submitsOf(r, "hats", "C1", service, 10)
				require.Equal(r.T, row.held, d.IsHeld())
				if row.held {
					require.Equal(r.T, row.cost, d.Hold.Cost.String())
					require.False(r.T, d.Hold.Guessed)
				}
			})
		})
	}
}

// Credits stay spent in the channel that ordered, even if the order moved or was deleted.
func TestWhatAChannelSpentStaysInItsMonth(t *testing.T) {
	for name, leaves := range map[string]func(r *commandstest.Rig, id string){
		"it stays":           func(*commandstest.Rig, string) {},
		"moved to another":   func(r *commandstest.Rig, id string) { mustMove(r, id, "CPUBLIC") },
		"moved there and on": func(r *commandstest.Rig, id string) { mustMove(r, id, "CPUBLIC"); mustMove(r, id, "CWEDDING") },
		"tracked no more": func(r *commandstest.Rig, id string) {
			_, err := r.Store.Changes.Untrack(r.T.Context(), id, "boss")
			require.NoError(r.T, err)
		},
		"its time is over": retired,
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				r.Settle(time.Minute) // into the month
				asks(r, store.Decides{MonthLimit: 12})
				spent(r, "before", "C1", time.Now(), 10)
				leaves(r, "before")
				d := submitsOf(r, "hats", "C1", order.ServiceBasic, 3)
				require.True(r.T, d.IsHeld(), "3 more than the 10")
				require.Equal(r.T, "10", d.Hold.Spent.String())
			})
		})
	}
}

func mustMove(r *commandstest.Rig, id, channel string) {
	r.T.Helper()
	_, err := r.Store.Changes.Move(r.T.Context(), id, channel, "boss")
	require.NoError(r.T, err)
}

// retired closes an order and lets its time end.
func retired(r *commandstest.Rig, id string) {
	r.T.Helper()
	now := r.Stored(id)
	_, _, err := r.Store.Changes.Record(r.T.Context(), id, now.Version, order.Order{Status: order.StatusClosed})
	require.NoError(r.T, err)
	now = r.Stored(id)
	require.NoError(r.T, r.Store.Announcements.SkipPending(r.T.Context(), id, now.Owner.Generation))
	require.NoError(r.T, r.Store.Announcements.CardPosted(r.T.Context(), id, now.Owner.Generation, "1.1", now.Version))
	for range 3 {
		r.Settle(time.Minute)
		_, err = retention.NewRetirement(r.Store).ApplyRetention(r.T.Context(), retention.Policy{For: time.Millisecond})
		require.NoError(r.T, err)
	}
	_, err = r.Store.Orders.Order(r.T.Context(), id)
	require.ErrorIs(r.T, err, store.ErrNotTracked)
}

// An order that was moved into a channel does not count there.
func TestWhatMovesInIsNotSpentHere(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Settle(time.Minute)
		asks(r, store.Decides{MonthLimit: 12})
		spent(r, "elsewhere", "CPUBLIC", time.Now(), 10)
		mustMove(r, "elsewhere", "C1")
		require.Equal(r.T, store.DraftPlaced, submitsOf(r, "hats", "C1", order.ServiceBasic, 12).State)
	})
}

// accountLimit lets the operators limit a month of all channels.
func accountLimit(r *commandstest.Rig, credits int) {
	r.T.Helper()
	settingstest.SaveAccount(r.T, r.Store, "T1", store.Account{MonthLimit: credits})
}

// The account's limit counts all channels, and an operator is asked.
func TestTheAccountsLimitHoldsInEveryChannel(t *testing.T) {
	for name, row := range map[string]struct {
		limit, images int
		channel       string
		held          bool
	}{
		"as much as is left":                {14, 2, "C1", false},
		"more than is left":                 {14, 3, "C1", true},
		"in a channel that spent nothing":   {14, 3, "CWEDDING", true},
		"in a channel where others approve": {14, 3, "CPUBLIC", true},
		"no limit":                          {0, 300, "CWEDDING", false},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				r.Assemble("boss")
				r.Settle(time.Minute) // into the month
				settingstest.Save(r.T, r.Store, "T1", "CPUBLIC", store.Settings{Decides: store.Decides{Approvers: []string{"tom"}}})
				spent(r, "here", "C1", time.Now(), 4)
				spent(r, "there", "CPUBLIC", time.Now(), 8)
				accountLimit(r, row.limit)
				d := submitsOf(r, "hats", row.channel, order.ServiceBasic, row.images)
				require.Equal(r.T, row.held, d.IsHeld())
				if !row.held {
					require.Equal(r.T, store.DraftPlaced, d.State)
					return
				}
				h := *d.Hold
				require.Equal(r.T, []any{store.HoldAccount, "12", row.limit, []string{"boss"}}, []any{h.Why, h.Spent.String(), h.Limit, h.Asks})
				require.Contains(r.T, r.Does(bot.Request{Name: place.ActionAllow, Value: h.ID(), User: "maria"}), "operators")
				_, decision, err := r.Store.Holds.Hold(r.T.Context(), h.ID())
				require.NoError(r.T, err)
				require.Nil(r.T, decision, "an approver of the channel is none")
				r.Does(bot.Request{Name: place.ActionAllow, Value: h.ID(), User: "boss"})
				r.Settle(time.Minute)
				require.Equal(r.T, store.DraftPlaced, draftNow(r, "hats").State)
			})
		})
	}
}

// Operators hear once a day that their limit holds orders back.
func TestOperatorsHearThatTheirLimitIsReached(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		var said []string
		r.Ops = func(_ context.Context, sentence string) (bool, error) {
			said = append(said, sentence)
			return true, nil
		}
		r.Assemble()
		accountLimit(r, 1)
		for _, name := range []string{"hats", "caps"} {
			require.True(r.T, submitsOf(r, name, "C1", order.ServiceBasic, 2).IsHeld())
			require.Len(r.T, said, 1, name)
		}
		require.Contains(r.T, said[0], "limit of 1 credit")
	})
}

// Approvers and operators are asked about their limits one after the other. Operators may decline an order that approvers
// allowed. The first question shows the second outcome.
func TestWhatGoesOverBothLimitsIsAskedOfBoth(t *testing.T) {
	for name, row := range map[string]struct {
		user, press, says, stage string
		state                    store.DraftState
		creates                  int
	}{
		"the operator allows":   {"boss", place.ActionAllow, "It is placed.", "placed3", store.DraftPlaced, 1},
		"the operator declines": {"boss", place.ActionDecline, "was not allowed", "declined3", store.DraftRefused, 0},
		"it is discarded":       {"maria", place.ActionDiscard, "was discarded", "discarded3", store.DraftDiscarded, 0},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				asks(r, store.Decides{OrderLimit: 1})
				accountLimit(r, 1)
				first := *submitsOf(r, "hats", "C1", order.ServiceBasic, 2).Hold
				require.Equal(r.T, store.HoldOrder, first.Why)
				decidesHold(r, first, true)
				require.Zero(r.T, r.Service.Called("create"))
				second := *draftNow(r, "hats").Hold
				require.Equal(r.T, store.HoldAccount, second.Why)
				require.NotEqual(r.T, first.ID(), second.ID())
				require.Contains(r.T, questionSays(r, first.ID()), "Allowed by tom", "what tom said stays said")
				require.Contains(r.T, questionSays(r, first.ID()), "I asked an operator")
				require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:hats.2:refused3")
				value := map[string]string{place.ActionDiscard: "hats"}[row.press]
				r.Does(bot.Request{Name: row.press, Value: cmp.Or(value, second.ID()), User: row.user})
				r.Settle(time.Minute)
				require.Equal(r.T, row.state, draftNow(r, "hats").State)
				require.Equal(r.T, row.creates, r.Service.Called("create"))
				require.Contains(r.T, questionSays(r, first.ID()), row.says)
				require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:hats.2:"+row.stage)
			})
		})
	}
}

// An order of unknown outcome counts.
func TestAnOrderOfWhichNobodyKnowsCounts(t *testing.T) {
	for name, row := range map[string]struct {
		answer commandstest.ServiceAnswer
		counts bool
	}{
		"the answer was lost": {commandstest.Never, true},
		"it was refused":      {commandstest.Refused("The photos are too small."), false},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				asks(r, store.Decides{MonthLimit: 3})
				r.Service.Set(func(f *commandstest.Service) { f.NextCreate = append(f.NextCreate, row.answer) })
				submitsOf(r, "lost", "C1", order.ServiceBasic, 2)
				require.Equal(r.T, row.counts, submitsOf(r, "hats", "C1", order.ServiceBasic, 2).IsHeld())
			})
		})
	}
}

// An allowed order counts, too, even while its outcome is unknown. The next order needs an approval.
func TestWhatWasAllowedCounts(t *testing.T) {
	for name, answers := range map[string][]commandstest.ServiceAnswer{
		"it was placed":       nil,
		"the answer was lost": {commandstest.Never},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				asks(r, store.Decides{MonthLimit: 3})
				h := *submitsOf(r, "hats", "C1", order.ServiceBasic, 4).Hold
				r.Service.Set(func(f *commandstest.Service) { f.NextCreate = answers })
				decidesHold(r, h, true)
				d := submitsOf(r, "caps", "C1", order.ServiceBasic, 1)
				require.True(r.T, d.IsHeld())
				require.Equal(r.T, "4", d.Hold.Spent.String())
			})
		})
	}
}
