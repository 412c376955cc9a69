package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/jobs/accounts"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/tenants"
)

// switchable makes a workspace with one account, and returns a function that connects another or that one again.
func switchable(r *commandstest.Rig) (switches func(host string)) {
	accounts := r.Connects(nil)
	switches = func(host string) {
		r.T.Helper()
		ctx, a := r.T.Context(), tenants.ServiceAccount{URL: "https://" + host + "/v1", Key: "k3y", Secret: "s3cret"}
		require.NoError(r.T, r.Store.Connection.NoteConnected(ctx, a, tenants.Connection{}))
		require.NoError(r.T, accounts.Connect(ctx, a))
		_, err := r.Store.AccountNames.NoteNames(ctx, a.ID(), tenants.Names{Kept: order.NameLength{Letters: 1000, Bytes: 1000}}) // as of an account in use
		require.NoError(r.T, err)
		_, err = r.Store.Connection.ConfirmConnected(ctx)
		require.NoError(r.T, err)
	}
	switches("one.example.com")
	return switches
}

// Another account cannot prove that an order whose answer was lost is missing.
func TestAnOrderThatIsOutAtAnotherAccountIsNotSaidToBeMissing(t *testing.T) {
	for name, after := range map[string]time.Duration{"before it was looked for": 0, "between two looks": 3 * time.Second, "after it counted once": 152 * time.Second} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				switches := switchable(r)
				r.Service.NextCreate = append(r.Service.NextCreate, func(do func() order.Order) (order.Order, error) {
					if after == 0 {
						switches("two.example.com")
					}
					return commandstest.Never(do)
				})
				r.Types("new")
				r.Submits()
				r.Settle(after)
				switches("two.example.com")
				r.Settle(4 * time.Minute)
				require.Equal(r.T, store.DraftUnknown, r.Draft().State)
				shown := r.Screen.Modal()
				require.True(r.T, commandstest.ContainsAll(shown, "I do not know whether your order was placed", "one.example.com", "may cost you twice"), shown)
				require.NotContains(r.T, shown, "surely not there")
				require.Contains(r.T, r.Screen.LastMessage(), "one.example.com")

				r.Presses(place.ActionRetry, pressOf(r, place.ActionRetry))
				r.Settle(6 * time.Minute)
				require.Equal(r.T, store.DraftPlaced, r.Draft().State, "who was told that it may cost twice has it ordered here")
				require.Len(r.T, r.Service.Orders, 1)
			})
		})
	}
}

// Try again searches the current account, which is not the one that may have the order.
func TestTryAgainAfterTheAccountWasChangedAsksFirst(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		switches := switchable(r)
		r.Service.Instead = func(order.Page) (order.Page, error) {
			return order.Page{}, &order.Error{Op: "list", Outcome: order.ErrRefused}
		}
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		r.Types("new")
		r.Submits()
		r.Settle(2 * time.Hour)
		require.Contains(r.T, r.Screen.Modal(), "I do not know")
		r.Service.Instead = nil
		value := pressOf(r, place.ActionRetry)
		switches("two.example.com")
		r.Presses(place.ActionRetry, value)
		r.Settle(6 * time.Minute)
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
		require.Empty(r.T, r.Service.Orders)
		require.Contains(r.T, r.Screen.LastMessage(), "one.example.com")
	})
}

func TestAnOrderIsFoundWhenItsAccountIsConnectedAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		switches := switchable(r)
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		r.Types("new")
		r.Submits()
		switches("two.example.com")
		r.Settle(4 * time.Minute)
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
		switches("one.example.com")
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
		r.Settle(6 * time.Minute)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
	})
}

// The account cannot be changed while the outcome of an order is unknown.
func TestAnOrderThatIsOutIsOfItsAccount(t *testing.T) {
	for name, test := range map[string]struct {
		until time.Duration
		state store.DraftState
		want  error
	}{
		"it is being placed":         {3 * time.Second, store.DraftPlacing, accounts.ErrOtherAccount},
		"nobody knows":               {4 * time.Minute, store.DraftUnknown, accounts.ErrOtherAccount},
		"its draft is kept no more":  {9 * 24 * time.Hour, store.DraftUnknown, nil},
		"it was discarded":           {4 * time.Minute, store.DraftDiscarded, nil},
		"a form that was not sent":   {0, store.DraftOpen, nil},
		"the service has refused it": {time.Second, store.DraftRefused, nil},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				switchable(r)
				other, ctx := tenants.ServiceAccount{URL: "https://two.example.com/v1", Key: "k3y"}, r.T.Context()
				answer := commandstest.Never
				if test.state == store.DraftRefused {
					answer = commandstest.Refused("no")
				}
				r.Service.NextCreate = append(r.Service.NextCreate, answer)
				r.Types("new")
				if test.state != store.DraftOpen {
					r.Submits()
				}
				r.Settle(test.until)
				if test.state == store.DraftDiscarded {
					r.Presses(place.ActionDiscard, r.Draft().ID)
				}
				if test.until < 8*24*time.Hour {
					require.Equal(r.T, test.state, r.Draft().State)
				}
				was, err := r.Jobs.Account.OrdersHost(ctx, other)
				require.ErrorIs(r.T, err, test.want)
				if test.want != nil {
					require.Equal(r.T, "one.example.com", was)
				}
			})
		})
	}
}
