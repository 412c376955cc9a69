package tenants

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

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

// Remover forgets what is kept of workspaces that removed the app, as their admins chose: soon after Slack told of it,
// and from then on once a day, one shard at a time. When nothing is left of one, it is no longer known. Removals that
// Slack could not tell of are found on the same day, see [Remover.ask].
type Remover struct {
	directory *tenants.Directory
	queues    *Shards
	polls     *Shards // which do its jobs
	check     *tokenCheck
	apps      *Apps
	redis     redis.UniversalClient
	log       *slog.Logger

	Now     func() time.Time
	SweepIn time.Duration // the least time after which a new app looks after its shards
}

// soon has a workspace, or an organisation's, looked at. When that cannot be noted, the day's look finds it.
func (r *Remover) soon(ctx context.Context, id string) {
	if id == "" {
		return
	}
	if err := r.polls.wakeTimed(ctx, id, RemovalJob); err != nil {
		r.says(ctx, err)
	}
}

// work is one delivery of the look at one workspace or organisation.
func (r *Remover) work(ctx context.Context, d *queue.Delivery) error {
	again, err := r.Look(ctx, d.Tenant)
	if err != nil && ctx.Err() == nil {
		r.says(ctx, err)
	}
	if again > 0 {
		err = queue.Wait(again)
	} else {
		err = nil
	}
	return cmp.Or(ctx.Err(), err)
}

// WorkShard is one delivery of the daily look after a shard.
func (r *Remover) WorkShard(ctx context.Context, d *queue.Delivery) error {
	var shard int
	if err := json.Unmarshal(d.Body, &shard); err != nil {
		return queue.Dead(err)
	}
	if d.Deliveries == 1 {
		return queue.Wait(r.SweepIn + rand.N(removedLook)) //nolint:gosec // it is no secret
	}
	next := removedDay
	if err := r.SweepShard(ctx, shard); err != nil {
		next = removedLook
		if ctx.Err() == nil {
			r.says(ctx, err)
		}
	}
	return cmp.Or(ctx.Err(), queue.Wait(next+rand.N(removedLook/10))) //nolint:gosec // it is no secret
}

func (r *Remover) says(ctx context.Context, err error) {
	if errors.Is(err, errNotAsked) {
		r.log.WarnContext(ctx, "not asked whether the app is still there", "err", err)
		return
	}
	r.log.WarnContext(ctx, "data of a workspace that removed the app not forgotten", "err", err)
}

// SweepShard looks at all of a shard that are gone, and asks about all others.
func (r *Remover) SweepShard(ctx context.Context, shard int) error {
	gone, there, err := r.inShard(ctx, shard)
	failed := []error{err}
	for _, id := range gone {
		if ctx.Err() != nil {
			break
		}
		again, err := r.Look(ctx, id)
		if again > 0 {
			r.soon(ctx, id)
		}
		failed = append(failed, err)
	}
	return errors.Join(append(failed, r.askEach(ctx, there))...)
}

// inShard are those of a shard that may be gone, not all that an organisation has the app for being so, and those that
// have a token of their own.
func (r *Remover) inShard(ctx context.Context, shard int) (gone, there []string, err error) {
	err = r.directory.Entries.EachEntry(ctx, shard, func(e tenants.Entry) error {
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

// Look forgets what is kept of one that is gone, if it is time to. Of one that has a token it asks whether it is gone.
// It returns after which time to look again: when it took too long, or found what was under way.
func (r *Remover) Look(ctx context.Context, id string) (again time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, removedTime)
	defer cancel()
	defer func() {
		if err != nil && ctx.Err() != nil {
			again = removedAgain
		}
	}()
	e, known, err := r.directory.Entries.Entry(ctx, id)
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
	q := r.queues.of(id)
	log := r.log.With("workspace", id)
	s := store.New(r.redis, q)
	became, err := accounts.ForgetRemoved(ctx, s, q, account{r.directory, id}, gone, r.Now(), log)
	switch {
	case err != nil:
		return 0, err
	case became == accounts.RemovedForgotten:
		return removedAgain, s.Connection.WakePoll(ctx, true) // it may have looked before all was forgotten, and would idle
	case became == accounts.RemovedDone && !r.withdrawn(e):
		_, err = r.directory.Entries.EraseGone(ctx, e)
	}
	return 0, err
}

// withdrawn says that the app left a workspace of an organisation not long ago: events that Slack sent before may still
// come, and are not to bring it back by that.
func (r *Remover) withdrawn(e tenants.Entry) bool {
	return (e.Organisation != "" || e.Enterprise != "") && !e.Gone.IsZero() && r.Now().Sub(e.Gone) < tenants.LateEvents
}

// goneSince is since when the app is gone from a workspace: from itself, or from the organisation by which it has it.
// The zero time: it is there.
func (r *Remover) goneSince(ctx context.Context, e tenants.Entry) (time.Time, error) {
	if !e.Gone.IsZero() || e.Organisation == "" {
		return e.Gone, nil
	}
	organisation, known, err := r.directory.Entries.Entry(ctx, e.Organisation)
	if err != nil || known {
		return organisation.Gone, err
	}
	// It was forgotten at somebody's request: nobody knows when it left, and the days count from now on.
	return time.Time{}, r.directory.Installations.Leave(ctx, e.ID, r.Now())
}

// lookAtOrganisation has those of its workspaces looked at that have the app by it, and forgets one that has none left.
func (r *Remover) lookAtOrganisation(ctx context.Context, organisation tenants.Entry) error {
	left := false
	for shard := range keyspace.Shards {
		err := r.directory.Entries.EachEntry(ctx, shard, func(e tenants.Entry) error {
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
	_, err := r.directory.Entries.EraseGone(ctx, organisation)
	return err
}
