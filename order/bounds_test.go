package order_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/order"
)

// lines returns a conversation of count entries, one second apart.
func lines(count int, words func(n int) string) []order.Entry {
	var all []order.Entry
	for n := range count {
		all = append(all, order.Entry{From: "service", Content: words(n), CreatedAt: noon.Add(time.Duration(n) * time.Second)})
	}
	return all
}

// The time to process an answer grows in proportion to its length.
func TestNothingTakesLongerThanItsLength(t *testing.T) {
	const many = 40_000
	numbered := func(n int) string { return fmt.Sprint(n) }
	alike := func(int) string { return "Thanks!" }
	untimed := lines(many, alike)
	for i := range untimed {
		untimed[i].CreatedAt = time.Time{}
	}
	var images, renamed []order.EditedImage
	for n := range many {
		images = append(images, order.EditedImage{ID: fmt.Sprint(n), Name: "beach.jpg", Revision: n % 7})
		renamed = append(renamed, order.EditedImage{ID: fmt.Sprint(n), Name: fmt.Sprint(n, ".jpg")})
	}
	var bought order.Ledger
	for range many / 4 {
		bought.Month = append(bought.Month, paid("C1", of(order.ServiceBasic, 1), ""), paid("C1", of(order.ServiceBasic, 1), "2"))
	}
	escaped := "&" + strings.Repeat("amp;", many)
	for name, does := range map[string]func(){
		"lines of all kinds": func() {
			order.Merge(order.Order{Conversation: lines(many, numbered)}, order.Order{Conversation: lines(many, numbered)})
		},
		"lines of the same": func() {
			order.Merge(order.Order{Conversation: lines(many, alike)}, order.Order{Conversation: lines(many, alike)})
		},
		"lines without a time":   func() { order.Merge(order.Order{Conversation: untimed}, order.Order{Conversation: untimed}) },
		"a line escaped often":   func() { order.Merge(order.Order{}, order.Order{Conversation: []order.Entry{{Content: escaped}}}) },
		"images of one name":     func() { order.Latest(images) },
		"images of other names":  func() { order.Latest(renamed) },
		"orders without a price": func() { bought.Spent("") },
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			does()
			assert.Less(t, time.Since(began), 3*time.Second)
		})
	}
}

func TestTheNewestOfAConversationIsKept(t *testing.T) {
	all := lines(order.MaxEntries+10, func(n int) string { return fmt.Sprint(n) })
	once := order.Merge(order.Order{}, order.Order{Conversation: all})
	assert.Len(t, once.Conversation, order.MaxEntries)
	assert.Equal(t, "10", once.Conversation[0].Content)
	assert.Equal(t, once, order.Merge(once, order.Order{Conversation: all}), "what was cut is not new again")
	assert.Empty(t, order.Diff(order.Known{Order: once}, order.Order{Conversation: all}, nil, noon))

	long := lines(100, func(n int) string { return fmt.Sprint(n) + strings.Repeat(".", 20_000) })
	kept := order.KeptEntries(long)
	assert.Len(t, kept, 26, "half a megabyte")
	assert.Equal(t, long[74:], kept)
	assert.Equal(t, long[:3], order.KeptEntries(long[:3]))
}

func TestOneAnswerTellsOfSoManyLines(t *testing.T) {
	old := order.Known{Order: order.Order{ID: "A1", Status: order.StatusEditing, Conversation: []order.Entry{}}}
	told := func(count int) []order.Event {
		return order.Diff(old, order.Order{Conversation: lines(count, func(n int) string { return fmt.Sprint(n) })}, nil, noon)
	}
	assert.Len(t, told(order.MaxAnnounced), order.MaxAnnounced)
	events := told(order.MaxAnnounced + 5)
	require.Len(t, events, order.MaxAnnounced+1)
	assert.Equal(t, order.EventCut, events[0].Kind)
	assert.Equal(t, order.CutEntries, events[0].ID)
	assert.Equal(t, []string{"5"}, events[1].Words, "the newest are told")

	mine := &order.Intent{Verb: order.VerbMessage, Words: []string{"0"}, Actor: "U1", Answered: true}
	all := lines(order.MaxAnnounced+5, func(n int) string { return fmt.Sprint(n) })
	all[0].From = "client"
	events = order.Diff(old, order.Order{Conversation: all}, mine, noon)
	require.Len(t, events, order.MaxAnnounced+2)
	assert.Equal(t, "U1", events[1].Actor, "what was sent from here is told in any case")
	events = order.Diff(old, order.Order{Conversation: all[:order.MaxAnnounced+1]}, mine, noon)
	require.Len(t, events, order.MaxAnnounced+1)
	assert.NotContains(t, kinds(events), order.EventCut, "nothing is left out")
}

// Long lines reach the bound in bytes before the bound in number.
func TestNewLinesThatWereCutOffAreTold(t *testing.T) {
	all := lines(9, func(n int) string { return fmt.Sprint(n) })
	history := order.Known{Order: anOrder(order.StatusEditing, 0), Adopted: true}
	for name, tt := range map[string]struct {
		old    order.Known
		newest []order.Entry
		cut    bool // the answer
		told   bool
	}{
		"the oldest that is left is new":   {talking(all[:2]...), all[4:], true, true},
		"the oldest that is left is known": {talking(all[:5]...), all[4:], true, false},
		"nothing was cut":                  {talking(all[:2]...), all[4:], false, false},
		"of before it was tracked":         {history, all[4:], true, false},
		"none is left":                     {talking(all[:2]...), []order.Entry{}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			seen := order.Order{Conversation: tt.newest, CutEntries: tt.cut}
			assert.Equal(t, tt.told, slices.Contains(ids(order.Diff(tt.old, seen, nil, noon)), order.CutEntries))
		})
	}
}

func TestImagesThatAreNotKeptAreTold(t *testing.T) {
	old := order.Known{Order: order.Order{ID: "A1", Status: order.StatusEditing}}
	seen := order.Order{Status: order.StatusReviewing, EditedImages: []order.EditedImage{{ID: "a"}}, Cut: true}
	events := order.Diff(old, seen, nil, noon)
	require.Len(t, events, 2)
	assert.Equal(t, order.CutImages, events[1].ID)
	assert.False(t, events[1].Order.Cut)
}

func TestTheNewestEditsAreKept(t *testing.T) {
	var all []order.EditedImage
	for revision := range 3 {
		for n := range 200 {
			all = append(all, order.EditedImage{ID: fmt.Sprint(n), Name: fmt.Sprint(n, ".jpg"), Revision: revision, UploadedAt: noon.Add(time.Duration(revision) * time.Hour)})
		}
	}
	all = slices.Insert(all, 0, order.EditedImage{ID: "once", Name: "once.jpg"})
	kept := order.KeptImages(all)
	require.Len(t, kept, order.MaxEntries)
	assert.Equal(t, order.Latest(all), order.Latest(kept))
	assert.Equal(t, "once", kept[0].ID)
	assert.Equal(t, all[len(all)-400:], kept[len(kept)-400:], "then the newer rounds")
	assert.Equal(t, all[:3], order.KeptImages(all[:3]))

	wide := slices.Repeat([]order.EditedImage{{ID: "x", Origin: strings.Repeat("o", 100_000)}}, 10)
	assert.Len(t, order.KeptImages(wide), 5, "half a megabyte")
}

func TestAnOrderHasSoManyEvents(t *testing.T) {
	events := []order.Event{
		{ID: "editor:1", Kind: order.EventEditor},
		{ID: "message:1", Kind: order.EventMessage, Actor: "U1"},
		{ID: "approved", Kind: order.EventApproved, Order: order.Order{Status: order.StatusClosed}, At: noon},
	}
	assert.Equal(t, events, order.Bounded(events, order.MaxEvents-3))
	assert.Equal(t, events, order.Bounded(events, order.MaxEvents-1), "what comes first has the last place")
	kept := order.Bounded(events, order.MaxEvents)
	require.Len(t, kept, 3)
	assert.Equal(t, events[1:], kept[:2])
	assert.Equal(t, order.Event{ID: order.CutEvents, Kind: order.EventCut}, kept[2])
	assert.Equal(t, events[1:], order.Bounded(events[1:], order.MaxEvents), "nothing is left out")
	assert.Empty(t, order.Bounded(nil, 3))
	ready := []order.Event{{ID: "ready:r1", Kind: order.EventReady}}
	assert.Equal(t, ready, order.Bounded(ready, 2*order.MaxEvents-1), "talk takes no review away")
	assert.Equal(t, order.CutEvents, order.Bounded(ready, 2*order.MaxEvents)[0].ID)
}

// Latest returns what a comparison of each pair of images finds.
func TestLatestIsWhatEachPairTells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		images := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) order.EditedImage {
			return order.EditedImage{
				ID: rapid.SampledFrom([]string{"", "a", "b", "c", "d"}).Draw(t, "id"), Name: rapid.SampledFrom([]string{"", "x", "y", "z"}).Draw(t, "name"),
				Revision: rapid.IntRange(-1, 4).Draw(t, "revision"), Width: rapid.Int().Draw(t, "width"),
			}
		}), 0, 20).Draw(t, "images")
		assert.Equal(t, latestByPairs(images), order.Latest(images))
	})
}

// latestByPairs finds the latest edits by comparing each pair of images.
func latestByPairs(images []order.EditedImage) []order.EditedImage {
	images = slices.Clone(images)
	slices.SortStableFunc(images, func(a, b order.EditedImage) int { return cmp.Compare(a.Revision, b.Revision) })
	var latest []order.EditedImage
	for _, image := range images {
		i := slices.IndexFunc(latest, func(old order.EditedImage) bool { return image.ID != "" && image.ID == old.ID })
		if i < 0 {
			i = slices.IndexFunc(latest, image.Replaces)
		}
		if i < 0 {
			latest = append(latest, image)
			continue
		}
		latest[i] = image
	}
	return latest
}
