package access_test

import (
	"fmt"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/settingstest"
)

// keep allows only operators to read the credits.
func (h *house) keep(t *testing.T) {
	t.Helper()
	settingstest.SaveAccount(t, h.store, "T1", store.Account{Credits: store.CreditsOperators})
}

func TestWhoReadsTheCredits(t *testing.T) {
	open, _ := newStored(t)
	kept, _ := newStored(t)
	kept.keep(t)
	for user, reads := range map[string]struct{ open, kept bool }{
		"maria":    {true, false},
		"sibling":  {true, false},
		"admin":    {true, true},
		"guest":    {},
		"stranger": {},
		"former":   {},
		"nameless": {},
	} {
		got, err := open.ReadsCredits(t.Context(), by(user, ""))
		require.NoError(t, err)
		require.Equal(t, reads.open, got, user)
		got, err = kept.ReadsCredits(t.Context(), by(user, ""))
		require.NoError(t, err)
		require.Equal(t, reads.kept, got, "%s, operators only", user)
	}
}

// staff adds a channel with that many members, the app included.
func (h *house) staff(readers int) *channel {
	members := []string{"UDARKROOM"}
	for i := range readers - 1 {
		id := fmt.Sprint("staff", i)
		h.slack.people[id] = slack.User{ID: id, TeamID: "T1"}
		members = append(members, id)
	}
	return h.slack.open("CSTAFF", members...)
}

func TestAChannelIsToldTheCreditsWhenAllWhoReadItMayReadThem(t *testing.T) {
	h, _ := newStored(t)
	for name, test := range map[string]struct {
		readers int
		change  func(*house, *channel)
		want    bool
	}{
		"full members only":                   {5, nil, true},
		"a member of a sibling workspace":     {5, joins("sibling"), true},
		"thirty readers":                      {30, nil, true},
		"more than thirty":                    {31, nil, false},
		"slack has counted more than thirty":  {5, func(_ *house, c *channel) { c.NumMembers = 31 }, false},
		"members that are not told whole":     {5, func(_ *house, c *channel) { c.crowd = true }, false},
		"one guest among the readers":         {5, joins("guest"), false},
		"one of another organisation":         {5, joins("partner"), false},
		"one of whom slack tells too little":  {5, joins("nameless"), false},
		"one whom slack does not know":        {5, joins("nobody"), false},
		"another app":                         {5, joins("robot"), false},
		"shared with another organisation":    {5, func(_ *house, c *channel) { c.IsShared, c.IsExtShared = true, true }, false},
		"another organisation is invited":     {5, func(_ *house, c *channel) { c.IsPendingExtShared = true }, false},
		"shared, slack does not say how":      {5, func(_ *house, c *channel) { c.IsShared = true }, false},
		"shared by workspaces of ours":        {5, func(_ *house, c *channel) { c.IsShared, c.IsOrgShared = true, true }, true},
		"shared by ours, and with others too": {5, func(_ *house, c *channel) { c.IsShared, c.IsOrgShared, c.IsExtShared = true, true, true }, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := h.staff(test.readers)
			if test.change != nil {
				test.change(h, c)
			}
			all, err := h.AllReadCredits(t.Context(), "T1", "CSTAFF")
			require.NoError(t, err)
			require.Equal(t, test.want, all)
		})
	}
}

func joins(user string) func(*house, *channel) {
	return func(_ *house, c *channel) { c.members = append(c.members, user) }
}

func TestCreditsThatOperatorsKeepAreToldToNoChannel(t *testing.T) {
	h, _ := newStored(t)
	h.keep(t)
	h.slack.open("CBOARD", "admin", "chief")
	all, err := h.AllReadCredits(t.Context(), "T1", "CBOARD")
	require.NoError(t, err)
	require.False(t, all, "not even to one of operators only: others may join it")
	require.Empty(t, h.slack.questions())
}

func TestAChannelThatSlackCountsAsLargeCostsOneQuestion(t *testing.T) {
	h, _ := newStored(t)
	h.staff(31).NumMembers = 31
	_, err := h.AllReadCredits(t.Context(), "T1", "CSTAFF")
	require.NoError(t, err)
	require.Equal(t, map[string]int{conversationsInfo: 1}, h.slack.questions())
}

func TestWhileNobodyKnowsWhoReadsNoCreditsAreTold(t *testing.T) {
	h, _ := newStored(t)
	h.staff(5)
	for name, trouble := range unanswered() {
		for _, method := range []string{authTest, usersInfo, conversationsInfo, conversationsMembers} {
			t.Run(name+" "+method, func(t *testing.T) {
				h.slack.breaks(method, trouble)
				defer h.slack.breaks(method, nil)
				all, err := h.AllReadCredits(t.Context(), "T1", "CSTAFF")
				require.ErrorIs(t, err, trouble)
				require.False(t, all)
			})
		}
	}
	h.slack.breaks(usersInfo, client.ErrTryLater)
	reads, err := h.ReadsCredits(t.Context(), by("maria", ""))
	require.ErrorIs(t, err, client.ErrTryLater)
	require.False(t, reads)
}

func TestWhileRedisIsAwayNoCreditsAreTold(t *testing.T) {
	h, hangUp := newStored(t)
	h.staff(5)
	hangUp()
	all, err := h.AllReadCredits(t.Context(), "T1", "CSTAFF")
	require.True(t, queue.Away(err), err)
	require.False(t, all)
	reads, err := h.ReadsCredits(t.Context(), by("maria", ""))
	require.True(t, queue.Away(err), err)
	require.False(t, reads)
}
