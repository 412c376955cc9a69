package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"darkroom/sandbox"
	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
	"darkroom/store/storetest/topology"
	"darkroom/upstream"
)

// Options are the size of a run. The same seed makes the same people do the same things
// and the same faults be drawn; what meets what is up to the clock.
type Options struct {
	Binary      string // of darkroom, see [Build]
	Seed        uint64
	Orders      int
	Channels    int
	People      int // who act at the same time
	Replicas    int
	Kills       int // of replicas
	RedisFaults int
	Crowd       photos.Crowd  // orders of other clients of the account
	Oblivion    time.Duration // how long the service knows none of our orders at the end; 0: never
	Network     time.Duration // between two faults on the way to Slack or the service; 0: none
	OwnNames    bool          // for a third of the run the service keeps names of its own
	Errands     bool          // some people do other things than the course of one order, see [errands]
	Pointing    bool          // everybody asks for changes, with pins
	Gentle      bool          // nobody is killed where only the two-minute settlement of an order could tell
	Aim         string        // the beginning of the failpoints at which some of the kills are, see [Options.Aims]
	Aims        int           // how many these are
	Surely      string        // a rare failpoint at which somebody dies whatever is due
	Deaths      int           // how often
	Late        bool          // also put to sleep who is about to write to the service, see doc.go
	Patience    time.Duration // how long people, and the end, wait for anything; 0: 5 min
	Redis       topology.Kind // on how many machines Redis is; "" is one
	Server      string        // the program of Redis; "" is the redis-server on PATH
	Wait        bool          // every write of the app waits for a replica (wait_replicas=1)
	Copies      int           // of each main server; 0: one, or two with Wait, so that writes go on before a dead server is back
	Keep        bool          // the folder with the logs stays; it does when something is wrong
	Log         func(format string, args ...any)
}

// world is both outsides, Redis, and the replicas between them.
type world struct {
	*sandbox.Sandbox
	o         Options
	dir       string
	redis     *redisServer
	replicas  *replicas
	balancer  *balancer
	conductor *conductor
	site      *upstream.Client // the service's own page
	ledger    *ledger
	rand      *rand.Rand // of the faults
	progress  atomic.Int64
	placing   sync.RWMutex // read: somebody is placing an order; see Options.Gentle
	faults    faultCount

	unkindness *unkindness

	snapshot struct {
		sync.Mutex
		orders []photos.Order
		at     time.Time
	}
}

// open starts a world.
func open(ctx context.Context, o Options) (*world, error) {
	w := &world{o: o, ledger: &ledger{}, rand: rand.New(rand.NewPCG(o.Seed, 2)), unkindness: newUnkindness(o.Seed)}
	if w.o.Log == nil {
		w.o.Log = func(string, ...any) {}
	}
	var err error
	if w.dir, err = tempDir(); err != nil {
		return nil, err
	}
	if w.Sandbox, err = sandbox.Start(w.outsides()); err != nil {
		return nil, err
	}
	if w.redis, err = startRedis(ctx, w.dir, o); err != nil {
		return nil, err
	}
	if w.conductor, err = newConductor(o.Seed); err != nil {
		return nil, err
	}
	w.conductor.aim, w.conductor.aims = o.Aim, o.Aims
	w.conductor.surely, w.conductor.deaths = o.Surely, o.Deaths
	w.conductor.gap, w.conductor.ahead, w.conductor.late = 400*time.Millisecond, o.Kills/3, o.Late
	if o.Gentle {
		w.conductor.spare, w.conductor.tender = unsettling, time.Second
	}
	if w.site, err = upstream.New(upstream.Config{URL: w.Photos.URL(), Key: "sandbox-key", Secret: "sandbox-secret", Retries: -1}); err != nil {
		return nil, err
	}
	return w, w.startApp(ctx)
}

// unsettling are the failpoints after which only the settlement of an order of unknown outcome
// could tell whether it was placed, two and a half minutes later.
func unsettling(failpoint string) bool {
	switch failpoint {
	case "place/before store.SaveDraft", "place/after store.SaveDraft", "place/before Delivery.SetState", "place/after Delivery.SetState", "place/before POST create":
		return true
	}
	return false
}

// opsChannel hears of outages, and that the service does not know our orders.
const opsChannel = "C0OPERATIONS"

// nameLimit is how many characters of a project name the service keeps.
const nameLimit = 80

func (w *world) outsides() sandbox.Options {
	o := sandbox.Options{Credits: "100000", Delivery: sandbox.OverBoth}
	o.Photos.Manual, o.Photos.Seed, o.Photos.Crowd, o.Photos.Names.Limit = true, w.o.Seed, w.o.Crowd, nameLimit
	for i := range w.o.Orders {
		name := fmt.Sprintf("p%04d", i)
		o.Workspace.Users = append(o.Workspace.Users, workspace.User{ID: userID(i), Name: name, RealName: fmt.Sprintf("Person %04d", i)})
	}
	o.Workspace.Channels = append(o.Workspace.Channels, workspace.Channel{ID: opsChannel, Name: "operations", Members: []string{"darkroom", userID(0)}})
	for c := range w.o.Channels {
		members := []string{"darkroom"}
		for i := c; i < w.o.Orders; i += w.o.Channels {
			members = append(members, userID(i))
		}
		if w.limited(c) {
			members = append(members, approverID(c))
			o.Workspace.Users = append(o.Workspace.Users, workspace.User{ID: approverID(c), Name: fmt.Sprintf("a%04d", c), RealName: fmt.Sprintf("Approver %04d", c)})
		}
		o.Workspace.Channels = append(o.Workspace.Channels, workspace.Channel{ID: channelID(c), Name: fmt.Sprintf("chaos-%03d", c), Members: members})
	}
	return o
}

// signingKey signs the addresses of the app's own pages and files.
const signingKey = "a-key-of-chaos-with-many-characters"

func (w *world) startApp(ctx context.Context) error {
	var err error
	if w.balancer, err = startBalancer(nil); err != nil {
		return err
	}
	environ := append(w.Environ(), "REDIS_URL="+w.redis.url, "UPSTREAM_RATE=500", "LOG_LEVEL=info", "OPS_CHANNEL="+opsChannel,
		"PUBLIC_URL="+w.balancer.url, "FILE_SIGNING_KEY="+signingKey)
	if w.replicas, err = startReplicas(ctx, w.o.Replicas, w.dir, w.o.Binary, w.conductor.url, environ); err != nil {
		return err
	}
	w.balancer.all = w.replicas.all
	w.Workspace.SetAppURL(w.balancer.url)
	if !poll(ctx, 20*time.Second, 20*time.Millisecond, func() bool { return w.Workspace.Sockets() >= w.o.Replicas }) {
		return fmt.Errorf("the app does not dial out; its logs are in %s", w.dir)
	}
	return nil
}

// close ends everything.
func (w *world) close() {
	if w.replicas != nil {
		w.replicas.close()
	}
	if w.balancer != nil {
		w.balancer.close()
	}
	if w.conductor != nil {
		w.conductor.close()
	}
	if w.redis != nil {
		w.redis.close()
	}
	if w.Sandbox != nil {
		w.Close()
	}
	if !w.o.Keep {
		_ = os.RemoveAll(w.dir)
	}
}

// service is what the service holds, at most a moment ago: many people ask.
func (w *world) service() []photos.Order {
	w.snapshot.Lock()
	defer w.snapshot.Unlock()
	if time.Since(w.snapshot.at) > look {
		w.snapshot.orders, w.snapshot.at = w.Photos.Orders(), time.Now()
	}
	return w.snapshot.orders
}
