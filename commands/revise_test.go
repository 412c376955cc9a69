package commands_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

func TestChangesReachEachImage(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(3)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		require.Contains(r.T, r.Shows(window), "https://e.com/1.jpg", "its thumbnail")
		r.Sends("maria", window, map[string]string{"2 · 2.jpg": "Brighter\n\n Sharper ", "All other images": "Warmer"})
		require.Equal(r.T, []map[string][]string{{"i1": {"Warmer"}, "i2": {"Brighter", "Sharper"}, "i3": {"Warmer"}}}, r.Asked())
		require.Contains(r.T, r.Shows(window), "Changes requested")
		event := r.Events(order.EventChanges)[0]
		require.Equal(r.T, "maria", event.Actor)
		require.Equal(r.T, []string{"Warmer"}, event.Words)
		require.Equal(r.T, map[string][]string{"i2": {"Brighter", "Sharper"}}, event.PerImage)
	})
}

func TestAtLeastOneInstructionIsNeeded(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(2)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		for words, want := range map[[3]string]string{
			{" \n ", "", ""}:       cards.NoChanges,
			{"A", "B", "And this"}: cards.NobodyElse,
		} {
			reply := r.Sends("maria", window, map[string]string{"1 · 1.jpg": words[0], "2 · 2.jpg": words[1], "All other images": words[2]})
			require.Contains(r.T, commandstest.Text(reply.Body), want)
			require.Contains(r.T, commandstest.Text(reply.Body), `"all:`, "beside the box for all others")
		}
		require.Empty(r.T, r.Asked())
	})
}

func TestWordsOfTheLineAreForAllImages(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Delivers(2)
		r.Types("revise order1 warmer, please\nand softer &amp; <https://e.com/a|brighter>") // as Slack sends it
		window := r.Screen.Last()
		require.Contains(r.T, r.Shows(window), "warmer, please")
		r.Sends("maria", window, nil)
		lines := []string{"warmer, please", "and softer & brighter (https://e.com/a)"}
		require.Equal(r.T, []map[string][]string{{"i1": lines, "i2": lines}}, r.Asked())
	})
}

func TestWordsForAnOrderThatIsNotInReviewAreShownAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		r.Submits()
		r.Types("revise order1 warmer")
		require.Contains(r.T, r.Screen.Modal(), "not ready for review")
		require.Contains(r.T, r.Screen.Modal(), "warmer")
		require.Contains(r.T, r.Screen.Modal(), "Message the editor")
		require.Equal(r.T, "All other images: warmer", r.MessageWords(r.Screen.Modal()))
	})
}

func TestTheWordsOfAnOvertakenPersonGoToTheEditor(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		mine := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("ben", r.Opens("ben", cards.ActionRevise, cards.Value(id, 0)), map[string]string{"1 · 1.jpg": "Brighter"})
		r.Sends("maria", mine, map[string]string{"1 · 1.jpg": "A <warm> tone &amp; *soft*"})
		block := commandstest.KeptBlock.FindStringSubmatch(r.Shows(mine))[1]
		view := r.Screen.View(mine)
		r.Click(bot.Request{Kind: bot.KindAction, Name: cards.ActionMessage, Value: cards.Value(id, 1), BlockID: block, View: &view})
		require.Equal(r.T, cards.CallbackMessage, r.Screen.View(r.Screen.Last()).CallbackID)
		box := r.Screen.View(r.Screen.Last()).Blocks.BlockSet
		require.Contains(r.T, commandstest.Text(box), "A <warm> tone &amp; *soft*", "to the letter")
	})
}

func TestFiftyImagesFillTheirPages(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(50)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"3 · 3.jpg": "Third", "All other images": "Warmer"})
		require.Contains(r.T, r.Shows(window), "page 2 of 7")
		require.Contains(r.T, r.Shows(window), "https://e.com/9.jpg")
		require.Contains(r.T, r.Shows(window), "Warmer", "the same box on every page")

		goesBack(r, window, map[string]string{"9 · 9.jpg": "Ninth"})
		require.Contains(r.T, r.Shows(window), "page 1 of 7")
		require.Contains(r.T, r.Shows(window), "Third")
		r.Sends("maria", window, map[string]string{"3 · 3.jpg": "", "4 · 4.jpg": "Fourth"})
		require.Contains(r.T, r.Shows(window), "Ninth")
		for range 5 {
			require.Empty(r.T, r.Asked(), "only the last page sends")
			r.Sends("maria", window, nil)
		}
		require.Contains(r.T, r.Shows(window), "page 7 of 7")
		r.Sends("maria", window, map[string]string{"50 · 50.jpg": "Last"})
		require.Len(r.T, r.Asked(), 1)
		got := r.Asked()[0]
		require.Len(r.T, got, 50)
		for image, want := range map[string]string{"i3": "Warmer", "i4": "Fourth", "i9": "Ninth", "i50": "Last"} {
			require.Equal(r.T, []string{want}, got[image], image)
		}
	})
}

// goesBack is somebody pressing Back after typing these words.
func goesBack(r *commandstest.Rig, window string, words map[string]string) {
	r.T.Helper()
	view := r.FilledIn(window, words)
	r.Click(bot.Request{Kind: bot.KindAction, Name: cards.ActionBack, View: &view})
}

func TestAPageThatIsTurnedSendsNothing(t *testing.T) {
	for name, change := range map[string]func(o *order.Order){
		"a newer revision": func(o *order.Order) { one := 1; o.Revision = &one },
		"paused":           func(o *order.Order) { o.Status = order.StatusPaused },
		"closed":           func(o *order.Order) { o.Status = order.StatusClosed },
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Delivers(20)
				window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
				r.Service.Edit(id, change)
				r.Record()
				r.Sends("maria", window, map[string]string{"3 · 3.jpg": "Third"})
				require.Contains(r.T, r.Shows(window), "Third")
				require.Contains(r.T, r.Shows(window), ":warning:")
				require.Empty(r.T, r.Asked())
			})
		})
	}
}

func TestATurnedPageIsNotSentByAnOrderThatComesBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(20)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Service.Edit(id, func(o *order.Order) { o.Status = order.StatusPaused })
		r.Record()
		r.Service.Edit(id, func(o *order.Order) { o.Status = order.StatusReviewing }) // nobody has seen that yet
		r.Sends("maria", window, map[string]string{"3 · 3.jpg": "Third"})
		require.Empty(r.T, r.Asked(), "two more pages were to come")
		require.Contains(r.T, r.Shows(window), "Third")
	})
}

func TestAPictureThatCannotBeFetchedCostsNoForm(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(10)
		r.Screen.Blind = true
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "First"})
		require.Contains(r.T, r.Shows(window), "page 2 of 2")
		goesBack(r, window, nil)
		require.Contains(r.T, r.Shows(window), "page 1 of 2")
		r.Service.NextRevise = []commandstest.ServiceAnswer{commandstest.Refused("image ID not found: i2")}
		r.Sends("maria", window, nil)
		r.Sends("maria", window, nil)
		require.Contains(r.T, r.Shows(window), "image ID not found: i2")
		require.Contains(r.T, r.Shows(window), "First")
	})
}

func TestOnlyTheImagesThatHaveAnIDCanBeNamed(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.Edit(id, func(o *order.Order) { o.EditedImages = []order.EditedImage{{Name: "1.jpg"}} })
		r.Record()
		r.Types("revise order1 warmer")
		require.Contains(r.T, r.Screen.Modal(), "Write to the editor")
		require.Contains(r.T, r.Screen.Modal(), "warmer")
	})
}

func TestBackInAWindowOfAnHiddenOrder(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(10)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", window, nil)
		view := r.FilledIn(window, nil)
		r.Screen.Out = map[string]bool{"maria": true}
		r.Click(bot.Request{Kind: bot.KindAction, Name: cards.ActionBack, View: &view})
		require.Contains(r.T, r.Shows(window), "There is no order")
	})
}

func TestAnOldButtonOpensTheNewerRevision(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.Edit(id, func(o *order.Order) { one := 1; o.Revision = &one })
		r.Record()
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		require.Contains(r.T, r.Shows(window), "a newer one: round 2")
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		require.Len(r.T, r.Asked(), 1)
	})
}

func TestTheFormStaysWithinItsLimitsOnTheWire(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(50)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		words := map[string]string{"All other images": strings.Repeat("漢", 3000)}
		for i := range 8 {
			words[fmt.Sprintf("%d · %d.jpg", i+1, i+1)] = strings.Repeat("<", 3000)
		}
		reply := r.Sends("maria", window, words)
		require.Less(r.T, len(commandstest.Text(reply.Body)), 20_000, "an acknowledgement fits a frame")
		r.Settle(time.Second)
		require.Contains(r.T, r.Shows(window), "page 2 of 7")
		require.Less(r.T, len(r.Shows(window)), 250_000)
	})
}

func TestWhoMayNoLongerChangeAnOrderTurnsNoPage(t *testing.T) {
	for says, meets := range map[string]func(r *commandstest.Rig){
		"There is no order": func(r *commandstest.Rig) { r.Screen.Out = map[string]bool{"maria": true} },
		"Guests may look":   func(r *commandstest.Rig) { r.Screen.Guests = map[string]bool{"maria": true} },
	} {
		t.Run(says, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				window := r.Opens("maria", cards.ActionRevise, cards.Value(r.Delivers(20), 0))
				meets(r)
				r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
				require.Contains(r.T, r.Shows(window), says)
				require.Contains(r.T, r.Shows(window), "Brighter", "her words")
				require.NotContains(r.T, r.Shows(window), "9.jpg")
				require.Empty(r.T, r.Asked())
			})
		})
	}
}
