package storetest_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
)

func TestAServerFreezesDiesAndComesBackWithItsData(t *testing.T) {
	s := storetest.Start(t)
	rdb := s.Client()
	require.NoError(t, rdb.Set(t.Context(), "a", "b", 0).Err())

	s.Freeze()
	late, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, rdb.Get(late, "a").Err(), context.DeadlineExceeded)
	s.Thaw()
	require.Equal(t, "b", rdb.Get(t.Context(), "a").Val())

	s.Kill()
	require.Error(t, rdb.Get(t.Context(), "a").Err())
	s.Restart()
	require.Equal(t, "b", rdb.Get(t.Context(), "a").Val())
}
