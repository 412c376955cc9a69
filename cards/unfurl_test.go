package cards_test

import (
	"fmt"
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// unfurled adds answers to messages that name orders.
func unfurled(s cardstest.Scene, shown map[string]any) {
	reviewing, closed, unposted := s.Tracked(order.StatusReviewing), s.Tracked(order.StatusClosed), s.Tracked(order.StatusEditing)
	reviewing.CardTS, closed.CardTS = "1795166700.000001", "1795166700.000002"
	all := []store.Tracked{reviewing, closed, unposted}
	for _, n := range []int{1, 3} {
		shown[fmt.Sprintf("unfurled_%d", n)] = cards.Unfurl(all[:n], "1795166700.000003", cardstest.Links)
	}
}

// The answer's metadata names its message, so that it is found again.
func TestAnAnswerToReferencesNamesItsMessage(t *testing.T) {
	t.Parallel()
	m := cards.Unfurl([]store.Tracked{cardstest.Of("beach", 1).Tracked(order.StatusReviewing)}, "1.2", cardstest.Links)
	require.Equal(t, "1.2", cards.UnfurlOf(slack.Message{Msg: slack.Msg{Metadata: *m.Metadata}}))
	require.NotContains(t, m.Text, "<@", "nobody is called")
	require.Empty(t, cards.UnfurlOf(slack.Message{}))
	require.Empty(t, cards.UnfurlOf(slack.Message{Msg: slack.Msg{Metadata: slack.SlackMetadata{EventType: cards.MetadataDigest, EventPayload: map[string]any{"message": "1.2"}}}}))
}
