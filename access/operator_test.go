package access_test

import (
	"fmt"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

func TestTheAdminsOfOurWorkspaceAreOperators(t *testing.T) {
	h := newHouse()
	grid := func(enterprise string, teams ...string) slack.EnterpriseUser {
		return slack.EnterpriseUser{EnterpriseID: enterprise, Teams: teams}
	}
	for name, test := range map[string]struct {
		is   slack.User
		want bool
	}{
		"a member":                             {slack.User{TeamID: "T1"}, false},
		"an admin":                             {slack.User{TeamID: "T1", IsAdmin: true}, true},
		"an owner":                             {slack.User{TeamID: "T1", IsOwner: true}, true},
		"the primary owner":                    {slack.User{TeamID: "T1", IsPrimaryOwner: true}, true},
		"an admin whose account is off":        {slack.User{TeamID: "T1", IsAdmin: true, Deleted: true}, false},
		"a guest, whatever else is said":       {slack.User{TeamID: "T1", IsAdmin: true, IsRestricted: true}, false},
		"a sibling workspace's admin":          {slack.User{TeamID: "T2", IsAdmin: true, Enterprise: grid("E1")}, false},
		"one who is a member of ours, too":     {slack.User{TeamID: "T2", IsAdmin: true, Enterprise: grid("E1", "T2", "T1")}, false},
		"slack does not say of which, of ours": {slack.User{IsAdmin: true, Enterprise: grid("E1", "T1")}, true},
		"nor whether of ours":                  {slack.User{IsAdmin: true, Enterprise: grid("E1", "T2")}, false},
		"another organisation's":               {slack.User{TeamID: "T9", IsAdmin: true, Enterprise: grid("E9")}, false},
		"a stranger":                           {slack.User{TeamID: "T1", IsAdmin: true, IsStranger: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			h.slack.people["ana"] = test.is
			is, err := h.IsOperator(t.Context(), by("ana", ""))
			require.NoError(t, err)
			require.Equal(t, test.want, is)
		})
	}
}

func TestThoseWhoAreNamedAreOperatorsInTheAdminsPlace(t *testing.T) {
	h := newHouse("tom", "guest", "former")
	for user, want := range map[string]bool{
		"tom": true, "maria": false, "admin": false,
		"guest": false, "former": false, // named, but no full members
	} {
		is, err := h.IsOperator(t.Context(), by(user, ""))
		require.NoError(t, err)
		require.Equal(t, want, is, user)
	}
}

func TestWhileSlackDoesNotAnswerNobodyIsAnOperator(t *testing.T) {
	for name, trouble := range unanswered() {
		for _, method := range []string{authTest, usersInfo} {
			for answers := range 2 { // before the trouble begins
				t.Run(fmt.Sprintf("%s %s %d", name, method, answers), func(t *testing.T) {
					h := newHouse()
					// Her workspace is not told: it must not count as ours because ours is not told either.
					h.slack.people["admin"] = slack.User{IsAdmin: true, Enterprise: slack.EnterpriseUser{Teams: []string{"T1"}}}
					h.slack.lasts = answers
					h.slack.breaks(method, trouble)
					is, err := h.IsOperator(t.Context(), by("admin", ""))
					require.ErrorIs(t, err, trouble)
					require.False(t, is)
				})
			}
		}
	}
}
