package tenants

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"darkroom/store/kv"
	"darkroom/store/queue"
)

// scanPage is how many keys one SCAN looks at.
const scanPage = 500

// The keys of an app for one workspace name no workspace. A move gives the data to one workspace of an app for many,
// while no app runs. It notes the new owner in the hash "moved". It copies every key into a backup and under its new name,
// and checks that each copy exists. Then it removes the old keys. Until then they are complete: an interrupted move is
// repeated.

// Errors of [MoveWorkspace].
var (
	ErrHasOrders  = errors.New("it has orders of its own already, in the place to which they would be moved")
	ErrMovesOther = errors.New("the data became, or is becoming, that of another workspace")
	errIncomplete = errors.New("keys are missing in the new place")
)

// Moved says which workspace got the data of an app for one workspace; the zero value: not moved.
type Moved struct {
	Team string `redis:"team"`
	Done bool   `redis:"done"` // every key is copied
}

// MovedTo returns whether the data of an app for one workspace was moved, or is being moved.
func MovedTo(ctx context.Context, rdb redis.UniversalClient) (m Moved, err error) {
	err = rdb.HGetAll(ctx, oldSide(rdb).db.Key("moved")).Scan(&m)
	return m, kv.About("moving", "a workspace", err)
}

// OneWorkspace reports whether an app for one workspace has orders.
func OneWorkspace(ctx context.Context, rdb redis.UniversalClient) (bool, error) {
	return oldSide(rdb).connection.HasOrders(ctx)
}

// side is one of the two workspaces of a move.
type side struct {
	db         kv.DB
	queue      *queue.Queue
	connection *Connections
}

func sideOf(rdb redis.UniversalClient, q *queue.Queue) side {
	db := kv.DB{Redis: rdb, Space: q.Keyspace()}
	return side{db, q, &Connections{db: db}}
}

// oldSide returns the side of the app for one workspace.
func oldSide(rdb redis.UniversalClient) side { return sideOf(rdb, queue.New(rdb, queue.Options{})) }

// MoveWorkspace moves the data of an app for one workspace to the workspace of q, and returns how many keys it copied:
// 0 if an earlier call copied them. It writes Redis commands that undo the move into backup, and closes it before it
// removes the old keys.
func MoveWorkspace(ctx context.Context, rdb redis.UniversalClient, q *queue.Queue, backup io.WriteCloser) (copied int, err error) {
	m := &move{old: oldSide(rdb), new: sideOf(rdb, q), team: q.Keyspace().Workspace()}
	done, err := m.begin(ctx)
	if err == nil {
		err = m.find(ctx)
	}
	if err == nil && !done {
		copied, err = m.copyAll(ctx, backup)
	}
	if err == nil {
		err = m.pages(func(page []string) error { return rdb.Unlink(ctx, page...).Err() })
	}
	return copied, kv.About("moving", m.team, err)
}

// move moves the data of an app for one workspace.
type move struct {
	old, new side
	team     string
	keys     []string
}

// begin notes the new owner, and keeps an app for one workspace from working on the data: it replaces the queue's
// stream by a text. done says that an earlier call copied every key.
func (m *move) begin(ctx context.Context) (done bool, err error) {
	state, err := MovedTo(ctx, m.old.db.Redis)
	switch {
	case err != nil:
		return false, err
	case state.Team == m.team:
		return state.Done, nil
	case state.Team != "":
		return false, fmt.Errorf("%w: %s", ErrMovesOther, state.Team)
	}
	if has, err := m.new.connection.HasOrders(ctx); err != nil || has {
		return false, errors.Join(err, ErrHasOrders)
	}
	// Undoing a move forgets the workspace; without this, its jobs would be forgotten, too.
	if err := m.new.db.Redis.HDel(ctx, m.new.db.Key("connection"), "forgetting", "forgotten", "removal").Err(); err != nil {
		return false, err
	}
	_, err = m.old.db.Redis.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.HSet(ctx, m.old.db.Key("moved"), "team", m.team)
		p.Set(ctx, m.old.db.Key("q:stream"), "moved to workspace "+m.team, 0)
		return nil
	})
	return false, err
}

// ofTheApp are the families of keys that belong to no workspace, or expire within seconds.
var ofTheApp = []string{"heard", "oauth-state", "confirm", "absent", "lock", "moved", "turns"}

// find lists the old keys.
func (m *move) find(ctx context.Context) error {
	node, err := m.old.db.Node(ctx)
	if err != nil {
		return err
	}
	found := node.Scan(ctx, 0, m.old.db.Key("*"), scanPage).Iterator()
	for found.Next(ctx) {
		if key := found.Val(); !slices.Contains(ofTheApp, m.family(key)) && key != m.old.db.Key("q:stream") {
			m.keys = append(m.keys, key)
		}
	}
	slices.Sort(m.keys)
	m.keys = slices.Compact(m.keys) // SCAN may show a key twice
	return found.Err()
}

func (m *move) family(key string) string {
	family, _, _ := strings.Cut(strings.TrimPrefix(key, m.old.db.Key("")), ":")
	return family
}

// named returns the key's name in the new workspace; "" if it is not copied: an admin has yet to connect the account,
// which starts the polls.
func (m *move) named(key string) string {
	switch m.family(key) {
	case "q":
		return m.new.queue.Adopted(m.old.queue, key)
	case PollQueue, "connection":
		return ""
	}
	return m.new.db.Key(strings.TrimPrefix(key, m.old.db.Key("")))
}

// pages calls do with some old keys at a time.
func (m *move) pages(do func(page []string) error) error {
	for page := range slices.Chunk(m.keys, 100) {
		if err := do(page); err != nil {
			return err
		}
	}
	return nil
}

// copyAll copies the old keys, checks that each copy exists, and notes that.
func (m *move) copyAll(ctx context.Context, backup io.WriteCloser) (copied int, err error) {
	err = m.pages(func(page []string) error { return m.copyPage(ctx, page, backup) })
	if err == nil {
		err = errors.Join(command(backup, "DEL", m.old.db.Key("q:stream"), m.old.db.Key("moved")), backup.Close())
	}
	if err == nil {
		err = m.new.queue.Adopt(ctx, m.old.queue, m.keys)
	}
	if err == nil {
		err = m.pages(func(page []string) error {
			n, err := m.check(ctx, page)
			copied += n
			return err
		})
	}
	if err == nil {
		err = m.old.db.Redis.HSet(ctx, m.old.db.Key("moved"), "done", true).Err()
	}
	return copied, err
}

// copyPage copies keys into the backup and under their new names, over existing keys.
func (m *move) copyPage(ctx context.Context, page []string, backup io.Writer) error {
	lives, err := kv.AskAll(ctx, m.old.db.Redis, page, func(p redis.Pipeliner, key string) *redis.DurationCmd { return p.PTTL(ctx, key) })
	if err != nil {
		return err
	}
	dumps, err := kv.AskAll(ctx, m.old.db.Redis, page, func(p redis.Pipeliner, key string) *redis.StringCmd { return p.Dump(ctx, key) })
	if err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	_, err = m.new.db.Redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, key := range page {
			dump, err := dumps[i].Result()
			if errors.Is(err, redis.Nil) { // it expired
				continue
			}
			life := max(0, lives[i].Val()) // negative: it never expires
			if name := m.named(key); name != "" {
				p.RestoreReplace(ctx, name, life, dump)
			}
			if err = cmp.Or(err, command(backup, "RESTORE", key, strconv.FormatInt(life.Milliseconds(), 10), dump, "REPLACE")); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// command writes a command in the protocol of Redis.
func command(w io.Writer, words ...string) error {
	var text strings.Builder
	fmt.Fprintf(&text, "*%d\r\n", len(words))
	for _, word := range words {
		fmt.Fprintf(&text, "$%d\r\n%s\r\n", len(word), word)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// check counts the copied keys, and fails if a key is missing that still exists in the old place.
func (m *move) check(ctx context.Context, page []string) (copied int, err error) {
	var names []string
	page = slices.DeleteFunc(slices.Clone(page), func(key string) bool { return m.named(key) == "" })
	for _, key := range page {
		names = append(names, m.named(key))
	}
	if len(names) == 0 {
		return 0, nil
	}
	now, err := m.new.db.Redis.Exists(ctx, names...).Result()
	if err != nil {
		return 0, err
	}
	before, err := m.old.db.Redis.Exists(ctx, page...).Result()
	if err == nil && now < before {
		err = errIncomplete
	}
	return int(now), err
}
