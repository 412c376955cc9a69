package commands

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// until delivers a job again and again, as its lane would, until it is done.
func (r *rig) until(d *queue.Delivery) {
	r.t.Helper()
	for range 30 {
		if r.doing(jobs.PlaceJob)(r.t.Context(), d) == nil {
			r.settle(time.Second)
			return
		}
		r.settle(15 * time.Second)
	}
	require.Fail(r.t, "the job never ends")
}

func TestAnOrderThatRedisForgotIsFoundByItsReference(t *testing.T) {
	bubble(t, func(r *rig) {
		d := r.placingJob(r.t, jobs.PlaceState{})
		forgotten := r.draft()
		named := forgotten
		named.Reference = ""
		r.names(&named)
		require.Equal(r.t, forgotten.Reference, named.Reference, "the same draft makes the same reference")

		require.Error(r.t, r.doing(jobs.PlaceJob)(r.t.Context(), d))
		r.settle(time.Minute) // the request that was forgotten is still under way
		r.service.set(func(f *forgetful) { f.add("Smith wedding [" + forgotten.Reference + "]") })
		r.until(d)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
		creates, _ := r.service.sent()
		require.Zero(r.t, creates)
	})
}

func TestAnOrderThatWasSurelyNotSentIsSentAfterADoubt(t *testing.T) {
	bubble(t, func(r *rig) {
		d := r.placingJob(r.t, jobs.PlaceState{})
		began := time.Now()
		r.until(d)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
		creates, _ := r.service.sent()
		require.Equal(r.t, 1, creates)
		require.Greater(r.t, time.Since(began), jobs.SettleAfter+r.service.Timeout())
	})
}

// Redis loses its last second once more, just after what was doubted was sent: what it brings
// back is the doubt from before.
func TestADoubtThatRedisBringsBackBeginsAnew(t *testing.T) {
	for name, arrives := range map[string]time.Duration{
		"it was on its way":                  time.Minute,
		"it comes between two late readings": jobs.SettleAfter + 30*time.Second + 8*time.Second,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				d := r.placingJob(r.t, jobs.PlaceState{})
				r.readsOnce(d)
				kept, draft := d.State, r.draft()
				r.service.nextCreate = append(r.service.nextCreate, func(do func() order.Order) (order.Order, error) {
					go func() {
						<-time.After(arrives)
						r.service.set(func(*forgetful) { do() })
					}()
					return order.Order{}, errUnknown
				})
				r.settle(15 * time.Second)
				require.Error(r.t, r.doing(jobs.PlaceJob)(r.t.Context(), d))
				require.Equal(r.t, 1, r.service.called("create"))

				r.rollsBack(draft)
				d.State = kept
				r.until(d)
				require.Equal(r.t, 1, r.service.called("create"))
				require.Equal(r.t, store.DraftPlaced, r.draft().State)
			})
		})
	}
}

// A Redis that restarts again and again does not keep an order from being sent: as long as a
// doubt cannot have ended, nothing can have been forgotten of its end.
func TestADoubtThatCannotHaveEndedOutlivesRestarts(t *testing.T) {
	bubble(t, func(r *rig) {
		d := r.placingJob(r.t, jobs.PlaceState{})
		require.Error(r.t, r.doing(jobs.PlaceJob)(r.t.Context(), d))
		began := time.Now()
		for time.Since(began) < jobs.SettleAfter {
			r.settle(20 * time.Second)
			r.rollsBack(r.draft())
			require.Error(r.t, r.doing(jobs.PlaceJob)(r.t.Context(), d))
		}
		r.until(d)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
		require.Equal(r.t, 1, r.service.called("create"))
		require.Less(r.t, time.Since(began), jobs.SettleAfter+time.Minute+30*time.Second)
	})
}

// readsOnce delivers a job until a reading of the list that found nothing has counted.
func (r *rig) readsOnce(d *queue.Delivery) {
	r.t.Helper()
	for range 30 {
		require.Error(r.t, r.doing(jobs.PlaceJob)(r.t.Context(), d))
		var state jobs.PlaceState
		require.NoError(r.t, json.Unmarshal(d.State, &state))
		if state.Search.Readings > 0 {
			return
		}
		r.settle(15 * time.Second)
	}
	require.Fail(r.t, "no reading ever counts")
}

func TestAServiceThatRefusesToBeLookedAtIsWaitedFor(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, lost)
		r.types("new")
		r.service.set(func(f *forgetful) { f.strange = true })
		r.submits()
		require.Contains(r.t, r.screen.modal(), "check", "it may be out, and nobody says that nothing was sent")
		require.NotContains(r.t, r.screen.modal(), "Nothing was sent")
		r.settle(10 * time.Minute)
		require.Len(r.t, r.screen.dms, 1, "a long wait is told by direct message, once")
		r.service.set(func(f *forgetful) { f.strange = false })
		r.settle(2 * time.Minute)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
		creates, _ := r.service.sent()
		require.Equal(r.t, 1, creates)
	})
}

func TestAGhostIsToldThoughSlackIsBusy(t *testing.T) {
	bubble(t, func(r *rig) {
		r.givenUp()
		r.screen.Lock()
		r.screen.busy = 1
		r.screen.Unlock()
		r.service.set(func(f *forgetful) { f.add("Smith wedding [" + r.draft().Reference + "]") })
		r.settle(10 * time.Minute)
		require.Len(r.t, r.screen.dms, 2)
		require.Contains(r.t, r.screen.dms[1], "order1")
	})
}

func TestASecondGhostIsFoundToo(t *testing.T) {
	bubble(t, func(r *rig) {
		r.givenUp()
		r.service.set(func(f *forgetful) { f.add("Smith wedding [" + r.draft().Reference + "]") })
		r.settle(8 * time.Minute)
		r.service.set(func(f *forgetful) { f.add("Smith wedding [" + r.draft().Reference + "]") })
		r.settle(10 * time.Minute)
		require.Len(r.t, r.screen.dms, 3)
		_, err := r.store.Order(r.t.Context(), "order2")
		require.NoError(r.t, err)
	})
}

func TestADraftWhoseJobWasNeverPutIsPlacedWhenItIsLookedAt(t *testing.T) {
	bubble(t, func(r *rig) {
		r.placingJob(r.t, jobs.PlaceState{}) // made by hand, not in the queue
		draft := r.draft()
		require.NoError(r.t, r.store.SaveDraft(r.t.Context(), draft))
		r.presses(cards.ActionOpen, draft.ID)
		r.settle(time.Second)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
	})
}

func TestAJobThatDiedGivesTheOrderBack(t *testing.T) {
	bubble(t, func(r *rig) {
		d := r.placingJob(r.t, jobs.PlaceState{})
		r.jobs.Died(r.t.Context(), queue.DeadLetter{Job: d.Job})
		r.settle(time.Second)
		require.Equal(r.t, store.DraftUnknown, r.draft().State)
		require.Len(r.t, r.screen.dms, 1)
		require.Contains(r.t, r.screen.dms[0], cards.ActionRetry)
		require.Equal(r.t, 1, r.later(), "its reference is watched")
	})
}
