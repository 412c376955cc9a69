package chaos

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"darkroom/sandbox/crowd"
	"darkroom/store/keyspace"
)

// reseal has the binary seal anew what the old key sealed, until there is nothing left.
func (m *manyRun) reseal(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, m.o.Binary, "reseal")
	cmd.Env = append(m.environ(), "ENCRYPTION_KEY="+latterKey+","+formerKey)
	said, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("reseal: %w: %s", err, said)
	}
	m.o.Log("chaos: %s", bytes.TrimSpace(said))
	return nil
}

// shardKey is in the slot of a shard.
func (m *manyRun) shardKey(n int) string { return keyspace.Shard(n).Key("q", "stream") }

// settle waits until everything has been told and has arrived, and nothing is left in any queue, at most for so long.
func (m *manyRun) settle(ctx context.Context) (leftovers, error) {
	ctx, cancel := context.WithTimeout(ctx, m.o.Patience)
	defer cancel()
	_ = m.crowd.Settle(ctx) // the check names what is missing
	poll(ctx, m.o.Patience, 50*time.Millisecond, func() bool { return m.crowd.Undelivered()+m.crowd.Unshown() == 0 })
	return untilQuiet(ctx, m.o.Patience, func() (leftovers, error) { return m.left(context.WithoutCancel(ctx)) })
}

// left asks all shards what there is still to do.
func (m *manyRun) left(ctx context.Context) (l leftovers, err error) {
	for n := range keyspace.Shards {
		if err := m.redis.queued(ctx, keyspace.Shard(n), theirs, m.o.Looks, &l); err != nil {
			return l, err
		}
	}
	for n := range m.crowd.Len() {
		lag, err := m.redis.rdb.SMembers(ctx, keyspace.OfWorkspace(m.crowd.Workspace(n)).Key("lagging")).Result()
		if err != nil {
			return l, err
		}
		for _, order := range lag {
			l.lag = append(l.lag, m.crowd.Workspace(n)+" "+order)
		}
	}
	return l, nil
}

// theirs are the jobs of many workspaces: each id begins with its workspace's.
func theirs(id string) (keyspace.Keyspace, string) {
	workspace, job, _ := strings.Cut(id, "/")
	return keyspace.OfWorkspace(workspace), job
}

// report holds everything against each other.
func (m *manyRun) report(left leftovers, failed error, took time.Duration) Report {
	var out strings.Builder
	r := Report{Kills: m.o.Kills, Redis: m.o.Failovers}
	wrong := append(left.wrong(), m.replicas.panics()...)
	for _, err := range []error{m.crowd.Check(), failed} {
		if err != nil {
			wrong = append(wrong, strings.Split(err.Error(), "\n")...)
		}
	}
	said := m.crowd.Conversations()
	_, _ = fmt.Fprintf(&out, "%s · %s\n", m.o.describe(), took.Round(time.Second))
	_, _ = fmt.Fprintf(&out, "changes told %d, longest %s · said to editors %d, taken %d, arrived %d (of which not known to be taken %d), shown %d, sent again %d, commands overtaken %d · tokens renewed %d, connected anew %d times\n",
		len(m.told), longest(m.told, func(crowd.Latency) bool { return true }).Round(time.Millisecond), said.Said, said.Taken, said.Arrived, said.Untaken, said.Shown, said.Repeated, said.Overtaken, m.crowd.Renewals(), m.anew.Load())
	sent, taken, done := m.crowd.Decided()
	for _, what := range []crowd.Decision{crowd.Revise, crowd.Approve} {
		_, _ = fmt.Fprintf(&out, "%s: sent %d, taken %d, done %d\n", what, sent[what], taken[what], done[what])
	}
	_, _ = fmt.Fprintf(&out, "replicas that did not stop cleanly: %d · jobs left %d, dead letters %d, channels that lag %d\n", m.unclean(), len(left.jobs), len(left.dead), len(left.lag))
	out.WriteString(m.table(said))
	for _, line := range wrong {
		out.WriteString("wrong: " + line + "\n")
	}
	r.Wrong, r.Clean, r.Text = wrong, len(wrong) == 0, out.String()
	return r
}

// table is what was seen of each fault: by what waited while it lasted.
func (m *manyRun) table(said crowd.Conversations) string {
	var out strings.Builder
	for _, f := range m.faults {
		during := func(from, to time.Time) bool { return from.Before(f.at.Add(f.took)) && to.After(f.at) }
		changed := longest(m.told, func(t crowd.Latency) bool { return during(t.Changed, t.Told) })
		var arrived time.Duration
		for _, w := range said.Waits {
			if during(w.Said, w.Arrived) {
				arrived = max(arrived, w.Arrived.Sub(w.Said))
			}
		}
		_, _ = fmt.Fprintf(&out, "%s: %s, mended after %s: a change waited at most %s for its message, words that were taken %s for their editor; not taken until the next: %s\n",
			f.at.Format(clock), f.what, f.took.Round(10*time.Millisecond), changed.Round(time.Millisecond), arrived.Round(time.Millisecond), sentence(f.refused))
	}
	return out.String()
}

func longest(told []crowd.Latency, those func(crowd.Latency) bool) (d time.Duration) {
	for _, t := range told {
		if those(t) {
			d = max(d, t.Told.Sub(t.Changed))
		}
	}
	return d
}
