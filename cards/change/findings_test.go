package change_test

import (
	"strconv"
	"strings"
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/stretchr/testify/require"
)

func TestTheFormBeginsWithWhatWasFound(t *testing.T) {
	t.Parallel()
	s := cardstest.Of("beach.jpg", 3)
	tracked := s.Tracked(order.StatusReviewing)
	images := order.Latest(tracked.Order.EditedImages)
	round := "ready:r" + strconv.Itoa(tracked.Order.Rev())
	tracked.Thread = []store.Posted{{ID: round, Inspection: &order.Inspection{Photos: 3, Findings: []order.Finding{
		{Kind: order.FoundNoPicture, Number: 1, Image: images[0].ID},
		{Kind: order.FoundUntouched, Number: 1, Image: images[0].ID},
		{Kind: order.FoundUntouched, Number: 2, Image: images[1].ID},
	}}}}
	tracked.Verdicts = order.Verdicts{images[1].ID: {Edit: images[1].Edit(), Good: true}}
	c := change.Changes{Each: []change.ImageText{{ID: images[0].ID, Words: "again: Warmer."}}}.WithFindings(tracked)
	require.True(t, c.Found)
	require.Equal(t, map[string][]string{images[0].ID: {
		"again: Warmer.", "This file is not a picture. Please deliver it again.", "This photo looks like its original. Please edit it.",
	}}, c.PerImage(tracked), "a photo that somebody found good is left out")
	long := change.Changes{Each: []change.ImageText{{ID: images[0].ID, Words: strings.Repeat("a", kit.MaxInput)}}}
	require.Equal(t, long, long.WithFindings(tracked), "a full box stays as it is")
	asks := "\nThis file is not a picture. Please deliver it again.\nThis photo looks like its original. Please edit it."
	room := kit.MaxInput - kit.Units(asks)
	for typed, full := range map[int]bool{room: true, room + 1: false} {
		words := change.Changes{Each: []change.ImageText{{ID: images[0].ID, Words: strings.Repeat("a", typed)}}}.WithFindings(tracked)
		require.Equal(t, full, words.Found, typed)
	}
	tracked.Thread[0].ID = "ready:r9"
	require.True(t, change.Changes{}.WithFindings(tracked).Empty(), "another round's findings are no news")
}
