package main

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
)

// allRooms are where the app's own code is, from here.
var allRooms = []string{"access", "bot", "cards", "cmd", "commands", "files", "jobs", "notifier", "order", "review", "store", "upstream"}

// An operator finds each line of the log that warns, and what to do about it; and finds none there that
// the app does not say any more.
func TestEveryWarningOfTheLogIsExplained(t *testing.T) {
	page, err := os.ReadFile("../../docs/troubleshoot.md")
	require.NoError(t, err)
	_, log, found := strings.Cut(string(page), "\n## The log\n")
	require.True(t, found)
	explained := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(log, -1) {
		require.False(t, explained[row[1]], "explained twice: %s", row[1])
		explained[row[1]] = true
	}
	require.Equal(t, warnings(t), slices.Sorted(maps.Keys(explained)))
}

// warnings are the messages that the app logs as a warning or an error.
func warnings(t *testing.T) []string {
	t.Helper()
	said := map[string]bool{}
	for _, room := range allRooms {
		require.NoError(t, filepath.WalkDir("../../"+room, func(path string, d fs.DirEntry, err error) error {
			if d.IsDir() && d.Name() == "storetest" {
				return fs.SkipDir
			}
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if message, ok := warning(n); ok {
					said[message] = true
				}
				return true
			})
			return nil
		}))
	}
	return slices.Sorted(maps.Keys(said))
}

// warning is the message of a call of a logger, when it is one that warns.
func warning(n ast.Node) (string, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return "", false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	at := map[string]int{"Warn": 0, "Error": 0, "WarnContext": 1, "ErrorContext": 1, "Log": 2}
	place, ok := at[method.Sel.Name]
	if !ok || len(call.Args) <= place {
		return "", false
	}
	if method.Sel.Name == "Log" {
		if _, asks := call.Args[1].(*ast.CallExpr); !asks { // the level is not what client.LogLevel says
			return "", false
		}
	}
	text, ok := call.Args[place].(*ast.BasicLit)
	if !ok || text.Kind != token.STRING {
		return "", false
	}
	message, err := strconv.Unquote(text.Value)
	return message, err == nil
}

// A reader who follows a link of these pages arrives: the file is there, and so is the heading.
func TestEveryLinkOfTheDocsArrives(t *testing.T) {
	links := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, link := range links.FindAllStringSubmatch(string(text), -1) {
			target, heading, _ := strings.Cut(link[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			to := page
			if target != "" {
				to = filepath.Join(filepath.Dir(page), target)
				require.FileExists(t, to, "%s links to it", page)
			}
			if heading != "" {
				require.Contains(t, headings(t, to), heading, "%s links to %s", page, link[1])
			}
		}
	}
}

// pages are all pages of the project.
func pages(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../deploy/*.md", "../../deploy/*/*.md"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		all = append(all, found...)
	}
	require.NotEmpty(t, all)
	return all
}

// headings are the anchors of a page, as hosts of Markdown make them.
func headings(t *testing.T, page string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	var anchors []string
	drop := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for _, h := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(string(text), -1) {
		anchors = append(anchors, strings.ReplaceAll(strings.ToLower(drop.ReplaceAllString(h[1], "")), " ", "-"))
	}
	return anchors
}

// What a page says a test holds, a test holds: each that is named is there, and so is each benchmark.
func TestEveryTestThatThePagesNameExists(t *testing.T) {
	named := regexp.MustCompile(`\b(?:Test|Benchmark)[A-Z]\w*`)
	sources := testFiles(t)
	found := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, name := range named.FindAllString(string(text), -1) {
			found++
			assert.Contains(t, sources, "\nfunc "+name+"(", "%s names it", page)
		}
	}
	require.Positive(t, found)
}

// testFiles is the text of all tests of the project.
func testFiles(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	require.NoError(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "node_modules" || len(d.Name()) > 2 && strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	}))
	return all.String()
}

// block is a part of a page that is shown as it is typed.
var block = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

// redisConf are the blocks of the pages that go into a redis.conf: those marked so.
func redisConf(t *testing.T) map[string]string {
	t.Helper()
	directive := regexp.MustCompile(`(?m)^(append|maxmemory|min-replicas|requirepass|aclfile|user |masterauth|save )`)
	all := map[string]string{}
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for n, b := range block.FindAllStringSubmatch(string(text), -1) {
			if b[1] == "conf" {
				all[filepath.Base(page)+", block "+strconv.Itoa(n+1)] = b[2]
			} else {
				assert.NotRegexp(t, directive, b[2], "%s: what goes into redis.conf is marked conf", page)
			}
		}
	}
	require.NotEmpty(t, all)
	return all
}

// Redis starts with each, and does what it says.
func TestRedisStartsWithWhatThePagesPutIntoItsConfiguration(t *testing.T) {
	server := storetest.Program()
	if _, err := exec.LookPath(server); err != nil {
		require.Empty(t, os.Getenv("DARKROOM_TEST_REQUIRE_REDIS"), err)
		t.Skip("no redis-server on PATH")
	}
	for name, conf := range redisConf(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rdb := configured(t, server, conf)
			for line := range strings.Lines(conf) {
				if set, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && !strings.HasPrefix(line, "#") {
					require.Equal(t, map[string]string{set: value}, rdb.ConfigGet(t.Context(), set).Val())
				}
			}
		})
	}
}

// configured is a client of a Redis with this configuration, which runs until the test ends.
func configured(t *testing.T, server, conf string) *redis.Client {
	t.Helper()
	dir, err := os.MkdirTemp("", "conf") //nolint:usetesting // the path of a socket may be 100 characters long: that of t.TempDir is longer
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	file, socket := filepath.Join(dir, "redis.conf"), filepath.Join(dir, "s")
	require.NoError(t, os.WriteFile(file, []byte(conf), 0o600))
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), server, file, "--port", "0", "--unixsocket", socket, "--dir", dir)
	return startedRedis(t, cmd, &redis.Options{Network: "unix", Addr: socket})
}

// startedRedis starts a Redis, which runs until the test ends, and returns a client of it.
func startedRedis(t *testing.T, cmd *exec.Cmd, at *redis.Options) *redis.Client {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	rdb := redis.NewClient(at)
	t.Cleanup(func() { _, _, _ = rdb.Close(), cmd.Process.Kill(), <-ended }) // it was killed
	for rdb.Ping(t.Context()).Err() != nil {
		select {
		case err := <-ended:
			ended <- err
			require.FailNow(t, "redis-server did not start", "%v\n%s", err, out.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
	return rdb
}
