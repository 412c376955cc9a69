package access_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
)

func TestWhoHearsOfAnOrderSeesIt(t *testing.T) {
	for name, test := range map[string]struct {
		channel string // where it would be told
		order   string // its channel
		all     bool
	}{
		"in its own channel":                              {"CWEDDING", "CWEDDING", true},
		"where all are in its channel":                    {"CWEDDING", "C1", true},
		"not where somebody is who is not":                {"C1", "CWEDDING", false},
		"an app is nobody":                                {"CROBOT", "CWEDDING", true},
		"nor is whose account is switched off":            {"CFORMER", "CWEDDING", true},
		"a guest is somebody":                             {"CGUEST", "CWEDDING", false},
		"and so is another organisation's person":         {"CPARTNER", "CWEDDING", false},
		"whom slack does not know may be anybody":         {"CNOBODY", "CWEDDING", false},
		"not where so many are that not all are told":     {"CCROWD", "C1", false},
		"nor when its own channel has as many":            {"CWEDDING", "CCROWD", false},
		"not where the app is not":                        {"CAWAY", "C1", false},
		"nor when it is not in the order's":               {"CWEDDING", "CAWAY", false},
		"more strangers are not asked about one by one":   {"CBOTS", "CWEDDING", false},
		"in its own channel, though the app is not there": {"CAWAY", "CAWAY", true},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse()
			h.slack.open("CROBOT", "maria", "robot")
			h.slack.open("CFORMER", "maria", "former")
			h.slack.open("CGUEST", "maria", "guest")
			h.slack.open("CPARTNER", "maria", "partner")
			h.slack.open("CNOBODY", "maria", "UNKNOWN")
			h.slack.open("CCROWD", "maria").crowd = true
			h.slack.open("CBOTS", "robot", "former", "UDARKROOM", "UA", "UB", "UC", "UD", "UE", "UF", "UG", "UH", "UI")
			all, err := h.AllSee(t.Context(), "T1", test.channel, of(test.order))
			require.NoError(t, err)
			require.Equal(t, test.all, all)
		})
	}
	h := newHouse()
	all, err := h.AllSee(t.Context(), "T2", "C1", of("C1"))
	require.NoError(t, err)
	require.False(t, all, "another workspace's channel of the same id")
}

func TestWhileSlackDoesNotTellNobodyHears(t *testing.T) {
	for name, err := range unanswered() {
		h := newHouse()
		h.slack.breaks(conversationsMembers, err)
		all, answer := h.AllSee(t.Context(), "T1", "CWEDDING", of("C1"))
		require.ErrorIs(t, answer, err, name)
		require.False(t, all, name)
	}
	h := newHouse()
	h.slack.open("CROBOT", "maria", "robot")
	h.slack.breaks(usersInfo, client.ErrTryLater)
	_, err := h.AllSee(t.Context(), "T1", "CROBOT", of("CWEDDING"))
	require.ErrorIs(t, err, client.ErrTryLater)
}
