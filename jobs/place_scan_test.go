package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
)

// sentInto makes an order whose answer was lost, and n newer orders.
func sentInto(r *commandstest.Rig, others int) {
	r.T.Helper()
	r.Service.Set(func(f *commandstest.Service) { f.SearchRefused = true })
	r.Service.NextCreate = append(r.Service.NextCreate, func(do func() order.Order) (order.Order, error) {
		for range others {
			r.Service.Add("Another")
		}
		i := len(r.Service.Orders) // the service lists it by its own time, which is behind ours
		do()
		own := r.Service.Orders[0]
		own.OrderedAt = own.OrderedAt.Add(-50 * time.Minute)
		r.Service.Orders = append(r.Service.Orders[1:i+1], own)
		return order.Order{}, commandstest.ErrUnknown
	})
	r.Types("new")
	r.Submits()
}

func TestAnOrderIsFoundWhereverItStandsInTheList(t *testing.T) {
	for _, others := range []int{0, 19, 20, 39, 40, 45, 159, 160, 399} {
		t.Run(fmt.Sprint(others), func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				sentInto(r, others)
				require.Equal(r.T, store.DraftPlaced, r.Draft().State, "the keyword search was refused, and %d orders stand above it", others)
				creates, _ := r.Service.Sent()
				require.Equal(r.T, 1, creates)
				require.Equal(r.T, 1+others/20+1, r.Service.Listed(), "no page was read in vain")
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
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Service.Others(story.orders, story.ago)
				r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
				r.Types("new")
				r.Submits()
				require.Equal(r.T, story.calls, r.Service.Listed())
			})
		})
	}
}

func TestOneReadingOfTheListIsNotEnough(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		r.Types("new")
		r.Submits()
		r.Settle(jobs.SettleAfter + r.Service.Timeout() + time.Second)
		require.Equal(r.T, store.DraftPlacing, r.Draft().State, "one late reading was made")
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
		r.Settle(10 * time.Second)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
	})
}

// New orders come in while the list is read. All others move down, and are read again.
func TestAListThatGrowsWhileItIsReadIsReadAllTheSame(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.GivenUp()
		r.Service.Set(func(f *commandstest.Service) {
			f.Others(600, 0)
			f.Between = func(int) {
				for range 7 {
					f.Add("Another")
				}
			}
		})
		r.Presses(place.ActionRetry, r.Draft().ID)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 2, creates)
		require.Less(r.T, r.Service.Listed(), 80)
	})
}

// An order above the draft's is canceled after its page was read. The draft's order moves up onto that page.
func TestAnOrderThatMovesUpOntoAPageThatWasReadIsFound(t *testing.T) {
	for _, gone := range []int{1, 20, 25} {
		t.Run(fmt.Sprint(gone), func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
				r.Types("new")
				r.Submits()
				r.Service.Set(func(f *commandstest.Service) {
					f.SearchRefused = true
					f.Others(40, 0)
					f.Orders = append(f.Orders, order.Order{
						ID: "ours", ProjectName: "Smith wedding [" + r.Draft().Reference + "]", Status: order.StatusEditing, OrderedAt: time.Now(),
					})
					f.Others(40, 0)
					once := false
					f.Between = func(page int) {
						for i := 0; page == 3 && !once && i < gone; i++ {
							f.Leaves(0)
						}
						once = once || page == 3
					}
				})
				r.Settle(6 * time.Second)
				require.Equal(r.T, "ours", r.Draft().OrderID, "at the first look after it was there")
			})
		})
	}
}

func TestAListThatCannotBeReadToItsEndProvesNothing(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		r.Service.Set(func(f *commandstest.Service) { f.Others(jobs.MaxPages*20+40, 0) })
		r.Service.Set(func(f *commandstest.Service) {
			for i := range f.Orders {
				f.Orders[i].OrderedAt = time.Now() // all since the submission
			}
		})
		r.Types("new")
		r.Submits()
		r.Settle(30 * time.Second)
		require.Contains(r.T, commandstest.Readable(r.Screen.Modal()), "So far I have searched 10,000 of the photo service's orders, back to")
		r.Settle(10 * time.Minute)
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
		end := r.Screen.DMs[len(r.Screen.DMs)-1]
		require.Contains(r.T, end, "I do not know whether your order was placed")
		require.Contains(r.T, commandstest.Readable(end), "10,000 of the photo service's orders")
		require.NotContains(r.T, end, "twice")
		r.Presses(place.ActionRetry, r.Draft().ID)
		r.Settle(10 * time.Minute)
		require.Equal(r.T, store.DraftUnknown, r.Draft().State, "this look ends, too")
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 1, creates, "what may be out is not sent again")
	})
}

func TestALongReadingSaysHowFarItHasCome(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.GivenUp()
		var said string
		r.Service.Set(func(f *commandstest.Service) {
			f.Others(1200, 0)
			f.Between = func(page int) {
				if page == 30 {
					said = sight(r)
				}
			}
		})
		r.Click(bot.Request{
			Kind: bot.KindAction, Name: place.ActionRetry, Value: r.Draft().ID, View: &slack.View{Type: slack.VTModal, ExternalID: firstForm(r)},
		})
		require.Contains(r.T, said, "So far I have searched 500 of the photo service's orders, back to")
	})
}

func TestAServiceThatNeverShowsItsListEndsTheLooking(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Lost)
		r.Types("new")
		r.Service.Set(func(f *commandstest.Service) { f.ListRefused = true })
		r.Submits()
		r.Settle(55 * time.Minute)
		require.Equal(r.T, store.DraftPlacing, r.Draft().State)
		r.Settle(10 * time.Minute)
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
		require.Contains(r.T, r.Screen.Modal(), "I do not know whether your order was placed")
		require.Contains(r.T, commandstest.Readable(r.Screen.Modal()), "the photo service did not show its list of orders.")
		require.Len(r.T, r.Screen.DMs, 2, "while it lasts, and how it ended")
	})
}

func TestAfterAnOutageTheListIsReadTwiceAllTheSame(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		r.Types("new")
		r.Service.Set(func(f *commandstest.Service) {
			f.NextCreate = []commandstest.ServiceAnswer{func(func() order.Order) (order.Order, error) {
				f.Down = true
				return order.Order{}, commandstest.ErrUnknown
			}}
		})
		r.Submits()
		r.Settle(2 * time.Hour)
		before := 0
		r.Service.Set(func(f *commandstest.Service) { f.Down, before = false, f.Lists })
		for r.Draft().State == store.DraftPlacing {
			r.Settle(time.Second)
		}
		require.Equal(r.T, before+4, r.Service.Listed(), "two searches for the keyword, two readings of the list")
		require.Contains(r.T, r.Screen.Modal(), "twice")
	})
}

func TestAReferenceInSomebodyElsesNameIsNotOurs(t *testing.T) {
	for _, name := range []string{"Like [%s], but warmer", "[K7Q2XM] as in [%s]", "%s"} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
				r.Types("new")
				r.Submits()
				r.Service.Set(func(f *commandstest.Service) { f.Add(fmt.Sprintf(name, r.Draft().Reference)) })
				r.Settle(4 * time.Minute)
				require.Equal(r.T, store.DraftUnknown, r.Draft().State)
			})
		})
	}
}

func TestACanceledOrderIsNotTheOneThatIsLookedFor(t *testing.T) {
	for _, tracked := range []bool{false, true} {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.GivenUp()
			got := order.Order{ID: "late1", ProjectName: "Smith wedding [" + r.Draft().Reference + "]", Status: order.StatusCanceled, OrderedAt: time.Now()}
			r.Service.Set(func(f *commandstest.Service) { f.Orders = append(f.Orders, got) })
			if tracked { // the list is behind what we know
				r.Service.Edit("late1", func(o *order.Order) { o.Status = order.StatusEditing })
				_, err := r.Store.Changes.AddOrder(r.T.Context(), store.NewOrder{
					ID: "late1", Reference: r.Draft().Reference, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "maria"}, Order: got,
				})
				require.NoError(r.T, err)
			}
			r.Presses(place.ActionRetry, r.Draft().ID)
			require.Equal(r.T, "order1", r.Draft().OrderID, "a new one")
		})
	}
}

func TestAnOrderThatAnOperatorTracksMeanwhileIsThePersonsToo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		r.Types("new")
		r.Submits()
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
		r.Says("boss", "CPUBLIC", "track order1")
		r.Settle(6 * time.Second)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.Contains(r.T, r.Screen.Window(firstForm(r)), "CPUBLIC")
		tracked, err := r.Store.Orders.Find(r.T.Context(), r.Draft().Reference)
		require.NoError(r.T, err)
		require.Equal(r.T, "CPUBLIC", tracked.Owner.Channel, "it stays where it was tracked")
	})
}

// firstForm is the window that was opened first.
func firstForm(r *commandstest.Rig) string {
	r.Screen.Lock()
	defer r.Screen.Unlock()
	return r.Screen.Views[0]
}

func TestAnOrderThatAnOperatorTracksAfterItWasGivenUpIsToldOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.GivenUp()
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
		r.Says("boss", "CPUBLIC", "track order1")
		r.Settle(70 * time.Minute) // three looks of the watch
		require.Len(r.T, r.Screen.DMs, 2)
		require.Contains(r.T, r.Screen.DMs[1], "order1")
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
	})
}

// The watch of the first attempt searches right after the second attempt's order has arrived, between two searches of
// that attempt.
func TestTheWatchLeavesAnAttemptUnderWayItsOrder(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never, func(do func() order.Order) (order.Order, error) {
			go func() {
				<-time.After(jobs.Looks[1] + 2*time.Second)
				r.Service.Set(func(*commandstest.Service) { do() })
			}()
			return order.Order{}, commandstest.ErrUnknown
		})
		r.Types("new")
		r.Submits()
		for r.Draft().State == store.DraftPlacing {
			r.Settle(time.Second)
		}
		r.Settle(jobs.Watches[0] - jobs.Looks[1] - 5*time.Second)
		r.Presses(place.ActionRetry, r.Draft().ID)
		r.Settle(20 * time.Minute)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.Len(r.T, r.Screen.DMs, 1, "nobody tells of an order that turned up after all")
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 2, creates)
	})
}

// The watch read the list before the second attempt began.
func TestAnOrderThatTheWatchHasTakenIsTheAttemptsAllTheSame(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.GivenUp()
		r.Service.NextCreate = append(r.Service.NextCreate, func(do func() order.Order) (order.Order, error) {
			o := do()
			draft := r.Draft()
			_, err := r.Store.Changes.AddOrder(r.T.Context(), store.NewOrder{
				ID: o.ID, Reference: draft.Reference, Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "maria"}, Order: o,
			})
			require.NoError(r.T, err)
			return order.Order{}, commandstest.ErrUnknown
		})
		r.Presses(place.ActionRetry, id)
		r.Settle(time.Minute)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
	})
}

func TestAServiceThatRefusesTheWatchIsAskedAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.GivenUp()
		r.Service.Set(func(f *commandstest.Service) {
			f.ListRefused = true
			f.Add("Smith wedding [" + r.Draft().Reference + "]")
		})
		r.Settle(3 * time.Hour)
		require.Len(r.T, r.Screen.DMs, 1, "no word of a job that died")
		r.Service.Set(func(f *commandstest.Service) { f.ListRefused = false })
		r.Settle(2 * time.Minute)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
	})
}

func TestAnOrderThatTurnsUpAfterItsDraftWasDiscardedStaysDiscarded(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.GivenUp()
		r.Presses(place.ActionDiscard, id)
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
		r.Settle(20 * time.Minute)
		require.Equal(r.T, store.DraftDiscarded, r.Draft().State)
		require.Contains(r.T, r.Screen.DMs[len(r.Screen.DMs)-1], "order1", "it costs, so its person hears of it")
		r.Click(bot.Request{Kind: bot.KindAction, Name: place.ActionRetry, Value: id})
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 1, creates)
	})
}
