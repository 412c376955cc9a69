package main

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
)

// composeRedis is what compose.yaml says of Redis.
type composeRedis struct {
	Command     []string
	Healthcheck struct{ Test []string }
}

// readComposeRedis reads it, with the dollars that Compose leaves in it.
func readComposeRedis(t *testing.T) composeRedis {
	t.Helper()
	text, err := os.ReadFile("../../deploy/compose.yaml")
	require.NoError(t, err)
	var file struct{ Services struct{ Redis composeRedis } }
	require.NoError(t, yaml.Unmarshal([]byte(strings.ReplaceAll(string(text), "$$", "$")), &file))
	return file.Services.Redis
}

// follow does what deploy/README.md says for Docker Compose, and returns the folder of the secrets.
func follow(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../deploy/README.md")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(page), "\n## Docker Compose\n")
	script := block.FindStringSubmatch(section)[2]
	dir := t.TempDir()
	settings, err := os.ReadFile("../../deploy/env.example")
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "deploy"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "deploy", "env.example"), settings, 0o600))
	for range 2 { // it may be run again
		cmd := exec.CommandContext(t.Context(), "sh", "-euc", script)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	return filepath.Join(dir, "deploy", "secrets")
}

// The page sets up a Redis with a password that no list of processes shows, and an app that has it.
func TestTheRedisOfComposeAsksForAPassword(t *testing.T) {
	for _, needed := range []string{"redis-server", "redis-cli", "openssl"} {
		if _, err := exec.LookPath(needed); err != nil {
			require.Empty(t, os.Getenv("DARKROOM_TEST_REQUIRE_REDIS"), err)
			t.Skip("no " + needed + " on PATH")
		}
	}
	secrets, compose := follow(t), readComposeRedis(t)
	cfg, err := config.Read(append(working(), "REDIS_URL=", "REDIS_URL_FILE="+filepath.Join(secrets, "redis_url")))
	require.NoError(t, err)
	require.Regexp(t, regexp.MustCompile(`^redis://default:[0-9a-f]{64}@redis:6379/0$`), string(cfg.RedisURL))

	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address, dir := listener.Addr().String(), t.TempDir()
	require.NoError(t, listener.Close())
	url := strings.Replace(string(cfg.RedisURL), "redis:6379", address, 1)
	require.NoError(t, os.WriteFile(filepath.Join(secrets, "redis_url"), []byte(url+"\n"), 0o600))
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	here := strings.NewReplacer("/run/secrets", secrets, "exec redis-server -", "exec redis-server - --port "+port+" --dir "+dir, "redis-cli ", "redis-cli -p "+port+" ")
	at, err := redis.ParseURL(url)
	require.NoError(t, err)
	command := func(words []string) *exec.Cmd {
		last := len(words) - 1
		return exec.CommandContext(context.WithoutCancel(t.Context()), words[0], append(words[1:last:last], here.Replace(words[last]))...)
	}
	rdb := startedRedis(t, command(compose.Command), at)
	for set, want := range map[string]string{"appendonly": "yes", "appendfsync": "always", "maxmemory": "402653184", "maxmemory-policy": "noeviction"} {
		require.Equal(t, map[string]string{set: want}, rdb.ConfigGet(t.Context(), set).Val())
	}
	stranger := redis.NewClient(&redis.Options{Addr: address})
	defer func() { _ = stranger.Close() }()
	require.ErrorContains(t, stranger.Ping(t.Context()).Err(), "NOAUTH")

	healthy := command(compose.Healthcheck.Test[1:])
	require.NoError(t, healthy.Run())
	require.NoError(t, os.WriteFile(filepath.Join(secrets, "redis_url"), []byte(strings.Replace(url, "default:", "default:0", 1)), 0o600))
	require.Error(t, command(compose.Healthcheck.Test[1:]).Run(), "another password")
	require.NoError(t, os.WriteFile(filepath.Join(secrets, "redis_url"), []byte("redis://redis:6379/0"), 0o600))
	require.Error(t, command(compose.Command).Run(), "it does not start without a password")
}
