package settings_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/settingstest"
)

// settingsWindow is one person's open form of settings.
type settingsWindow struct {
	*commandstest.Rig
	user string
	view slack.View
	sent int
}

// settingsFor opens the settings of C1.
func settingsFor(r *commandstest.Rig, user string) *settingsWindow {
	r.T.Helper()
	require.Contains(r.T, r.Says(user, "C1", "settings"), "Channel settings")
	return &settingsWindow{Rig: r, user: user, view: r.Screen.View(r.Screen.Last())}
}

// saves submits the form with the changed fields. If the answer is another form, that form replaces it.
func (w *settingsWindow) saves(changed map[string]slack.BlockAction) string {
	w.T.Helper()
	view := w.view
	view.State = &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	for _, block := range view.Blocks.BlockSet {
		if input, is := block.(*slack.InputBlock); is {
			field, _, _ := strings.Cut(input.BlockID, ":")
			answer := untouched(input.Element)
			if new, is := changed[field]; is {
				answer = new
			}
			view.State.Values[input.BlockID] = map[string]slack.BlockAction{field: answer}
		}
	}
	w.sent++
	reply, err := w.Handle(w.T.Context(), bot.Request{
		Kind: bot.KindSubmit, ID: fmt.Sprintf("%s%d%s", w.user, w.sent, view.ExternalID), Name: view.CallbackID, Team: "T1", User: w.user, View: &view,
	})
	require.NoError(w.T, err)
	if text := commandstest.Text(reply.Body); !strings.Contains(text, "One moment") {
		return text
	}
	w.Settle(time.Second) // the form is too large for an acknowledgement
	w.view = w.Screen.View(view.ExternalID)
	return w.Screen.Window(view.ExternalID)
}

// untouched returns what Slack sends for an unchanged element.
func untouched(element slack.BlockElement) (a slack.BlockAction) {
	switch e := element.(type) {
	case *slack.RadioButtonsBlockElement:
		a.SelectedOption = *e.InitialOption
	case *slack.SelectBlockElement:
		a.SelectedOption = *e.InitialOption
	case *slack.MultiSelectBlockElement:
		a.SelectedUsers = e.InitialUsers
		for _, option := range e.InitialOptions {
			a.SelectedOptions = append(a.SelectedOptions, *option)
		}
	case *slack.PlainTextInputBlockElement:
		a.Value = e.InitialValue
	}
	return a
}

// chose returns one option of a field.
func chose(value string) slack.BlockAction {
	return slack.BlockAction{SelectedOption: slack.OptionBlockObject{Value: value}}
}

func settingsOf(r *commandstest.Rig) store.Settings {
	r.T.Helper()
	s, err := r.Store.Settings.Of(r.T.Context(), "T1", "C1")
	require.NoError(r.T, err)
	return s
}

func TestAStaleFormOfSettingsWritesOnlyWhatItsPersonChanged(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		stale, fresh := settingsFor(r, "maria"), settingsFor(r, "boss")
		require.Contains(r.T, fresh.saves(map[string]slack.BlockAction{
			"relay": chose("replies"), "contact-sheets": chose("every"), "finals": chose("yes"), "approvers": {SelectedUsers: []string{"UTOM", "UBOSS"}},
			"spenders": {SelectedUsers: []string{"UTOM"}}, "order-limit": {Value: "20"}, "month-limit": {Value: "100"}, "unfurl": chose("yes"),
			"late": chose("on"), "digest": chose("08:00"), "quiet-from": chose("20:00"), "quiet-until": chose("07:00"), "zone": chose("Asia/Kolkata"), "credits": chose("operators"),
		}), "Saved")
		want := settingsOf(r)
		require.Equal(r.T, store.Decides{Approvers: []string{"UTOM", "UBOSS"}, Spenders: []string{"UTOM"}, OrderLimit: 20, MonthLimit: 100}, want.Decides)
		want.RemindHours = 24
		require.Contains(r.T, stale.saves(map[string]slack.BlockAction{"remind": chose("24")}), "Saved")
		require.Equal(r.T, want, settingsOf(r))
		account, err := r.Store.Settings.Account(r.T.Context(), "T1")
		require.NoError(r.T, err)
		require.Equal(r.T, store.CreditsOperators, account.Credits)
	})
}

func TestWhoMeetsAnothersChangeOfASettingIsShownItAndDecides(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		stale, fresh := settingsFor(r, "maria"), settingsFor(r, "tom")
		fresh.saves(map[string]slack.BlockAction{"quiet-from": chose("20:00"), "quiet-until": chose("07:00"), "relay": chose("replies")})
		mine := map[string]slack.BlockAction{"quiet-from": chose("22:00"), "quiet-until": chose("07:00"), "remind": chose("24")}
		shown := stale.saves(mine)
		require.NotContains(r.T, shown, "Saved")
		require.Contains(r.T, shown, "*Quiet hours from*: 20:00")
		require.NotContains(r.T, shown, "*Quiet hours until*", "both chose the same")
		require.NotContains(r.T, shown, "*What reaches the editor*", "only one of them changed it")
		require.Equal(r.T, order.QuietHours{From: "20:00", Until: "07:00"}, settingsOf(r).Quiet)
		require.Zero(r.T, settingsOf(r).RemindHours, "nothing is saved by halves")

		fresh.view = settingsFor(r, "tom").view
		require.Contains(r.T, stale.saves(nil), "Saved", "what she had chosen stands in the form")
		require.Equal(r.T, store.Settings{
			Relay: store.RelayReplies, RemindHours: 24, Quiet: order.QuietHours{From: "22:00", Until: "07:00"}, Zone: settingsOf(r).Zone,
		}, settingsOf(r))
		require.Contains(r.T, fresh.saves(map[string]slack.BlockAction{"quiet-from": chose("21:00"), "quiet-until": chose("06:00")}), "*Quiet hours from*: 22:00")
	})
}

// Each of two edits is valid, but both together would name no approver: the second person is asked.
func TestALimitNeedsAnApproverWhoeverTookThemAway(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		settingstest.Save(r.T, r.Store, "T1", "C1", store.Settings{Decides: store.Decides{Approvers: []string{"tom"}}})
		stale, fresh := settingsFor(r, "tom"), settingsFor(r, "boss")
		fresh.saves(map[string]slack.BlockAction{"approvers": {}})
		require.Contains(r.T, stale.saves(map[string]slack.BlockAction{"order-limit": {Value: "20"}}), "needs an approver")
		require.Zero(r.T, settingsOf(r).Decides)
	})
}

// A form of a version that did not record what it showed overwrites nothing unseen.
func TestAFormThatDoesNotTellWhatItShowedIsCompared(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		stale := settingsFor(r, "maria")
		settingsFor(r, "tom").saves(map[string]slack.BlockAction{"relay": chose("replies")})
		stale.view.PrivateMetadata = `{"channel":"C1"}`
		require.Contains(r.T, stale.saves(nil), "*What reaches the editor*: Every reply")
		require.Equal(r.T, store.RelayReplies, relayOf(r, "C1"))
	})
}
