package tenants

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/kv"
	"darkroom/store/queue"
	"darkroom/store/script"
)

// Leaving is what becomes of a workspace's data when the app is removed from it.
type Leaving string

// The values of Leaving.
const (
	LeavingForgets30 Leaving = ""       // forgotten after [LeavingLife]
	LeavingKeeps     Leaving = "keep"   // kept until somebody forgets it
	LeavingForgets   Leaving = "forget" // forgotten at once
)

// LeavingLife is how long the data of a workspace is kept that has removed the app, unless its admins chose otherwise.
const LeavingLife = 30 * 24 * time.Hour

// Forgets is when data is forgotten whose workspace removed the app then; false: never.
func (l Leaving) Forgets(gone time.Time) (at time.Time, ever bool) {
	switch l {
	case LeavingKeeps:
		return time.Time{}, false
	case LeavingForgets:
		return gone, true
	}
	return gone.Add(LeavingLife), true
}

// Connection is what a workspace remembers of its account also when it is disconnected: nothing secret.
type Connection struct {
	Host    string  // of the account with which its orders were placed; "" = there was none yet
	Print   string  // of that account, see [ServiceAccount.ID]
	Before  string  // of the one before it, while nobody knows which of them is kept: orders are of either; "" = it is known
	Leaving Leaving // what becomes of the data when the app is removed

	// Forgetting is since when its data is being forgotten, or was; zero: it is not, or was connected since.
	Forgetting time.Time
	Forgotten  bool    // all of it
	Removal    Removal // how far that has come of a workspace that removed the app, see [Connection.Removing]
}

// forgettingTakes is how long forgetting may take; then nobody waits for it any more.
const forgettingTakes = 24 * time.Hour

// Busy reports whether data is being forgotten: what is added now might go with it.
func (c Connection) Busy(now time.Time) bool {
	if c.Removing() {
		return now.Sub(c.Removal.At) < removalRests // the app may be there again, and then nobody goes on
	}
	return !c.Forgetting.IsZero() && !c.Forgotten && now.Sub(c.Forgetting) < forgettingTakes
}

// Forgot reports whether what was put at that time goes with the data that was forgotten since.
func (c Connection) Forgot(put time.Time) bool {
	return !c.Forgetting.IsZero() && !put.After(c.Forgetting)
}

// Other reports whether that is another account than the one with which the orders here were placed.
func (c Connection) Other(a ServiceAccount) bool {
	return c.Print != "" && c.Print != a.ID() && c.Before != a.ID()
}

// Connections keeps with which account a workspace orders.
type Connections struct {
	db    kv.DB
	polls *queue.Queue
}

// NewConnections keeps the connection of the workspace that has the keys of a queue; polls is the queue of its polls.
func NewConnections(rdb redis.UniversalClient, polls *queue.Queue) *Connections {
	return &Connections{kv.DB{Redis: rdb, Space: polls.Keyspace(), Scripts: scripts}, polls}
}

// Read returns it. Of a workspace that was never connected it is the zero one.
func (s *Connections) Read(ctx context.Context) (Connection, error) {
	fields, err := s.db.Redis.HGetAll(ctx, s.db.Key("connection")).Result()
	if err != nil {
		return Connection{}, kv.About("the", "connection", err)
	}
	c := Connection{Host: fields["host"], Print: fields["print"], Before: fields["before"], Leaving: Leaving(fields["leaving"]), Forgotten: fields["forgotten"] != ""}
	if fields["forgetting"] != "" {
		err = c.Forgetting.UnmarshalText([]byte(fields["forgetting"]))
	}
	if err == nil && fields["removal"] != "" {
		err = json.Unmarshal([]byte(fields["removal"]), &c.Removal)
	}
	return c, kv.About("the", "connection", err)
}

// ErrForgetting says that the workspace's data began to be forgotten meanwhile.
var ErrForgetting = errors.New("the workspace's data is being forgotten")

// NoteConnected keeps with which account the orders here are placed from now on, before that account itself is kept:
// whoever dies in between leaves a workspace that either of them may be connected to. It ends a forgetting that was
// known when the connection was read; one that was begun since goes on, and it is [ErrForgetting].
func (s *Connections) NoteConnected(ctx context.Context, a ServiceAccount, was Connection) error {
	forgetting, err := was.forgettingText()
	if err != nil {
		return kv.About("the", "connection", err)
	}
	noted, err := s.db.Script(ctx, "note_connected", script.Keys{"connection": s.db.Key("connection")},
		script.Args{"host": a.Host(), "print": a.ID(), "forgetting": forgetting}).Bool()
	if err == nil && !noted {
		err = ErrForgetting
	}
	return kv.About("the", "connection", err)
}

// ConfirmConnected notes that the account is kept, so that the one before it is another from now on, wakes the poll, and returns the
// connection as it is then.
func (s *Connections) ConfirmConnected(ctx context.Context) (Connection, error) {
	if err := s.db.Redis.HDel(ctx, s.db.Key("connection"), "before").Err(); err != nil {
		return Connection{}, kv.About("the", "connection", err)
	}
	if err := s.WakePoll(ctx, false); err != nil {
		return Connection{}, err
	}
	return s.Read(ctx)
}

// forgettingText is since when it is forgotten, as Redis has it.
func (c Connection) forgettingText() (string, error) {
	if c.Forgetting.IsZero() {
		return "", nil
	}
	text, err := c.Forgetting.UTC().MarshalText()
	return string(text), err
}

// SetLeaving keeps what becomes of the data when the app is removed.
func (s *Connections) SetLeaving(ctx context.Context, l Leaving) error {
	return kv.About("the", "connection", s.db.Redis.HSet(ctx, s.db.Key("connection"), "leaving", string(l)).Err())
}

// HasOrders reports whether the workspace has any order: ended ones count, and so does one that is being placed or may be out.
func (s *Connections) HasOrders(ctx context.Context) (bool, error) {
	pipe := s.db.Redis.Pipeline()
	active, finished, shrunk := pipe.HLen(ctx, s.db.Key("active")), pipe.ZCard(ctx, s.db.Key("finished")), pipe.ZCard(ctx, s.db.Key("shrunk"))
	outstanding := pipe.ZCount(ctx, s.db.Key("outstanding"), strconv.FormatInt(time.Now().UnixMilli(), 10), "+inf")
	_, err := pipe.Exec(ctx)
	return active.Val()+finished.Val()+shrunk.Val()+outstanding.Val() > 0, kv.About("the", "orders", err)
}
