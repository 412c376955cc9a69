package commands

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
)

func TestAPickerOffersWhatFitsTheVerbAndTheWords(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "tom", func(o *order.Order) {
			o.Status, o.ProjectName, o.CustomerID = order.StatusReviewing, "Smith [K7Q2XM]", "77"
		})
		r.owns("order002", "C1", "maria", inStatus(order.StatusReviewing))
		r.owns("order003", "C1", "maria", inStatus(order.StatusClosed))
		r.owns("order004", "CPUBLIC", "maria", inStatus(order.StatusReviewing))
		here := bot.Request{User: "maria", Channel: "C1"}
		for _, row := range []struct {
			verb, typed string
			want        []string
		}{
			{"approve", "", []string{"order002:r0", "order001:r0"}},
			{"message", "", []string{"order002:r0", "order001:r0"}},
			{"cancel", "", nil}, // all are older than the time for that
			{"show", "", []string{"order003:r0", "order002:r0", "order001:r0"}},
			{"show", "sMith", []string{"order001:r0"}},
			{"show", "k7q2 smith", []string{"order001:r0"}},
			{"show", "77", []string{"order001:r0"}},
			{"show", "order003", []string{"order003:r0"}},
			{"show", "nobody", nil},
		} {
			require.ElementsMatch(r.t, row.want, r.suggests(row.verb, row.typed, here), row.verb+" "+row.typed)
		}
		window := bot.Request{User: "maria", View: inWindow("CPUBLIC")}
		require.Equal(r.t, []string{"order004:r0"}, r.suggests("show", "", window), "a modal has the channel it was opened in")
	})
}

// What a verb whose order was left out counts, and what its picker has to choose from, are the
// same orders: there is no picker without a choice.
func TestAPickerIsOpenedOnlyWithChoices(t *testing.T) {
	for _, verb := range []string{"approve", "revise", "cancel", "message", "reference", "show", "move", "untrack"} {
		for _, status := range []order.Status{order.StatusEditing, order.StatusRevising, order.StatusPaused, order.StatusReviewing, order.StatusClosed, order.StatusCanceled} {
			for _, ago := range []time.Duration{time.Minute, 20 * time.Minute} {
				t.Run(verb+" "+string(status)+" "+ago.String(), func(t *testing.T) {
					bubble(t, func(r *rig) {
						r.houses()
						for _, id := range []string{"order001", "order002"} {
							r.owns(id, "C1", "boss", func(o *order.Order) { o.Status, o.OrderedAt = status, time.Now().Add(-ago) })
						}
						shown := r.says("boss", "C1", verb)
						offered := r.suggests(verb, "", bot.Request{User: "boss", Channel: "C1"})
						require.Equal(r.t, len(offered) > 0, strings.Contains(shown, cards.ActionPick+verb), shown)
						if len(offered) == 0 {
							require.Contains(r.t, shown, "No order here")
						}
					})
				})
			}
		}
	}
}

func TestAPickerOutsideAChannelOffersTheirOrdersAndTheirChannels(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "tom", nil)
		r.owns("order002", "CWEDDING", "maria", nil)
		r.owns("order003", "CAWAY", "maria", nil) // the app is not there: who asked for it may follow it
		r.owns("order004", "CWEDDING", "tom", nil)
		require.ElementsMatch(r.t, []string{"order001:r0", "order002:r0", "order003:r0", "order004:r0"}, r.suggests("show", "", bot.Request{User: "maria", Channel: "D1"}))
		require.ElementsMatch(r.t, []string{"order001:r0"}, r.suggests("show", "", bot.Request{User: "tom", View: atHome()}))
		require.Empty(r.t, r.suggests("show", "", bot.Request{User: "tom", Channel: "CWEDDING"}))
	})
}

func TestAPickerAnswersWhileSlackDoesNot(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", nil)
		r.screen.rooms["C1"] = room{mute: true}
		require.Empty(r.t, r.suggests("show", "", bot.Request{User: "maria", Channel: "C1"}))
	})
}

func TestAPickedOrderGoesOnWithTheVerbAndTheWords(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", inStatus(order.StatusReviewing))
		r.owns("order002", "C1", "maria", inStatus(order.StatusReviewing))
		require.Contains(r.t, r.says("maria", "C1", "approve Tom &amp; <#CPUBLIC|public> say so"), "Tom &amp; #public say so", "shown as it was typed")
		asked := r.says("maria", "C1", "approve Lovely, thank you")
		require.Contains(r.t, asked, "2 fit")
		require.Contains(r.t, asked, "Lovely, thank you", "nothing typed is lost")
		block := cutOut(r.screen.lastTold(), `"block_id":"`, `"`)
		opened := r.does(bot.Request{Name: cards.ActionPick + "approve", BlockID: block, Value: "order002:r0"})
		require.Contains(r.t, opened, "Approve order")
		require.Contains(r.t, opened, "Project order002")
		require.Contains(r.t, opened, "Lovely, thank you")
		require.Contains(r.t, r.does(bot.Request{Name: cards.ActionPick + "nonsense", Value: "order002:r0"}), "went wrong")
	})
}

func TestAWordThatIsNoNameIsNotTakenForOne(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("orders", "CWEDDING", "maria", nil) // its id looks like any other word
		for _, user := range []string{"tom", "maria"} {
			shown := r.says(user, "C1", "show orders")
			require.Equal(r.t, user == "maria", containsAll(shown, "Project orders"), user)
		}
		require.Equal(r.t, replace(r.says("tom", "C1", "show orders"), "orders"), replace(r.says("tom", "C1", "show nowords"), "nowords"))
	})
}
