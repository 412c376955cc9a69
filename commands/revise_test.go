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
)

func TestChangesReachEachImage(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(3)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		require.Contains(r.t, r.shows(window), "https://e.com/1.jpg", "its thumbnail")
		r.sends("maria", window, map[string]string{"2 · 2.jpg": "Brighter\n\n Sharper ", "All other images": "Warmer"})
		require.Equal(r.t, []map[string][]string{{"i1": {"Warmer"}, "i2": {"Brighter", "Sharper"}, "i3": {"Warmer"}}}, r.asked())
		require.Contains(r.t, r.shows(window), "Changes requested")
		event := r.events(order.EventChanges)[0]
		require.Equal(r.t, "maria", event.Actor)
		require.Equal(r.t, []string{"Warmer"}, event.Words)
		require.Equal(r.t, map[string][]string{"i2": {"Brighter", "Sharper"}}, event.PerImage)
	})
}

func TestAtLeastOneInstructionIsNeeded(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(2)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		for words, want := range map[[3]string]string{
			{" \n ", "", ""}:       cards.NoChanges,
			{"A", "B", "And this"}: cards.NobodyElse,
		} {
			reply := r.sends("maria", window, map[string]string{"1 · 1.jpg": words[0], "2 · 2.jpg": words[1], "All other images": words[2]})
			require.Contains(r.t, text(reply.Body), want)
			require.Contains(r.t, text(reply.Body), `"all:`, "beside the box for all others")
		}
		require.Empty(r.t, r.asked())
	})
}

func TestWordsOfTheLineAreForAllImages(t *testing.T) {
	bubble(t, func(r *rig) {
		r.delivers(2)
		r.types("revise order1 warmer, please\nand softer &amp; <https://e.com/a|brighter>") // as Slack sends it
		window := r.screen.last()
		require.Contains(r.t, r.shows(window), "warmer, please")
		r.sends("maria", window, nil)
		lines := []string{"warmer, please", "and softer & brighter (https://e.com/a)"}
		require.Equal(r.t, []map[string][]string{{"i1": lines, "i2": lines}}, r.asked())
	})
}

func TestWordsForAnOrderThatIsNotInReviewAreShownAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		r.submits()
		r.types("revise order1 warmer")
		require.Contains(r.t, r.screen.modal(), "not ready for review")
		require.Contains(r.t, r.screen.modal(), "warmer")
		require.Contains(r.t, r.screen.modal(), "Message editor")
		require.Equal(r.t, "All other images: warmer", r.messageWords(r.screen.modal()))
	})
}

var keptBlock = regexp.MustCompile(`"block_id":"((?:pick|revise):[^"]*)"`)

// messageWords is what a press of Message editor brings along.
func (r *rig) messageWords(shown string) string {
	r.t.Helper()
	found := keptBlock.FindStringSubmatch(shown)
	require.NotNil(r.t, found, "no such button in %s", shown)
	var words string
	if note, kept := strings.CutPrefix(found[1], cards.PickBlock); kept && note != "" {
		require.NoError(r.t, r.store.Noted(r.t.Context(), note, &words))
	}
	words, err := bot.Plain(r.t.Context(), r.screen, words)
	require.NoError(r.t, err)
	return words
}

func TestTheWordsOfAnOvertakenPersonGoToTheEditor(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		mine := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("ben", r.opens("ben", cards.ActionRevise, cards.Value(id, 0)), map[string]string{"1 · 1.jpg": "Brighter"})
		r.sends("maria", mine, map[string]string{"1 · 1.jpg": "A <warm> tone &amp; *soft*"})
		block := keptBlock.FindStringSubmatch(r.shows(mine))[1]
		view := r.screen.view(mine)
		r.click(bot.Request{Kind: bot.KindAction, Name: cards.ActionMessage, Value: cards.Value(id, 1), BlockID: block, View: &view})
		require.Equal(r.t, cards.CallbackMessage, r.screen.view(r.screen.last()).CallbackID)
		box := r.screen.view(r.screen.last()).Blocks.BlockSet
		require.Contains(r.t, text(box), "A <warm> tone &amp; *soft*", "to the letter")
	})
}

func TestFiftyImagesFillTheirPages(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(50)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"3 · 3.jpg": "Third", "All other images": "Warmer"})
		require.Contains(r.t, r.shows(window), "page 2 of 7")
		require.Contains(r.t, r.shows(window), "https://e.com/9.jpg")
		require.Contains(r.t, r.shows(window), "Warmer", "the same box on every page")

		r.goesBack(window, map[string]string{"9 · 9.jpg": "Ninth"})
		require.Contains(r.t, r.shows(window), "page 1 of 7")
		require.Contains(r.t, r.shows(window), "Third")
		r.sends("maria", window, map[string]string{"3 · 3.jpg": "", "4 · 4.jpg": "Fourth"})
		require.Contains(r.t, r.shows(window), "Ninth")
		for range 5 {
			require.Empty(r.t, r.asked(), "only the last page sends")
			r.sends("maria", window, nil)
		}
		require.Contains(r.t, r.shows(window), "page 7 of 7")
		r.sends("maria", window, map[string]string{"50 · 50.jpg": "Last"})
		require.Len(r.t, r.asked(), 1)
		got := r.asked()[0]
		require.Len(r.t, got, 50)
		for image, want := range map[string]string{"i3": "Warmer", "i4": "Fourth", "i9": "Ninth", "i50": "Last"} {
			require.Equal(r.t, []string{want}, got[image], image)
		}
	})
}

// goesBack is somebody pressing Back after typing these words.
func (r *rig) goesBack(window string, words map[string]string) {
	r.t.Helper()
	view := r.filledIn(window, words)
	r.click(bot.Request{Kind: bot.KindAction, Name: cards.ActionBack, View: &view})
}

func TestAPageThatIsTurnedSendsNothing(t *testing.T) {
	for name, change := range map[string]func(o *order.Order){
		"a newer revision": func(o *order.Order) { one := 1; o.Revision = &one },
		"paused":           func(o *order.Order) { o.Status = order.StatusPaused },
		"closed":           func(o *order.Order) { o.Status = order.StatusClosed },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				id := r.delivers(20)
				window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
				r.service.edit(id, change)
				r.record()
				r.sends("maria", window, map[string]string{"3 · 3.jpg": "Third"})
				require.Contains(r.t, r.shows(window), "Third")
				require.Contains(r.t, r.shows(window), ":warning:")
				require.Empty(r.t, r.asked())
			})
		})
	}
}

func TestATurnedPageIsNotSentByAnOrderThatComesBack(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(20)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.service.edit(id, func(o *order.Order) { o.Status = order.StatusPaused })
		r.record()
		r.service.edit(id, func(o *order.Order) { o.Status = order.StatusReviewing }) // nobody has seen that yet
		r.sends("maria", window, map[string]string{"3 · 3.jpg": "Third"})
		require.Empty(r.t, r.asked(), "two more pages were to come")
		require.Contains(r.t, r.shows(window), "Third")
	})
}

func TestARefusedImageIsNamedBesideIt(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(10)
		r.service.nextRevise = []serviceAnswer{refused("image ID not found: i10", "image ID not found: i2")}
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "First"})
		r.sends("maria", window, map[string]string{"9 · 9.jpg": "Ninth", "All other images": "Warmer"})
		shown := r.shows(window)
		require.Contains(r.t, shown, "page 1 of 2", "where the first of them is")
		require.Regexp(r.t, `"2 · 2.jpg.*image ID not found: i2.*"3 · 3.jpg`, shown)
		require.NotContains(r.t, shown, "not found: i10")
		require.Contains(r.t, shown, "First")
		require.Contains(r.t, shown, "Warmer")
		require.Nil(r.t, r.intent())

		r.sends("maria", window, nil)
		require.Contains(r.t, r.shows(window), "not found: i10")
		require.Contains(r.t, r.shows(window), "Ninth")
		r.sends("maria", window, nil)
		require.Len(r.t, r.asked(), 1)
		require.NotContains(r.t, r.asked()[0], "i2")
		require.NotContains(r.t, r.asked()[0], "i10")
		require.Equal(r.t, []string{"First"}, r.asked()[0]["i1"])
		require.Equal(r.t, []string{"Warmer"}, r.asked()[0]["i3"])
	})
}

func TestAnOldFormShowsTheNewerRevisionWithItsWords(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(2)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.service.edit(id, func(o *order.Order) {
			one := 1
			o.Revision = &one
			o.EditedImages = append(o.EditedImages, order.EditedImage{ID: "i1b", Name: "1.jpg", Revision: 1})
		})
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter", "All other images": "Warmer"})
		require.Empty(r.t, r.asked())
		require.Contains(r.t, r.shows(window), "a newer one: revision 1")
		require.Contains(r.t, r.shows(window), "Brighter")
		r.sends("maria", window, nil)
		require.Equal(r.t, []map[string][]string{{"i1b": {"Brighter"}, "i2": {"Warmer"}}}, r.asked())
	})
}

func TestNewImagesOfTheSameRevisionAreShownOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.service.edit(id, func(o *order.Order) { o.EditedImages[0].Revision = 3 }) // counted otherwise than the order
		r.record()
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		require.Len(r.t, r.asked(), 1, "that is what she saw")
	})
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.service.edit(id, func(o *order.Order) { o.EditedImages[0].Revision = 3 })
		r.record()
		r.presses(cards.ActionApprove, cards.Value(id, 0))
		r.approves()
		require.Len(r.t, r.approvals(), 1)
	})
}

func TestAPictureThatCannotBeFetchedCostsNoForm(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(10)
		r.screen.blind = true
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "First"})
		require.Contains(r.t, r.shows(window), "page 2 of 2")
		r.goesBack(window, nil)
		require.Contains(r.t, r.shows(window), "page 1 of 2")
		r.service.nextRevise = []serviceAnswer{refused("image ID not found: i2")}
		r.sends("maria", window, nil)
		r.sends("maria", window, nil)
		require.Contains(r.t, r.shows(window), "image ID not found: i2")
		require.Contains(r.t, r.shows(window), "First")
	})
}

func TestTwoPeopleRequestDifferentChanges(t *testing.T) {
	for first, second := range map[string]string{"maria": "ben", "ben": "maria"} {
		t.Run(first+" is first", func(t *testing.T) {
			bubble(t, func(r *rig) {
				id := r.delivers(2)
				windows := map[string]string{}
				for _, user := range []string{"maria", "ben"} {
					windows[user] = r.opens(user, cards.ActionRevise, cards.Value(id, 0))
				}
				r.sends(first, windows[first], map[string]string{"1 · 1.jpg": "Brighter", "All other images": "Warmer"})
				r.sends(second, windows[second], map[string]string{"1 · 1.jpg": "Darker & softer", "2 · 2.jpg": "Crop it"})
				require.Len(r.t, r.asked(), 1)
				require.Contains(r.t, r.shows(windows[first]), "Changes requested")
				told := r.shows(windows[second])
				for _, want := range []string{first + " has already requested changes", "Brighter", "Warmer", "Yours were not sent", "Darker", "Crop it", "Message editor"} {
					require.Contains(r.t, told, want)
				}
				require.Equal(r.t, "1 · 1.jpg: Darker & softer\n2 · 2.jpg: Crop it", r.messageWords(told))
				require.Len(r.t, r.events(order.EventChanges), 1)
				require.Equal(r.t, first, r.events(order.EventChanges)[0].Actor)
			})
		})
	}
}

func TestChangesRequestedElsewhereAreToldAsSuch(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.service.nextRevise = []serviceAnswer{func(do func() order.Order) (order.Order, error) {
			do() // between our look and our request
			return refused("invalid order status")(do)
		}}
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		require.Contains(r.t, r.shows(window), "elsewhere")
		require.Contains(r.t, r.shows(window), "Brighter")
		require.Empty(r.t, r.events(order.EventChanges)[0].Actor, "it was not hers")
	})
}

func TestChangesToAnApprovedOrderAreToldSo(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		other := r.opens("ben", cards.ActionApprove, cards.Value(id, 0))
		r.sends("ben", other, nil)
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		require.Contains(r.t, r.shows(window), "was approved")
		require.Contains(r.t, r.shows(window), "Brighter")
		require.NotContains(r.t, r.shows(window), "Message editor", "a closed order has no editor")
	})
}

func TestAClosedFormIsAnsweredWithEveryWord(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(10)
		r.service.nextRevise = []serviceAnswer{refused("image ID not found: i2")}
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "First", "2 · 2.jpg": "Second"})
		view := r.filledIn(window, map[string]string{"10 · 10.jpg": "Tenth", "All other images": "Warmer"})
		r.screen.closes()
		r.sendsAs("V1:last", "maria", view)
		told := r.screen.lastTold()
		for _, want := range []string{"image ID not found: i2", "First", "Second", "Tenth", "Warmer", "Request changes"} {
			require.Contains(r.t, told, want)
		}

		block := keptBlock.FindStringSubmatch(told)[1]
		r.click(bot.Request{Kind: bot.KindAction, Name: cards.ActionRevise, Value: cards.Value(id, 0), BlockID: block})
		window = r.screen.last()
		require.Contains(r.t, r.shows(window), "First")
		r.sends("maria", window, map[string]string{"2 · 2.jpg": ""})
		require.Contains(r.t, r.shows(window), "Tenth")
		r.sends("maria", window, nil)
		require.Len(r.t, r.asked(), 1)
		require.Equal(r.t, []string{"Tenth"}, r.asked()[0]["i10"])
		require.NotContains(r.t, r.asked()[0], "i2")
	})
}

func TestAnOvertakenPersonWhoClosedTheFormIsToldEverything(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(8)
		long := strings.TrimSpace(strings.Repeat("more light ", 270))
		words := map[string]string{}
		for i := range 8 {
			words[fmt.Sprintf("%d · %d.jpg", i+1, i+1)] = fmt.Sprintf("%s end%d", long, i+1)
		}
		mine := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		theirs := r.opens("ben", cards.ActionRevise, cards.Value(id, 0))
		r.sends("ben", theirs, map[string]string{"1 · 1.jpg": "Brighter"})
		view := r.filledIn(mine, words)
		r.screen.closes()
		before := len(r.screen.told)
		r.sendsAs("V1:mine", "maria", view)
		told := strings.Join(r.screen.told[before:], "\n")
		require.Greater(r.t, len(r.screen.told)-before, 1, "more than one message holds")
		for i := range 8 {
			require.Contains(r.t, told, fmt.Sprintf("end%d", i+1))
		}
		require.Contains(r.t, told, "ben has already requested changes")
		require.Contains(r.t, told, "5,000", "too long for one message")
	})
}

func TestOnlyTheImagesThatHaveAnIDCanBeNamed(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.service.edit(id, func(o *order.Order) { o.EditedImages = []order.EditedImage{{Name: "1.jpg"}} })
		r.record()
		r.types("revise order1 warmer")
		require.Contains(r.t, r.screen.modal(), "Write to the editor")
		require.Contains(r.t, r.screen.modal(), "warmer")
	})
}

func TestBackInAWindowOfAnHiddenOrder(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(10)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, nil)
		view := r.filledIn(window, nil)
		r.screen.out = map[string]bool{"maria": true}
		r.click(bot.Request{Kind: bot.KindAction, Name: cards.ActionBack, View: &view})
		require.Contains(r.t, r.shows(window), "There is no order")
	})
}

func TestAnOldButtonOpensTheNewerRevision(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.service.edit(id, func(o *order.Order) { one := 1; o.Revision = &one })
		r.record()
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		require.Contains(r.t, r.shows(window), "a newer one: revision 1")
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		require.Len(r.t, r.asked(), 1)
	})
}

func TestTheFormStaysWithinItsLimitsOnTheWire(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(50)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		words := map[string]string{"All other images": strings.Repeat("漢", 3000)}
		for i := range 8 {
			words[fmt.Sprintf("%d · %d.jpg", i+1, i+1)] = strings.Repeat("<", 3000)
		}
		reply := r.sends("maria", window, words)
		require.Less(r.t, len(text(reply.Body)), 20_000, "an acknowledgement fits a frame")
		r.settle(time.Second)
		require.Contains(r.t, r.shows(window), "page 2 of 7")
		require.Less(r.t, len(r.shows(window)), 250_000)
	})
}
