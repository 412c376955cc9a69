package announce_test

import (
	"context"
	"slices"
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
	"darkroom/store/settingstest"
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
func (r *rig) told() []string { return r.toldTo("ben") }

// toldTo returns the messages that somebody got, in order.
func (r *rig) toldTo(who string) (all []string) {
	for _, m := range r.w.DMs(who) {
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

// inNews is an order of a channel with that setting.
func inNews(t *testing.T, where store.News) *rig {
	t.Helper()
	r := newRig(t, workspace.Options{})
	r.config.Access = sight{"U0MARIA": true}
	settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{News: where})
	r.place(t, shoots)
	r.announce(t)
	return r
}

// reviewCalls reports whether a review mentions that user.
func (r *rig) reviewCalls(t *testing.T, user string) bool {
	t.Helper()
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	return slices.ContainsFunc(r.w.Thread(shoots, tracked.CardTS), func(m workspace.Message) bool {
		return strings.HasPrefix(m.Text, "Ready for review") && strings.Contains(m.Text, "<@"+user+">")
	})
}

// broadcasts counts what the channel shows of its threads.
func (r *rig) broadcasts() (n int) {
	for _, m := range r.w.Messages(shoots) {
		if m.Broadcast {
			n++
		}
	}
	return n
}

func TestNewsAppearsWhereTheChannelWantsIt(t *testing.T) {
	t.Parallel()
	for where, want := range map[store.News]struct{ broadcasts, direct int }{
		"": {1, 0}, store.NewsChannel: {1, 0}, store.NewsThread: {0, 0}, store.NewsDirect: {0, 2},
	} {
		t.Run(string(where), func(t *testing.T) {
			t.Parallel()
			r := inNews(t, where)
			r.happens(t, order.StatusReviewing, 0)
			r.announce(t)
			require.Equal(t, want.direct == 0, r.reviewCalls(t, "U0MARIA"), "nobody is called twice for one thing")
			r.happens(t, order.StatusClosed, 0)
			r.announce(t)
			require.Equal(t, want.broadcasts, r.broadcasts())
			for _, job := range r.newsJobs() {
				r.finishes(t, job)
			}
			require.Len(t, r.toldTo("maria"), want.direct)
			require.Len(t, r.thread(t, shoots), 4, "the card, and each event in its thread")
		})
	}
}

// Nobody is left in the dark: where a direct message reaches nobody, the channel is told.
func TestTheChannelIsToldForARequesterWhoIsGone(t *testing.T) {
	t.Parallel()
	r := inNews(t, store.NewsDirect)
	r.gone("maria")
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	require.Equal(t, 1, r.broadcasts())

	batch := newRig(t, workspace.Options{})
	settingstest.Save(t, batch.Store, "T0SANDBOX", shoots, store.Settings{News: store.NewsDirect})
	batch.placeBatch(t, 1)
	batch.announcesOrder(t, "ord1")
	batch.gone("maria")
	batch.orderBecomes(t, "ord1", order.StatusReviewing, 0)
	batch.updatesBatch(t)
	require.Equal(t, []string{typeCard, typeDeliveries}, batch.kinds(shoots))
}

// The requester gets each event once: through lost answers, repeated announcements, following and its end.
func TestARequesterIsToldEachEventOnceHoweverTheyFollow(t *testing.T) {
	t.Parallel()
	r := inNews(t, store.NewsDirect)
	done := map[string]bool{}
	finish := func() {
		t.Helper()
		for _, job := range r.newsJobs() {
			if !done[job.ID] {
				done[job.ID] = true
				r.finishes(t, job)
				r.finishes(t, job) // its process died before it was done
			}
		}
	}
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	r.w.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
	finish()
	require.NoError(t, r.Follows.Follow(t.Context(), orderID, "U0MARIA"))
	r.happens(t, order.StatusRevising, 1)
	r.announce(t)
	finish()
	r.happens(t, order.StatusReviewing, 1)
	r.announce(t)
	require.NoError(t, r.Follows.Unfollow(t.Context(), orderID, "U0MARIA")) // while its news is under way
	finish()
	r.happens(t, order.StatusClosed, 1)
	r.announce(t)
	finish()
	require.Equal(t, []string{"Ready for review", "Changes requested elsewhere", "Ready for review", "Approved elsewhere"}, r.toldTo("maria"))
	for _, m := range r.w.DMs("maria") {
		require.NotContains(t, m.Text, "Unfollow", "the channel sends it")
	}
}

// News by direct message begins with the next event, and ends with the setting.
func TestARequesterIsNotToldWhatTheChannelShowed(t *testing.T) {
	t.Parallel()
	r := inNews(t, store.NewsDirect)
	says := func(where store.News, status order.Status, revision int) {
		t.Helper()
		settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{News: where})
		r.happens(t, status, revision)
		r.announce(t)
		for _, job := range r.newsJobs() {
			r.finishes(t, job)
		}
	}
	says(store.NewsDirect, order.StatusReviewing, 0)
	says(store.NewsChannel, order.StatusRevising, 1)
	says(store.NewsDirect, order.StatusReviewing, 1)
	require.Equal(t, []string{"Ready for review", "Ready for review"}, r.toldTo("maria"))
}

// A reminder is the requester's, too, while it holds.
func TestARequesterIsRemindedByDirectMessageWhileItHolds(t *testing.T) {
	t.Parallel()
	r := inNews(t, store.NewsDirect)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	remind := func(id string) *queue.Delivery {
		t.Helper()
		tracked, err := r.Orders.Order(t.Context(), orderID)
		require.NoError(t, err)
		said, err := r.Reminders.Say(t.Context(), orderID, tracked.Version, order.EventReminder, id)
		require.NoError(t, err)
		require.True(t, said)
		r.announce(t)
		jobs := r.newsJobs()
		return jobs[len(jobs)-1]
	}
	r.finishes(t, r.newsJobs()[0])
	r.finishes(t, remind("reminder:ready:r0:1"))
	late := remind("reminder:ready:r0:2")
	r.happens(t, order.StatusClosed, 0)
	r.finishes(t, late)
	require.Equal(t, []string{"Ready for review", "Reminder"}, r.toldTo("maria"))
}
