package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"darkroom/sandbox/crowd"
	"darkroom/store/seal"
)

// pairOfWorkspaces is a workspace that is drawn and the one behind it: what happens to an order of one happens at the same time to
// that of the other, whose id is the same. The last order of each is for who decides.
func (m *manyRun) pairOfWorkspaces(r *rand.Rand) (pair [2]int, order int) {
	n := r.IntN(m.o.Workspaces)
	return [2]int{n, (n + 1) % m.o.Workspaces}, r.IntN(m.o.Orders - 1)
}

// change has the services change orders until ctx ends.
func (m *manyRun) change(ctx context.Context) {
	r := rand.New(rand.NewPCG(m.o.Seed, 4))
	tick := time.NewTicker(time.Second / time.Duration(m.o.Changes))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			pair, order := m.pairOfWorkspaces(r)
			for _, n := range pair {
				m.crowd.Change(n, order) // not while the change before it is not told
			}
		}
	}
}

// write is one person of each workspace at a time, who writes the same to editors of equal orders in two of them. No two
// write about the same order.
func (m *manyRun) write(ctx context.Context, n int) {
	r := rand.New(rand.NewPCG(m.o.Seed, uint64(n)+100))
	for said := 0; ctx.Err() == nil; said++ {
		pair, order := m.pairOfWorkspaces(r)
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

// reconnect has admins connect their workspaces anew until ctx ends, as the one does who changes a secret at the service. What
// Redis does not take while it fails over they try again.
func (m *manyRun) reconnect(ctx context.Context) {
	r := rand.New(rand.NewPCG(m.o.Seed, 5))
	for ctx.Err() == nil {
		pause(ctx, m.o.Reconnects)
		n := r.IntN(m.o.Workspaces)
		if poll(ctx, time.Hour, 100*time.Millisecond, func() bool {
			keys, err := seal.NewKeys(m.sealing.Load().(string))
			return err == nil && m.crowd.Reconnect(ctx, m.redis.rdb, keys, n) == nil
		}) {
			m.anew.Add(1)
		}
	}
}

// decide has people of two workspaces at a time go through the same with the last order of each: it is delivered, they ask for
// changes in the same words, it is delivered again, they approve.
func (m *manyRun) decide(ctx context.Context) {
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
func (m *manyRun) decideIn(ctx context.Context, one int, what crowd.Decision) bool {
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
