package cards_test

import (
	"strconv"
	"strings"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/stretchr/testify/require"
)

func TestTheNewestEditOfEachImageCounts(t *testing.T) {
	image := func(id, name string, revision int) order.EditedImage {
		return order.EditedImage{ID: id, Name: name, Revision: revision}
	}
	tests := map[string]struct {
		images []order.EditedImage
		want   []string
	}{
		"one revision":            {[]order.EditedImage{image("a", "1.jpg", 0), image("b", "2.jpg", 0)}, []string{"a", "b"}},
		"an edit by name":         {[]order.EditedImage{image("a", "1.jpg", 0), image("b", "2.jpg", 0), image("c", "1.jpg", 1)}, []string{"c", "b"}},
		"newest first":            {[]order.EditedImage{image("c", "1.jpg", 1), image("a", "1.jpg", 0), image("b", "2.jpg", 0)}, []string{"c", "b"}},
		"the same id":             {[]order.EditedImage{image("a", "1.jpg", 0), image("a", "1-final.jpg", 2)}, []string{"a"}},
		"two of one name":         {[]order.EditedImage{image("a", "1.jpg", 0), image("b", "1.jpg", 0)}, []string{"a", "b"}},
		"two of one name, edited": {[]order.EditedImage{image("a", "1.jpg", 0), image("b", "1.jpg", 0), image("c", "1.jpg", 1), image("d", "1.jpg", 1)}, []string{"c", "d"}},
		"no names":                {[]order.EditedImage{image("a", "", 0), image("b", "", 1)}, []string{"a", "b"}},
		"none":                    {nil, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var ids []string
			for _, image := range order.Latest(tt.images) {
				ids = append(ids, image.ID)
			}
			require.Equal(t, tt.want, ids)
		})
	}
}

func TestFiftyImagesAreAllThere(t *testing.T) {
	s := cardstest.Of("beach", 50)
	for name, v := range map[string]kit.Message{
		"ready":    cards.Reply(s.Tracked(order.StatusReviewing), s.Event(order.EventReady, order.StatusReviewing), true, cardstest.Previews),
		"no thumb": cards.Reply(s.Tracked(order.StatusReviewing), s.Event(order.EventReady, order.StatusReviewing), true, cards.Thumbs{}),
		"show":     cards.Show(s.Tracked(order.StatusReviewing), nil, true, cardstest.Previews, cardstest.Now),
	} {
		t.Run(name, func(t *testing.T) {
			text := cardstest.AllText(t, v)
			for i := range 50 {
				require.Contains(t, text, strconv.Itoa(i+1)+" · beach "+strconv.Itoa(i+1)+".jpg")
			}
			require.NotContains(t, text, "not listed")
			require.Contains(t, text, "Request Changes")
		})
	}
}

func TestImagesWithoutRoomAreCounted(t *testing.T) {
	s := cardstest.Of("beach", 200)
	text := cardstest.AllText(t, cards.Reply(s.Tracked(order.StatusReviewing), s.Event(order.EventReady, order.StatusReviewing), true, cardstest.Previews))
	require.Contains(t, text, "more photos are not listed. See all of them with `/order show K7Q2XM`.")
	require.Contains(t, text, "Approve", "the buttons stay")
}

func TestAnImageThatSlackCannotFetchIsLinkedOnly(t *testing.T) {
	s := cardstest.Of("beach", 1)
	tr := s.Tracked(order.StatusReviewing)
	tr.Order.EditedImages[0].Thumb = "ftp://example.com/a.jpg"
	text := cardstest.Pretty(t, cards.Show(tr, nil, true, cardstest.Previews, cardstest.Now))
	require.NotContains(t, text, "image_url")
	require.Contains(t, text, "Full size")
}

func TestAReadyReplyShowsItsOwnRevision(t *testing.T) {
	s := cardstest.Of("beach", 1)
	now1 := s.Tracked(order.StatusClosed)
	e := s.Event(order.EventReady, order.StatusReviewing)
	m := cards.Reply(now1, e, true, cardstest.Previews)
	require.Contains(t, cardstest.Pretty(t, m), cards.Value("1042", 1), "bound to what was shown")
	require.Contains(t, m.Text, "round 2")
}

func TestAReadyEventWithoutPicturesShowsTheKnownOnes(t *testing.T) {
	s := cardstest.Of("beach", 2)
	e := s.Event(order.EventReady, order.StatusReviewing)
	e.Order.EditedImages = nil
	require.Contains(t, cardstest.AllText(t, cards.Reply(s.Tracked(order.StatusReviewing), e, true, cardstest.Previews)), "2 · beach 2.jpg")
	e.Order = order.Order{}
	require.Contains(t, cardstest.AllText(t, cards.Reply(s.Tracked(order.StatusReviewing), e, true, cardstest.Previews)), "2 · beach 2.jpg")
}

func TestEveryReplyBeginsWithItsEventsName(t *testing.T) {
	s := cardstest.Of("beach", 2)
	for kind, status := range cardstest.Kinds() {
		m := cards.Reply(s.Tracked(status), s.Event(kind, status), true, cardstest.Previews)
		require.NotEmpty(t, cards.EventReplies()[kind].Name, kind)
		require.Regexp(t, "^"+cards.EventReplies()[kind].Name, m.Text)
		require.Equal(t, string(kind)+":x", m.Metadata.EventPayload["event"])
	}
}

func TestChangesAreNumberedAsTheImagesAre(t *testing.T) {
	s := cardstest.Of("beach", 3)
	e := s.Event(order.EventChanges, order.StatusRevising)
	e.PerImage = map[string][]string{"sh38nsk3": {"Darker"}, "sh38nsk2": {"Brighter"}}
	m := cards.Reply(s.Tracked(order.StatusReviewing), e, true, cardstest.Previews)
	require.Contains(t, m.Text, "2 · beach 2.jpg\n> Brighter\n3 · beach 3.jpg\n> Darker")
}

func TestAPostIsMarkedByItsOrderEventGenerationAndWorkspace(t *testing.T) {
	m := cards.Card(cardstest.Of("beach", 1).Tracked(order.StatusEditing), cardstest.Links, cardstest.Now)
	require.Equal(t, "darkroom_order", m.Metadata.EventType)
	require.Equal(t, map[string]any{"order_id": "1042", "event": "card", "generation": 2, "team": "T1"}, m.Metadata.EventPayload)
	require.Equal(t, kit.Message{Text: m.Text, Metadata: m.Metadata}, kit.TextOnly(m))
}

func TestTheReferenceSurvivesALongName(t *testing.T) {
	o := cardstest.Scenes()["long_title"].Tracked(order.StatusEditing)
	require.Contains(t, cards.Card(o, cardstest.Links, cardstest.Now).Text, "`K7Q2XM`")
	require.Contains(t, cards.Project(o), "… [K7Q2XM]")
}

func TestANamelessOrderHasItsID(t *testing.T) {
	require.Equal(t, "Order 7", cards.Project(store.Tracked{ID: "7"}))
	named := store.Tracked{ID: "7", Reference: "K7Q2XM", Known: order.Known{Order: order.Order{ProjectName: "[K7Q2XM]"}}}
	require.Equal(t, "Order 7 [K7Q2XM]", cards.Project(named))
}

func TestALongHistoryKeepsTheNewest(t *testing.T) {
	s := cardstest.Of("beach", 1)
	events := make([]order.Event, 30)
	for i := range events {
		events[i] = order.Event{Kind: order.EventMessage, Words: []string{"word" + strconv.Itoa(i) + "." + strings.Repeat(" and more", 30)}}
	}
	text := cardstest.AllText(t, cards.Show(s.Tracked(order.StatusEditing), events, true, cardstest.Previews, cardstest.Now))
	require.Contains(t, text, "15 earlier events are in the order's thread.")
	require.NotContains(t, text, "word14.")
	require.Contains(t, text, "word15.")
	require.Contains(t, text, "word29.")
	text = cardstest.AllText(t, cards.Showing(s.Tracked(order.StatusEditing), events, true, cardstest.Previews, cardstest.Now, "x"))
	require.Contains(t, text, "word0.", "a window has room for all")
}

// The second image changed in both rounds, each time under another id.
func TestTheHistoryTellsWhatWasAskedForInEachRound(t *testing.T) {
	s := cardstest.Of("beach", 3)
	tr := s.Tracked(order.StatusReviewing)
	tr.Order.EditedImages = s.Edited(0)
	again := tr.Order.EditedImages[1]
	again.ID, again.Revision = "second", 1
	tr.Order.EditedImages = append(tr.Order.EditedImages, again)
	changes := func(actor, id, words string) order.Event {
		return order.Event{Kind: order.EventChanges, Actor: actor, PerImage: map[string][]string{id: {words}, "sh38nsk3": {"Crop"}}, Words: []string{"Sharper"}}
	}
	text := cardstest.AllText(t, cards.Show(tr, []order.Event{changes("U0MARIA", "sh38nsk2", "Darker"), changes("U0PETER", "second", "Warmer")}, true, cardstest.Previews, cardstest.Now))
	first := "• Changes requested by <@U0MARIA>\n      ◦ 2 · beach 2.jpg: Darker\n      ◦ 3 · beach 3.jpg: Crop\n      ◦ All other photos: Sharper\n"
	require.Contains(t, text, first+strings.NewReplacer("MARIA", "PETER", "Darker", "Warmer").Replace(strings.TrimSuffix(first, "\n")))
}

func TestShowBeginsWithWhatWasAskedFor(t *testing.T) {
	s := cardstest.Of("beach", 3)
	tr := s.Tracked(order.StatusReviewing)
	events := []order.Event{s.Event(order.EventPlaced, order.StatusEditing)}
	text := cardstest.AllText(t, cards.Show(tr, events, true, cardstest.Previews, cardstest.Now))
	var last int
	for _, part := range []string{"Asked for", "> beach\n> Warmer light", "2 · beach 2.jpg, Extensive: beach", "Reference photos", "Ready for review", "Edited photos", "History", "Order 1042"} {
		at := strings.Index(text, part)
		require.Greater(t, at, last, part)
		last = at
	}
	tr.Brief = nil
	require.Contains(t, cardstest.AllText(t, cards.Show(tr, events, true, cardstest.Previews, cardstest.Now)), "I have no record of this order's instructions")
}

// Ten rounds of fifty images, each with long instructions.
func TestTheLargestOrderIsShownWithinLimitsAndWhatIsCutIsSaid(t *testing.T) {
	s := cardstest.Of("beach", 50)
	tr, long := s.Tracked(order.StatusReviewing), strings.Repeat("a little warmer & ", 40)
	tr.Order.EditedImages = nil
	var events []order.Event
	for round := range 10 {
		tr.Order.EditedImages = append(tr.Order.EditedImages, s.Edited(round)...)
		e := s.Event(order.EventChanges, order.StatusRevising)
		e.PerImage = map[string][]string{}
		for _, image := range s.Edited(round) {
			e.PerImage[image.ID] = []string{long}
		}
		events = append(events, e, s.Event(order.EventReady, order.StatusReviewing))
	}
	for i := range tr.Brief.Sources {
		tr.Brief.Sources[i].Instruction = long
	}
	for name, v := range map[string]any{"show": cards.Show(tr, events, true, cardstest.Previews, cardstest.Now), "modal": cards.Showing(tr, events, true, cardstest.Previews, cardstest.Now, "x"), "placed": cards.Reply(tr, s.Event(order.EventPlaced, order.StatusEditing), true, cardstest.Previews)} {
		cardstest.CheckLimits(t, v)
		text := cardstest.AllText(t, v)
		require.Contains(t, text, "2 · beach 2.jpg, Extensive: a little", name)
		if name != "modal" {
			require.Contains(t, text, "more photos are not listed", name)
		}
		if name != "placed" {
			require.Contains(t, text, "Changes requested", name)
			require.Contains(t, text, "◦ 1 · beach 1.jpg: a little", name)
		}
		if name == "show" {
			require.Contains(t, text, "earlier events are in the order's thread", name)
			require.Contains(t, text, "more photos\n", name)
		}
	}
}
