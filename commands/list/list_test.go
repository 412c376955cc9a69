package list_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

// shelf gives C1 n orders, the newest with the highest number.
func shelf(r *commandstest.Rig, n int) {
	for i := range n {
		r.Owns(fmt.Sprintf("order%03d", i+1), "C1", "maria", func(o *order.Order) {
			o.OrderedAt = time.Now().Add(time.Duration(i-n) * time.Minute)
		})
	}
}

// rows returns the ids on a page, in order.
func rows(page string) []string {
	var ids []string
	for part := range strings.SplitSeq(page, `"value":"order`) {
		if len(part) > 3 && part[3] == ':' {
			ids = append(ids, part[:3])
		}
	}
	return slices.Compact(ids)
}

func TestAListIsPagedNewestFirstAndInPlace(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		shelf(r, 23)
		page := r.Says("tom", "C1", "list")
		require.Contains(r.T, page, "23 orders, page 1 of 3")
		require.Equal(r.T, []string{"023", "022", "021", "020", "019", "018", "017", "016", "015", "014"}, rows(page))
		require.NotContains(r.T, page, "Show Newer")

		turn := func(way string) {
			value := commandstest.Button(r.Screen.LastMessage(), cards.ActionList+way)
			require.NotEmpty(r.T, value)
			r.Click(bot.Request{Kind: bot.KindAction, Name: cards.ActionList + way, Value: value, User: "tom", ResponseURL: "https://hooks"})
		}
		turn("older")
		require.Len(r.T, r.Screen.Ephemerals, 1, "in the place of the first page")
		require.Contains(r.T, r.Screen.LastMessage(), "page 2 of 3")
		require.Equal(r.T, "013", rows(r.Screen.LastMessage())[0])
		turn("older")
		require.Equal(r.T, []string{"003", "002", "001"}, rows(r.Screen.LastMessage()))
		require.Empty(r.T, commandstest.Button(r.Screen.LastMessage(), cards.ActionList+"older"))
		turn("newer")
		require.Contains(r.T, r.Screen.LastMessage(), "page 2 of 3")

		r.Screen.Stale = true // Slack takes five answers only
		turn("newer")
		require.Len(r.T, r.Screen.Ephemerals, 2)
		require.Contains(r.T, r.Screen.LastMessage(), "page 1 of 3")
	})
}

func TestAPageThatIsNoMoreIsTheLastOne(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		shelf(r, 2)
		page := r.Does(bot.Request{Name: cards.ActionList + "older", Value: `{"channel":"C1","page":7}`})
		require.Equal(r.T, []string{"002", "001"}, rows(page))
	})
}

func TestWhatAListIsNarrowedBy(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		for i, status := range []order.Status{order.StatusEditing, order.StatusRevising, order.StatusPaused, order.StatusReviewing, order.StatusClosed, order.StatusCanceled} {
			r.Owns(fmt.Sprintf("order10%d", i), "C1", "tom", commandstest.InStatus(status))
		}
		r.Owns("order200", "C1", "maria", func(o *order.Order) { o.ProjectName, o.CustomerID = "Smith <wedding> [K7Q2XM]", "77" })
		for line, want := range map[string][]string{
			"list all":                 {"100", "101", "102", "103", "104", "105", "200"},
			"list active":              {"100", "101", "102", "103", "200"},
			"list editing":             {"100", "200"},
			"list revising":            {"101"},
			"list paused":              {"102"},
			"list ready":               {"103"},
			"list Reviewing":           {"103"},
			"list review":              {"103"},
			"list being edited":        {"100", "200"},
			"list Ready for review":    {"103"},
			"list waiting":             {"103"},
			"list waiting for you":     {"103"},
			"list changes being made":  {"101"},
			"list changes":             {"101"},
			"list in progress":         {"100", "101", "102", "103", "200"},
			"list being edited mine":   {"200"},
			`list "smith &lt;wedding"`: {"200"},
			"list “wedding smith”":     nil,
			`list "canceled"`:          nil,
			"list approved":            {"104"},
			"list closed":              {"104"},
			"list canceled":            {"105"},
			"list cancelled":           {"105"},
			"list mine":                {"200"},
			"list editing mine":        {"200"},
			"list mine editing":        {"200"},
			"list SMITH":               {"200"},
			"list wedding smith":       {"200"},
			"list [K7Q2XM]":            {"200"},
			"list 77":                  {"200"},
			"list smith miller":        nil,
			"list reviewing mine":      nil,
			"list order103":            {"103"},
			"list project canceled":    nil,
			"list editing order reads": nil,
		} {
			require.ElementsMatch(r.T, want, rows(r.Says("maria", "C1", line)), line)
		}
		require.Contains(r.T, r.Says("maria", "C1", "list smith miller"), "No orders match")
		require.Contains(r.T, r.Says("maria", "CPUBLIC", "list"), "No orders yet")
		require.Contains(r.T, r.Says("maria", "C1", "list "+strings.Repeat("word ", 500)), "fewer words")
	})
}

func TestInADirectMessageAListHasThePersonsOwnOrders(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "tom", nil)
		r.Owns("order002", "CPUBLIC", "tom", nil)
		r.Owns("order003", "CPUBLIC", "maria", nil)
		r.Owns("order004", "CWEDDING", "tom", nil) // placed before leaving that channel
		require.ElementsMatch(r.T, []string{"001", "002"}, rows(r.Says("tom", "D1", "list")))
		require.Contains(r.T, r.Says("boss", "D1", "list"), "no orders yet")
	})
}

func TestOnlyOperatorsListTheAccount(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		require.Contains(r.T, r.Says("maria", "C1", "list account"), "Only operators")
		page := r.Says("boss", "C1", "list account")
		require.Contains(r.T, page, "order001")
		require.Contains(r.T, page, "tracked by <#C1>")
		require.NotContains(r.T, r.Says("maria", "C1", "list"), "Only operators")
		stale := r.Does(bot.Request{Name: cards.ActionList + "older", Value: `{"account":true,"page":1}`, User: "maria"})
		require.Contains(r.T, stale, "Only operators", "a stale button, too")
		r.Assemble("maria")
		require.Contains(r.T, r.Says("maria", "C1", "list account"), "order001")
		require.Contains(r.T, r.Says("boss", "C1", "list account"), "Only operators", "named ones take the admins' place")
	})
}

func TestTheAccountsListTellsNoPrivateChannel(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "CWEDDING", "maria", nil)
		r.Service.Set(func(f *commandstest.Service) { f.Add("made elsewhere") })
		require.Contains(r.T, r.Says("boss", "C1", "list account"), "CWEDDING")
		page := r.Says("chief", "CPUBLIC", "list account")
		require.NotContains(r.T, page, "CWEDDING")
		require.Contains(r.T, page, "order001")
		require.NotContains(r.T, page, "tracked by", "as of an order that nobody follows")
	})
}

func TestTheAccountsPagesAreTheServices(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Service.Set(func(f *commandstest.Service) { f.ListChanging = true }) // nine pages
		page := r.Says("boss", "C1", "list account")
		require.Contains(r.T, page, "no orders that match")
		value := commandstest.Button(page, cards.ActionList+"older")
		require.JSONEq(r.T, `{"account":true,"channel":"C1","page":1}`, value)
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		require.Contains(r.T, r.Says("boss", "C1", "list account"), "cannot be reached")
	})
}

func TestAListThatSlackCannotCheckIsNotShown(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		r.Screen.Channels["C1"] = commandstest.Channel{Mute: true}
		require.NotContains(r.T, r.Says("maria", "C1", "list"), "order001")
	})
}

func TestARowHasOneAction(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "tom", commandstest.InStatus(order.StatusReviewing))
		listed := r.Says("maria", "C1", "list")
		require.Contains(r.T, listed, cards.ActionShow)
		require.NotContains(r.T, listed, cards.ActionApprove)
		require.NotContains(r.T, listed, cards.ActionRevise)
		require.Contains(r.T, r.Says("ines", "C1", "list"), cards.ActionShow, "a guest looks, too")
	})
}

func TestAnOrderOfTheAccountIsTrackedFromItsRow(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "tom", nil)
		r.Service.Add("Made elsewhere")
		listed := r.Says("boss", "C1", "list account")
		value := commandstest.Button(listed, cards.ActionTrack)
		require.NotEmpty(r.T, value)
		require.Contains(r.T, r.Does(bot.Request{Name: cards.ActionTrack, Value: value, User: "boss"}), "Made elsewhere")
		id, _, _ := cards.ParseValue(value)
		require.Equal(r.T, "C1", r.Stored(id).Owner.Channel)
		require.Empty(r.T, commandstest.Button(r.Says("boss", "C1", "list account"), cards.ActionTrack))
	})
}
