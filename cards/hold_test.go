package cards

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

// limits are settings that ask an approver about much.
func limits() store.Decides {
	return store.Decides{Approvers: []string{"U0OLGA", "U0BEN"}, Spenders: []string{"U0TOM"}, OrderLimit: 50, MonthLimit: 1}
}

// hold is a question about one of the scene's orders.
func (s scene) hold(why store.HoldWhy) store.Hold {
	return store.Hold{
		Draft: "d1", Attempt: 2, Team: "T1", Channel: "C0PHOTOS", User: "U0MARIA", Why: why, Name: s.words, Images: s.images,
		Cost: decimal.NewFromInt(int64(s.images)), Guessed: why == store.HoldOrder, Spent: decimal.RequireFromString("990.5"), Limit: 1000,
		Asks: []string{"U0OLGA", "U0BEN"}, At: now,
	}
}

// held is a draft that waits for an approver.
func (s scene) held() store.Draft {
	h := s.hold(store.HoldMonth)
	return store.Draft{ID: h.Draft, Attempt: h.Attempt, State: store.DraftRefused, Held: &h, Channel: h.Channel, User: h.User}
}

// An account's limit is the operators': they are asked, named or not.
func TestOverTheAccountsLimitAnOperatorIsAsked(t *testing.T) {
	h := scene{"Hats", 2}.hold(store.HoldAccount)
	h.Asks = nil
	require.Contains(t, pretty(t, HoldQuestion(h, nil)), "*May this order be placed?* An operator decides.")
	require.Contains(t, pretty(t, HoldQuestion(h, nil)), "once an operator allows it")
	d := store.Draft{ID: "d1", Held: &h}
	require.Contains(t, pretty(t, Held(d, "x")), "An operator who is there decides, and any operator may raise the limit.")
}

func TestTheAccountsLimitIsReadOverWhatHolds(t *testing.T) {
	now := store.Account{Credits: store.CreditsOperators, MonthLimit: 7}
	typed := func(limit ...string) slack.View {
		view := slack.View{State: &slack.ViewState{Values: map[string]map[string]slack.BlockAction{
			blockID(fieldCredits, 0, 0): {fieldCredits: {SelectedOption: slack.OptionBlockObject{Value: string(store.CreditsMembers)}}},
		}}}
		for _, l := range limit {
			view.State.Values[blockID(fieldAllLimit, 0, 0)] = map[string]slack.BlockAction{fieldAllLimit: {Value: l}}
		}
		return view
	}
	for _, row := range []struct {
		typed []string
		want  int
	}{{nil, 7}, {[]string{" 500 "}, 500}, {[]string{""}, 0}} {
		got, problems := DecodeAccount(typed(row.typed...), now)
		require.Empty(t, problems)
		require.Equal(t, store.Account{Credits: store.CreditsMembers, MonthLimit: row.want}, got)
	}
	_, problems := DecodeAccount(typed("much"), now)
	require.Contains(t, problems[blockID(fieldAllLimit, 0, 0)], "whole credits")
	same, problems := DecodeAccount(slack.View{}, now)
	require.Equal(t, now, same, "a form that did not ask")
	require.Empty(t, problems)
}

// holds are the questions that a channel sees, and what people are told of them.
func (s scene) holds() map[string]any {
	h := s.hold(store.HoldMonth)
	allowed, declined, anew := store.HoldDecision{By: "U0OLGA", At: now, Allowed: true}, store.HoldDecision{By: "U0BEN", At: now}, store.HoldDecision{At: now, Anew: true}
	return map[string]any{
		"account": HoldQuestion(s.hold(store.HoldAccount), nil), "ops_limit": Say(OpsLimit(h)), "told_operators": Say(NotAllower("C0PHOTOS", nil)),
		"month": HoldQuestion(h, nil), "order": HoldQuestion(s.hold(store.HoldOrder), nil), "spender": HoldQuestion(s.hold(store.HoldSpender), nil),
		"allowed": HoldQuestion(h, &allowed), "declined": HoldQuestion(h, &declined), "anew": HoldQuestion(h, &anew),
		"told_declined": HoldDeclined(h, declined), "told_changed": HoldChanged(h), "told_gone": Say(HoldGone),
		"told_allowed": HoldDecided(allowed), "told_anew": HoldDecided(anew), "told_no": HoldDecided(declined),
		"told_kept": Say(NotAllower("C0PHOTOS", h.Asks)),
	}
}

func TestHolds(t *testing.T) { golden(t, scene.holds) }

func TestAQuestionToOnePersonDoesNotSpeakOfSeveral(t *testing.T) {
	for asked, says := range map[string]string{"U0OLGA": "once <@U0OLGA> allows it", "S0LEADS": "once one of them allows it"} {
		h := scene{"Hats", 2}.hold(store.HoldMonth)
		h.Asks = []string{asked}
		require.Contains(t, pretty(t, HoldQuestion(h, nil)), says)
	}
}

func TestALimitIsWholeCreditsAndNeedsAnApprover(t *testing.T) {
	typed := func(order string, approvers ...string) slack.View {
		form := withPeople(fieldApprovers, approvers)
		form.State.Values[blockID(fieldOrderLimit, 0, 0)] = map[string]slack.BlockAction{fieldOrderLimit: {Value: order}}
		return form
	}
	for order, want := range map[string]int{"": 0, " 50 ": 50, "0": 0} {
		got, problems := DecodeSettings(typed(order, "U0OLGA"), store.Settings{Decides: store.Decides{OrderLimit: 7, MonthLimit: 9}})
		require.Empty(t, problems)
		require.Equal(t, store.Decides{Approvers: []string{"U0OLGA"}, OrderLimit: want, MonthLimit: 9}, got.Decides)
	}
	for _, order := range []string{"fifty", "-1", "1.5", "9999999999"} {
		_, problems := DecodeSettings(typed(order, "U0OLGA"), store.Settings{})
		require.Contains(t, problems[blockID(fieldOrderLimit, 0, 0)], "whole credits", order)
	}
	_, problems := DecodeSettings(typed("50"), store.Settings{})
	require.Contains(t, problems[blockID(fieldApprovers, 0, 0)], "Name who is asked")
	_, problems = DecodeSettings(chose(""), store.Settings{})
	require.Empty(t, problems, "an older form")
}

func TestOnlyAQuestionIsTakenForOne(t *testing.T) {
	m := HoldQuestion(scene{"beach", 1}.hold(store.HoldOrder), nil)
	require.Equal(t, "d1.2", HoldOf(slack.Message{Msg: slack.Msg{Metadata: *m.Metadata}}))
	require.Empty(t, HoldOf(slack.Message{Msg: slack.Msg{Metadata: slack.SlackMetadata{EventType: MetadataType, EventPayload: map[string]any{"hold": "d1.2"}}}}))
}
