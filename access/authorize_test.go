package access_test

import (
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/access"
	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/settingstest"
)

// Everybody in the table is a member of the order's channel.
func TestFullMembersActAndAllOthersOnlySee(t *testing.T) {
	h := newHouse()
	for user, denial := range map[string]order.Denial{
		"maria":    "",
		"tom":      "",
		"admin":    "",
		"sibling":  "", // a full member of another workspace of our organisation
		"guest":    order.DeniedGuest,
		"visitor":  order.DeniedGuest,
		"stranger": order.DeniedExternal,
		"partner":  order.DeniedExternal,
		"former":   order.DeniedNoPerson,
		"robot":    order.DeniedNoPerson,
		"nameless": order.DeniedUnsure,
	} {
		t.Run(user, func(t *testing.T) {
			r, want := by(user, "C1"), access.Permit{Sees: true, Denial: denial}
			permit, err := h.Authorize(t.Context(), r, of("C1"))
			require.NoError(t, err)
			require.Equal(t, want, permit)
			require.Equal(t, denial == "", permit.Acts())
			why, err := h.WhyNoMember(t.Context(), user)
			require.NoError(t, err)
			require.Equal(t, denial, why)
		})
	}
}

func TestWhoDoesNotSeeAnOrderDoesNotAct(t *testing.T) {
	h := newHouse()
	permit, err := h.Authorize(t.Context(), by("tom", "C1"), of("CWEDDING"))
	require.NoError(t, err)
	require.Equal(t, access.Permit{}, permit)
	require.False(t, permit.Acts(), "though nothing denies it to him")
}

// A write needs a fresh answer of Slack. A read-only request may use an answer that is a minute old.
func TestWhoHasJustBecomeSomebodyElseDoesNotAct(t *testing.T) {
	for name, test := range map[string]struct {
		is   slack.User
		want order.Denial
	}{
		"switched off": {slack.User{TeamID: "T1", Deleted: true}, order.DeniedNoPerson},
		"made a guest": {slack.User{TeamID: "T1", IsRestricted: true}, order.DeniedGuest},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse()
			h.slack.changed["tom"] = test.is
			why, err := h.WhyNoMember(t.Context(), "tom")
			require.NoError(t, err)
			require.Empty(t, why, "for a look")
			why, err = h.WhyNoMemberNow(t.Context(), "tom")
			require.NoError(t, err)
			require.Equal(t, test.want, why)
			permit, err := h.Authorize(t.Context(), by("tom", "C1"), of("C1"))
			require.NoError(t, err)
			require.Equal(t, access.Permit{Sees: true, Denial: test.want}, permit)
			why, err = h.WhyNotPost(t.Context(), "tom", "C1")
			require.NoError(t, err)
			require.Equal(t, test.want, why)
		})
	}
}

func TestWhoHasJustLeftTheChannelDoesNotAct(t *testing.T) {
	h := newHouse()
	c := h.slack.channels["CWEDDING"]
	c.members, c.left = []string{"admin"}, []string{"maria"}
	permit, err := h.Authorize(t.Context(), by("maria", "CWEDDING"), of("CWEDDING"))
	require.NoError(t, err)
	require.Equal(t, access.Permit{}, permit)
	why, err := h.WhyNotPost(t.Context(), "maria", "CWEDDING")
	require.NoError(t, err)
	require.Equal(t, order.DeniedNotMember, why)
}

// Slack hides people who share no channel with the app, and may refuse the request.
func TestWhomSlackDoesNotTellAboutDoesNotActAndTheLogSaysWho(t *testing.T) {
	for name, refusal := range map[string]error{"no such person": client.ErrNoUser, "not allowed": client.ErrNotAllowed, "odd": errOdd} {
		t.Run(name, func(t *testing.T) {
			h := newHouse()
			h.slack.breaks(usersInfo, refusal)
			permit, err := h.Authorize(t.Context(), by("tom", "C1"), of("C1"))
			require.NoError(t, err)
			require.Equal(t, access.Permit{Sees: true, Denial: order.DeniedUnsure}, permit)
			require.Contains(t, h.log.String(), "user=tom")
			require.Contains(t, h.log.String(), refusal.Error())
		})
	}
}

// An outage is not a refusal. Otherwise a person would read that they are a guest, and a job would give up.
func TestWhileNobodyKnowsWhoSomebodyIsNothingIsDenied(t *testing.T) {
	for name, trouble := range unanswered() {
		for _, method := range []string{authTest, usersInfo, conversationsMembers} {
			t.Run(name+" "+method, func(t *testing.T) {
				h := newHouse()
				h.slack.breaks(method, trouble)
				permit, err := h.Authorize(t.Context(), by("tom", "C1"), of("C1"))
				require.ErrorIs(t, err, trouble)
				require.Equal(t, access.Permit{}, permit, "nor allowed")
			})
		}
	}
}

func TestAnAnswerThatIsNoLongerWaitedForDeniesNothing(t *testing.T) {
	h := newHouse()
	ctx := gone(t)
	for _, method := range []string{usersInfo, conversationsMembers} {
		h.slack.breaks(method, ctx.Err())
		permit, err := h.Authorize(ctx, by("tom", "C1"), of("C1"))
		require.ErrorIs(t, err, ctx.Err(), method)
		require.Equal(t, access.Permit{}, permit, method)
		h.slack.breaks(method, nil)
	}
}

func TestWhoMayHandAnOrderToAnotherChannel(t *testing.T) {
	h, _ := newStored(t)
	settingstest.Save(t, h.store, "T1", "CKEPT", store.Settings{Decides: store.Decides{Approvers: []string{"tom"}}})
	h.slack.open("CKEPT", "maria", "tom", "admin")
	for name, test := range map[string]struct {
		user, channel, requester string
		may                      bool
	}{
		"who asked for it, where others approve":      {"maria", "CKEPT", "maria", false},
		"an approver":                                 {"tom", "CKEPT", "maria", true},
		"an operator, where others approve":           {"admin", "CKEPT", "maria", true},
		"who asked for it":                            {"maria", "C1", "maria", true},
		"who asked for it, when the app is not there": {"maria", "CAWAY", "maria", true},
		"who asked for it and is a guest now":         {"guest", "C1", "guest", false},
		"who asked for it and is no longer in there":  {"tom", "CWEDDING", "tom", false},
		"another member":                              {"tom", "C1", "maria", false},
		"an operator":                                 {"admin", "C1", "maria", true},
		"an operator who does not see it":             {"chief", "CWEDDING", "maria", false},
	} {
		t.Run(name, func(t *testing.T) {
			o := of(test.channel)
			o.Owner.Requester = test.requester
			may, kept, err := h.CanMove(t.Context(), by(test.user, ""), o)
			require.NoError(t, err)
			require.Equal(t, test.may, may)
			require.Equal(t, test.channel == "CKEPT", len(kept) > 0, "who is asked")
		})
	}
	h.slack.breaks(usersInfo, client.ErrTryLater)
	may, _, err := h.CanMove(t.Context(), by("maria", ""), of("C1"))
	require.ErrorIs(t, err, client.ErrTryLater)
	require.False(t, may)
}

// Another approver counts only if they can act in the channel.
func TestWhetherAnotherDecides(t *testing.T) {
	h, _ := newStored(t)
	h.slack.groups = map[string][]string{"S1": {"maria"}, "S2": {"maria", "tom"}}
	for name, test := range map[string]struct {
		decides store.Decides
		want    bool
	}{
		"nobody is named":          {store.Decides{}, false},
		"they alone":               {store.Decides{Approvers: []string{"maria"}, ApproverGroups: []string{"S1"}}, false},
		"another":                  {store.Decides{Approvers: []string{"maria", "tom"}}, true},
		"another of a group":       {store.Decides{ApproverGroups: []string{"S2"}}, true},
		"another, who only looks":  {store.Decides{Approvers: []string{"maria", "guest"}}, false},
		"another of a group alone": {store.Decides{ApproverGroups: []string{"S1", "SGONE"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			settingstest.Save(t, h.store, "T1", "C1", store.Settings{Decides: test.decides})
			another, err := h.AnotherDecides(t.Context(), "maria", of("C1"), false)
			require.NoError(t, err)
			require.Equal(t, test.want, another)
			another, err = h.AnotherDecides(t.Context(), "maria", of("C1"), true)
			require.NoError(t, err)
			require.False(t, another, "no operator is named")
		})
	}
	named := houseOver(h.store, "maria", "admin")
	another, err := named.AnotherDecides(t.Context(), "maria", of("C1"), true)
	require.NoError(t, err)
	require.True(t, another)
	h.slack.breaks(usergroupsUsersList, client.ErrTryLater)
	settingstest.Save(t, h.store, "T1", "C1", store.Settings{Decides: store.Decides{ApproverGroups: []string{"S2"}}})
	_, err = h.AnotherDecides(t.Context(), "maria", of("C1"), false)
	require.ErrorIs(t, err, client.ErrTryLater)
}
