package commands

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// shelf gives #shoots so many orders, the highest number the newest.
func (r *rig) shelf(n int) {
	for i := range n {
		r.owns(fmt.Sprintf("order%03d", i+1), "C1", "maria", func(o *order.Order) {
			o.OrderedAt = time.Now().Add(time.Duration(i-n) * time.Minute)
		})
	}
}

// rows are the ids on a page, in their order.
func rows(page string) []string {
	var ids []string
	for part := range strings.SplitSeq(page, `"value":"order`) {
		if len(part) > 3 && part[3] == ':' {
			ids = append(ids, part[:3])
		}
	}
	return ids
}

// button is the value of a button of that action, "" when it is not there.
func button(page, action string) string {
	match := regexp.MustCompile(`"action_id":"` + action + `","value":"((?:[^"\\]|\\.)*)"`).FindStringSubmatch(page)
	if match == nil {
		return ""
	}
	return strings.ReplaceAll(match[1], `\"`, `"`)
}

func TestAListIsPagedNewestFirstAndInPlace(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.shelf(23)
		page := r.says("tom", "C1", "list")
		require.Contains(r.t, page, "23 orders, page 1 of 3")
		require.Equal(r.t, []string{"023", "022", "021", "020", "019", "018", "017", "016", "015", "014"}, rows(page))
		require.NotContains(r.t, page, "Newer")

		turn := func(way string) {
			value := button(r.screen.lastTold(), cards.ActionList+way)
			require.NotEmpty(r.t, value)
			r.click(bot.Request{Kind: bot.KindAction, Name: cards.ActionList + way, Value: value, User: "tom", ResponseURL: "https://hooks"})
		}
		turn("older")
		require.Len(r.t, r.screen.told, 1, "in the place of the first page")
		require.Contains(r.t, r.screen.lastTold(), "page 2 of 3")
		require.Equal(r.t, "013", rows(r.screen.lastTold())[0])
		turn("older")
		require.Equal(r.t, []string{"003", "002", "001"}, rows(r.screen.lastTold()))
		require.Empty(r.t, button(r.screen.lastTold(), cards.ActionList+"older"))
		turn("newer")
		require.Contains(r.t, r.screen.lastTold(), "page 2 of 3")

		r.screen.stale = true // Slack takes five answers only
		turn("newer")
		require.Len(r.t, r.screen.told, 2)
		require.Contains(r.t, r.screen.lastTold(), "page 1 of 3")
	})
}

func TestAPageThatIsNoMoreIsTheLastOne(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.shelf(2)
		page := r.does(bot.Request{Name: cards.ActionList + "older", Value: `{"channel":"C1","page":7}`})
		require.Equal(r.t, []string{"002", "001"}, rows(page))
	})
}

func TestWhatAListIsNarrowedBy(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		for i, status := range []order.Status{order.StatusEditing, order.StatusRevising, order.StatusPaused, order.StatusReviewing, order.StatusClosed, order.StatusCanceled} {
			r.owns(fmt.Sprintf("order10%d", i), "C1", "tom", inStatus(status))
		}
		r.owns("order200", "C1", "maria", func(o *order.Order) { o.ProjectName, o.CustomerID = "Smith <wedding> [K7Q2XM]", "77" })
		for line, want := range map[string][]string{
			"list all":                 {"100", "101", "102", "103", "104", "105", "200"},
			"list active":              {"100", "101", "102", "103", "200"},
			"list editing":             {"100", "200"},
			"list revising":            {"101"},
			"list paused":              {"102"},
			"list ready":               {"103"},
			"list Reviewing":           {"103"},
			"list review":              {"103"},
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
			require.ElementsMatch(r.t, want, rows(r.says("maria", "C1", line)), line)
		}
		require.Contains(r.t, r.says("maria", "C1", "list smith miller"), "None fits")
		require.Contains(r.t, r.says("maria", "CPUBLIC", "list"), "None yet")
		require.Contains(r.t, r.says("maria", "C1", "list "+strings.Repeat("word ", 500)), "fewer words")
	})
}

func TestInADirectMessageAListHasThePersonsOwnOrders(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "tom", nil)
		r.owns("order002", "CPUBLIC", "tom", nil)
		r.owns("order003", "CPUBLIC", "maria", nil)
		r.owns("order004", "CWEDDING", "tom", nil) // asked for before leaving that channel
		require.ElementsMatch(r.t, []string{"001", "002"}, rows(r.says("tom", "D1", "list")))
		require.Contains(r.t, r.says("boss", "D1", "list"), "not ordered anything yet")
	})
}

func TestOnlyOperatorsListTheAccount(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", nil)
		require.Contains(r.t, r.says("maria", "C1", "list account"), "Only operators")
		page := r.says("boss", "C1", "list account")
		require.Contains(r.t, page, "order001")
		require.Contains(r.t, page, "followed by <#C1>")
		require.NotContains(r.t, r.says("maria", "C1", "list"), "Only operators")
		stale := r.does(bot.Request{Name: cards.ActionList + "older", Value: `{"account":true,"page":1}`, User: "maria"})
		require.Contains(r.t, stale, "Only operators", "a stale button, too")
		r.assemble("maria")
		require.Contains(r.t, r.says("maria", "C1", "list account"), "order001")
		require.Contains(r.t, r.says("boss", "C1", "list account"), "Only operators", "named ones take the admins' place")
	})
}

func TestTheAccountsListTellsNoPrivateChannel(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "CWEDDING", "maria", nil)
		r.service.set(func(f *forgetful) { f.add("made elsewhere") })
		require.Contains(r.t, r.says("boss", "C1", "list account"), "CWEDDING")
		page := r.says("chief", "CPUBLIC", "list account")
		require.NotContains(r.t, page, "CWEDDING")
		require.Contains(r.t, page, "order001")
		require.NotContains(r.t, page, "followed by", "as of an order that nobody follows")
	})
}

func TestTheServicesOwnFilters(t *testing.T) {
	for line, want := range map[string]order.Filter{
		"account":                             {Page: 1},
		"account all":                         {Page: 1},
		"account ready":                       {Page: 1, Status: "reviewing"},
		"account approved customer:77A":       {Page: 1, Status: "closed", CustomerID: "77A"},
		"account wedding Customer:77 K7Q2XM ": {Page: 1, CustomerID: "77", Keywords: []string{"wedding", "K7Q2XM"}},
	} {
		f, problem := parseListing(line).filter()
		require.Empty(t, problem, line)
		require.Equal(t, want, f, line)
	}
	for line, want := range map[string]string{
		"account smith wedding of": "“smith”, “of”. The service searches for words of at least 6",
		"account mine":             "“mine”",
		"account canceled":         "no list of its own for “canceled”",
		"account active":           "“active”",
	} {
		_, problem := parseListing(line).filter()
		require.Contains(t, problem, want, line)
	}
}

func TestTheAccountsPagesAreTheServices(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.service.set(func(f *forgetful) { f.shifting = true }) // nine pages
		page := r.says("boss", "C1", "list account")
		require.Contains(r.t, page, "none that fits")
		value := button(page, cards.ActionList+"older")
		require.JSONEq(r.t, `{"account":true,"channel":"C1","page":1}`, value)
		r.service.set(func(f *forgetful) { f.down = true })
		require.Contains(r.t, r.says("boss", "C1", "list account"), "cannot be reached")
	})
}

func TestAListThatSlackCannotCheckIsNotShown(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", nil)
		r.screen.rooms["C1"] = room{mute: true}
		require.NotContains(r.t, r.says("maria", "C1", "list"), "order001")
	})
}

func TestNoPageOfAListIsLostToItsButton(t *testing.T) {
	l := listing{Channel: "C1", Status: "reviewing", Mine: true, Words: []string{strings.Repeat("&", 100)}}
	require.LessOrEqual(t, len(l.value(99999)), 2000)
	require.False(t, l.has(store.Tracked{}, "maria"))
}
