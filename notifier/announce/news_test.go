package announce_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
)

// sight decides who sees an order.
type sight map[string]bool

// CanSee implements [announce.Access].
func (s sight) CanSee(_ context.Context, r bot.Request, _ store.Tracked) (bool, error) {
	return s[r.User], nil
}

// AllSee implements [announce.Access]: it is true in the named channel and the order's own.
func (s sight) AllSee(_ context.Context, _, channel string, t store.Tracked) (bool, error) {
	return s[channel] || channel == t.Owner.Channel, nil
}

// followed is an order with Ben as its follower.
func followed(t *testing.T) *rig {
	t.Helper()
	r := newRig(t, workspace.Options{})
	r.config.Access = sight{"U0BEN": true}
	r.place(t, shoots)
	r.announce(t)
	require.NoError(t, r.Follows.Follow(t.Context(), orderID, "U0BEN"))
	return r
}

// newsJobs returns the jobs that were put, without repeats.
func (r *rig) newsJobs() (all []*queue.Delivery) {
	seen := map[string]bool{}
	for _, j := range r.put.jobs {
		if j.Kind == announce.NewsKind && !seen[j.ID] {
			seen[j.ID] = true
			all = append(all, &queue.Delivery{Job: j, PutAt: time.Now(), Deliveries: 1})
		}
	}
	return all
}

// told returns the messages that Ben got, in order.
func (r *rig) told() (all []string) {
	for _, m := range r.w.DMs("ben") {
		text, _, _ := strings.Cut(m.Text, ":")
		all = append(all, text)
	}
	return all
}

func TestAFollowerIsToldOfEachEventOnceAndInOrder(t *testing.T) {
	t.Parallel()
	r := followed(t)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	news := r.newsJobs()
	require.Len(t, news, 2)
	r.finishes(t, news[1]) // whatever the job before could not tell
	r.finishes(t, news[0])
	r.finishes(t, news[1])
	require.Equal(t, []string{"Ready for review", "Approved elsewhere"}, r.told())
	require.Equal(t, r.w.DMs("ben")[0].TS, r.w.DMs("ben")[1].ThreadTS)
	require.True(t, r.w.DMs("ben")[1].Broadcast, "it is seen without opening the thread")
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	require.Empty(t, tracked.Followers, "there is no more news")
}

// Followers are not notified of their own actions or of reminders.
func TestAFollowerIsNotToldOfTheirOwnDeedsAndOfReminders(t *testing.T) {
	t.Parallel()
	r := followed(t)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	reviewed, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	said, err := r.Reminders.Say(t.Context(), orderID, reviewed.Version, order.EventReminder, "reminder:ready:r0:1")
	require.NoError(t, err)
	require.True(t, said)
	r.announce(t)
	_, err = r.Changes.TakeOver(t.Context(), orderID, "U0MARIA", "U0BEN")
	require.NoError(t, err)
	r.announce(t)
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	news := r.newsJobs()
	require.Len(t, news, 2)
	r.finishes(t, news[1])
	require.Equal(t, []string{"Ready for review", "Approved elsewhere"}, r.told())
}

func TestNewsThatIsOutAlreadyIsNotSentAgain(t *testing.T) {
	for name, test := range map[string]struct {
		fault  workspace.Fault
		scopes []string
		want   int
	}{
		"it was carried out":        {workspace.Error500After, nil, 1},
		"it was not":                {workspace.Error500, nil, 1},
		"nobody may look":           {workspace.ResetAfter, []string{"chat:write", "im:write"}, 1},
		"nobody may look, not sent": {workspace.Error500, []string{"chat:write", "im:write"}, 0},
		"slack asks to wait":        {workspace.TooMany(time.Second), []string{"chat:write", "im:write"}, 1},
	} {
		slacks(t, name, func(t *testing.T) {
			t.Helper()
			r := followed(t)
			r.happens(t, order.StatusReviewing, 0)
			r.announce(t)
			if test.scopes != nil {
				r.w.SetScopes(test.scopes...)
				r.freshClient(t)
			}
			r.w.Misbehave("chat.postMessage", test.fault, 1)
			r.finishes(t, r.newsJobs()[0])
			require.Len(t, r.told(), test.want)
		})
	}
}

func TestWhoLostSightOrCannotBeWrittenToIsToldNothingAndDropped(t *testing.T) {
	for name, change := range map[string]func(r *rig){
		"left the channel": func(r *rig) { r.config.Access = sight{} },
		"not found":        func(r *rig) { r.w.Misbehave("conversations.open", workspace.Fails("user_not_found"), 9) },
		"switched off":     func(r *rig) { r.w.Misbehave("conversations.open", workspace.Fails("user_disabled"), 9) },
		"an app":           func(r *rig) { r.w.Misbehave("conversations.open", workspace.Fails("cannot_dm_bot"), 9) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := followed(t)
			r.happens(t, order.StatusReviewing, 0)
			r.announce(t)
			change(r)
			r.finishes(t, r.newsJobs()[0])
			require.Empty(t, r.told())
			tracked, err := r.Orders.Order(t.Context(), orderID)
			require.NoError(t, err)
			require.Empty(t, tracked.Followers)
		})
	}
}

func TestWhoDeletedTheFirstNewsGetsANewThread(t *testing.T) {
	t.Parallel()
	r := followed(t)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	r.finishes(t, r.newsJobs()[0])
	first := r.w.DMs("ben")[0]
	r.w.DeleteMessage(first.Channel, first.TS)
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	r.finishes(t, r.newsJobs()[1])
	require.Contains(t, strings.Join(r.told(), " "), "Approved")
}
