package chaos

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// conductor hears of every failpoint that any replica takes (see sandbox/failpoint) and
// chooses who dies where: at the named failpoints with the fewest kills first.
type conductor struct {
	url    string
	server *http.Server

	mu     sync.Mutex
	rand   *rand.Rand
	want   func() int                  // how many should have been killed by now
	spare  func(failpoint string) bool // failpoints at which nobody is killed; nil: none
	ahead  int                         // how many more may die at failpoints at which nobody has died yet: some are rare
	gap    time.Duration               // between two kills, at least
	tender time.Duration               // after a failpoint that is spared, its replica is left alone for so long
	nap    func(replica string)        // puts the next one to sleep who comes to a failpoint like dozy; nil: nobody sleeps
	dozy   string
	aim    string // the beginning of the failpoints at which somebody dies whatever is due, once at each
	aims   int    // how many more do so
	surely string // a failpoint at which somebody dies each time, as long as deaths are left
	deaths int
	late   bool // also who has others at work that are about to write to the service
	// writing is when a replica was last about to write to the service.
	writing map[string]time.Time
	passes  map[string]int
	kills   map[string]int
	dead    int // killed, at failpoints and elsewhere
	since   time.Time
	last    time.Time
	spared  map[string]time.Time // by replica
	latest  map[string]passing   // by failpoint
	did     map[deedOf]int       // by version, see [Upgrade]
}

// passing is a failpoint that a replica took.
type passing struct {
	replica string
	at      time.Time
}

func newConductor(seed uint64) (*conductor, error) {
	c := &conductor{
		rand: rand.New(rand.NewPCG(seed, 1)), want: func() int { return 0 },
		passes: map[string]int{}, kills: map[string]int{}, spared: map[string]time.Time{},
		latest: map[string]passing{}, writing: map[string]time.Time{}, did: map[deedOf]int{},
	}
	var lc net.ListenConfig
	listener, err := lc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c.url = "http://" + listener.Addr().String() + "/"
	c.server = &http.Server{Handler: c, ReadHeaderTimeout: 10 * time.Second}
	go c.server.Serve(listener) //nolint:errcheck // it ends with close
	return c, nil
}

func (c *conductor) close() { _ = c.server.Close() }

// ServeHTTP answers one failpoint with life or death.
func (c *conductor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	failpoint, err := io.ReadAll(io.LimitReader(r.Body, 1<<10))
	answer := "go on"
	replica, binary, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if err == nil && c.hear(replica, binary, string(failpoint)) {
		answer = "die"
	}
	_, _ = io.WriteString(w, answer)
}

// hear tells whether the replica dies at this failpoint.
func (c *conductor) hear(replica, binary, failpoint string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.passes[failpoint]++
	c.note(binary, failpoint)
	c.latest[failpoint] = passing{replica, now}
	if strings.Contains(failpoint, "/before POST ") || strings.Contains(failpoint, "/before DELETE ") || strings.HasSuffix(failpoint, "/after Delivery.SetState") {
		c.writing[replica] = now
	}
	if c.nap != nil && strings.HasSuffix(failpoint, c.dozy) && (c.late || now.Sub(c.writing[replica]) > awake) &&
		(c.spare == nil || !strings.HasPrefix(failpoint, "place/") && now.Sub(c.spared[replica]) >= c.tender) {
		c.nap(replica)
		c.nap = nil
	}
	if c.spare != nil && c.spare(failpoint) {
		c.spared[replica] = now
		return false
	}
	if !c.aimed(replica, failpoint, now) && (!c.due(replica, now, c.fresh(failpoint)) || !c.chosen(failpoint, now)) {
		return false
	}
	c.kills[failpoint]++
	c.struck(now)
	return true
}

// awake is how long nobody is put to sleep after being about to write to the service. The
// service has no fences: a process that sleeps past its lease between its last look at the
// claim and its request sends when it wakes, whatever others have done since. See doc.go.
const awake = 300 * time.Millisecond

// dozy are the writes of a worker that count only while its claim is its own.
var dozy = []string{"/before Delivery.SetState", "/before queue.settle"}

// sleep has the next worker fall asleep that is about to write so.
func (c *conductor) sleep(before string, nap func(replica string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dozy, c.nap = before, nap
}

// fresh is how many more may die at a failpoint.
func (c *conductor) fresh(failpoint string) int {
	if c.kills[failpoint] == 0 {
		return c.ahead
	}
	return 0
}

// aimed tells whether somebody dies here because it is aimed at: each time another of these failpoints. An order
// of fifty images takes the service longer than others, so who may be about it is left alone for longer.
func (c *conductor) aimed(replica, failpoint string, now time.Time) bool {
	if c.deaths > 0 && failpoint == c.surely && now.Sub(c.spared[replica]) >= c.tender {
		c.deaths--
		return true
	}
	if c.aims == 0 || !strings.HasPrefix(failpoint, c.aim) || c.kills[failpoint] > 0 || now.Sub(c.last) < c.gap || now.Sub(c.spared[replica]) < 3*c.tender || c.rand.IntN(4) > 0 {
		return false
	}
	c.aims--
	return true
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

// due tells whether somebody should die, and this replica may.
func (c *conductor) due(replica string, now time.Time, more int) bool {
	if c.dead >= c.want()+more || now.Sub(c.last) < c.gap || now.Sub(c.spared[replica]) < c.tender {
		return false
	}
	if c.since.IsZero() {
		c.since = now
	}
	return true
}

// impatience is how long a failpoint is waited for at which fewer have died.
const impatience = 1500 * time.Millisecond

// chosen prefers the failpoints with the fewest kills.
func (c *conductor) chosen(failpoint string, now time.Time) bool {
	least := c.kills[failpoint]
	for other := range c.passes {
		if c.spare == nil || !c.spare(other) {
			least = min(least, c.kills[other])
		}
	}
	more := c.kills[failpoint] - least
	return more == 0 || now.Sub(c.since) > impatience && c.rand.IntN(1+more*more) == 0
}

func (c *conductor) struck(now time.Time) {
	c.dead++
	c.last, c.since = now, time.Time{}
}

// strike counts somebody who is killed from outside, whatever was wanted.
func (c *conductor) strike() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.struck(time.Now())
}

// random tells whether a replica may be killed from outside, at whatever it is doing.
func (c *conductor) random(replica string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if !c.due(replica, now, 0) {
		return false
	}
	c.struck(now)
	return true
}

// conduct changes how many should have died.
func (c *conductor) conduct(want func() int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.want = want
}

func (c *conductor) killed() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dead
}

// lastAt is who took a failpoint last, how often anybody did, and when.
func (c *conductor) lastAt(failpoint string) (replica string, passes int, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.latest[failpoint]
	return last.replica, c.passes[failpoint], last.at
}
