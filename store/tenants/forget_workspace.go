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

// A workspace's keys are found by their names: no index has all of them. One SCAN walks the node that has them, a page
// at a time, and each page is one UNLINK, so that nobody waits for it. In a Cluster only the slot's node is asked, and
// Redis 8 walks that one slot alone.

// families are what the names of a store's keys begin with: see keys.go of the store. What others keep beside them, the queue or
// what is known of the workspace's installation, is not theirs to forget. A lock is of whoever holds it, and expires; the
// mark that all was forgotten stands in "connection".
var families = []string{
	"order", "events", "event-ids", "snapshot", "active", "lagging", "finished", "shrunk", "channel", "channels", "requester", "thread",
	"reference", "draft", "unfinished", "outstanding", "spending", "settings", "reminding", "presets", "note", "pace", "reads", "own-posts",
	"turns", "run", "heard", "absent", "confirm",
}

// forgottenMark is how long it is remembered that a workspace was forgotten, for jobs that were put before.
const forgottenMark = 30 * 24 * time.Hour

// WorkspaceForgetting is how far forgetting a workspace has come. The zero value is its beginning. It may be kept and
// gone on with by another process.
type WorkspaceForgetting struct {
	Cursor uint64 `json:"cursor,omitempty"`
	Keys   int    `json:"keys,omitempty"`  // that were removed
	Found  bool   `json:"found,omitempty"` // this walk removed some: others may have been added behind it, so another follows
	Done   bool   `json:"done,omitempty"`  // a whole walk found nothing
}

// Removals forgets all data of a workspace.
type Removals struct{ db kv.DB }

// NewRemovals forgets the data of one workspace.
func NewRemovals(rdb redis.UniversalClient, space keyspace.Keyspace) *Removals {
	return &Removals{kv.DB{Redis: rdb, Space: space}}
}

// BeginForgetting notes that the workspace's data is being forgotten from that time on, and with it every job that was
// put before. What it remembers of its account goes at once.
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

// ForgetPage removes a page of the workspace's keys, and says how far it has come. Of what stays, the mark that it was
// forgotten expires.
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

// forgets reports whether a key goes with its workspace.
func (s *Removals) forgets(key string) bool {
	rest, ours := strings.CutPrefix(key, s.db.Key(""))
	family, _, _ := strings.Cut(rest, ":")
	return ours && slices.Contains(families, family)
}
