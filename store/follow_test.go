package store_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/retention"
	"darkroom/store/storetest"
)

func follower(t *testing.T, s *store.Store, id, user string) store.Follower {
	t.Helper()
	tracked, err := s.Orders.Order(t.Context(), id)
	require.NoError(t, err)
	f, follows := tracked.Follower(user)
	require.True(t, follows, user)
	return f
}

func TestWhoFollowsAnOrderBeginsWithWhatComesNext(t *testing.T) {
	t.Parallel()
	s := newStore(storetest.Client(t))
	place(t, s, "1")
	record(t, s, "1", delivered(0, "a"))
	was, err := s.Orders.Order(t.Context(), "1")
	require.NoError(t, err)
	for range 2 { // pressed twice
		require.NoError(t, s.Follows.Follow(t.Context(), "1", "UBEN"))
	}
	now, err := s.Orders.Order(t.Context(), "1")
	require.NoError(t, err)
	require.Equal(t, was.Version, now.Version, "it is no change of the order")
	require.Len(t, now.Followers, 1)
	require.Equal(t, now.LastEvent, now.Followers[0].Told)

	require.NoError(t, s.Follows.Unfollow(t.Context(), "1", "UBEN"))
	require.NoError(t, s.Follows.Unfollow(t.Context(), "1", "UBEN"))
	require.NoError(t, s.Follows.Unfollow(t.Context(), "nosuch", "UBEN"))
	now, err = s.Orders.Order(t.Context(), "1")
	require.NoError(t, err)
	require.Empty(t, now.Followers)
	require.ErrorIs(t, s.Follows.Follow(t.Context(), "nosuch", "UBEN"), store.ErrNotTracked)
	_, err = s.Changes.Untrack(t.Context(), "1", "UBOSS")
	require.NoError(t, err)
	require.ErrorIs(t, s.Follows.Follow(t.Context(), "1", "UBEN"), store.ErrNotTracked)
}

func TestSoManyFollowAnOrderAndNoMore(t *testing.T) {
	t.Parallel()
	s := newStore(storetest.Client(t))
	place(t, s, "1")
	for i := range store.MaxFollowers {
		require.NoError(t, s.Follows.Follow(t.Context(), "1", fmt.Sprintf("U%03d", i)))
	}
	require.ErrorIs(t, s.Follows.Follow(t.Context(), "1", "ULATE"), store.ErrFollowersFull)
	require.NoError(t, s.Follows.Follow(t.Context(), "1", "U007"), "who does already")
	require.NoError(t, s.Follows.Unfollow(t.Context(), "1", "U007"))
	require.NoError(t, s.Follows.Follow(t.Context(), "1", "ULATE"))
}

// What a job knows of somebody who ended it meanwhile, or began anew, counts no more.
func TestWhoBeginsAnewIsNotWrittenOver(t *testing.T) {
	t.Parallel()
	s := newStore(storetest.Client(t))
	place(t, s, "1")
	require.NoError(t, s.Follows.Follow(t.Context(), "1", "UBEN"))
	old := follower(t, s, "1", "UBEN")
	is := old
	is.Told, is.Thread, is.Channel = 7, "1.1", "D1"
	now, follows, err := s.Follows.FollowerTold(t.Context(), "1", old, is)
	require.NoError(t, err)
	require.True(t, follows)
	require.Equal(t, now, follower(t, s, "1", "UBEN"))

	_, follows, err = s.Follows.FollowerTold(t.Context(), "1", old, store.Follower{User: "UBEN", Told: 8})
	require.NoError(t, err)
	require.False(t, follows)
	require.NoError(t, s.Follows.DropFollower(t.Context(), "1", old))
	require.Equal(t, int64(7), follower(t, s, "1", "UBEN").Told)
	require.NoError(t, s.Follows.Unfollow(t.Context(), "1", "UBEN"))
	_, follows, err = s.Follows.FollowerTold(t.Context(), "1", now, is)
	require.NoError(t, err)
	require.False(t, follows, "they ended it")
	require.NoError(t, s.Follows.Follow(t.Context(), "1", "UBEN"))
	require.NoError(t, s.Follows.DropFollower(t.Context(), "1", follower(t, s, "1", "UBEN")))
}

func TestWhoLeftFollowsNothing(t *testing.T) {
	t.Parallel()
	rdb := storetest.Client(t)
	s := newStore(rdb)
	place(t, s, "1")
	require.NoError(t, s.Follows.Follow(t.Context(), "1", "UMARIA"))
	require.NoError(t, s.Follows.Follow(t.Context(), "1", "UBEN"))
	record(t, s, "1", anOrder(order.StatusReviewing, 0))
	for _, key := range storetest.Main(t.Context(), rdb).Keys(t.Context(), "{darkroom}:q:*").Val() {
		require.NoError(t, rdb.Del(t.Context(), key).Err())
	}
	done, err := retention.NewPeople(s).Forget(t.Context(), "UBEN", false)
	require.NoError(t, err)
	require.Equal(t, retention.Forgotten{Orders: 1}, done)
	now, err := s.Orders.Order(t.Context(), "1")
	require.NoError(t, err)
	require.Len(t, now.Followers, 1)
	require.NotContains(t, everything(t, rdb), "UBEN")
}

// A requester whose channel sends news by direct message is no follower, until they choose to be.
func TestARequesterWhoFollowsAsWellKeepsWhatTheyWereTold(t *testing.T) {
	t.Parallel()
	s := newStore(storetest.Client(t))
	place(t, s, "1")
	for range 2 { // once, however often its job is delivered
		f, err := s.Follows.AddRequester(t.Context(), "1", "UMARIA", 7)
		require.NoError(t, err)
		require.EqualValues(t, 6, f.Told)
		require.True(t, f.Requester)
	}
	tracked, err := s.Orders.Order(t.Context(), "1")
	require.NoError(t, err)
	require.False(t, tracked.Follows("UMARIA"))
	was := follower(t, s, "1", "UMARIA")
	is := was
	is.Told = 7
	_, same, err := s.Follows.FollowerTold(t.Context(), "1", was, is)
	require.NoError(t, err)
	require.True(t, same)
	require.NoError(t, s.Follows.Follow(t.Context(), "1", "UMARIA"))
	tracked, err = s.Orders.Order(t.Context(), "1")
	require.NoError(t, err)
	require.True(t, tracked.Follows("UMARIA"))
	require.EqualValues(t, 7, follower(t, s, "1", "UMARIA").Told)
	f, err := s.Follows.AddRequester(t.Context(), "1", "UMARIA", 9)
	require.NoError(t, err)
	require.False(t, f.Requester, "they stay a follower")
	_, err = s.Follows.AddRequester(t.Context(), "nosuch", "UMARIA", 7)
	require.ErrorIs(t, err, store.ErrNotTracked)
}
