package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/sandbox/crowd"
	"darkroom/store"
	"darkroom/store/seal"
	"darkroom/store/storetest/topology"
)

// crowdResult is how one app for many workspaces fares as they grow.
type crowdResult struct {
	Schedule string         `json:"schedule"`
	Latency  float64        `json:"latency_ms"` // of each answer of Slack's and of the services
	Sizes    []crowdFigures `json:"sizes"`
	Idle     []idleFigures  `json:"idle"`
	Noise    []noiseFigures `json:"noise"`
}

// crowdFigures are those of so many workspaces with ten active orders each.
type crowdFigures struct {
	Workspaces int     `json:"workspaces"`
	Fill       float64 `json:"fill_s"`    // until they were in Redis
	Settled    float64 `json:"settled_s"` // from the start of the binary until all were polled and none waited

	Polls    float64   `json:"polls_s"`   // of workspaces, a second
	Requests float64   `json:"requests"`  // to the services, a poll
	Late     late      `json:"late_ms"`   // how long after it was due a poll began
	App      float64   `json:"app_cpu"`   // of a core
	Redis    []float64 `json:"redis_cpu"` // of each node
	Commands []float64 `json:"commands"`  // a second, of each node

	Quiet       appMemory `json:"quiet"` // before anything changed
	RedisBefore int64     `json:"redis_before"`
	RedisAfter  int64     `json:"redis_after"` // of all nodes, with the workspaces

	Changes   int       `json:"changes"`
	Told      figures99 `json:"told_ms"` // change to message
	ToldPoll  figures99 `json:"poll_ms"` // poll that showed it to message
	Busy      appMemory `json:"busy"`    // after them
	BusyApp   float64   `json:"busy_app_cpu"`
	BusyRedis []float64 `json:"busy_redis_cpu"`
}

// idleFigures are those of workspaces that have nothing to poll.
type idleFigures struct {
	Workspaces int       `json:"workspaces"`
	Memory     appMemory `json:"memory"`
	App        float64   `json:"app_cpu"`
}

// noiseFigures are those of quiet workspaces beside one that is not.
type noiseFigures struct {
	Workspaces int       `json:"workspaces"`
	What       string    `json:"what"`
	Alone      figures99 `json:"alone_ms"` // poll to message of the quiet ones, without it
	AloneTold  figures99 `json:"alone_told_ms"`
	Beside     figures99 `json:"beside_ms"`
	BesideTold figures99 `json:"beside_told_ms"`
	Untold     int       `json:"untold"` // changes of the quiet ones that had no message a minute after the last of them; 50: or more
	Its        int       `json:"its"`    // changes of the noisy one that were told meanwhile
	App        float64   `json:"app_cpu"`
}

// appMemory is what the binary holds.
type appMemory struct {
	memory
	Heap       int64 `json:"heap"` // that lives, after a collection
	Goroutines int64 `json:"goroutines"`
}

// late is what its histogram tells.
type late struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Most float64 `json:"most"`
}

// figures99 are a few durations in milliseconds.
type figures99 struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Most float64 `json:"most"`
}

func figures99Of(all []time.Duration) figures99 {
	slices.Sort(all)
	if len(all) == 0 {
		return figures99{}
	}
	return figures99{ms(percentile(all, 0.5)), ms(percentile(all, 0.99)), ms(all[len(all)-1])}
}

// The sizes of the part.
const (
	crowdActive   = 10                    // orders of each workspace
	crowdSchedule = "@every 30s"          // the default
	crowdPeriod   = 30 * time.Second      // of it
	crowdLatency  = 50 * time.Millisecond // of Slack and of the services
	crowdRate     = 20                    // changes a second at most, while any are measured: one a workspace in the period
	noisyOrders   = 1000                  // of the noisy workspace, each in a channel of its own
	crowdKey      = "the key that seals for a crowd of a benchmark"
)

// crowds measures them all, or those sizes that are asked for.
func (b *bench) crowds() error {
	r := b.results.Crowd
	if r == nil {
		r = &crowdResult{}
		b.results.Crowd = r
	}
	r.Schedule, r.Latency = crowdSchedule, ms(crowdLatency)
	for size := range strings.SplitSeq(b.o.workspaces, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			return err
		}
		if err := b.crowdsOf(r, n); err != nil {
			return fmt.Errorf("%d workspaces: %w", n, err)
		}
	}
	return nil
}

// crowdsOf measures one size, with orders and, of the smallest and of large ones, without.
func (b *bench) crowdsOf(r *crowdResult, n int) error {
	if err := b.crowdOf(r, n); err != nil || n > 10 && n < 10_000 {
		return err
	}
	idle, err := b.idleCrowd(n)
	if err != nil {
		return err
	}
	return b.keepCrowd(func() {
		r.Idle = append(slices.DeleteFunc(r.Idle, func(f idleFigures) bool { return f.Workspaces == n }), idle)
		slices.SortFunc(r.Idle, func(a, b idleFigures) int { return a.Workspaces - b.Workspaces })
	})
}

// keepCrowd writes what was found so far: a crowd is measured for minutes.
func (b *bench) keepCrowd(add func()) error {
	add()
	return b.save()
}

// crowdWorld is the real binary between a crowd and a cluster.
type crowdWorld struct {
	*bench
	crowd  *crowd.Crowd
	redis  *topology.Redis
	rdb    redis.UniversalClient
	app    *process
	admin  string // its address for operators
	before int64  // bytes of Redis before the workspaces
	fill   time.Duration
}

// startCrowd starts all of it, and returns when the binary serves.
func (b *bench) startCrowd(o crowd.Options) (w *crowdWorld, err error) {
	w = &crowdWorld{bench: b}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	o.SlackLatency, o.ServiceLatency = crowdLatency, crowdLatency
	if w.crowd, err = crowd.Start(o); err != nil {
		return w, err
	}
	dir, err := b.folder("cluster")
	if err != nil {
		return w, err
	}
	w.redis, err = topology.Start(b.ctx, dir, topology.Options{Kind: topology.Cluster, Fsync: "everysec", Away: 20 * time.Second, Settings: []string{"auto-aof-rewrite-percentage 0"}})
	if err != nil {
		return w, err
	}
	if w.rdb, err = store.Connect(w.redis.URL(0) + "&pool_size=40"); err != nil {
		return w, err
	}
	keys, err := seal.NewKeys(crowdKey)
	if err != nil {
		return w, err
	}
	if w.before, err = w.redisMemory(); err != nil {
		return w, err
	}
	began := time.Now()
	if err := w.crowd.Fill(b.ctx, w.rdb, keys); err != nil {
		return w, err
	}
	w.fill = time.Since(began)
	return w, w.startApp()
}

func (w *crowdWorld) startApp() error {
	addr, err := w.freeAddress()
	if err != nil {
		return err
	}
	if w.admin, err = w.freeAddress(); err != nil {
		return err
	}
	environ := append(w.crowd.Environ(), "REDIS_URL="+w.redis.URL(0), "LISTEN_ADDR="+addr, "ADMIN_ADDR="+w.admin, "PUBLIC_URL=http://"+addr,
		"FILE_SIGNING_KEY=the key that signs files for a crowd", "ENCRYPTION_KEY="+crowdKey, "POLL_SCHEDULE="+crowdSchedule)
	if w.app, err = w.spawn(w.cores.server, "darkroom", environ, w.binary(), "serve"); err != nil {
		return err
	}
	return w.listening(w.app, addr)
}

func (w *crowdWorld) close() {
	if w.app != nil {
		w.app.stop()
	}
	if w.rdb != nil {
		_ = w.rdb.Close()
	}
	if w.redis != nil {
		w.redis.Close()
	}
	if w.crowd != nil {
		w.crowd.Close()
	}
}

// crowdOf measures so many workspaces with ten active orders each.
func (b *bench) crowdOf(r *crowdResult, n int) error {
	noisy := n >= 1000
	o := crowd.Options{Workspaces: n, Orders: crowdActive, Channels: noisyOrders}
	if noisy {
		o.More = map[int]int{0: noisyOrders}
	}
	w, err := b.startCrowd(o)
	if err != nil {
		return err
	}
	defer w.close()
	f := crowdFigures{Workspaces: n, Fill: w.fill.Seconds(), RedisBefore: w.before}
	began := time.Now()
	// Each has been polled once, and what is kept of them is there.
	if err := w.settled(); err != nil {
		return fmt.Errorf("%w; it says:\n%s", err, w.app.said())
	}
	f.Settled = time.Since(began).Seconds()
	if err := w.pause(crowdPeriod / 6); err != nil {
		return err
	}
	if err := w.quiet(&f); err != nil {
		return err
	}
	w.saveProfiles(fmt.Sprintf("quiet-%d", n))
	alone, err := w.changes(&f)
	if err != nil {
		return fmt.Errorf("%w; it says:\n%s", err, w.app.said())
	}
	log.Printf("%6d workspaces: %.1f polls/s, late %.0f ms (p99 %.0f), app %.0f %% of a core, told in %.1f s (p99 %.1f), after the poll in %.0f ms (p99 %.0f), %d MB, heap %d MB",
		n, f.Polls, f.Late.P50, f.Late.P99, 100*f.App, f.Told.P50/1000, f.Told.P99/1000, f.ToldPoll.P50, f.ToldPoll.P99, f.Busy.RSS>>20, f.Busy.Heap>>20)
	err = b.keepCrowd(func() {
		r.Sizes = append(slices.DeleteFunc(r.Sizes, func(f crowdFigures) bool { return f.Workspaces == n }), f)
		slices.SortFunc(r.Sizes, func(a, b crowdFigures) int { return a.Workspaces - b.Workspaces })
		r.Noise = slices.DeleteFunc(r.Noise, func(f noiseFigures) bool { return f.Workspaces == n })
	})
	if err == nil && noisy {
		err = w.noises(r, alone)
	}
	return errors.Join(err, w.crowd.Wrong())
}

// noises measures the others beside a noisy workspace, one kind of noise after the other.
func (w *crowdWorld) noises(r *crowdResult, alone []crowd.Latency) error {
	n := w.crowd.Len()
	for _, kind := range noises[:min(1+n/10_000, len(noises))] { // beside few, the first kind alone
		one, err := w.noise(kind, alone)
		if err != nil {
			return fmt.Errorf("%s: %w; it says:\n%s", kind.what, err, w.app.said())
		}
		one.Workspaces = n
		log.Printf("%6d workspaces beside one %s: told in %.1f s (p99 %.1f), after the poll in %.0f ms (p99 %.0f); app %.0f %% of a core", n, kind.what, one.BesideTold.P50/1000, one.BesideTold.P99/1000, one.Beside.P50, one.Beside.P99, 100*one.App)
		if err := w.keepCrowd(func() { r.Noise = append(r.Noise, one) }); err != nil {
			return err
		}
	}
	return nil
}

// settled waits until each workspace was polled, and for two periods at most until as good as none waits for its turn: what a
// start costs is over then.
func (w *crowdWorld) settled() error {
	soon := time.Now().Add(2 * crowdPeriod)
	return w.until("each workspace polled", 5*crowdPeriod, time.Second, func() bool {
		if len(w.crowd.Polled(time.Time{}.Add(1))) < w.crowd.Len() {
			return false
		}
		metrics, err := w.metrics()
		return err == nil && (sum(metrics, "darkroom_round_waiting ") <= float64(w.crowd.Len())/1000 || time.Now().After(soon))
	})
}

// usage is what was used so far.
type usage struct {
	at       time.Time
	app      time.Duration
	nodes    []time.Duration
	commands []int
	requests int64
	polls    float64
	late     []bucket
}

func (w *crowdWorld) usage() (u usage, err error) {
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
		u.commands = append(u.commands, total(counts))
		u.nodes = append(u.nodes, time.Duration((field(info, "used_cpu_sys")+field(info, "used_cpu_user"))*float64(time.Second)))
	}
	metrics, err := w.metrics()
	if err != nil {
		return u, err
	}
	u.late, u.polls = buckets(metrics, `darkroom_round_late_seconds_bucket{service="quick",le="`), sum(metrics, "darkroom_round_polls_total{")
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
	m.Heap, m.Goroutines = int64(sum(metrics, "go_memstats_heap_alloc_bytes ")), int64(sum(metrics, "go_goroutines "))
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

// changes measures changes from the service to Slack, spread over the workspaces but the first.
func (w *crowdWorld) changes(f *crowdFigures) (alone []crowd.Latency, err error) {
	before, err := w.usage()
	if err != nil {
		return nil, err
	}
	alone, err = w.spread(w.ctx, nil)
	if err != nil {
		return nil, err
	}
	after, err := w.usage()
	if err != nil {
		return nil, err
	}
	f.Changes = len(alone)
	f.Told, f.ToldPoll = latenciesOf(alone)
	f.BusyApp, f.BusyRedis = after.since(before)
	f.Busy, err = w.memoryOfApp()
	return alone, err
}

// spread changes orders for a period, at random, and returns how long those took that are not the first workspace's.
// Meanwhile does something beside it.
func (w *crowdWorld) spread(ctx context.Context, meanwhile func() error) ([]crowd.Latency, error) {
	_ = w.crowd.Times() // of before
	ends := time.Now().Add(crowdPeriod)
	draws := rand.New(rand.NewPCG(11, 11)) //nolint:gosec // the same each time
	beats := time.NewTicker(max(crowdPeriod/time.Duration(w.crowd.Len()), time.Second/crowdRate))
	defer beats.Stop()
	quiet := 0
	for time.Now().Before(ends) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-beats.C:
		}
		if n := 1 + draws.IntN(w.crowd.Len()-1); w.crowd.Change(n, draws.IntN(w.crowd.Orders(n))) {
			quiet++
		}
		if meanwhile != nil {
			if err := meanwhile(); err != nil {
				return nil, err
			}
		}
	}
	var took []crowd.Latency
	err := w.until("all told", 2*crowdPeriod, 200*time.Millisecond, func() bool {
		took = append(took, slices.DeleteFunc(w.crowd.Times(), func(t crowd.Latency) bool { return t.Workspace == 0 })...)
		return len(took) >= quiet
	})
	return took, err
}

// latenciesOf are the times of changes to their messages, and of the polls that showed them.
func latenciesOf(all []crowd.Latency) (told, poll figures99) {
	var changed, seen []time.Duration
	for _, t := range all {
		changed, seen = append(changed, t.Told.Sub(t.Changed)), append(seen, t.Told.Sub(t.Seen))
	}
	return figures99Of(changed), figures99Of(seen)
}

// noiseKind is what one workspace does.
type noiseKind struct {
	what  string
	begin func(w *crowdWorld)
	beat  func(w *crowdWorld) error // while others are measured; nil: nothing
	end   func(w *crowdWorld)
}

// noises are what the first workspace does while the others are measured.
var noises = []noiseKind{
	{
		what: "with 1,000 orders that change all the time", begin: func(*crowdWorld) {},
		beat: func(w *crowdWorld) error {
			for n := range w.crowd.Orders(0) {
				w.crowd.Change(0, n) // those that were told
			}
			return nil
		},
		end: func(*crowdWorld) {},
	},
	{
		what:  "whose service hangs",
		begin: func(w *crowdWorld) { w.crowd.Service(0, crowd.Fault{Hang: true}) },
		end:   func(w *crowdWorld) { w.crowd.Service(0, crowd.Fault{}) },
	},
}

// noise measures the quiet ones beside it.
func (w *crowdWorld) noise(kind noiseKind, alone []crowd.Latency) (f noiseFigures, err error) {
	f.What = kind.what
	f.AloneTold, f.Alone = latenciesOf(alone)
	before, err := w.usage()
	if err != nil {
		return f, err
	}
	untold := w.crowd.ChangesTold(0)
	kind.begin(w)
	var meanwhile func() error
	if kind.beat != nil {
		meanwhile = func() error { return kind.beat(w) }
	}
	took, err := w.spread(w.ctx, meanwhile)
	if lost := w.crowd.Lost(map[int]bool{0: true}); len(lost) > 0 && w.ctx.Err() == nil { // that is what is to be known
		f.Untold = len(lost)
		log.Printf("not told in time: %v", errors.Join(lost[:min(5, len(lost))]...))
		w.saveProfiles(fmt.Sprintf("untold-%d", w.crowd.Len()))
		err = nil
	}
	if err != nil {
		return f, err
	}
	f.BesideTold, f.Beside = latenciesOf(took)
	f.Its = w.crowd.ChangesTold(0) - untold
	kind.end(w)
	after, err := w.usage()
	if err != nil {
		return f, err
	}
	f.App, _ = after.since(before)
	return f, nil
}

// idleCrowd measures workspaces that have added the app, and no orders.
func (b *bench) idleCrowd(n int) (f idleFigures, err error) {
	w, err := b.startCrowd(crowd.Options{Workspaces: n})
	if err != nil {
		return f, err
	}
	defer w.close()
	f.Workspaces = n
	if err := w.pause(crowdPeriod + crowdPeriod/3); err != nil {
		return f, err
	}
	used, began := w.app.cpu(), time.Now()
	if err := w.pause(crowdPeriod / 3); err != nil {
		return f, err
	}
	f.App = float64(w.app.cpu()-used) / float64(time.Since(began))
	f.Memory, err = w.memoryOfApp()
	w.saveProfiles(fmt.Sprintf("idle-%d", n))
	log.Printf("%6d idle workspaces: %d MB, heap %d kB, %.0f %% of a core", n, f.Memory.RSS>>20, f.Memory.Heap>>10, 100*f.App)
	return f, err
}

// saveProfiles keeps what the binary tells of itself, for whoever looks closer.
func (w *crowdWorld) saveProfiles(name string) {
	dir := w.o.profiles
	if dir == "" {
		return
	}
	for _, kind := range []string{"heap?gc=1", "profile?seconds=8", "goroutine?debug=1"} {
		text, err := w.fetch("/debug/pprof/" + kind)
		if err != nil {
			log.Print(err)
			continue
		}
		file, _, _ := strings.Cut(kind, "?")
		_ = os.WriteFile(filepath.Join(dir, name+"-"+file), []byte(text), 0o600)
	}
}
