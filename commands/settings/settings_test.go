package settings_test

import (
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	cardssettings "darkroom/cards/settings"
	"darkroom/commands/commandstest"
	"darkroom/store"
)

// chooses submits the last opened settings.
func chooses(r *commandstest.Rig, user string, relay store.Relay) string {
	r.T.Helper()
	q := r.Completed(map[string]slack.BlockAction{"relay": {SelectedOption: slack.OptionBlockObject{Value: string(relay)}}})
	q.User = user
	reply, err := r.Handle(r.T.Context(), q)
	require.NoError(r.T, err)
	return commandstest.Text(reply.Body)
}

func relayOf(r *commandstest.Rig, channel string) store.Relay {
	r.T.Helper()
	s, err := r.Store.Settings.Of(r.T.Context(), "T1", channel)
	require.NoError(r.T, err)
	return s.Relay
}

func TestAChannelsRelayModeIsSetAndShown(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		opened := r.Says("maria", "C1", "settings")
		require.True(r.T, commandstest.ContainsAll(opened, "Channel settings", "Only what is sent on purpose", "Every reply in an order's thread", "Begin a reply with //"))
		require.Contains(r.T, opened, `"initial_option":{"text":{"type":"plain_text","text":"Only what`)
		require.Contains(r.T, chooses(r, "maria", store.RelayReplies), "Every reply in an order's thread goes to its editor")
		require.Equal(r.T, store.RelayReplies, relayOf(r, "C1"))
		require.Empty(r.T, relayOf(r, "CPUBLIC"), "another channel's are its own")
		require.Contains(r.T, r.Says("tom", "C1", "settings"), `"initial_option":{"text":{"type":"plain_text","text":"Every reply`)
		require.Contains(r.T, chooses(r, "tom", store.RelayMentions), "Only what is sent on purpose")
		require.Equal(r.T, store.RelayMentions, relayOf(r, "C1"))
	})
}

func TestWhoMayNotChangeSettingsReadsWhatToDo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		require.Contains(r.T, r.Says("maria", "D1", "settings"), "in the channel that they are for")
		require.Contains(r.T, r.Says("ines", "C1", "settings"), "Guests")
		require.Contains(r.T, r.Says("maria", "CAWAY", "settings"), "invite me")
		require.Contains(r.T, r.Says("maria", "CATTIC", "settings"), "archived")
		require.Contains(r.T, r.Says("tom", "CWEDDING", "settings"), "not a member")
	})
}

func TestSettingsAreKeptOnlyForMembers(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Says("maria", "CWEDDING", "settings")
		require.Contains(r.T, chooses(r, "tom", store.RelayReplies), "not a member")
		require.Contains(r.T, chooses(r, "ines", store.RelayReplies), "not a member")
		require.Empty(r.T, relayOf(r, "CWEDDING"))
		require.Contains(r.T, chooses(r, "maria", "everything"), "lost its channel", "a setting that we do not know")
		reply, err := r.Handle(r.T.Context(), bot.Request{Kind: bot.KindSubmit, Name: cardssettings.Callback, User: "maria", View: &slack.View{}})
		require.NoError(r.T, err)
		require.Contains(r.T, commandstest.Text(reply.Body), "lost its channel")
	})
}

func TestOnlyOperatorsSetWhoReadsTheAccountsCredits(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		asks := "Who reads the account's credits"
		require.NotContains(r.T, r.Says("maria", "C1", "settings"), asks)
		require.Contains(r.T, r.Says("boss", "C1", "settings"), asks)
		form := r.Completed(map[string]slack.BlockAction{
			"relay":   {SelectedOption: slack.OptionBlockObject{Value: string(store.RelayMentions)}},
			"credits": {SelectedOption: slack.OptionBlockObject{Value: string(store.CreditsOperators)}},
		})
		for _, row := range []struct {
			user string
			want store.Credits
		}{
			{"maria", ""}, // a window that she cannot open
			{"boss", store.CreditsOperators},
		} {
			form.User = row.user
			_, err := r.Handle(r.T.Context(), form)
			require.NoError(r.T, err)
			account, err := r.Store.Settings.Account(r.T.Context(), "T1")
			require.NoError(r.T, err)
			require.Equal(r.T, row.want, account.Credits, row.user)
		}
	})
}
