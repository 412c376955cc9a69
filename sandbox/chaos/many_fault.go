package chaos

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// fault is one thing that was done to the app or its Redis.
type fault struct {
	what    string
	at      time.Time
	took    time.Duration // until it was mended
	refused map[string]int64
}

// The faults.
const (
	faultKill     = "a replica was killed"
	faultFailover = "a master of Redis was killed"
	faultRestart  = "all replicas were restarted, one after the other"
)

// injectFaults does all of it, in an order that is drawn.
func (m *manyRun) injectFaults(ctx context.Context) (failed error) {
	var due []string
	for what, times := range map[string]int{faultKill: m.o.Kills, faultFailover: m.o.Failovers, faultRestart: m.o.Restarts} {
		due = append(due, slices.Repeat([]string{what}, times)...)
	}
	slices.Sort(due) // a map has no order
	m.rand.Shuffle(len(due), func(i, j int) { due[i], due[j] = due[j], due[i] })
	kills, restarts := 0, 0
	for n, what := range due {
		m.o.Log("chaos: %s (%d of %d); untold %d, undelivered %d", what, n+1, len(due), m.crowd.Untold(), m.crowd.Undelivered())
		f, before := fault{what: what, at: time.Now()}, m.crowd.Refusals()
		var err error
		switch what {
		case faultKill:
			err = m.kill(ctx, kills)
			kills++
		case faultFailover:
			err = m.failover(ctx)
		case faultRestart:
			err = m.restart(ctx, restarts)
			restarts++
		}
		f.took = time.Since(f.at)
		pause(ctx, m.o.Between)
		f.refused = m.crowd.Refusals()
		for says, times := range before {
			if f.refused[says] -= times; f.refused[says] == 0 {
				delete(f.refused, says)
			}
		}
		m.faults = append(m.faults, f)
		failed = errors.Join(failed, err)
	}
	return failed
}

// moments are when a replica is killed of which something is out that it has not noted yet.
var moments = []string{
	"announce/after chat.postMessage", "message/after POST message", "relay/after POST message", "revise/after POST revise", "approve/after POST approve",
}

// kill is kill -9 for a replica, which is started again: for one that is drawn, or for the first that comes to one of the moments.
func (m *manyRun) kill(ctx context.Context, nth int) error {
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

// back waits until a replica was started again and serves.
func (m *manyRun) back(ctx context.Context, one *replica, starts int32) error {
	if !poll(ctx, time.Minute, 20*time.Millisecond, func() bool { return one.starts.Load() > starts && one.serves(ctx) }) {
		return fmt.Errorf("replica %s did not come back; its log is in %s", one.name, m.dir)
	}
	return nil
}

// failover is kill -9 for the master of a shard that is drawn; it comes back as a copy of its heir.
func (m *manyRun) failover(ctx context.Context) error {
	return m.redis.bounceAt(ctx, m.shardKey(m.rand.IntN(16)), time.Duration(m.rand.Int64N(int64(time.Second))))
}

// sideBySide is how long replicas that seal with the new key work beside such as do not, at least, in the second restart: what one has
// read of a workspace it believes for some seconds, and only then does it meet what the others have sealed.
var sideBySide = map[int]time.Duration{1: 5500 * time.Millisecond}

// restart is a rolling restart. The first one brings a new key behind the old one, the second puts it in front, and what the old one
// sealed is sealed anew then; the third leaves the old one out.
func (m *manyRun) restart(ctx context.Context, nth int) error {
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
	switch nth {
	case 0:
		m.sealing.Store(latterKey)
	case 1:
		return m.reseal(ctx)
	}
	return nil
}

// unclean counts replicas that did not stop cleanly.
func (m *manyRun) unclean() (n int32) {
	for _, one := range m.replicas.all {
		n += one.unclean.Load()
	}
	return n
}
