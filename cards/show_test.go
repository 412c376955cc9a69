package cards

import (
	"strconv"
	"strings"
	"testing"

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
			for _, image := range Latest(tt.images) {
				ids = append(ids, image.ID)
			}
			require.Equal(t, tt.want, ids)
		})
	}
}

func TestFiftyImagesAreAllThere(t *testing.T) {
	s := scene{"beach", 50}
	for name, v := range map[string]Message{
		"ready":    Reply(s.tracked(order.StatusReviewing), s.event(order.EventReady, order.StatusReviewing), true, previews),
		"no thumb": Reply(s.tracked(order.StatusReviewing), s.event(order.EventReady, order.StatusReviewing), true, Thumbs{}),
		"show":     Show(s.tracked(order.StatusReviewing), nil, true, previews, now),
	} {
		t.Run(name, func(t *testing.T) {
			text := allText(t, v)
			for i := range 50 {
				require.Contains(t, text, strconv.Itoa(i+1)+" · beach "+strconv.Itoa(i+1)+".jpg")
			}
			require.NotContains(t, text, "not listed")
			require.Contains(t, text, "Request changes")
		})
	}
}

func TestImagesWithoutRoomAreCounted(t *testing.T) {
	s := scene{"beach", 200}
	text := allText(t, Reply(s.tracked(order.StatusReviewing), s.event(order.EventReady, order.StatusReviewing), true, previews))
	require.Contains(t, text, "more images are not listed here. See all of them with `/order show K7Q2XM`.")
	require.Contains(t, text, "Approve", "the buttons stay")
}

func TestAnImageThatSlackCannotFetchIsLinkedOnly(t *testing.T) {
	s := scene{"beach", 1}
	tr := s.tracked(order.StatusReviewing)
	tr.Order.EditedImages[0].Thumb = "ftp://example.com/a.jpg"
	text := pretty(t, Show(tr, nil, true, previews, now))
	require.NotContains(t, text, "image_url")
	require.Contains(t, text, "Full size")
}

func TestAReadyReplyShowsItsOwnRevision(t *testing.T) {
	s := scene{"beach", 1}
	now1 := s.tracked(order.StatusClosed)
	e := s.event(order.EventReady, order.StatusReviewing)
	m := Reply(now1, e, true, previews)
	require.Contains(t, pretty(t, m), Value("1042", 1), "bound to what was shown")
	require.Contains(t, m.Text, "round 2")
}

func TestAReadyEventWithoutPicturesShowsTheKnownOnes(t *testing.T) {
	s := scene{"beach", 2}
	e := s.event(order.EventReady, order.StatusReviewing)
	e.Order.EditedImages = nil
	require.Contains(t, allText(t, Reply(s.tracked(order.StatusReviewing), e, true, previews)), "2 · beach 2.jpg")
	e.Order = order.Order{}
	require.Contains(t, allText(t, Reply(s.tracked(order.StatusReviewing), e, true, previews)), "2 · beach 2.jpg")
}

func TestEveryReplyBeginsWithItsEventsName(t *testing.T) {
	s := scene{"beach", 2}
	for kind, status := range kinds() {
		m := Reply(s.tracked(status), s.event(kind, status), true, previews)
		require.NotEmpty(t, eventReplies()[kind].name, kind)
		require.Regexp(t, "^"+eventReplies()[kind].name, m.Text)
		require.Equal(t, string(kind)+":x", m.Metadata.EventPayload["event"])
	}
}

func TestChangesAreNumberedAsTheImagesAre(t *testing.T) {
	s := scene{"beach", 3}
	e := s.event(order.EventChanges, order.StatusRevising)
	e.PerImage = map[string][]string{"sh38nsk3": {"Darker"}, "sh38nsk2": {"Brighter"}}
	m := Reply(s.tracked(order.StatusReviewing), e, true, previews)
	require.Contains(t, m.Text, "2 · beach 2.jpg\n> Brighter\n3 · beach 3.jpg\n> Darker")
}

func TestAPostIsMarkedByItsOrderEventGenerationAndWorkspace(t *testing.T) {
	m := Card(scene{"beach", 1}.tracked(order.StatusEditing), links, now)
	require.Equal(t, "darkroom_order", m.Metadata.EventType)
	require.Equal(t, map[string]any{"order_id": "1042", "event": "card", "generation": 2, "team": "T1"}, m.Metadata.EventPayload)
	require.Equal(t, Message{Text: m.Text, Metadata: m.Metadata}, Plain(m))
}

func TestTheReferenceSurvivesALongName(t *testing.T) {
	o := scenes()["long_title"].tracked(order.StatusEditing)
	require.Contains(t, Card(o, links, now).Text, "`K7Q2XM`")
	require.Contains(t, project(o), "… [K7Q2XM]")
}

func TestANamelessOrderHasItsID(t *testing.T) {
	require.Equal(t, "Order 7", project(store.Tracked{ID: "7"}))
	named := store.Tracked{ID: "7", Reference: "K7Q2XM", Known: order.Known{Order: order.Order{ProjectName: "[K7Q2XM]"}}}
	require.Equal(t, "Order 7 [K7Q2XM]", project(named))
}

func TestALongHistoryKeepsTheNewest(t *testing.T) {
	s := scene{"beach", 1}
	events := make([]order.Event, 30)
	for i := range events {
		events[i] = order.Event{Kind: order.EventMessage, Words: []string{"word" + strconv.Itoa(i) + "." + strings.Repeat(" and more", 30)}}
	}
	text := allText(t, Show(s.tracked(order.StatusEditing), events, true, previews, now))
	require.Contains(t, text, "15 earlier events are in the order's thread.")
	require.NotContains(t, text, "word14.")
	require.Contains(t, text, "word15.")
	require.Contains(t, text, "word29.")
	text = allText(t, Showing(s.tracked(order.StatusEditing), events, true, previews, now, "x"))
	require.Contains(t, text, "word0.", "a window has room for all")
}

// An order of two rounds: the second picture was changed twice, under another id each time.
func TestTheHistoryTellsWhatWasAskedForInEachRound(t *testing.T) {
	s := scene{"beach", 3}
	tr := s.tracked(order.StatusReviewing)
	tr.Order.EditedImages = s.edited(0)
	again := tr.Order.EditedImages[1]
	again.ID, again.Revision = "second", 1
	tr.Order.EditedImages = append(tr.Order.EditedImages, again)
	changes := func(actor, id, words string) order.Event {
		return order.Event{Kind: order.EventChanges, Actor: actor, PerImage: map[string][]string{id: {words}, "sh38nsk3": {"Crop"}}, Words: []string{"Sharper"}}
	}
	text := allText(t, Show(tr, []order.Event{changes("U0MARIA", "sh38nsk2", "Darker"), changes("U0PETER", "second", "Warmer")}, true, previews, now))
	first := "• Changes requested by <@U0MARIA>\n      ◦ 2 · beach 2.jpg: Darker\n      ◦ 3 · beach 3.jpg: Crop\n      ◦ All other images: Sharper\n"
	require.Contains(t, text, first+strings.NewReplacer("MARIA", "PETER", "Darker", "Warmer").Replace(strings.TrimSuffix(first, "\n")))
}

func TestShowBeginsWithWhatWasAskedFor(t *testing.T) {
	s := scene{"beach", 3}
	tr := s.tracked(order.StatusReviewing)
	events := []order.Event{s.event(order.EventPlaced, order.StatusEditing)}
	text := allText(t, Show(tr, events, true, previews, now))
	var last int
	for _, part := range []string{"Asked for", "> beach\n> Warmer light", "2 · beach 2.jpg, Extensive: beach", "Reference images", "Ready for review", "Edited images", "History", "Order 1042"} {
		at := strings.Index(text, part)
		require.Greater(t, at, last, part)
		last = at
	}
	tr.Brief = nil
	require.Contains(t, allText(t, Show(tr, events, true, previews, now)), "I have no record of what was asked for")
}

// Ten rounds of fifty images, each with a long request, and a brief to match.
func TestTheLargestOrderIsShownWithinLimitsAndWhatIsCutIsSaid(t *testing.T) {
	s := scene{"beach", 50}
	tr, long := s.tracked(order.StatusReviewing), strings.Repeat("a little warmer & ", 40)
	tr.Order.EditedImages = nil
	var events []order.Event
	for round := range 10 {
		tr.Order.EditedImages = append(tr.Order.EditedImages, s.edited(round)...)
		e := s.event(order.EventChanges, order.StatusRevising)
		e.PerImage = map[string][]string{}
		for _, image := range s.edited(round) {
			e.PerImage[image.ID] = []string{long}
		}
		events = append(events, e, s.event(order.EventReady, order.StatusReviewing))
	}
	for i := range tr.Brief.Sources {
		tr.Brief.Sources[i].Instruction = long
	}
	for name, v := range map[string]any{"show": Show(tr, events, true, previews, now), "modal": Showing(tr, events, true, previews, now, "x"), "placed": Reply(tr, s.event(order.EventPlaced, order.StatusEditing), true, previews)} {
		checkLimits(t, v)
		text := allText(t, v)
		require.Contains(t, text, "2 · beach 2.jpg, Extensive: a little", name)
		if name != "modal" {
			require.Contains(t, text, "more images are not listed here", name)
		}
		if name != "placed" {
			require.Contains(t, text, "Changes requested", name)
			require.Contains(t, text, "◦ 1 · beach 1.jpg: a little", name)
		}
		if name == "show" {
			require.Contains(t, text, "earlier events are in the order's thread", name)
			require.Contains(t, text, "more images\n", name)
		}
	}
}

// allText is every text on the screen, buttons included.
func allText(t *testing.T, v any) string {
	t.Helper()
	var all string
	walk(payload(t, v)["blocks"], func(key, s string) {
		if key == "text" {
			all += s + "\n"
		}
	})
	return all
}

// walk visits every string with its key.
func walk(v any, visit func(key, s string)) {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			if s, ok := child.(string); ok {
				visit(key, s)
				continue
			}
			walk(child, visit)
		}
	case []any:
		for _, child := range v {
			walk(child, visit)
		}
	}
}
