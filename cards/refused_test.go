package cards_test

import (
	"testing"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/cards/ops"
	"darkroom/cards/place"
	"darkroom/store"

	"github.com/stretchr/testify/require"
)

func TestWhoIsToldThatSlackRefusesIsToldWhoKnowsOfIt(t *testing.T) {
	require.Contains(t, ops.MustWait("an approval", true, true).Text, "Nothing was sent yet. Nothing is lost. I have told them")
	require.Contains(t, ops.MustWait("an approval", false, false).Text, "Only your Darkroom admin can fix that. Nothing is lost. Tell them")
	require.Contains(t, ops.NotAllowed(true), "I have told them. Nothing was sent")
	require.Contains(t, ops.NotAllowed(false), "Tell them. Nothing was sent")
}

func TestOperationsAreToldWhatIsMissing(t *testing.T) {
	require.Contains(t, ops.Refused("chat.postMessage", "token_revoked", ""), "Check my token")
	require.Equal(t, "Slack refuses me `files.info`: missing_scope. Requests wait, and nothing is lost. They go on when this is fixed. "+
		"Give me the scope `files:read`, `remote_files:read` (`darkroom manifest` lists all) and install me again.",
		ops.Refused("files.info", "missing_scope", "files:read,remote_files:read"), "nothing unseen parts the backticks")
	require.Contains(t, ops.OrdersUnknown(3, 3), "no longer knows our orders.")
	require.Contains(t, ops.OrdersUnknown(3, 9), "no longer knows 3 of our 9 orders.")
	require.Contains(t, ops.OrdersGivenUp(1), "not known one of our orders")
	require.Contains(t, ops.OrdersGivenUp(2), "not known 2 of our orders")
}

func TestPhotosThatCannotBeReadAreNamedWithTheWayOut(t *testing.T) {
	require.Equal(t, "I am not in the conversation of a.jpg. Invite me there and choose “Order these photos” again, or upload it.",
		place.Unread([]string{"a.jpg"}, false))
	require.Contains(t, place.Unread([]string{"a.jpg", "b.jpg"}, true), "I cannot read the direct message with a.jpg, b.jpg. Upload them, or post them in a channel that I am in.")
}

func TestAPickerWithoutOrdersSaysWhy(t *testing.T) {
	require.Contains(t, cards.NothingFits("revise", 0), "ready for review")
	require.Contains(t, cards.NothingFits("cancel", 0), "first minutes")
	require.Contains(t, cards.NothingFits("message", 0), "no editor")
	require.Contains(t, cards.NothingFits("show", 0), "no orders yet")
	require.Contains(t, cards.NothingFits("show", 1), "One fits. Name it: `/order show ID`")
}

func TestASearchThatFoundNothingSaysWhatIsCertain(t *testing.T) {
	unknown := kit.AsMessage(place.NotPlaced(store.Draft{Search: store.Search{Readings: place.WholeSearch, Unproven: true}}, "x1")).Text
	require.Contains(t, unknown, "Nobody knows whether your order was placed")
	require.NotContains(t, unknown, "I keep watching", "what is there is not found later either")
	for want, d := range map[string]store.Draft{
		"was not placed. I searched all":      {Search: store.Search{Readings: place.WholeSearch}},
		"went wrong before it was sent":       {Search: store.Search{Stopped: true}},
		"I had to stop.":                      {SentAt: cardstest.Now, Search: store.Search{Stopped: true}},
		"service's orders, but only once.":    {Search: store.Search{Orders: 1240, Readings: 1}},
		"1,240 of the photo service's orders": {Search: store.Search{Orders: 1240}},
		"*one.example.com*, and its answer":   {Search: store.Search{Orders: 1240, Readings: 1, Elsewhere: "one.example.com"}},
	} {
		require.Contains(t, kit.AsMessage(place.NotPlaced(d, "x1")).Text, want)
	}
}
