package client_test

import (
	"fmt"
	"testing"

	"darkroom/bot/client"
	"darkroom/sandbox/workspace"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// crowded is a Slack with a small channel, and with one of many thousands that includes maria.
func crowded(t *testing.T) (*workspace.Workspace, *client.Client) {
	t.Helper()
	slack := workspace.New(workspace.Options{Channels: []workspace.Channel{
		{ID: "CSMALL", Name: "small", Members: []string{"maria", "darkroom"}},
		{ID: "CBIG", Name: "big", Members: []string{"maria", "darkroom"}, Crowd: 20_000},
	}})
	require.NoError(t, slack.Start())
	t.Cleanup(slack.Close)
	return slack, client.New(client.Config{Token: "xoxb-sandbox-token", APIURL: slack.APIURL()})
}

func TestMembershipOfAHugeChannelCostsFewCalls(t *testing.T) {
	slack, c := crowded(t)
	for range 3 {
		for user, want := range map[string]bool{"U0MARIA": true, "U0BEN": false} {
			in, err := c.People.IsMember(t.Context(), "CBIG", user)
			require.NoError(t, err)
			assert.Equal(t, want, in, user)
		}
	}
	calls := map[string]int{}
	for _, r := range slack.Requests() {
		assert.Empty(t, r.Error, r.Method)
		assert.Equal(t, "999", fmt.Sprint(r.Args["limit"]), r.Method)
		calls[r.Method]++
	}
	assert.Equal(t, map[string]int{"conversations.members": 3, "users.conversations": 2}, calls)
}

func TestWhoLeftIsNoMemberAtOnce(t *testing.T) {
	slack, c := crowded(t)
	for _, channel := range []string{"CSMALL", "CBIG"} {
		in := func(ask func() (bool, error)) bool {
			yes, err := ask()
			require.NoError(t, err)
			return yes
		}
		cached := func() (bool, error) { return c.People.IsMember(t.Context(), channel, "U0MARIA") }
		now := func() (bool, error) { return c.People.IsMemberNow(t.Context(), channel, "U0MARIA") }
		require.True(t, in(cached))
		slack.Kick(channel, "maria")
		require.True(t, in(cached), "what Slack said a moment ago")
		require.False(t, in(now))
		slack.Invite(channel, "maria")
		require.True(t, in(now))
		slack.Kick(channel, "maria")
		c.People.Forget(channel, "U0MARIA")
		require.False(t, in(cached), "it was told")
	}
}
