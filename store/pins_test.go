package store_test

import (
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

func setPin(id, words string) func(order.Pins) (order.Pins, error) {
	return func(had order.Pins) (order.Pins, error) {
		return had.With(order.Pin{ID: id, Edit: "e", Words: words})
	}
}

func TestPinsStayInTheirDraftUntilTheyAreSent(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		empty, err := s.Pins.Read(ctx, "order1", "U0MARIA")
		require.NoError(t, err)
		require.Zero(t, empty)
		for _, id := range []string{"1", "2"} {
			_, err = s.Pins.Change(ctx, "order1", "U0MARIA", 0, setPin(id, "w"))
			require.NoError(t, err)
		}
		closed, err := s.Pins.Close(ctx, "order1", "U0MARIA")
		require.NoError(t, err)
		require.Equal(t, 1, closed.Number)
		require.Len(t, closed.Pins, 2)
		_, err = s.Pins.Change(ctx, "order1", "U0MARIA", 0, setPin("3", "too late"))
		require.ErrorIs(t, err, store.ErrPinsSent)
		_, err = s.Pins.Change(ctx, "order1", "U0MARIA", 1, setPin("3", "for the next request"))
		require.NoError(t, err)
		for range 2 { // twice is once
			require.NoError(t, s.Pins.Sent(ctx, "order1", "U0MARIA", closed.Pins))
		}
		left, err := s.Pins.Read(ctx, "order1", "U0MARIA")
		require.NoError(t, err)
		require.Equal(t, store.PinDraft{Number: 1, Pins: order.Pins{{ID: "3", Edit: "e", Words: "for the next request"}}}, left)
		other, err := s.Pins.Read(ctx, "order1", "U0BEN")
		require.NoError(t, err)
		require.Zero(t, other, "a draft is one person's")
	})
}

// Whoever is told that a pin is saved finds it, however many pages save at once.
func TestPinsThatAreSetAtOnceAreAllSaved(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		var all sync.WaitGroup
		saved := make([]bool, 8)
		for n := range saved {
			all.Go(func() {
				_, err := s.Pins.Change(ctx, "order1", "U0MARIA", 0, setPin(string(rune('a'+n)), "w"))
				saved[n] = err == nil
			})
		}
		all.Wait()
		d, err := s.Pins.Read(ctx, "order1", "U0MARIA")
		require.NoError(t, err)
		count := 0
		for _, ok := range saved {
			if ok {
				count++
			}
		}
		require.Positive(t, count)
		require.Len(t, d.Pins, count)
	})
}

func TestAPinThatIsRefusedChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		_, err := s.Pins.Change(ctx, "order1", "U0MARIA", 0, setPin("1", "w"))
		require.NoError(t, err)
		_, err = s.Pins.Change(ctx, "order1", "U0MARIA", 0, setPin("2", ""))
		require.ErrorIs(t, err, order.ErrPinWords)
		d, err := s.Pins.Read(ctx, "order1", "U0MARIA")
		require.NoError(t, err)
		require.Len(t, d.Pins, 1)
	})
}

// Pins are a person's words: they end, and they go with the person.
func TestPinsEnd(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		_, err := s.Pins.Change(ctx, "order1", "U0MARIA", 0, setPin("1", "w"))
		require.NoError(t, err)
		keys, err := rdb.Keys(ctx, "*pins:U0MARIA*").Result()
		require.NoError(t, err)
		require.Len(t, keys, 1)
		left, err := rdb.PTTL(ctx, keys[0]).Result()
		require.NoError(t, err)
		require.Greater(t, left, 6*24*time.Hour)
		value, err := rdb.Get(ctx, keys[0]).Result()
		require.NoError(t, err)
		user, _, ok := store.DocumentOwner(value)
		require.True(t, ok)
		require.Equal(t, "U0MARIA", user)
	})
}

// A change that loses to another one begins anew with what is there then.
func TestAPinIsSetOnTheDraftAsItIsThen(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		ctx, calls := t.Context(), 0
		_, err := s.Pins.Change(ctx, "order1", "U0MARIA", 0, setPin("1", "w"))
		require.NoError(t, err)
		d, err := s.Pins.Change(ctx, "order1", "U0MARIA", 0, func(had order.Pins) (order.Pins, error) {
			if calls++; calls == 1 {
				require.NoError(t, s.Pins.Sent(ctx, "order1", "U0MARIA", had))
			}
			return setPin("2", "w")(had)
		})
		require.NoError(t, err)
		require.Equal(t, 2, calls)
		require.Len(t, d.Pins, 1)
		require.Equal(t, "2", d.Pins[0].ID)
	})
}
