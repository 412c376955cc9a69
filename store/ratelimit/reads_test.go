package ratelimit_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/ratelimit"
	"darkroom/store/storetest"
)

const reads = "conversations.history"

// turn asks for a reader's slot.
func turn(t *testing.T, rdb redis.UniversalClient, who string, late bool) time.Duration {
	t.Helper()
	wait, limited, err := readTurns(rdb).Slot(t.Context(), reads, who, late)
	require.NoError(t, err)
	require.True(t, limited)
	return wait
}

func limit(t *testing.T, rdb redis.UniversalClient, wait time.Duration) {
	t.Helper()
	_, err := readTurns(rdb).Limit(t.Context(), reads, wait)
	require.NoError(t, err)
}

func TestWhatSlackDoesNotLimitIsAlwaysEverybodysTurn(t *testing.T) {
	each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		for range 3 {
			wait, limited, err := readTurns(rdb).Slot(t.Context(), reads, "a", false)
			require.NoError(t, err)
			require.False(t, limited)
			require.Zero(t, wait)
		}
		for _, news := range []bool{true, false} {
			is, err := readTurns(rdb).Limit(t.Context(), reads, time.Minute)
			require.NoError(t, err)
			require.Equal(t, news, is)
		}
		_, limited, err := readTurns(rdb).Slot(t.Context(), "conversations.replies", "a", false)
		require.NoError(t, err)
		require.False(t, limited, "each method has a limit of its own")
	})
}

func TestALimitThatNobodyMeetsIsForgottenAfterADay(t *testing.T) {
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		limit(t, rdb, 0)
		<-time.After(23 * time.Hour)
		require.Zero(t, turn(t, rdb, "a", false))
		<-time.After(2 * time.Hour)
		_, limited, err := readTurns(rdb).Slot(t.Context(), reads, "a", false)
		require.NoError(t, err)
		require.False(t, limited)
	})
}

// Twenty come at once, come back when they are told to, and each reads once.
func TestTurnsAreTakenInTheOrderOfComingOneEachMinute(t *testing.T) {
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		limit(t, rdb, time.Minute)
		began := time.Now()
		back := map[string]time.Time{}
		for i := range 20 {
			back[fmt.Sprintf("%02d", i)] = time.Now()
		}
		var read []string
		for asked := 0; len(back) > 0; asked++ {
			require.Less(t, asked, 100, "who comes back when told to has the turn")
			who := next(back)
			<-time.After(time.Until(back[who]))
			wait := turn(t, rdb, who, false)
			if back[who] = time.Now().Add(wait); wait == 0 {
				read = append(read, who)
				delete(back, who)
			}
		}
		for i, who := range read {
			require.Equal(t, fmt.Sprintf("%02d", i), who)
		}
		require.Equal(t, time.Minute+19*ratelimit.ReadEvery, time.Since(began), "none is missed, and none is early")
	})
}

// next returns the reader with the shortest wait; of equals, the lowest name.
func next(back map[string]time.Time) (who string) {
	for name, at := range back {
		if who == "" || at.Before(back[who]) || at.Equal(back[who]) && name < who {
			who = name
		}
	}
	return who
}

func TestWhoIsInNoHurryLetsOthersGoFirst(t *testing.T) {
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		limit(t, rdb, time.Minute)
		require.Equal(t, time.Minute, turn(t, rdb, "late", true))
		require.Equal(t, time.Minute, turn(t, rdb, "soon", false), "though they came later")
		<-time.After(time.Minute)
		require.Equal(t, ratelimit.ReadEvery, turn(t, rdb, "late", true))
		require.Zero(t, turn(t, rdb, "soon", false))
		<-time.After(ratelimit.ReadEvery)
		require.Zero(t, turn(t, rdb, "late", true))
	})
}

func TestNobodyWaitsForWhoDoesNotComeBack(t *testing.T) {
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		limit(t, rdb, time.Minute)
		turn(t, rdb, "a", false) // and dies
		wait := turn(t, rdb, "b", false)
		require.Equal(t, time.Minute+ratelimit.ReadEvery, wait)
		<-time.After(wait)
		require.Zero(t, turn(t, rdb, "b", false))
	})
}

func TestWhoComesTooLateForTheirTurnHasTheNext(t *testing.T) {
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		limit(t, rdb, time.Minute)
		turn(t, rdb, "z", false) // whose lane is busy
		<-time.After(time.Second)
		turn(t, rdb, "b", false)
		turn(t, rdb, "c", false)
		<-time.After(5 * time.Minute)
		require.Zero(t, turn(t, rdb, "b", false))
		require.Equal(t, ratelimit.ReadEvery, turn(t, rdb, "c", false))
		require.Equal(t, ratelimit.ReadEvery, turn(t, rdb, "z", false), "they came before")
		<-time.After(ratelimit.ReadEvery)
		require.Equal(t, ratelimit.ReadEvery, turn(t, rdb, "c", false))
		require.Zero(t, turn(t, rdb, "z", false))
	})
}

func TestWhoHasNoNameIsNotWaitedFor(t *testing.T) {
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		limit(t, rdb, time.Minute)
		require.Equal(t, time.Minute, turn(t, rdb, "", false))
		require.Equal(t, time.Minute, turn(t, rdb, "a", false), "they are the first")
	})
}
