package access_test

import (
	"fmt"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
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

// A new admin can act at once: an old no is asked again.
func TestWhoWasJustMadeAnAdminIsAnOperator(t *testing.T) {
	h := newHouse()
	h.slack.changed["maria"] = slack.User{TeamID: "T1", IsAdmin: true}
	h.slack.changed["guest"] = slack.User{TeamID: "T1", IsAdmin: true}
	for user, want := range map[string]bool{"maria": true, "guest": true, "tom": false, "admin": true} {
		is, err := h.IsOperator(t.Context(), by(user, ""))
		require.NoError(t, err)
		require.Equal(t, want, is, user)
	}
	h.slack.questions()
	h.slack.changed["admin"] = slack.User{TeamID: "T1"}
	is, err := h.IsOperator(t.Context(), by("admin", ""))
	require.NoError(t, err)
	require.True(t, is, "a yes is asked where something is changed")
	h.slack.questions()
	h.slack.lasts = 2
	h.slack.breaks(usersInfo, client.ErrTryLater)
	is, err = h.IsOperator(t.Context(), by("tom", ""))
	require.NoError(t, err, "what was said before counts")
	require.False(t, is)
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
					// Slack does not tell her workspace nor ours: two empty ids must not count as equal.
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
