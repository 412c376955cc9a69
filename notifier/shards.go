package notifier

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

// listEvery is how often the workspaces of a shard are listed.
const listEvery = 3 * time.Second

// shard is one that this replica has, as long as it has it.
type shard struct {
	number  int
	lease   lease
	ctx     context.Context //nolint:containedctx // of the polls: it ends with the lease
	cancel  context.CancelFunc
	giveUp  chan struct{} // closed: somebody else shall have it
	given   bool          // it is closed
	polls   sync.WaitGroup
	entries map[string]*entry // its workspaces; guarded, as what follows, by the mutex of the rounds
	unasked []*entry          // those that are due, and of which it is asked whether they are busy
	asking  bool              // somebody does
	askedAt time.Time         // when the question was sent that is not answered yet
	silent  bool              // the one before had no answer
}

// share holds this replica's part of the shards until ctx ends, and gives them up then.
func (r *Rounds) share(ctx context.Context) {
	s := &sharing{Rounds: r, quota: r.Shards, candidates: make([]Lock, r.Shards)}
	if r.Presence != nil {
		s.quota = 0 // until the replicas are known
	}
	beats := time.NewTicker(renewEvery)
	defer beats.Stop()
	for ctx.Err() == nil {
		s.beat(ctx)
		select {
		case <-ctx.Done():
		case <-beats.C:
		}
	}
	s.held.Wait()
	if r.Presence == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Lease/2)
	defer cancel()
	if err := r.Presence.Leave(ctx); err != nil {
		r.Log.InfoContext(ctx, "other replicas learn later that this one has left", "err", err)
	}
}

// sharing is how this replica shares the shards with others.
type sharing struct {
	*Rounds
	quota      int    // shards that it is to have
	candidates []Lock // by shard
	held       sync.WaitGroup
}

// beat learns how many replicas there are, and gives up what is too much or takes what lacks.
func (s *sharing) beat(ctx context.Context) {
	s.countReplicas(ctx)
	for _, surplus := range s.surplus() {
		close(surplus.giveUp)
	}
	first := rand.IntN(s.Shards)
	for i := range s.Shards {
		number := (first + i) % s.Shards
		if s.lacks(number) && ctx.Err() == nil {
			s.try(ctx, number)
		}
	}
}

// countReplicas sets the quota: all shards over all replicas, and one more for the first of them where that leaves some.
// Without an answer it stays as it was.
func (s *sharing) countReplicas(ctx context.Context) {
	if s.Presence == nil {
		return
	}
	ask, cancel := context.WithTimeout(ctx, Lease/2)
	defer cancel()
	place, of, err := s.Presence.Here(ask)
	if err != nil || of < 1 {
		s.putOff(ctx, "the other replicas", err)
		return
	}
	quota := s.Shards / of
	if place < s.Shards%of {
		quota++
	}
	if quota != s.quota {
		s.Log.InfoContext(ctx, "this replica polls its part of the workspaces", "shards", quota, "of", s.Shards, "replicas", of)
	}
	s.quota = quota
	s.mu.Lock()
	defer s.mu.Unlock()
	s.agenda.amongReplicas(of)
}

// surplus are the shards that this replica has beyond its quota; they count as given up from now on.
func (s *sharing) surplus() (surplus []*shard) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := 0
	for _, held := range s.shards {
		if !held.given {
			left++
		}
	}
	for _, held := range s.shards {
		if left > s.quota && !held.given {
			held.given = true
			surplus = append(surplus, held)
			left--
		}
	}
	return surplus
}

// lacks says that this replica is to have more shards, and that it has not this one.
func (s *sharing) lacks(number int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shards[number] == nil && len(s.shards) < s.quota
}

// try takes a shard, if nobody has it.
func (s *sharing) try(ctx context.Context, number int) {
	if s.candidates[number] == nil {
		s.candidates[number] = s.Lock(number)
	}
	held := &shard{number: number, lease: lease{lock: s.candidates[number]}, giveUp: make(chan struct{}), entries: map[string]*entry{}}
	if err := held.lease.renew(ctx); err != nil {
		s.putOff(ctx, "a shard's lock", err)
	}
	if !held.lease.held() {
		return
	}
	held.ctx, held.cancel = context.WithCancel(ctx)
	s.mu.Lock()
	s.shards[number] = held
	s.mu.Unlock()
	s.Log.DebugContext(ctx, "this replica polls a shard", "shard", number)
	s.held.Go(func() { s.hold(ctx, held) })
}

// hold keeps a shard until it is lost, or to be given up, or ctx ends. Before another replica may have it, its polls
// have ended.
func (s *sharing) hold(ctx context.Context, h *shard) {
	h.polls.Go(func() { s.list(h) })
	beats := time.NewTicker(renewEvery)
	defer beats.Stop()
	for h.lease.held() && ctx.Err() == nil && !h.isGivenUp() {
		select {
		case <-ctx.Done():
		case <-h.giveUp:
		case <-beats.C:
			if err := h.lease.renew(ctx); err != nil && ctx.Err() == nil {
				s.Log.WarnContext(ctx, "poller lock not renewed", "shard", h.number, "err", err)
			}
		}
	}
	s.release(context.WithoutCancel(ctx), h, beats.C)
}

func (h *shard) isGivenUp() bool {
	select {
	case <-h.giveUp:
		return true
	default:
		return false
	}
}

// release ends the polls of a shard and gives it up. Until they have ended it is kept from others, if it is ours.
func (s *sharing) release(ctx context.Context, h *shard, beats <-chan time.Time) {
	h.cancel()
	s.mu.Lock()
	for _, e := range h.entries {
		s.strike(e)
	}
	s.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		h.polls.Wait()
		close(ended)
	}()
	for waiting := true; waiting; {
		select {
		case <-ended:
			waiting = false
		case <-beats:
			if h.lease.held() {
				_ = h.lease.renew(ctx) // if that fails it is lost, which nobody can help
			}
		}
	}
	s.letGo(ctx, h)
}

// letGo gives the lock of a shard up that is polled no more.
func (s *sharing) letGo(ctx context.Context, h *shard) {
	ctx, cancel := context.WithTimeout(ctx, Lease/2)
	defer cancel()
	if err := h.lease.lock.Release(ctx); err != nil {
		s.Log.WarnContext(ctx, "poller lock not released", "shard", h.number, "err", err)
	}
	s.mu.Lock()
	delete(s.shards, h.number)
	s.mu.Unlock()
	s.Log.DebugContext(ctx, "this replica polls a shard no longer", "shard", h.number)
}

// strike takes a workspace off the agenda; the caller holds the lock. A poll that runs ends by itself.
func (r *Rounds) strike(e *entry) {
	r.agenda.remove(e)
	r.forget(e)
	delete(e.shard.entries, e.workspace)
}

// list keeps the agenda up to date with the workspaces of a shard, as long as it is ours.
func (r *Rounds) list(h *shard) {
	every := time.NewTicker(listEvery)
	defer every.Stop()
	again := time.NewTicker(Lease)
	defer again.Stop()
	since := time.Now().Add(-min(handover, r.agenda.period))
	listed := r.listOnce(h, since)
	for h.ctx.Err() == nil {
		select {
		case <-h.ctx.Done():
			return
		case <-every.C:
			listed = r.listOnce(h, time.Now())
		case <-again.C:
			if !listed {
				listed = r.listOnce(h, time.Now())
			}
		}
	}
}

// listOnce adds what is new in a shard, due at its first place after since, and strikes what is no more.
func (r *Rounds) listOnce(h *shard, since time.Time) bool {
	ctx, cancel := context.WithTimeout(h.ctx, 2*Lease)
	defer cancel()
	names, err := r.Workspaces(ctx, h.number)
	if err != nil {
		r.putOff(h.ctx, "the workspaces of a shard", err)
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if h.ctx.Err() != nil {
		return false // its entries are struck already
	}
	there := make(map[string]bool, len(names))
	for _, name := range names {
		there[name] = true
		if h.entries[name] == nil {
			r.enter(h, name, since)
		}
	}
	for name, e := range h.entries {
		if !there[name] {
			r.strike(e)
		}
	}
	r.wakeUp()
	return true
}

// enter puts a workspace on the agenda; the caller holds the lock. One that was struck, and whose last poll still runs,
// is entered when the shard is listed again.
func (r *Rounds) enter(h *shard, workspace string, since time.Time) {
	for p := range r.running {
		if p.workspace == workspace {
			return
		}
	}
	e := &entry{workspace: workspace, shard: h, place: r.agenda.place(workspace), index: -1}
	e.due = r.agenda.next(e.place, since)
	e.visited = time.Now().Add(-rand.N(idleEvery)) // those that are not busy need not all be polled when a replica begins
	h.entries[workspace] = e
	r.agenda.add(e)
}
