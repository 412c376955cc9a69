package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jellydator/ttlcache/v3"

	"darkroom/notifier/poll"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/retention"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

const (
	pollWorkers     = 32               // polls at once of each shard; most of their time they wait for a service
	pollIdle        = time.Second / 2  // of the queues of polls, see queue.Options: each shard has one
	keptPollers     = 16_384           // between polls, of workspaces with active orders: some 7 kB each
	pollsOfAccount  = 8                // at once, of workspaces that share an account
	accountBusy     = 10 * time.Second // on average, after which a poll is tried again that found so many
	unconnectedLook = 10 * time.Minute // of a workspace without an account; connecting one wakes its poll
	pollerLife      = 10 * time.Minute // after which a kept poller is made anew: what it is made of may have changed
)

// pollQueue makes the queue of the polls beside the queue with these options. A poll never dies, however often it fails: nobody
// would hear of the workspace's orders any more.
func pollQueue(a *app, o queue.Options) *queue.Queue {
	o.MaxAttempts = math.MaxInt
	return queue.New(a.rdb, o.Beside(tenants.PollQueue))
}

// polls works on the polls of many workspaces.
type polls struct {
	m    *many
	kept *ttlcache.Cache[string, keptPoller]

	mu      sync.Mutex
	running map[string]int // polls under way, by account
	drops   int            // of pollers: one that was made meanwhile is not kept
}

// keptPoller is a workspace's poller and the account that it polls.
type keptPoller struct {
	*poll.Poller
	account string
}

func newPolls(m *many) *polls {
	return &polls{m: m, running: map[string]int{}, kept: ttlcache.New(ttlcache.WithCapacity[string, keptPoller](keptPollers),
		ttlcache.WithTTL[string, keptPoller](pollerLife), ttlcache.WithDisableTouchOnHit[string, keptPoller]())}
}

// work is one delivery of a workspace's poll.
func (p *polls) work(ctx context.Context, d *queue.Delivery) error {
	poller, err := p.of(ctx, d.Tenant)
	switch {
	case errors.Is(err, tenants.ErrNotInstalled), errors.Is(err, tenants.ErrNotConnected):
		return p.unconnected(ctx, d)
	case err != nil:
		return p.m.app.lookedUpLater(ctx, d, err)
	}
	if !p.begin(poller.account) {
		return queue.Wait(accountBusy/2 + rand.N(accountBusy))
	}
	defer p.end(poller.account)
	err = poller.Work(ctx, d)
	if !poller.Busy() {
		p.drop(d.Tenant) // the next poll may be a day away
	}
	return err
}

// begin reports whether one more poll of an account may begin here. Polls of an account that too many workspaces share wait for its
// rate, and must not hold all workers meanwhile.
func (p *polls) begin(account string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running[account] >= pollsOfAccount {
		return false
	}
	p.running[account]++
	return true
}

func (p *polls) end(account string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running[account]--; p.running[account] == 0 {
		delete(p.running, account)
	}
}

// of returns the poller of a workspace. The error is [tenants.ErrNotInstalled] or [tenants.ErrNotConnected] when there is nothing to poll.
func (p *polls) of(ctx context.Context, id string) (k keptPoller, err error) {
	if kept := p.kept.Get(id); kept != nil {
		return kept.Value(), nil
	}
	p.kept.DeleteExpired()
	p.mu.Lock()
	drops := p.drops
	p.mu.Unlock()
	installed, err := p.m.directory.Installations.Installed(ctx, id)
	if err != nil {
		return k, err
	}
	account, err := p.m.directory.Accounts.Account(ctx, id)
	if err != nil {
		return k, err
	}
	k.account = account.ID()
	if k.Poller, err = poll.New(p.m.tenant(id, installed).polling()); err == nil {
		p.keep(id, k, drops)
	}
	return k, err
}

// unconnected shrinks and deletes finished orders of a workspace that nobody polls, and waits until it is woken: when it has an
// account again. When its data was forgotten the poll is done with.
func (p *polls) unconnected(ctx context.Context, d *queue.Delivery) error {
	s := storeOf(p.m.app.rdb, d.Tenant)
	c, err := s.Connection.Read(ctx)
	if err != nil {
		return p.m.app.lookedUpLater(ctx, d, err)
	}
	if c.Forgotten || c.Forgot(d.PutAt) {
		return nil
	}
	next, err := retention.NewRetirement(s).ApplyRetention(ctx, p.m.app.retention())
	if err != nil {
		return p.m.app.lookedUpLater(ctx, d, err)
	}
	return queue.Idle(min(max(next, time.Minute), unconnectedLook))
}

// keep keeps a poller, unless one was dropped since it was begun: what it was made of may be gone.
func (p *polls) keep(id string, k keptPoller, drops int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drops == drops {
		p.kept.Set(id, k, ttlcache.DefaultTTL)
	}
}

// drop has the next poll of a workspace in this process make its poller anew.
func (p *polls) drop(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drops++
	p.kept.Delete(id)
}

// pollScheduleNote names the schedule by which polls wait.
const pollScheduleNote = "poll-schedule"

// runPolls has each workspace polled, and wakes polls when a person hears from a service, until ctx ends.
func (a *app) runPolls(ctx context.Context) error {
	for err := a.startPolls(ctx); err != nil && ctx.Err() == nil; err = a.startPolls(ctx) {
		a.log.InfoContext(ctx, "polls not started yet", "err", err)
		select {
		case <-ctx.Done():
		case <-time.After(startAgain):
		}
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case s := <-a.wakes:
			if err := s.Connection.WakePoll(ctx, false); err != nil && ctx.Err() == nil {
				a.log.DebugContext(ctx, "poll not woken", "err", err)
			}
		}
	}
}

const (
	startAgain = time.Second     // after polls could not be started
	wakeEvery  = 5 * time.Second // at most, because a service answers a person
)

// answered wakes the poll after a service has answered a person: it may be left alone because it did not answer before.
func (t *tenant) answered(c upstream.Call) {
	now := time.Now().UnixNano()
	if c.Outcome != upstream.OutcomeOK || now-t.woken.Load() < int64(wakeEvery) {
		return
	}
	t.woken.Store(now)
	select {
	case t.app.wakes <- t.store:
	default: // the next answer will do
		t.woken.Store(0)
	}
}

// startPolls has each workspace polled. When POLL_SCHEDULE is another than before, what waits by the
// old one is woken.
func (a *app) startPolls(ctx context.Context) error {
	if err := a.startTimed(ctx); err != nil {
		return fmt.Errorf("jobs with a time: %w", err)
	}
	if a.many == nil {
		if err := a.store.Connection.WakePoll(ctx, true); err != nil {
			return fmt.Errorf("poll: %w", err)
		}
		return nil
	}
	for shard, q := range a.many.pollQueues {
		if err := a.many.startShard(ctx, shard, q); err != nil {
			return fmt.Errorf("polls of a shard: %w", err)
		}
	}
	return nil
}

// startShard puts the polls of a shard that are missing, as after Redis came back older than it was.
func (m *many) startShard(ctx context.Context, shard int, q *queue.Queue) error {
	ids, err := m.ofShard(ctx, shard)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := q.In(id).Put(ctx, tenants.PollJob()); err != nil {
			return err
		}
	}
	s, last := store.New(m.app.rdb, m.queues[shard]), ""
	if err := s.Documents.GetIfThere(ctx, pollScheduleNote, &last); err != nil || last == m.app.cfg.PollSchedule {
		return err
	}
	if err := q.WakeAll(ctx); err != nil {
		return err
	}
	return s.Documents.PutTTL(ctx, pollScheduleNote, m.app.cfg.PollSchedule, scheduleLife)
}

// scheduleLife is how long a schedule is remembered: longer than any job waits.
const scheduleLife = 366 * 24 * time.Hour

// ofShard are the workspaces of a shard.
func (m *many) ofShard(ctx context.Context, shard int) (ids []string, err error) {
	err = m.directory.Entries.EachWorkspace(ctx, shard, func(id string) error {
		ids = append(ids, id)
		return nil
	})
	return ids, err
}

// pollQueues are those whose polls this process works on.
func (a *app) pollQueues() []*queue.Queue {
	if a.many == nil {
		return []*queue.Queue{a.polls}
	}
	return a.many.pollQueues[:]
}

// workPoll is one delivery of a poll.
func (a *app) workPoll(ctx context.Context, d *queue.Delivery) error {
	ctx = a.failpoints.During(ctx, "poll")
	if a.many == nil {
		return a.poller.Work(ctx, d)
	}
	return a.many.polls.work(ctx, d)
}
