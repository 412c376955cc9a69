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
	pollWorkers     = 32               // polls at once for each shard; most of their time they wait for a service
	pollIdle        = time.Second / 2  // queue.Options.Idle of the poll queues
	cachedPollers   = 16_384           // pollers of workspaces with active orders: some 7 kB each
	pollsOfAccount  = 8                // polls at once of workspaces that share an account
	accountBusy     = 10 * time.Second // the average delay of a poll beyond pollsOfAccount
	unconnectedLook = 10 * time.Minute // between polls of a workspace without an account; connecting one wakes its poll
	pollerLife      = 10 * time.Minute // of a cached poller: its parts may have changed
)

// Polls works on the polls of many workspaces.
type Polls struct {
	directory *tenants.Directory
	makes     *maker
	lookups   *Lookups
	shared    *workspace.Shared
	cache     *ttlcache.Cache[string, cachedPoller]

	mu      sync.Mutex
	running map[string]int // polls under way, by account
	drops   int            // counts drops: a poller that was begun before the last one is not cached
}

// cachedPoller is a workspace's poller and the account that it polls.
type cachedPoller struct {
	*poll.Poller
	account string
}

func newPolls(makes *maker, lookups *Lookups) *Polls {
	return &Polls{directory: makes.directory, makes: makes, lookups: lookups, shared: makes.shared, running: map[string]int{}, cache: ttlcache.New(ttlcache.WithCapacity[string, cachedPoller](cachedPollers),
		ttlcache.WithTTL[string, cachedPoller](pollerLife), ttlcache.WithDisableTouchOnHit[string, cachedPoller]())}
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
		p.drop(d.Tenant) // without orders the next poll is far away: nothing is kept in memory for it
	}
	return err
}

// begin reports whether one more poll of an account may begin here. Polls that share an account wait for its rate, and
// must not occupy all workers.
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

// of returns the poller of a workspace, or [tenants.ErrNotInstalled] or [tenants.ErrNotConnected].
func (p *Polls) of(ctx context.Context, id string) (k cachedPoller, err error) {
	if cached := p.cache.Get(id); cached != nil {
		return cached.Value(), nil
	}
	p.cache.DeleteExpired()
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
		p.save(id, k, drops)
	}
	return k, err
}

// unconnected shrinks and deletes finished orders of a workspace without an account, and waits until an account is
// connected. If the workspace's data was forgotten, the poll ends.
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

// save caches a poller, unless one was dropped since it was begun: its parts may be outdated.
func (p *Polls) save(id string, k cachedPoller, drops int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drops == drops {
		p.cache.Set(id, k, ttlcache.DefaultTTL)
	}
}

// drop drops a workspace's poller from the cache.
func (p *Polls) drop(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drops++
	p.cache.Delete(id)
}

// pollScheduleDoc names the document with the schedule that polls wait by.
const pollScheduleDoc = "poll-schedule"

// startShard puts the missing polls of a shard, as after Redis lost data. A new schedule ends the waits of all polls.
func (m *Tenants) startShard(ctx context.Context, shard int, q *queue.Queue) error {
	ids, err := m.ofShard(ctx, shard)
	if err != nil {
		return err
	}
	s, last := store.New(m.shared.Redis, m.Queues[shard]), ""
	if err := s.Documents.GetIfThere(ctx, pollScheduleDoc, &last); err != nil {
		return err
	}
	changed := last != m.shared.Config.PollSchedule
	for _, id := range ids {
		if changed {
			err = q.In(id).Wake(ctx, tenants.PollJob(), true)
		} else {
			_, err = q.In(id).Put(ctx, tenants.PollJob())
		}
		if err != nil {
			return err
		}
	}
	if !changed {
		return nil
	}
	return s.Documents.PutTTL(ctx, pollScheduleDoc, m.shared.Config.PollSchedule, scheduleLife)
}

// scheduleLife is the life of that document: longer than any job waits.
const scheduleLife = 366 * 24 * time.Hour

// ofShard returns the workspaces of a shard.
func (m *Tenants) ofShard(ctx context.Context, shard int) (ids []string, err error) {
	err = m.Directory.Entries.EachWorkspace(ctx, shard, func(id string) error {
		ids = append(ids, id)
		return nil
	})
	return ids, err
}
