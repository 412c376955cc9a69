package cards_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

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

// review returns the review of the last round.
func review(s cardstest.Scene, events []order.Event, live bool, thumbs cards.Thumbs) kit.Message {
	return reviewOf(s, events, events[2], live, thumbs)
}

// reviewOf returns the review of an event, in the channel that the order left if it left.
func reviewOf(s cardstest.Scene, events []order.Event, e order.Event, live bool, thumbs cards.Thumbs) kit.Message {
	t := s.Tracked(order.StatusReviewing)
	t.Untracked = slices.ContainsFunc(events, func(e order.Event) bool { return e.Kind == order.EventMoved })
	return cards.Review(t, e, cards.RoundHistoryOf(t, events, e), live, thumbs)
}

func TestAReviewThatIsOverSaysFirstHowItEnded(t *testing.T) {
	s := cardstest.Scenes()["plain"]
	const was = "Smith wedding [K7Q2XM]"
	tests := map[string]struct {
		events []order.Event
		round  int // of the review, from 0
		want   string
	}{
		"approved":   {ended(s, order.EventApproved, "U0MARIA"), 1, ":white_check_mark: *Approved* by <@U0MARIA> · round 2 · " + kit.When(cardstest.Now) + "\nThe review of " + was + " is over."},
		"elsewhere":  {ended(s, order.EventCanceled, ""), 1, ":no_entry_sign: *Canceled* elsewhere · round 2 · " + kit.When(cardstest.Now) + "\nThe review of " + was + " is over."},
		"moved":      {ended(s, order.EventMoved, "U0MARIA"), 1, "The review of " + was + ", round 2, is over.\nThis channel no longer tracks the order."},
		"first":      {s.Rounds(1), 0, ":pencil2: *Changes requested* by <@U0PETER> · " + kit.When(cardstest.Now) + "\nThe review of " + was + " is over."},
		"superseded": {slices.Delete(s.Rounds(1), 1, 2), 0, "The review of " + was + " is over.\nNewer edited photos are ready."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := tt.events[min(2*tt.round, len(tt.events)-1)]
			m := reviewOf(s, tt.events, e, false, cardstest.Previews)
			require.Equal(t, tt.want, m.Blocks[0].(*slack.SectionBlock).Text.Text)
			require.True(t, strings.HasPrefix(m.Text, "Ready for review: "+was), m.Text)
		})
	}
}

// A decision that is on its way may be refused: the review is not said to be over.
func TestAReviewWhoseDecisionIsOnItsWayIsNotOver(t *testing.T) {
	s := cardstest.Scenes()["plain"]
	m := cards.Review(s.Waiting(), s.Event(order.EventReady, order.StatusReviewing), cards.RoundHistory{}, false, cardstest.Previews)
	require.Contains(t, m.Text, "Nobody can review Smith wedding [K7Q2XM], round 2, now.")
	require.Contains(t, m.Text, "is waiting for the photo service")
	require.NotContains(t, m.Text, "is over")
}

// all returns the numbers of all images.
func all(s cardstest.Scene) (numbers []int) {
	for i := range s.Images {
		numbers = append(numbers, i+1)
	}
	return numbers
}

// ended returns the events of two rounds and the end of the second.
func ended(s cardstest.Scene, kind order.EventKind, actor string) []order.Event {
	e := s.Event(kind, order.StatusClosed)
	e.Seq, e.ID, e.Actor = 5, string(kind)+":end", actor
	return append(s.Rounds(1), e)
}

// sheetsOf returns contact sheets of images.
func sheetsOf(images []cards.SheetImage) (sheets []store.Sheet) {
	for on := range slices.Chunk(images, 6) {
		sheets = append(sheets, store.Sheet{File: "F0SHEET" + strconv.Itoa(len(sheets)), Alt: cards.SheetAlt(on), Images: len(on)})
	}
	return sheets
}

// reviews returns every form of a review.
func reviews(s cardstest.Scene) map[string]any {
	unsure := s.Rounds()
	for i := range unsure[2].Order.EditedImages {
		unsure[0].Order.EditedImages[i].Name, unsure[2].Order.EditedImages[i].Name = s.Words, s.Words
		unsure[2].Order.EditedImages[i].ID += "b"
	}
	general := s.Rounds(all(s)...)
	general[1].PerImage = nil
	missing := s.Edited(0)[min(2, s.Images)-1].Thumb
	first := s.Event(order.EventReady, order.StatusReviewing)
	firstRound := func(thumbs cards.Thumbs) kit.Message {
		return cards.Review(s.Tracked(order.StatusReviewing), first, cards.RoundHistory{}, true, thumbs)
	}
	later := s.Rounds(1)
	t, course := s.Tracked(order.StatusReviewing), cards.CurrentRound(later)
	t.Order = later[2].Order
	plain := cards.Thumbs{Show: true, Plain: true}
	allNew := t
	allNew.Order = general[2].Order
	asked, own := allNew, s.Rounds(all(s)...)
	asked.Brief = new(s.Brief())
	for i := range asked.Brief.Sources {
		asked.Brief.Sources[i].File = "F0PHOTO"
	}
	own[1].Words = nil
	approveNew := change.Approve(allNew, cards.CurrentRound(general), "", cardstest.Previews, "x1")
	return map[string]any{
		"approve_later":       change.Approve(t, course, "", cardstest.Previews, "x1"),
		"approve_all_new":     approveNew,
		"approve_later_plain": change.Approve(t, course, "", plain, "x1"),
		"revise_later":        change.Revise(t, course, everyBox(s, t, ""), cardstest.Previews, "x1"),
		"revise_later_plain":  change.Revise(t, course, everyBox(s, t, ""), plain, "x1"),
		"first":               firstRound(cardstest.Previews),
		"first_download":      firstRound(cardstest.Downloads),
		"approved_download":   review(s, ended(s, order.EventApproved, "U0MARIA"), false, cardstest.Downloads),
		"canceled_download":   review(s, ended(s, order.EventCanceled, "U0MARIA"), false, cardstest.Downloads),
		"one_new_download":    review(s, s.Rounds(1), true, cardstest.Downloads),
		"first_plain":         firstRound(cards.Thumbs{Show: true, Plain: true}),
		"first_missing":       firstRound(cards.Thumbs{Show: true, Missing: []string{missing}}),
		"first_copies":        firstRound(s.Copies()),
		"first_links":         firstRound(cards.Thumbs{}),
		"first_sheets":        firstRound(cards.Thumbs{Sheets: sheetsOf(cards.SheetImages(s.Tracked(order.StatusReviewing), first, cards.RoundHistory{}))}),
		"first_found":         firstRound(cards.Thumbs{Show: true, Found: everyFinding(s)}),
		"first_as_ordered":    firstRound(cards.Thumbs{Show: true, Found: &order.Inspection{Photos: s.Images, Required: true}}),
		"one_new_found":       review(s, later, true, cards.Thumbs{Show: true, Found: everyFinding(s)}),
		"revise_found":        change.Revise(withFindings(s, t), course, change.Changes{}.WithFindings(withFindings(s, t)), cardstest.Previews, "x1"),
		"one_new_sheets":      review(s, later, true, cards.Thumbs{Sheets: sheetsOf(cards.SheetImages(t, later[2], course))}),
		"asked_sheets":        review(s, own, true, cards.Thumbs{Sheets: sheetsOf(cards.SheetImages(asked, own[2], cards.CurrentRound(own)))}),
		"one_new":             review(s, s.Rounds(1), true, cardstest.Previews),
		"one_new_plain":       review(s, s.Rounds(1), true, cards.Thumbs{Show: true, Plain: true}),
		"another_new":         review(s, s.Rounds(3), true, cardstest.Previews),
		"all_new":             review(s, general, true, cardstest.Previews),
		"all_new_links":       review(s, general, true, cards.Thumbs{}),
		"all_new_mixed":       review(s, s.Rounds(all(s)...), true, cardstest.Previews),
		"none_new":            review(s, s.Rounds(), true, cardstest.Previews),
		"unsure":              review(s, unsure, true, cardstest.Previews),
		"approved":            review(s, ended(s, order.EventApproved, "U0MARIA"), false, cardstest.Previews),
		"approved_away":       review(s, ended(s, order.EventApproved, ""), false, cardstest.Previews),
		"changes_requested":   review(s, ended(s, order.EventChanges, "U0PETER"), false, cardstest.Previews),
		"canceled":            review(s, ended(s, order.EventCanceled, "U0PETER"), false, cardstest.Previews),
		"superseded":          review(s, ended(s, order.EventReady, ""), false, cardstest.Previews),
		"left":                review(s, ended(s, order.EventMoved, "U0PETER"), false, cardstest.Previews),
	}
}

// withFindings is an order whose newest delivery has findings in its first photos.
func withFindings(s cardstest.Scene, t store.Tracked) store.Tracked {
	found := everyFinding(s)
	for i, image := range order.Latest(t.Order.EditedImages) {
		if i+1 < len(found.Findings) {
			found.Findings[i+1].Image = image.ID
		}
	}
	t.Thread = append(t.Thread, store.Posted{ID: "ready:r1", Inspection: found})
	return t
}

func TestReviews(t *testing.T) { cardstest.Golden(t, reviews) }

func TestOneImageIsReviewed(t *testing.T) {
	s := cardstest.Of("beach", 1)
	cardstest.CheckLimits(t, review(s, s.Rounds(1), true, cardstest.Previews))
	require.Contains(t, review(s, s.Rounds(1), true, cardstest.Previews).Text, "*1 new photo*")
	require.Contains(t, cardstest.AllText(t, review(s, ended(s, order.EventApproved, "U0MARIA"), false, cardstest.Previews)), "Show Final Photos")
}

func TestALaterRoundShowsOnlyWhatChanged(t *testing.T) {
	s := cardstest.Of("beach", 12)
	m := review(s, s.Rounds(3), true, cardstest.Previews)
	text := cardstest.AllText(t, m)
	require.Contains(t, text, "*1 of 12 photos is new*")
	require.Contains(t, text, "3 · beach 3.jpg, before")
	require.Contains(t, text, "3 · beach 3.jpg, after")
	require.Contains(t, text, "The other 11 are as in round 1. Changes were requested for them.")
	require.Contains(t, text, "See All 12")
	require.Equal(t, 2+1, strings.Count(cardstest.Pretty(t, m), `"title"`), "no other picture; the last title is the question of Approve")
	require.Contains(t, text, "Requested but not changed: 1 · beach 1.jpg.", "the request for the first was forgotten")
}

func TestWhatWasAskedForAnImageStandsWithIt(t *testing.T) {
	s := cardstest.Of("beach", 3)
	text := review(s, s.Rounds(1), true, cardstest.Previews).Text
	require.Contains(t, text, "*1 · beach 1.jpg*")
	require.Contains(t, text, "<@U0PETER> asked:\n> beach\n> Brighter")
	require.Contains(t, text, "All other photos · <@U0PETER> asked:\n> beach", "the words for all are said once")
}

// The review and the approval count the new images that they do not show.
func TestNewImagesForWhichThereIsNoRoomAreCounted(t *testing.T) {
	s := cardstest.Of("beach", 50)
	events := s.Rounds(all(s)...)
	review := review(s, events, true, cardstest.Previews)
	text := cardstest.AllText(t, review)
	shown := 0
	for i := range s.Images {
		if strings.Contains(cardstest.Pretty(t, review), `"text": "`+strconv.Itoa(i+1)+" · beach "+strconv.Itoa(i+1)+`.jpg, after"`) {
			shown++
		}
	}
	require.Contains(t, text, strconv.Itoa(50-shown)+" more photos are new.* See them with *See All 50*")
	require.Contains(t, text, "See All 50\n")
	require.LessOrEqual(t, kit.BlocksIn(review.Blocks), kit.MaxBlocks)
	latest := s.Tracked(order.StatusReviewing)
	latest.Order = events[2].Order
	approve := change.Approve(latest, cards.CurrentRound(events), "", cardstest.Previews, "x1")
	require.Greater(t, strings.Count(cardstest.Pretty(t, approve), `"type": "image"`), 60, "a window shows more")
	require.Contains(t, cardstest.AllText(t, approve), "*See All 50*")
	require.LessOrEqual(t, kit.BlocksIn(approve.Blocks.BlockSet), kit.MaxModalBlocks)
}

func TestADecidedReviewAsksForNothing(t *testing.T) {
	s := cardstest.Of("beach", 12)
	for kind, says := range map[order.EventKind]string{
		order.EventApproved: "*Approved* by <@U0PETER>", order.EventChanges: "*Changes requested* by <@U0PETER>",
		order.EventCanceled: "*Canceled* by <@U0PETER>", order.EventReady: "Newer edited photos are ready.",
	} {
		m := review(s, ended(s, kind, "U0PETER"), false, cardstest.Previews)
		require.True(t, strings.HasPrefix(m.Text, "Ready for review"), "it is found by its event's name")
		require.Contains(t, m.Text, says)
		require.NotContains(t, cardstest.Pretty(t, m), cards.ActionApprove)
		require.NotContains(t, cardstest.Pretty(t, m), cards.ActionRevise)
		require.NotContains(t, cardstest.Pretty(t, m), "image_url", "nor does it fill the channel")
		require.LessOrEqual(t, len(m.Blocks), 3)
		require.NotContains(t, m.Text, "<@U0MARIA>", "nor call anybody")
	}
	require.Contains(t, review(s, ended(s, order.EventApproved, ""), false, cardstest.Previews).Text, "*Approved* elsewhere")
	require.Contains(t, cardstest.AllText(t, review(s, ended(s, order.EventApproved, "U0PETER"), false, cardstest.Previews)), "Show Final Photos")
}

func TestAReviewInAPlaceThatTheOrderLeftNamesNobodyElse(t *testing.T) {
	s := cardstest.Of("beach", 3)
	events := ended(s, order.EventMoved, "U0PETER")
	later := s.Event(order.EventApproved, order.StatusClosed)
	later.Seq = 6
	require.NotContains(t, review(s, append(events, later), false, cardstest.Previews).Text, "U0PETER")

	// A decision in the new channel counts there only.
	there := s.Tracked(order.StatusClosed)
	require.Contains(t, cards.Review(there, events[2], cards.RoundHistoryOf(there, append(events, later), events[2]), false, cardstest.Previews).Text, "*Approved* by <@U0PETER>")
}

func TestAReviewSaysWhyNobodyCanJudgeItNow(t *testing.T) {
	s := cardstest.Of("beach", 3)
	events := s.Rounds(1)
	for status, says := range map[order.Status]string{
		order.StatusPaused: "Paused by the photo service", order.StatusEditing: "The editor is working on it again.", order.StatusRevising: "The editor is working on it again.",
	} {
		require.Contains(t, cards.Review(s.Tracked(status), events[2], cards.RoundHistoryOf(store.Tracked{}, events, events[2]), false, cardstest.Previews).Text, says)
	}
}

func TestTheFirstImagesArePicturesAndTheOthersLinks(t *testing.T) {
	s := cardstest.Of("beach", 50)
	m := cards.Review(s.Tracked(order.StatusReviewing), s.Event(order.EventReady, order.StatusReviewing), cards.RoundHistory{}, true, cardstest.Previews)
	require.Equal(t, cards.MaxSheet+1, strings.Count(cardstest.Pretty(t, m), `"title"`), "and the question of Approve")
	for i := range 50 {
		require.Contains(t, cardstest.AllText(t, m), strconv.Itoa(i+1)+" · beach "+strconv.Itoa(i+1)+".jpg")
	}
}

func TestTenRoundsAreToldFromTheOneBefore(t *testing.T) {
	s := cardstest.Of("beach", 2)
	var events []order.Event
	for round := range 10 {
		e := s.Event(order.EventReady, order.StatusReviewing)
		e.Seq, e.Order.Revision, e.Order.EditedImages = int64(round+1), &round, s.Edited(0)
		for later := range round {
			image := s.Edited(later + 1)[1]
			image.ID += strconv.Itoa(later)
			e.Order.EditedImages = append(e.Order.EditedImages, image)
		}
		events = append(events, e)
	}
	m := cards.Review(s.Tracked(order.StatusReviewing), events[9], cards.RoundHistoryOf(store.Tracked{}, events, events[9]), true, cardstest.Previews)
	require.Contains(t, m.Text, ", round 10")
	require.Contains(t, cardstest.AllText(t, m), "The other one is as in round 9.")
	cardstest.CheckLimits(t, m)
}

// drawn generates a delivery, and the one before of the same images.
func drawn(t *rapid.T) (before, after []order.EditedImage) {
	names := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 1, 6).Draw(t, "names")
	for i, name := range names {
		before = append(before, order.EditedImage{ID: fmt.Sprint("i", i), Name: name, UploadedAt: cardstest.Now})
	}
	after = slices.Clone(before)
	for i := range names {
		switch rapid.SampledFrom([]string{"same", "new id", "same id", "gone"}).Draw(t, "fate") {
		case "new id":
			after = append(after, order.EditedImage{ID: fmt.Sprint("n", i), Name: names[i], Revision: 1, UploadedAt: cardstest.Now.Add(time.Hour)})
		case "same id":
			after[i].Revision, after[i].UploadedAt = 1, cardstest.Now.Add(time.Hour)
		}
	}
	return before, after
}

func TestEveryImageOfADeliveryIsEitherNewOrAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawn(t)
		latest, old := order.Latest(after), order.Latest(before)
		changed, lost := cards.ChangedSince(old, latest)
		numbers, used := map[int]bool{}, map[string]bool{}
		for _, c := range changed {
			require.False(t, numbers[c.Number], "twice")
			numbers[c.Number] = true
			require.Equal(t, latest[c.Number-1], c.After, "numbered as the form does")
			if c.Before != nil {
				require.False(t, used[c.Before.ID], "two images have the same before")
				used[c.Before.ID] = true
				require.True(t, c.Before.ID == c.After.ID || c.Before.Name == c.After.Name)
				require.Equal(t, c.Unsure, c.Before.ID != c.After.ID && (cards.CountOf(old, c.After.Name) > 1 || cards.CountOf(latest, c.After.Name) > 1))
			}
		}
		for i, image := range latest {
			require.Equal(t, !slices.ContainsFunc(old, func(o order.EditedImage) bool { return cards.SameEdit(o, image) }), numbers[i+1])
		}
		for _, image := range lost {
			require.False(t, used[image.ID])
		}
		require.Len(t, old, len(latest)-len(changed)+len(used)+len(lost), "nothing is forgotten")
	})
}

func TestNothingIsNewSinceTheSameDelivery(t *testing.T) {
	images := cardstest.Of("beach", 5).Edited(0)
	changed, lost := cards.ChangedSince(images, slices.Clone(images))
	require.Empty(t, changed)
	require.Empty(t, lost)
}

func TestTheFirstRoundSaysWhatWasAskedForEachImage(t *testing.T) {
	s := cardstest.Of("beach", 3)
	o := s.Tracked(order.StatusReviewing)
	o.Brief.Sources = []order.Source{
		{Name: "beach 2.JPG", Instruction: "Remove the tourists."},
		{Name: "beach 1.heic"},
		{Name: "beach 3.jpg", Service: order.ServiceExtensive, Instruction: "Bluer sea."},
	}
	first := s.Event(order.EventReady, order.StatusReviewing)
	for _, thumbs := range []cards.Thumbs{cardstest.Previews, {Show: true, Plain: true}, {}} {
		text := cardstest.AllText(t, cards.Review(o, first, cards.RoundHistory{}, true, thumbs))
		require.Contains(t, text, "Remove the tourists.")
		require.Contains(t, text, "Extensive. Bluer sea.")
		require.NotContains(t, text, "I cannot tell")
	}
	require.Contains(t, cardstest.Pretty(t, cards.Review(o, first, cards.RoundHistory{}, true, cardstest.Previews)), `"2 · beach 2.jpg: Remove the tourists."`)
}

func TestWhichPhotoAnImageEditsIsNotGuessedAndSaidOnce(t *testing.T) {
	s := cardstest.Of("beach", 3)
	o := s.Tracked(order.StatusReviewing)
	o.Brief.Sources = []order.Source{{Name: "beach 1.jpg"}, {Name: "cake.jpg", Instruction: "Remove the knife."}, {Name: "cat.jpg"}}
	first := s.Event(order.EventReady, order.StatusReviewing)
	text := cards.Review(o, first, cards.RoundHistory{}, true, cardstest.Previews).Text
	require.Contains(t, text, "I cannot tell which photos these edit: 2 · beach 2.jpg, 3 · beach 3.jpg.")
	require.Contains(t, text, "*2 · cake.jpg*: Remove the knife.")
	require.Equal(t, 1, strings.Count(text, "I cannot tell"))

	o.Brief.Sources[1].Instruction = ""
	require.NotContains(t, cards.Review(o, first, cards.RoundHistory{}, true, cardstest.Previews).Text, "I cannot tell", "nothing depends on it")
}

func TestAReviewAsksTheApproversInPlaceOfWhoOrdered(t *testing.T) {
	s := cardstest.Of("beach", 2)
	in, e := s.Tracked(order.StatusReviewing), s.Event(order.EventReady, order.StatusReviewing)
	require.Contains(t, cards.Review(in, e, cards.RoundHistory{}, true, cards.Thumbs{}).Text, "*2 edited photos* · "+kit.Mention(in.Owner.Requester))
	in.Names = map[string]string{"U0MARIA": "Maria"}
	asked := cards.Review(in, e, cards.RoundHistory{}, true, cards.Thumbs{Asks: []string{"U0OLGA", "U0BEN", "U0TOM"}}).Text
	require.Contains(t, asked, "*2 edited photos* · <@U0OLGA>, <@U0BEN> and <@U0TOM> (for Maria)")
	require.NotContains(t, asked, kit.Mention(in.Owner.Requester))
}

// Slack asks before a review is approved: what, of which order and round. Long names are cut, never the question.
func TestApproveAsksWhatItApproves(t *testing.T) {
	ask := func(m kit.Message) *slack.ConfirmationBlockObject {
		row := m.Blocks[len(m.Blocks)-1].(*slack.ActionBlock).Elements.ElementSet
		approve := row[0].(*slack.ButtonBlockElement)
		require.Equal(t, cards.ActionApproveShown, approve.ActionID)
		require.Regexp(t, `^1042:r1\.[0-9a-f]{16}$`, approve.Value)
		more := row[len(row)-1].(*slack.OverflowBlockElement)
		require.Equal(t, "approve "+approve.Value, more.Options[0].Value)
		require.Equal(t, "Approve with feedback", more.Options[0].Text.Text)
		return approve.Confirm
	}
	first := func(s cardstest.Scene) kit.Message {
		return cards.Review(s.Tracked(order.StatusReviewing), s.Event(order.EventReady, order.StatusReviewing), cards.RoundHistory{}, true, cardstest.Previews)
	}
	s := cardstest.Of("Smith wedding", 12)
	require.Equal(t, "Approve 12 photos of Smith wedding, round 2?", ask(first(s)).Title.Text)
	require.Equal(t, "This closes the order. No more changes after it.", ask(first(s)).Text.Text)
	require.Equal(t, "This closes the order. No more changes after it. 0 of 13 requested changes are ticked done.", ask(review(s, s.Rounds(1), true, cardstest.Previews)).Text.Text, "the others were seen in the round before")
	one := cardstest.Of("Smith wedding", 1)
	require.Equal(t, "Approve 1 photo of Smith wedding, round 2?", ask(first(one)).Title.Text)
	many := cardstest.Of(strings.Repeat("Weddings & more ", 19), 50)
	asked := ask(first(many))
	require.Regexp(t, "^Approve 50 photos of Weddings .*…, round 2\\?$", asked.Title.Text)
	require.LessOrEqual(t, kit.Units(asked.Title.Text), kit.MaxConfirmTitle)
	require.Regexp(t, `\d+ photos are not in this message\. See them first with See All 50\.$`, asked.Text.Text)

	longest := s.Tracked(order.StatusReviewing)
	longest.ID = strings.Repeat("x", kit.MaxValue)
	m := cards.Review(longest, s.Event(order.EventReady, order.StatusReviewing), cards.RoundHistory{}, true, cardstest.Previews)
	require.NotContains(t, cardstest.Pretty(t, m), cards.ActionApproveShown, "a cut value would name other photos")
}
