package jobs_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

func TestAPlacedOrderIsOwnedByItsChannel(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new https://example.com/a.jpg")
		r.Submits()
		require.Contains(r.T, r.Screen.Modal(), "Order placed")
		order, err := r.Store.Orders.Order(r.T.Context(), "order1")
		require.NoError(r.T, err)
		require.Equal(r.T, store.Owner{Team: "T1", Channel: "C1", Requester: "maria", Generation: order.Owner.Generation}, order.Owner)
		require.Regexp(r.T, `^Smith wedding \[[A-Z0-9]{6,}\]$`, order.Order.ProjectName)
	})
}

func TestAnOrderWithoutANameGetsTwoFriendlyWords(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		draft := store.Draft{ID: job.Hash("trigger1"), Attempt: 1, State: store.DraftPlacing, User: "maria"}
		names(r, &draft)
		require.Regexp(r.T, `^\S+ \S+$`, draft.ProjectName)
		before := draft
		names(r, &draft)
		require.Equal(r.T, before.Reference, draft.Reference, "the reference is given once")
	})
}

func TestAnOrderWhoseAnswerIsLostIsAdopted(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Lost)
		r.Types("new")
		r.Submits()
		require.Contains(r.T, r.Screen.Modal(), "Order placed")
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 1, creates)
	})
}

func TestAnOrderThatAppearsLateIsAdopted(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		r.Types("new")
		r.Submits()
		require.NotContains(r.T, r.Screen.Modal(), "Order placed")
		r.Service.Lock()
		r.Service.Add(r.Draft().ProjectName + " [" + r.Draft().Reference + "]")
		r.Service.Unlock()
		r.Settle(15 * time.Second)
		require.Contains(r.T, r.Screen.Modal(), "Order placed")
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 1, creates)
	})
}

func TestAnOrderNobodyFindsIsGivenBackToThePerson(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		r.Types("new")
		r.Submits()
		r.Settle(148 * time.Second) // the request's own 30 s and two minutes are not over
		require.NotContains(r.T, r.Screen.Modal(), "Try Again", "a scan this early proves nothing")
		r.Settle(30 * time.Second)
		require.Contains(r.T, r.Screen.Modal(), "Try Again")
		require.Contains(r.T, r.Screen.Modal(), "Discard")
		require.Len(r.T, r.Screen.DMs, 1, "unsettled money is always also a direct message")
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 1, creates)
	})
}

func TestAnOrderThatTurnsUpAfterAllIsShownToItsRequester(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.GivenUp()
		r.Service.Lock()
		ghost := r.Service.Add("Smith wedding [" + r.Draft().Reference + "]")
		r.Service.Unlock()
		r.Settle(20 * time.Minute)
		require.Len(r.T, r.Screen.DMs, 2)
		require.Contains(r.T, r.Screen.DMs[1], ghost.ID)
		_, err := r.Store.Orders.Order(r.T.Context(), ghost.ID)
		require.NoError(r.T, err, "its channel owns it")
	})
}

func TestAReferenceIsWatchedForADay(t *testing.T) {
	require.Equal(t, 24*time.Hour, jobs.Watches[len(jobs.Watches)-1])
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.GivenUp()
		for step := range jobs.Watches {
			before := later(r)
			require.NoError(r.T, r.Doing(jobs.WatchJob)(r.T.Context(), watchDelivery(r.T, jobs.WatchArgs{Draft: r.Draft().ID, Step: step, Since: time.Now()})))
			more := 1
			if step == len(jobs.Watches)-1 {
				more = 0 // the watch ends
			}
			require.Equal(r.T, before+more, later(r), "step %d", step)
		}
		require.Len(r.T, r.Screen.DMs, 1, "nothing turned up")
	})
}

// later counts the jobs put with a delay that is not over.
func later(r *commandstest.Rig) int {
	r.T.Helper()
	return r.Stats().Delayed
}

func watchDelivery(t *testing.T, w jobs.WatchArgs) *queue.Delivery {
	t.Helper()
	body, err := json.Marshal(w)
	require.NoError(t, err)
	return &queue.Delivery{Job: queue.Job{ID: "watch", Kind: jobs.WatchJob, Body: body}}
}

func TestARefusalGivesTheFormBackWithEverythingTyped(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("insufficient balance: 2 credits", "one file is not accessible from our server: https://example.com/a.jpg"))
		r.Types("new")
		r.Submits()
		for _, kept := range []string{"insufficient balance: 2 credits", "not accessible", "Brighten it.", "Smith wedding"} {
			require.Contains(r.T, r.Screen.Modal(), kept)
		}
		r.Submits()
		require.Contains(r.T, r.Screen.Modal(), "Order placed")
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 2, creates)
	})
}

func TestARefusalIsToldWhenTheFormIsGone(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("insufficient balance: 2 credits"))
		r.Types("new")
		r.Screen.Closes()
		r.Submits()
		require.Contains(r.T, r.Screen.LastMessage(), "insufficient balance: 2 credits")
		require.Contains(r.T, r.Screen.LastMessage(), "Brighten it.")
		require.Contains(r.T, r.Screen.LastMessage(), place.ActionOpen)
	})
}

func TestAServiceThatIsDownGetsTheOrderWhenItIsBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Unsent, commandstest.Unsent)
		r.Types("new")
		r.Service.Lock()
		r.Service.Down = true
		r.Service.Unlock()
		r.Submits()
		r.Settle(5 * time.Minute)
		require.Equal(r.T, store.DraftPlacing, r.Draft().State, "an outage waits, it does not give up")
		r.Service.Lock()
		r.Service.Down = false
		r.Service.Unlock()
		r.Settle(5 * time.Minute)
		require.Contains(r.T, r.Screen.Modal(), "Order placed")
		require.Len(r.T, r.Service.Orders, 1)
	})
}

func TestAJobFoundInSendingLooksAndDoesNotSend(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		d := placingJob(r, jobs.PlaceState{Progress: job.Progress{Phase: job.Sending, SentAt: time.Now()}})
		d.Deliveries = 2
		require.Error(r.T, r.Doing(job.Place)(r.T.Context(), d), "it waits for its next look")
		creates, _ := r.Service.Sent()
		require.Zero(r.T, creates)
		require.NotZero(r.T, r.Service.Listed())
	})
}

func TestAJobThatWasDeliveredBeforeLooksFirst(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		d := placingJob(r, jobs.PlaceState{})
		r.Service.Add("Smith wedding [" + r.Draft().Reference + "]")
		require.NoError(r.T, r.Doing(job.Place)(r.T.Context(), d))
		creates, _ := r.Service.Sent()
		require.Zero(r.T, creates, "adopted")
	})
}

func TestARefusalIsToldThoughTheJobDiedBeforeItCould(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		d := placingJob(r, jobs.PlaceState{})
		draft := r.Draft()
		draft.State, draft.Attempt, draft.Problems = store.DraftRefused, 2, []string{"insufficient balance"}
		require.NoError(r.T, r.Store.Drafts.SaveDraft(r.T.Context(), draft))
		require.NoError(r.T, r.Doing(job.Place)(r.T.Context(), d))
		r.Settle(time.Second)
		require.Contains(r.T, r.Screen.Shown["none"], "insufficient balance")
		creates, _ := r.Service.Sent()
		require.Zero(r.T, creates)
	})
}

// names gives a draft its reference and name.
func names(r *commandstest.Rig, draft *store.Draft) {
	r.T.Helper()
	_, err := r.Jobs.NameOrder(r.T.Context(), draft, false)
	require.NoError(r.T, err)
}

// placingJob makes a delivery of a named draft's job with a state that a crash left behind.
func placingJob(r *commandstest.Rig, state jobs.PlaceState) *queue.Delivery {
	r.T.Helper()
	r.Types("new")
	draft := r.Draft()
	draft.State, draft.Channel, draft.ProjectName = store.DraftPlacing, "C1", "Smith wedding"
	draft.URLs, draft.Instructions, draft.SubmittedAt = []string{"https://example.com/a.jpg"}, []string{"x"}, time.Now()
	draft.Service = order.ServiceBasic
	names(r, &draft)
	r.Screen.Views = append(r.Screen.Views, "none")
	body, err := json.Marshal(jobs.PlaceArgs{Draft: draft.ID, Attempt: 1, View: "none"})
	require.NoError(r.T, err)
	raw, err := json.Marshal(state)
	require.NoError(r.T, err)
	return &queue.Delivery{Job: queue.Job{ID: "place:x:1", Kind: job.Place, Body: body}, State: raw, Deliveries: 2}
}

func TestARefusalIsToldInItsWordsAndThatThereAreNone(t *testing.T) {
	for says, refusal := range map[string]error{
		"The name is too long.": &order.InputError{Problem: "The name is too long."},
		"gave no reason":        &order.Error{Op: "create"},
	} {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.Service.NextCreate = append(r.Service.NextCreate, func(func() order.Order) (order.Order, error) {
				return order.Order{}, refusal
			})
			r.Types("new")
			r.Submits()
			require.Equal(r.T, store.DraftRefused, r.Draft().State)
			require.Contains(r.T, r.Screen.Modal(), says)
			require.Contains(r.T, r.Screen.Modal(), "Brighten it.")
		})
	}
}

// An order keeps the requested images, whether its answer was lost or it was found late.
func TestAnOrderThatIsFoundKeepsWhatWasAskedFor(t *testing.T) {
	for name, arrives := range map[string]func(r *commandstest.Rig){
		"its answer was lost": func(r *commandstest.Rig) {
			r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Lost)
			r.Types("new https://example.com/a.jpg")
			r.Submits()
		},
		"it turned up late": func(r *commandstest.Rig) {
			r.GivenUp()
			r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
			r.Settle(20 * time.Minute)
			require.Contains(r.T, r.Screen.DMs[1], "Brighten it.", "the requester reads which one it is")
		},
		"somebody had tracked it meanwhile": func(r *commandstest.Rig) {
			r.GivenUp()
			r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
			r.SetUpWorkspace()
			r.Says("boss", "C1", "track order1")
			r.Settle(20 * time.Minute)
		},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				arrives(r)
				require.Equal(r.T, r.Draft().Brief(), r.Stored("order1").Brief)
				require.Equal(r.T, []string{"Brighten it."}, r.Stored("order1").Brief.Instructions)
			})
		})
	}
}
