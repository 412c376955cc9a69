package jobs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

func TestARefusedImageIsNamedBesideIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(10)
		r.Service.NextRevise = []commandstest.ServiceAnswer{commandstest.Refused("image ID not found: i10", "image ID not found: i2")}
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.OpensBoxes("maria", window, nil, "1 · 1.jpg", "9 · 9.jpg")
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "First", "9 · 9.jpg": "Ninth", "All other photos": "Warmer"})
		shown := r.Shows(window)
		require.Regexp(r.T, `image ID not found: i2.*"2 · 2.jpg.*image ID not found: i10.*"10 · 10.jpg`, shown)
		for _, kept := range []string{"First", "Ninth", "Warmer"} {
			require.Contains(r.T, shown, kept)
		}
		require.Nil(r.T, intent(r))

		r.Sends("maria", window, nil)
		require.Len(r.T, r.Asked(), 1)
		require.NotContains(r.T, r.Asked()[0], "i2")
		require.NotContains(r.T, r.Asked()[0], "i10")
		require.Equal(r.T, []string{"First"}, r.Asked()[0]["i1"])
		require.Equal(r.T, []string{"Warmer"}, r.Asked()[0]["i3"])
	})
}

func TestAnOldFormShowsTheNewerRevisionWithItsWords(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(2)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Service.Edit(id, func(o *order.Order) {
			one := 1
			o.Revision = &one
			o.EditedImages = append(o.EditedImages, order.EditedImage{ID: "i1b", Name: "1.jpg", Revision: 1})
		})
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter", "All other photos": "Warmer"})
		require.Empty(r.T, r.Asked())
		require.Contains(r.T, r.Shows(window), "newer photos: round 2")
		require.Contains(r.T, r.Shows(window), "Brighter")
		r.Sends("maria", window, nil)
		require.Equal(r.T, []map[string][]string{{"i1b": {"Brighter"}, "i2": {"Warmer"}}}, r.Asked())
	})
}

func TestNewImagesOfTheSameRevisionAreShownOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.Edit(id, func(o *order.Order) { o.EditedImages[0].Revision = 3 }) // counted otherwise than the order
		r.Record()
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		require.Len(r.T, r.Asked(), 1, "that is what she saw")
	})
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.Edit(id, func(o *order.Order) { o.EditedImages[0].Revision = 3 })
		r.Record()
		r.Presses(cards.ActionApprove, cards.Value(id, 0))
		r.Approves()
		require.Len(r.T, r.Events(order.EventApproved), 1)
	})
}

func TestTwoPeopleRequestDifferentChanges(t *testing.T) {
	for first, second := range map[string]string{"maria": "ben", "ben": "maria"} {
		t.Run(first+" is first", func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Delivers(2)
				windows := map[string]string{}
				for _, user := range []string{"maria", "ben"} {
					windows[user] = r.Opens(user, cards.ActionRevise, cards.Value(id, 0))
				}
				r.Sends(first, windows[first], map[string]string{"1 · 1.jpg": "Brighter", "All other photos": "Warmer"})
				r.Sends(second, windows[second], map[string]string{"1 · 1.jpg": "Darker & softer", "2 · 2.jpg": "Crop it"})
				require.Len(r.T, r.Asked(), 1)
				require.Contains(r.T, r.Shows(windows[first]), "Changes requested")
				told := r.Shows(windows[second])
				for _, want := range []string{first + " has already requested changes", "Brighter", "Warmer", "Yours were not sent", "Darker", "Crop it", "Message the Editor"} {
					require.Contains(r.T, told, want)
				}
				require.Equal(r.T, "1 · 1.jpg: Darker & softer\n2 · 2.jpg: Crop it", r.MessageWords(told))
				require.Len(r.T, r.Events(order.EventChanges), 1)
				require.Equal(r.T, first, r.Events(order.EventChanges)[0].Actor)
			})
		})
	}
}

func TestChangesRequestedElsewhereAreToldAsSuch(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Service.NextRevise = []commandstest.ServiceAnswer{func(do func() order.Order) (order.Order, error) {
			do() // between our look and our request
			return commandstest.Refused("invalid order status")(do)
		}}
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		require.Contains(r.T, r.Shows(window), "elsewhere")
		require.Contains(r.T, r.Shows(window), "Brighter")
		require.Empty(r.T, r.Events(order.EventChanges)[0].Actor, "it was not hers")
	})
}

func TestChangesToAnApprovedOrderAreToldSo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		other := r.Opens("ben", cards.ActionApprove, cards.Value(id, 0))
		r.Sends("ben", other, nil)
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		require.Contains(r.T, r.Shows(window), "was approved")
		require.Contains(r.T, r.Shows(window), "Brighter")
		require.NotContains(r.T, r.Shows(window), "Message the Editor", "a closed order has no editor")
	})
}

func TestAClosedFormIsAnsweredWithEveryWord(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(10)
		r.Service.NextRevise = []commandstest.ServiceAnswer{commandstest.Refused("image ID not found: i2")}
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.OpensBoxes("maria", window, nil, "1 · 1.jpg", "2 · 2.jpg", "10 · 10.jpg")
		view := r.FilledIn(window, map[string]string{"1 · 1.jpg": "First", "2 · 2.jpg": "Second", "10 · 10.jpg": "Tenth", "All other photos": "Warmer"})
		r.Screen.Closes()
		r.SendsAs("V1:last", "maria", view)
		told := r.Screen.LastMessage()
		for _, want := range []string{"image ID not found: i2", "First", "Second", "Tenth", "Warmer", "Request Changes"} {
			require.Contains(r.T, told, want)
		}

		block := commandstest.KeptBlock.FindStringSubmatch(told)[1]
		r.Click(bot.Request{Kind: bot.KindAction, Name: cards.ActionRevise, Value: cards.Value(id, 0), BlockID: block})
		window = r.Screen.Last()
		require.Contains(r.T, r.Shows(window), "First")
		require.Contains(r.T, r.Shows(window), "Tenth")
		r.Sends("maria", window, map[string]string{"2 · 2.jpg": ""})
		require.Len(r.T, r.Asked(), 1)
		require.Equal(r.T, []string{"Tenth"}, r.Asked()[0]["i10"])
		require.NotContains(r.T, r.Asked()[0], "i2")
	})
}

func TestAnOvertakenPersonWhoClosedTheFormIsToldEverything(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(8)
		long := strings.TrimSpace(strings.Repeat("more light ", 270))
		words := map[string]string{}
		for i := range 8 {
			words[fmt.Sprintf("%d · %d.jpg", i+1, i+1)] = fmt.Sprintf("%s end%d", long, i+1)
		}
		mine := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		theirs := r.Opens("ben", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("ben", theirs, map[string]string{"All other photos": "Brighter"})
		for image, typed := range words {
			r.OpensBoxes("maria", mine, nil, image)
			view := r.FilledIn(mine, map[string]string{image: typed})
			r.Click(bot.Request{Kind: bot.KindAction, Name: kit.ActionTyped + "image", View: &view, ActionTS: fmt.Sprintf("1763706000.%06d", r.Clicks)})
		}
		view := r.FilledIn(mine, nil)
		r.Screen.Closes()
		before := len(r.Screen.DMs)
		r.SendsAs("V1:mine", "maria", view)
		told := strings.Join(r.Screen.DMs[before:], "\n")
		require.Greater(r.T, len(r.Screen.DMs)-before, 1, "more than one message holds")
		for i := range 8 {
			require.Contains(r.T, told, fmt.Sprintf("end%d", i+1))
		}
		require.Contains(r.T, told, "ben has already requested changes")
		require.Contains(r.T, told, "5,000", "too long for one message")
	})
}
