package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"darkroom/sandbox/crowd"
	"darkroom/store/seal"
	"darkroom/store/storetest/topology"
)

// ManyOptions are the size of a run of [Many]. The same seed makes the same draws; what meets what is up to the clock.
type ManyOptions struct {
	Binary     string // of darkroom, see [Build]
	Server     string // the program of Redis; "" is the redis-server on PATH
	Seed       uint64
	Workspaces int
	Orders     int // of each
	Replicas   int
	Changes    int           // at the services, each second, in two workspaces each
	People     int           // who write to editors at the same time; fewer than orders
	Deciders   int           // who ask for changes and approve at the same time
	Kills      int           // of replicas
	Failovers  int           // of masters of Redis
	Restarts   int           // of all replicas, one after the other; with three a new key takes the place of the old one
	Between    time.Duration // two harms
	Poll       time.Duration // between two looks at a service
	TokenLife  time.Duration
	Patience   time.Duration // how long the end is waited for
	Aimed      bool          // replicas are killed right after they wrote to Slack or to a service; else at any moment
	Looks      bool          // the end waits also for the looks for doubles, some minutes after each post of unknown outcome
	Keep       bool          // the folder with the logs stays; it does when something is wrong
	Log        func(format string, args ...any)
}

// throng is a run of it.
type throng struct {
	o        ManyOptions
	dir      string
	redis    *redisServer
	crowd    *crowd.Crowd
	replicas *replicas
	balancer *balancer
	aim      *conductor // of [ManyOptions.Aimed]; nil: it is not
	rand     *rand.Rand // of the harms
	files    string     // the key that signs addresses
	harms    []harm
	told     []crowd.Latency
	decided  atomic.Int64 // workspaces in which somebody decides, or has
}

// The keys that seal, first and then.
const (
	formerKey = "the key of yesterday for a crowd and its tokens"
	latterKey = "the key of tomorrow for a crowd and its tokens"
)

// Many plays a run of one Darkroom for many workspaces: several replicas of the real binary, a cluster of Redis whose
// every write waits for a copy, workspaces of equal ids in which services change orders and people write to editors, and
// tokens that end. Meanwhile replicas are killed, masters of Redis are, and all replicas are restarted one after the other, with
// another key. In the end each workspace must have been told of each of its changes once, in order, and each editor what
// their own people wrote to them, once.
func Many(ctx context.Context, o ManyOptions) (Report, error) {
	began := time.Now()
	m, err := gatherMany(ctx, o)
	if m != nil {
		defer m.close()
	}
	if err != nil {
		return Report{}, err
	}
	m.o.Log("chaos: %d workspaces after %s, seed %d, logs in %s", o.Workspaces, time.Since(began).Round(time.Second), o.Seed, m.dir)
	load, calm := context.WithCancel(ctx)
	var loaded sync.WaitGroup
	loaded.Go(func() { m.change(load) })
	for n := range o.People {
		loaded.Go(func() { m.write(load, n) })
	}
	for range o.Deciders {
		loaded.Go(func() { m.decide(load) })
	}
	pause(ctx, o.Between)
	failed := m.harm(ctx)
	pause(ctx, o.Between)
	calm()
	loaded.Wait()
	left, err := m.settle(ctx)
	m.told = m.crowd.Times()
	report := m.report(left, failed, time.Since(began))
	m.o.Keep = m.o.Keep || !report.Clean
	return report, errors.Join(err, ctx.Err())
}

// gatherMany starts everything.
func gatherMany(ctx context.Context, o ManyOptions) (m *throng, err error) {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	m = &throng{o: o, rand: rand.New(rand.NewPCG(o.Seed, 3)), files: "a key that signs the addresses of files for a crowd"}
	if m.dir, err = tempDir(); err != nil {
		return nil, err
	}
	// One copy each: of two, the one that takes over may be the one that has not confirmed what was written last (see docs/redis.md).
	if m.redis, err = startRedis(ctx, m.dir, Options{Redis: topology.Cluster, Server: o.Server, Wait: true, Copies: 1}); err != nil {
		return m, err
	}
	m.crowd, err = crowd.Start(crowd.Options{Workspaces: o.Workspaces, Orders: o.Orders, Services: 4, TokenLife: o.TokenLife})
	if err != nil {
		return m, err
	}
	keys, err := seal.NewKeys(formerKey)
	if err != nil {
		return m, err
	}
	if err := m.crowd.Fill(ctx, m.redis.rdb, keys); err != nil {
		return m, err
	}
	return m, m.startApp(ctx)
}

func (m *throng) environ() []string {
	return append(m.crowd.Environ(), "REDIS_URL="+m.redis.url, "PUBLIC_URL=https://darkroom.example.com", "FILE_SIGNING_KEY="+m.files, "ENCRYPTION_KEY="+formerKey,
		"POLL_SCHEDULE=@every "+m.o.Poll.String(), "UPSTREAM_RATE=100", "LOG_LEVEL=info")
}

func (m *throng) startApp(ctx context.Context) (err error) {
	points := ""
	if m.o.Aimed {
		if m.aim, err = newConductor(m.o.Seed); err != nil {
			return err
		}
		points = m.aim.url
	}
	if m.replicas, err = startReplicas(ctx, m.o.Replicas, m.dir, m.o.Binary, points, m.environ()); err != nil {
		return err
	}
	if m.balancer, err = startBalancer(m.replicas.all); err != nil {
		return err
	}
	for _, one := range m.replicas.all {
		if !poll(ctx, time.Minute, 20*time.Millisecond, func() bool { return one.serves(ctx) }) {
			return fmt.Errorf("replica %s does not serve; its log is in %s", one.name, m.dir)
		}
	}
	return nil
}

func (m *throng) close() {
	if m.replicas != nil {
		m.replicas.close()
	}
	if m.balancer != nil {
		m.balancer.close()
	}
	if m.aim != nil {
		m.aim.close()
	}
	if m.crowd != nil {
		m.crowd.Close()
	}
	if m.redis != nil {
		m.redis.close()
	}
	if !m.o.Keep {
		_ = os.RemoveAll(m.dir)
	}
}

// neighbors are a workspace that is drawn and the one behind it: what happens to an order of one happens at the same time to
// that of the other, whose id is the same. The last order of each is for who decides.
func (m *throng) neighbors(r *rand.Rand) (pair [2]int, order int) {
	n := r.IntN(m.o.Workspaces)
	return [2]int{n, (n + 1) % m.o.Workspaces}, r.IntN(m.o.Orders - 1)
}

// change has the services change orders until ctx ends.
func (m *throng) change(ctx context.Context) {
	r := rand.New(rand.NewPCG(m.o.Seed, 4))
	tick := time.NewTicker(time.Second / time.Duration(m.o.Changes))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			pair, order := m.neighbors(r)
			for _, n := range pair {
				m.crowd.Change(n, order) // not while the change before it is not told
			}
		}
	}
}

// write is one person of each workspace at a time, who writes the same to editors of equal orders in two of them. No two
// write about the same order.
func (m *throng) write(ctx context.Context, n int) {
	r := rand.New(rand.NewPCG(m.o.Seed, uint64(n)+100))
	for said := 0; ctx.Err() == nil; said++ {
		pair, order := m.neighbors(r)
		if order += n - order%m.o.People; order >= m.o.Orders-1 {
			order = n
		}
		way := crowd.Way(r.IntN(2))
		for _, one := range pair {
			m.crowd.Say(context.WithoutCancel(ctx), m.balancer.url, one, order, way, fmt.Sprintf("Keep the shadows soft %d %d", n, said))
		}
		pause(ctx, time.Duration(r.Int64N(int64(400*time.Millisecond))))
	}
}

// decide has people of two workspaces at a time go through the same with the last order of each: it is delivered, they ask for
// changes in the same words, it is delivered again, they approve.
func (m *throng) decide(ctx context.Context) {
	for ctx.Err() == nil {
		n := int(m.decided.Add(2)) - 2
		if n+1 >= m.o.Workspaces {
			return
		}
		for _, what := range []crowd.Decision{crowd.Revise, crowd.Approve} {
			for _, one := range []int{n, n + 1} {
				m.crowd.Deliver(one, m.o.Orders-1)
			}
			for _, one := range []int{n, n + 1} {
				if !m.decideIn(ctx, one, what) {
					return
				}
			}
		}
	}
}

// decideIn has the person of a workspace decide once they see what was delivered, and again when nothing came of it; false: the load ended.
func (m *throng) decideIn(ctx context.Context, one int, what crowd.Decision) bool {
	order, still := m.o.Orders-1, context.WithoutCancel(ctx)
	for try := 0; ; try++ {
		if !poll(ctx, time.Hour, 50*time.Millisecond, func() bool { return m.crowd.Shown(one, order) }) {
			return false
		}
		words := ""
		if what == crowd.Revise {
			words = fmt.Sprintf("A little warmer %d", try)
		}
		taken := m.crowd.Decide(still, m.balancer.url, one, order, what, words)
		if poll(still, 20*time.Second, 50*time.Millisecond, func() bool { return m.crowd.Done(one, order, what) }) || taken {
			return ctx.Err() == nil
		}
	}
}

// harm is one thing that was done to the app or its Redis.
type harm struct {
	what    string
	at      time.Time
	took    time.Duration // until it was mended
	refused map[string]int64
}

// The harms.
const (
	harmKill     = "a replica was killed"
	harmFailover = "a master of Redis was killed"
	harmRestart  = "all replicas were restarted, one after the other"
)

// harm does all of it, in an order that is drawn.
func (m *throng) harm(ctx context.Context) (failed error) {
	var due []string
	for what, times := range map[string]int{harmKill: m.o.Kills, harmFailover: m.o.Failovers, harmRestart: m.o.Restarts} {
		due = append(due, slices.Repeat([]string{what}, times)...)
	}
	slices.Sort(due) // a map has no order
	m.rand.Shuffle(len(due), func(i, j int) { due[i], due[j] = due[j], due[i] })
	kills, restarts := 0, 0
	for n, what := range due {
		m.o.Log("chaos: %s (%d of %d); untold %d, undelivered %d", what, n+1, len(due), m.crowd.Untold(), m.crowd.Undelivered())
		h, before := harm{what: what, at: time.Now()}, m.crowd.Refusals()
		var err error
		switch what {
		case harmKill:
			err = m.kill(ctx, kills)
			kills++
		case harmFailover:
			err = m.failover(ctx)
		case harmRestart:
			err = m.restart(ctx, restarts)
			restarts++
		}
		h.took = time.Since(h.at)
		pause(ctx, m.o.Between)
		h.refused = m.crowd.Refusals()
		for says, times := range before {
			if h.refused[says] -= times; h.refused[says] == 0 {
				delete(h.refused, says)
			}
		}
		m.harms = append(m.harms, h)
		failed = errors.Join(failed, err)
	}
	return failed
}

// moments are when a replica is killed of which something is out that it has not noted yet.
var moments = []string{
	"announce/after chat.postMessage", "message/after POST message", "relay/after POST message", "revise/after POST revise", "approve/after POST approve",
}

// kill is kill -9 for a replica, which is started again: for one that is drawn, or for the first that comes to one of the moments.
func (m *throng) kill(ctx context.Context, nth int) error {
	one := m.replicas.all[m.rand.IntN(len(m.replicas.all))]
	before := map[*replica]int32{}
	for _, r := range m.replicas.all {
		before[r] = r.starts.Load()
	}
	if m.aim == nil || !m.aim.awaitAimed(ctx, moments[nth%len(moments)]) {
		one.kill()
		return m.back(ctx, one, before[one])
	}
	for _, r := range m.replicas.all {
		if poll(ctx, time.Second, 20*time.Millisecond, func() bool { return r.starts.Load() > before[r] }) {
			return m.back(ctx, r, before[r])
		}
	}
	return errors.New("who was killed did not start again")
}

// awaitAimed has the next one die that comes to a failpoint, and waits for it; false: nobody did.
func (c *conductor) awaitAimed(ctx context.Context, failpoint string) bool {
	c.mu.Lock()
	before := c.dead
	c.aim, c.aims = failpoint, 1
	c.mu.Unlock()
	died := poll(ctx, 10*time.Second, 10*time.Millisecond, func() bool { return c.killed() > before })
	c.mu.Lock()
	defer c.mu.Unlock()
	c.aims = 0
	return died || c.dead > before
}

// back waits until a replica was started again and serves.
func (m *throng) back(ctx context.Context, one *replica, starts int32) error {
	if !poll(ctx, time.Minute, 20*time.Millisecond, func() bool { return one.starts.Load() > starts && one.serves(ctx) }) {
		return fmt.Errorf("replica %s did not come back; its log is in %s", one.name, m.dir)
	}
	return nil
}

// failover is kill -9 for the master of a shard that is drawn; it comes back as a copy of its heir.
func (m *throng) failover(ctx context.Context) error {
	return m.redis.bounceAt(ctx, m.shardKey(m.rand.IntN(16)), time.Duration(m.rand.Int64N(int64(time.Second))))
}

// sideBySide is how long replicas that seal with the new key work beside such as do not, at least, in the second restart: what one has
// read of a workspace it believes for some seconds, and only then does it meet what the others have sealed.
var sideBySide = map[int]time.Duration{1: 5500 * time.Millisecond}

// restart is a rolling restart. The first one brings a new key behind the old one, the second puts it in front, and what the old one
// sealed is sealed anew then; the third leaves the old one out.
func (m *throng) restart(ctx context.Context, nth int) error {
	for n, one := range m.replicas.all {
		switch nth {
		case 0:
			one.with("ENCRYPTION_KEY", formerKey+","+latterKey)
		case 1:
			one.with("ENCRYPTION_KEY", latterKey+","+formerKey)
		case 2:
			one.with("ENCRYPTION_KEY", latterKey)
		}
		starts := one.starts.Load()
		one.retire()
		if err := m.back(ctx, one, starts); err != nil {
			return err
		}
		if n+1 < len(m.replicas.all) { // old and new ones work side by side
			pause(ctx, max(m.o.Between/2, sideBySide[nth]))
		}
	}
	if nth == 1 {
		return m.reseal(ctx)
	}
	return nil
}

// unclean counts replicas that did not stop cleanly.
func (m *throng) unclean() (n int32) {
	for _, one := range m.replicas.all {
		n += one.unclean.Load()
	}
	return n
}

// describe is the head of a report.
func (o ManyOptions) describe() string {
	return fmt.Sprintf("%d workspaces with %d orders each, %d replicas, a cluster of three masters with a copy each, wait_replicas=1, a look at each service every %s, tokens of %s, seed %d",
		o.Workspaces, o.Orders, o.Replicas, o.Poll, o.TokenLife, o.Seed)
}

// sentence is what was refused, by how often.
func sentence(refused map[string]int64) string {
	var all []string
	for says, times := range refused {
		all = append(all, fmt.Sprintf("%d × %s", times, says))
	}
	slices.Sort(all)
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, "; ")
}
