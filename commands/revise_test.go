package commands_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	cardschange "darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

func TestChangesReachEachImage(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(3)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		require.Contains(r.T, r.Shows(window), "https://e.com/1.jpg", "its thumbnail")
		r.Sends("maria", window, map[string]string{"2 · 2.jpg": "Brighter\n\n Sharper ", "All other photos": "Warmer"})
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
			{" \n ", "", ""}:       cardschange.NoChanges,
			{"A", "B", "And this"}: cardschange.NobodyElse,
		} {
			reply := r.Sends("maria", window, map[string]string{"1 · 1.jpg": words[0], "2 · 2.jpg": words[1], "All other photos": words[2]})
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
		require.Contains(r.T, r.Screen.Modal(), "Message the Editor")
		require.Equal(r.T, "All other photos: warmer", r.MessageWords(r.Screen.Modal()))
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
		require.Equal(r.T, kit.CallbackMessage, r.Screen.View(r.Screen.Last()).CallbackID)
		box := r.Screen.View(r.Screen.Last()).Blocks.BlockSet
		require.Contains(r.T, commandstest.Text(box), "A <warm> tone &amp; *soft*", "to the letter")
	})
}

func TestOfFiftyImagesSomeAreChosen(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(50)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		require.Contains(r.T, r.Shows(window), "For all images")
		require.Contains(r.T, r.Shows(window), "*All 50 images*", "to choose from by picture")
		third := strings.Count(r.Shows(window), "https://e.com/3.jpg")
		r.ChoosesImages("maria", window, map[string]string{"For all images": "Warmer"}, "3 · 3.jpg", "9 · 9.jpg")
		require.Greater(r.T, strings.Count(r.Shows(window), "https://e.com/3.jpg"), third, "its picture, above its box")
		require.Contains(r.T, r.Shows(window), "Warmer", "the box beside it keeps its words")
		r.ChoosesImages("maria", window, map[string]string{"3 · 3.jpg": "Third", "9 · 9.jpg": "Ninth"}, "9 · 9.jpg", "50 · 50.jpg")
		require.Contains(r.T, r.Shows(window), "Your words for *3 · 3.jpg* are kept and not sent")
		r.ChoosesImages("maria", window, map[string]string{"50 · 50.jpg": "Last"}, "3 · 3.jpg", "50 · 50.jpg")
		require.Contains(r.T, r.Shows(window), "Third", "they come back")
		require.Empty(r.T, r.Asked())
		r.Sends("maria", window, nil)
		require.Len(r.T, r.Asked(), 1)
		got := r.Asked()[0]
		require.Len(r.T, got, 50)
		for image, want := range map[string]string{"i1": "Warmer", "i3": "Third", "i9": "Warmer", "i50": "Last"} {
			require.Equal(r.T, []string{want}, got[image], image)
		}
	})
}

func TestTwoQuickChoicesEndAsTheLast(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(8)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		choice := func(at string, images ...string) bot.Request {
			view := r.FilledIn(window, map[string]string{"Which images?": strings.Join(images, "\n")})
			return bot.Request{Kind: bot.KindAction, Name: cardschange.ActionWhich, View: &view, ActionTS: at}
		}
		first, second := choice("1763706000.000001", "1 · 1.jpg"), choice("1763706000.000002", "1 · 1.jpg", "2 · 2.jpg")
		r.Click(second)
		r.Click(first) // arrives after the second one
		require.Contains(r.T, r.Shows(window), "https://e.com/2.jpg")
		first, second = choice("1763706000.000003", "3 · 3.jpg"), choice("1763706000.000004", "4 · 4.jpg")
		r.Click(first)
		r.Click(second) // its view is older than the first one's result
		require.Contains(r.T, r.Shows(window), "https://e.com/4.jpg")
	})
}

// An edit of a box may arrive before an earlier choice of images: the chosen images still get their boxes.
func TestAChoiceThatTypingOvertookIsShown(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(8)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		chosen := r.FilledIn(window, map[string]string{"Which images?": "2 · 2.jpg"})
		typed := r.FilledIn(window, map[string]string{"Which images?": "2 · 2.jpg", "For all images": "Warm"})
		r.Click(bot.Request{Kind: bot.KindAction, Name: kit.ActionTyped + "all", View: &typed, ActionTS: "1763706000.000002"})
		r.Click(bot.Request{Kind: bot.KindAction, Name: cardschange.ActionWhich, View: &chosen, ActionTS: "1763706000.000001"})
		require.Contains(r.T, r.Shows(window), `"label":{"type":"plain_text","text":"2 · 2.jpg"`)
		require.Contains(r.T, r.Shows(window), "Warm")
	})
}

func TestAChoiceThatComesAfterTheFormWasSentShowsNoForm(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(8)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		view := r.FilledIn(window, map[string]string{"Which images?": "1 · 1.jpg"})
		r.Sends("maria", window, map[string]string{"For all images": "Warmer"})
		r.Click(bot.Request{Kind: bot.KindAction, Name: cardschange.ActionWhich, View: &view, ActionTS: "1763706000.000001"})
		require.Contains(r.T, r.Shows(window), "Changes requested")
	})
}

// former returns a page of the form of an earlier version.
func former(id, window string, page int, more bool, words map[string]string) slack.View {
	values := map[string]map[string]slack.BlockAction{}
	for block, text := range words {
		field, _, _ := strings.Cut(block, ":")
		values[block] = map[string]slack.BlockAction{field: {Value: text}}
	}
	return slack.View{
		Type: slack.VTModal, ExternalID: window, CallbackID: kit.CallbackRevise, State: &slack.ViewState{Values: values},
		PrivateMetadata: fmt.Sprintf(`{"order":%q,"page":%d,"more":%t}`, id, page, more),
	}
}

func TestAFormOfAnEarlierVersionIsGoneOnWith(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(10)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.SendsAs("next", "maria", former(id, window, 0, true, map[string]string{"image:0:i3": "Third", "all:0:0:0": "Warmer"}))
		require.Empty(r.T, r.Asked(), "another page was to come")
		require.Contains(r.T, r.Shows(window), "Which images?")
		require.Contains(r.T, r.Shows(window), "Third")
		r.SendsAs("last", "maria", former(id, window, 1, false, map[string]string{"image:0:i9": "Ninth", "all:0:1:0": "Warmer"}))
		require.Len(r.T, r.Asked(), 1)
		require.Equal(r.T, []string{"Third"}, r.Asked()[0]["i3"])
		require.Equal(r.T, []string{"Ninth"}, r.Asked()[0]["i9"])
	})
}

func TestBackInAFormOfAnEarlierVersionShowsAllOfIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(10)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		view := former(id, window, 1, false, map[string]string{"image:0:i9": "Ninth"})
		r.Click(bot.Request{Kind: bot.KindAction, Name: place.ActionBack, View: &view})
		require.Contains(r.T, r.Shows(window), "Ninth")
		require.Contains(r.T, r.Shows(window), "Which images?")
		r.Screen.Out = map[string]bool{"maria": true}
		r.Click(bot.Request{Kind: bot.KindAction, Name: place.ActionBack, View: &view})
		require.Contains(r.T, r.Shows(window), "There is no order")
	})
}

func TestAFormerPageSendsNothingToAnOrderThatChanged(t *testing.T) {
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
				r.SendsAs("next", "maria", former(id, window, 0, true, map[string]string{"image:0:i3": "Third"}))
				require.Contains(r.T, r.Shows(window), "Third")
				require.Contains(r.T, r.Shows(window), "warning", "as an alert, or in an acknowledgement as a paragraph")
				require.Empty(r.T, r.Asked())
			})
		})
	}
}

func TestAPictureThatCannotBeFetchedCostsNoForm(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(10)
		r.Screen.NoPictures = true
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.ChoosesImages("maria", window, nil, "1 · 1.jpg")
		require.NotContains(r.T, r.Shows(window), "https://e.com/1.jpg")
		r.Service.NextRevise = []commandstest.ServiceAnswer{commandstest.Refused("image ID not found: i2")}
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "First", "All other photos": "Warmer"})
		require.Contains(r.T, r.Shows(window), "image ID not found: i2")
		require.Contains(r.T, r.Shows(window), "First")
		require.Contains(r.T, r.Shows(window), "2 · 2.jpg", "the box of what is named")
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

func TestAnOldButtonOpensTheNewerRevision(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.Edit(id, func(o *order.Order) { one := 1; o.Revision = &one })
		r.Record()
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		require.Contains(r.T, r.Shows(window), "newer photos: round 2")
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		require.Len(r.T, r.Asked(), 1)
	})
}

func TestTheFormStaysWithinItsLimitsOnTheWire(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(50)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		var all []string
		for i := range 50 {
			all = append(all, fmt.Sprintf("%d · %d.jpg", i+1, i+1))
		}
		r.ChoosesImages("maria", window, map[string]string{"For all images": strings.Repeat("漢", 3000)}, all...)
		words := map[string]string{}
		for _, image := range all {
			words[image] = strings.Repeat("<", 3000)
		}
		words["All other photos"] = ""
		one := 1
		r.Service.Edit(id, func(o *order.Order) { o.Revision = &one })
		reply := r.Sends("maria", window, words)
		require.Less(r.T, len(commandstest.Text(reply.Body)), 20_000, "an acknowledgement fits a frame")
		require.Contains(r.T, r.Shows(window), "no room to show the boxes of")
		require.Less(r.T, len(r.Shows(window)), 250_000)
		r.Sends("maria", window, nil)
		require.Len(r.T, r.Asked(), 1)
		for image, lines := range r.Asked()[0] {
			require.Equal(r.T, []string{strings.Repeat("<", 3000)}, lines, image)
		}
	})
}

func TestWhoMayNoLongerChangeAnOrderSeesNoMoreOfIt(t *testing.T) {
	for says, meets := range map[string]func(r *commandstest.Rig){
		"There is no order": func(r *commandstest.Rig) { r.Screen.Out = map[string]bool{"maria": true} },
		"Guests may look":   func(r *commandstest.Rig) { r.Screen.Guests = map[string]bool{"maria": true} },
	} {
		t.Run(says, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Delivers(20)
				window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
				meets(r)
				r.SendsAs("next", "maria", former(id, window, 0, true, map[string]string{"image:0:i1": "Brighter"}))
				require.Contains(r.T, r.Shows(window), says)
				require.Contains(r.T, r.Shows(window), "Brighter", "her words")
				require.NotContains(r.T, r.Shows(window), "9.jpg")
				require.Empty(r.T, r.Asked())
			})
		})
	}
}
