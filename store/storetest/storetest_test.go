package storetest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
)

func TestEachTestGetsARedisOfItsOwn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		require.Zero(t, rdb.DBSize(t.Context()).Val())
		require.NoError(t, rdb.Set(t.Context(), "a", "b", 0).Err())
		require.Zero(t, storetest.Client(t).DBSize(t.Context()).Val())
	})
}

func TestTheRealRedisIsPreferred(t *testing.T) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		require.Empty(t, os.Getenv("DARKROOM_TEST_REQUIRE_REDIS"), err)
		t.Skip("no redis-server on PATH")
	}
	t.Setenv("DARKROOM_TEST_REDIS", "")
	url, kind := storetest.Redis(t)
	assert.Equal(t, storetest.Real, kind)
	o, err := redis.ParseURL(url)
	require.NoError(t, err)
	rdb := redis.NewClient(o)
	defer func() { _ = rdb.Close() }()
	assert.Contains(t, rdb.Info(t.Context(), "persistence").Val(), "aof_enabled:1")
}

func TestTheEmbeddedRedisCanBeAskedFor(t *testing.T) {
	t.Setenv("DARKROOM_TEST_REDIS", "embedded")
	url, kind := storetest.Redis(t)
	assert.Equal(t, storetest.Embedded, kind)
	assert.True(t, strings.HasPrefix(url, "redis://127.0.0.1:"))
}

func TestWithoutAServerTheEmbeddedOneServes(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("DARKROOM_TEST_REQUIRE_REDIS", "")
	_, kind := storetest.Redis(t)
	assert.Equal(t, storetest.Embedded, kind)
}
