package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
)

// A reading that got another page than it asked for may have missed the order. Nothing is sent again, and the person is
// not told that all orders were searched.
func TestAReadingWithAPageMissingProvesNothing(t *testing.T) {
	for name, instead := range map[string]func(order.Page) (order.Page, error){
		"a page is refused": func(p order.Page) (order.Page, error) {
			if p.Current == 3 {
				return order.Page{}, &order.Error{Op: "list", Messages: []string{"invalid page"}}
			}
			return p, nil
		},
		"a page is not answered": func(p order.Page) (order.Page, error) {
			if p.Current == 3 {
				return order.Page{}, &order.Error{Op: "list", Outcome: order.ErrUnknown}
			}
			return p, nil
		},
		"a page is one too many for the service": func(p order.Page) (order.Page, error) {
			if p.Current == 3 {
				return order.Page{}, commandstest.TooMany
			}
			return p, nil
		},
		"an earlier page comes again": func(p order.Page) (order.Page, error) {
			p.Current = min(p.Current, 2)
			return p, nil
		},
		"how many there are is not said": func(p order.Page) (order.Page, error) {
			p.Total = 0
			return p, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
				r.Service.Set(func(f *commandstest.Service) { f.Others(70, 0); f.Instead = instead })
				r.Types("new")
				r.Submits()
				r.Settle(10 * time.Minute)
				require.Equal(r.T, store.DraftUnknown, r.Draft().State)
				end := r.Screen.DMs[len(r.Screen.DMs)-1]
				require.Contains(r.T, end, "I do not know whether your order was placed")
				require.Contains(r.T, commandstest.Readable(end), "and no further")
				require.NotContains(r.T, end, "twice")
				r.Presses(place.ActionRetry, r.Draft().ID)
				r.Settle(10 * time.Minute)
				require.Equal(r.T, store.DraftUnknown, r.Draft().State)
				creates, _ := r.Service.Sent()
				require.Equal(r.T, 1, creates, "what may be out is not sent again")
			})
		})
	}
}

func TestAServiceThatHadEnoughOfAReadingIsLeftAloneAsLongAsItSays(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		r.Service.Set(func(f *commandstest.Service) { f.Others(70, 0); f.Limits(2) })
		r.Types("new")
		r.Submits()
		asked := r.Service.Listed()
		require.Equal(r.T, 4, asked, "the keyword search and three pages")
		r.Settle(commandstest.TooMany.RetryAfter - 3*time.Second)
		require.Equal(r.T, asked, r.Service.Listed())
		r.Settle(5 * time.Second)
		require.Greater(r.T, r.Service.Listed(), asked)
	})
}

// A refused order is sent if the newest ten thousand orders do not have it, but not after a few pages.
func TestARefusedOrderIsNotSentAgainAfterAFewPages(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, func(do func() order.Order) (order.Order, error) {
			do()
			return order.Order{}, &order.Error{Op: "create", Messages: []string{"insufficient balance: 2 credits"}}
		})
		r.Types("new")
		r.Submits()
		r.Service.Set(func(f *commandstest.Service) {
			f.SearchRefused = true
			for range 70 {
				f.Add("Another")
			}
			f.Limits(2)
		})
		r.Submits()
		r.Settle(10 * time.Minute)
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
		require.Equal(r.T, 1, r.Service.Called("create"))
	})
}
