package access_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

func TestWhoSeesAnOrder(t *testing.T) {
	h := newHouse()
	elsewhere := func(user string) bot.Request { return bot.Request{Team: "T2", User: user, Channel: "C1"} }
	for name, test := range map[string]struct {
		asks  bot.Request
		order string // its channel; Maria asked for it
		sees  bool
	}{
		"a member of its channel":                            {by("tom", "C1"), "C1", true},
		"from wherever they ask":                             {by("tom", "DTOM"), "C1", true},
		"a guest in it":                                      {by("guest", "C1"), "C1", true},
		"another organisation's member in it":                {by("partner", "C1"), "C1", true},
		"nobody who is not in it":                            {by("tom", "C1"), "CWEDDING", false},
		"no admin who is not in it":                          {by("chief", "C1"), "CWEDDING", false},
		"who stands in it, when the app is not":              {by("tom", "CAWAY"), "CAWAY", true},
		"who asked for it, when the app is not":              {by("maria", "C1"), "CAWAY", true},
		"nobody else, when the app is not":                   {by("tom", "C1"), "CAWAY", false},
		"nobody else, though they are a member of ours":      {by("admin", ""), "CAWAY", false},
		"who stands in it, when there is none any more":      {by("tom", "CGONE"), "CGONE", true},
		"who asked, but is not in a channel that tells":      {by("maria", "CTOM"), "CTOM", false},
		"another workspace's person, never":                  {elsewhere("tom"), "C1", false},
		"another workspace's person of the requester's name": {elsewhere("maria"), "CAWAY", false},
	} {
		t.Run(name, func(t *testing.T) {
			h.slack.open("CTOM", "tom")
			for what, ask := range map[string]func(context.Context, store.Tracked) (bool, error){
				"now":    func(ctx context.Context, o store.Tracked) (bool, error) { return h.CanSee(ctx, test.asks, o) },
				"lately": h.Viewer(test.asks).Sees,
				"afresh": h.FreshViewer(test.asks).Sees,
			} {
				sees, err := ask(t.Context(), of(test.order))
				require.NoError(t, err, what)
				require.Equal(t, test.sees, sees, what)
			}
		})
	}
}

func TestAnotherWorkspacesOrderCostsNoQuestion(t *testing.T) {
	h := newHouse()
	o := of("C1")
	o.Owner.Team = "T2"
	sees, err := h.CanSee(t.Context(), by("maria", "C1"), o)
	require.NoError(t, err)
	require.False(t, sees)
	require.Empty(t, h.slack.questions())
}

// A search may use an answer of Slack that is a minute old. For one order, Slack is asked again.
func TestWhoHasJustLeftSeesNothingAnyMore(t *testing.T) {
	h := newHouse()
	c := h.slack.channels["CWEDDING"]
	c.members, c.left = []string{"admin"}, []string{"maria"}
	r, o := by("maria", "CWEDDING"), of("CWEDDING")
	sees, err := h.CanSee(t.Context(), r, o)
	require.NoError(t, err)
	require.False(t, sees, "though she asked for it, and stands where it was")
	require.False(t, h.FreshViewer(r).Shows(t.Context(), o))
	require.True(t, h.Viewer(r).Shows(t.Context(), o))
}

func TestAnOutageIsNoAnswerToWhoSees(t *testing.T) {
	for name, trouble := range unanswered() {
		t.Run(name, func(t *testing.T) {
			h := newHouse()
			h.slack.breaks(conversationsMembers, trouble)
			sees, err := h.CanSee(t.Context(), by("maria", "C1"), of("C1"))
			require.ErrorIs(t, err, trouble)
			require.False(t, sees, "not even who asked for it")
		})
	}
}

func TestAnOutageHidesAndIsKept(t *testing.T) {
	h := newHouse()
	v := h.Viewer(by("maria", "C1"))
	require.True(t, v.Shows(t.Context(), of("C1")))
	require.NoError(t, v.Err)
	h.slack.breaks(conversationsMembers, client.ErrTryLater)
	require.False(t, v.Shows(t.Context(), of("CWEDDING")))
	require.ErrorIs(t, v.Err, client.ErrTryLater)
	require.True(t, v.Shows(t.Context(), of("C1")), "what is known stays known")
	h.slack.breaks(conversationsMembers, client.ErrToken)
	require.False(t, v.Shows(t.Context(), of("CWEDDING")))
	require.NotErrorIs(t, v.Err, client.ErrToken, "the first is kept")
	h.slack.breaks(conversationsMembers, nil)
	require.True(t, v.Shows(t.Context(), of("CWEDDING")), "an outage is not taken for an answer")
	require.ErrorIs(t, v.Err, client.ErrTryLater, "and is not forgotten: what it hid is missing")
}

// shows counts the orders that a viewer shows in the channels CMANY0, CMANY1 …, two in each.
func shows(t *testing.T, v *access.Viewer, channels int) (shown int) {
	t.Helper()
	for i := range 2 * channels {
		if v.Shows(t.Context(), of(fmt.Sprint("CMANY", i%channels))) {
			shown++
		}
	}
	return shown
}

// Slack lets an app ask for members some hundred times a minute: a Home that asked for each of
// fifty channels would be refused when it is opened twice.
func TestManyChannelsCostThreeQuestionsAndOneList(t *testing.T) {
	for channels, want := range map[int]map[string]int{
		1:  {conversationsMembers: 1},
		3:  {conversationsMembers: 3},
		4:  {conversationsMembers: 3, usersConversations: 1},
		50: {conversationsMembers: 3, usersConversations: 1},
	} {
		t.Run(fmt.Sprint(channels), func(t *testing.T) {
			h := newHouse()
			for i := range channels {
				h.slack.open(fmt.Sprint("CMANY", i), "maria").IsPrivate = i%2 == 0
			}
			v := h.Viewer(by("maria", ""))
			require.Equal(t, 2*channels, shows(t, v, channels))
			require.NoError(t, v.Err)
			require.Equal(t, want, h.slack.questions())
		})
	}
}

// The list lacks channels that the app does not see, and those that the person has left: it
// alone does not tell which.
func TestWhatTheListLacksIsAskedOnce(t *testing.T) {
	h := newHouse()
	for i := range 6 {
		h.slack.open(fmt.Sprint("CMANY", i), "maria")
	}
	h.slack.open("CMANY4", "tom")
	h.slack.channels["CMANY5"].IsPrivate, h.slack.channels["CMANY5"].IsMember = true, false
	v := h.Viewer(by("maria", ""))
	require.Equal(t, 2*5, shows(t, v, 6), "all but the channel that she is not in; she asked for all orders")
	require.Equal(t, map[string]int{conversationsMembers: 3 + 2, usersConversations: 1}, h.slack.questions())
}

func TestAFreshViewerGoesByNoList(t *testing.T) {
	h := newHouse()
	for i := range 5 {
		h.slack.open(fmt.Sprint("CMANY", i), "maria")
	}
	c := h.slack.channels["CMANY4"]
	c.members, c.left = nil, []string{"maria"}
	require.Equal(t, 2*5, shows(t, h.Viewer(by("maria", "")), 5))
	h.slack.questions()
	require.Equal(t, 2*4, shows(t, h.FreshViewer(by("maria", "")), 5), "she has just left one")
	require.Equal(t, map[string]int{conversationsMembers: 5}, h.slack.questions())
	require.Equal(t, 2*4, shows(t, h.FreshViewer(by("maria", "")), 5))
	require.Equal(t, map[string]int{conversationsMembers: 5}, h.slack.questions(), "another one asks anew")
}

func TestWhenTheListIsRefusedEachChannelIsAskedAbout(t *testing.T) {
	h := newHouse()
	for i := range 6 {
		h.slack.open(fmt.Sprint("CMANY", i), "maria")
	}
	h.slack.breaks(usersConversations, client.ErrNotAllowed)
	v := h.Viewer(by("maria", ""))
	require.Equal(t, 2*6, shows(t, v, 6))
	require.NoError(t, v.Err)
	require.Equal(t, map[string]int{conversationsMembers: 6, usersConversations: 1}, h.slack.questions())
	require.Contains(t, h.log.String(), "user=maria")
}

func TestWhenTheListFailsWhatItWasForIsHiddenAndTheReasonKept(t *testing.T) {
	for name, trouble := range unanswered() {
		t.Run(name, func(t *testing.T) {
			h := newHouse()
			for i := range 4 {
				h.slack.open(fmt.Sprint("CMANY", i), "maria")
			}
			h.slack.breaks(usersConversations, trouble)
			v := h.Viewer(by("maria", ""))
			require.Less(t, shows(t, v, 4), 2*4)
			require.ErrorIs(t, v.Err, trouble)
		})
	}
}

// places stores an order that Maria requested in each of the channels.
func (h *house) places(t *testing.T, channels ...string) {
	t.Helper()
	for i, channel := range channels {
		id := fmt.Sprint("order", i)
		_, err := h.store.Changes.AddOrder(t.Context(), store.NewOrder{
			ID: id, Owner: store.Owner{Team: "T1", Channel: channel, Requester: "maria"}, Order: order.Order{ID: id},
		})
		require.NoError(t, err)
	}
}

func TestTheChannelsOfAPersonAreThoseWithOrdersThatTheyAreIn(t *testing.T) {
	h, _ := newStored(t)
	h.slack.open("CEMPTY", "maria", "tom")
	h.places(t, "C1", "CWEDDING", "CAWAY", "C1")
	for user, want := range map[string][]string{
		"maria":  {"C1", "CWEDDING"}, // that she is in CAWAY Slack does not tell
		"tom":    {"C1"},
		"nobody": nil,
	} {
		v := h.Viewer(by(user, ""))
		in, err := v.Channels(t.Context())
		require.NoError(t, err)
		slices.Sort(in)
		require.Equal(t, want, in, user)
		h.slack.questions()
		for _, channel := range in {
			require.True(t, v.Shows(t.Context(), of(channel)))
		}
		require.Empty(t, h.slack.questions(), "they are known now")
	}
}

func TestTheChannelsOfAPersonWhileTheyAreNotTold(t *testing.T) {
	h, hangUp := newStored(t)
	h.places(t, "C1")
	h.slack.breaks(usersConversations, client.ErrNotAllowed)
	in, err := h.Viewer(by("maria", "")).Channels(t.Context())
	require.NoError(t, err, "a refusal")
	require.Empty(t, in)
	for name, trouble := range unanswered() {
		h.slack.breaks(usersConversations, trouble)
		_, err = h.Viewer(by("maria", "")).Channels(t.Context())
		require.ErrorIs(t, err, trouble, name)
	}
	h.slack.breaks(usersConversations, nil)
	hangUp()
	_, err = h.Viewer(by("maria", "")).Channels(t.Context())
	require.True(t, queue.Away(err), err)
}
