// Package embedded is a Redis in this process whose keys expire as time passes, as a real one's do: the demo's, and that of
// tests. miniredis itself keeps every key: nobody could take over a lock or a claim that was lost.
package embedded

import (
	"fmt"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
)

// commandClock gives an embedded Redis the time once a command, as a real one has it: no time passes while a script runs.
// By itself the embedded one looks at all its keys, in order, whenever a script uses one, to find those that have expired.
type commandClock struct {
	redis   *miniredis.Miniredis
	step    time.Duration
	clients sync.Map // each *server.Peer that is one; a script's commands come as those of a peer, too

	mu  sync.Mutex
	now time.Time
}

// Step is how often its clock need move for a person and for most tests: at each move it looks at all its keys.
const Step = 10 * time.Millisecond

// Start starts one that is empty, at a port of its own, whose clock moves by steps; Close ends it. Its SetError would stop
// its clock.
func Start(step time.Duration) (*miniredis.Miniredis, error) {
	m, err := miniredis.Run()
	if err != nil {
		return nil, fmt.Errorf("embedded redis: %w", err)
	}
	c := &commandClock{redis: m, step: step}
	c.tick()
	m.ClockTTL(true)
	m.Server().SetPreHook(func(p *server.Peer, _ string, _ ...string) bool {
		if c.isClient(p) {
			c.tick() // not for a script: the server is locked while it runs
		}
		return false // the command itself is still to be done
	})
	return m, nil
}

// isClient says whether a peer is a client: only a client has no context yet at its first command.
func (c *commandClock) isClient(p *server.Peer) bool {
	if p.Ctx == nil {
		if _, known := c.clients.LoadOrStore(p, true); !known {
			p.OnDisconnect(func() { c.clients.Delete(p) })
		}
		return true
	}
	_, is := c.clients.Load(p)
	return is
}

// tick sets the time, to the step, in which keys expire. It never goes back.
func (c *commandClock) tick() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now().Truncate(c.step); now.After(c.now) {
		c.now = now
		c.redis.SetTime(now)
	}
}
