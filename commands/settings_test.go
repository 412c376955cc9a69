package commands

import (
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// chooses is a submission of the settings that were opened last.
func (r *rig) chooses(user string, relay store.Relay) string {
	r.t.Helper()
	q := r.completed(map[string]slack.BlockAction{"relay": {SelectedOption: slack.OptionBlockObject{Value: string(relay)}}})
	q.User = user
	reply, err := r.handle(r.t.Context(), q)
	require.NoError(r.t, err)
	return text(reply.Body)
}

func (r *rig) relayOf(channel string) store.Relay {
	r.t.Helper()
	s, err := r.store.Settings(r.t.Context(), "T1", channel)
	require.NoError(r.t, err)
	return s.Relay
}

func TestAChannelsRelayModeIsSetAndShown(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		opened := r.says("maria", "C1", "settings")
		require.True(r.t, containsAll(opened, "Channel settings", "Only what is sent on purpose", "Every reply in an order's thread", "Begin a reply with //"))
		require.Contains(r.t, opened, `"initial_option":{"text":{"type":"plain_text","text":"Only what`)
		require.Contains(r.t, r.chooses("maria", store.RelayReplies), "every reply in an order's thread goes to its editor")
		require.Equal(r.t, store.RelayReplies, r.relayOf("C1"))
		require.Empty(r.t, r.relayOf("CPUBLIC"), "another channel's are its own")
		require.Contains(r.t, r.says("tom", "C1", "settings"), `"initial_option":{"text":{"type":"plain_text","text":"Every reply`)
		require.Contains(r.t, r.chooses("tom", store.RelayMentions), "only what is sent on purpose")
		require.Equal(r.t, store.RelayMentions, r.relayOf("C1"))
	})
}

func TestWhoMayNotChangeSettingsReadsWhatToDo(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		require.Contains(r.t, r.says("maria", "D1", "settings"), "in the channel that they are for")
		require.Contains(r.t, r.says("ines", "C1", "settings"), "Guests")
		require.Contains(r.t, r.says("maria", "CAWAY", "settings"), "invite me")
		require.Contains(r.t, r.says("maria", "CATTIC", "settings"), "archived")
		require.Contains(r.t, r.says("tom", "CWEDDING", "settings"), "not a member")
	})
}

func TestSettingsAreKeptOnlyForMembers(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.says("maria", "CWEDDING", "settings")
		require.Contains(r.t, r.chooses("tom", store.RelayReplies), "not a member")
		require.Contains(r.t, r.chooses("ines", store.RelayReplies), "not a member")
		require.Empty(r.t, r.relayOf("CWEDDING"))
		require.Contains(r.t, r.chooses("maria", "everything"), "lost its channel", "a setting that we do not know")
		reply, err := r.handle(r.t.Context(), bot.Request{Kind: bot.KindSubmit, Name: cards.CallbackSettings, User: "maria", View: &slack.View{}})
		require.NoError(r.t, err)
		require.Contains(r.t, text(reply.Body), "lost its channel")
	})
}
