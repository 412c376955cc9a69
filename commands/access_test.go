package commands_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/home"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
)

// lines returns a command line for every verb that names an order.
func lines(id string) []string {
	return []string{
		"show " + id, "history " + id, "approve " + id + " Lovely", "revise " + id, "cancel " + id + " wrong photos",
		"message " + id + " Please keep the shadows.", "reference " + id + " https://example.com/mood.jpg",
		"track " + id, "untrack " + id, "move " + id + " CPUBLIC", "move " + id + " #public", "list " + id, "list account " + id,
	}
}

// presses returns a press of every kind of button, picker and outdated button that names an order.
func presses(id string) []bot.Request {
	var all []bot.Request
	names := []string{cards.ActionApprove, cards.ActionRevise, cards.ActionMessage, cards.ActionCancel, cards.ActionApproveShown, cards.ActionShow, cards.ActionMove, cards.ActionHistory + "open", cards.ActionHistory + "older"}
	for _, verb := range []string{"show", "history", "approve", "revise", "cancel", "message", "reference", "untrack", "move"} {
		names = append(names, cards.ActionPick+verb)
	}
	for _, name := range names {
		q := bot.Request{Name: name, Value: cards.Value(id, 0)}
		all = append(all, q)
		q.Channel = "D1"
		all = append(all, q)
		q.Channel, q.View = "", commandstest.AtHome()
		all = append(all, q)
		q.View = commandstest.InWindow("C1")
		all = append(all, q)
	}
	return all
}

func TestWhatIsHiddenReadsLikeWhatDoesNotExist(t *testing.T) {
	t.Parallel()
	for _, user := range []string{"tom", "boss", "stranger"} {
		t.Run(user, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				r.Screen.Strangers = map[string]bool{"stranger": true}
				members := []string{"maria"}
				r.Screen.Channels["CSECRET"] = commandstest.Channel{Private: true, Members: members}
				r.Owns("order001", "CSECRET", "maria", func(o *order.Order) { o.Status, o.ProjectName = order.StatusReviewing, "Surprise" })
				r.Owns("order002", "C1", "tom", commandstest.InStatus(order.StatusReviewing))
				r.Owns("order003", "C1", "boss", commandstest.InStatus(order.StatusReviewing))

				other := lines("order999")
				for i, line := range lines("order001") {
					if strings.Contains(line, "account") {
						continue // the service's own list, for operators: see below
					}
					for _, channel := range []string{"C1", "D1"} {
						hidden, absent := r.Says(user, channel, line), r.Says(user, channel, other[i])
						require.Equal(r.T, replace(absent, "order999"), replace(hidden, "order001"), line)
						require.NotContains(r.T, hidden, "Surprise", line)
						require.NotEmpty(r.T, hidden, line)
					}
				}
				absent := presses("order999")
				for i, q := range presses("order001") {
					q.User, absent[i].User = user, user
					hidden := r.Does(q)
					require.Equal(r.T, replace(r.Does(absent[i]), "order999"), replace(hidden, "order001"), q.Name)
					require.NotContains(r.T, hidden, "Surprise", q.Name)
					require.NotEmpty(r.T, hidden, q.Name)
				}
			})
		})
	}
}

func TestAHiddenReferenceReadsLikeOneThatDoesNotExist(t *testing.T) {
	t.Parallel()
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		for id, reference := range map[string]string{"order001": "K7Q2XM", "order002": "ACDEFH"} {
			order := order.Order{ID: id, ProjectName: "Surprise [" + reference + "]", Status: order.StatusReviewing}
			_, err := r.Store.Changes.AddOrder(r.T.Context(), store.NewOrder{
				ID: id, Reference: reference, Owner: store.Owner{Team: "T1", Channel: "CWEDDING", Requester: "maria"}, Order: order,
			})
			require.NoError(r.T, err)
		}
		r.Owns("order003", "C1", "tom", commandstest.InStatus(order.StatusReviewing))
		for hidden, absent := range map[string]string{"K7Q2XM": "K7Q2XN", "[k7q2xm]": "[k7q2xn]", "ACDEFH": "ACDEFJ", "acdefh": "acdefj"} {
			other := lines(absent)
			for i, line := range lines(hidden) {
				require.Equal(r.T, replace(r.Says("tom", "C1", other[i]), strings.Trim(absent, "[]")), replace(r.Says("tom", "C1", line), strings.Trim(hidden, "[]")), line)
			}
		}
		require.Contains(r.T, r.Says("maria", "C1", "show acdefh"), "Surprise")
	})
}

func TestHiddenOrdersAreInNoPickerListOrHome(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "CWEDDING", "maria", commandstest.InStatus(order.StatusReviewing))
		for _, user := range []string{"tom", "chief", "ines"} {
			for _, q := range []bot.Request{{Channel: "C1"}, {Channel: "D1"}, {Channel: "CWEDDING"}, {View: commandstest.AtHome()}, {View: commandstest.InWindow("CWEDDING")}} {
				q.User = user
				require.Empty(r.T, r.Suggests("show", "", q))
				require.Empty(r.T, r.Suggests("approve", "order001", q))
			}
			for _, channel := range []string{"C1", "D1", "CWEDDING"} {
				require.NotContains(r.T, r.Says(user, channel, "list"), "Project")
				require.NotContains(r.T, r.Says(user, channel, "approve"), "Project")
			}
			r.Comes(user)
			require.NotContains(r.T, r.Turns(user, home.ActionFilter, "true:"), "Project")
		}
	})
}

func TestGuestsMaySeeButNotAct(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", commandstest.InStatus(order.StatusReviewing))
		r.Screen.Strangers = map[string]bool{"stranger": true}
		r.Screen.Channels["C1"] = commandstest.Channel{Members: []string{"maria", "ines", "stranger"}}
		for user, words := range map[string]string{"ines": "Guests may look at orders but not", "stranger": "People of other organizations may look at orders but not"} {
			require.Contains(r.T, r.Says(user, "C1", "show order001"), "Project order001")
			for _, line := range []string{"approve order001", "revise order001", "cancel order001 reason", "message order001 Hello", "reference order001 https://example.com/a.jpg", "move order001 CPUBLIC", "settings"} {
				require.Contains(r.T, r.Says(user, "C1", line), words, line)
			}
		}
		require.Equal(r.T, order.StatusReviewing, r.Stored("order001").Order.Status)
	})
}
