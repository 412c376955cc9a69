package commands

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// A reading that met a page which is not what was asked for may have missed the order there:
// nobody is told that all were searched, and nothing is sent again.
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
				return order.Page{}, tooMany
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
			bubble(t, func(r *rig) {
				r.service.nextCreate = append(r.service.nextCreate, never)
				r.service.set(func(f *forgetful) { f.others(70, 0); f.instead = instead })
				r.types("new")
				r.submits()
				r.settle(10 * time.Minute)
				require.Equal(r.t, store.DraftUnknown, r.draft().State)
				end := r.screen.dms[len(r.screen.dms)-1]
				require.Contains(r.t, end, "I do not know whether your order was placed")
				require.Contains(r.t, readable(end), "and no further")
				require.NotContains(r.t, end, "twice")
				r.presses(cards.ActionRetry, r.draft().ID)
				r.settle(10 * time.Minute)
				require.Equal(r.t, store.DraftUnknown, r.draft().State)
				creates, _ := r.service.sent()
				require.Equal(r.t, 1, creates, "what may be out is not sent again")
			})
		})
	}
}

var tooMany = &order.Error{Op: "list", Outcome: order.ErrRateLimited, RetryAfter: 45 * time.Second}

// limits is a service that allows so many pages at a time.
func (f *forgetful) limits(pages int) {
	f.instead = func(p order.Page) (order.Page, error) {
		if p.Current > pages {
			return order.Page{}, tooMany
		}
		return p, nil
	}
}

func TestAServiceThatHadEnoughOfAReadingIsLeftAloneAsLongAsItSays(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, never)
		r.service.set(func(f *forgetful) { f.others(70, 0); f.limits(2) })
		r.types("new")
		r.submits()
		asked := r.service.listed()
		require.Equal(r.t, 4, asked, "the keyword search and three pages")
		r.settle(tooMany.RetryAfter - 3*time.Second)
		require.Equal(r.t, asked, r.service.listed())
		r.settle(5 * time.Second)
		require.Greater(r.t, r.service.listed(), asked)
	})
}

// A refused order is sent unread when the latest ten thousand orders do not show it, but not
// when a few pages do not.
func TestARefusedOrderIsNotSentAgainAfterAFewPages(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, func(do func() order.Order) (order.Order, error) {
			do()
			return order.Order{}, &order.Error{Op: "create", Messages: []string{"insufficient balance: 2 credits"}}
		})
		r.types("new")
		r.submits()
		r.service.set(func(f *forgetful) {
			f.wordless = true
			for range 70 {
				f.add("Another")
			}
			f.limits(2)
		})
		r.submits()
		r.settle(10 * time.Minute)
		require.Equal(r.t, store.DraftUnknown, r.draft().State)
		require.Equal(r.t, 1, r.service.called("create"))
	})
}
