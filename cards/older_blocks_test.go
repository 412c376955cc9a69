package cards_test

import (
	"strings"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

func TestOlderBlocksSayTheSameWithTheSamePictures(t *testing.T) {
	for row, s := range cardstest.Scenes() {
		view := change.ApproveStale(s.Tracked(order.StatusReviewing), cards.RoundHistory{}, 0, s.Words, cardstest.Previews, "x1")
		newer := cardstest.Pretty(t, view)
		view.Blocks.BlockSet = kit.Older(view.Blocks.BlockSet)
		older := cardstest.Pretty(t, view)
		cardstest.CheckLimits(t, view)
		require.NotContains(t, older, `"layout"`, row)
		require.NotContains(t, older, `"alert"`, row)
		require.Contains(t, older, ":warning: You saw round 1", row)
		require.Equal(t, strings.Count(newer, `"image_url"`), 2*strings.Count(older, `"image_url"`), "of each picture one is the layout's and one its fallback's")
	}
}

func TestAPictureThatIsGoneCostsOnlyItself(t *testing.T) {
	s := cardstest.Of("beach", 4)
	view := change.Approve(s.Tracked(order.StatusReviewing), cards.RoundHistory{}, "", cardstest.Previews, "x1")
	gone := s.Edited(0)[3].Thumb
	view.Blocks.BlockSet = kit.WithoutPictures(view.Blocks.BlockSet, func(address string) bool { return address == gone })
	cardstest.CheckLimits(t, view)
	text := cardstest.Pretty(t, view)
	require.NotContains(t, text, "thumbs/sh38nsk4.jpg")
	require.Contains(t, text, "4 · beach 4.jpg", "its link stays")
	for _, others := range []string{"thumbs/sh38nsk1.jpg", "thumbs/sh38nsk3.jpg"} {
		require.Equal(t, 2, strings.Count(text, others))
	}
	view.Blocks.BlockSet = kit.WithoutPictures(view.Blocks.BlockSet, func(string) bool { return true })
	cardstest.CheckLimits(t, view)
	require.False(t, kit.HasPictures(view.Blocks.BlockSet))
	require.NotContains(t, cardstest.Pretty(t, view), `"layout"`, "none is left empty")
}

func TestAnAlertIsAParagraphWhereTheModalIsGone(t *testing.T) {
	s := cardstest.Of("beach", 1)
	m := kit.AsMessage(change.ApproveDenied(s.Tracked(order.StatusCanceled), "Lovely.", "It is over.", "x1"))
	cardstest.CheckLimits(t, m)
	require.Contains(t, m.Text, ":warning: It is over.")
	long := change.ApproveDenied(s.Tracked(order.StatusCanceled), "", strings.Repeat("No. ", 60), "x1")
	cardstest.CheckLimits(t, long)
	require.IsType(t, &slack.SectionBlock{}, long.Blocks.BlockSet[0], "an alert holds 200 characters")
}

func TestAnApprovalOffersTheFinalImages(t *testing.T) {
	for images, says := range map[int]string{1: "Final photos: <", 50: "and 35 more"} {
		s := cardstest.Of("beach", images)
		o := s.Tracked(order.StatusClosed)
		o.Order.EditedImages = s.Edited(1)
		m := cards.Reply(o, s.Event(order.EventApproved, order.StatusClosed), false, cards.Thumbs{})
		cardstest.CheckLimits(t, m)
		require.True(t, strings.HasPrefix(m.Text, "Approved by <@U0PETER>"))
		require.Contains(t, m.Text, says)
		require.Equal(t, images > cards.MostLinks, strings.Contains(m.Text, "/order show"), "all of them are there")
	}
}

func TestTheFirstRoundsFormSaysWhatWasAskedForAnImage(t *testing.T) {
	s := cardstest.Of("beach", 3)
	o := s.Tracked(order.StatusReviewing)
	zero := 0
	o.Order.Revision = &zero
	o.Brief.Sources[1].Instruction = "Bluer sea."
	require.Contains(t, cardstest.Pretty(t, change.Revise(o, cards.RoundHistory{}, change.Changes{}, cardstest.Previews, "x1")), "Asked for: Extensive. Bluer sea.")
}
