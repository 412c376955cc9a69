package settings_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	cardssettings "darkroom/cards/settings"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/settingstest"
)

// settingsWindow is one person's open form of settings, over the overview.
type settingsWindow struct {
	*commandstest.Rig
	user string
	view slack.View
	root string
	sent int
}

// settingsFor opens a part of the settings of C1.
func settingsFor(r *commandstest.Rig, user string, part cardssettings.Part) *settingsWindow {
	r.T.Helper()
	require.Contains(r.T, r.Says(user, "C1", "settings"), "Channel settings")
	overview := r.Screen.View(r.Screen.Last())
	overview.Type = slack.VTModal
	r.Click(bot.Request{Kind: bot.KindAction, Name: cardssettings.ActionChangePart, Value: part.Value(), User: user, View: &overview})
	require.NotEqual(r.T, overview.ExternalID, r.Screen.Last(), "pushed over the overview")
	return &settingsWindow{Rig: r, user: user, view: r.Screen.View(r.Screen.Last()), root: overview.ExternalID}
}

// saves submits the form with the changed fields. If the answer is another form, that form replaces it. It returns the
// answer, or the overview when the form closes.
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
	if reply.Body == nil {
		return w.Screen.Window(w.root)
	}
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
	case *slack.CheckboxGroupsBlockElement:
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

// ticks returns ticked boxes.
func ticks(boxes ...string) (a slack.BlockAction) {
	for _, box := range boxes {
		a.SelectedOptions = append(a.SelectedOptions, slack.OptionBlockObject{Value: box})
	}
	return a
}

// settingsOf returns the settings of C1 without who saved them.
func settingsOf(r *commandstest.Rig) store.Settings {
	r.T.Helper()
	s, err := r.Store.Settings.Of(r.T.Context(), "T1", "C1")
	require.NoError(r.T, err)
	s.Saved = store.Savers{}
	return s
}

func TestAStaleFormOfSettingsWritesOnlyWhatItsPersonChanged(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		stale := settingsFor(r, "maria", cardssettings.Orders)
		require.Contains(r.T, settingsFor(r, "boss", cardssettings.Messages).saves(map[string]slack.BlockAction{
			"relay": chose("replies"), "news": chose("thread"), "digest": chose("08:00"), "quiet-from": chose("20:00"), "quiet-until": chose("07:00"), "zone": chose("Asia/Kolkata"),
		}), "Settings saved")
		require.Contains(r.T, settingsFor(r, "boss", cardssettings.Approval).saves(map[string]slack.BlockAction{
			"approvers": {SelectedUsers: []string{"UTOM", "UBOSS"}}, "spenders": {SelectedUsers: []string{"UTOM"}}, "order-limit": {Value: "20"}, "month-limit": {Value: "100"},
		}), "An order may cost 20 credits.")
		require.Contains(r.T, settingsFor(r, "boss", cardssettings.Account).saves(map[string]slack.BlockAction{"credits": chose("operators")}), "Only operators see")
		require.Contains(r.T, settingsFor(r, "boss", cardssettings.Orders).saves(map[string]slack.BlockAction{"contact-sheets": chose("every"), "threads": ticks("finals", "late", "unfurl")}), "Late orders say so.")
		want := settingsOf(r)
		require.Equal(r.T, store.Settings{
			Relay: store.RelayReplies, News: store.NewsThread, Sheets: store.SheetsEvery, FinalImages: true, SayLate: true, Unfurl: true,
			Digest: "08:00", Zone: "Asia/Kolkata", Quiet: order.QuietHours{From: "20:00", Until: "07:00"},
			Decides: store.Decides{Approvers: []string{"UTOM", "UBOSS"}, Spenders: []string{"UTOM"}, OrderLimit: 20, MonthLimit: 100},
		}, want)
		want.RemindHours = 24
		require.Contains(r.T, stale.saves(map[string]slack.BlockAction{"remind": chose("24")}), "reminds after 1 day")
		require.Equal(r.T, want, settingsOf(r))
		account, err := r.Store.Settings.Account(r.T.Context(), "T1")
		require.NoError(r.T, err)
		require.Equal(r.T, store.CreditsOperators, account.Credits)
		require.Equal(r.T, "boss", account.Saved.By)
	})
}

func TestWhoMeetsAnothersChangeOfASettingIsShownItAndDecides(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		stale, fresh := settingsFor(r, "maria", cardssettings.Messages), settingsFor(r, "tom", cardssettings.Messages)
		fresh.saves(map[string]slack.BlockAction{"quiet-from": chose("20:00"), "quiet-until": chose("07:00"), "relay": chose("replies")})
		mine := map[string]slack.BlockAction{"quiet-from": chose("22:00"), "quiet-until": chose("07:00"), "digest": chose("08:00")}
		shown := stale.saves(mine)
		require.NotContains(r.T, shown, "Settings saved")
		require.Contains(r.T, shown, "*Quiet hours from*: 20:00")
		require.NotContains(r.T, shown, "*Quiet hours until*", "both chose the same")
		require.NotContains(r.T, shown, "*What reaches the editor*", "only one of them changed it")
		require.Equal(r.T, order.QuietHours{From: "20:00", Until: "07:00"}, settingsOf(r).Quiet)
		require.Empty(r.T, settingsOf(r).Digest, "nothing is saved by halves")

		fresh = settingsFor(r, "tom", cardssettings.Messages)
		require.Contains(r.T, stale.saves(nil), "Settings saved", "what she had chosen stands in the form")
		require.Equal(r.T, store.Settings{
			Relay: store.RelayReplies, Digest: "08:00", Quiet: order.QuietHours{From: "22:00", Until: "07:00"}, Zone: settingsOf(r).Zone,
		}, settingsOf(r))
		require.Contains(r.T, fresh.saves(map[string]slack.BlockAction{"quiet-from": chose("21:00"), "quiet-until": chose("06:00")}), "*Quiet hours from*: 22:00")
	})
}

// Each of two edits is valid, but both together would name no approver: the second person is asked.
func TestALimitNeedsAnApproverWhoeverTookThemAway(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		settingstest.Save(r.T, r.Store, "T1", "C1", store.Settings{Decides: store.Decides{Approvers: []string{"tom"}}})
		stale, fresh := settingsFor(r, "tom", cardssettings.Approval), settingsFor(r, "boss", cardssettings.Approval)
		fresh.saves(map[string]slack.BlockAction{"approvers": {}})
		require.Contains(r.T, stale.saves(map[string]slack.BlockAction{"order-limit": {Value: "20"}}), "Name an approver")
		require.Zero(r.T, settingsOf(r).Decides)
	})
}

// A form of a version that did not record its part changes nothing.
func TestAFormOfAnEarlierVersionSavesNothingAndSaysSo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		stale := settingsFor(r, "maria", cardssettings.Messages)
		stale.view.PrivateMetadata = `{"channel":"C1"}`
		require.Contains(r.T, stale.saves(map[string]slack.BlockAction{"relay": chose("replies")}), "nothing was saved")
		require.Zero(r.T, settingsOf(r))
	})
}

// The overview behind the form is closed, or Slack does not answer: the words take the form's place.
func TestASavedFormShowsTheOverviewEvenIfItIsGone(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		form := settingsFor(r, "maria", cardssettings.Orders)
		r.Screen.Closes()
		require.Contains(r.T, form.saves(map[string]slack.BlockAction{"remind": chose("24")}), "reminds after 1 day")
		require.Equal(r.T, 24, settingsOf(r).RemindHours)
	})
}

// What binds others is told in the channel, once. A save that changes nothing, or nobody else, is not.
func TestOnlyAChangeThatBindsOthersIsAnnounced(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		told := func() int {
			r.Settle(time.Second)
			return r.JobCount(store.SettingsKind)
		}
		settingsFor(r, "maria", cardssettings.Orders).saves(map[string]slack.BlockAction{"remind": chose("24")})
		require.Zero(r.T, told())
		first := settingsFor(r, "maria", cardssettings.Messages)
		first.saves(map[string]slack.BlockAction{"relay": chose("replies")})
		require.Equal(r.T, 1, told())
		first.sent--
		first.saves(map[string]slack.BlockAction{"relay": chose("replies")}) // Slack delivers it again
		again := settingsFor(r, "tom", cardssettings.Messages)
		require.NotContains(r.T, again.saves(nil), "Settings saved", "nothing has changed")
		require.Equal(r.T, 1, told())
		saved, err := r.Store.Settings.Of(r.T.Context(), "T1", "C1")
		require.NoError(r.T, err)
		require.Equal(r.T, "maria", saved.Saved.Messages.By, "who changed nothing has not set it")
		settingsFor(r, "tom", cardssettings.Messages).saves(map[string]slack.BlockAction{"relay": chose("mentions")})
		require.Equal(r.T, 2, told())
	})
}

// Who may not change approvers reads who may, and is offered no form for them.
func TestWhoMayNotChangeApproversReadsWhoMay(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		settingstest.Save(r.T, r.Store, "T1", "C1", store.Settings{Decides: store.Decides{Approvers: []string{"UTOM"}}})
		shown := r.Says("maria", "C1", "settings")
		require.Contains(r.T, shown, "and operators change this")
		require.NotContains(r.T, shown, `"value":"2"`)
		require.Contains(r.T, r.Says("boss", "C1", "settings"), `"value":"2"`)
	})
}

// Outside a channel one is chosen first.
func TestTheChannelOfSettingsIsChosenWhereThereIsNone(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		require.Contains(r.T, r.Says("maria", "D1", "settings"), "Settings belong to a channel")
		for channel, says := range map[string]string{"C1": "The editor gets only", "CWEDDING": "not a member"} {
			which := r.Screen.View(r.Screen.Last())
			which.Type = slack.VTModal
			r.Click(bot.Request{Kind: bot.KindAction, Name: cardssettings.ActionSettingsOf, Value: channel, User: "tom", View: &which})
			require.Contains(r.T, r.Screen.Window(which.ExternalID), says)
		}
	})
}
