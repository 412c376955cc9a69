package change_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// secondRound returns an order in its second round, for which Peter asked two things of the first photo and one of the
// second. done are the sentences that Maria ticked.
func secondRound(s cardstest.Scene, done ...string) (store.Tracked, cards.RoundHistory) {
	t, rounds := s.Tracked(order.StatusReviewing), s.Rounds(1)
	t.Order.EditedImages = rounds[2].Order.EditedImages
	latest := order.Latest(t.Order.EditedImages)
	rounds[1].Words, rounds[1].PerImage = nil, map[string][]string{"sh38nsk1": {"Remove the stain", s.Words}, "sh38nsk2": {"Darker"}}
	t.Verdicts = order.Verdicts{}
	for i, sentences := range cards.CurrentRound(rounds).Sentences(latest) {
		for _, sentence := range sentences {
			tick := order.Tick{Edit: latest[i].Edit(), Done: order.SentenceKey(sentence), Good: slices.Contains(done, sentence)}
			changed, _, _ := t.Verdicts.With([]order.Tick{tick}, latest, "U0MARIA", cardstest.Now)
			maps.Copy(t.Verdicts, changed)
		}
	}
	return t, cards.RoundHistoryOf(t, rounds, rounds[2])
}

// asksAgain returns the views of a round in which some requested changes are ticked as done.
func asksAgain(s cardstest.Scene) map[string]any {
	t, course := secondRound(s)
	some, _ := secondRound(s, "Remove the stain", "Darker")
	form := func(t store.Tracked) any {
		return change.Revise(t, course, change.Changes{}.WithAsked(t, course, true), cardstest.Previews, "x1")
	}
	count := cards.DoneOf(some, course)
	ended := order.Event{Seq: 5, ID: "approved", Kind: order.EventApproved, Actor: "U0MARIA", At: cardstest.Now, Ticked: count}
	e := s.Rounds(1)[2]
	closed := some
	closed.Order.Status = order.StatusClosed
	decided := course
	decided.Ended = &ended
	return map[string]any{
		"form":    form(t),
		"some":    form(some),
		"approve": change.Approve(some, course, "", cardstest.Previews, "x1"),
		"review":  cards.Review(some, e, course, true, cardstest.Previews),
		"decided": cards.Review(closed, e, decided, false, cardstest.Previews),
		"history": cards.History(closed, []order.Event{*course.Asked, ended}, 0),
		"saved":   change.VerdictsSaved(some, course, nil, "x1"),
	}
}

func TestRequestedChangesAreTicked(t *testing.T) { cardstest.Golden(t, asksAgain) }

// A channel's message names who ticked, and calls nobody.
func TestTheCountNamesWhoTicked(t *testing.T) {
	for want, c := range map[string]struct {
		names kit.Names
		count *order.DoneCount
	}{
		"": {nil, nil},
		"0 of 1 requested change is ticked done.":                                  {nil, &order.DoneCount{Of: 1}},
		"2 of 3 requested changes are ticked done, by <@U0MARIA>, <@U0BEN>.":       {nil, &order.DoneCount{Done: 2, Of: 3, By: []string{"U0MARIA", "U0BEN"}}},
		"1 of 3 requested changes are ticked done, by Maria.":                      {kit.Names{"U0MARIA": "Maria"}, &order.DoneCount{Done: 1, Of: 3, By: []string{"U0MARIA"}}},
		"1 of 3 requested changes are ticked done, by " + kit.Unnamed + ".":        {kit.Names{}, &order.DoneCount{Done: 1, Of: 3, By: []string{"U0MARIA"}}},
		"3 of 3 requested changes are ticked done, by " + order.FormerPerson + ".": {nil, &order.DoneCount{Done: 3, Of: 3, By: []string{order.FormerPerson}}},
	} {
		require.Equal(t, want, cards.DoneNote(c.names, c.count))
	}
}

// A box is filled once, as far as it holds the text, and only if it is empty and its photo is not good.
func TestABoxIsFilledOnce(t *testing.T) {
	o, course := secondRound(cardstest.Of("Warmer", 3))
	own := change.Changes{Each: []change.ImageText{{ID: "sh38nsk2", Words: "Mine"}}}
	c := own.WithAsked(o, course, true)
	require.Equal(t, map[string][]string{"sh38nsk1b": {"again: Remove the stain", "again: Warmer"}, "sh38nsk2": {"Mine"}}, c.PerImage(o))
	c.Each = nil
	require.Empty(t, c.WithAsked(o, course, true).PerImage(o), "who deletes it has deleted it")
	require.Empty(t, c.Reopened().WithAsked(o, course, true).PerImage(o))
	require.Equal(t, own.PerImage(o), own.WithAsked(o, course, false).PerImage(o))

	course.Asked.PerImage["sh38nsk1"] = []string{strings.Repeat("x", 2000), strings.Repeat("y", 2000), "z"}
	require.Equal(t, []string{"again: " + strings.Repeat("x", 2000), "again: z"}, change.Changes{}.WithAsked(o, course, true).PerImage(o)["sh38nsk1b"])
	course.Asked.PerImage["sh38nsk1"] = []string{"again: z"}
	require.Equal(t, []string{"again: z"}, change.Changes{}.WithAsked(o, course, true).PerImage(o)["sh38nsk1b"])

	good := cardstest.MarkedGood(o, 1)
	require.NotContains(t, change.Changes{}.WithAsked(good, course, true).PerImage(good), "sh38nsk1b")
	require.Empty(t, change.Changes{}.WithAsked(good, course, true).Asked[0].Done, "a good photo is no tick at its sentences")
	require.Empty(t, change.Changes{}.WithAsked(o, cards.RoundHistory{}, true).Asked, "nothing is known of the first round")
}

// formState returns the first photo's boxes and ticks as Slack reports them.
func formState(o store.Tracked, text string, good bool, done ...string) slack.View {
	image := order.Latest(o.Order.EditedImages)[0]
	ticks := slack.BlockAction{SelectedOptions: []slack.OptionBlockObject{}}
	for _, sentence := range done {
		ticks.SelectedOptions = append(ticks.SelectedOptions, slack.OptionBlockObject{Value: order.SentenceKey(sentence)})
	}
	judged := slack.BlockAction{}
	if good {
		judged.SelectedOptions = []slack.OptionBlockObject{{Value: image.Edit() + ":" + image.ID}}
	}
	return slack.View{State: &slack.ViewState{Values: map[string]map[string]slack.BlockAction{
		"image:1:" + image.ID:    {"typed:image": {Value: text}},
		"done:1:" + image.Edit(): {change.ActionDone: ticks},
		"good:1:" + image.Edit(): {change.ActionDone: judged},
		"done:1:anotherEdit":     {change.ActionDone: ticks},
	}}}
}

// A tick takes its line out of the box, and taking it back puts it there again. A changed line stays.
func TestATickChangesTheBox(t *testing.T) {
	o, course := secondRound(cardstest.Of("Warmer", 3))
	const stain, both = "Remove the stain", "again: Remove the stain\nagain: Warmer"
	opened := change.Changes{}.WithAsked(o, course, true)
	words := func(c change.Changes) string { return strings.Join(c.PerImage(o)["sh38nsk1b"], "\n") }
	into := func(c change.Changes, text string, good bool, done ...string) change.Changes {
		return change.DecodeRevise(formState(o, text, good, done...)).Into(c, o)
	}
	ticked := into(opened, both, false, stain)
	require.Equal(t, "again: Warmer", words(ticked))
	require.Equal(t, []order.Tick{{Edit: order.Latest(o.Order.EditedImages)[0].Edit(), Image: "sh38nsk1b", Name: "Warmer 1.jpg", Done: order.SentenceKey(stain), Good: true}}, ticked.Ticks)
	require.Equal(t, "again: Warmer", words(into(ticked, both, false, stain)), "the same again, of a box that Slack has not redrawn")
	back := into(ticked, "again: Warmer", false)
	require.Equal(t, "again: Warmer\nagain: Remove the stain", words(back))
	require.Empty(t, back.Ticks, "as it was when the form opened")
	require.Equal(t, "Remove the stain there\nagain: Warmer", words(into(opened, "Remove the stain there\nagain: Warmer", false, stain)))
	require.Equal(t, "again: Warmer", words(into(opened, "again: Warmer", false)), "who deletes a line has deleted it")

	good := into(ticked, "again: Warmer\nMine", true, stain)
	require.Equal(t, "Mine", words(good), "a good photo needs nothing again")
	require.Equal(t, "Mine\nagain: Warmer", words(into(good, "Mine", false, stain)), "what is ticked stays done")
	require.Equal(t, "again: Darker", strings.Join(good.PerImage(o)["sh38nsk2"], ""), "the other photo stays as it is")

	o, course = secondRound(cardstest.Of("Warmer", 3), stain)
	opened = change.Changes{}.WithAsked(o, course, true)
	require.Equal(t, "again: Warmer", words(opened))
	require.Empty(t, into(opened, "again: Warmer", false, stain).Ticks, "it was ticked when the form opened")
	require.False(t, into(opened, "again: Warmer", false).Ticks[0].Good, "the tick is taken back")
}

// A form with fifty photos and ten long sentences each stays within Slack's limits.
func TestManySentencesFit(t *testing.T) {
	s := cardstest.Of("beach", 50)
	o, rounds := s.Tracked(order.StatusReviewing), s.Rounds(1)
	rounds[1].Words = nil
	for i := range 12 {
		rounds[1].Words = append(rounds[1].Words, fmt.Sprint(i, strings.Repeat(" & more", 30)))
	}
	course := cards.CurrentRound(rounds)
	c := change.Changes{}.WithAsked(o, course, true)
	for part := range 2 {
		view := change.RevisePart(o, course, c, part, cardstest.Previews, "x1")
		cardstest.CheckLimits(t, view)
		require.Contains(t, cardstest.Pretty(t, view), change.ActionDone)
	}
	for _, image := range order.Latest(o.Order.EditedImages) {
		c.Problems = append(c.Problems, "image ID not found: "+image.ID)
	}
	cardstest.CheckLimits(t, change.RevisePart(o, course, c, 0, cardstest.Previews, "x1"))
}

// Whatever a person typed is never lost, whatever is asked for again.
func TestTypedTextIsNeverReplaced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var done []string
		for _, sentence := range []string{"Remove the stain", "Warmer", "Darker"} {
			if rapid.Bool().Draw(t, sentence) {
				done = append(done, sentence)
			}
		}
		o, course := secondRound(cardstest.Of("Warmer", 3), done...)
		typed := rapid.SampledFrom([]string{"Mine", "again: warmer", "Darker", "x\ny"}).Draw(t, "typed")
		c := change.Changes{Each: []change.ImageText{{ID: "sh38nsk1b", Words: typed}}}.WithAsked(o, course, true)
		require.Equal(t, order.Lines(typed), c.PerImage(o)["sh38nsk1b"])
		for _, words := range c.PerImage(o) {
			for _, sentence := range done {
				require.NotContains(t, words, "again: "+sentence)
			}
		}
	})
}

// What was asked of all photos is asked of all again, in one box, until one photo is ticked: then the others have it in
// theirs. Nobody's own text for all is replaced.
func TestWhatWasAskedOfAllIsAskedOfAllAgain(t *testing.T) {
	o, course := secondRound(cardstest.Of("Warmer", 3))
	course.Asked.PerImage, course.Asked.Words = map[string][]string{"sh38nsk2": {"Darker"}}, []string{"Warmer"}
	c := change.Changes{}.WithAsked(o, course, true)
	require.Equal(t, "again: Warmer", c.All)
	require.Equal(t, map[string][]string{"sh38nsk2": {"again: Darker"}}, c.PerImage(o))
	mine := change.Changes{All: "Colder"}.WithAsked(o, course, true)
	require.Equal(t, "Colder", mine.All)
	require.Equal(t, map[string][]string{"sh38nsk2": {"again: Darker"}}, mine.PerImage(o))
	c.All = ""
	require.Empty(t, c.WithAsked(o, course, true).All, "who deletes it has deleted it")

	c.All = "again: Warmer\nNo frames"
	ticked := change.DecodeRevise(formState(o, "", false, "Warmer")).Into(c, o)
	require.Equal(t, "No frames", ticked.All)
	shown := change.Revise(o, course, ticked, cardstest.Previews, "x1")
	raw, err := json.Marshal(shown)
	require.NoError(t, err)
	require.NotContains(t, string(raw), `"block_id":"all:1"`, "Slack shows the new text in a new box")
	require.Equal(t, map[string][]string{"sh38nsk2": {"again: Darker"}, "sh38nsk3": {"again: Warmer"}}, ticked.PerImage(o), "the first has it done")

	c.Opened = []string{}
	for i := range order.Latest(o.Order.EditedImages) {
		c.Ticks = append(c.Ticks, order.Tick{Edit: order.Latest(o.Order.EditedImages)[i].Edit(), Good: true})
	}
	require.Equal(t, "No frames", change.DecodeRevise(formState(o, "", true)).Into(c, o).All, "no photo lacks it")

	one, again := secondRound(cardstest.Of("Warmer", 1))
	again.Asked.PerImage, again.Asked.Words = nil, []string{"Warmer"}
	only := change.Changes{}.WithAsked(one, again, true)
	require.Empty(t, only.All)
	require.Len(t, only.PerImage(one), 1, "the only photo has one box")
}
