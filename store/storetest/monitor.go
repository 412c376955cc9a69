package storetest

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
	"github.com/redis/go-redis/v9"
)

// inThisProcess maps addresses to the running embedded servers: *miniredis.Miniredis.
var inThisProcess sync.Map

// Monitor records the commands that the server behind a client runs, commands in scripts included. Each is a line with
// quoted arguments. The returned function ends the recording and returns the lines. A real Redis has MONITOR for that,
// the embedded one a hook.
func Monitor(tb testing.TB, rdb redis.UniversalClient) (ran func() []string) {
	tb.Helper()
	one, is := rdb.(*redis.Client)
	if !is {
		tb.Fatalf("only one server tells what it runs, and this is a %T", rdb)
	}
	if m, is := inThisProcess.Load(one.Options().Addr); is {
		return monitorEmbedded(m.(*miniredis.Miniredis))
	}
	return monitorReal(tb, one)
}

func monitorEmbedded(m *miniredis.Miniredis) (ran func() []string) {
	var mu sync.Mutex
	var seen []string
	m.Server().SetPreHook(func(_ *server.Peer, command string, args ...string) bool {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, fmt.Sprintf("%q", append([]string{command}, args...)))
		return false
	})
	return func() []string {
		m.Server().SetPreHook(nil)
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(seen)
	}
}

func monitorReal(tb testing.TB, rdb *redis.Client) (ran func() []string) {
	tb.Helper()
	o := rdb.Options()
	var dialer net.Dialer
	conn, err := dialer.DialContext(tb.Context(), o.Network, o.Addr)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = conn.Close() })
	if _, err := conn.Write([]byte("MONITOR\r\n")); err != nil {
		tb.Fatal(err)
	}
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, 1<<20)
	if !lines.Scan() || lines.Text() != "+OK" {
		tb.Fatalf("MONITOR: %q, %v", lines.Text(), lines.Err())
	}
	const last = "this was the last command"
	all := make(chan []string, 1)
	go func() {
		var seen []string
		for lines.Scan() && !strings.Contains(lines.Text(), last) {
			seen = append(seen, lines.Text())
		}
		all <- seen
	}()
	return func() []string {
		tb.Helper()
		if err := rdb.Echo(context.Background(), last).Err(); err != nil {
			tb.Fatal(err)
		}
		return <-all
	}
}
