package home_test

import (
	"slices"
	"strings"
	"testing"

	"darkroom/cards"
	"darkroom/cards/account"
	"darkroom/cards/cardstest"
	"darkroom/cards/home"
	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
)

// homes returns App Homes from empty to very full.
func homes(s cardstest.Scene) map[string]any {
	shown := map[string]any{}
	show := func(name string, h home.View) { shown[name] = home.Tab(h, cardstest.Previews, cardstest.Now) }
	left := decimal.NewNullDecimal(decimal.NewFromInt(88))
	show("empty", home.View{Credits: left, Started: home.Started{Invited: true, Placed: true, Decided: true}})
	show("fresh", home.View{Credits: left})
	show("started", home.View{Credits: left, Started: home.Started{Invited: true, Placed: true}, Totals: map[home.Section]int{home.Progress: 1}, Orders: s.Many(4)[3:]})
	show("empty_guest", home.View{Filter: home.Filter{All: true}, Why: order.DeniedGuest, Secret: true})
	show("one", home.View{Credits: left, Totals: map[home.Section]int{home.Review: 1}, Orders: s.Many(1)})
	ten := map[home.Section]int{home.Review: 3, home.Progress: 5, home.Recent: 2}
	show("ten", home.View{Credits: left, Totals: ten, Orders: s.Many(10)})
	show("ten_guest", home.View{Filter: home.Filter{All: true}, Totals: ten, Orders: s.Many(10), Links: cardstest.Links, Why: order.DeniedGuest, Secret: true})
	later := s.Rounds(2)
	t := s.Tracked(order.StatusReviewing)
	t.Order, t.CardTS = later[2].Order, "1700000000.000100"
	second := home.View{
		Credits: left, Totals: map[home.Section]int{home.Review: 2}, Links: cardstest.Links, Rounds: map[string]cards.RoundHistory{t.ID: cards.CurrentRound(later)},
		Orders: []store.Tracked{t, s.Waiting()},
	}
	show("second_round", second)
	shown["second_round_no_pictures"] = home.Tab(second, cards.Thumbs{}, cardstest.Now)
	show("thousand", home.View{
		Filter: home.Filter{All: true}, Totals: map[home.Section]int{home.Review: 400, home.Progress: 400, home.Recent: 200},
		Orders: s.Many(10), Started: home.Started{Invited: true, Placed: true, Decided: true},
	})
	all := s.Many(18) // 6 in review, 7 in progress, 5 ended
	show("forty", home.View{
		Credits: left, Totals: map[home.Section]int{home.Review: 15, home.Progress: 15, home.Recent: 10}, Orders: slices.Concat(all[:5], all[6:8], all[13:15]), Links: cardstest.Links,
		Started: home.Started{Invited: true, Placed: true, Decided: true},
	})
	show("section", home.View{Filter: home.Filter{Section: home.Review}, Totals: map[home.Section]int{home.Review: 400}, Orders: s.Many(3), Page: 39})
	decided := s.Many(2)
	show("others_decide", home.View{Credits: left, Totals: map[home.Section]int{home.Review: 1, home.Progress: 1}, Orders: decided, Others: map[string]bool{decided[1].ID: true}})
	show("narrowed", home.View{Credits: left, Filter: home.Filter{Section: home.Recent}})
	return shown
}

func TestHome(t *testing.T) { cardstest.Golden(t, homes) }

func TestAnOrderStandsInOneSectionOfTheHome(t *testing.T) {
	gone := store.Tracked{Known: order.Known{Gone: true, Order: order.Order{Status: order.StatusReviewing}}}
	require.Equal(t, home.Recent, home.SectionOf(gone))
	for status, want := range map[order.Status]home.Section{
		order.StatusReviewing: home.Review, order.StatusEditing: home.Progress, order.StatusRevising: home.Progress,
		order.StatusPaused: home.Progress, "archiving": home.Progress, order.StatusClosed: home.Recent, order.StatusCanceled: home.Recent,
	} {
		require.Equal(t, want, home.SectionOf(store.Tracked{Known: order.Known{Order: order.Order{Status: status}}}), status)
	}
}

func TestAGuestsHomeHasNothingToChangeAnOrderWith(t *testing.T) {
	h := home.View{Totals: map[home.Section]int{home.Review: 10}, Orders: cardstest.Of("beach", 1).Many(10), Filter: home.Filter{All: true}, Why: order.DeniedGuest}
	text := cardstest.Pretty(t, home.Tab(h, cardstest.Previews, cardstest.Now))
	require.NotContains(t, text, home.ActionNew)
	require.NotContains(t, text, `"Review"`)
	require.Contains(t, text, cards.ActionShow)
	h.Why = ""
	require.Contains(t, cardstest.Pretty(t, home.Tab(h, cardstest.Previews, cardstest.Now)), `"Review"`)
}

// The steps of a new installation tick themselves off, and go when all are done.
func TestTheFirstStepsTickThemselvesOff(t *testing.T) {
	says := func(s home.Started, connect *account.View) string {
		return cardstest.AllText(t, home.Tab(home.View{Started: s, Connect: connect}, cards.Thumbs{}, cardstest.Now))
	}
	for done, s := range []home.Started{{}, {Invited: true}, {Invited: true, Placed: true}} {
		require.Equal(t, done, strings.Count(says(s, nil), ":white_check_mark:"))
		require.Equal(t, 3-done, strings.Count(says(s, nil), ":white_large_square:"))
	}
	require.NotContains(t, says(home.Started{Invited: true, Placed: true, Decided: true}, nil), "First steps")
	require.Contains(t, says(home.Started{}, &account.View{MayConnect: true}), "Connect your photo service", "an admin connects first")
	require.NotContains(t, says(home.Started{}, &account.View{}), "First steps")
}
