package cards

import (
	"strings"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/order"
)

func TestOlderBlocksSayTheSameWithTheSamePictures(t *testing.T) {
	for row, s := range scenes() {
		view := ApproveStale(s.tracked(order.StatusReviewing), Course{}, 0, s.words, previews, "x1")
		newer := pretty(t, view)
		view.Blocks.BlockSet = Older(view.Blocks.BlockSet)
		older := pretty(t, view)
		checkLimits(t, view)
		require.NotContains(t, older, `"layout"`, row)
		require.NotContains(t, older, `"alert"`, row)
		require.Contains(t, older, ":warning: You looked at round 1", row)
		require.Equal(t, strings.Count(newer, `"image_url"`), 2*strings.Count(older, `"image_url"`), "of each picture one is the layout's and one its fallback's")
	}
}

func TestAPictureThatIsGoneCostsOnlyItself(t *testing.T) {
	s := scene{"beach", 4}
	view := Approve(s.tracked(order.StatusReviewing), Course{}, "", previews, "x1")
	gone := s.edited(0)[3].Thumb
	view.Blocks.BlockSet = WithoutPictures(view.Blocks.BlockSet, func(address string) bool { return address == gone })
	checkLimits(t, view)
	text := pretty(t, view)
	require.NotContains(t, text, "thumbs/sh38nsk4.jpg")
	require.Contains(t, text, "4 · beach 4.jpg", "its link stays")
	for _, others := range []string{"thumbs/sh38nsk1.jpg", "thumbs/sh38nsk3.jpg"} {
		require.Equal(t, 2, strings.Count(text, others))
	}
	view.Blocks.BlockSet = WithoutPictures(view.Blocks.BlockSet, func(string) bool { return true })
	checkLimits(t, view)
	require.False(t, HasPictures(view.Blocks.BlockSet))
	require.NotContains(t, pretty(t, view), `"layout"`, "none is left empty")
}

func TestAnAlertIsAParagraphWhereTheModalIsGone(t *testing.T) {
	s := scene{"beach", 1}
	m := AsMessage(ApproveDenied(s.tracked(order.StatusCanceled), "Lovely.", "It is over.", "x1"))
	checkLimits(t, m)
	require.Contains(t, m.Text, ":warning: It is over.")
	long := ApproveDenied(s.tracked(order.StatusCanceled), "", strings.Repeat("No. ", 60), "x1")
	checkLimits(t, long)
	require.IsType(t, &slack.SectionBlock{}, long.Blocks.BlockSet[0], "an alert holds 200 characters")
}

func TestAnApprovalOffersTheFinalImages(t *testing.T) {
	for images, says := range map[int]string{1: "Final images: <", 50: "and 35 more"} {
		s := scene{"beach", images}
		o := s.tracked(order.StatusClosed)
		o.Order.EditedImages = s.edited(1)
		m := Reply(o, s.event(order.EventApproved, order.StatusClosed), false, Thumbs{})
		checkLimits(t, m)
		require.True(t, strings.HasPrefix(m.Text, "Approved by <@U0PETER>"))
		require.Contains(t, m.Text, says)
		require.Equal(t, images > mostLinks, strings.Contains(m.Text, "/order show"), "all of them are there")
	}
}

func TestTheFirstRoundsFormSaysWhatWasAskedForAnImage(t *testing.T) {
	s := scene{"beach", 3}
	o := s.tracked(order.StatusReviewing)
	zero := 0
	o.Order.Revision = &zero
	o.Brief.Sources[1].Instruction = "Bluer sea."
	require.Contains(t, pretty(t, Revise(o, Course{}, Changes{}, previews, "x1")), "Asked for: Extensive. Bluer sea.")
}
