package cards

import (
	"strings"
	"testing"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// judged is an order whose first images are good.
func judged(t store.Tracked, good int) store.Tracked {
	t.Verdicts = order.Verdicts{}
	for _, image := range Latest(t.Order.EditedImages)[:good] {
		t.Verdicts[image.ID] = order.Verdict{Edit: image.Edit(), Good: true, By: "U0PETER", At: now}
	}
	return t
}

// verdicts is what is seen of an order of which some images are good, or all.
func (s scene) verdicts() map[string]any {
	t := s.tracked(order.StatusReviewing)
	some, all, e := judged(t, (s.images+1)/2), judged(t, s.images), s.event(order.EventReady, order.StatusReviewing)
	late := []order.Tick{{Edit: "x", Name: s.words + " 1.jpg", Good: true}}
	rounds := s.rounds(1)
	spared := s.event(order.EventChanges, order.StatusRevising)
	spared.Good = []string{"sh38nsk2"}
	return map[string]any{
		"review_some":  Review(some, e, Course{}, true, previews),
		"review_all":   Review(all, e, Course{}, true, previews),
		"review_later": Review(some, rounds[2], CourseOf(some, rounds, rounds[2]), true, previews),
		"card_some":    Card(some, links, now),
		"card_all":     Card(all, links, now),
		"approve_some": Approve(some, Course{}, "", previews, "x1"),
		"approve_all":  Approve(all, Course{}, "", previews, "x1"),
		"revise_some":  Revise(some, Course{}, Changes{}, previews, "x1"),
		"revise_late":  ReviseStale(some, Course{}, 0, Changes{Ticks: late}.For(some), previews, "x1"),
		"saved":        VerdictsSaved(some, nil, "x1"),
		"saved_late":   VerdictsSaved(all, late, "x1"),
		"spared":       Reply(s.tracked(order.StatusRevising), spared, true, previews),
	}
}

func TestVerdicts(t *testing.T) { golden(t, scene.verdicts) }

// With no verdict everything is as if there were none at all; while some images are good no button is what
// most people want, and when all are it is Approve.
func TestApproveLightsUpWhenAllAreGood(t *testing.T) {
	s := scene{"beach", 4}
	plain, e := s.tracked(order.StatusReviewing), s.event(order.EventReady, order.StatusReviewing)
	show := func(t store.Tracked) Message { return Review(t, e, Course{}, true, previews) }
	back := judged(plain, 1)
	for id, v := range back.Verdicts {
		v.Good = false
		back.Verdicts[id] = v
	}
	require.Equal(t, pretty(t, show(plain)), pretty(t, show(back)))
	require.Equal(t, pretty(t, Card(plain, links, now)), pretty(t, Card(back, links, now)))
	require.Equal(t, pretty(t, Approve(plain, Course{}, "", previews, "x1")), pretty(t, Approve(back, Course{}, "", previews, "x1")))

	for good, want := range map[int]struct {
		says string
		lit  bool
	}{0: {"", true}, 3: {"3 of 4 good.", false}, 4: {"All 4 are good.", true}} {
		m := show(judged(plain, good))
		require.Equal(t, want.lit, strings.Contains(pretty(t, m), `"style": "primary"`), "%d", good)
		require.Contains(t, allText(t, m), want.says)
		require.Contains(t, m.Text, want.says, "who only hears it hears it")
	}
	require.Contains(t, allText(t, Approve(judged(plain, 3), Course{}, "", previews, "x1")), "4 · beach 4.jpg is not marked good yet. Approve anyway?")
}

// A verdict is on one edit: another one of the image has none.
func TestAnotherEditIsNotGoodYet(t *testing.T) {
	s := scene{"beach", 4}
	o := judged(s.tracked(order.StatusReviewing), 4)
	require.Equal(t, "4/4", o.Tally())
	o.Order.EditedImages[1].UploadedAt = now
	require.Equal(t, "3/4", o.Tally())
	o.Order.EditedImages[2].Thumb += "&signed=anew"
	require.Equal(t, "3/4", o.Tally(), "an address says nothing of the picture")
}

// What reaches the service asks for no change of what is good, whoever found it so.
func TestWordsForAllOthersAreForNoneThatIsGood(t *testing.T) {
	s := scene{"beach", 4}
	o := judged(s.tracked(order.StatusReviewing), 2)
	edit := func(n int) string { return o.Order.EditedImages[n-1].Edit() }
	c := Changes{All: "Darker", Ticks: []order.Tick{{Edit: edit(3), Good: true}, {Edit: edit(1)}}}.Judged(o)
	require.Equal(t, []string{"sh38nsk2", "sh38nsk3"}, c.Good)
	byImage, rest := c.Instructions(o)
	require.Equal(t, map[string][]string{"sh38nsk1": {"Darker"}, "sh38nsk4": {"Darker"}}, byImage)
	require.True(t, rest)

	own := Changes{Each: []ImageWords{{ID: "sh38nsk2", Words: "Softer"}}}.Judged(o)
	require.Equal(t, []order.Tick{{Edit: edit(2), Image: "sh38nsk2", Name: "beach 2.jpg"}}, own.Ticks, "it is good no longer")
}

// Fifty images with the longest ids have their ticks in one choice, and the form remembers all of them.
func TestFiftyImagesAreTicked(t *testing.T) {
	s := scene{"beach", 50}
	o := s.tracked(order.StatusReviewing)
	for i := range o.Order.EditedImages {
		o.Order.EditedImages[i].ID = strings.Repeat("i", 120-2) + o.Order.EditedImages[i].ID[len("sh38nsk"):]
	}
	o = judged(o, 50)
	view := Revise(o, Course{}, Changes{}, previews, "x1")
	checkLimits(t, view)
	require.Len(t, DecodeMeta(view.PrivateMetadata).Good, 50)
	var ticked int
	for _, block := range view.Blocks.BlockSet {
		if input, is := block.(*slack.InputBlock); is && input.Label.Text == manyGood {
			ticked = len(input.Element.(*slack.MultiSelectBlockElement).InitialOptions)
		}
	}
	require.Equal(t, 50, ticked)
}

// A form that is shown anew begins with the ticks that it began with before, because Slack keeps what stands
// in it: what somebody else ticked meanwhile is not taken back by it.
func TestAFormShownAnewTakesNothingBack(t *testing.T) {
	s := scene{"beach", 12}
	o := judged(s.tracked(order.StatusReviewing), 2)
	view := Revise(o, Course{}, Changes{Opened: []string{}}, previews, "x1")
	require.Empty(t, DecodeMeta(view.PrivateMetadata).Good)
	require.NotContains(t, pretty(t, view), "initial_options")
	require.Len(t, DecodeMeta(Revise(o, Course{}, Changes{}, previews, "x1").PrivateMetadata).Good, 2)
}
