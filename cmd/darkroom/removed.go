package main

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"darkroom/jobs/accounts"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

const (
	removedLook  = time.Hour        // within which each shard is looked after first, and again when that failed
	removedDay   = 23 * time.Hour   // after which it is looked after again
	removedAgain = 65 * time.Second // after which it is looked for what was under way when data was forgotten
	removedTime  = time.Minute      // for one workspace at a time; one that has more goes on where it was, the next time
)

// remover forgets what is kept of workspaces that removed the app, as their admins chose: soon after Slack told of it,
// and from then on once a day, one shard at a time. When nothing is left of one, it is no longer known. Removals that
// Slack could not tell of are found on the same day, see [remover.ask].
type remover struct {
	m       *many
	now     func() time.Time
	sweepIn time.Duration // the least time after which a new app looks after its shards
}

func newRemover(m *many) *remover { return &remover{m: m, now: time.Now} }

// soon has a workspace, or an organisation's, looked at. When that cannot be noted, the day's look finds it.
func (r *remover) soon(ctx context.Context, id string) {
	if id == "" {
		return
	}
	if err := r.m.wakeTimed(ctx, id, removalJob); err != nil {
		r.says(ctx, err)
	}
}

// work is one delivery of the look at one workspace or organisation.
func (r *remover) work(ctx context.Context, d *queue.Delivery) error {
	again, err := r.look(ctx, d.Tenant)
	if err != nil && ctx.Err() == nil {
		r.says(ctx, err)
	}
	if again > 0 {
		err = queue.Wait(again)
	} else {
		err = nil
	}
	return ended(ctx, err)
}

// workShard is one delivery of the daily look after a shard.
func (r *remover) workShard(ctx context.Context, d *queue.Delivery) error {
	var shard int
	if err := json.Unmarshal(d.Body, &shard); err != nil {
		return queue.Dead(err)
	}
	if d.Deliveries == 1 {
		return queue.Wait(r.sweepIn + rand.N(removedLook)) //nolint:gosec // it is no secret
	}
	next := removedDay
	if err := r.sweepShard(ctx, shard); err != nil {
		next = removedLook
		if ctx.Err() == nil {
			r.says(ctx, err)
		}
	}
	return ended(ctx, queue.Wait(next+rand.N(removedLook/10))) //nolint:gosec // it is no secret
}

func (r *remover) says(ctx context.Context, err error) {
	if errors.Is(err, errNotAsked) {
		r.m.app.log.WarnContext(ctx, "not asked whether the app is still there", "err", err)
		return
	}
	r.m.app.log.WarnContext(ctx, "data of a workspace that removed the app not forgotten", "err", err)
}

// sweepShard looks at all of a shard that are gone, and asks about all others.
func (r *remover) sweepShard(ctx context.Context, shard int) error {
	gone, there, err := r.inShard(ctx, shard)
	failed := []error{err}
	for _, id := range gone {
		if ctx.Err() != nil {
			break
		}
		again, err := r.look(ctx, id)
		if again > 0 {
			r.soon(ctx, id)
		}
		failed = append(failed, err)
	}
	return errors.Join(append(failed, r.askEach(ctx, there))...)
}

// inShard are those of a shard that may be gone, not all that an organisation has the app for being so, and those that
// have a token of their own.
func (r *remover) inShard(ctx context.Context, shard int) (gone, there []string, err error) {
	err = r.m.directory.Entries.EachEntry(ctx, shard, func(e tenants.Entry) error {
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

// look forgets what is kept of one that is gone, if it is time to. Of one that has a token it asks whether it is gone.
// It returns after which time to look again: when it took too long, or found what was under way.
func (r *remover) look(ctx context.Context, id string) (again time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, removedTime)
	defer cancel()
	defer func() {
		if err != nil && ctx.Err() != nil {
			again = removedAgain
		}
	}()
	e, known, err := r.m.directory.Entries.Entry(ctx, id)
	if err != nil || !known {
		return 0, err
	}
	if askable(e) {
		return 0, r.ask(ctx, id)
	}
	gone, err := r.goneSince(ctx, e)
	switch {
	case err != nil || gone.IsZero():
		return 0, err
	case strings.HasPrefix(id, "E"):
		return 0, r.lookAtOrganisation(ctx, e)
	}
	q := r.m.queues[keyspace.ShardOf(id)].In(id)
	log := r.m.app.log.With("workspace", id)
	s := store.New(r.m.app.rdb, q)
	became, err := accounts.ForgetRemoved(ctx, s, q, account{r.m.directory, id}, gone, r.now(), log)
	switch {
	case err != nil:
		return 0, err
	case became == accounts.RemovedForgotten:
		return removedAgain, s.Connection.WakePoll(ctx, true) // it may have looked before all was forgotten, and would idle
	case became == accounts.RemovedDone && !r.withdrawn(e):
		_, err = r.m.directory.Entries.EraseGone(ctx, e)
	}
	return 0, err
}

// withdrawn says that the app left a workspace of an organisation not long ago: events that Slack sent before may still
// come, and are not to bring it back by that.
func (r *remover) withdrawn(e tenants.Entry) bool {
	return (e.Organisation != "" || e.Enterprise != "") && !e.Gone.IsZero() && r.now().Sub(e.Gone) < tenants.LateEvents
}

// goneSince is since when the app is gone from a workspace: from itself, or from the organisation by which it has it.
// The zero time: it is there.
func (r *remover) goneSince(ctx context.Context, e tenants.Entry) (time.Time, error) {
	if !e.Gone.IsZero() || e.Organisation == "" {
		return e.Gone, nil
	}
	organisation, known, err := r.m.directory.Entries.Entry(ctx, e.Organisation)
	if err != nil || known {
		return organisation.Gone, err
	}
	// It was forgotten at somebody's request: nobody knows when it left, and the days count from now on.
	return time.Time{}, r.m.directory.Installations.Leave(ctx, e.ID, r.now())
}

// lookAtOrganisation has those of its workspaces looked at that have the app by it, and forgets one that has none left.
func (r *remover) lookAtOrganisation(ctx context.Context, organisation tenants.Entry) error {
	left := false
	for shard := range keyspace.Shards {
		err := r.m.directory.Entries.EachEntry(ctx, shard, func(e tenants.Entry) error {
			if e.Organisation == organisation.ID {
				left = true
				if e.Gone.IsZero() {
					r.soon(ctx, e.ID)
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
	_, err := r.m.directory.Entries.EraseGone(ctx, organisation)
	return err
}
