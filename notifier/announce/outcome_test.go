package announce_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/sandbox/workspace"
)

func TestAPublicChannelIsJoined(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, weddings)
	r.announce(t)
	require.Equal(t, []string{"card", "placed"}, r.thread(t, weddings))
	require.Empty(t, r.w.DMs("maria"))
}

func TestTheRequesterIsToldOnceThatTheChannelIsOutOfReach(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		channel string
		cause   func(*workspace.Workspace)
		mend    func(*workspace.Workspace)
		says    string
	}{
		"never invited": {
			studioCh, func(*workspace.Workspace) {},
			func(w *workspace.Workspace) { w.Invite("studio", "darkroom") }, "invite me",
		},
		"archived": {
			shoots, func(w *workspace.Workspace) { w.Archive("shoots") },
			func(w *workspace.Workspace) { w.Unarchive("shoots") }, "archived",
		},
		"forbidden": {
			shoots, func(w *workspace.Workspace) {
				w.Misbehave("chat.postMessage", workspace.Fails("restricted_action"), 1)
				w.Misbehave("chat.postMessage", workspace.Fault{}, 1)
				w.Misbehave("chat.postMessage", workspace.Fails("restricted_action"), 3)
			},
			func(*workspace.Workspace) {}, "cannot post",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			r.config.OutcomeAfter = time.Hour // nothing is in doubt
			r.place(t, tc.channel)
			tc.cause(r.w)
			require.Equal(t, []time.Duration{time.Minute, 2 * time.Minute, 2 * time.Minute, 2 * time.Minute}, r.unreachable(t, 4))
			require.Len(t, r.w.DMs("maria"), 1)
			require.Contains(t, r.w.DMs("maria")[0].Text, tc.says)
			tc.mend(r.w)
			r.announce(t)
			require.Equal(t, []string{"card", "placed"}, r.thread(t, tc.channel), "nothing is dropped")
			require.Len(t, r.w.DMs("maria"), 1)
		})
	}
}

func TestTheRequesterIsToldWhenThatIsPossibleAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, studioCh)
	r.w.Misbehave("conversations.open", workspace.Fails("internal_error"), 2)
	r.unreachable(t, 2)
	require.Empty(t, r.w.DMs("maria"))
	r.unreachable(t, 2)
	require.Len(t, r.w.DMs("maria"), 1)
}

// Changing the token needs a restart, so channels should not wait long after it.
func TestARevokedTokenKeepsTheJob(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.w.RevokeToken()
	require.Equal(t, []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute, time.Minute}, r.unreachable(t, 6))
}

// unknownUser is a Slack that does not know the requester.
type unknownUser struct {
	whole
	asked int
}

func (u *unknownUser) DM(context.Context, string, client.Post) (string, string, error) {
	u.asked++
	return "", "", client.ErrNoUser
}

func TestARequesterWhoLeftIsNotSoughtForEver(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, studioCh)
	u := &unknownUser{whole: r.slack}
	r.config.Slack = u
	r.unreachable(t, 2)
	require.Equal(t, 1, u.asked)
}

func TestALookInAChannelOutOfReachIsDropped(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.w.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
	r.announce(t)
	r.w.Kick("shoots", "darkroom")
	r.later(t)
	require.Empty(t, r.w.DMs("maria"))
}

func TestAChannelThatIsBackGetsEverythingInOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.w.Archive("shoots")
	r.happens(t, order.StatusReviewing, 0)
	r.unreachable(t, 1)
	r.happens(t, order.StatusClosed, 0)
	r.unreachable(t, 1)
	r.w.Unarchive("shoots")
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0", "approved"}, r.thread(t, shoots))
}

func TestOneOrdersTroubleDoesNotSilenceTheOthers(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.w.Archive("shoots")
	r.unreachable(t, 1)
	r.placeOrder(t, "ord2", shoots)
	require.NoError(t, r.announceOrder(t, "ord2"), "the lane is free for the next order")
	require.Len(t, r.w.DMs("maria"), 2, "each order's requester is told of it")
}

func TestNewsMeanwhileIsNotToldAsNewTrouble(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.w.Archive("shoots")
	r.happens(t, order.StatusReviewing, 0)
	r.unreachable(t, 1)
	r.happens(t, order.StatusClosed, 0)
	before := len(r.put.jobs)
	require.NoError(t, r.announceOrder(t, orderID))
	require.Len(t, r.put.jobs, before, "one chain of jobs is enough")
	require.Len(t, r.w.DMs("maria"), 1)
	r.w.Unarchive("shoots")
	r.announce(t)
	r.w.Archive("shoots")
	r.happens(t, order.StatusClosed, 1)
	r.unreachable(t, 1)
	require.Len(t, r.w.DMs("maria"), 2, "it is trouble anew")
}
