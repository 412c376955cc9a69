package cards_test

import (
	"slices"
	"strconv"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/order"

	"github.com/stretchr/testify/require"
)

// everyFinding is an inspection with a finding of each kind.
func everyFinding(s cardstest.Scene) *order.Inspection {
	found := &order.Inspection{Photos: 12, Required: true, Unchecked: []int{12}}
	for i, f := range []order.Finding{
		{Kind: order.FoundMissing, Name: s.Words},
		{Kind: order.FoundEdge, Got: "1200", Want: "2000"},
		{Kind: order.FoundSize, Got: "1200 × 900", Want: "2000 × 1500"},
		{Kind: order.FoundRatio, Got: "1200 × 900", Want: "3:2"},
		{Kind: order.FoundFormat, Got: "image/webp", Want: "image/jpeg image/png"},
		{Kind: order.FoundProfile, Got: "none", Want: "adobe-rgb"},
		{Kind: order.FoundLarge, Got: "25", Want: "20"},
		{Kind: order.FoundBackground, Want: "white"},
		{Kind: order.FoundName, Got: "b.jpg", Want: s.Words},
		{Kind: order.FoundNoPicture},
		{Kind: order.FoundUntouched},
		{Kind: order.FoundUnchanged, Got: "0"},
		{Kind: order.FoundTwice},
	} {
		if f.Kind != order.FoundMissing {
			f.Number, f.Image, f.Name = i, "img"+strconv.Itoa(i), s.Words
		}
		found.Findings = append(found.Findings, f)
	}
	return found
}

func TestAReviewSaysWhatWasFound(t *testing.T) {
	t.Parallel()
	edge := func(number int, name string) order.Finding {
		return order.Finding{Kind: order.FoundEdge, Number: number, Name: name, Got: "1200", Want: "2000"}
	}
	missing := func(name, got string) order.Finding {
		return order.Finding{Kind: order.FoundMissing, Name: name, Got: got}
	}
	for want, found := range map[string]*order.Inspection{
		"":                           nil,
		"12 photos, all as ordered.": {Photos: 12, Required: true},
		"1 photo, all as ordered.":   {Photos: 1, Required: true},
		"10 of 12 photos are as ordered. Not checked: 3, 4.": {Photos: 12, Required: true, Unchecked: []int{3, 4}},
		"Not checked: I could not read the photos.":          {Photos: 2, Required: true, Unchecked: []int{1, 2}},
		"*2 photos are missing:* a.jpg, b.jpg.":              {Photos: 10, Required: true, Findings: []order.Finding{missing("a.jpg", ""), missing("b.jpg", "")}},
		"*2 photos are missing:* a.jpg, photo.":              {Photos: 10, Required: true, Findings: []order.Finding{missing("a.jpg", ""), missing("", "")}},
		"*1 photo is missing.*":                              {Photos: 1, Findings: []order.Finding{missing("", "1")}},
		"*3 photos more than ordered.*":                      {Photos: 4, Findings: []order.Finding{{Kind: order.FoundTwice, Got: "3"}}},
		"*1 of 12 photos needs a look:* 3 · a.jpg is 1,200 px, ordered 2,000 px; 3 · a.jpg is 25 MB, ordered at most 9 MB.": {Photos: 12, Findings: []order.Finding{edge(3, "a.jpg"), {Kind: order.FoundLarge, Number: 3, Name: "a.jpg", Got: "25", Want: "9"}}},
	} {
		require.Equal(t, want, cards.Inspected(found))
	}
	many := &order.Inspection{Photos: 50, Required: true}
	for i := range 50 {
		many.Findings, many.Unchecked = append(many.Findings, edge(i+1, "a.jpg")), append(many.Unchecked, i+1)
	}
	many.Unchecked = many.Unchecked[:49]
	said := cards.Inspected(many)
	require.Contains(t, said, "*50 of 50 photos need a look:*")
	require.Contains(t, said, "5 · a.jpg is 1,200 px, ordered 2,000 px; and 45 more. Not checked: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 39 more.")
}

func TestTheEditorIsAskedInFullSentences(t *testing.T) {
	t.Parallel()
	found := everyFinding(cardstest.Of("beach.jpg", 1))
	for id, want := range map[string]string{
		"img1":  "Please deliver this photo with a long edge of at least 2,000 px. It has 1,200 px.",
		"img2":  "Please deliver this photo in 2,000 × 1,500 px. It is 1,200 × 900 px.",
		"img3":  "Please crop this photo to 3:2. It is 1,200 × 900 px.",
		"img4":  "Please deliver this photo as JPEG or PNG. It is WebP.",
		"img5":  "Please save this photo with the Adobe RGB profile. It has no profile.",
		"img6":  "Please deliver a file of at most 20 MB. It has 25 MB.",
		"img7":  "Please make the background plain white.",
		"img8":  "Please name this file as its original: beach.jpg",
		"img9":  "This file is not a picture. Please deliver it again.",
		"img10": "This photo looks like its original. Please edit it.",
		"img11": "This photo looks the same as in round 1. Please make the changes that we asked for.",
	} {
		require.Equal(t, []string{want}, cards.AsksOf(found, order.EditedImage{ID: id}))
	}
	require.Empty(t, cards.AsksOf(found, order.EditedImage{ID: "img12"}), "a second edit asks for nothing")
	require.Empty(t, cards.AsksOf(found, order.EditedImage{}))
	require.Empty(t, cards.AsksOf(nil, order.EditedImage{ID: "img1"}))
}

// Only a photo for which changes were requested is compared with the edit before.
func TestAPhotoIsComparedWithWhatItMustNotBe(t *testing.T) {
	t.Parallel()
	s := cardstest.Of("beach.jpg", 3)
	rounds := s.Rounds(1)
	tracked := s.Tracked(order.StatusReviewing)
	later := rounds[len(rounds)-1]
	tracked.Order = later.Order
	course := cards.RoundHistoryOf(tracked, rounds, later)
	compared := func() (before []bool) {
		for _, photo := range cards.Compared(tracked, later, course) {
			before = append(before, photo.Before != "")
		}
		return before
	}
	require.NotNil(t, course.Asked)
	require.Equal(t, []bool{true, false, false}, compared())
	course.Asked.PerImage, course.Asked.Words = nil, nil
	require.Equal(t, []bool{false, false, false}, compared(), "nobody asked for changes")
	course.Asked.Words = []string{"warmer"}
	require.Equal(t, []bool{true, false, false}, compared())
	for what, change := range map[string]func(*order.EditedImage){
		"it is wider":  func(i *order.EditedImage) { i.Width += i.Revision },
		"it is higher": func(i *order.EditedImage) { i.Height += i.Revision },
		"it has another name": func(i *order.EditedImage) {
			if i.Revision > 0 {
				i.ID, i.Name = "sh38nsk1", "renamed.jpg"
			}
		},
	} {
		as := slices.Clone(later.Order.EditedImages)
		for i := range later.Order.EditedImages {
			change(&later.Order.EditedImages[i])
		}
		require.Equal(t, []bool{false, false, false}, compared(), what)
		copy(later.Order.EditedImages, as)
	}
	require.Equal(t, []bool{true, false, false}, compared())

	first := s.Event(order.EventReady, order.StatusReviewing)
	tracked = s.Tracked(order.StatusReviewing)
	tracked.Brief = &order.Brief{Sources: []order.Source{{Name: tracked.Order.EditedImages[0].Name, URL: "https://example.com/a.jpg"}, {Name: tracked.Order.EditedImages[1].Name, File: "F1"}}}
	photos := cards.Compared(tracked, first, cards.RoundHistory{})
	require.Equal(t, "https://example.com/a.jpg", photos[0].Before)
	require.Nil(t, photos[0].Revision, "it is the original")
	require.Empty(t, photos[1].Before, "a file in Slack is not fetched")
}
