package commands

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
)

// Whose deed a change of the order is: a job takes for its own what carries its own
// intent, nothing else; and what is not its own, it leaves to others.

func TestWhatOthersDidIsNotTakenForOnesOwn(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.click(bot.Request{Kind: bot.KindCommand, Name: Slash, Verb: "message", Args: id + " Softer", Text: "message " + id + " Softer", User: "tom"})
		require.Len(r.t, r.events(order.EventMessage), 1, "an event of another job")
		r.service.nextRevise = []serviceAnswer{never}
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.settle(time.Minute)
		require.Equal(r.t, []map[string][]string{{"i1": {"Brighter"}}}, r.asked(), "hers were not made, whatever else has happened")
		require.Contains(r.t, r.shows(window), "Changes requested")
		require.Equal(r.t, "maria", r.events(order.EventChanges)[0].Actor)
	})
}

func TestWhatOthersDoAfterAStaleFormIsNotHers(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.service.nextRevise = []serviceAnswer{func(func() order.Order) (order.Order, error) {
			o := r.service.find(id) // her request is lost, and the editor hands in another picture
			o.EditedImages = append(o.EditedImages, order.EditedImage{ID: "i2", Name: "2.jpg", Revision: 1})
			return order.Order{}, errUnknown
		}}
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.settle(10 * time.Second)
		require.Contains(r.t, r.shows(window), "has other images now")
		require.Contains(r.t, r.shows(window), "Brighter", "her words")
		r.service.edit(id, func(o *order.Order) { // somebody at the service's own page
			one := 1
			o.Status, o.Revision = order.StatusRevising, &one
		})
		r.record()
		require.Len(r.t, r.events(order.EventChanges), 1)
		require.Empty(r.t, r.events(order.EventChanges)[0].Actor)
		require.Empty(r.t, r.events(order.EventChanges)[0].PerImage, "nor were these her words")
	})
}

// The second request certainly never left; the first may still arrive, and does.
func TestASendThatNeverLeftDoesNotForgetAnEarlierOne(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.service.nextRevise = []serviceAnswer{func(do func() order.Order) (order.Order, error) {
			go func() {
				<-time.After(1500 * time.Millisecond)
				r.service.set(func(*forgetful) { do() })
			}()
			return order.Order{}, errUnknown
		}, unsent}
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.settle(time.Minute)
		require.Len(r.t, r.asked(), 1)
		require.Contains(r.t, r.shows(window), "Changes requested")
		require.Equal(r.t, "maria", r.events(order.EventChanges)[0].Actor)
		require.Nil(r.t, r.intent())
	})
}

func TestWordsForAPictureThatIsNoMoreReachNobodyInSilence(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(2)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.service.edit(id, func(o *order.Order) { o.EditedImages = o.EditedImages[:1] })
		r.sends("maria", window, map[string]string{"2 · 2.jpg": "Brighter"})
		require.Empty(r.t, r.asked())
		require.Contains(r.t, r.shows(window), "has other images now")
		require.Contains(r.t, r.shows(window), "Brighter", "her words")
		require.Nil(r.t, r.intent())
	})
}

// Her request is unsettled, and when it is looked after she is in the channel no more.
func TestWhoHasLeftMeanwhileIsShownNothingNewer(t *testing.T) {
	for name, happens := range map[string]func(r *rig, id string){
		"another picture": func(r *rig, id string) {
			o := r.service.find(id)
			o.EditedImages = append(o.EditedImages, order.EditedImage{ID: "i2", Name: "secret", Revision: 1})
		},
		"somebody else's changes": func(r *rig, id string) {
			r.service.find(id).Status = order.StatusRevising
			require.NoError(r.t, r.store.Intend(r.t.Context(), id, order.Intent{
				Verb: order.VerbRevise, Actor: "tom", PerImage: map[string][]string{"i1": {"secret"}}, At: time.Now(), Job: "tom's",
			}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				id := r.delivers(1)
				r.service.nextRevise = []serviceAnswer{func(func() order.Order) (order.Order, error) {
					happens(r, id)
					r.screen.out = map[string]bool{"maria": true}
					return order.Order{}, errUnknown
				}}
				window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
				r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
				r.settle(10 * time.Second)
				require.NotContains(r.t, r.shows(window), "secret")
				require.Contains(r.t, r.shows(window), "There is no order")
				require.Contains(r.t, r.shows(window), "Brighter", "her words")
				require.Empty(r.t, r.asked())
			})
		})
	}
}
