package change_test

import (
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

func TestAnApprovalIsBoundToTheRevisionThatWasShown(t *testing.T) {
	tr := cardstest.Of("beach", 1).Tracked(order.StatusReviewing)
	for _, form := range []slack.ModalViewRequest{
		change.Approve(tr, cards.RoundHistory{}, "Lovely", cardstest.Previews, "x"), change.ApproveStale(tr, cards.RoundHistory{}, 0, "Lovely", cardstest.Previews, "x"), change.ApproveRefused(tr, cards.RoundHistory{}, "Lovely", kit.Problems{"no"}, cardstest.Previews, "x"),
	} {
		approval, problems := change.DecodeApprove(cardstest.Untouched(t, form))
		require.Empty(t, problems)
		require.Equal(t, change.Confirmation{Meta: kit.Meta{Order: "1042", Revision: 1, Pictures: "7f77adebbfb7527a"}, Words: "Lovely"}, approval)
	}
}

func TestAnApprovalWithoutItsOrderIsAProblem(t *testing.T) {
	_, problems := change.DecodeApprove(cardstest.Filled(map[string]string{"feedback:1": "Lovely"}))
	require.Contains(t, problems["feedback:1"], "Copy your text")
}

func FuzzDecodeApprove(f *testing.F) {
	cardstest.FuzzViews(f, func(t *testing.T, view slack.View) {
		t.Helper()
		approval, problems := change.DecodeApprove(view)
		require.Equal(t, approval.Order == "", len(problems) == 1)
	})
}
