package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"darkroom/jobs"
	"darkroom/store"
	"darkroom/store/keyspace"
)

const (
	removedLook  = time.Hour              // how often a replica looks whether somebody has looked after a shard today
	removedDay   = 23 * time.Hour         // how long that is true
	removedAgain = 65 * time.Second       // after which it is looked for what was under way when data was forgotten
	removedTime  = time.Minute            // for one workspace at a time; one that has more goes on where it was, the next time
	removedLease = 2 * removedTime        // of a shard: no look at one workspace outlives it
	removedMost  = 10_000                 // workspaces that a process remembers to look at; the rest are for the next day
	removedNote  = "removed-looked-after" // in the shard's own keyspace: when somebody last did
)

// remover forgets what is kept of workspaces that removed the app, as their admins chose: soon after Slack told of it,
// and from then on once a day, each shard by one replica at a time. When nothing is left of one, it is no longer known.
// Removals that Slack could not tell of it finds on the same day, see [remover.ask].
type remover struct {
	m       *many
	now     func() time.Time
	sweepIn time.Duration // after the start, the first time
	wake    chan struct{}

	mu  sync.Mutex
	due map[string]time.Time // workspaces and organisations to look at, and when
}

func newRemover(m *many) *remover {
	return &remover{m: m, now: time.Now, sweepIn: rand.N(removedLook), wake: make(chan struct{}, 1), due: map[string]time.Time{}}
}

// soon has a workspace, or an organisation's, looked at after a while, by this process.
func (r *remover) soon(id string, after time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.due[id]; !known && len(r.due) >= removedMost {
		return
	}
	r.due[id] = r.now().Add(after)
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// run looks at them until ctx ends. What is cut off goes on the next day, wherever that is.
func (r *remover) run(ctx context.Context) error {
	var daily sync.WaitGroup
	daily.Go(func() { r.runSweeps(ctx) })
	defer daily.Wait()
	for {
		next := time.NewTimer(r.lookAtDue(ctx))
		select {
		case <-ctx.Done():
			next.Stop()
			return nil
		case <-r.wake:
		case <-next.C:
		}
		next.Stop()
	}
}

// runSweeps looks after the shards until ctx ends, beside those to look at soon: asking Slack about all takes a while.
func (r *remover) runSweeps(ctx context.Context) {
	day := time.NewTimer(r.sweepIn)
	defer day.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-day.C:
			r.sweep(ctx)
			day.Reset(removedLook + rand.N(removedLook/10))
		}
	}
}

// lookAtDue looks at those whose time has come, and says how long it is until the next one's.
func (r *remover) lookAtDue(ctx context.Context) time.Duration {
	for ctx.Err() == nil {
		id, wait := r.first()
		if id == "" {
			return wait
		}
		if err := r.look(ctx, id); err != nil && ctx.Err() == nil {
			r.says(ctx, err)
		}
	}
	return 0
}

// first takes one whose time has come; "": how long it is until the next.
func (r *remover) first() (id string, wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wait = removedLook
	for id, at := range r.due {
		left := at.Sub(r.now())
		if left <= 0 {
			delete(r.due, id)
			return id, 0
		}
		wait = min(wait, left)
	}
	return "", wait
}

func (r *remover) says(ctx context.Context, err error) {
	if errors.Is(err, errNotAsked) {
		r.m.app.log.WarnContext(ctx, "not asked whether the app is still there", "err", err)
		return
	}
	r.m.app.log.WarnContext(ctx, "data of a workspace that removed the app not forgotten", "err", err)
}

// sweep looks after the shards that nobody has looked after today.
func (r *remover) sweep(ctx context.Context) {
	for _, shard := range rand.Perm(keyspace.Shards) {
		if err := r.sweepShard(ctx, shard); err != nil && ctx.Err() == nil {
			r.says(ctx, err)
		}
	}
}

// sweepShard looks at all of a shard that are gone, and asks about all others, unless somebody does or did.
func (r *remover) sweepShard(ctx context.Context, shard int) error {
	s := store.New(r.m.app.rdb, r.m.queues[shard])
	lock := s.Lock("removed", removedLease)
	if held, err := lock.Hold(ctx); err != nil || !held {
		return err
	}
	defer func() { _ = lock.Release(context.WithoutCancel(ctx)) }() // else it ends by itself
	var last time.Time
	if err := s.GetIfThere(ctx, removedNote, &last); err != nil || r.now().Sub(last) < removedDay {
		return err
	}
	gone, there, err := r.inShard(ctx, shard)
	var failed []error
	for _, id := range gone {
		held, err := lock.Hold(ctx)
		if err != nil || !held {
			return errors.Join(append(failed, err)...) // whoever has it now goes on
		}
		failed = append(failed, r.look(ctx, id))
	}
	held, asked := r.askEach(ctx, lock, there)
	if err := errors.Join(append(failed, err, asked)...); err != nil || !held {
		return err
	}
	return s.PutTTL(ctx, removedNote, r.now().UTC(), 2*removedDay)
}

// inShard are those of a shard that may be gone, not all that an organisation has the app for being so, and those that
// have a token of their own.
func (r *remover) inShard(ctx context.Context, shard int) (gone, there []string, err error) {
	err = r.m.directory.EachEntry(ctx, shard, func(e store.Entry) error {
		switch {
		case !e.Gone.IsZero() || e.Organisation != "":
			gone = append(gone, e.ID)
		case askable(e):
			there = append(there, e.ID)
		}
		return nil
	})
	return gone, there, err
}

// look forgets what is kept of one that is gone, if it is time to; one that takes longer than a look is looked at again. Of one that
// has a token it asks whether it is gone.
func (r *remover) look(ctx context.Context, id string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, removedTime)
	defer cancel()
	defer func() {
		if err != nil && ctx.Err() != nil {
			r.soon(id, removedAgain)
		}
	}()
	e, known, err := r.m.directory.Entry(ctx, id)
	if err != nil || !known {
		return err
	}
	if askable(e) {
		return r.ask(ctx, id)
	}
	gone, err := r.goneSince(ctx, e)
	switch {
	case err != nil || gone.IsZero():
		return err
	case strings.HasPrefix(id, "E"):
		return r.lookAtOrganisation(ctx, e)
	}
	q := r.m.queues[keyspace.ShardOf(id)].In(id)
	log := r.m.app.log.With("workspace", id)
	became, err := jobs.ForgetRemoved(ctx, store.New(r.m.app.rdb, q), q, account{r.m.directory, id}, gone, r.now(), log)
	switch {
	case err != nil:
		return err
	case became == jobs.RemovedForgotten:
		r.soon(id, removedAgain)
	case became == jobs.RemovedDone && !r.withdrawn(e):
		_, err = r.m.directory.EraseGone(ctx, e)
	}
	return err
}

// withdrawn says that the app left a workspace of an organisation not long ago: events that Slack sent before may still
// come, and are not to bring it back by that.
func (r *remover) withdrawn(e store.Entry) bool {
	return (e.Organisation != "" || e.Enterprise != "") && !e.Gone.IsZero() && r.now().Sub(e.Gone) < store.LateEvents
}

// goneSince is since when the app is gone from a workspace: from itself, or from the organisation by which it has it.
// The zero time: it is there.
func (r *remover) goneSince(ctx context.Context, e store.Entry) (time.Time, error) {
	if !e.Gone.IsZero() || e.Organisation == "" {
		return e.Gone, nil
	}
	organisation, known, err := r.m.directory.Entry(ctx, e.Organisation)
	if err != nil || known {
		return organisation.Gone, err
	}
	// It was forgotten at somebody's request: nobody knows when it left, and the days count from now on.
	return time.Time{}, r.m.directory.Leave(ctx, e.ID, r.now())
}

// lookAtOrganisation has those of its workspaces looked at that have the app by it, and forgets one that has none left.
func (r *remover) lookAtOrganisation(ctx context.Context, organisation store.Entry) error {
	left := false
	for shard := range keyspace.Shards {
		err := r.m.directory.EachEntry(ctx, shard, func(e store.Entry) error {
			if e.Organisation == organisation.ID {
				left = true
				if e.Gone.IsZero() {
					r.soon(e.ID, 0)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if left {
		return nil
	}
	_, err := r.m.directory.EraseGone(ctx, organisation)
	return err
}
