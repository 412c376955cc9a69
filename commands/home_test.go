package commands

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
)

// comes is somebody opening the app's Home, and what they see there then.
func (r *rig) comes(user string) string {
	r.t.Helper()
	r.visits(user, "home")
	return r.home(user)
}

func (r *rig) visits(user, tab string) {
	r.t.Helper()
	r.clicks++
	reply, err := r.handle(r.t.Context(), bot.Request{
		Kind: bot.KindEvent, Name: "app_home_opened", ID: fmt.Sprintf("Ev%d", r.clicks), Team: "T1", User: user,
		Event: json.RawMessage(`{"type":"app_home_opened","tab":"` + tab + `"}`),
	})
	require.NoError(r.t, err)
	require.Nil(r.t, reply.Body)
	r.settle(time.Second)
}

func (r *rig) home(user string) string {
	r.screen.Lock()
	defer r.screen.Unlock()
	return r.screen.homes[user]
}

// turns is something chosen in the Home.
func (r *rig) turns(user, action, value string) string {
	r.t.Helper()
	r.does(bot.Request{Name: action, Value: value, View: atHome(), User: user})
	return r.home(user)
}

func TestTheHomeHasTheirOrdersByWhatIsToBeDone(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		require.True(r.t, containsAll(r.comes("maria"), "Credits left: *100*", "New photo order", "Nothing waits for you", "No order is being worked on", "No order has ended yet"))
		r.owns("order001", "C1", "maria", inStatus(order.StatusClosed))
		r.owns("order002", "CWEDDING", "maria", inStatus(order.StatusReviewing))
		r.owns("order003", "C1", "maria", func(o *order.Order) { o.OrderedAt = time.Now() })
		r.owns("order004", "C1", "tom", inStatus(order.StatusReviewing))
		home := r.comes("maria")
		require.Regexp(r.t, `(?s)Waiting for your review\* · 1 order.*Project order002.*In progress\* · 1 order.*Project order003.*Recent\* · 1 order.*Project order001`, home)
		require.NotContains(r.t, home, "order004", "tom's")
		require.True(r.t, containsAll(home, cards.ActionApprove, cards.ActionRevise, cards.ActionMessage, cards.ActionCancel, cards.ActionShow))
		require.Contains(r.t, r.turns("maria", cards.ActionHomeFilter, "true:"), "Project order004")
		require.NotContains(r.t, r.turns("maria", cards.ActionHomeFilter, "false:review"), "Project order003")
		require.Contains(r.t, r.home("maria"), "Project order002")
		require.NotContains(r.t, r.comes("maria"), "Project order003", "the choice is kept")
	})
}

func TestAHomeShowsNothingOfChannelsTheyAreNotIn(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "CWEDDING", "maria", nil)
		r.owns("order002", "CWEDDING", "tom", nil) // asked for before tom left
		r.owns("order003", "CPUBLIC", "maria", nil)
		r.comes("tom")
		home := r.turns("tom", cards.ActionHomeFilter, "true:")
		require.Contains(r.t, home, "order003")
		require.NotContains(r.t, home, "order001")
		require.NotContains(r.t, home, "order002")
		require.NotContains(r.t, home, "CWEDDING")
	})
}

func TestAGuestsHomeHasNoActions(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", inStatus(order.StatusReviewing))
		r.comes("ines")
		home := r.turns("ines", cards.ActionHomeFilter, "true:")
		require.Contains(r.t, home, "Project order001")
		for _, action := range []string{cards.ActionApprove, cards.ActionRevise, cards.ActionMessage, cards.ActionHomeNew} {
			require.NotContains(r.t, home, `"`+action+`"`)
		}
	})
}

func TestTheHomeIsPagedAcrossItsSections(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		for i := range 24 {
			status := order.StatusReviewing
			if i%2 == 1 {
				status = order.StatusClosed
			}
			r.owns(fmt.Sprintf("order%03d", i), "C1", "maria", inStatus(status))
		}
		first := r.comes("maria")
		require.True(r.t, containsAll(first, "24 orders, page 1 of 3", "Waiting for your review* · 12 orders", "Older"))
		require.NotContains(r.t, first, "*Recent*")
		second := r.turns("maria", cards.ActionHomePage+"older", button(first, cards.ActionHomePage+"older"))
		require.True(r.t, containsAll(second, "page 2 of 3", "Waiting for your review* · 12 orders", "Recent* · 12 orders", "Newer"))
		last := r.turns("maria", cards.ActionHomePage+"older", button(second, cards.ActionHomePage+"older"))
		require.Contains(r.t, last, "page 3 of 3")
		require.NotContains(r.t, last, "Waiting for your review")
		require.Contains(r.t, r.turns("maria", cards.ActionHomePage+"newer", button(last, cards.ActionHomePage+"newer")), "page 2 of 3")
		require.Contains(r.t, r.turns("maria", cards.ActionHomePage+"older", "99"), "page 3 of 3", "a stale button")
		require.Contains(r.t, r.comes("maria"), "page 1 of 3", "who comes back begins at the top")
	})
}

func TestTheHomeIsThereWhileTheServiceIsNot(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", nil)
		r.service.set(func(f *forgetful) { f.down = true })
		require.True(r.t, containsAll(r.comes("maria"), "not known right now", "Project order001"))
	})
}

func TestOnlyWhoOpenedTheirHomeGetsItAnew(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.visits("tom", "messages")
		r.jobs.HomeChanged(r.t.Context(), "T1", "maria")
		r.settle(time.Second)
		require.Empty(r.t, r.screen.homes)

		r.comes("maria")
		r.owns("order001", "C1", "maria", nil)
		require.NotContains(r.t, r.home("maria"), "order001", "never for everyone")
		r.says("maria", "C1", "move order001 CPUBLIC")
		require.True(r.t, containsAll(r.home("maria"), "order001", "CPUBLIC"), "after what they did themselves")
		require.Len(r.t, r.screen.homes, 1)
	})
}

func TestAButtonOfTheHomeThatMeansNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		before := r.comes("maria")
		for action, value := range map[string]string{cards.ActionHomeFilter: "everything", cards.ActionHomePage + "older": "-1", cards.ActionHomePage + "newer": "x"} {
			require.Equal(r.t, before, r.turns("maria", action, value))
		}
		_, err := r.handle(r.t.Context(), bot.Request{Kind: bot.KindEvent, Name: "app_home_opened", Event: json.RawMessage(`{`)})
		require.Error(r.t, err)
	})
}
