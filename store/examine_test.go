package store_test

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/storetest"
)

// finding is what an examination says about one side.
func finding(t *testing.T, s *store.Store, about string) conn.Finding {
	t.Helper()
	found, err := s.Server.Examine(t.Context())
	require.NoError(t, err)
	for _, f := range found {
		if f.About == about {
			return f
		}
	}
	t.Fatalf("nothing about %s: %+v", about, found)
	return conn.Finding{}
}

func TestAGoodRedisIsGoodFromAllSides(t *testing.T) {
	t.Parallel()
	rdb := storetest.Start(t).Client()
	require.NoError(t, rdb.ConfigSet(t.Context(), "appendfsync", "always").Err())
	found, err := newStore(rdb).Server.Examine(t.Context())
	require.NoError(t, err)
	for _, f := range found {
		assert.Equal(t, conn.Good, f.Level, "%+v", f)
		assert.NotEmpty(t, f.Message)
		assert.Empty(t, f.Do)
	}
	assert.Len(t, found, 8)
}

func TestEachSideOfRedisIsJudged(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		setting, value, about string
		level                 conn.Level
		says                  string
	}{
		"no file":           {"appendonly", "no", "persistence", conn.Bad, "no append-only file"},
		"a file now & then": {"appendfsync", "everysec", "persistence", conn.Caution, "last second"},
		"eviction":          {"maxmemory-policy", "allkeys-lru", "eviction", conn.Bad, "silently disappear"},
		"little memory":     {"maxmemory", "60mb", "memory", conn.Caution, "more open orders"},
		"no memory":         {"maxmemory", "1", "writes", conn.Bad, "OOM"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rdb := storetest.Start(t).Client()
			require.NoError(t, rdb.ConfigSet(t.Context(), row.setting, row.value).Err())
			f := finding(t, newStore(rdb), row.about)
			assert.Equal(t, row.level, f.Level, "%+v", f)
			assert.Contains(t, f.Message, row.says)
			assert.NotEmpty(t, f.Do)
		})
	}
}

func TestAReplicaTakesNoWrites(t *testing.T) {
	t.Parallel()
	main, replica := storetest.Start(t), storetest.Start(t)
	host, port, _ := strings.Cut(strings.TrimPrefix(main.URL(), "redis://"), ":")
	require.NoError(t, replica.Client().ReplicaOf(t.Context(), host, port).Err())
	f := finding(t, newStore(replica.Client()), "writes")
	assert.Equal(t, conn.Bad, f.Level)
	assert.Contains(t, f.Message, "READONLY")
	f = finding(t, newStore(replica.Client()), "replication")
	assert.Equal(t, conn.Bad, f.Level)
	assert.Contains(t, f.Message, "REDIS_URL leads to a replica")
	assert.Contains(t, f.Do, "Sentinels")
	require.Eventually(t, func() bool {
		return finding(t, newStore(main.Client()), "replication").Level == conn.Caution
	}, 30*time.Second, 10*time.Millisecond)
	two, err := conn.Connect(main.URL() + "?wait_replicas=2&wait_timeout=50ms")
	require.NoError(t, err)
	t.Cleanup(func() { _ = two.Close() })
	assert.Equal(t, conn.Bad, finding(t, newStore(two), "replication").Level)
}

func TestARedisThatDoesNotAnswerIsOneFinding(t *testing.T) {
	t.Parallel()
	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	defer func() { _ = rdb.Close() }()
	found, err := newStore(rdb).Server.Examine(t.Context())
	require.Error(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, conn.Bad, found[0].Level)
	assert.Contains(t, found[0].Do, "REDIS_URL")

	own := storetest.Start(t)
	require.NoError(t, own.Client().ConfigSet(t.Context(), "requirepass", "s3cret").Err())
	found, err = newStore(own.Client()).Server.Examine(t.Context())
	require.Error(t, err)
	assert.Contains(t, found[0].Message, "password")
}

// Each trouble with the connection is told by its cause, and nothing of REDIS_URL is.
func TestWhyRedisCannotBeUsed(t *testing.T) {
	t.Parallel()
	server := storetest.Start(t)
	acl := func(name string, rules ...any) {
		require.NoError(t, server.Client().Do(t.Context(), append([]any{"ACL", "SETUSER", name, "on", ">s3cret", "~*", "+@all"}, rules...)...).Err())
	}
	acl("mayNothing", "-ping")
	acl("mayOnlyRead", "-set")
	address := strings.TrimPrefix(server.URL(), "redis://")
	web := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	web.Config.ErrorLog = log.New(io.Discard, "", 0)
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	for name, row := range map[string]struct{ url, about, says, do string }{
		"no such database":     {"redis://" + address + "/99", "connection", "no database of the number in REDIS_URL (ERR DB index is out of range)", "databases"},
		"a forbidden command":  {"redis://mayNothing:s3cret@" + address, "connection", "forbids the user of REDIS_URL what the app does (NOPERM", "ACL SETUSER"},
		"forbidden writes":     {"redis://mayOnlyRead:s3cret@" + address, "writes", "takes no writes (NOPERM", "ACL SETUSER"},
		"another password":     {"redis://mayNothing:s3cret-other@" + address, "connection", "does not accept the password", "REDIS_URL"},
		"TLS to a plain port":  {"rediss://" + address + "?dial_timeout=200ms&max_retries=-1", "connection", "does not answer (", "rediss:// is for a Redis that speaks TLS"},
		"TLS to a plain page":  {"rediss://" + strings.TrimPrefix(plain.URL, "http://"), "connection", "asks for TLS (rediss://), and what answers speaks none", "Begin it with redis://"},
		"a foreign authority":  {"rediss://" + strings.TrimPrefix(web.URL, "https://"), "connection", "The certificate of Redis is not valid", "trusts"},
		"an unknown host":      {"redis://s3cret.invalid:6379", "connection", "leads nowhere (", "DNS"},
		"nobody is there":      {"redis://127.0.0.1:1?max_retries=-1", "connection", "does not answer (connect: connection refused)", "Start Redis"},
		"no cluster":           {"redis://" + address + "?addr=" + address, "connection", "asks for a cluster, and what answers is none (ERR This instance has cluster support disabled)", "redis://"},
		"no Sentinel":          {"redis://" + address + "?master_name=s3cret", "connection", "asks for Sentinels (?master_name=), and none answers as one.", "26379"},
		"a password with a #":  {"redis://s3cret.invalid#word@" + address, "connection", "leads nowhere (", "REDIS_URL"},
		"something else there": {"redis://" + strings.TrimPrefix(plain.URL, "http://") + "?max_retries=-1", "connection", "does not answer (", "REDIS_URL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rdb, err := conn.Connect(row.url)
			require.NoError(t, err)
			t.Cleanup(func() { _ = rdb.Close() })
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			all, _ := newStore(rdb).Server.Examine(ctx)
			found := all[slices.IndexFunc(all, func(f conn.Finding) bool { return f.About == row.about })]
			assert.Equal(t, conn.Bad, found.Level)
			assert.Contains(t, found.Message, row.says)
			assert.Contains(t, found.Do, row.do)
			assert.NotContains(t, found.Message+found.Do, "s3cret")
		})
	}
}

// A server that does not know a command quotes what was sent with it.
func TestAPasswordThatRedisQuotesIsNotTold(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				for buffer := make([]byte, 4096); ; {
					if _, err := conn.Read(buffer); err != nil {
						return
					}
					_, _ = io.WriteString(conn, "-ERR unknown command 'auth', with args beginning with: 's3cret'\r\n")
				}
			}()
		}
	}()
	rdb, err := conn.Connect("redis://:s3cret@" + listener.Addr().String() + "?max_retries=-1")
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	all, err := newStore(rdb).Server.Examine(ctx)
	require.Error(t, err)
	assert.Contains(t, all[0].Message, "does not answer (ERR unknown command 'auth')")
	assert.NotContains(t, all[0].Message, "s3cret")
}

func TestWhenSomethingWasHeardLast(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		heard, err := s.Inbounds.LastInbound(t.Context())
		require.NoError(t, err)
		assert.Empty(t, heard)
		at := time.UnixMilli(1700000000123)
		require.NoError(t, s.Inbounds.NoteInbound(t.Context(), store.InboundEvent, at))
		require.NoError(t, s.Inbounds.NoteInbound(t.Context(), store.InboundEvent, at.Add(time.Second)))
		heard, err = s.Inbounds.LastInbound(t.Context())
		require.NoError(t, err)
		assert.Equal(t, map[store.Inbound]time.Time{store.InboundEvent: at.Add(time.Second)}, heard)
	})
	away := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	defer func() { _ = away.Close() }()
	require.Error(t, newStore(away).Inbounds.NoteInbound(context.Background(), store.InboundEvent, time.Now()))
}
