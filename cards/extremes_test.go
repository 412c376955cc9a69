package cards_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/change"
	"darkroom/cards/home"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/cards/talk"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// long generates text of at most so many characters that is hard to display.
func long(t *rapid.T, name string, most int) string {
	piece := rapid.SampledFrom([]string{
		"a", "word ", "&", "<", "*", "🎉", "👩‍🎨", "ש", "ع ", "字", "é", "\n", "x\n", "<!channel> ", "\u202e", "\u200b", "\x07", "https://e.com/a|b ",
	}).Draw(t, name)
	n := rapid.SampledFrom([]int{0, 1, 7, most / 2, most - 1, most}).Draw(t, name+" length")
	text := []rune(strings.Repeat(piece, n/len([]rune(piece))+1))
	return string(text[:n])
}

// anOrder generates any order that the service may return: at most 50 images, several revisions, names of 300
// characters and URLs of 400.
func anOrder(t *rapid.T) store.Tracked {
	s := cardstest.Of("x", rapid.SampledFrom([]int{0, 1, 2, 20, 21, 49, 50}).Draw(t, "images"))
	tracked := s.Tracked(rapid.SampledFrom([]order.Status{
		order.StatusEditing, order.StatusRevising, order.StatusPaused, order.StatusReviewing, order.StatusClosed, order.StatusCanceled, "archiving",
	}).Draw(t, "status"))
	tracked.Order.ProjectName = long(t, "project", 300)
	name, address := long(t, "name", 300), strings.Repeat(rapid.SampledFrom([]string{"a", "&", "|"}).Draw(t, "address"), 350)
	tracked.Order.EditedImages = nil
	for revision := range rapid.IntRange(1, 2).Draw(t, "revisions") {
		for i, image := range s.Edited(revision) {
			image.ID = fmt.Sprintf("%s%d.%d", strings.Repeat("i", 100), i, revision)
			image.Name = fmt.Sprint(i, name, ".jpg")
			image.Thumb, image.Origin = image.Thumb+address, image.Origin+address
			tracked.Order.EditedImages = append(tracked.Order.EditedImages, image)
		}
	}
	tracked.Brief = aDraft(t).Brief()
	return cardstest.MarkedGood(tracked, rapid.SampledFrom([]int{0, len(order.Latest(tracked.Order.EditedImages)) / 2, len(order.Latest(tracked.Order.EditedImages))}).Draw(t, "good"))
}

// aDraft generates any draft that the form takes: at most 50 uploads and URLs together.
func aDraft(t *rapid.T) store.Draft {
	d := store.Draft{
		ID: "0123456789abcdef", Channel: "C0PHOTOS", Service: order.ServiceExtensive, Attempt: 12, Reference: "K7Q2XM",
		ProjectName: long(t, "project name", order.MaxProjectName), CustomerID: long(t, "customer", order.MaxCustomerID),
		Instructions: strings.Split(long(t, "instructions", 3000), "\n"), Each: map[string]store.PerImage{},
	}
	uploads := rapid.SampledFrom([]int{0, 1, 20, 50}).Draw(t, "uploads")
	name := long(t, "file", 300)
	for i := range uploads {
		d.Files = append(d.Files, store.DraftFile{ID: fmt.Sprintf("F0%09d", i), Name: fmt.Sprint(name, i, ".jpg"), Size: 9 << 20, URL: fmt.Sprint("https://darkroom.example/files/", strings.Repeat("t", 100), "/", i)})
	}
	for i := range rapid.SampledFrom([]int{0, 1, 30, 50}).Draw(t, "addresses") {
		if len(d.Files)+i < order.MaxImages {
			d.URLs = append(d.URLs, fmt.Sprint("https://e.com/", strings.Repeat("a", 100), i))
		}
	}
	own := long(t, "own", 1000)
	for _, image := range d.Images() {
		if rapid.Bool().Draw(t, "each") {
			d.Each[image.Address] = store.PerImage{Service: order.ServiceReference, Instruction: own}
		}
	}
	return d
}

// typedChanges generates text for any of the images.
func typedChanges(t *rapid.T, tracked store.Tracked) change.Changes {
	c := change.Changes{All: long(t, "for all", 3000)}
	each := long(t, "for one", 3000)
	for _, image := range order.Latest(tracked.Order.EditedImages) {
		if each != "" && rapid.Bool().Draw(t, "with words") {
			c.Each = append(c.Each, change.ImageText{ID: image.ID, Name: image.Name, Words: each})
		}
	}
	for range rapid.IntRange(0, 5).Draw(t, "refusals") {
		c.Problems = append(c.Problems, long(t, "problem", 600))
	}
	var pins store.PinDraft
	for _, image := range order.Latest(tracked.Order.EditedImages) {
		for n := range rapid.IntRange(0, 3).Draw(t, "pins") * order.MaxPinsOfImage / 3 {
			pin := order.Pin{ID: strconv.Itoa(n), Edit: image.Edit(), Image: image.ID, Name: image.Name, X: n * 50, Words: kit.Clip(each, order.MaxPinWords)}
			if with, err := pins.Pins.With(pin); err == nil {
				pins.Pins = with
			}
		}
	}
	if rapid.Bool().Draw(t, "replaced") {
		for i := range pins.Pins {
			pins.Pins[i].Edit += "before"
		}
	}
	return c.WithPins("U0MARIA", pins)
}

// TestEveryOrderFitsSlacksLimits tests realistic sizes. [TestWhateverIsTypedFitsSlacksLimits] tests any text
// in any view.
func TestEveryOrderFitsSlacksLimits(t *testing.T) {
	cardstest.Fewer(t, 10)
	rapid.Check(t, func(t *rapid.T) {
		o := anOrder(t)
		thumbs, words := cards.Thumbs{Show: rapid.Bool().Draw(t, "thumbs"), ZIP: cardstest.Downloads.ZIP}, long(t, "words", 3000)
		shown := map[string]any{
			"card": cards.Card(o, cardstest.Links, cardstest.Now), "approve": change.Approve(o, cards.RoundHistory{}, words, thumbs, "x1"), "stale": change.ApproveStale(o, cards.RoundHistory{}, 0, words, thumbs, "x1"),
			"refused": change.ApproveRefused(o, cards.RoundHistory{}, words, kit.Problems{words}, thumbs, "x1"), "denied": change.ApproveDenied(o, words, "No.", "x1"),
			"cancel": change.Cancel(o, words, cardstest.Now, "x1"), "late": change.CancelTooLate(o, words, kit.Problems{words}, "note", "x1"),
		}
		var events []order.Event
		for _, kind := range slices.Sorted(maps.Keys(cardstest.Kinds())) {
			e := order.Event{Seq: 3, ID: string(kind) + ":x", Kind: kind, Actor: "U0PETER", Order: o.Order, At: cardstest.Now, Words: strings.Split(long(t, "said", 5000), "\n")}
			e.PerImage = map[string][]string{}
			for _, image := range order.Latest(o.Order.EditedImages) {
				e.PerImage[image.ID] = strings.Split(words, "\n")
			}
			events = append(events, e)
			shown["reply "+string(kind)] = cards.Reply(o, e, true, cardstest.Downloads)
		}
		shown["show"], shown["showing"] = cards.Show(o, events, true, thumbs, cardstest.Now), cards.Showing(o, events, true, thumbs, cardstest.Now, "x1")
		ten := slices.Repeat([]store.Tracked{o}, 10)
		shown["several"] = change.SelectApprovals(change.Selection{Orders: ten, Total: 1000}, thumbs, "x1")
		shown["list"] = cards.List(cards.Listing{Orders: ten, Total: 1000, Page: 3, Channel: "C0PHOTOS", Words: []string{long(t, "searched", 1500)}, Newer: "3", Older: "5"})
		shown["home"] = home.Tab(home.View{Totals: map[home.Section]int{home.Review: 1000}, Orders: ten, Page: 3}, cardstest.Previews, cardstest.Now)
		for _, name := range slices.Sorted(maps.Keys(shown)) {
			fits(t, name, shown[name])
		}
	})
}

// refImages returns images at these URLs with the same instruction.
func refImages(urls []string, words string) []talk.RefImage {
	var images []talk.RefImage
	for _, address := range urls[:min(len(urls), 50)] { // no more can be added at once
		images = append(images, talk.RefImage{Name: store.ImageName(address), URL: address, Instruction: words})
	}
	return images
}

// laterCourse generates the history of a round in which every image is new, with long instructions for each.
func laterCourse(t *rapid.T, o store.Tracked) cards.RoundHistory {
	before := order.Event{Kind: order.EventReady, Order: o.Order}
	before.Order.EditedImages = slices.Clone(order.Latest(o.Order.EditedImages))
	asked := order.Event{Kind: order.EventChanges, Actor: "U0PETER", PerImage: map[string][]string{}}
	words := strings.Split(long(t, "asked", 3000), "\n")
	for i := range before.Order.EditedImages {
		before.Order.EditedImages[i].ID += "old"
		if rapid.Bool().Draw(t, "alone") {
			asked.PerImage[before.Order.EditedImages[i].ID] = words
		}
	}
	return cards.RoundHistory{Before: &before, Asked: &asked}
}

func TestEveryFormForChangesFitsSlacksLimits(t *testing.T) {
	cardstest.Fewer(t, 4)
	rapid.Check(t, func(t *rapid.T) {
		o := anOrder(t)
		c := typedChanges(t, o)
		fits(t, "revise", change.Revise(o, cards.RoundHistory{}, c, cardstest.Previews, "x1"))
		fits(t, "carried", change.Revise(o, cards.RoundHistory{}, c.For(o), cardstest.Previews, "x1"))
		fits(t, "later", change.Revise(o, laterCourse(t, o), c, cardstest.Previews, "x1"))
		fits(t, "approve later", change.Approve(o, laterCourse(t, o), c.All, cardstest.Previews, "x1"))
		fits(t, "stale", change.ReviseStale(o, cards.RoundHistory{}, 0, c, cardstest.Previews, "x1"))
		fits(t, "refused", change.Revise(o, cards.RoundHistory{}, c.Refused(o, c.Problems), cardstest.Previews, "x1"))
		fits(t, "denied", change.ReviseDenied(o, c, "No.", "note", "x1"))
		fits(t, "unsettled", change.ReviseUnsettled(o, c, "x1"))
		for _, m := range change.ReviseKept(o, 0, c, "note") {
			fits(t, "kept", m)
		}
	})
}

func TestEveryDraftFitsSlacksLimits(t *testing.T) {
	cardstest.Fewer(t, 8)
	rapid.Check(t, func(t *rapid.T) {
		d := aDraft(t)
		for range rapid.IntRange(0, 60).Draw(t, "refusals") {
			d.Problems = append(d.Problems, "one file is not accessible from our server: "+long(t, "problem", 600))
		}
		for _, f := range d.Files {
			d.Problems = append(d.Problems, "one file is not accessible from our server: "+f.URL)
		}
		around := place.FormExtras{Problems: d.Problems, Balance: "123.45", Upload: rapid.Bool().Draw(t, "upload"), UploadGen: 4, Unfinished: &d, Skipped: slices.Repeat([]string{long(t, "left", 300)}, 50)}
		form := place.Window(d, around, "x1")
		fits(t, "form", form)
		meta := kit.DecodeMeta(form.PrivateMetadata)
		require.Len(t, meta.Photos, len(d.Files), "a form knows its photos")
		require.Equal(t, d.ID, meta.Draft)
		for page := range place.ImagePages(d) {
			fits(t, "images", place.ImagesWindow(d, page, around, "x1"))
		}
		fits(t, "placing", place.Placing(d, "x1"))
		fits(t, "not placed", place.NotPlaced(d, "x1"))
		fits(t, "unsettled", place.Unsettled(d, "x1"))
		fits(t, "kept", place.Refused(d, d.Problems))
		fits(t, "reopen", place.Reopen(d, "No."))
	})
}

func TestEveryMessageFitsSlacksLimits(t *testing.T) {
	cardstest.Fewer(t, 8)
	rapid.Check(t, func(t *rapid.T) {
		order, words := anOrder(t), long(t, "message", order.MaxMessage)
		urls := strings.Split(long(t, "urls", 3000), "\n")
		u := talk.Unsent{Why: "No.", Problems: kit.Problems{words}, Unknown: true}
		shown := map[string]any{
			"editor": talk.MessageEditor(order, words, "C1", "x1"), "any": talk.MessageAnyOrder(words, "C1", "x1"), "correction": talk.Correction(order, words, "C1", "x1"),
			"refused": talk.MessageRefused(order, words, u, "C1", "x1"), "denied": talk.MessageDenied("No.", words, "x1"), "later": talk.MessageLater(order, words, "x1"),
			"missing": kit.NoticeWith(talk.TitleMessage, cards.NotFound("84521"), words, "x1"), "kept": talk.MessageKept(order, words, u, "note"), "pick": cards.Pick("message", cardstest.Of("beach", 1).Many(12), words, "note"),
			"references":      talk.References(order, talk.RefForm{URLs: urls, Instruction: words, Unsent: u, Upload: true, PerImage: true}, "x1"),
			"references each": talk.ReferenceEach(order, refImages(urls, words), talk.RefForm{Instruction: words}, 0, "x1"), "references denied": talk.ReferencesDenied("No.", urls, words, "x1"),
			"references later": talk.ReferencesLater(order, urls, "x1"), "crops": talk.CropsNotSent(order, talk.Unsent{Problems: kit.Problems{words}}), "edited": talk.RelayEdited(order, words, false, "note"), "not found": kit.SayWith(cards.NotFound("84521"), words),
		}
		for _, name := range slices.Sorted(maps.Keys(shown)) {
			fits(t, name, shown[name])
		}
	})
}

// fits is checkLimits with the name of what does not, and with what this app keeps to: no
// fits is checkLimits, of a modal also as the messages that say the same when it is
// closed.
func fits(t *rapid.T, name string, v any) {
	t.Helper()
	cardstest.CheckLimits(naming{t, name}, v)
	if view, ok := v.(slack.ModalViewRequest); ok {
		raw, err := json.Marshal(view)
		require.NoError(t, err, name)
		require.LessOrEqual(t, len(raw), kit.MaxView, name)
		if view.Submit != nil && view.CallbackID != change.CallbackSelect { // there each tick says what it is about
			require.NotEqual(t, "{}", view.PrivateMetadata, "%s has forgotten what it is about", name)
		}
		cardstest.CheckLimits(naming{t, name + " as a message"}, kit.AsMessage(view))
		for _, m := range kit.AsMessages(view) {
			cardstest.CheckLimits(naming{t, name + " told in full"}, m)
		}
	}
}

// naming adds the view's name to a failure.
type naming struct {
	*rapid.T
	name string
}

func (n naming) Errorf(format string, args ...any) { n.T.Errorf(n.name+": "+format, args...) }
