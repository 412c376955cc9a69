package cards

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// typed is what somebody asked for in a scene: words for the first image, for one that is
// gone, and for all others.
func (s scene) typed() Changes {
	return Changes{All: s.words + "\nWarmer", Each: []ImageWords{
		{ID: "sh38nsk1", Name: "beach.jpg", Words: s.words + "\nBrighter"}, {ID: "old", Name: "old " + s.words, Words: s.words},
	}}
}

// everyBox has words for each of the images.
func (s scene) everyBox(t store.Tracked, words string) Changes {
	c := Changes{All: words}
	for _, image := range t.Order.EditedImages {
		c.Each = append(c.Each, ImageWords{ID: image.ID, Name: image.Name, Words: words})
	}
	return c
}

// unknownImage is a refusal that names the second image.
func (s scene) unknownImage(t store.Tracked) Changes {
	return s.typed().Refused(t, Problems{"image ID not found: sh38nsk2", s.words})
}

// changeModals are the windows of the three verbs that change an order, but approve's.
func (s scene) changeModals(shown map[string]any) {
	t, c := s.tracked(order.StatusReviewing), s.typed()
	fresh := s.tracked(order.StatusEditing)
	for name, v := range map[string]slack.ModalViewRequest{
		"approve_words":     Approve(t, Course{}, strings.Repeat("Lovely work. ", 300), Thumbs{}, "x1"),
		"revise":            Revise(t, Course{}, Changes{}, previews, "x1"),
		"revise_no_thumbs":  Revise(t, Course{}, c, Thumbs{}, "x1"),
		"revise_all_chosen": Revise(t, Course{}, s.everyBox(t, s.words), previews, "x1"),
		"revise_stale":      ReviseStale(t, Course{}, 0, c, previews, "x1"),
		"revise_same":       ReviseStale(t, Course{}, 1, c, previews, "x1"),
		"revise_refused":    Revise(t, Course{}, s.unknownImage(t), previews, "x1"),
		"revising":          Revising(t, "x1"),
		"revise_later":      ReviseLater(t, "x1"),
		"revised":           Revised(s.tracked(order.StatusRevising), "x1"),
		"revise_denied":     ReviseDenied(s.tracked(order.StatusPaused), c, CannotRevise(s.tracked(order.StatusPaused)), "words:x1", "x1"),
		"revise_closed":     ReviseDenied(s.tracked(order.StatusClosed), c, CannotRevise(s.tracked(order.StatusClosed)), "words:x1", "x1"),
		"revise_rival":      ReviseRival(s.tracked(order.StatusRevising), s.event(order.EventChanges, order.StatusRevising), c, "words:x1", "x1"),
		"revise_rival_long": ReviseRival(t, s.event(order.EventChanges, order.StatusRevising), s.everyBox(t, strings.Repeat("More light. ", 200)), "words:x1", "x1"),
		"revise_unsettled":  ReviseUnsettled(t, c, "x1"),
		"cancel":            Cancel(fresh, "", now, "x1"),
		"cancel_words":      Cancel(fresh, s.words, now.Add(7*time.Minute), "x1"),
		"cancel_late":       Cancel(fresh, s.words, now.Add(time.Hour), "x1"),
		"canceling":         Canceling(fresh, "x1"),
		"cancel_later":      CancelLater(fresh, "x1"),
		"canceled":          Canceled(s.tracked(order.StatusCanceled), "x1"),
		"cancel_refused":    CancelRefused(fresh, s.words, s.problems(), "x1"),
		"cancel_too_late":   CancelTooLate(fresh, s.words, Problems{"15 min deadline passed", s.words}, "words:x1", "x1"),
		"cancel_denied":     CancelDenied(t, s.words, CannotCancel(t), "x1"),
		"cancel_unsettled":  CancelUnsettled(fresh, s.words, "x1"),
	} {
		shown[name] = v
	}
}

// changeAnswers are what people are told who have closed such a window.
func (s scene) changeAnswers(shown map[string]any) {
	t := s.tracked(order.StatusReviewing)
	for name, all := range map[string][]Message{
		"kept_revise_stale":   ReviseKept(t, 0, s.typed(), "changes:x1"),
		"kept_revise_refused": ReviseKept(t, 1, s.unknownImage(t), "changes:x1"),
		"told_revise_rival":   AsMessages(ReviseRival(t, s.event(order.EventChanges, order.StatusRevising), s.typed(), "words:x1", "x1")),
		"told_cancel_late":    AsMessages(CancelTooLate(s.tracked(order.StatusEditing), s.words, Problems{"15 min deadline passed"}, "words:x1", "x1")),
		"told_cancel_refused": AsMessages(CancelRefused(t, s.words, s.problems(), "x1")),
	} {
		shown[name] = all[0]
	}
}

// changesOf is every view and message of the three verbs.
func changesOf(shown map[string]any, say func() string, t store.Tracked, problems Problems) {
	id, c := say(), filledWith[Changes](say)
	c.Problems, c.Each = append(problems, "image not found: "+t.Order.EditedImages[0].ID), append(c.Each, ImageWords{ID: t.Order.EditedImages[0].ID, Words: say()})
	e := filledWith[order.Event](say)
	for name, v := range map[string]slack.ModalViewRequest{
		"revise": Revise(t, Course{}, c, previews, id), "revise stale": ReviseStale(t, Course{}, 0, c, previews, id), "revise refused": Revise(t, Course{}, c.Refused(t, c.Problems), Thumbs{}, id),
		"revising": Revising(t, id), "revise later": ReviseLater(t, id), "revised": Revised(t, id), "revise unsettled": ReviseUnsettled(t, c, id),
		"revise denied": ReviseDenied(t, c, CannotRevise(t), id, id), "revise unnamed": ReviseDenied(t, c, CannotName(t), id, id), "revise rival": ReviseRival(t, e, c, id, id),
		"cancel": Cancel(t, say(), now, id), "canceling": Canceling(t, id), "cancel later": CancelLater(t, id), "canceled": Canceled(t, id),
		"cancel refused": CancelRefused(t, say(), problems, id), "cancel late": CancelTooLate(t, say(), problems, id, id),
		"cancel denied": CancelDenied(t, say(), CannotCancel(t), id), "cancel unsettled": CancelUnsettled(t, say(), id),
	} {
		shown[name], shown["told "+name] = v, AsMessage(v)
		for i, m := range AsMessages(v) {
			shown[fmt.Sprintf("told %s in full %d", name, i)] = m
		}
	}
	for i, m := range append(ReviseKept(t, 0, Changes{All: say()}, id), ReviseKept(t, 0, c, id)...) {
		shown[fmt.Sprintf("kept changes %d", i)] = m
	}
}

func TestEachStandingOfAnOrderHasItsSentence(t *testing.T) {
	s := scene{"beach", 1}
	gone := s.tracked(order.StatusReviewing)
	gone.Gone = true
	tests := map[string]struct {
		order                     store.Tracked
		approve, revise, withdraw string
	}{
		"gone":     {gone, "gone at the service", "gone at the service", "gone at the service"},
		"closed":   {s.tracked(order.StatusClosed), "approved already", "place a new order", "was approved"},
		"canceled": {s.tracked(order.StatusCanceled), "was canceled", "was canceled", "canceled already"},
		"revising": {s.tracked(order.StatusRevising), "Changes being made", "being made already", "cannot be canceled any more"},
		"paused":   {s.tracked(order.StatusPaused), "Paused by the service", "Paused by the service", "Paused by the service"},
		"unknown":  {s.tracked("archiving"), "archiving", "archiving", "archiving"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, CannotApprove(tt.order), tt.approve)
			require.Contains(t, CannotRevise(tt.order), tt.revise)
			require.Contains(t, CannotCancel(tt.order), tt.withdraw)
		})
	}
}

func TestTheTimeToCancelIsNamed(t *testing.T) {
	order := scene{"beach", 1}.tracked(order.StatusEditing)
	placed := order.Order.OrderedAt
	promised, tried := when(placed.Add(10*time.Minute)), when(placed.Add(15*time.Minute))
	for name, tt := range map[string]struct {
		at   time.Duration
		want []string
	}{
		"at once":          {0, []string{"promises to take it back until " + promised, "until " + tried}},
		"after 12 minutes": {12 * time.Minute, []string{"ended " + promised, "until " + tried}},
		"after an hour":    {time.Hour, []string{"ended " + tried, "most likely refuse"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, want := range append(tt.want, "The service decides.") {
				require.Contains(t, allText(t, Cancel(order, "", placed.Add(tt.at), "x")), want)
			}
		})
	}
	order.Order.OrderedAt = time.Time{}
	require.NotContains(t, allText(t, Cancel(order, "", now, "x")), "<!date")
}

func TestACancellationComesBackAsItWentOut(t *testing.T) {
	order := scene{"beach", 1}.tracked(order.StatusEditing)
	long := strings.TrimSpace(strings.Repeat("The wrong photos. ", 400))
	for _, form := range []slack.ModalViewRequest{Cancel(order, long, now, "x"), CancelRefused(order, long, Problems{"no"}, "x")} {
		c, problems := DecodeCancel(untouched(t, form))
		require.Empty(t, problems)
		require.Equal(t, "1042", c.Order)
		require.Equal(t, strings.Fields(long), strings.Fields(c.Words), "no word is cut")
	}
	_, problems := DecodeCancel(filled(map[string]string{"reason:0": "wrong"}))
	require.Contains(t, problems["reason:0"], "Copy your words")
}

// sentBack is what is kept of a form that was opened with these words, and submitted as it was.
func sentBack(t require.TestingT, order store.Tracked, c Changes) Changes {
	page := DecodeRevise(untouched(t, Revise(order, Course{}, c, previews, "x")))
	require.Equal(t, order.ID, page.Order)
	require.Equal(t, order.Order.Rev(), page.Revision)
	return page.Into(c, order)
}

func TestChangesComeBackAsTheyWentOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringMatching(`[a-zé<&*]{1,20}(\n[a-zé<&*]{1,20}){0,3}`)
		order := scene{"beach", rapid.IntRange(0, 50).Draw(t, "images")}.tracked(order.StatusReviewing)
		c := Changes{}
		if rapid.Bool().Draw(t, "all") {
			c.All = words.Draw(t, "for all")
		}
		for _, image := range order.Order.EditedImages {
			if rapid.Bool().Draw(t, image.ID) {
				c.Each = append(c.Each, ImageWords{ID: image.ID, Name: image.Name, Words: words.Draw(t, "words")})
			}
		}
		back := sentBack(t, order, c)
		require.Equal(t, c.All, back.All)
		require.ElementsMatch(t, c.Each, back.Each)
		require.Empty(t, back.Aside)
	})
}

func TestTheLongestWordsForFiftyImagesFit(t *testing.T) {
	order := scene{"beach", 50}.tracked(order.StatusReviewing)
	for i := range order.Order.EditedImages {
		image := &order.Order.EditedImages[i]
		image.Name = strings.Repeat("ש", 300) + fmt.Sprint(i)
		image.Thumb = "https://e.com/" + strings.Repeat("&", 2900) + fmt.Sprint(i)
	}
	for _, words := range []string{strings.Repeat("<", 3000), strings.Repeat("漢", 3000), strings.Repeat("🎉", 1500)} {
		c := scene{}.everyBox(order, words)
		checkLimits(t, Revise(order, Course{}, c, previews, "x"))
		checkLimits(t, Approve(order, afterAll(order, words), "", previews, "x"))
		require.ElementsMatch(t, c.Each, sentBack(t, order, c).Each, "also the words for which there is no room")
	}
}

// afterAll is the course of a round in which every image is new, after these words for each.
func afterAll(t store.Tracked, words string) Course {
	before := order.Event{Kind: order.EventReady, Order: t.Order}
	before.Order.EditedImages = slices.Clone(Latest(t.Order.EditedImages))
	changes := order.Event{Kind: order.EventChanges, Actor: "U0PETER", PerImage: map[string][]string{}}
	for i := range before.Order.EditedImages {
		image := &before.Order.EditedImages[i]
		image.ID += "old"
		changes.PerImage[image.ID] = []string{words}
	}
	return Course{Before: &before, Asked: &changes}
}

// shownWords is everything that messages and views say, as a person reads it.
func shownWords(t *testing.T, shown ...any) string {
	t.Helper()
	var out strings.Builder
	for _, v := range shown {
		out.WriteString(allText(t, v) + "\n")
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", zeroWidth, "").Replace(out.String())
}

func TestNoWordIsLostInAnyState(t *testing.T) {
	s := scene{"beach", 50}
	o := s.tracked(order.StatusReviewing)
	c := Changes{}
	for i, image := range o.Order.EditedImages {
		c.Each = append(c.Each, ImageWords{ID: image.ID, Name: image.Name, Words: fmt.Sprintf("first%d\n%slast%d", i, strings.Repeat("and more & more ", 60), i)})
	}
	c.All = "everything else"
	views := map[string]slack.ModalViewRequest{
		"denied":    ReviseDenied(o, c, "No.", "words:x1", "x"),
		"rival":     ReviseRival(o, s.event(order.EventChanges, order.StatusRevising), c, "words:x1", "x"),
		"unsettled": ReviseUnsettled(o, c, "x"),
	}
	for name, v := range views {
		t.Run(name, func(t *testing.T) {
			checkLimits(t, v)
			var told []any
			for _, m := range AsMessages(v) {
				checkLimits(t, m)
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
	for _, m := range ReviseKept(o, 0, c, "changes:x1") {
		checkLimits(t, m)
		kept = append(kept, m)
	}
	require.Contains(t, shownWords(t, kept...), "last49")
	require.Contains(t, shownWords(t, kept...), "Request changes")
}

func TestWordsGoToTheEditorOnlyWhenTheyFitAndTheOrderIsOpen(t *testing.T) {
	s := scene{"beach", 3}
	o, c := s.tracked(order.StatusReviewing), s.typed()
	require.Contains(t, allText(t, ReviseDenied(o, c, "No.", "words:x1", "x")), "Message the editor")
	require.NotContains(t, allText(t, ReviseDenied(o, Changes{}, "No.", "words:x1", "x")), "Message the editor")
	require.NotContains(t, allText(t, ReviseDenied(s.tracked(order.StatusClosed), c, "No.", "words:x1", "x")), "Message the editor")
	long := ReviseDenied(o, Changes{All: strings.Repeat("more light ", 500)}, "No.", "words:x1", "x")
	require.NotContains(t, allText(t, long), "Message the editor")
	require.Contains(t, allText(t, long), "5,000")
	require.Equal(t, "1 · beach 1.jpg: beach\nBrighter\nold beach: beach\nAll other images: beach\nWarmer", c.Text(o))
}

func TestWordsFollowTheirImage(t *testing.T) {
	o := scene{"beach", 2}.tracked(order.StatusReviewing)
	c := Changes{Each: []ImageWords{{"sh38nsk1", "beach 1.jpg", "Brighter"}, {"sh38nsk2", "beach 2.jpg", "Warmer"}, {"lost", "sea.jpg", "Bluer"}}}
	o.Order.EditedImages = append(o.Order.EditedImages, order.EditedImage{ID: "new1", Name: "beach 1.jpg", Revision: 2})
	require.Equal(t, map[string][]string{"new1": {"Brighter"}, "sh38nsk2": {"Warmer"}}, c.For(o).PerImage(o))
	require.Contains(t, allText(t, ReviseStale(o, Course{}, 1, c.For(o), previews, "x")), "Bluer", "shown to be copied")
}

func TestWordsForAllOthersReachThoseWithoutTheirOwn(t *testing.T) {
	order := scene{"beach", 3}.tracked(order.StatusReviewing)
	c := Changes{All: "Warmer\n\n Softer ", Each: []ImageWords{{ID: "sh38nsk2", Words: "Brighter"}}}
	byImage, rest := c.Instructions(order)
	require.True(t, rest)
	require.Equal(t, map[string][]string{"sh38nsk1": {"Warmer", "Softer"}, "sh38nsk2": {"Brighter"}, "sh38nsk3": {"Warmer", "Softer"}}, byImage)

	c = c.Refused(order, Problems{"image ID not found: sh38nsk3"})
	byImage, _ = c.Instructions(order)
	require.NotContains(t, byImage, "sh38nsk3", "the service does not know it")

	_, rest = Changes{Each: c.Each}.Instructions(order)
	require.False(t, rest)
}

func TestAnImageIsNamedByItsWholeID(t *testing.T) {
	for problem, want := range map[string]bool{
		"image ID not found: sh38": true, "Image id not found, sh38.": true, `image id not found: "sh38", "x"`: true, "image processor not found: sh38": false,
		"image ID not found: sh381": false, "image ID not found: xsh38, sh38": true, "invalid order id: sh38": false, "": false,
	} {
		require.Equal(t, want, namesImage(problem, "sh38"), problem)
	}
	require.False(t, namesImage("image ID not found: ", ""))
}

func TestARefusedImageIsShownThoughItWasNotChosen(t *testing.T) {
	order := scene{"beach", 50}.tracked(order.StatusReviewing)
	c := Changes{All: "Warmer"}.Refused(order, Problems{"image ID not found: sh38nsk20"})
	text := allText(t, Revise(order, Course{}, c, previews, "x"))
	require.Contains(t, text, "image ID not found: sh38nsk20")
	require.NotContains(t, text, "No changes were requested", "it stands beside its image")
	require.Equal(t, []string{"20 · beach 20.jpg"}, boxesIn(Revise(order, Course{}, c, previews, "x")))
	require.Contains(t, allText(t, Revise(order, Course{}, Changes{Problems: Problems{"no"}}, previews, "x")), "No changes were requested")
}

// boxesIn are the images that have boxes in a form.
func boxesIn(view slack.ModalViewRequest) []string {
	var boxes []string
	for _, b := range view.Blocks.BlockSet {
		if in, ok := b.(*slack.InputBlock); ok && strings.HasPrefix(in.BlockID, fieldImage+":") {
			boxes = append(boxes, in.Label.Text)
		}
	}
	return boxes
}

func TestUpToFiveImagesHaveTheirBoxesAtOnceAndOfMoreOneChooses(t *testing.T) {
	for images, want := range map[int]int{1: 1, 5: 5, 6: 0, 12: 0, 50: 0} {
		form := Revise(scene{"beach", images}.tracked(order.StatusReviewing), Course{}, Changes{}, previews, "x")
		require.Len(t, boxesIn(form), want)
		text := allText(t, form)
		require.Equal(t, images > 5, strings.Contains(text, "Which images?"))
		require.Equal(t, images > 5, strings.Contains(text, "For all images"))
		require.Equal(t, images <= 5, strings.Contains(text, "All other images"))
	}
}

func TestAnImageThatIsChosenHasItsPictureAndItsWordsComeBack(t *testing.T) {
	o := scene{"beach", 12}.tracked(order.StatusReviewing)
	third, fifth := ImageWords{ID: "sh38nsk3", Name: "beach 3.jpg"}, ImageWords{ID: "sh38nsk5", Name: "beach 5.jpg"}
	c := Changes{}.choose([]ImageWords{third, fifth})
	form := Revise(o, Course{}, c, previews, "x")
	require.Equal(t, []string{"3 · beach 3.jpg", "5 · beach 5.jpg"}, boxesIn(form))
	require.Contains(t, pretty(t, form), "thumbs/sh38nsk3.jpg")
	third.Words = "Brighter"
	c = c.with([]ImageWords{third}).choose([]ImageWords{fifth})
	require.Equal(t, []ImageWords{third}, c.Aside)
	require.Empty(t, c.PerImage(o), "what is not chosen is not sent")
	require.Contains(t, allText(t, Revise(o, Course{}, c, previews, "x")), "Your words for *3 · beach 3.jpg* are kept and not sent")
	c = c.choose([]ImageWords{fifth, third})
	require.Equal(t, "Brighter", c.wordsFor("sh38nsk3"))
	require.Empty(t, c.Aside)
}

func TestSomethingNewerIsSeen(t *testing.T) {
	o := scene{"beach", 2}.tracked(order.StatusReviewing) // revision 1, images of revision 1
	meta := DecodeMeta(Approve(o, Course{}, "", previews, "x").PrivateMetadata)
	require.False(t, Newer(o, 1, meta.Pictures), "a form that shows it is bound to it")
	require.True(t, Newer(o, 0, meta.Pictures))
	require.True(t, Newer(o, 1, "none"), "no pictures were seen")
	require.False(t, Newer(o, 1, ""), "a form of the release before")
	bare := o
	bare.Order.EditedImages = nil
	require.True(t, Newer(o, 1, DecodeMeta(Approve(bare, Course{}, "", previews, "x").PrivateMetadata).Pictures))

	button := SeenValue(o)
	id, revision, ok := ParseValue(button)
	require.Equal(t, []any{o.ID, 1, true}, []any{id, revision, ok})
	require.Equal(t, meta.Pictures, PicturesIn(button))
	require.Empty(t, PicturesIn(Value(o.ID, 1)))

	was := o.Order.EditedImages[0]
	for name, change := range map[string]func(*order.EditedImage){
		"a later revision":   func(i *order.EditedImage) { i.Revision = 2 },
		"another picture":    func(i *order.EditedImage) { i.ID = "new" },
		"uploaded once more": func(i *order.EditedImage) { i.UploadedAt = i.UploadedAt.Add(time.Second) },
	} {
		o.Order.EditedImages[0] = was
		change(&o.Order.EditedImages[0])
		require.True(t, Newer(o, 1, meta.Pictures), name)
		require.Equal(t, o.Order.EditedImages[0].Revision > 1, Newer(o, 1, ""), name)
	}
	o.Order.EditedImages[0] = was
	o.Order.EditedImages[0].Thumb = "https://e.com/signed-anew"
	require.False(t, Newer(o, 1, meta.Pictures))
}

func TestALostWindowKeepsTheWordsWhereTheyAre(t *testing.T) {
	page := DecodeRevise(filled(map[string]string{"image:1:sh38nsk1": "Brighter"}))
	require.Empty(t, page.Order)
	require.Equal(t, map[string]string{"image:1:sh38nsk1": LostOrder}, page.Problem(LostOrder))
	page = DecodeRevise(filled(map[string]string{"image:1:sh38nsk1": "Brighter", "all:1:0:0": ""}))
	require.Equal(t, map[string]string{"all:1:0:0": NoChanges}, page.Problem(NoChanges))
}

func FuzzDecodeRevise(f *testing.F) {
	order := scene{"beach", 3}.tracked(order.StatusReviewing)
	fuzzViews(f, func(t *testing.T, view slack.View) {
		t.Helper()
		c := DecodeRevise(view).Into(Changes{}, order)
		checkLimits(t, Revise(order, Course{}, Changes{All: clip(c.All, 3000), Each: c.Each[:min(len(c.Each), 5)]}, previews, "x"))
	})
}

func TestALongMessageFullOfMarksIsShownWhole(t *testing.T) {
	words := strings.Repeat("make *this* `brighter` ", 200) + "the end"
	quoted := strings.Join(quotation(words, maxQuote), "\n")
	require.Contains(t, quoted, "the end")
	require.Equal(t, 400, strings.Count(quoted, "∗"))
	require.Contains(t, strings.Join(quotation("make *this* brighter", maxQuote), "\n"), onlySaid('*'), "a short one reads as typed, sign for sign")
}
