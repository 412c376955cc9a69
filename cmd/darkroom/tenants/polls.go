package tenants

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jellydator/ttlcache/v3"

	"darkroom/cmd/darkroom/workspace"
	"darkroom/notifier/poll"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/retention"
	"darkroom/store/tenants"
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

// Polls works on the polls of many workspaces.
type Polls struct {
	directory *tenants.Directory
	makes     *maker
	lookups   *Lookups
	shared    *workspace.Shared
	kept      *ttlcache.Cache[string, keptPoller]

	mu      sync.Mutex
	running map[string]int // polls under way, by account
	drops   int            // of pollers: one that was made meanwhile is not kept
}

// keptPoller is a workspace's poller and the account that it polls.
type keptPoller struct {
	*poll.Poller
	account string
}

func newPolls(makes *maker, lookups *Lookups) *Polls {
	return &Polls{directory: makes.directory, makes: makes, lookups: lookups, shared: makes.shared, running: map[string]int{}, kept: ttlcache.New(ttlcache.WithCapacity[string, keptPoller](keptPollers),
		ttlcache.WithTTL[string, keptPoller](pollerLife), ttlcache.WithDisableTouchOnHit[string, keptPoller]())}
}

// Work is one delivery of a workspace's poll.
func (p *Polls) Work(ctx context.Context, d *queue.Delivery) error {
	poller, err := p.of(ctx, d.Tenant)
	switch {
	case errors.Is(err, tenants.ErrNotInstalled), errors.Is(err, tenants.ErrNotConnected):
		return p.unconnected(ctx, d)
	case err != nil:
		return p.lookups.Later(ctx, d, err)
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
func (p *Polls) begin(account string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running[account] >= pollsOfAccount {
		return false
	}
	p.running[account]++
	return true
}

func (p *Polls) end(account string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running[account]--; p.running[account] == 0 {
		delete(p.running, account)
	}
}

// of returns the poller of a workspace. The error is [tenants.ErrNotInstalled] or [tenants.ErrNotConnected] when there is nothing to poll.
func (p *Polls) of(ctx context.Context, id string) (k keptPoller, err error) {
	if kept := p.kept.Get(id); kept != nil {
		return kept.Value(), nil
	}
	p.kept.DeleteExpired()
	p.mu.Lock()
	drops := p.drops
	p.mu.Unlock()
	installed, err := p.directory.Installations.Installed(ctx, id)
	if err != nil {
		return k, err
	}
	account, err := p.directory.Accounts.Account(ctx, id)
	if err != nil {
		return k, err
	}
	k.account = account.ID()
	if k.Poller, err = poll.New(p.makes.tenant(id, installed).Polling()); err == nil {
		p.keep(id, k, drops)
	}
	return k, err
}

// unconnected shrinks and deletes finished orders of a workspace that nobody polls, and waits until it is woken: when it has an
// account again. When its data was forgotten the poll is done with.
func (p *Polls) unconnected(ctx context.Context, d *queue.Delivery) error {
	s := StoreOf(p.shared.Redis, d.Tenant)
	c, err := s.Connection.Read(ctx)
	if err != nil {
		return p.lookups.Later(ctx, d, err)
	}
	if c.Forgotten || c.Forgot(d.PutAt) {
		return nil
	}
	next, err := retention.NewRetirement(s).ApplyRetention(ctx, p.shared.Retention())
	if err != nil {
		return p.lookups.Later(ctx, d, err)
	}
	return queue.Idle(min(max(next, time.Minute), unconnectedLook))
}

// keep keeps a poller, unless one was dropped since it was begun: what it was made of may be gone.
func (p *Polls) keep(id string, k keptPoller, drops int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drops == drops {
		p.kept.Set(id, k, ttlcache.DefaultTTL)
	}
}

// drop has the next poll of a workspace in this process make its poller anew.
func (p *Polls) drop(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drops++
	p.kept.Delete(id)
}

// pollScheduleNote names the schedule by which polls wait.
const pollScheduleNote = "poll-schedule"

// startShard puts the polls of a shard that are missing, as after Redis came back older than it was.
func (m *Tenants) startShard(ctx context.Context, shard int, q *queue.Queue) error {
	ids, err := m.ofShard(ctx, shard)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := q.In(id).Put(ctx, tenants.PollJob()); err != nil {
			return err
		}
	}
	s, last := store.New(m.shared.Redis, m.Queues[shard]), ""
	if err := s.Documents.GetIfThere(ctx, pollScheduleNote, &last); err != nil || last == m.shared.Config.PollSchedule {
		return err
	}
	if err := q.WakeAll(ctx); err != nil {
		return err
	}
	return s.Documents.PutTTL(ctx, pollScheduleNote, m.shared.Config.PollSchedule, scheduleLife)
}

// scheduleLife is how long a schedule is remembered: longer than any job waits.
const scheduleLife = 366 * 24 * time.Hour

// ofShard are the workspaces of a shard.
func (m *Tenants) ofShard(ctx context.Context, shard int) (ids []string, err error) {
	err = m.Directory.Entries.EachWorkspace(ctx, shard, func(id string) error {
		ids = append(ids, id)
		return nil
	})
	return ids, err
}
