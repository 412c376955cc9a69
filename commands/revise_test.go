package commands_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	cardschange "darkroom/cards/change"
	"darkroom/cards/kit"
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

// Of many images, a button opens each box. At most five are open; a folded one shows its text and is sent, too.
func TestOfFiftyImagesEachBoxIsOpened(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(50)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		require.Contains(r.T, r.Shows(window), "https://e.com/3.jpg", "each has its picture")
		require.NotContains(r.T, r.Shows(window), `"label":{"type":"plain_text","text":"3 · 3.jpg"`)
		r.OpensBoxes("maria", window, map[string]string{"All other photos": "Warmer"}, "3 · 3.jpg")
		require.Contains(r.T, r.Shows(window), "Warmer", "the other box keeps its text")
		r.OpensBoxes("maria", window, map[string]string{"3 · 3.jpg": "Third"}, "5 · 5.jpg", "6 · 6.jpg", "7 · 7.jpg", "8 · 8.jpg", "9 · 9.jpg")
		shown := r.Shows(window)
		require.NotContains(r.T, shown, `"label":{"type":"plain_text","text":"3 · 3.jpg"`, "the sixth box folds the first")
		require.Contains(r.T, shown, "\\u003e Third", "which shows its text")
		r.OpensBoxes("maria", window, map[string]string{"9 · 9.jpg": "Ninth"}, "3 · 3.jpg")
		require.Contains(r.T, r.Shows(window), `"label":{"type":"plain_text","text":"3 · 3.jpg"`, "it opens again")
		require.Empty(r.T, r.Asked())
		r.Sends("maria", window, nil)
		require.Len(r.T, r.Asked(), 1)
		got := r.Asked()[0]
		require.Len(r.T, got, 50)
		for image, want := range map[string]string{"i1": "Warmer", "i3": "Third", "i9": "Ninth", "i50": "Warmer"} {
			require.Equal(r.T, []string{want}, got[image], image)
		}
	})
}

// An order of one image has one box, for the text of the line, too.
func TestOneImageHasOneBox(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Types("revise order1 warmer")
		window := r.Screen.Last()
		require.NotContains(r.T, r.Shows(window), "All other photos")
		require.NotContains(r.T, r.Shows(window), "Good")
		reply := r.Sends("maria", window, map[string]string{"1 · 1.jpg": ""})
		require.Contains(r.T, commandstest.Text(reply.Body), `"image:0:i1":"Say what should change."`)
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "warmer\nand softer"})
		require.Equal(r.T, []map[string][]string{{"i1": {"warmer", "and softer"}}}, r.Asked())
		require.Contains(r.T, r.Shows(window), "Changes requested", id)
	})
}

func TestTwoQuickClicksEndAsTheLast(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(8)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		open := func(at, image string) bot.Request {
			click := r.Opening("maria", window, image, nil)
			click.ActionTS = at
			return click
		}
		first, second := open("1763706000.000001", "1 · 1.jpg"), open("1763706000.000002", "2 · 2.jpg")
		r.Click(second)
		r.Click(first) // arrives after the second one
		third, fourth := open("1763706000.000003", "3 · 3.jpg"), open("1763706000.000004", "4 · 4.jpg")
		r.Click(third)
		r.Click(fourth) // its view is older than the third one's result
		for _, image := range []string{"1 · 1.jpg", "2 · 2.jpg", "3 · 3.jpg", "4 · 4.jpg"} {
			require.Contains(r.T, r.Shows(window), `"label":{"type":"plain_text","text":"`+image+`"`)
		}
	})
}

// An edit of a box may arrive before an earlier click: the box still opens.
func TestAClickThatTypingOvertookIsShown(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(8)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		click := r.Opening("maria", window, "2 · 2.jpg", nil)
		typed := r.FilledIn(window, map[string]string{"All other photos": "Warm"})
		r.Click(bot.Request{Kind: bot.KindAction, Name: kit.ActionTyped + "all", View: &typed, ActionTS: "1763706000.000012"})
		click.ActionTS = "1763706000.000011"
		r.Click(click)
		require.Contains(r.T, r.Shows(window), `"label":{"type":"plain_text","text":"2 · 2.jpg"`)
		require.Contains(r.T, r.Shows(window), "Warm")
	})
}

func TestAClickThatComesAfterTheFormWasSentShowsNoForm(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(8)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		click := r.Opening("maria", window, "1 · 1.jpg", nil)
		r.Sends("maria", window, map[string]string{"All other photos": "Warmer"})
		r.Click(click)
		require.Contains(r.T, r.Shows(window), "Changes requested")
	})
}

func TestWhoLeftTheChannelOpensNoBox(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(8)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		click := r.Opening("maria", window, "1 · 1.jpg", nil)
		r.Screen.Out = map[string]bool{"maria": true}
		r.Settle(time.Hour) // the cached membership expires
		r.Click(click)
		require.Contains(r.T, r.Shows(window), "There is no order")
		require.NotContains(r.T, r.Shows(window), "8.jpg")
	})
}

func TestAPictureThatCannotBeFetchedCostsNoForm(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(10)
		r.Screen.NoPictures = true
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.OpensBoxes("maria", window, nil, "1 · 1.jpg")
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
		for i := range 50 {
			if i == 25 {
				r.Click(r.Turning("maria", window, "Show 26–50"))
			}
			image := fmt.Sprintf("%d · %d.jpg", i+1, i+1)
			r.OpensBoxes("maria", window, nil, image)
			view := r.FilledIn(window, map[string]string{image: strings.Repeat("<", 3000)})
			r.Click(bot.Request{Kind: bot.KindAction, Name: kit.ActionTyped + "image", View: &view, ActionTS: fmt.Sprintf("1763706000.%06d", r.Clicks)})
		}
		one := 1
		r.Service.Edit(id, func(o *order.Order) { o.Revision = &one })
		reply := r.Sends("maria", window, nil)
		require.Less(r.T, len(commandstest.Text(reply.Body)), 20_000, "an acknowledgement fits a frame")
		require.Less(r.T, len(r.Shows(window)), 250_000)
		require.Empty(r.T, r.Asked(), "there are newer images")
		reply = r.Sends("maria", window, nil)
		require.Len(r.T, r.Asked(), 1, "%.300s", commandstest.Text(reply.Body))
		require.Len(r.T, r.Asked()[0], 50)
		for image, lines := range r.Asked()[0] {
			require.Equal(r.T, []string{strings.Repeat("<", 3000)}, lines, image)
		}
	})
}
