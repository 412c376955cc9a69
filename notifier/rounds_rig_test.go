package notifier_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/notifier"
	"darkroom/store"
	"darkroom/store/queue"
)

// fleet is many workspaces, and how each was polled, by whichever replica.
type fleet struct {
	shards int

	mu      sync.Mutex
	members map[string]*member
	now     int // polls under way
	most    int // at once
	made    int // tickers
	asked   int // workspaces of which it was asked whether they are busy
	broken  error
	away    map[int]bool // shards of which nobody answers whether their workspaces are busy
}

// member is one workspace.
type member struct {
	f      *fleet
	name   string
	takes  func(ctx context.Context) error // what a poll does
	idle   bool
	absent bool // it was uninstalled
	now    int  // polls under way
	twice  bool // there was more than one at once
	starts []time.Time
	late   []time.Duration
	slow   int // polls that were those of a slow one
}

// answers is a service that answers after so long.
func answers(after time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		select {
		case <-time.After(after):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hangs is a service that answers nothing.
func hangs(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// refusesToConnect is one that is down, which shows at once.
func refusesToConnect(context.Context) error { return fmt.Errorf("connect: %w", notifier.ErrNoAnswer) }

// newFleet is n workspaces whose services answer after so long.
func newFleet(n int, after time.Duration) *fleet {
	f := &fleet{shards: 16, members: map[string]*member{}}
	for i := range n {
		name := fmt.Sprintf("T%05d", i)
		f.members[name] = &member{f: f, name: name, takes: answers(after)}
	}
	return f
}

func (f *fleet) member(i int) *member { return f.members[fmt.Sprintf("T%05d", i)] }

// of lists a shard.
func (f *fleet) of(_ context.Context, shard int) (names []string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := shard; i < len(f.members); i += f.shards {
		if m := f.member(i); !m.absent {
			names = append(names, m.name)
		}
	}
	return names, f.broken
}

func (f *fleet) busy(ctx context.Context, names []string) ([]bool, error) {
	if f.isAway(names) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked += len(names)
	busy := make([]bool, len(names))
	for i, name := range names {
		busy[i] = !f.members[name].idle
	}
	return busy, f.broken
}

// isAway tells whether any of these is in a shard of which nobody answers.
func (f *fleet) isAway(names []string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(names, func(name string) bool {
		var i int
		_, err := fmt.Sscanf(name, "T%d", &i)
		return err == nil && f.away[i%f.shards]
	})
}

func (f *fleet) poller(_ context.Context, name string) (notifier.Ticker, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.made++
	return f.members[name], nil
}

// Tick implements [notifier.Ticker].
func (m *member) Tick(ctx context.Context) error {
	m.f.mu.Lock()
	m.starts = append(m.starts, time.Now())
	m.now++
	m.f.now++
	m.f.most = max(m.f.most, m.f.now)
	m.twice = m.twice || m.now > 1
	takes := m.takes
	m.f.mu.Unlock()
	defer func() {
		m.f.mu.Lock()
		defer m.f.mu.Unlock()
		m.now--
		m.f.now--
	}()
	return takes(ctx)
}

// mostIn is how many polls are under way at once in the time to come, at most.
func (f *fleet) mostIn(d time.Duration) int {
	f.mu.Lock()
	f.most = f.now
	f.mu.Unlock()
	<-time.After(d)
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.most
}

// set changes a workspace.
func (f *fleet) set(i int, change func(m *member)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f.member(i))
}

// polled is when a workspace was polled since it was last asked.
func (f *fleet) polled(i int) (starts []time.Time) {
	f.set(i, func(m *member) { starts, m.starts = m.starts, nil })
	return starts
}

func (f *fleet) observe(v notifier.Visit) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := f.members[v.Workspace]
	m.late = append(m.late, v.Late)
	if v.Slow {
		m.slow++
	}
}

// latest is how late a poll of these began at most; they are forgotten.
func (f *fleet) latest(from, to int) (latest time.Duration) {
	for i := from; i < to; i++ {
		f.set(i, func(m *member) {
			latest, m.late = max(latest, slices.Max(append(m.late, 0))), nil
		})
	}
	return latest
}

// requireOnce fails when a workspace was polled twice at a time.
func (f *fleet) requireOnce(t *testing.T) {
	t.Helper()
	for _, m := range f.members {
		require.False(t, m.twice, "%s was polled twice at a time", m.name)
		require.Zero(t, m.now, "%s: a poll has not ended", m.name)
	}
}

// traveller is one replica's rounds.
type traveller struct {
	*notifier.Rounds
	cut    *cutOff
	cancel context.CancelFunc
	done   chan error
}

// cutOff is whether a replica reaches Redis, and how long its locks take to.
type cutOff struct {
	mu    sync.Mutex
	off   bool
	delay time.Duration
}

func (c *cutOff) set(off bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off = off
}

// slow lets whoever asks for a lock from now on wait first.
func (c *cutOff) slow(delay time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.delay = delay
}

func (c *cutOff) wait() {
	c.mu.Lock()
	delay := c.delay
	c.mu.Unlock()
	if delay > 0 {
		<-time.After(delay)
	}
}

func (c *cutOff) err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.off {
		return errors.New("cut off")
	}
	return nil
}

// cutLock and cutPresence are those of a replica that may be cut off.
type cutLock struct {
	*cutOff
	notifier.Lock
}

func (l cutLock) Hold(ctx context.Context) (bool, error) {
	l.wait()
	if err := l.err(); err != nil {
		return false, err
	}
	return l.Lock.Hold(ctx)
}

func (l cutLock) Release(ctx context.Context) error {
	if err := l.err(); err != nil {
		return err
	}
	return l.Lock.Release(ctx)
}

type cutPresence struct {
	*cutOff
	notifier.Presence
}

func (p cutPresence) Here(ctx context.Context) (place, of int, err error) {
	if err := p.err(); err != nil {
		return 0, 0, err
	}
	return p.Presence.Here(ctx)
}

func (p cutPresence) Leave(ctx context.Context) error {
	if err := p.err(); err != nil {
		return err
	}
	return p.Presence.Leave(ctx)
}

// roundsOf is the configuration of a replica that is alone, without Redis.
func roundsOf(f *fleet, schedule string) notifier.RoundsConfig {
	locks := make([]oneKeyLock, f.shards)
	return notifier.RoundsConfig{
		Shards: f.shards, Lock: func(shard int) notifier.Lock { return key{&locks[shard], "a"} }, Workspaces: f.of, Busy: f.busy, Poller: f.poller,
		Schedule: schedule, Observe: f.observe, Log: slog.New(slog.DiscardHandler),
	}
}

// overRedis makes it one of several.
func overRedis(c notifier.RoundsConfig, rdb redis.UniversalClient) (notifier.RoundsConfig, *cutOff) {
	s, cut := store.New(rdb, queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})), &cutOff{}
	c.Lock = func(shard int) notifier.Lock {
		return cutLock{cut, s.Lock(fmt.Sprint("rounds:", shard), notifier.Lease)}
	}
	c.Presence = cutPresence{cut, s.Presence(notifier.Lease)}
	return c, cut
}

// setOff begins rounds.
func setOff(t *testing.T, c notifier.RoundsConfig) *traveller {
	t.Helper()
	r, err := notifier.NewRounds(c)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	v := &traveller{Rounds: r, cancel: cancel, done: make(chan error, 1)}
	go func() { v.done <- r.Run(ctx) }()
	return v
}

func setOffOver(t *testing.T, f *fleet, schedule string, rdb redis.UniversalClient) *traveller {
	t.Helper()
	c, cut := overRedis(roundsOf(f, schedule), rdb)
	v := setOff(t, c)
	v.cut = cut
	return v
}

func (v *traveller) stop(t *testing.T) {
	t.Helper()
	v.cancel()
	require.NoError(t, <-v.done)
}

// unheeding is a service whose client does not heed that it is told to stop.
func unheeding(context.Context) error {
	<-time.After(7 * time.Second) // longer than a lease
	return nil
}
