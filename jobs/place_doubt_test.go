package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// until delivers a job again until it is done, as its lane does.
func until(r *commandstest.Rig, d *queue.Delivery) {
	r.T.Helper()
	for range 30 {
		if r.Doing(job.Place)(r.T.Context(), d) == nil {
			r.Settle(time.Second)
			return
		}
		r.Settle(15 * time.Second)
	}
	require.Fail(r.T, "the job never ends")
}

func TestAnOrderThatRedisForgotIsFoundByItsReference(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		d := placingJob(r, jobs.PlaceState{})
		forgotten := r.Draft()
		named := forgotten
		named.Reference = ""
		names(r, &named)
		require.Equal(r.T, forgotten.Reference, named.Reference, "the same draft makes the same reference")

		require.Error(r.T, r.Doing(job.Place)(r.T.Context(), d))
		r.Settle(time.Minute) // the request that was forgotten is still under way
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + forgotten.Reference + "]") })
		until(r, d)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		creates, _ := r.Service.Sent()
		require.Zero(r.T, creates)
	})
}

// No list and no search shows a canceled order, but its card is in the channel.
func TestAnOrderThatWasTakenBackBeforeRedisForgotItIsNotPlacedAgain(t *testing.T) {
	for name, wrote := range map[string]string{"its card says so": "UDARKROOM", "a stranger copied a card": "UEVE"} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				d := placingJob(r, jobs.PlaceState{})
				reference := r.Draft().Reference
				var taken order.Order
				r.Service.Set(func(f *commandstest.Service) {
					f.Add("Another one")
					taken = f.Add("Smith wedding [" + reference + "]")
					o := f.Find(taken.ID)
					o.Status, o.CanceledAt = order.StatusCanceled, time.Now()
				})
				r.Begins("1.000100", "UDARKROOM", cards.About{Order: "order1", Event: cards.CardEvent, Generation: 1})
				r.Begins("1.000200", wrote, cards.About{Order: taken.ID, Event: cards.CardEvent, Generation: 1})
				until(r, d)
				require.Equal(r.T, store.DraftPlaced, r.Draft().State)
				creates, _ := r.Service.Sent()
				if wrote == "UEVE" {
					require.Equal(r.T, 1, creates)
					return
				}
				require.Zero(r.T, creates)
				tracked, err := r.Store.Orders.Order(r.T.Context(), taken.ID)
				require.NoError(r.T, err)
				require.True(r.T, tracked.Order.Canceled())
				events, err := r.Store.Orders.Events(r.T.Context(), taken.ID)
				require.NoError(r.T, err)
				require.Len(r.T, events, 2)
				require.Equal(r.T, order.EventPlaced, events[0].Kind)
				require.Equal(r.T, order.EventCanceled, events[1].Kind)
			})
		})
	}
}

func TestAnOrderThatWasSurelyNotSentIsSentAfterADoubt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		d := placingJob(r, jobs.PlaceState{})
		began := time.Now()
		until(r, d)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 1, creates)
		require.Greater(r.T, time.Since(began), jobs.SettleAfter+r.Service.Timeout())
	})
}

// Redis loses its last second again, right after the order was sent. The search begins anew.
func TestADoubtThatRedisBringsBackBeginsAnew(t *testing.T) {
	for name, arrives := range map[string]time.Duration{
		"it was on its way":                  time.Minute,
		"it comes between two late readings": jobs.SettleAfter + 30*time.Second + 8*time.Second,
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				d := placingJob(r, jobs.PlaceState{})
				readsOnce(r, d)
				kept, draft := d.State, r.Draft()
				r.Service.NextCreate = append(r.Service.NextCreate, func(do func() order.Order) (order.Order, error) {
					go func() {
						<-time.After(arrives)
						r.Service.Set(func(*commandstest.Service) { do() })
					}()
					return order.Order{}, commandstest.ErrUnknown
				})
				r.Settle(15 * time.Second)
				require.Error(r.T, r.Doing(job.Place)(r.T.Context(), d))
				require.Equal(r.T, 1, r.Service.Called("create"))

				rollsBack(r, draft)
				d.State = kept
				until(r, d)
				require.Equal(r.T, 1, r.Service.Called("create"))
				require.Equal(r.T, store.DraftPlaced, r.Draft().State)
			})
		})
	}
}

// Restarts of Redis do not keep an order from being sent: a search that cannot have ended goes on.
func TestADoubtThatCannotHaveEndedOutlivesRestarts(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		d := placingJob(r, jobs.PlaceState{})
		require.Error(r.T, r.Doing(job.Place)(r.T.Context(), d))
		began := time.Now()
		for time.Since(began) < jobs.SettleAfter {
			r.Settle(20 * time.Second)
			rollsBack(r, r.Draft())
			require.Error(r.T, r.Doing(job.Place)(r.T.Context(), d))
		}
		until(r, d)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.Equal(r.T, 1, r.Service.Called("create"))
		require.Less(r.T, time.Since(began), jobs.SettleAfter+time.Minute+30*time.Second)
	})
}

// However often Redis restarts, the search ends on time: a restart between the last two readings cannot have lost a send.
func TestADoubtEndsThoughRedisRestartsEveryFewSeconds(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		d := placingJob(r, jobs.PlaceState{})
		began, over := time.Now(), make(chan struct{})
		defer close(over)
		go func() {
			for n := 0; ; n++ {
				select {
				case <-over:
					return
				case <-time.After(2500 * time.Millisecond):
					_ = r.Redis.HSet(context.Background(), "{darkroom}:run", "replid", fmt.Sprint("run ", n)).Err()
				}
			}
		}()
		for {
			err := r.Doing(job.Place)(r.T.Context(), d)
			if err == nil {
				break
			}
			require.Less(r.T, time.Since(began), jobs.SettleAfter+r.Service.Timeout()+30*time.Second)
			wait, err := time.ParseDuration(strings.TrimPrefix(err.Error(), "wait "))
			require.NoError(r.T, err)
			r.Settle(wait + 50*time.Millisecond) // as its lane would
		}
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.Equal(r.T, 1, r.Service.Called("create"))
	})
}

// readsOnce delivers a job until a reading of the list that found nothing has counted.
func readsOnce(r *commandstest.Rig, d *queue.Delivery) {
	r.T.Helper()
	for range 30 {
		require.Error(r.T, r.Doing(job.Place)(r.T.Context(), d))
		var state jobs.PlaceState
		require.NoError(r.T, json.Unmarshal(d.State, &state))
		if state.Search.Readings > 0 {
			return
		}
		r.Settle(15 * time.Second)
	}
	require.Fail(r.T, "no reading ever counts")
}

func TestAServiceThatRefusesToBeLookedAtIsWaitedFor(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Lost)
		r.Types("new")
		r.Service.Set(func(f *commandstest.Service) { f.ListRefused = true })
		r.Submits()
		require.Contains(r.T, r.Screen.Modal(), "check", "it may be out, and nobody says that nothing was sent")
		require.NotContains(r.T, r.Screen.Modal(), "Nothing was sent")
		r.Settle(10 * time.Minute)
		require.Len(r.T, r.Screen.DMs, 1, "a long wait is told by direct message, once")
		r.Service.Set(func(f *commandstest.Service) { f.ListRefused = false })
		r.Settle(2 * time.Minute)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 1, creates)
	})
}

func TestAGhostIsToldThoughSlackIsBusy(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.GivenUp()
		r.Screen.Lock()
		r.Screen.Busy = 1
		r.Screen.Unlock()
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
		r.Settle(10 * time.Minute)
		require.Len(r.T, r.Screen.DMs, 2)
		require.Contains(r.T, r.Screen.DMs[1], "order1")
	})
}

func TestASecondGhostIsFoundToo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.GivenUp()
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
		r.Settle(8 * time.Minute)
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
		r.Settle(10 * time.Minute)
		require.Len(r.T, r.Screen.DMs, 3)
		_, err := r.Store.Orders.Order(r.T.Context(), "order2")
		require.NoError(r.T, err)
	})
}

func TestADraftWhoseJobWasNeverPutIsPlacedWhenItIsLookedAt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		placingJob(r, jobs.PlaceState{}) // made by hand, not in the queue
		draft := r.Draft()
		require.NoError(r.T, r.Store.Drafts.SaveDraft(r.T.Context(), draft))
		r.Presses(place.ActionOpen, draft.ID)
		r.Settle(time.Second)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
	})
}

func TestAJobThatDiedGivesTheOrderBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		d := placingJob(r, jobs.PlaceState{})
		require.NoError(r.T, r.Jobs.Died(r.T.Context(), queue.DeadLetter{Job: d.Job}))
		r.Settle(time.Second)
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.DMs[0], place.ActionRetry)
		require.Equal(r.T, 1, later(r), "its reference is watched")
	})
}
