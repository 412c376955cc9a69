package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

// A job takes a change of the order for its own only if the change carries the job's intent.

func TestWhatOthersDidIsNotTakenForOnesOwn(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Click(bot.Request{Kind: bot.KindCommand, Name: commands.Slash, Verb: "message", Args: id + " Softer", Text: "message " + id + " Softer", User: "tom"})
		require.Len(r.T, r.Events(order.EventMessage), 1, "an event of another job")
		r.Service.NextRevise = []commandstest.ServiceAnswer{commandstest.Never}
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.Settle(time.Minute)
		require.Equal(r.T, []map[string][]string{{"i1": {"Brighter"}}}, r.Asked(), "hers were not made, whatever else has happened")
		require.Contains(r.T, r.Shows(window), "Changes requested")
		require.Equal(r.T, "maria", r.Events(order.EventChanges)[0].Actor)
	})
}

func TestWhatOthersDoAfterAStaleFormIsNotHers(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.NextRevise = []commandstest.ServiceAnswer{func(func() order.Order) (order.Order, error) {
			o := r.Service.Find(id) // her request is lost, and the editor hands in another picture
			o.EditedImages = append(o.EditedImages, order.EditedImage{ID: "i2", Name: "2.jpg", Revision: 1})
			return order.Order{}, commandstest.ErrUnknown
		}}
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.Settle(10 * time.Second)
		require.Contains(r.T, r.Shows(window), "has other photos now")
		require.Contains(r.T, r.Shows(window), "Brighter", "her words")
		r.Service.Edit(id, func(o *order.Order) { // somebody at the service's own page
			one := 1
			o.Status, o.Revision = order.StatusRevising, &one
		})
		r.Record()
		require.Len(r.T, r.Events(order.EventChanges), 1)
		require.Empty(r.T, r.Events(order.EventChanges)[0].Actor)
		require.Empty(r.T, r.Events(order.EventChanges)[0].PerImage, "nor were these her words")
	})
}

// The second request certainly never left; the first may still arrive, and does.
func TestASendThatNeverLeftDoesNotForgetAnEarlierOne(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.NextRevise = []commandstest.ServiceAnswer{func(do func() order.Order) (order.Order, error) {
			go func() {
				<-time.After(1500 * time.Millisecond)
				r.Service.Set(func(*commandstest.Service) { do() })
			}()
			return order.Order{}, commandstest.ErrUnknown
		}, commandstest.Unsent}
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.Settle(time.Minute)
		require.Len(r.T, r.Asked(), 1)
		require.Contains(r.T, r.Shows(window), "Changes requested")
		require.Equal(r.T, "maria", r.Events(order.EventChanges)[0].Actor)
		require.Nil(r.T, intent(r))
	})
}

func TestWordsForAPictureThatIsNoMoreReachNobodyInSilence(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(2)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Service.Edit(id, func(o *order.Order) { o.EditedImages = o.EditedImages[:1] })
		r.Sends("maria", window, map[string]string{"2 · 2.jpg": "Brighter"})
		require.Empty(r.T, r.Asked())
		require.Contains(r.T, r.Shows(window), "has other photos now")
		require.Contains(r.T, r.Shows(window), "Brighter", "her words")
		require.Nil(r.T, intent(r))
	})
}

// The outcome of her request is unknown, and she has left the channel when it is verified.
func TestWhoHasLeftMeanwhileIsShownNothingNewer(t *testing.T) {
	for name, happens := range map[string]func(r *commandstest.Rig, id string){
		"another picture": func(r *commandstest.Rig, id string) {
			o := r.Service.Find(id)
			o.EditedImages = append(o.EditedImages, order.EditedImage{ID: "i2", Name: "secret", Revision: 1})
		},
		"somebody else's changes": func(r *commandstest.Rig, id string) {
			r.Service.Find(id).Status = order.StatusRevising
			require.NoError(r.T, r.Store.Changes.Intend(r.T.Context(), id, order.Intent{
				Verb: order.VerbRevise, Actor: "tom", PerImage: map[string][]string{"i1": {"secret"}}, At: time.Now(), Job: "tom's",
			}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Delivers(1)
				r.Service.NextRevise = []commandstest.ServiceAnswer{func(func() order.Order) (order.Order, error) {
					happens(r, id)
					r.Screen.Out = map[string]bool{"maria": true}
					return order.Order{}, commandstest.ErrUnknown
				}}
				window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
				r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
				r.Settle(10 * time.Second)
				require.NotContains(r.T, r.Shows(window), "secret")
				require.Contains(r.T, r.Shows(window), "There is no order")
				require.Contains(r.T, r.Shows(window), "Brighter", "her words")
				require.Empty(r.T, r.Asked())
			})
		})
	}
}
