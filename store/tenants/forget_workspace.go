package tenants

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
	"darkroom/store/kv"
)

// No index has all keys of a workspace, so a SCAN finds them by name. It walks the node that has them, a page at a
// time, and each page is one UNLINK, so that Redis stays responsive. In a Cluster only the slot's node is asked, and
// Redis 8 walks only that slot.

// families are the first parts of the names of a store's keys: see store/keys.go. The keys of the queue and of the
// directory are not in it. Locks expire by themselves. "connection" stays: it says that the workspace is forgotten.
var families = []string{
	"order", "events", "event-ids", "snapshot", "active", "lagging", "finished", "shrunk", "channel", "channels", "requester", "thread",
	"reference", "draft", "unfinished", "outstanding", "spending", "batch", "batch-orders", "settings", "reminding", "presets", "note", "pace", "reads", "own-posts",
	"turns", "run", "heard", "absent", "confirm",
}

// forgottenMark is how long "connection" says that a workspace was forgotten, for jobs that were put before.
const forgottenMark = 30 * 24 * time.Hour

// WorkspaceForgetting is the progress of forgetting a workspace. The zero value is the start. Another process may
// continue from a saved one.
type WorkspaceForgetting struct {
	Cursor uint64 `json:"cursor,omitempty"`
	Keys   int    `json:"keys,omitempty"`  // removed so far
	Found  bool   `json:"found,omitempty"` // this walk removed keys: others may have been added behind it, so another follows
	Done   bool   `json:"done,omitempty"`  // a whole walk found no key
}

// Removals forgets all data of a workspace.
type Removals struct{ db kv.DB }

// NewRemovals returns the removals of one workspace.
func NewRemovals(rdb redis.UniversalClient, space keyspace.Keyspace) *Removals {
	return &Removals{kv.DB{Redis: rdb, Space: space}}
}

// BeginForgetting notes that the workspace's data is being forgotten, with every job that was put before that time. It
// forgets the account's host and names at once.
func (s *Removals) BeginForgetting(ctx context.Context, since time.Time) error {
	text, err := since.UTC().MarshalText()
	if err != nil {
		return kv.About("the", "connection", err)
	}
	pipe := s.db.Redis.TxPipeline()
	pipe.HDel(ctx, s.db.Key("connection"), "host", "print", "before", "forgotten", "removal", namesOf, namesOwn, namesLetters, namesBytes, namesTold)
	pipe.HSet(ctx, s.db.Key("connection"), "forgetting", text)
	_, err = pipe.Exec(ctx)
	return kv.About("the", "connection", err)
}

// ForgetPage removes a page of the workspace's keys, and returns the progress. At the end, "connection" says that the
// workspace is forgotten, and expires.
func (s *Removals) ForgetPage(ctx context.Context, w WorkspaceForgetting) (WorkspaceForgetting, error) {
	node, err := s.db.Node(ctx)
	if err != nil {
		return w, kv.About("forgetting", "a workspace", err)
	}
	keys, next, err := node.Scan(ctx, w.Cursor, s.db.Key("*"), scanPage).Result()
	if err != nil {
		return w, kv.About("forgetting", "a workspace", err)
	}
	keys = slices.DeleteFunc(keys, func(key string) bool { return !s.forgets(key) })
	if len(keys) > 0 {
		removed, err := s.db.Redis.Unlink(ctx, keys...).Result()
		if err != nil {
			return w, kv.About("forgetting", "a workspace", err)
		}
		w.Keys, w.Found = w.Keys+int(removed), true
	}
	w.Cursor = next
	if next == 0 {
		w.Done, w.Found = !w.Found, false
	}
	if !w.Done {
		return w, nil
	}
	pipe := s.db.Redis.TxPipeline()
	pipe.HSet(ctx, s.db.Key("connection"), "forgotten", "1")
	pipe.HDel(ctx, s.db.Key("connection"), "removal")
	pipe.Expire(ctx, s.db.Key("connection"), forgottenMark)
	_, err = pipe.Exec(ctx)
	return w, kv.About("the", "connection", err)
}

// forgets reports whether a key is deleted with its workspace.
func (s *Removals) forgets(key string) bool {
	rest, ours := strings.CutPrefix(key, s.db.Key(""))
	family, _, _ := strings.Cut(rest, ":")
	return ours && slices.Contains(families, family)
}
