package change_test

import (
	"strings"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/stretchr/testify/require"
)

// verdicts returns the views of an order with some or all images marked good.
func verdicts(s cardstest.Scene) map[string]any {
	t := s.Tracked(order.StatusReviewing)
	some, all, e := cardstest.MarkedGood(t, (s.Images+1)/2), cardstest.MarkedGood(t, s.Images), s.Event(order.EventReady, order.StatusReviewing)
	late := []order.Tick{{Edit: "x", Name: s.Words + " 1.jpg", Good: true}}
	rounds := s.Rounds(1)
	spared := s.Event(order.EventChanges, order.StatusRevising)
	spared.Good = []string{"sh38nsk2"}
	return map[string]any{
		"review_some":  cards.Review(some, e, cards.RoundHistory{}, true, cardstest.Previews),
		"review_all":   cards.Review(all, e, cards.RoundHistory{}, true, cardstest.Previews),
		"review_later": cards.Review(some, rounds[2], cards.RoundHistoryOf(some, rounds, rounds[2]), true, cardstest.Previews),
		"card_some":    cards.Card(some, cardstest.Links, cardstest.Now),
		"card_all":     cards.Card(all, cardstest.Links, cardstest.Now),
		"approve_some": change.Approve(some, cards.RoundHistory{}, "", cardstest.Previews, "x1"),
		"approve_all":  change.Approve(all, cards.RoundHistory{}, "", cardstest.Previews, "x1"),
		"revise_some":  change.Revise(some, cards.RoundHistory{}, change.Changes{}, cardstest.Previews, "x1"),
		"revise_late":  change.ReviseStale(some, cards.RoundHistory{}, 0, change.Changes{Ticks: late}.For(some), cardstest.Previews, "x1"),
		"saved":        change.VerdictsSaved(some, cards.RoundHistory{}, nil, "x1"),
		"saved_late":   change.VerdictsSaved(all, cards.RoundHistory{}, late, "x1"),
		"spared":       cards.Reply(s.Tracked(order.StatusRevising), spared, true, cardstest.Previews),
	}
}

func TestVerdicts(t *testing.T) { cardstest.Golden(t, verdicts) }

// *Approve* is primary without verdicts and when all images are good, but not while only some are.
func TestApproveLightsUpWhenAllAreGood(t *testing.T) {
	s := cardstest.Of("beach", 4)
	plain, e := s.Tracked(order.StatusReviewing), s.Event(order.EventReady, order.StatusReviewing)
	show := func(t store.Tracked) kit.Message {
		return cards.Review(t, e, cards.RoundHistory{}, true, cardstest.Previews)
	}
	back := cardstest.MarkedGood(plain, 1)
	for id, v := range back.Verdicts {
		v.Good = false
		back.Verdicts[id] = v
	}
	require.Equal(t, cardstest.Pretty(t, show(plain)), cardstest.Pretty(t, show(back)))
	require.Equal(t, cardstest.Pretty(t, cards.Card(plain, cardstest.Links, cardstest.Now)), cardstest.Pretty(t, cards.Card(back, cardstest.Links, cardstest.Now)))
	require.Equal(t, cardstest.Pretty(t, change.Approve(plain, cards.RoundHistory{}, "", cardstest.Previews, "x1")), cardstest.Pretty(t, change.Approve(back, cards.RoundHistory{}, "", cardstest.Previews, "x1")))

	for good, want := range map[int]struct {
		says string
		lit  bool
	}{0: {"", true}, 3: {"3 of 4 good.", false}, 4: {"All 4 are good.", true}} {
		m := show(cardstest.MarkedGood(plain, good))
		require.Equal(t, want.lit, strings.Contains(cardstest.Pretty(t, m), `"style": "primary"`), "%d", good)
		require.Contains(t, cardstest.AllText(t, m), want.says)
		require.Contains(t, m.Text, want.says, "who only hears it hears it")
	}
	require.Contains(t, cardstest.AllText(t, change.Approve(cardstest.MarkedGood(plain, 3), cards.RoundHistory{}, "", cardstest.Previews, "x1")), "4 · beach 4.jpg is not marked good yet. Approve anyway?")
}

// A verdict holds for one edit of an image.
func TestAnotherEditIsNotGoodYet(t *testing.T) {
	s := cardstest.Of("beach", 4)
	o := cardstest.MarkedGood(s.Tracked(order.StatusReviewing), 4)
	require.Equal(t, "4/4", o.Tally())
	o.Order.EditedImages[1].UploadedAt = cardstest.Now
	require.Equal(t, "3/4", o.Tally())
	o.Order.EditedImages[2].Thumb += "&signed=anew"
	require.Equal(t, "3/4", o.Tally(), "an address says nothing of the picture")
}

// A revision never asks for changes to a good image.
func TestWordsForAllOthersAreForNoneThatIsGood(t *testing.T) {
	s := cardstest.Of("beach", 4)
	o := cardstest.MarkedGood(s.Tracked(order.StatusReviewing), 2)
	edit := func(n int) string { return o.Order.EditedImages[n-1].Edit() }
	c := change.Changes{All: "Darker", Ticks: []order.Tick{{Edit: edit(3), Good: true}, {Edit: edit(1)}}}.WithVerdicts(o)
	require.Equal(t, []string{"sh38nsk2", "sh38nsk3"}, c.Good)
	byImage, rest := c.Instructions(o)
	require.Equal(t, map[string][]string{"sh38nsk1": {"Darker"}, "sh38nsk4": {"Darker"}}, byImage)
	require.True(t, rest)

	own := change.Changes{Each: []change.ImageText{{ID: "sh38nsk2", Words: "Softer"}}}.WithVerdicts(o)
	require.Equal(t, []order.Tick{{Edit: edit(2), Image: "sh38nsk2", Name: "beach 2.jpg"}}, own.Ticks, "it is good no longer")
}

// The form remembers all of fifty images with the longest ids.
func TestFiftyImagesAreTicked(t *testing.T) {
	s := cardstest.Of("beach", 50)
	o := s.Tracked(order.StatusReviewing)
	for i := range o.Order.EditedImages {
		o.Order.EditedImages[i].ID = strings.Repeat("i", 120-2) + o.Order.EditedImages[i].ID[len("sh38nsk"):]
	}
	o = cardstest.MarkedGood(o, 50)
	ticked := 0
	for part := range 2 {
		view := change.RevisePart(o, cards.RoundHistory{}, change.Changes{}, part, cardstest.Previews, "x1")
		cardstest.CheckLimits(t, view)
		require.Len(t, kit.DecodeMeta(view.PrivateMetadata).Good, 50)
		ticked += strings.Count(cardstest.Pretty(t, view), `"initial_options"`)
	}
	require.Equal(t, 50, ticked)
}

// Slack keeps the values of a form that is shown again. So the form keeps its initial checkboxes, and does not
// undo what others checked meanwhile.
func TestAFormShownAnewTakesNothingBack(t *testing.T) {
	s := cardstest.Of("beach", 12)
	o := cardstest.MarkedGood(s.Tracked(order.StatusReviewing), 2)
	view := change.Revise(o, cards.RoundHistory{}, change.Changes{Opened: []string{}}, cardstest.Previews, "x1")
	require.Empty(t, kit.DecodeMeta(view.PrivateMetadata).Good)
	require.NotContains(t, cardstest.Pretty(t, view), "initial_options")
	require.Len(t, kit.DecodeMeta(change.Revise(o, cards.RoundHistory{}, change.Changes{}, cardstest.Previews, "x1").PrivateMetadata).Good, 2)
}
