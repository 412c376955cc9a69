package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/carry"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/script"
)

// What an app for one workspace kept, whose keys name no workspace, becomes that of one among many. Each key is written
// under its new name and only then removed, first what the store keeps, then the queue's; so a crash anywhere loses
// nothing, and beginning again goes on with what is left. Before the first key an earlier version is kept from writing
// any more: the queue's stream gives way to words ([queue.Queue.Shut]), without which none can accept or do anything.

// What [MoveWorkspace] returns besides what Redis says.
var (
	ErrStillServed = errors.New("an app for one workspace still runs over this Redis: stop it first")
	ErrMoving      = errors.New("another replica moves it")
	ErrHasOrders   = errors.New("it has orders of its own already, in the place to which they would be moved")
	ErrMovesOther  = errors.New("another workspace's data is being moved, or was")
)

// servedWithin is how long ago somebody took from the old queue who counts as running: they ask four times a second.
const servedWithin = 5 * time.Second

// moveLease is how long a replica that died keeps others from going on.
const moveLease = 10 * time.Second

// moved is how far moving has come: the hash "moved" of the old keyspace.
type moved struct {
	Team string `redis:"team"`
	Keys int    `redis:"keys"` // that were moved; some of them twice, after a crash
	Done int64  `redis:"done"` // when it was, ms; 0: it is not
}

// NeedsMoving tells whether there is data of an app for one workspace, and whose it is: that of the workspace with most
// orders. Others are named in its keys, too, as of people who act in shared channels from elsewhere; what names them
// belongs to the same workspace. A move that was begun and has not ended needs to go on.
func NeedsMoving(ctx context.Context, rdb redis.UniversalClient) (team string, needs bool, err error) {
	old := oldStore(rdb)
	state, err := old.moved(ctx)
	if err != nil || state.Team != "" {
		return state.Team, err == nil && state.Done == 0, about("moving", "a workspace", err)
	}
	used, err := old.queue.Inspector().Used(ctx)
	if err == nil && !used {
		used, err = old.HasOrders(ctx)
	}
	if err != nil || !used {
		return "", false, about("moving", "a workspace", err)
	}
	team, err = old.team(ctx)
	return team, team != "", about("moving", "a workspace", err)
}

// MovedTo is the workspace to which the data of an app for one was moved, or is being moved; "": to none. An app for one
// can work with it no more.
func MovedTo(ctx context.Context, rdb redis.UniversalClient) (team string, err error) {
	state, err := oldStore(rdb).moved(ctx)
	return state.Team, about("moving", "a workspace", err)
}

// MoveWorkspace moves it to the workspace of that id, in the shard that q is the queue of, as far as it is not moved
// yet. One replica does it at a time: for another it is [ErrMoving]. It does not begin while an earlier version may
// still write, which is [ErrStillServed]. The account with which its orders were placed is not known afterwards: any
// may be connected.
func MoveWorkspace(ctx context.Context, rdb redis.UniversalClient, q *queue.Queue, team string, log *slog.Logger) error {
	m, err := newMove(ctx, rdb, q, team, log)
	if err == nil {
		err = m.all(ctx)
	}
	return about("moving", team, err)
}

// AwaitMove moves whatever needs moving, or waits until another replica has, or until no earlier version runs any more.
// An app for many workspaces calls it before it serves. shard is the queue of a workspace's shard. It returns the
// workspace to which an app for one was moved, now or before; "" when there was none.
func AwaitMove(ctx context.Context, rdb redis.UniversalClient, shard func(team string) *queue.Queue, log *slog.Logger) (team string, err error) {
	var said time.Time
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for {
		team, needs, err := NeedsMoving(ctx, rdb)
		if err != nil || !needs {
			return team, err
		}
		err = MoveWorkspace(ctx, rdb, shard(team), team, log)
		if !errors.Is(err, ErrStillServed) && !errors.Is(err, ErrMoving) && !errors.Is(err, carry.ErrTakenOver) {
			return team, err
		}
		if time.Since(said) > time.Minute {
			said = time.Now()
			log.WarnContext(ctx, "the workspace's data is not moved yet", "workspace", team, "err", err)
		}
		select {
		case <-ctx.Done():
			return team, errors.Join(ctx.Err(), err)
		case <-again.C:
		}
	}
}

// oldStore is what an app for one workspace keeps.
func oldStore(rdb redis.UniversalClient) *Store { return New(rdb, queue.New(rdb, queue.Options{})) }

func (s *Store) moved(ctx context.Context) (m moved, err error) {
	return m, s.rdb.HGetAll(ctx, s.key("moved")).Scan(&m)
}

// move is one attempt to move a workspace.
type move struct {
	old, new *Store
	team     string
	log      *slog.Logger
	lock     *Lock
	by       *carry.Carrier
	said     time.Time // when the log had how far it is
}

func newMove(ctx context.Context, rdb redis.UniversalClient, q *queue.Queue, team string, log *slog.Logger) (*move, error) {
	old := oldStore(rdb)
	node, err := old.node(ctx)
	if err != nil {
		return nil, err
	}
	m := &move{old: old, new: New(rdb, q.In(team)), team: team, log: log, lock: old.Lock("poller", moveLease)}
	m.by = carry.New(rdb, node, m.new.key("moving"))
	return m, nil
}

// all is the whole course. The lock is that of the poller: an earlier version that still ran would not poll.
func (m *move) all(ctx context.Context) (err error) {
	state, err := m.state(ctx)
	if err != nil || state.Done != 0 {
		return err
	}
	if err := m.hold(ctx, state.Team == ""); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.lock.Release(context.WithoutCancel(ctx))) }()
	state, err = m.state(ctx) // another may have moved it until we had the lock
	if err != nil || state.Done != 0 {
		return err
	}
	if state.Team == "" {
		if err := m.begin(ctx); err != nil {
			return err
		}
	}
	m.log.InfoContext(ctx, "the workspace's data is being moved", "workspace", m.team, "keys", state.Keys)
	for _, part := range []func(context.Context) error{m.by.Begin, m.keys, m.run, m.jobs, m.by.End, m.end} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// state is how far it is.
func (m *move) state(ctx context.Context) (moved, error) {
	state, err := m.old.moved(ctx)
	if err == nil && state.Team != "" && state.Team != m.team {
		err = fmt.Errorf("%w: %s", ErrMovesOther, state.Team)
	}
	return state, err
}

// hold takes the lock, or renews it. Whoever has it before the move has begun is a poller.
func (m *move) hold(ctx context.Context, begins bool) error {
	held, err := m.lock.Hold(ctx)
	switch {
	case err != nil || held:
		return err
	case begins:
		return fmt.Errorf("%w, or %w", ErrStillServed, ErrMoving)
	}
	return ErrMoving
}

// begin makes sure that nobody writes, nor can any more, and notes whose it will be, in one step.
func (m *move) begin(ctx context.Context) error {
	worker, err := m.old.queue.Inspector().Worked(ctx, servedWithin)
	if err == nil && worker != "" {
		err = fmt.Errorf("%w: %s worked on its jobs a moment ago", ErrStillServed, worker)
	}
	if err != nil {
		return err
	}
	if has, err := m.new.HasOrders(ctx); err != nil || has {
		return errors.Join(err, ErrHasOrders)
	}
	_, err = m.old.rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.HSet(ctx, m.old.key("moved"), "team", m.team)
		m.old.queue.Shut(ctx, p, "moved to workspace "+m.team)
		return nil
	})
	return err
}

// staysBehind are the families of keys that are not a workspace's: what replicas agree on, and what is known of the app
// as a whole. The pace of calls and the daily walk begin anew; the account is not known yet. The queue's keys are moved
// by the queue.
var staysBehind = []string{
	"heard", "oauth-state", "confirm", "absent", "lock", "moved", "moving", "turns", "connection", "run", "q",
}

// moves tells whether a key of the old keyspace is the store's, of the workspace.
func (m *move) moves(key string) bool {
	family, _, _ := strings.Cut(strings.TrimPrefix(key, m.old.key("")), ":")
	return !slices.Contains(staysBehind, family)
}

func (m *move) keys(ctx context.Context) error {
	old, now := m.old.key(""), m.new.key("")
	named := func(key string) string { return now + strings.TrimPrefix(key, old) }
	return m.by.Each(ctx, m.old.key("*"), m.moves, func(ctx context.Context, keys []string) error {
		if err := m.by.Move(ctx, keys, named); err != nil {
			return err
		}
		return m.step(ctx, len(keys))
	})
}

// step notes and tells how far it is, and that we go on.
func (m *move) step(ctx context.Context, keys int) error {
	all, err := m.old.rdb.HIncrBy(ctx, m.old.key("moved"), "keys", int64(keys)).Result()
	if err != nil {
		return err
	}
	if time.Since(m.said) > 5*time.Second {
		m.said = time.Now()
		m.log.InfoContext(ctx, "moving the workspace's data", "workspace", m.team, "keys", all)
	}
	return m.hold(ctx, false)
}

// run has the run of Redis that was known go on: nothing was forgotten because another server has the new keys.
func (m *move) run(ctx context.Context) error {
	known, err := m.old.rdb.HMGet(ctx, m.old.key("run"), "replid", "replid_since").Result()
	if err != nil {
		return err
	}
	run, err := m.old.queue.Inspector().RunOf(ctx)
	if err != nil || run == "" || known[0] != run || known[1] == nil {
		return err
	}
	fence, holder := m.by.Fenced()
	keys := script.Keys{"fence": fence, "run": m.new.key("run")}
	return carry.Took(scripts.Run(ctx, m.new.rdb, "move_run", keys, script.Args{"holder": holder, "since": known[1]}).Int())
}

func (m *move) jobs(ctx context.Context) error {
	return m.new.queue.Move(ctx, m.old.queue, m.by, m.step)
}

// end notes that all is moved.
func (m *move) end(ctx context.Context) error {
	if err := m.old.rdb.HSet(ctx, m.old.key("moved"), "done", time.Now().UnixMilli()).Err(); err != nil {
		return err
	}
	state, err := m.old.moved(ctx)
	if err == nil {
		m.log.InfoContext(ctx, "the workspace's data is moved: it goes on when the app is added there and its account connected", "workspace", m.team, "keys", state.Keys,
			"shard", keyspace.ShardOf(m.team))
	}
	return err
}

// naming are the families whose keys name a workspace behind the family's own name.
var naming = []string{"channel", "channels", "requester", "thread", "unfinished", "spending", "settings", "presets"}

// team is the workspace that is named in the keys of most orders; without any, in most keys. "" when none is.
func (s *Store) team(ctx context.Context) (string, error) {
	node, err := s.node(ctx)
	if err != nil {
		return "", err
	}
	orders, named := map[string]int64{}, map[string]int64{}
	for cursor := uint64(0); ; {
		keys, next, err := node.Scan(ctx, cursor, s.key("*"), scanPage).Result()
		if err != nil {
			return "", err
		}
		var channels, teams []string
		for _, key := range keys {
			family, team := s.names(key)
			if team == "" {
				continue
			}
			named[team]++
			if family == "channel" {
				channels, teams = append(channels, key), append(teams, team)
			}
		}
		counts, err := askAll(ctx, s.rdb, channels, func(p redis.Pipeliner, key string) *redis.IntCmd { return p.ZCard(ctx, key) })
		if err != nil {
			return "", err
		}
		for i, n := range counts {
			orders[teams[i]] += n.Val()
		}
		if cursor = next; cursor == 0 {
			return most(orders, named), nil
		}
	}
}

// names is a key's family, and the workspace that it names.
func (s *Store) names(key string) (family, team string) {
	parts := strings.SplitN(strings.TrimPrefix(key, s.key("")), ":", 3)
	if len(parts) < 2 || !slices.Contains(naming, parts[0]) || !WorkspaceID.MatchString(parts[1]) {
		return parts[0], ""
	}
	return parts[0], parts[1]
}

// most is the workspace with most orders, of those the one with most keys, of those the first by name.
func most(orders, named map[string]int64) (team string) {
	for one := range named {
		switch {
		case team == "", orders[one] > orders[team]:
			team = one
		case orders[one] == orders[team] && (named[one] > named[team] || named[one] == named[team] && one < team):
			team = one
		}
	}
	return team
}
