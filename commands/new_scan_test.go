package commands

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
)

// others puts that many orders of other clients on the list, the latest of them that long
// ago and one a second before it.
func (f *forgetful) others(n int, ago time.Duration) {
	for i := range n {
		f.orders = append(f.orders, order.Order{
			ID: fmt.Sprintf("other%d", len(f.orders)), ProjectName: fmt.Sprintf("Other %d", i), Status: order.StatusEditing,
			OrderedAt: time.Now().Add(-ago - time.Duration(i)*time.Second),
		})
	}
}

// leaves takes an order off the list, as one that was canceled.
func (f *forgetful) leaves(i int) { f.orders = slices.Delete(f.orders, i, i+1) }

// sentInto is an order whose answer was lost, among so many others that came since.
func (r *rig) sentInto(others int) {
	r.t.Helper()
	r.service.set(func(f *forgetful) { f.wordless = true })
	r.service.nextCreate = append(r.service.nextCreate, func(do func() order.Order) (order.Order, error) {
		for range others {
			r.service.add("Another")
		}
		i := len(r.service.orders) // the service lists it by its own time, which is behind ours
		do()
		own := r.service.orders[0]
		own.OrderedAt = own.OrderedAt.Add(-50 * time.Minute)
		r.service.orders = append(r.service.orders[1:i+1], own)
		return order.Order{}, errUnknown
	})
	r.types("new")
	r.submits()
}

func TestAnOrderIsFoundWhereverItStandsInTheList(t *testing.T) {
	for _, others := range []int{0, 19, 20, 39, 40, 45, 159, 160, 399} {
		t.Run(fmt.Sprint(others), func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.sentInto(others)
				require.Equal(r.t, store.DraftPlaced, r.draft().State, "the keyword search was refused, and %d orders stand above it", others)
				creates, _ := r.service.sent()
				require.Equal(r.t, 1, creates)
				require.Equal(r.t, 1+others/20+1, r.service.listed(), "no page was read in vain")
			})
		})
	}
}

func TestAReadingEndsAnHourBeforeTheSubmission(t *testing.T) {
	for name, story := range map[string]struct {
		orders int
		ago    time.Duration
		calls  int
	}{
		"all are older":              {6000, 2 * time.Hour, 2},
		"an hour's worth is on top":  {6000, 0, 1 + 3600/20 + 1},
		"clocks that differ by less": {6000, 50 * time.Minute, 1 + 600/20 + 1},
		"there are no more":          {45, 0, 1 + 3},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.service.others(story.orders, story.ago)
				r.service.nextCreate = append(r.service.nextCreate, never)
				r.types("new")
				r.submits()
				require.Equal(r.t, story.calls, r.service.listed())
			})
		})
	}
}

func TestOneReadingOfTheListIsNotEnough(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, never)
		r.types("new")
		r.submits()
		r.settle(jobs.SettleAfter + r.service.Timeout() + time.Second)
		require.Equal(r.t, store.DraftPlacing, r.draft().State, "one late reading was made")
		r.service.set(func(f *forgetful) { f.add("Smith wedding [" + r.draft().Reference + "]") })
		r.settle(10 * time.Second)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
	})
}

// Orders come in while the list is read: all move down, and are met again.
func TestAListThatGrowsWhileItIsReadIsReadAllTheSame(t *testing.T) {
	bubble(t, func(r *rig) {
		r.givenUp()
		r.service.set(func(f *forgetful) {
			f.others(600, 0)
			f.between = func(int) {
				for range 7 {
					f.add("Another")
				}
			}
		})
		r.presses(cards.ActionRetry, r.draft().ID)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
		creates, _ := r.service.sent()
		require.Equal(r.t, 2, creates)
		require.Less(r.t, r.service.listed(), 80)
	})
}

// An order above ours is canceled after its page was read: ours moves up onto that page.
func TestAnOrderThatMovesUpOntoAPageThatWasReadIsFound(t *testing.T) {
	for _, gone := range []int{1, 20, 25} {
		t.Run(fmt.Sprint(gone), func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.service.nextCreate = append(r.service.nextCreate, never)
				r.types("new")
				r.submits()
				r.service.set(func(f *forgetful) {
					f.wordless = true
					f.others(40, 0)
					f.orders = append(f.orders, order.Order{
						ID: "ours", ProjectName: "Smith wedding [" + r.draft().Reference + "]", Status: order.StatusEditing, OrderedAt: time.Now(),
					})
					f.others(40, 0)
					once := false
					f.between = func(page int) {
						for i := 0; page == 3 && !once && i < gone; i++ {
							f.leaves(0)
						}
						once = once || page == 3
					}
				})
				r.settle(6 * time.Second)
				require.Equal(r.t, "ours", r.draft().OrderID, "at the first look after it was there")
			})
		})
	}
}

func TestAListThatCannotBeReadToItsEndProvesNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, never)
		r.service.set(func(f *forgetful) { f.others(jobs.MostPages*20+40, 0) })
		r.service.set(func(f *forgetful) {
			for i := range f.orders {
				f.orders[i].OrderedAt = time.Now() // all since the submission
			}
		})
		r.types("new")
		r.submits()
		r.settle(30 * time.Second)
		require.Contains(r.t, readable(r.screen.modal()), "Still looking: so far I have read 10,000 of the service's orders, back to")
		r.settle(10 * time.Minute)
		require.Equal(r.t, store.DraftUnknown, r.draft().State)
		end := r.screen.dms[len(r.screen.dms)-1]
		require.Contains(r.t, end, "I do not know whether your order was placed")
		require.Contains(r.t, readable(end), "I read 10,000 of the service's orders")
		require.NotContains(r.t, end, "twice")
		r.presses(cards.ActionRetry, r.draft().ID)
		r.settle(10 * time.Minute)
		require.Equal(r.t, store.DraftUnknown, r.draft().State, "this look ends, too")
		creates, _ := r.service.sent()
		require.Equal(r.t, 1, creates, "what may be out is not sent again")
	})
}

func TestALongReadingSaysHowFarItHasCome(t *testing.T) {
	bubble(t, func(r *rig) {
		r.givenUp()
		var said string
		r.service.set(func(f *forgetful) {
			f.others(1200, 0)
			f.between = func(page int) {
				if page == 30 {
					said = r.sight()
				}
			}
		})
		r.click(bot.Request{
			Kind: bot.KindAction, Name: cards.ActionRetry, Value: r.draft().ID, View: &slack.View{Type: slack.VTModal, ExternalID: r.firstForm()},
		})
		require.Contains(r.t, said, "so far I have read 500 of the service's orders, back to")
	})
}

func TestAServiceThatNeverShowsItsListEndsTheLooking(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, lost)
		r.types("new")
		r.service.set(func(f *forgetful) { f.strange = true })
		r.submits()
		r.settle(55 * time.Minute)
		require.Equal(r.t, store.DraftPlacing, r.draft().State)
		r.settle(10 * time.Minute)
		require.Equal(r.t, store.DraftUnknown, r.draft().State)
		require.Contains(r.t, r.screen.modal(), "I do not know whether your order was placed")
		require.Contains(r.t, readable(r.screen.modal()), "the service did not let me read its list of orders.")
		require.Len(r.t, r.screen.dms, 2, "while it lasts, and how it ended")
	})
}

func TestAfterAnOutageTheListIsReadTwiceAllTheSame(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, never)
		r.types("new")
		r.service.set(func(f *forgetful) {
			f.nextCreate = []serviceAnswer{func(func() order.Order) (order.Order, error) {
				f.down = true
				return order.Order{}, errUnknown
			}}
		})
		r.submits()
		r.settle(2 * time.Hour)
		before := 0
		r.service.set(func(f *forgetful) { f.down, before = false, f.lists })
		for r.draft().State == store.DraftPlacing {
			r.settle(time.Second)
		}
		require.Equal(r.t, before+4, r.service.listed(), "two searches for the keyword, two readings of the list")
		require.Contains(r.t, r.screen.modal(), "twice")
	})
}

func TestAReferenceInSomebodyElsesNameIsNotOurs(t *testing.T) {
	for _, name := range []string{"Like [%s], but warmer", "[K7Q2XM] as in [%s]", "%s"} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.service.nextCreate = append(r.service.nextCreate, never)
				r.types("new")
				r.submits()
				r.service.set(func(f *forgetful) { f.add(fmt.Sprintf(name, r.draft().Reference)) })
				r.settle(4 * time.Minute)
				require.Equal(r.t, store.DraftUnknown, r.draft().State)
			})
		})
	}
}

func TestACanceledOrderIsNotTheOneThatIsLookedFor(t *testing.T) {
	for _, tracked := range []bool{false, true} {
		bubble(t, func(r *rig) {
			r.givenUp()
			got := order.Order{ID: "late1", ProjectName: "Smith wedding [" + r.draft().Reference + "]", Status: order.StatusCanceled, OrderedAt: time.Now()}
			r.service.set(func(f *forgetful) { f.orders = append(f.orders, got) })
			if tracked { // the list is behind what we know
				r.service.edit("late1", func(o *order.Order) { o.Status = order.StatusEditing })
				_, err := r.store.Place(r.t.Context(), store.Placement{
					ID: "late1", Reference: r.draft().Reference, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "maria"}, Order: got,
				})
				require.NoError(r.t, err)
			}
			r.presses(cards.ActionRetry, r.draft().ID)
			require.Equal(r.t, "order1", r.draft().OrderID, "a new one")
		})
	}
}

func TestAnOrderThatAnOperatorTracksMeanwhileIsThePersonsToo(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.service.nextCreate = append(r.service.nextCreate, never)
		r.types("new")
		r.submits()
		r.service.set(func(f *forgetful) { f.add("Smith wedding [" + r.draft().Reference + "]") })
		r.says("boss", "CPUBLIC", "track order1")
		r.settle(6 * time.Second)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
		require.Contains(r.t, r.screen.window(r.firstForm()), "CPUBLIC")
		tracked, err := r.store.Find(r.t.Context(), r.draft().Reference)
		require.NoError(r.t, err)
		require.Equal(r.t, "CPUBLIC", tracked.Owner.Channel, "it stays where it was tracked")
	})
}

// firstForm is the window that was opened first.
func (r *rig) firstForm() string {
	r.screen.Lock()
	defer r.screen.Unlock()
	return r.screen.views[0]
}

func TestAnOrderThatAnOperatorTracksAfterItWasGivenUpIsToldOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.givenUp()
		r.service.set(func(f *forgetful) { f.add("Smith wedding [" + r.draft().Reference + "]") })
		r.says("boss", "CPUBLIC", "track order1")
		r.settle(70 * time.Minute) // three looks of the watch
		require.Len(r.t, r.screen.dms, 2)
		require.Contains(r.t, r.screen.dms[1], "order1")
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
	})
}

// The watch of the first attempt looks while the second is under way, right after its order
// has come: between two looks of the attempt itself.
func TestTheWatchLeavesAnAttemptUnderWayItsOrder(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, never, func(do func() order.Order) (order.Order, error) {
			go func() {
				<-time.After(jobs.Looks[1] + 2*time.Second)
				r.service.set(func(*forgetful) { do() })
			}()
			return order.Order{}, errUnknown
		})
		r.types("new")
		r.submits()
		for r.draft().State == store.DraftPlacing {
			r.settle(time.Second)
		}
		r.settle(jobs.Watches[0] - jobs.Looks[1] - 5*time.Second)
		r.presses(cards.ActionRetry, r.draft().ID)
		r.settle(20 * time.Minute)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
		require.Len(r.t, r.screen.dms, 1, "nobody tells of an order that turned up after all")
		creates, _ := r.service.sent()
		require.Equal(r.t, 2, creates)
	})
}

// The watch was faster all the same: it had read the list before the second attempt began.
func TestAnOrderThatTheWatchHasTakenIsTheAttemptsAllTheSame(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.givenUp()
		r.service.nextCreate = append(r.service.nextCreate, func(do func() order.Order) (order.Order, error) {
			o := do()
			draft := r.draft()
			_, err := r.store.Place(r.t.Context(), store.Placement{
				ID: o.ID, Reference: draft.Reference, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "maria"}, Order: o,
			})
			require.NoError(r.t, err)
			return order.Order{}, errUnknown
		})
		r.presses(cards.ActionRetry, id)
		r.settle(time.Minute)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
	})
}

func TestAServiceThatRefusesTheWatchIsAskedAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		r.givenUp()
		r.service.set(func(f *forgetful) { f.strange = true; f.add("Smith wedding [" + r.draft().Reference + "]") })
		r.settle(3 * time.Hour)
		require.Len(r.t, r.screen.dms, 1, "no word of a job that died")
		r.service.set(func(f *forgetful) { f.strange = false })
		r.settle(2 * time.Minute)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
	})
}

func TestAnOrderThatTurnsUpAfterItsDraftWasDiscardedStaysDiscarded(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.givenUp()
		r.presses(cards.ActionDiscard, id)
		r.service.set(func(f *forgetful) { f.add("Smith wedding [" + r.draft().Reference + "]") })
		r.settle(20 * time.Minute)
		require.Equal(r.t, store.DraftDiscarded, r.draft().State)
		require.Contains(r.t, r.screen.dms[len(r.screen.dms)-1], "order1", "it costs, so its person hears of it")
		r.click(bot.Request{Kind: bot.KindAction, Name: cards.ActionRetry, Value: id})
		creates, _ := r.service.sent()
		require.Equal(r.t, 1, creates)
	})
}
