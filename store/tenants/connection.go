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

// Leaving selects what happens to a workspace's data when the app is removed.
type Leaving string

// The values of Leaving.
const (
	LeavingForgets30 Leaving = ""       // forgotten after [LeavingLife]
	LeavingKeeps     Leaving = "keep"   // kept until an operator forgets it
	LeavingForgets   Leaving = "forget" // forgotten at once
)

// LeavingLife is how long a workspace's data stays after the app was removed, unless its admins chose otherwise.
const LeavingLife = 30 * 24 * time.Hour

// Forgets returns when the data of a workspace is forgotten that removed the app at gone; false: never.
func (l Leaving) Forgets(gone time.Time) (at time.Time, ever bool) {
	switch l {
	case LeavingKeeps:
		return time.Time{}, false
	case LeavingForgets:
		return gone, true
	}
	return gone.Add(LeavingLife), true
}

// Connection describes a workspace's account, and remains after it is disconnected. It has no secrets.
type Connection struct {
	Host    string  // of the account that its orders were placed with; "" = no account yet
	Print   string  // [ServiceAccount.ID] of that account
	Before  string  // ID of the account before it, until [Connections.ConfirmConnected]: orders may belong to either; "" = confirmed
	Leaving Leaving // what happens to the data when the app is removed

	// Forgetting is when forgetting its data began; zero: it did not, or the workspace was connected since.
	Forgetting time.Time
	Forgotten  bool    // all its data is forgotten
	Removal    Removal // the progress after the app was removed, see [Connection.Removing]
}

// forgettingTakes is the longest that others wait for a forgetting to end.
const forgettingTakes = 24 * time.Hour

// Busy reports whether data is being forgotten: new data might be deleted with it.
func (c Connection) Busy(now time.Time) bool {
	if c.Removing() {
		return now.Sub(c.Removal.At) < removalRests // if the app was added again, nobody continues the removal
	}
	return !c.Forgetting.IsZero() && !c.Forgotten && now.Sub(c.Forgetting) < forgettingTakes
}

// Forgot reports whether a job put at that time belongs to data that was forgotten since.
func (c Connection) Forgot(put time.Time) bool {
	return !c.Forgetting.IsZero() && !put.After(c.Forgetting)
}

// Other reports whether the orders here were placed with another account.
func (c Connection) Other(a ServiceAccount) bool {
	return c.Print != "" && c.Print != a.ID() && c.Before != a.ID()
}

// Connections saves the connection of a workspace to its account.
type Connections struct {
	db    kv.DB
	polls *queue.Queue
}

// NewConnections returns the connections of a workspace; polls is the queue of its polls.
func NewConnections(rdb redis.UniversalClient, polls *queue.Queue) *Connections {
	return &Connections{kv.DB{Redis: rdb, Space: polls.Keyspace(), Scripts: scripts}, polls}
}

// Read returns the workspace's connection; the zero value if it was never connected.
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

// ErrForgetting says that forgetting the workspace's data has begun meanwhile.
var ErrForgetting = errors.New("the workspace's data is being forgotten")

// NoteConnected saves the account for orders from now on, before the account's credentials are saved. A crash in
// between leaves a workspace that may be connected to either account. It ends the forgetting that was begins with; a
// forgetting that began since goes on, and NoteConnected returns [ErrForgetting].
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

// ConfirmConnected notes that the account's credentials are saved: the account before no longer counts as the same. It
// wakes the poll, and returns the connection as it is then.
func (s *Connections) ConfirmConnected(ctx context.Context) (Connection, error) {
	if err := s.db.Redis.HDel(ctx, s.db.Key("connection"), "before").Err(); err != nil {
		return Connection{}, kv.About("the", "connection", err)
	}
	if err := s.WakePoll(ctx, false); err != nil {
		return Connection{}, err
	}
	return s.Read(ctx)
}

// forgettingText returns Forgetting as Redis has it; "" for zero.
func (c Connection) forgettingText() (string, error) {
	if c.Forgetting.IsZero() {
		return "", nil
	}
	text, err := c.Forgetting.UTC().MarshalText()
	return string(text), err
}

// SetLeaving saves what happens to the data when the app is removed.
func (s *Connections) SetLeaving(ctx context.Context, l Leaving) error {
	return kv.About("the", "connection", s.db.Redis.HSet(ctx, s.db.Key("connection"), "leaving", string(l)).Err())
}

// HasOrders reports whether the workspace has an order. Ended orders count, and so do drafts that are being placed or
// may be out.
func (s *Connections) HasOrders(ctx context.Context) (bool, error) {
	pipe := s.db.Redis.Pipeline()
	active, finished, shrunk := pipe.HLen(ctx, s.db.Key("active")), pipe.ZCard(ctx, s.db.Key("finished")), pipe.ZCard(ctx, s.db.Key("shrunk"))
	outstanding := pipe.ZCount(ctx, s.db.Key("outstanding"), strconv.FormatInt(time.Now().UnixMilli(), 10), "+inf")
	_, err := pipe.Exec(ctx)
	return active.Val()+finished.Val()+shrunk.Val()+outstanding.Val() > 0, kv.About("the", "orders", err)
}
