//go:build !production

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/doctor"
)

// demoEnviron runs the demo until the test ends and returns the environment that it wrote, as a shell reads it.
func demoEnviron(t *testing.T, flags ...string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "demo.env")
	ctx, stop := context.WithCancel(context.Background())
	var out bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append([]string{"demo", "--listen", "127.0.0.1:0", "--env", file}, flags...), os.Environ(), strings.NewReader(""), &out, &out)
	}()
	t.Cleanup(func() { stop(); require.Zero(t, <-ended, out.String()) })
	require.Eventually(t, func() bool { return exec.CommandContext(t.Context(), "grep", "-q", "OPS_CHANNEL", file).Run() == nil }, time.Minute, 20*time.Millisecond)
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, strings.SplitN(string(written), "\n", 2)[0], "( . ./FILE && go run ./cmd/darkroom doctor )", "nothing of it stays in the terminal")
	lines, err := exec.CommandContext(t.Context(), "env", "-i", "sh", "-c", ". "+file+"; env").Output()
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(lines)), "\n")
}

// What the README says to try.
func TestDoctorIsContentWithTheDemo(t *testing.T) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		require.Empty(t, os.Getenv("DARKROOM_TEST_REQUIRE_REDIS"), err)
		t.Skip("no redis-server on PATH")
	}
	environ := demoEnviron(t, "--redis-server")
	require.Eventually(t, func() bool { return examined(t, environ).State == doctor.Green }, 30*time.Second, 50*time.Millisecond, "once Slack has sent its first event")
	examined(t, environ).but(t)
}

func TestDoctorIsHonestAboutAnEmbeddedRedis(t *testing.T) {
	r := examined(t, demoEnviron(t))
	require.Equal(t, doctor.Yellow, r.State)
	require.Contains(t, r.find(t, "Redis/persistence").Message, "does not tell how it keeps its data")
}

func TestADemoWithoutARedisServerSaysSo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out bytes.Buffer
	require.Equal(t, 1, run(t.Context(), []string{"demo", "--script", "--redis-server"}, nil, strings.NewReader(""), &out, &out))
	require.Contains(t, out.String(), "there is no redis-server on PATH")
}
