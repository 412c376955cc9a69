package commands_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

// A failure to list channels is not an empty list.
func TestARefusalToTellSomebodysChannelsIsNoEmptyList(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Screen.Lock()
		r.Screen.NoUserChannels = client.ErrMissingScope
		r.Screen.Unlock()
		require.Contains(r.T, r.Says("ben", "D1", "approve"), "Slack refuses me a permission")
	})
}

func TestAPickerOffersWhatFitsTheVerbAndTheWords(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "tom", func(o *order.Order) {
			o.Status, o.ProjectName, o.CustomerID = order.StatusReviewing, "Smith [K7Q2XM]", "77"
		})
		r.Owns("order002", "C1", "maria", commandstest.InStatus(order.StatusReviewing))
		r.Owns("order003", "C1", "maria", commandstest.InStatus(order.StatusClosed))
		r.Owns("order004", "CPUBLIC", "maria", commandstest.InStatus(order.StatusReviewing))
		here := bot.Request{User: "maria", Channel: "C1"}
		for _, row := range []struct {
			verb, typed string
			want        []string
		}{
			{"approve", "", []string{"order002:r0", "order001:r0"}},
			{"message", "", []string{"order002:r0", "order001:r0"}},
			{"cancel", "", nil}, // all are too old to cancel
			{"show", "", []string{"order003:r0", "order002:r0", "order001:r0"}},
			{"show", "sMith", []string{"order001:r0"}},
			{"show", "k7q2 smith", []string{"order001:r0"}},
			{"show", "77", []string{"order001:r0"}},
			{"show", "order003", []string{"order003:r0"}},
			{"show", "nobody", nil},
		} {
			require.ElementsMatch(r.T, row.want, r.Suggests(row.verb, row.typed, here), row.verb+" "+row.typed)
		}
		window := bot.Request{User: "maria", View: commandstest.InWindow("CPUBLIC")}
		require.Equal(r.T, []string{"order004:r0"}, r.Suggests("show", "", window), "a modal has the channel it was opened in")
	})
}

// The orders that a verb counts are the orders that its picker offers: no picker opens without a choice.
func TestAPickerIsOpenedOnlyWithChoices(t *testing.T) {
	for _, verb := range []string{"approve", "revise", "cancel", "message", "reference", "show", "move", "untrack"} {
		for _, status := range []order.Status{order.StatusEditing, order.StatusRevising, order.StatusPaused, order.StatusReviewing, order.StatusClosed, order.StatusCanceled} {
			for _, ago := range []time.Duration{time.Minute, 20 * time.Minute} {
				t.Run(verb+" "+string(status)+" "+ago.String(), func(t *testing.T) {
					commandstest.Bubble(t, func(r *commandstest.Rig) {
						r.SetUpWorkspace()
						for _, id := range []string{"order001", "order002"} {
							r.Owns(id, "C1", "boss", func(o *order.Order) { o.Status, o.OrderedAt = status, time.Now().Add(-ago) })
						}
						shown := r.Says("boss", "C1", verb)
						offered := r.Suggests(verb, "", bot.Request{User: "boss", Channel: "C1"})
						require.Equal(r.T, len(offered) > 0, strings.Contains(shown, cards.ActionPick+verb), shown)
						if len(offered) == 0 {
							require.Contains(r.T, shown, "No order ")
						}
					})
				})
			}
		}
	}
}

func TestAPickerOutsideAChannelOffersTheirOrdersAndTheirChannels(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "tom", nil)
		r.Owns("order002", "CWEDDING", "maria", nil)
		r.Owns("order003", "CAWAY", "maria", nil) // without the app: the requester may see it
		r.Owns("order004", "CWEDDING", "tom", nil)
		require.ElementsMatch(r.T, []string{"order001:r0", "order002:r0", "order003:r0", "order004:r0"}, r.Suggests("show", "", bot.Request{User: "maria", Channel: "D1"}))
		require.ElementsMatch(r.T, []string{"order001:r0"}, r.Suggests("show", "", bot.Request{User: "tom", View: commandstest.AtHome()}))
		require.Empty(r.T, r.Suggests("show", "", bot.Request{User: "tom", Channel: "CWEDDING"}))
	})
}

func TestAPickerAnswersWhileSlackDoesNot(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		r.Screen.Channels["C1"] = commandstest.Channel{Mute: true}
		require.Empty(r.T, r.Suggests("show", "", bot.Request{User: "maria", Channel: "C1"}))
	})
}

func TestAPickedOrderGoesOnWithTheVerbAndTheWords(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", commandstest.InStatus(order.StatusReviewing))
		r.Owns("order002", "C1", "maria", commandstest.InStatus(order.StatusReviewing))
		require.Contains(r.T, r.Says("maria", "C1", "approve Tom &amp; <#CPUBLIC|public> say so"), "Tom &amp; #public say so", "shown as it was typed")
		asked := r.Says("maria", "C1", "approve Lovely, thank you")
		require.Contains(r.T, asked, "2 fit")
		require.Contains(r.T, asked, "Lovely, thank you", "nothing typed is lost")
		block := commandstest.CutOut(r.Screen.LastMessage(), `"block_id":"`, `"`)
		opened := r.Does(bot.Request{Name: cards.ActionPick + "approve", BlockID: block, Value: "order002:r0"})
		require.Contains(r.T, opened, "Approve order")
		require.Contains(r.T, opened, "Project order002")
		require.Contains(r.T, opened, "Lovely, thank you")
		require.Contains(r.T, r.Does(bot.Request{Name: cards.ActionPick + "nonsense", Value: "order002:r0"}), "/order help", "of another release, perhaps")
	})
}

func TestAWordThatIsNoNameIsNotTakenForOne(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("orders", "CWEDDING", "maria", nil) // its id looks like any other word
		for _, user := range []string{"tom", "maria"} {
			shown := r.Says(user, "C1", "show orders")
			require.Equal(r.T, user == "maria", commandstest.ContainsAll(shown, "Project orders"), user)
		}
		require.Equal(r.T, replace(r.Says("tom", "C1", "show orders"), "orders"), replace(r.Says("tom", "C1", "show nowords"), "nowords"))
	})
}
