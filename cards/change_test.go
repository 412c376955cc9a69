package cards_test

import (
	"fmt"
	"slices"
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

// everyBox returns text for each image.
func everyBox(s cardstest.Scene, t store.Tracked, words string) change.Changes {
	c := change.Changes{All: words}
	for _, image := range t.Order.EditedImages {
		c.Each = append(c.Each, change.ImageText{ID: image.ID, Name: image.Name, Words: words})
	}
	return c
}

// unknownImage returns a refusal that names the second image.
func unknownImage(s cardstest.Scene, t store.Tracked) change.Changes {
	return typed(s).Refused(t, kit.Problems{"image ID not found: sh38nsk2", s.Words})
}

// changeModals adds the windows of approve, revise and cancel.
func changeModals(s cardstest.Scene, shown map[string]any) {
	t, c := s.Tracked(order.StatusReviewing), typed(s)
	fresh := s.Tracked(order.StatusEditing)
	for name, v := range map[string]slack.ModalViewRequest{
		"approve_words":     change.Approve(t, cards.RoundHistory{}, strings.Repeat("Lovely work. ", 300), cards.Thumbs{}, "x1"),
		"revise":            change.Revise(t, cards.RoundHistory{}, change.Changes{}, cardstest.Previews, "x1"),
		"revise_no_thumbs":  change.Revise(t, cards.RoundHistory{}, c, cards.Thumbs{}, "x1"),
		"revise_all_chosen": change.Revise(t, cards.RoundHistory{}, everyBox(s, t, s.Words), cardstest.Previews, "x1"),
		"revise_stale":      change.ReviseStale(t, cards.RoundHistory{}, 0, c, cardstest.Previews, "x1"),
		"revise_same":       change.ReviseStale(t, cards.RoundHistory{}, 1, c, cardstest.Previews, "x1"),
		"revise_refused":    change.Revise(t, cards.RoundHistory{}, unknownImage(s, t), cardstest.Previews, "x1"),
		"revising":          change.Revising(t, "x1"),
		"revise_later":      change.ReviseLater(t, "x1"),
		"revised":           change.Revised(s.Tracked(order.StatusRevising), "x1"),
		"revise_denied":     change.ReviseDenied(s.Tracked(order.StatusPaused), c, cards.CannotRevise(s.Tracked(order.StatusPaused)), "words:x1", "x1"),
		"revise_closed":     change.ReviseDenied(s.Tracked(order.StatusClosed), c, cards.CannotRevise(s.Tracked(order.StatusClosed)), "words:x1", "x1"),
		"revise_rival":      change.ReviseConcurrent(s.Tracked(order.StatusRevising), s.Event(order.EventChanges, order.StatusRevising), c, "words:x1", "x1"),
		"revise_rival_long": change.ReviseConcurrent(t, s.Event(order.EventChanges, order.StatusRevising), everyBox(s, t, strings.Repeat("More light. ", 200)), "words:x1", "x1"),
		"revise_unsettled":  change.ReviseUnsettled(t, c, "x1"),
		"cancel":            change.Cancel(fresh, "", cardstest.Now, "x1"),
		"cancel_words":      change.Cancel(fresh, s.Words, cardstest.Now.Add(7*time.Minute), "x1"),
		"cancel_late":       change.Cancel(fresh, s.Words, cardstest.Now.Add(time.Hour), "x1"),
		"canceling":         change.Canceling(fresh, "x1"),
		"cancel_later":      change.CancelLater(fresh, "x1"),
		"canceled":          change.Canceled(s.Tracked(order.StatusCanceled), "x1"),
		"cancel_refused":    change.CancelRefused(fresh, s.Words, s.Problems(), "x1"),
		"cancel_too_late":   change.CancelTooLate(fresh, s.Words, kit.Problems{"15 min deadline passed", s.Words}, "words:x1", "x1"),
		"cancel_denied":     change.CancelDenied(t, s.Words, cards.CannotCancel(t), "x1"),
		"cancel_unsettled":  change.CancelUnsettled(fresh, s.Words, "x1"),
	} {
		shown[name] = v
	}
}

// changeAnswers adds the messages for people who closed such a window.
func changeAnswers(s cardstest.Scene, shown map[string]any) {
	t := s.Tracked(order.StatusReviewing)
	for name, all := range map[string][]kit.Message{
		"kept_revise_stale":   change.ReviseKept(t, 0, typed(s), "changes:x1"),
		"kept_revise_refused": change.ReviseKept(t, 1, unknownImage(s, t), "changes:x1"),
		"told_revise_rival":   kit.AsMessages(change.ReviseConcurrent(t, s.Event(order.EventChanges, order.StatusRevising), typed(s), "words:x1", "x1")),
		"told_cancel_late":    kit.AsMessages(change.CancelTooLate(s.Tracked(order.StatusEditing), s.Words, kit.Problems{"15 min deadline passed"}, "words:x1", "x1")),
		"told_cancel_refused": kit.AsMessages(change.CancelRefused(t, s.Words, s.Problems(), "x1")),
	} {
		shown[name] = all[0]
	}
}

// changesOf adds every view and message of the three verbs.
func changesOf(shown map[string]any, say func() string, t store.Tracked, problems kit.Problems) {
	id, c := say(), cardstest.FilledWith[change.Changes](say)
	c.Problems, c.Each = append(problems, "image not found: "+t.Order.EditedImages[0].ID), append(c.Each, change.ImageText{ID: t.Order.EditedImages[0].ID, Words: say()})
	e := cardstest.FilledWith[order.Event](say)
	for name, v := range map[string]slack.ModalViewRequest{
		"revise": change.Revise(t, cards.RoundHistory{}, c, cardstest.Previews, id), "revise stale": change.ReviseStale(t, cards.RoundHistory{}, 0, c, cardstest.Previews, id), "revise refused": change.Revise(t, cards.RoundHistory{}, c.Refused(t, c.Problems), cards.Thumbs{}, id),
		"revising": change.Revising(t, id), "revise later": change.ReviseLater(t, id), "revised": change.Revised(t, id), "revise unsettled": change.ReviseUnsettled(t, c, id),
		"revise denied": change.ReviseDenied(t, c, cards.CannotRevise(t), id, id), "revise unnamed": change.ReviseDenied(t, c, cards.CannotName(t), id, id), "revise rival": change.ReviseConcurrent(t, e, c, id, id),
		"cancel": change.Cancel(t, say(), cardstest.Now, id), "canceling": change.Canceling(t, id), "cancel later": change.CancelLater(t, id), "canceled": change.Canceled(t, id),
		"cancel refused": change.CancelRefused(t, say(), problems, id), "cancel late": change.CancelTooLate(t, say(), problems, id, id),
		"cancel denied": change.CancelDenied(t, say(), cards.CannotCancel(t), id), "cancel unsettled": change.CancelUnsettled(t, say(), id),
	} {
		shown[name], shown["told "+name] = v, kit.AsMessage(v)
		for i, m := range kit.AsMessages(v) {
			shown[fmt.Sprintf("told %s in full %d", name, i)] = m
		}
	}
	for i, m := range append(change.ReviseKept(t, 0, change.Changes{All: say()}, id), change.ReviseKept(t, 0, c, id)...) {
		shown[fmt.Sprintf("kept changes %d", i)] = m
	}
}

func TestEachStandingOfAnOrderHasItsSentence(t *testing.T) {
	s := cardstest.Of("beach", 1)
	gone := s.Tracked(order.StatusReviewing)
	gone.Gone = true
	tests := map[string]struct {
		order                     store.Tracked
		approve, revise, withdraw string
	}{
		"gone":     {gone, "cannot find", "cannot find", "cannot find"},
		"closed":   {s.Tracked(order.StatusClosed), "approved already", "place a new order", "was approved"},
		"canceled": {s.Tracked(order.StatusCanceled), "was canceled", "was canceled", "canceled already"},
		"revising": {s.Tracked(order.StatusRevising), "Changes being made", "being made already", "too late to cancel"},
		"paused":   {s.Tracked(order.StatusPaused), "Paused by the photo service", "Paused by the photo service", "Paused by the photo service"},
		"unknown":  {s.Tracked("archiving"), "archiving", "archiving", "archiving"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, cards.CannotApprove(tt.order), tt.approve)
			require.Contains(t, cards.CannotRevise(tt.order), tt.revise)
			require.Contains(t, cards.CannotCancel(tt.order), tt.withdraw)
		})
	}
}

func TestTheTimeToCancelIsNamed(t *testing.T) {
	order := cardstest.Of("beach", 1).Tracked(order.StatusEditing)
	placed := order.Order.OrderedAt
	promised, tried := kit.When(placed.Add(10*time.Minute)), kit.When(placed.Add(15*time.Minute))
	for name, tt := range map[string]struct {
		at   time.Duration
		want []string
	}{
		"at once":          {0, []string{"promises to take it back until " + promised, "until " + tried}},
		"after 12 minutes": {12 * time.Minute, []string{"ended " + promised, "until " + tried}},
		"after an hour":    {time.Hour, []string{"ended " + tried, "probably refuse"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, want := range tt.want {
				require.Contains(t, cardstest.AllText(t, change.Cancel(order, "", placed.Add(tt.at), "x")), want)
			}
		})
	}
	order.Order.OrderedAt = time.Time{}
	require.NotContains(t, cardstest.AllText(t, change.Cancel(order, "", cardstest.Now, "x")), "<!date")
}

func TestACancellationComesBackAsItWentOut(t *testing.T) {
	order := cardstest.Of("beach", 1).Tracked(order.StatusEditing)
	long := strings.TrimSpace(strings.Repeat("The wrong photos. ", 400))
	for _, form := range []slack.ModalViewRequest{change.Cancel(order, long, cardstest.Now, "x"), change.CancelRefused(order, long, kit.Problems{"no"}, "x")} {
		c, problems := change.DecodeCancel(cardstest.Untouched(t, form))
		require.Empty(t, problems)
		require.Equal(t, "1042", c.Order)
		require.Equal(t, strings.Fields(long), strings.Fields(c.Words), "no word is cut")
	}
	_, problems := change.DecodeCancel(cardstest.Filled(map[string]string{"reason:0": "wrong"}))
	require.Contains(t, problems["reason:0"], "Copy your text")
}

// sentBack returns the changes after the form was opened with them and submitted unchanged.
func sentBack(t require.TestingT, order store.Tracked, c change.Changes) change.Changes {
	page := change.DecodeRevise(cardstest.Untouched(t, change.Revise(order, cards.RoundHistory{}, c, cardstest.Previews, "x")))
	require.Equal(t, order.ID, page.Order)
	require.Equal(t, order.Order.Rev(), page.Revision)
	return page.Into(c, order)
}

func TestChangesComeBackAsTheyWentOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringMatching(`[a-zé<&*]{1,20}(\n[a-zé<&*]{1,20}){0,3}`)
		order := cardstest.Of("beach", rapid.IntRange(0, 50).Draw(t, "images")).Tracked(order.StatusReviewing)
		c := change.Changes{}
		if rapid.Bool().Draw(t, "all") {
			c.All = words.Draw(t, "for all")
		}
		for _, image := range order.Order.EditedImages {
			if rapid.Bool().Draw(t, image.ID) {
				c.Each = append(c.Each, change.ImageText{ID: image.ID, Name: image.Name, Words: words.Draw(t, "words")})
			}
		}
		back := sentBack(t, order, c)
		require.Equal(t, c.All, back.All)
		require.ElementsMatch(t, c.Each, back.Each)
	})
}

func TestTheLongestWordsForFiftyImagesFit(t *testing.T) {
	order := cardstest.Of("beach", 50).Tracked(order.StatusReviewing)
	for i := range order.Order.EditedImages {
		image := &order.Order.EditedImages[i]
		image.Name = strings.Repeat("ש", 300) + fmt.Sprint(i)
		image.Thumb = "https://e.com/" + strings.Repeat("&", 2900) + fmt.Sprint(i)
	}
	for _, words := range []string{strings.Repeat("<", 3000), strings.Repeat("漢", 3000), strings.Repeat("🎉", 1500)} {
		c := everyBox(cardstest.Scene{}, order, words)
		cardstest.CheckLimits(t, change.Revise(order, cards.RoundHistory{}, c, cardstest.Previews, "x"))
		cardstest.CheckLimits(t, change.Approve(order, afterAll(order, words), "", cardstest.Previews, "x"))
		require.ElementsMatch(t, c.Each, sentBack(t, order, c).Each, "also the words for which there is no room")
	}
}

// afterAll returns the history of a round in which every image is new, with instructions for each.
func afterAll(t store.Tracked, words string) cards.RoundHistory {
	before := order.Event{Kind: order.EventReady, Order: t.Order}
	before.Order.EditedImages = slices.Clone(order.Latest(t.Order.EditedImages))
	changes := order.Event{Kind: order.EventChanges, Actor: "U0PETER", PerImage: map[string][]string{}}
	for i := range before.Order.EditedImages {
		image := &before.Order.EditedImages[i]
		image.ID += "old"
		changes.PerImage[image.ID] = []string{words}
	}
	return cards.RoundHistory{Before: &before, Asked: &changes}
}

// shownWords returns all text of messages and views.
func shownWords(t *testing.T, shown ...any) string {
	t.Helper()
	var out strings.Builder
	for _, v := range shown {
		out.WriteString(cardstest.AllText(t, v) + "\n")
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "\u200b", "").Replace(out.String())
}

func TestNoWordIsLostInAnyState(t *testing.T) {
	s := cardstest.Of("beach", 50)
	o := s.Tracked(order.StatusReviewing)
	c := change.Changes{}
	for i, image := range o.Order.EditedImages {
		c.Each = append(c.Each, change.ImageText{ID: image.ID, Name: image.Name, Words: fmt.Sprintf("first%d\n%slast%d", i, strings.Repeat("and more & more ", 60), i)})
	}
	c.All = "everything else"
	views := map[string]slack.ModalViewRequest{
		"denied":    change.ReviseDenied(o, c, "No.", "words:x1", "x"),
		"rival":     change.ReviseConcurrent(o, s.Event(order.EventChanges, order.StatusRevising), c, "words:x1", "x"),
		"unsettled": change.ReviseUnsettled(o, c, "x"),
	}
	for name, v := range views {
		t.Run(name, func(t *testing.T) {
			cardstest.CheckLimits(t, v)
			var told []any
			for _, m := range kit.AsMessages(v) {
				cardstest.CheckLimits(t, m)
				told = append(told, m)
			}
			for _, shown := range []string{shownWords(t, v), shownWords(t, told...)} {
				for i := range 50 {
					require.Contains(t, shown, fmt.Sprintf("first%d\n", i))
					require.Contains(t, shown, fmt.Sprintf("last%d\n", i))
				}
				require.Contains(t, shown, "everything else")
			}
		})
	}
	var kept []any
	for _, m := range change.ReviseKept(o, 0, c, "changes:x1") {
		cardstest.CheckLimits(t, m)
		kept = append(kept, m)
	}
	require.Contains(t, shownWords(t, kept...), "last49")
	require.Contains(t, shownWords(t, kept...), "Request Changes")
}

func TestWordsGoToTheEditorOnlyWhenTheyFitAndTheOrderIsOpen(t *testing.T) {
	s := cardstest.Of("beach", 3)
	o, c := s.Tracked(order.StatusReviewing), typed(s)
	require.Contains(t, cardstest.AllText(t, change.ReviseDenied(o, c, "No.", "words:x1", "x")), "Message the Editor")
	require.NotContains(t, cardstest.AllText(t, change.ReviseDenied(o, change.Changes{}, "No.", "words:x1", "x")), "Message the Editor")
	require.NotContains(t, cardstest.AllText(t, change.ReviseDenied(s.Tracked(order.StatusClosed), c, "No.", "words:x1", "x")), "Message the Editor")
	long := change.ReviseDenied(o, change.Changes{All: strings.Repeat("more light ", 500)}, "No.", "words:x1", "x")
	require.NotContains(t, cardstest.AllText(t, long), "Message the Editor")
	require.Contains(t, cardstest.AllText(t, long), "5,000")
	require.Equal(t, "1 · beach 1.jpg: beach\nBrighter\nold beach: beach\nAll other photos: beach\nWarmer", c.Text(o))
}

func TestWordsFollowTheirImage(t *testing.T) {
	o := cardstest.Of("beach", 2).Tracked(order.StatusReviewing)
	c := change.Changes{Each: []change.ImageText{{ID: "sh38nsk1", Name: "beach 1.jpg", Words: "Brighter"}, {ID: "sh38nsk2", Name: "beach 2.jpg", Words: "Warmer"}, {ID: "lost", Name: "sea.jpg", Words: "Bluer"}}}
	o.Order.EditedImages = append(o.Order.EditedImages, order.EditedImage{ID: "new1", Name: "beach 1.jpg", Revision: 2})
	require.Equal(t, map[string][]string{"new1": {"Brighter"}, "sh38nsk2": {"Warmer"}}, c.For(o).PerImage(o))
	require.Contains(t, cardstest.AllText(t, change.ReviseStale(o, cards.RoundHistory{}, 1, c.For(o), cardstest.Previews, "x")), "Bluer", "shown to be copied")
}

func TestWordsForAllOthersReachThoseWithoutTheirOwn(t *testing.T) {
	order := cardstest.Of("beach", 3).Tracked(order.StatusReviewing)
	c := change.Changes{All: "Warmer\n\n Softer ", Each: []change.ImageText{{ID: "sh38nsk2", Words: "Brighter"}}}
	byImage, rest := c.Instructions(order)
	require.True(t, rest)
	require.Equal(t, map[string][]string{"sh38nsk1": {"Warmer", "Softer"}, "sh38nsk2": {"Brighter"}, "sh38nsk3": {"Warmer", "Softer"}}, byImage)

	c = c.Refused(order, kit.Problems{"image ID not found: sh38nsk3"})
	byImage, _ = c.Instructions(order)
	require.NotContains(t, byImage, "sh38nsk3", "the service does not know it")

	_, rest = change.Changes{Each: c.Each}.Instructions(order)
	require.False(t, rest)
}

func TestARefusedImageIsShownThoughItWasNotChosen(t *testing.T) {
	order := cardstest.Of("beach", 50).Tracked(order.StatusReviewing)
	c := change.Changes{All: "Warmer"}.Refused(order, kit.Problems{"image ID not found: sh38nsk20"})
	text := cardstest.AllText(t, change.Revise(order, cards.RoundHistory{}, c, cardstest.Previews, "x"))
	require.Contains(t, text, "image ID not found: sh38nsk20")
	require.NotContains(t, text, "No changes were requested", "it stands beside its image")
	require.Equal(t, []string{"20 · beach 20.jpg"}, cardstest.BoxesIn(change.Revise(order, cards.RoundHistory{}, c, cardstest.Previews, "x")))
	require.Contains(t, cardstest.AllText(t, change.Revise(order, cards.RoundHistory{}, change.Changes{Problems: kit.Problems{"no"}}, cardstest.Previews, "x")), "No changes were requested")
}

func TestUpToFiveImagesHaveTheirBoxesAtOnceAndOfMoreEachIsOpened(t *testing.T) {
	for images, want := range map[int]int{1: 1, 5: 5, 6: 0, 12: 0, 50: 0} {
		form := change.Revise(cardstest.Of("beach", images).Tracked(order.StatusReviewing), cards.RoundHistory{}, change.Changes{}, cardstest.Previews, "x")
		require.Len(t, cardstest.BoxesIn(form), want)
		text := cardstest.AllText(t, form)
		require.Equal(t, images > 5, strings.Contains(text, "Add Changes"))
		require.Equal(t, images > 1, strings.Contains(text, "All other photos"))
	}
}

func TestSomethingNewerIsSeen(t *testing.T) {
	o := cardstest.Of("beach", 2).Tracked(order.StatusReviewing) // revision 1, images of revision 1
	meta := kit.DecodeMeta(change.Approve(o, cards.RoundHistory{}, "", cardstest.Previews, "x").PrivateMetadata)
	require.False(t, cards.Newer(o, 1, meta.Pictures), "a form that shows it is bound to it")
	require.True(t, cards.Newer(o, 0, meta.Pictures))
	require.True(t, cards.Newer(o, 1, "none"), "no pictures were seen")
	require.False(t, cards.Newer(o, 1, ""), "a form of the release before")
	bare := o
	bare.Order.EditedImages = nil
	require.True(t, cards.Newer(o, 1, kit.DecodeMeta(change.Approve(bare, cards.RoundHistory{}, "", cardstest.Previews, "x").PrivateMetadata).Pictures))

	button := cards.SeenValue(o)
	id, revision, ok := cards.ParseValue(button)
	require.Equal(t, []any{o.ID, 1, true}, []any{id, revision, ok})
	require.Equal(t, meta.Pictures, cards.PicturesIn(button))
	require.Empty(t, cards.PicturesIn(cards.Value(o.ID, 1)))

	was := o.Order.EditedImages[0]
	for name, change := range map[string]func(*order.EditedImage){
		"a later revision":   func(i *order.EditedImage) { i.Revision = 2 },
		"another picture":    func(i *order.EditedImage) { i.ID = "new" },
		"uploaded once more": func(i *order.EditedImage) { i.UploadedAt = i.UploadedAt.Add(time.Second) },
	} {
		o.Order.EditedImages[0] = was
		change(&o.Order.EditedImages[0])
		require.True(t, cards.Newer(o, 1, meta.Pictures), name)
		require.Equal(t, o.Order.EditedImages[0].Revision > 1, cards.Newer(o, 1, ""), name)
	}
	o.Order.EditedImages[0] = was
	o.Order.EditedImages[0].Thumb = "https://e.com/signed-anew"
	require.False(t, cards.Newer(o, 1, meta.Pictures))
}

func TestALostWindowKeepsTheWordsWhereTheyAre(t *testing.T) {
	page := change.DecodeRevise(cardstest.Filled(map[string]string{"image:1:sh38nsk1": "Brighter"}))
	require.Empty(t, page.Order)
	require.Equal(t, map[string]string{"image:1:sh38nsk1": change.LostOrder}, page.Problem(change.LostOrder))
	page = change.DecodeRevise(cardstest.Filled(map[string]string{"image:1:sh38nsk1": "Brighter", "all:1:0:0": ""}))
	require.Equal(t, map[string]string{"all:1:0:0": change.NoChanges}, page.Problem(change.NoChanges))
}

func FuzzDecodeRevise(f *testing.F) {
	order := cardstest.Of("beach", 3).Tracked(order.StatusReviewing)
	cardstest.FuzzViews(f, func(t *testing.T, view slack.View) {
		t.Helper()
		c := change.DecodeRevise(view).Into(change.Changes{}, order)
		cardstest.CheckLimits(t, change.Revise(order, cards.RoundHistory{}, change.Changes{All: kit.Clip(c.All, 3000), Each: c.Each[:min(len(c.Each), 5)]}, cardstest.Previews, "x"))
	})
}

func TestALongMessageFullOfMarksIsShownWhole(t *testing.T) {
	words := strings.Repeat("make *this* `brighter` ", 200) + "the end"
	quoted := strings.Join(kit.Quotation(words, kit.MaxQuote), "\n")
	require.Contains(t, quoted, "the end")
	require.Equal(t, 400, strings.Count(quoted, "∗"))
	require.Contains(t, strings.Join(kit.Quotation("make *this* brighter", kit.MaxQuote), "\n"), "<!date^00000000^{_}|*>", "a short one reads as typed, sign for sign")
}

// typed returns a scene's changes: for the first image, for a missing image and for all others.
func typed(s cardstest.Scene) change.Changes {
	return change.Changes{All: s.Words + "\nWarmer", Each: []change.ImageText{
		{ID: "sh38nsk1", Name: "beach.jpg", Words: s.Words + "\nBrighter"}, {ID: "old", Name: "old " + s.Words, Words: s.Words},
	}}
}
