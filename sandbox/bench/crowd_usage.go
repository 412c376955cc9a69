package main

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// usage is what was used so far.
type usage struct {
	at       time.Time
	app      time.Duration
	nodes    []time.Duration
	commands []int
	requests int64
	polls    float64
	trips    float64 // to Redis
	late     []bucket
}

func (w *crowdWorld) usage() (u usage, err error) {
	reads := 0 // that wait for work, which the binary does not count
	u = usage{app: w.app.cpu(), requests: w.crowd.Requests()}
	for _, node := range w.redis.Nodes {
		rdb := node.Client()
		info, err := rdb.Info(w.ctx, "commandstats", "cpu").Result()
		_ = rdb.Close()
		if err != nil {
			return u, err
		}
		counts := parseCommandStats(info)
		delete(counts, "info")
		reads += counts["xreadgroup"]
		u.commands = append(u.commands, total(counts))
		u.nodes = append(u.nodes, time.Duration((field(info, "used_cpu_sys")+field(info, "used_cpu_user"))*float64(time.Second)))
	}
	metrics, err := w.metrics()
	if err != nil {
		return u, err
	}
	u.late, u.polls = buckets(metrics, `darkroom_round_late_seconds_bucket{service="quick",le="`), sum(metrics, "darkroom_round_polls_total{")
	u.trips = sum(metrics, "darkroom_redis_command_duration_seconds_count ") + float64(reads)
	u.at = time.Now()
	return u, nil
}

// since is the share of a core that was used between two moments, of the app and of each node.
func (u usage) since(before usage) (app float64, nodes []float64) {
	span := u.at.Sub(before.at)
	for i := range u.nodes {
		nodes = append(nodes, float64(u.nodes[i]-before.nodes[i])/float64(span))
	}
	return float64(u.app-before.app) / float64(span), nodes
}

// field is a number that INFO tells.
func field(info, name string) float64 {
	for line := range strings.Lines(info) {
		if value, is := strings.CutPrefix(line, name+":"); is {
			n, _ := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return n
		}
	}
	return 0
}

// quiet measures a period in which nothing changes.
func (w *crowdWorld) quiet(f *crowdFigures) error {
	before, err := w.usage()
	if err != nil {
		return err
	}
	if err := w.pause(crowdPeriod); err != nil {
		return err
	}
	after, err := w.usage()
	if err != nil {
		return err
	}
	span := after.at.Sub(before.at).Seconds()
	f.App, f.Redis = after.since(before)
	f.Polls = (after.polls - before.polls) / span
	f.Requests = float64(after.requests-before.requests) / max(after.polls-before.polls, 1)
	for i := range after.commands {
		f.Commands = append(f.Commands, float64(after.commands[i]-before.commands[i])/span)
	}
	f.Late = lateOf(before.late, after.late)
	if f.Quiet, err = w.memoryOfApp(); err != nil {
		return err
	}
	f.RedisAfter, err = w.redisMemory()
	return err
}

// redisMemory is what all nodes use for data and connections.
func (w *crowdWorld) redisMemory() (bytes int64, err error) {
	for _, node := range w.redis.Nodes {
		rdb := node.Client()
		info, err := rdb.Info(w.ctx, "memory").Result()
		_ = rdb.Close()
		if err != nil {
			return 0, err
		}
		bytes += int64(field(info, "used_memory_dataset"))
	}
	return bytes, nil
}

// memoryOfApp collects its garbage, and reads what is left. The kernel is given nothing back for it.
func (w *crowdWorld) memoryOfApp() (m appMemory, err error) {
	m.memory = w.app.memory()
	if _, err := w.fetch("/debug/pprof/heap?gc=1"); err != nil {
		return m, err
	}
	metrics, err := w.metrics()
	if err != nil {
		return m, err
	}
	m.Heap = int64(sum(metrics, "go_memstats_heap_alloc_bytes "))
	return m, nil
}

// metrics are the lines of /metrics.
func (w *crowdWorld) metrics() ([]string, error) {
	text, err := w.fetch("/metrics")
	return strings.Split(text, "\n"), err
}

// fetch reads a page for operators.
func (w *crowdWorld) fetch(path string) (string, error) {
	request, err := http.NewRequestWithContext(w.ctx, http.MethodGet, "http://"+w.admin+path, http.NoBody)
	if err != nil {
		return "", err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New(answer.Status)
	}
	return string(text), err
}

// sum is that of the values of all lines with that beginning.
func sum(lines []string, begins string) (all float64) {
	for _, line := range lines {
		if strings.HasPrefix(line, begins) {
			value, _ := strconv.ParseFloat(line[strings.LastIndex(line, " ")+1:], 64)
			all += value
		}
	}
	return all
}

// bucket is one of a histogram: how many were no more than that.
type bucket struct{ most, count float64 }

func buckets(lines []string, begins string) (all []bucket) {
	for _, line := range lines {
		rest, is := strings.CutPrefix(line, begins)
		if !is {
			continue
		}
		edge, value, _ := strings.Cut(rest, `"} `)
		most, _ := strconv.ParseFloat(edge, 64)
		count, _ := strconv.ParseFloat(value, 64)
		all = append(all, bucket{most, count})
	}
	return all
}

// lateOf are the edges of the buckets in which the median, the 99th of a hundred and the last of what came between are, in ms.
func lateOf(before, after []bucket) (l late) {
	if len(after) == 0 || len(before) != len(after) {
		return l
	}
	all := after[len(after)-1].count - before[len(before)-1].count
	edge := func(p float64) float64 {
		for i, b := range after {
			if b.count-before[i].count >= p*all {
				return 1000 * b.most
			}
		}
		return 0
	}
	return late{edge(0.5), edge(0.99), edge(1)}
}
