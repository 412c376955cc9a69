package commands_test

import (
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/settingstest"
)

// The second person reads the first answer, and nothing happens twice.
func TestWhoAnswersAQuestionSecondReadsWhoWasFirst(t *testing.T) {
	for first, says := range map[string]string{place.ActionAllow: "tom has already allowed", place.ActionDecline: "tom has already declined"} {
		for _, second := range []string{place.ActionAllow, place.ActionDecline} {
			t.Run(first+" and "+second, func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					r.SetUpWorkspace()
					h := heldOrder(r, store.Decides{Approvers: []string{"tom", "boss"}, Spenders: []string{"tom"}})
					require.NotContains(r.T, r.Does(bot.Request{Name: first, Value: h.ID(), User: "tom"}), "already")
					require.Contains(r.T, r.Does(bot.Request{Name: second, Value: h.ID(), User: "boss"}), says)
					require.NotContains(r.T, r.Does(bot.Request{Name: first, Value: h.ID(), User: "tom"}), "already", "it is what he wanted")
					r.Settle(time.Minute)
					_, decision, err := r.Store.Holds.Hold(r.T.Context(), h.ID())
					require.NoError(r.T, err)
					require.Equal(r.T, store.HoldDecision{By: "tom", At: decision.At, Allowed: first == place.ActionAllow}, *decision, "of no month")
				})
			})
		}
	}
}

// The question may have expired, or belong to another workspace.
func TestAQuestionThatIsNotTheirsIsNotAnswered(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		h := store.Hold{Draft: "d", Attempt: 2, Team: "T2", Channel: "C1", User: "maria"}
		require.NoError(r.T, r.Store.Holds.AskHold(r.T.Context(), h))
		for _, id := range []string{h.ID(), "forgotten.2"} {
			require.Contains(r.T, r.Does(bot.Request{Name: place.ActionAllow, Value: id, User: "tom"}), "This question is closed")
		}
		_, decision, err := r.Store.Holds.Hold(r.T.Context(), h.ID())
		require.NoError(r.T, err)
		require.Nil(r.T, decision)
	})
}

// dearOrder is heldOrder in a channel whose images cost five credits each.
func dearOrder(r *commandstest.Rig, decides store.Decides) store.Hold {
	r.T.Helper()
	costs(r, "before", 1, 5)
	return heldOrder(r, decides)
}

// costs adds an order to C1 that cost that many credits.
func costs(r *commandstest.Rig, id string, images int, credits int64) {
	r.T.Helper()
	o := order.Order{ID: id, Status: order.StatusEditing, OrderedAt: time.Now(), Price: decimal.NewNullDecimal(decimal.NewFromInt(credits))}
	_, err := r.Store.Changes.AddOrder(r.T.Context(), store.NewOrder{
		ID: o.ID, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "tom"}, Order: o,
		Brief: &order.Brief{Service: order.ServiceBasic, Sources: make([]order.Source, images)},
	})
	require.NoError(r.T, err)
}

// An approver does not allow their own order while another approver can; they may withdraw it.
func TestAnApproverDoesNotAllowTheirOwnOrderWhileThereIsAnother(t *testing.T) {
	for name, row := range map[string]struct {
		decides store.Decides
		groups  map[string][]string
		own     bool // may decide
	}{
		"another is named":                {store.Decides{Approvers: []string{"maria", "tom"}}, nil, false},
		"another is in a group":           {store.Decides{Approvers: []string{"maria"}, ApproverGroups: []string{"S1"}}, map[string][]string{"S1": {"maria", "tom"}}, false},
		"nobody else":                     {store.Decides{Approvers: []string{"maria"}}, nil, true},
		"nobody else in the group":        {store.Decides{ApproverGroups: []string{"S1"}}, map[string][]string{"S1": {"maria"}}, true},
		"the other is a guest":            {store.Decides{Approvers: []string{"maria", "ines"}}, nil, true},
		"the other is not in the channel": {store.Decides{Approvers: []string{"maria", "chief"}}, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				r.Screen.GroupsIn(row.groups)
				row.decides.OrderLimit = 1
				h := dearOrder(r, row.decides)
				says := r.Does(bot.Request{Name: place.ActionAllow, Value: h.ID(), User: "maria"})
				require.Equal(r.T, !row.own, strings.Contains(says, "your own order"), says)
				r.Settle(time.Minute)
				require.Equal(r.T, row.own, r.Service.Called("create") == 1)
				if !row.own {
					r.Does(bot.Request{Name: place.ActionDecline, Value: h.ID(), User: "maria"})
					_, decision, err := r.Store.Holds.Hold(r.T.Context(), h.ID())
					require.NoError(r.T, err)
					require.False(r.T, decision.Allowed)
				}
			})
		})
	}
}

// An operator decides about the account's limit, but not about their own order while another operator is named.
func TestAnOperatorDoesNotAllowTheirOwnOrderWhileAnotherIsNamed(t *testing.T) {
	for name, operators := range map[string][]string{"another": {"maria", "boss"}, "nobody else": {"maria"}} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				r.Assemble(operators...)
				settingstest.SaveAccount(r.T, r.Store, "T1", store.Account{MonthLimit: 1})
				h := dearOrder(r, store.Decides{})
				r.Does(bot.Request{Name: place.ActionAllow, Value: h.ID(), User: "maria"})
				r.Settle(time.Minute)
				require.Equal(r.T, len(operators) == 1, r.Service.Called("create") == 1)
			})
		})
	}
}

// Only a person who decides and may read credits sees the credits that a question leaves out.
func TestCreditsOfAQuestionAreShownToWhoDecidesAndMayReadThem(t *testing.T) {
	for credits, reads := range map[store.Credits]bool{store.CreditsMembers: true, store.CreditsOperators: false} {
		t.Run(string(credits), func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				settingstest.SaveAccount(r.T, r.Store, "T1", store.Account{Credits: credits})
				h := dearOrder(r, store.Decides{Approvers: []string{"tom"}, OrderLimit: 1})
				asked, _, err := r.Store.Holds.Hold(r.T.Context(), h.ID())
				require.NoError(r.T, err)
				require.True(r.T, asked.Hides, "ines, a guest, reads the channel")
				require.Equal(r.T, reads, strings.Contains(r.Screen.Window(h.View), "About 5 credits"), "maria reads her own answer")
				press := func(user string) string {
					return r.Does(bot.Request{Name: place.ActionHoldCredits, Value: h.ID(), User: user})
				}
				require.Equal(r.T, reads, strings.Contains(press("tom"), "limit of 1 credit"))
				require.Contains(r.T, press("maria"), "only tom", "who does not decide")
				require.NotContains(r.T, press("maria"), "more than 1 credit")
			})
		})
	}
}

// An answered question shows the month's figure at the time of its answer.
func TestAnAnsweredQuestionSaysWhatTheMonthCostThen(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		h := dearOrder(r, store.Decides{Approvers: []string{"tom"}, MonthLimit: 1})
		require.Equal(r.T, "5", h.Spent.String())
		costs(r, "since", 40, 40)
		r.Does(bot.Request{Name: place.ActionAllow, Value: h.ID(), User: "tom"})
		r.Settle(time.Minute)
		_, decision, err := r.Store.Holds.Hold(r.T.Context(), h.ID())
		require.NoError(r.T, err)
		require.Equal(r.T, "45", decision.Spent.Decimal.String())
		require.Contains(r.T, commandstest.Text(place.HoldQuestion(h, decision)), "This channel spent 45 credits this month")
	})
}
