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
	removedLook  = time.Hour        // until the first sweep of a shard at most, and after a failed one
	removedDay   = 23 * time.Hour   // between two sweeps of a shard
	removedAgain = 65 * time.Second // until the second removal, for data that jobs left behind
	removedTime  = time.Minute      // for one step on a workspace; the next step continues
)

// Remover forgets the data of workspaces that removed the app, as their admins chose: soon after Slack's event, and from
// then on once a day, one shard at a time. A workspace without data left is erased from the directory. Removals without
// an event are found within a day, see [Remover.ask].
type Remover struct {
	directory *tenants.Directory
	queues    *Shards
	polls     *Shards // with its jobs
	check     *tokenCheck
	apps      *Apps
	redis     redis.UniversalClient
	log       *slog.Logger

	Now     func() time.Time
	SweepIn time.Duration // the shortest time until the first sweep
}

// soon wakes the job that looks at a workspace or an organisation. If that fails, the daily sweep finds it.
func (r *Remover) soon(ctx context.Context, id string) {
	if id == "" {
		return
	}
	if err := r.polls.wakeTimed(ctx, id, RemovalJob); err != nil {
		r.says(ctx, err)
	}
}

// work does the job that looks at one workspace or organisation.
func (r *Remover) work(ctx context.Context, d *queue.Delivery) error {
	again, err := r.Look(ctx, d.Tenant)
	if err != nil && ctx.Err() == nil {
		r.says(ctx, err)
	}
	if again > 0 {
		return cmp.Or(ctx.Err(), queue.Wait(again))
	}
	return ctx.Err()
}

// WorkShard does the daily sweep of a shard.
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

// SweepShard looks at all installations of a shard that may be gone, and asks Slack about all others.
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

// inShard returns the ids of a shard that may be gone, and those with a token of their own. Workspaces of an organisation
// may be gone with it.
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

// Look forgets the data of a workspace that removed the app, if it is time to. If the installation has a token, it asks
// Slack about it. It returns when to look again: after a timeout, or for data that jobs may leave behind; 0: not again.
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

// withdrawn reports whether the app left a workspace of an organisation recently. Late events from before must not bring
// it back, so the entry stays.
func (r *Remover) withdrawn(e tenants.Entry) bool {
	return (e.Organisation != "" || e.Enterprise != "") && !e.Gone.IsZero() && r.Now().Sub(e.Gone) < tenants.LateEvents
}

// goneSince returns when the app was removed from a workspace or from its organisation; zero: it is installed.
func (r *Remover) goneSince(ctx context.Context, e tenants.Entry) (time.Time, error) {
	if !e.Gone.IsZero() || e.Organisation == "" {
		return e.Gone, nil
	}
	organisation, known, err := r.directory.Entries.Entry(ctx, e.Organisation)
	if err != nil || known {
		return organisation.Gone, err
	}
	// The organisation was forgotten by request, so the time of the removal is unknown: the days count from now.
	return time.Time{}, r.directory.Installations.Leave(ctx, e.ID, r.Now())
}

// lookAtOrganisation wakes the jobs of an organisation's workspaces, and erases an organisation without workspaces.
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
