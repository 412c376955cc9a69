package access_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/order"
)

func TestWhereAnOrderCanBeShown(t *testing.T) {
	for name, test := range map[string]struct {
		user, channel string
		change        func(*channel)
		want          order.Denial
	}{
		"a public channel":                          {"maria", "C1", nil, ""},
		"a private channel":                         {"maria", "CWEDDING", nil, ""},
		"not by a guest":                            {"guest", "C1", nil, order.DeniedGuest},
		"not by another organisation":               {"partner", "C1", nil, order.DeniedExternal},
		"not by who is not in it":                   {"tom", "CWEDDING", nil, order.DeniedNotMember},
		"not even an admin":                         {"chief", "CWEDDING", nil, order.DeniedNotMember},
		"not in an archived one":                    {"maria", "C1", func(c *channel) { c.IsArchived = true }, order.DeniedArchived},
		"not where slack hides it from the app":     {"maria", "CAWAY", nil, order.DeniedNotInChannel},
		"not in one that there is not":              {"maria", "CNONE", nil, order.DeniedNotInChannel},
		"not in a direct message":                   {"maria", "C1", func(c *channel) { c.IsIM = true }, order.DeniedNoRoom},
		"nor in one of several people":              {"maria", "C1", func(c *channel) { c.IsMpIM, c.IsPrivate = true, true }, order.DeniedNoRoom},
		"a guest in a wrong channel is a guest":     {"guest", "CAWAY", nil, order.DeniedGuest},
		"an archived one that nobody is in is that": {"tom", "CWEDDING", func(c *channel) { c.IsArchived = true }, order.DeniedArchived},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse()
			if test.change != nil {
				test.change(h.slack.channels[test.channel])
			}
			why, err := h.WhyNotPost(t.Context(), test.user, test.channel)
			require.NoError(t, err)
			require.Equal(t, test.want, why)
			require.Zero(t, h.slack.questions()[conversationsJoin], "nothing is joined without need")
		})
	}
}

// A token may read channels that the app is not in; Slack then describes them.
func TestAPrivateChannelThatTheAppReadsWithoutBeingInItIsNoPlace(t *testing.T) {
	h := newHouse()
	why, err := controlOver(telling{h.slack}).WhyNotPost(t.Context(), "maria", "CAWAY")
	require.NoError(t, err)
	require.Equal(t, order.DeniedNotInChannel, why)
	require.Zero(t, h.slack.questions()[conversationsMembers])
}

func TestAPublicChannelIsJoinedForWhoIsInIt(t *testing.T) {
	h := newHouse()
	for user, want := range map[string]order.Denial{"tom": order.DeniedNotMember, "guest": order.DeniedGuest} {
		why, err := h.WhyNotPost(t.Context(), user, "CDOOR")
		require.NoError(t, err)
		require.Equal(t, want, why)
		require.False(t, h.slack.channels["CDOOR"].IsMember, "joined for %s", user)
	}
	why, err := h.WhyNotPost(t.Context(), "maria", "CDOOR")
	require.NoError(t, err)
	require.Empty(t, why)
	require.True(t, h.slack.channels["CDOOR"].IsMember)
}

// postMethods are called in this order before an order is placed in a public channel.
var postMethods = []string{authTest, usersInfo, conversationsInfo, conversationsMembers, conversationsJoin}

func TestWhatPassesByItselfIsNoReasonNotToPost(t *testing.T) {
	for name, trouble := range outages {
		for _, method := range postMethods {
			t.Run(name+" "+method, func(t *testing.T) {
				h := newHouse()
				h.slack.breaks(method, trouble)
				why, err := h.WhyNotPost(t.Context(), "maria", "CDOOR")
				require.ErrorIs(t, err, trouble)
				require.Empty(t, why)
			})
		}
	}
}

// A permanent error is a reason at once: a job that waited would keep the person waiting.
func TestWhatDoesNotPassByItselfIsAReasonNotToPost(t *testing.T) {
	who := []string{authTest, usersInfo}
	where := []string{conversationsInfo, conversationsMembers, conversationsJoin}
	for name, test := range map[string]struct {
		says    error
		methods []string
		want    order.Denial
	}{
		"the token is refused":      {client.ErrToken, postMethods, order.DeniedTokenRevoked},
		"a scope is missing":        {client.ErrMissingScope, postMethods, order.DeniedMissingScope},
		"no such channel":           {client.ErrNoChannel, where, order.DeniedNotInChannel},
		"the app is not in it":      {client.ErrNotInChannel, where, order.DeniedNotInChannel},
		"the workspace forbids it":  {client.ErrNotAllowed, where, order.DeniedNotInChannel},
		"it was archived meanwhile": {client.ErrArchived, where, order.DeniedArchived},
		"it has too many members":   {client.ErrTooMany, where, order.DeniedByChannel},
		"something else":            {errOdd, where, order.DeniedByChannel},
		"the person is not told":    {client.ErrNoUser, who, order.DeniedUnsure},
	} {
		for _, method := range test.methods {
			t.Run(name+" "+method, func(t *testing.T) {
				h := newHouse()
				h.slack.breaks(method, test.says)
				why, err := h.WhyNotPost(t.Context(), "maria", "CDOOR")
				require.NoError(t, err)
				require.Equal(t, test.want, why)
			})
		}
	}
}
