package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"time"
)

// ErrNotConnected says that the workspace has no account at an order service.
var ErrNotConnected = errors.New("not connected to an order service")

// ServiceAccount is an account at an order service, and how that service wants to be spoken to. It is
// kept sealed, and nothing that prints or logs one shows it.
type ServiceAccount struct {
	URL       string    `json:"url"`
	Key       string    `json:"key"`
	Secret    string    `json:"secret"`
	Params    string    `json:"params,omitempty"`    // where the parameters of writes travel
	Signature string    `json:"signature,omitempty"` // how the signed JSON is written
	Numbers   string    `json:"numbers,omitempty"`   // how numbers are signed
	BasicAuth bool      `json:"basic_auth,omitempty"`
	By        string    `json:"by,omitempty"` // who connected it
	At        time.Time `json:"at,omitzero"`
}

// String shows nothing of an account: it holds credentials.
func (ServiceAccount) String() string { return "store.ServiceAccount(***)" }

// GoString is String: %#v shows no secret either.
func (a ServiceAccount) GoString() string { return a.String() }

// LogValue is String: a logged account shows no secret.
func (a ServiceAccount) LogValue() slog.Value { return slog.StringValue(a.String()) }

// Host is where the service is, for people: without anything that may be secret.
func (a ServiceAccount) Host() string {
	u, err := url.Parse(a.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

// Print is the same for the same account: the service's address and the key, of which it tells nothing.
func (a ServiceAccount) Print() string {
	sum := sha256.Sum256([]byte(strings.TrimRight(a.URL, "/") + "\n" + a.Key))
	return hex.EncodeToString(sum[:8])
}

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
	Print   string  // of that account, see [ServiceAccount.Print]
	Leaving Leaving // what becomes of the data when the app is removed

	// Forgetting is since when its data is being forgotten, or was; zero: it is not, or was connected since.
	Forgetting time.Time
	Forgotten  bool // all of it
}

// forgettingTakes is how long forgetting may take; then nobody waits for it any more.
const forgettingTakes = 24 * time.Hour

// Busy reports whether data is being forgotten: what is added now might go with it.
func (c Connection) Busy(now time.Time) bool {
	return !c.Forgetting.IsZero() && !c.Forgotten && now.Sub(c.Forgetting) < forgettingTakes
}

// Other reports whether that is another account than the one with which the orders here were placed.
func (c Connection) Other(a ServiceAccount) bool { return c.Print != "" && c.Print != a.Print() }

// Connection returns it. Of a workspace that was never connected it is the zero one.
func (s *Store) Connection(ctx context.Context) (Connection, error) {
	fields, err := s.rdb.HGetAll(ctx, s.key("connection")).Result()
	if err != nil {
		return Connection{}, about("the", "connection", err)
	}
	c := Connection{Host: fields["host"], Print: fields["print"], Leaving: Leaving(fields["leaving"]), Forgotten: fields["forgotten"] != ""}
	if fields["forgetting"] != "" {
		err = c.Forgetting.UnmarshalText([]byte(fields["forgetting"]))
	}
	return c, about("the", "connection", err)
}

// NoteConnected keeps with which account the orders here are placed from now on.
func (s *Store) NoteConnected(ctx context.Context, a ServiceAccount) error {
	pipe := s.rdb.TxPipeline()
	pipe.HSet(ctx, s.key("connection"), "host", a.Host(), "print", a.Print())
	pipe.HDel(ctx, s.key("connection"), "forgetting", "forgotten")
	pipe.Persist(ctx, s.key("connection"))
	_, err := pipe.Exec(ctx)
	return about("the", "connection", err)
}

// SetLeaving keeps what becomes of the data when the app is removed.
func (s *Store) SetLeaving(ctx context.Context, l Leaving) error {
	return about("the", "connection", s.rdb.HSet(ctx, s.key("connection"), "leaving", string(l)).Err())
}

// HasOrders reports whether the workspace has any order, ended ones too.
func (s *Store) HasOrders(ctx context.Context) (bool, error) {
	pipe := s.rdb.Pipeline()
	active, finished, shrunk := pipe.HLen(ctx, s.key("active")), pipe.ZCard(ctx, s.key("finished")), pipe.ZCard(ctx, s.key("shrunk"))
	_, err := pipe.Exec(ctx)
	return active.Val()+finished.Val()+shrunk.Val() > 0, about("the", "orders", err)
}
