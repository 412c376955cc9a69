package main

import (
	"errors"
	"log/slog"
	"maps"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store"
	"darkroom/store/queue"
)

// redisServer is a real one, with an append-only file that is synced every second: what the
// README asks for. The store over it is the harness's own eyes and hands.
type redisServer struct {
	*process
	url   string
	rdb   *redis.Client
	queue *queue.Queue
	store *store.Store
}

func (b *bench) startRedis() (*redisServer, error) {
	addr, err := b.freeAddress()
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	dir, err := b.folder("redis-data")
	if err != nil {
		return nil, err
	}
	p, err := b.spawn(b.cores.redis, "redis", nil, "redis-server", "--port", port, "--bind", "127.0.0.1", "--dir", dir,
		"--save", "", "--appendonly", "yes", "--appendfsync", "everysec", "--auto-aof-rewrite-percentage", "0", "--maxmemory-policy", "noeviction", "--daemonize", "no")
	if err != nil {
		return nil, err
	}
	r := &redisServer{process: p, url: "redis://" + addr + "/0"}
	r.rdb = redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: true, PoolSize: 32})
	r.queue = queue.New(r.rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
	r.store = store.New(r.rdb, r.queue)
	return r, b.until("redis-server", 20*time.Second, 5*time.Millisecond, func() bool { return r.rdb.Ping(b.ctx).Err() == nil })
}

func (r *redisServer) stop() {
	_ = r.rdb.Close()
	r.kill()
}

// calls counts the commands that Redis carried out since it started, by name, those inside
// scripts included. The harness's own INFO is left out.
func (b *bench) calls(r *redisServer) (map[string]int, error) {
	text, err := r.rdb.Info(b.ctx, "commandstats").Result()
	if err != nil {
		return nil, err
	}
	counts := parseCommandStats(text)
	delete(counts, "info")
	if len(counts) == 0 {
		return nil, errors.New("redis counts no commands")
	}
	return counts, nil
}

// parseCommandStats reads the lines "cmdstat_get:calls=21,usec=175,…".
func parseCommandStats(text string) map[string]int {
	counts := map[string]int{}
	for line := range strings.Lines(text) {
		name, rest, ok := strings.Cut(strings.TrimPrefix(line, "cmdstat_"), ":calls=")
		number, _, _ := strings.Cut(rest, ",")
		if n, err := strconv.Atoi(number); ok && err == nil {
			counts[name] = n
		}
	}
	return counts
}

// less is what came on top of before.
func less(after, before map[string]int) map[string]int {
	more := maps.Clone(after)
	for name, n := range before {
		if more[name] -= n; more[name] == 0 {
			delete(more, name)
		}
	}
	return more
}

func total(counts map[string]int) int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return sum
}
