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
	Reconnects time.Duration // between two workspaces that are connected anew, each with another secret
	Kills      int           // of replicas
	Failovers  int           // of masters of Redis
	Restarts   int           // of all replicas, one after the other; with three a new key takes the place of the old one
	Between    time.Duration // two faults
	Poll       time.Duration // between two looks at a service
	TokenLife  time.Duration
	Patience   time.Duration // how long the end is waited for
	Aimed      bool          // replicas are killed right after they wrote to Slack or to a service; else at any moment
	Looks      bool          // the end waits also for the looks for doubles, some minutes after each post of unknown outcome
	Keep       bool          // the folder with the logs stays; it does when something is wrong
	Log        func(format string, args ...any)
}

// manyRun is a run of it.
type manyRun struct {
	o        ManyOptions
	dir      string
	redis    *redisServer
	crowd    *crowd.Crowd
	replicas *replicas
	balancer *balancer
	aim      *conductor // of [ManyOptions.Aimed]; nil: it is not
	rand     *rand.Rand // of the faults
	files    string     // the key that signs addresses
	faults   []fault
	told     []crowd.Latency
	decided  atomic.Int64 // workspaces in which somebody decides, or has
	anew     atomic.Int64 // how often one was connected anew
	sealing  atomic.Value // the key that seals, string: one that all replicas have
}

// The keys that seal, first and then.
const (
	formerKey = "the key of yesterday for a crowd and its tokens"
	latterKey = "the key of tomorrow for a crowd and its tokens"
)

// Many plays a run of one Darkroom for many workspaces: several replicas of the real binary, a cluster of Redis whose
// every write waits for a copy, workspaces of equal ids in which services change orders and people write to editors, and
// tokens that end, while admins connect their accounts anew. Meanwhile replicas are killed, masters of Redis are, and all replicas are
// restarted one after the other, with another key. In the end each workspace must have been told of each of its changes once, in order, and each editor what
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
	loaded.Go(func() { m.reconnect(load) })
	for range o.Deciders {
		loaded.Go(func() { m.decide(load) })
	}
	pause(ctx, o.Between)
	failed := m.injectFaults(ctx)
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
func gatherMany(ctx context.Context, o ManyOptions) (m *manyRun, err error) {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	m = &manyRun{o: o, rand: rand.New(rand.NewPCG(o.Seed, 3)), files: "a key that signs the addresses of files for a crowd"}
	m.sealing.Store(formerKey)
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

func (m *manyRun) environ() []string {
	return append(m.crowd.Environ(), "REDIS_URL="+m.redis.url, "PUBLIC_URL=https://darkroom.example.com", "FILE_SIGNING_KEY="+m.files, "ENCRYPTION_KEY="+formerKey,
		"POLL_SCHEDULE=@every "+m.o.Poll.String(), "UPSTREAM_RATE=100", "LOG_LEVEL=info")
}

func (m *manyRun) startApp(ctx context.Context) (err error) {
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

func (m *manyRun) close() {
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
