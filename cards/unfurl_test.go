package cards

import (
	"fmt"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// unfurled are answers to messages that name orders.
func (s scene) unfurled(shown map[string]any) {
	reviewing, closed, unposted := s.tracked(order.StatusReviewing), s.tracked(order.StatusClosed), s.tracked(order.StatusEditing)
	reviewing.CardTS, closed.CardTS = "1795166700.000001", "1795166700.000002"
	all := []store.Tracked{reviewing, closed, unposted}
	for _, n := range []int{1, 3} {
		shown[fmt.Sprintf("unfurled_%d", n)] = Unfurl(all[:n], "1795166700.000003", links)
	}
}

// An answer names the message that it is for, so that it is found again.
func TestAnAnswerToReferencesNamesItsMessage(t *testing.T) {
	t.Parallel()
	m := Unfurl([]store.Tracked{scene{"beach", 1}.tracked(order.StatusReviewing)}, "1.2", links)
	require.Equal(t, "1.2", UnfurlOf(slack.Message{Msg: slack.Msg{Metadata: *m.Metadata}}))
	require.NotContains(t, m.Text, "<@", "nobody is called")
	require.Empty(t, UnfurlOf(slack.Message{}))
	require.Empty(t, UnfurlOf(slack.Message{Msg: slack.Msg{Metadata: slack.SlackMetadata{EventType: MetadataDigest, EventPayload: map[string]any{"message": "1.2"}}}}))
}
