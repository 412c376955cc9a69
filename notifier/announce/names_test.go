package announce_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/settingstest"
)

// card returns everything that the order's card shows.
func (r *rig) card(t *testing.T) string {
	t.Helper()
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	card := r.w.Thread(shoots, tracked.CardTS)[0]
	return card.Text + fmt.Sprint(card.Blocks)
}

func TestACardNamesWhoOrderedAndCallsNobody(t *testing.T) {
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	require.Contains(t, r.card(t), "for Maria")
	require.NotContains(t, r.card(t), "<@")
	require.NotContains(t, shown(t, r.reply(t, shoots, "placed")), "<@")
}

func TestAPersonOfUnknownNameIsNotCalledEither(t *testing.T) {
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.w.Misbehave("users.info", workspace.Fails("user_not_found"), 100)
	r.announce(t)
	require.Contains(t, r.card(t), "for a member")
	require.NotContains(t, r.card(t), "<@")
}

func TestSeveralMessagesOfTheEditorCallOnce(t *testing.T) {
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	_, events, err := r.Changes.Record(t.Context(), orderID, tracked.Version, order.Order{ID: orderID, Conversation: []order.Entry{
		{From: "service", Content: "Which crop?", CreatedAt: time.Now().Add(-2 * time.Minute)},
		{From: "service", Content: "And which light?", CreatedAt: time.Now().Add(-time.Minute)},
	}})
	require.NoError(t, err)
	require.Len(t, events, 2)
	r.announce(t)
	require.Contains(t, r.reply(t, shoots, events[0].ID).Text, "for <@U0MARIA>")
	require.Contains(t, r.reply(t, shoots, events[1].ID).Text, "for Maria")
	require.NotContains(t, r.reply(t, shoots, events[1].ID).Text, "<@")
}

func TestCardsSayWhileTheirChannelRelaysEveryReply(t *testing.T) {
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	const says = "Every reply in this thread goes to the editor."
	require.NotContains(t, r.card(t), says)
	settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{Relay: store.RelayReplies})
	r.refreshes(t, "1")
	require.Contains(t, r.card(t), says)
	settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{})
	r.refreshes(t, "2")
	require.NotContains(t, r.card(t), says)
}

// refreshes edits the cards of #shoots.
func (r *rig) refreshes(t *testing.T, change string) {
	t.Helper()
	require.NoError(t, r.Announcements.RefreshCards(t.Context(), "T0SANDBOX", shoots, change))
	handlers := map[string]queue.Handler{}
	for _, kind := range announce.New(r.config).Kinds() {
		handlers[kind.Name] = handler(announce.New(r.config), kind.Name)
	}
	r.drain(t, handlers)
}
