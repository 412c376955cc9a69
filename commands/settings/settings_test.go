package settings_test

import (
	"strings"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	cardssettings "darkroom/cards/settings"
	"darkroom/commands/commandstest"
	"darkroom/store"
)

func relayOf(r *commandstest.Rig, channel string) store.Relay {
	r.T.Helper()
	s, err := r.Store.Settings.Of(r.T.Context(), "T1", channel)
	require.NoError(r.T, err)
	return s.Relay
}

func relay(mode store.Relay) map[string]slack.BlockAction {
	return map[string]slack.BlockAction{"relay": chose(string(mode))}
}

func TestAChannelsRelayModeIsSetAndShown(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		require.Contains(r.T, r.Says("maria", "C1", "settings"), "The editor gets only what is sent on purpose.")
		form := settingsFor(r, "maria", cardssettings.Messages)
		opened := r.Screen.Window(form.view.ExternalID)
		require.True(r.T, commandstest.ContainsAll(opened, "Messages", "Only what is sent on purpose", "Every reply in an order's thread", "Begin a reply with //"))
		require.Contains(r.T, opened, `"initial_option":{"text":{"type":"plain_text","text":"Only what`)
		require.Contains(r.T, form.saves(relay(store.RelayReplies)), "Every reply in an order's thread goes to the editor")
		require.Equal(r.T, store.RelayReplies, relayOf(r, "C1"))
		require.Empty(r.T, relayOf(r, "CPUBLIC"), "another channel's are its own")
		require.Contains(r.T, r.Says("tom", "C1", "settings"), "Set by")
		require.Contains(r.T, settingsFor(r, "tom", cardssettings.Messages).saves(relay(store.RelayMentions)), "only what is sent on purpose")
		require.Equal(r.T, store.RelayMentions, relayOf(r, "C1"))
	})
}

func TestWhoMayNotChangeSettingsReadsWhatToDo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		require.Contains(r.T, r.Says("ines", "C1", "settings"), "Guests")
		require.Contains(r.T, r.Says("maria", "CAWAY", "settings"), "Invite me")
		require.Contains(r.T, r.Says("maria", "CATTIC", "settings"), "archived")
		require.Contains(r.T, r.Says("tom", "CWEDDING", "settings"), "not a member")
	})
}

func TestSettingsAreKeptOnlyForMembers(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		form := settingsFor(r, "maria", cardssettings.Messages)
		form.view.PrivateMetadata = strings.Replace(form.view.PrivateMetadata, `"C1"`, `"CWEDDING"`, 1)
		for _, user := range []string{"tom", "ines"} {
			form.user = user
			require.Contains(r.T, form.saves(relay(store.RelayReplies)), "not a member")
		}
		require.Empty(r.T, relayOf(r, "CWEDDING"))
		form.user = "maria"
		require.Contains(r.T, form.saves(relay("everything")), "do not know this choice")
		reply, err := r.Handle(r.T.Context(), bot.Request{Kind: bot.KindSubmit, Name: cardssettings.Callback, User: "maria", View: &slack.View{}})
		require.NoError(r.T, err)
		require.Contains(r.T, commandstest.Text(reply.Body), "nothing was saved")
	})
}

func TestOnlyOperatorsSetWhoReadsTheAccountsCredits(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		says := "Every full member sees the account's credits"
		require.NotContains(r.T, r.Says("maria", "C1", "settings"), says)
		require.Contains(r.T, r.Says("boss", "C1", "settings"), says)
		form := settingsFor(r, "boss", cardssettings.Account)
		for _, row := range []struct {
			user string
			want store.Credits
		}{
			{"maria", ""}, // a window that she cannot open
			{"boss", store.CreditsOperators},
		} {
			form.user = row.user
			form.saves(map[string]slack.BlockAction{"credits": chose("operators")})
			account, err := r.Store.Settings.Account(r.T.Context(), "T1")
			require.NoError(r.T, err)
			require.Equal(r.T, row.want, account.Credits, row.user)
		}
	})
}
