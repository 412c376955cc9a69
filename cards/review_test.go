package cards

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// rounds are the events of two rounds, in the second of which the images with these numbers are new, the
// last for one that there is not.
func (s scene) rounds(changed ...int) []order.Event {
	first, second := s.event(order.EventReady, order.StatusReviewing), s.event(order.EventReady, order.StatusReviewing)
	asked := s.event(order.EventChanges, order.StatusRevising)
	zero := 0
	first.Seq, first.ID, first.Order.Revision, first.Order.EditedImages = 2, "ready:r0", &zero, s.edited(0)
	asked.ID = "changes:r1"
	second.Seq, second.ID, second.Order.EditedImages = 4, "ready:r1", s.edited(0)
	for _, number := range changed {
		image := s.edited(1)[min(number, s.images)-1]
		image.ID += "b"
		second.Order.EditedImages = append(second.Order.EditedImages, image)
	}
	return []order.Event{first, asked, second}
}

// review is the last round's.
func (s scene) review(events []order.Event, live bool, thumbs Thumbs) Message {
	return s.reviewOf(events, events[2], live, thumbs)
}

// reviewOf is that of an event, where the order left its channel in the channel that it left.
func (s scene) reviewOf(events []order.Event, e order.Event, live bool, thumbs Thumbs) Message {
	t := s.tracked(order.StatusReviewing)
	t.Untracked = slices.ContainsFunc(events, func(e order.Event) bool { return e.Kind == order.EventMoved })
	return Review(t, e, CourseOf(t, events, e), live, thumbs)
}

func TestAReviewThatIsOverSaysFirstHowItEnded(t *testing.T) {
	s := scenes()["plain"]
	const was = "Smith wedding [K7Q2XM]"
	tests := map[string]struct {
		events []order.Event
		round  int // of the review, from 0
		want   string
	}{
		"approved":   {s.ended(order.EventApproved, "U0MARIA"), 1, ":white_check_mark: *Approved* by <@U0MARIA> · round 2 · " + when(now) + "\n" + was + " was ready for review."},
		"elsewhere":  {s.ended(order.EventCanceled, ""), 1, ":no_entry_sign: *Canceled* elsewhere · round 2 · " + when(now) + "\n" + was + " was ready for review."},
		"moved":      {s.ended(order.EventMoved, "U0MARIA"), 1, was + ", round 2, was ready for review.\nThis channel no longer follows the order."},
		"first":      {s.rounds(1), 0, ":pencil2: *Changes requested* by <@U0PETER> · " + when(now) + "\n" + was + " was ready for review."},
		"superseded": {slices.Delete(s.rounds(1), 1, 2), 0, was + " was ready for review.\nNewer images of it are ready."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := tt.events[min(2*tt.round, len(tt.events)-1)]
			m := s.reviewOf(tt.events, e, false, previews)
			require.Equal(t, tt.want, m.Blocks[0].(*slack.SectionBlock).Text.Text)
			require.True(t, strings.HasPrefix(m.Text, "Ready for review: "+was), m.Text)
		})
	}
}

// all are the numbers of all images.
func (s scene) all() (numbers []int) {
	for i := range s.images {
		numbers = append(numbers, i+1)
	}
	return numbers
}

// ended are two rounds and how the second ended.
func (s scene) ended(kind order.EventKind, actor string) []order.Event {
	e := s.event(kind, order.StatusClosed)
	e.Seq, e.ID, e.Actor = 5, string(kind)+":end", actor
	return append(s.rounds(1), e)
}

// sheetsOf are contact sheets of images.
func sheetsOf(images []SheetImage) (sheets []store.Sheet) {
	for on := range slices.Chunk(images, 6) {
		sheets = append(sheets, store.Sheet{File: "F0SHEET" + strconv.Itoa(len(sheets)), Alt: SheetAlt(on)})
	}
	return sheets
}

// reviews is every shape of a review.
func (s scene) reviews() map[string]any {
	unsure := s.rounds()
	for i := range unsure[2].Order.EditedImages {
		unsure[0].Order.EditedImages[i].Name, unsure[2].Order.EditedImages[i].Name = s.words, s.words
		unsure[2].Order.EditedImages[i].ID += "b"
	}
	general := s.rounds(s.all()...)
	general[1].PerImage = nil
	missing := s.edited(0)[min(2, s.images)-1].Thumb
	first := s.event(order.EventReady, order.StatusReviewing)
	firstRound := func(thumbs Thumbs) Message {
		return Review(s.tracked(order.StatusReviewing), first, Course{}, true, thumbs)
	}
	later := s.rounds(1)
	t, course := s.tracked(order.StatusReviewing), CourseNow(later)
	t.Order = later[2].Order
	plain := Thumbs{Show: true, Plain: true}
	allNew := t
	allNew.Order = general[2].Order
	approveNew := Approve(allNew, CourseNow(general), "", previews, "x1")
	return map[string]any{
		"approve_later":       Approve(t, course, "", previews, "x1"),
		"approve_all_new":     approveNew,
		"approve_later_plain": Approve(t, course, "", plain, "x1"),
		"revise_later":        Revise(t, course, s.everyBox(t, ""), previews, "x1"),
		"revise_later_plain":  Revise(t, course, s.everyBox(t, ""), plain, "x1"),
		"first":               firstRound(previews),
		"first_download":      firstRound(downloads),
		"approved_download":   s.review(s.ended(order.EventApproved, "U0MARIA"), false, downloads),
		"canceled_download":   s.review(s.ended(order.EventCanceled, "U0MARIA"), false, downloads),
		"one_new_download":    s.review(s.rounds(1), true, downloads),
		"first_plain":         firstRound(Thumbs{Show: true, Plain: true}),
		"first_missing":       firstRound(Thumbs{Show: true, Missing: []string{missing}}),
		"first_copies":        firstRound(s.copies()),
		"first_links":         firstRound(Thumbs{}),
		"first_sheets":        firstRound(Thumbs{Sheets: sheetsOf(SheetImages(s.tracked(order.StatusReviewing), first, Course{}))}),
		"one_new_sheets":      s.review(later, true, Thumbs{Sheets: sheetsOf(SheetImages(t, later[2], course))}),
		"one_new":             s.review(s.rounds(1), true, previews),
		"one_new_plain":       s.review(s.rounds(1), true, Thumbs{Show: true, Plain: true}),
		"another_new":         s.review(s.rounds(3), true, previews),
		"all_new":             s.review(general, true, previews),
		"all_new_links":       s.review(general, true, Thumbs{}),
		"all_new_mixed":       s.review(s.rounds(s.all()...), true, previews),
		"none_new":            s.review(s.rounds(), true, previews),
		"unsure":              s.review(unsure, true, previews),
		"approved":            s.review(s.ended(order.EventApproved, "U0MARIA"), false, previews),
		"approved_away":       s.review(s.ended(order.EventApproved, ""), false, previews),
		"changes_requested":   s.review(s.ended(order.EventChanges, "U0PETER"), false, previews),
		"canceled":            s.review(s.ended(order.EventCanceled, "U0PETER"), false, previews),
		"superseded":          s.review(s.ended(order.EventReady, ""), false, previews),
		"left":                s.review(s.ended(order.EventMoved, "U0PETER"), false, previews),
	}
}

func TestReviews(t *testing.T) { golden(t, scene.reviews) }

func TestOneImageIsReviewed(t *testing.T) {
	s := scene{"beach", 1}
	checkLimits(t, s.review(s.rounds(1), true, previews))
	require.Contains(t, s.review(s.rounds(1), true, previews).Text, "*The image is new.*")
	require.Contains(t, allText(t, s.review(s.ended(order.EventApproved, "U0MARIA"), false, previews)), "Open the final image")
}

func TestALaterRoundShowsOnlyWhatChanged(t *testing.T) {
	s := scene{"beach", 12}
	m := s.review(s.rounds(3), true, previews)
	text := allText(t, m)
	require.Contains(t, text, "*1 of 12 images is new.*")
	require.Contains(t, text, "3 · beach 3.jpg, before")
	require.Contains(t, text, "3 · beach 3.jpg, after")
	require.Contains(t, text, "The other 11 are as in round 1, although changes were asked for them.")
	require.Contains(t, text, "See all 12")
	require.Equal(t, 2, strings.Count(pretty(t, m), `"title"`), "no other picture")
	require.Contains(t, text, "Asked for alone, but not new: 1 · beach 1.jpg.", "the request for the first was forgotten")
}

func TestWhatWasAskedForAnImageStandsWithIt(t *testing.T) {
	s := scene{"beach", 3}
	text := s.review(s.rounds(1), true, previews).Text
	require.Contains(t, text, "*1 · beach 1.jpg*")
	require.Contains(t, text, "<@U0PETER> asked\n> beach\n> Brighter")
	require.Contains(t, text, "All other images · <@U0PETER> asked\n> beach", "the words for all are said once")
}

// Of more new images than a message shows, the review says how many are left, and so does the approval.
func TestNewImagesForWhichThereIsNoRoomAreCounted(t *testing.T) {
	s := scene{"beach", 50}
	events := s.rounds(s.all()...)
	review := s.review(events, true, previews)
	text := allText(t, review)
	shown := 0
	for i := range s.images {
		if strings.Contains(pretty(t, review), `"text": "`+strconv.Itoa(i+1)+" · beach "+strconv.Itoa(i+1)+`.jpg, after"`) {
			shown++
		}
	}
	require.Contains(t, text, strconv.Itoa(50-shown)+" more new images are not shown here*: look at them with *See all 50*")
	require.Contains(t, text, "See all 50\n")
	require.LessOrEqual(t, blocksIn(review.Blocks), maxBlocks)
	latest := s.tracked(order.StatusReviewing)
	latest.Order = events[2].Order
	approve := Approve(latest, CourseNow(events), "", previews, "x1")
	require.Greater(t, strings.Count(pretty(t, approve), `"type": "image"`), 60, "a window shows more")
	require.Contains(t, allText(t, approve), "*See all 50*")
	require.LessOrEqual(t, blocksIn(approve.Blocks.BlockSet), maxModalBlocks)
}

func TestADecidedReviewAsksForNothing(t *testing.T) {
	s := scene{"beach", 12}
	for kind, says := range map[order.EventKind]string{
		order.EventApproved: "*Approved* by <@U0PETER>", order.EventChanges: "*Changes requested* by <@U0PETER>",
		order.EventCanceled: "*Canceled* by <@U0PETER>", order.EventReady: "Newer images of it are ready.",
	} {
		m := s.review(s.ended(kind, "U0PETER"), false, previews)
		require.True(t, strings.HasPrefix(m.Text, "Ready for review"), "it is found by its event's name")
		require.Contains(t, m.Text, says)
		require.NotContains(t, pretty(t, m), ActionApprove)
		require.NotContains(t, pretty(t, m), ActionRevise)
		require.NotContains(t, pretty(t, m), "image_url", "nor does it fill the channel")
		require.LessOrEqual(t, len(m.Blocks), 3)
		require.NotContains(t, m.Text, "<@U0MARIA>", "nor call anybody")
	}
	require.Contains(t, s.review(s.ended(order.EventApproved, ""), false, previews).Text, "*Approved* elsewhere")
	require.Contains(t, allText(t, s.review(s.ended(order.EventApproved, "U0PETER"), false, previews)), "Open the 12 final images")
}

func TestAReviewInAPlaceThatTheOrderLeftNamesNobodyElse(t *testing.T) {
	s := scene{"beach", 3}
	events := s.ended(order.EventMoved, "U0PETER")
	later := s.event(order.EventApproved, order.StatusClosed)
	later.Seq = 6
	require.NotContains(t, s.review(append(events, later), false, previews).Text, "U0PETER")

	// What was told at the new place alone is decided there.
	there := s.tracked(order.StatusClosed)
	require.Contains(t, Review(there, events[2], CourseOf(there, append(events, later), events[2]), false, previews).Text, "*Approved* by <@U0PETER>")
}

func TestAReviewSaysWhyNobodyCanJudgeItNow(t *testing.T) {
	s := scene{"beach", 3}
	events := s.rounds(1)
	for status, says := range map[order.Status]string{
		order.StatusPaused: "Paused by the service", order.StatusEditing: "The editor works on it again.", order.StatusRevising: "The editor works on it again.",
	} {
		require.Contains(t, Review(s.tracked(status), events[2], CourseOf(store.Tracked{}, events, events[2]), false, previews).Text, says)
	}
}

func TestTheFirstImagesArePicturesAndTheOthersLinks(t *testing.T) {
	s := scene{"beach", 50}
	m := Review(s.tracked(order.StatusReviewing), s.event(order.EventReady, order.StatusReviewing), Course{}, true, previews)
	require.Equal(t, maxSheet, strings.Count(pretty(t, m), `"title"`))
	for i := range 50 {
		require.Contains(t, allText(t, m), strconv.Itoa(i+1)+" · beach "+strconv.Itoa(i+1)+".jpg")
	}
}

func TestTenRoundsAreToldFromTheOneBefore(t *testing.T) {
	s := scene{"beach", 2}
	var events []order.Event
	for round := range 10 {
		e := s.event(order.EventReady, order.StatusReviewing)
		e.Seq, e.Order.Revision, e.Order.EditedImages = int64(round+1), &round, s.edited(0)
		for later := range round {
			image := s.edited(later + 1)[1]
			image.ID += strconv.Itoa(later)
			e.Order.EditedImages = append(e.Order.EditedImages, image)
		}
		events = append(events, e)
	}
	m := Review(s.tracked(order.StatusReviewing), events[9], CourseOf(store.Tracked{}, events, events[9]), true, previews)
	require.Contains(t, m.Text, ", round 10")
	require.Contains(t, allText(t, m), "The other one is as in round 9.")
	checkLimits(t, m)
}

// drawn is a delivery, and the one before of the same images.
func drawn(t *rapid.T) (before, after []order.EditedImage) {
	names := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 1, 6).Draw(t, "names")
	for i, name := range names {
		before = append(before, order.EditedImage{ID: fmt.Sprint("i", i), Name: name, UploadedAt: now})
	}
	after = slices.Clone(before)
	for i := range names {
		switch rapid.SampledFrom([]string{"same", "new id", "same id", "gone"}).Draw(t, "fate") {
		case "new id":
			after = append(after, order.EditedImage{ID: fmt.Sprint("n", i), Name: names[i], Revision: 1, UploadedAt: now.Add(time.Hour)})
		case "same id":
			after[i].Revision, after[i].UploadedAt = 1, now.Add(time.Hour)
		}
	}
	return before, after
}

func TestEveryImageOfADeliveryIsEitherNewOrAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawn(t)
		latest, old := Latest(after), Latest(before)
		changed, lost := changedSince(old, latest)
		numbers, used := map[int]bool{}, map[string]bool{}
		for _, c := range changed {
			require.False(t, numbers[c.number], "twice")
			numbers[c.number] = true
			require.Equal(t, latest[c.number-1], c.after, "numbered as the form does")
			if c.before != nil {
				require.False(t, used[c.before.ID], "two images have the same before")
				used[c.before.ID] = true
				require.True(t, c.before.ID == c.after.ID || c.before.Name == c.after.Name)
				require.Equal(t, c.unsure, c.before.ID != c.after.ID && (countOf(old, c.after.Name) > 1 || countOf(latest, c.after.Name) > 1))
			}
		}
		for i, image := range latest {
			require.Equal(t, !slices.ContainsFunc(old, func(o order.EditedImage) bool { return sameEdit(o, image) }), numbers[i+1])
		}
		for _, image := range lost {
			require.False(t, used[image.ID])
		}
		require.Len(t, old, len(latest)-len(changed)+len(used)+len(lost), "nothing is forgotten")
	})
}

func TestNothingIsNewSinceTheSameDelivery(t *testing.T) {
	images := scene{"beach", 5}.edited(0)
	changed, lost := changedSince(images, slices.Clone(images))
	require.Empty(t, changed)
	require.Empty(t, lost)
}

func TestTheFirstRoundSaysWhatWasAskedForEachImage(t *testing.T) {
	s := scene{"beach", 3}
	o := s.tracked(order.StatusReviewing)
	o.Brief.Sources = []order.Source{
		{Name: "beach 2.JPG", Instruction: "Remove the tourists."},
		{Name: "beach 1.heic"},
		{Name: "beach 3.jpg", Service: order.ServiceExtensive, Instruction: "Bluer sea."},
	}
	first := s.event(order.EventReady, order.StatusReviewing)
	for _, thumbs := range []Thumbs{previews, {Show: true, Plain: true}, {}} {
		text := allText(t, Review(o, first, Course{}, true, thumbs))
		require.Contains(t, text, "Remove the tourists.")
		require.Contains(t, text, "Extensive. Bluer sea.")
		require.NotContains(t, text, "I cannot tell")
	}
	require.Contains(t, pretty(t, Review(o, first, Course{}, true, previews)), `"2 · beach 2.jpg: Remove the tourists."`)
}

func TestWhichPhotoAnImageEditsIsNotGuessedAndSaidOnce(t *testing.T) {
	s := scene{"beach", 3}
	o := s.tracked(order.StatusReviewing)
	o.Brief.Sources = []order.Source{{Name: "beach 1.jpg"}, {Name: "cake.jpg", Instruction: "Remove the knife."}, {Name: "cat.jpg"}}
	first := s.event(order.EventReady, order.StatusReviewing)
	text := Review(o, first, Course{}, true, previews).Text
	require.Contains(t, text, "I cannot tell which photos these edit: 2 · beach 2.jpg, 3 · beach 3.jpg.")
	require.Contains(t, text, "*2 · cake.jpg*: Remove the knife.")
	require.Equal(t, 1, strings.Count(text, "I cannot tell"))

	o.Brief.Sources[1].Instruction = ""
	require.NotContains(t, Review(o, first, Course{}, true, previews).Text, "I cannot tell", "nothing depends on it")
}
