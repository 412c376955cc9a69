package settings

import (
	"testing"

	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

func TestTheAccountsLimitIsReadOverWhatHolds(t *testing.T) {
	now := Values{Account: &store.Account{Credits: store.CreditsOperators, MonthLimit: 7}}
	form := Form{Part: Account}
	typed := func(limit ...string) slack.View {
		view := cardstest.Answered(map[string]string{fieldCredits: string(store.CreditsMembers)})
		for _, l := range limit {
			view.State.Values[kit.BlockID(fieldAllLimit, 0, 0)] = map[string]slack.BlockAction{fieldAllLimit: {Value: l}}
		}
		return view
	}
	for _, row := range []struct {
		typed []string
		want  int
	}{{nil, 7}, {[]string{" 500 "}, 500}, {[]string{""}, 0}} {
		got, problems := form.decode(typed(row.typed...), now)
		require.Empty(t, problems)
		require.Equal(t, store.Account{Credits: store.CreditsMembers, MonthLimit: row.want}, *got.Account)
		require.Equal(t, 7, now.Account.MonthLimit, "what was read stays as it was")
	}
	_, problems := form.decode(typed("much"), now)
	require.Contains(t, problems[kit.BlockID(fieldAllLimit, 0, 0)], "whole credits")
	same, problems := form.decode(slack.View{}, now)
	require.Equal(t, now, same, "a form that did not ask")
	require.Empty(t, problems)
}

func TestALimitIsWholeCreditsAndNeedsAnApprover(t *testing.T) {
	typed := func(order string, approvers ...string) slack.View {
		form := withPeople(fieldApprovers, approvers)
		form.State.Values[kit.BlockID(fieldOrderLimit, 0, 0)] = map[string]slack.BlockAction{fieldOrderLimit: {Value: order}}
		return form
	}
	form := Form{Part: Approval}
	for order, want := range map[string]int{"": 0, " 50 ": 50, "0": 0} {
		got, problems := form.decode(typed(order, "U0OLGA"), Values{Settings: store.Settings{Decides: store.Decides{OrderLimit: 7, MonthLimit: 9}}})
		require.Empty(t, problems)
		require.Equal(t, store.Decides{Approvers: []string{"U0OLGA"}, OrderLimit: want, MonthLimit: 9}, got.Decides)
	}
	for _, order := range []string{"fifty", "-1", "1.5", "9999999999"} {
		_, problems := form.decode(typed(order, "U0OLGA"), Values{})
		require.Contains(t, problems[kit.BlockID(fieldOrderLimit, 0, 0)], "whole credits", order)
	}
	_, problems := form.decode(typed("50"), Values{})
	require.Contains(t, problems[kit.BlockID(fieldApprovers, 0, 0)], "Name an approver")
}

func TestEachBadLimitIsSaid(t *testing.T) {
	form := withPeople(fieldApprovers, []string{"U0OLGA"})
	for _, field := range []string{fieldOrderLimit, fieldMonthLimit} {
		form.State.Values[kit.BlockID(field, 0, 0)] = map[string]slack.BlockAction{field: {Value: "much"}}
	}
	_, problems := Form{Part: Approval}.decode(form, Values{})
	require.Len(t, problems, 2)
}
