package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/cards/ops"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/tenants"
)

// hearsOps collects the messages to the operations channel.
func hearsOps(r *commandstest.Rig) *[]string {
	var heard []string
	r.Ops = func(_ context.Context, sentence string) (bool, error) {
		heard = append(heard, sentence)
		return true, nil
	}
	return &heard
}

// cuts makes a service that keeps four characters of a name.
func cuts(f *commandstest.Service) { f.Limit = 4 }

// keepsOwn saves that the service keeps names of its own, as an earlier answer showed.
func keepsOwn(r *commandstest.Rig) {
	r.T.Helper()
	_, err := r.Store.AccountNames.NoteNames(r.T.Context(), tenants.ServiceAccount{}.ID(), tenants.Names{Own: true})
	require.NoError(r.T, err)
}

// nothingProven deletes the evidence about the account's names.
func nothingProven(r *commandstest.Rig) {
	r.T.Helper()
	require.NoError(r.T, r.Redis.Del(r.T.Context(), "{darkroom}:connection").Err())
}

// draftOf returns the draft of the form that the nth click opened.
func draftOf(r *commandstest.Rig, click string) store.Draft {
	r.T.Helper()
	d, err := r.Store.Drafts.Draft(r.T.Context(), job.Hash(click))
	require.NoError(r.T, err)
	return d
}

// unknownIs requires that the message about the unknown outcome names the order, its time and its price.
func unknownIs(r *commandstest.Rig, draft store.Draft) {
	r.T.Helper()
	require.Equal(r.T, store.DraftUnknown, draft.State)
	told := commandstest.Readable(r.Screen.DMs[len(r.Screen.DMs)-1])
	for _, says := range []string{"Nobody knows whether your order was placed", "Smith wedding", "1 photo: 1 Basic", "Cost", draft.Reference, "pay twice"} {
		require.Contains(r.T, told, says)
	}
	require.Regexp(r.T, `Sent.{1,5}<!date\^`, told)
	require.NotContains(r.T, told, "not placed")
	require.NotContains(r.T, told, "surely")
}

// The service cut the order's name, so the search cannot find it. It is not sent again before its person was told what
// that may cost.
func TestAnOrderIsNotDoubledAtAServiceThatKeepsNamesOfItsOwn(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		heard := hearsOps(r)
		r.Service.Set(cuts)
		r.Types("new")
		r.Submits()
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.Len(r.T, *heard, 1)
		require.Contains(r.T, (*heard)[0], "changes the names of orders")

		r.Service.Set(func(f *commandstest.Service) { f.NextCreate = []commandstest.ServiceAnswer{commandstest.Lost} })
		r.Types("new")
		r.Submits()
		r.Settle(4 * time.Minute)
		unknownIs(r, draftOf(r, "trigger3"))
		require.Len(r.T, r.Service.Orders, 2)

		r.Presses(place.ActionRetry, draftOf(r, "trigger3").ID)
		r.Settle(10 * time.Second)
		require.Equal(r.T, store.DraftPlaced, draftOf(r, "trigger3").State, "who was told so may order once more")
		require.Len(r.T, r.Service.Orders, 3)
		require.Len(r.T, *heard, 1, "once for each account")
	})
}

func TestAJobThatRedisForgotIsNotSentAgainAtAServiceThatKeepsNamesOfItsOwn(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		d := placingJob(r, jobs.PlaceState{})
		r.Service.Set(cuts)
		keepsOwn(r)
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
		until(r, d)
		require.Zero(r.T, r.Service.Called("create"), "nobody asked")
		unknownIs(r, r.Draft())
		require.Contains(r.T, r.Screen.DMs[len(r.Screen.DMs)-1], place.ActionRetry)
	})
}

// Its card shows the reference that the service did not keep.
func TestAnOrderThatRedisForgotIsFoundByItsCardWhateverItsName(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		heard := hearsOps(r)
		d := placingJob(r, jobs.PlaceState{})
		var there order.Order
		r.Service.Set(func(f *commandstest.Service) { there = f.Add("Quiet Harbor 1234") })
		t := store.Tracked{ID: there.ID, Known: order.Known{Order: there}, Reference: r.Draft().Reference, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "UMARIA", Generation: 1}}
		root := r.Begins("1.000100", "UDARKROOM", cards.About{Order: there.ID, Event: cards.CardEvent, Generation: 1})
		root.Text = cards.Card(t, "", time.Now()).Text
		until(r, d)
		require.Zero(r.T, r.Service.Called("create"))
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.Equal(r.T, there.ID, r.Draft().OrderID)
		names, err := r.Store.AccountNames.Of(r.T.Context(), tenants.ServiceAccount{}.ID())
		require.NoError(r.T, err)
		require.True(r.T, names.Own)
		require.Len(r.T, *heard, 1)
	})
}

// Fetching an order by the id on its card shows its name at the service, too.
func TestAnOrderThatIsFoundByItsCardTellsOfTheNames(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		heard := hearsOps(r)
		about := cardless(r)
		isForgotten(r, about.Order)
		r.Service.Edit(about.Order, func(o *order.Order) { o.ProjectName = "Quiet Harbor 1234" })
		ts := fmt.Sprintf("%d.000001", time.Now().Unix())
		speaks(r.Begins(ts, "UDARKROOM", about))
		r.Hears(mention(r, map[string]any{"text": "<@UDARKROOM> Softer", "thread_ts": ts}))
		require.Equal(r.T, "K7Q2XM", r.Stored(about.Order).Reference)
		require.Equal(r.T, []string{ops.RolledBack(), ops.OwnNames}, *heard)
	})
}

// Until an answer or a list has shown a reference of the app, nothing proves that the service keeps names.
func TestAnAccountThatProvedNothingYetConcludesNothing(t *testing.T) {
	for name, test := range map[string]struct {
		listed string
		proves bool
	}{
		"nothing of ours is listed":             {"Quiet Harbor 1234", false},
		"an order of ours is listed":            {"Jones and sons [K7Q2XM]", true},
		"one with a shorter name than this one": {"Foo [K7Q2XM]", false},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				nothingProven(r)
				r.Service.Set(func(f *commandstest.Service) { f.Add(test.listed) })
				r.GivenUp()
				if !test.proves {
					unknownIs(r, r.Draft())
					return
				}
				require.Contains(r.T, r.Screen.DMs[0], "Your order was not placed. I searched")
			})
		})
	}
}

// The person was told that the order is surely absent, not that another may cost twice.
func TestTryingAgainAsksWhenTheAccountTurnedOutToKeepNamesOfItsOwn(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.GivenUp()
		keepsOwn(r)
		r.Presses(place.ActionRetry, id)
		r.Settle(4 * time.Minute)
		require.Equal(r.T, 1, r.Service.Called("create"))
		unknownIs(r, r.Draft())
		r.Presses(place.ActionRetry, id)
		r.Settle(10 * time.Second)
		require.Equal(r.T, 2, r.Service.Called("create"))
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
	})
}

// Redis forgets that the second attempt was sent. One press asks for one more order, not for two.
func TestTryingAgainIsOneOrderThoughRedisForgetsIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.Set(cuts)
		keepsOwn(r)
		d := placingJob(r, jobs.PlaceState{})
		draft := r.Draft()
		draft.Attempt, draft.Warned, draft.SentAt = 2, 1, time.Now()
		require.NoError(r.T, r.Store.Drafts.SaveDraft(r.T.Context(), draft))
		var err error
		d.Body, err = json.Marshal(jobs.PlaceArgs{Draft: draft.ID, Attempt: 2, View: "none"})
		require.NoError(r.T, err)
		until(r, d) // made by hand: it is not of this run of Redis
		require.Zero(r.T, r.Service.Called("create"))
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
	})
}

// A refusal is an answer: a corrected form is sent, whatever names the service keeps.
func TestARefusedOrderIsPlacedAtAServiceThatKeepsNamesOfItsOwn(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.Set(cuts)
		keepsOwn(r)
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("insufficient balance: 2 credits"))
		r.Types("new")
		r.Submits()
		r.Submits()
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.Len(r.T, r.Service.Orders, 1)
	})
}
