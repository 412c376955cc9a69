package access_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/store"
)

// Group members are read when a person acts. An outage neither allows nor refuses.
func TestMembersOfAGroupSpend(t *testing.T) {
	h := newHouse()
	h.slack.groups = map[string][]string{"S1": {"maria"}}
	limits := store.Decides{SpenderGroups: []string{"S1"}, ApproverGroups: []string{"S2"}}
	spends := func(user string) (bool, error) { return h.Spends(t.Context(), user, limits) }

	may, err := spends("maria")
	require.NoError(t, err)
	require.True(t, may)
	may, err = spends("tom")
	require.NoError(t, err)
	require.False(t, may)
	h.slack.groups = nil // it was deleted
	may, err = spends("maria")
	require.NoError(t, err)
	require.False(t, may)
	h.slack.breaks(usergroupsUsersList, client.ErrTryLater)
	may, err = spends("maria")
	require.ErrorIs(t, err, client.ErrTryLater)
	require.False(t, may)
	h.slack.breaks(usergroupsUsersList, client.ErrMissingScope)
	may, err = spends("maria")
	require.NoError(t, err)
	require.False(t, may)
	require.Contains(t, h.log.String(), "not told who is in a user group")
}
