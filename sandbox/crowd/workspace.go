package crowd

import (
	"fmt"
	"net/url"
	"sync"
	"time"
)

// workspace is one, with its account.
type workspace struct {
	number int
	id     string
	places int // channels

	mu            sync.Mutex // guards the rest
	orders        []orderState
	pages         map[int][]byte // of the list of orders, as they are now
	fault         Fault
	secrets       int       // that the account has beside its first: the service takes any of them
	token         int       // which one is the newest
	expires       time.Time // of it; zero: never
	former        time.Time // when the one before it ends
	polled        time.Time // when its list was last asked for
	serial        int64     // of messages
	messages      []*Message
	conversations map[int]*conversation // by order
	rounds        map[int]*round
	views         []*view
}

// orderState is one order and what was told of it.
type orderState struct {
	changes int32     // so far: paused after odd numbers of them
	told    int32     // of these, in their order
	changed time.Time // the latest one
	seen    time.Time // when the service first showed it
}

// Fault is what is wrong with a service, for one account; the zero value: nothing.
type Fault struct {
	Slow time.Duration // on top of what all take
	Hang bool          // it never answers
	Down bool          // it answers 503
}

func (c *Crowd) newWorkspace(n int) *workspace {
	w := &workspace{number: n, id: c.Workspace(n), pages: map[int][]byte{}}
	w.orders, w.places = make([]orderState, c.o.Orders), max(min(c.o.Channels, c.o.Orders), 1)
	if c.o.TokenLife > 0 {
		w.expires = time.Now().Add(c.o.TokenLife/2 + c.o.TokenLife/2*time.Duration(n+1)/time.Duration(c.o.Workspaces)) // not all at the same time
	}
	return w
}

func (w *workspace) channel(order int) string { return channelID(order % w.places) }

// orderedAt is when an order was placed: one a minute until yesterday, the latest ones have the highest numbers. None can be canceled
// any more.
func (c *Crowd) orderedAt(w *workspace, order int) time.Time {
	return c.began.Add(-24*time.Hour - time.Duration(len(w.orders)-order)*time.Minute).UTC().Truncate(time.Second)
}

// name is that of an order. It names the workspace.
func (w *workspace) name(order int) string { return fmt.Sprintf("Order %d of %s", order, w.id) }

// Service has a workspace's account served with that fault from now on, which the zero value ends.
func (c *Crowd) Service(workspace int, f Fault) {
	w := c.workspaces[workspace]
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault = f
}

func (w *workspace) botToken(n int) string { return fmt.Sprintf("xoxe.xoxb-1-%08d-%d", w.number, n) }

func (w *workspace) refreshToken(n int) string { return fmt.Sprintf("xoxe-1-%08d-%d", w.number, n) }

func (w *workspace) key() string { return fmt.Sprintf("crowd-key-%08d", w.number) }

func (w *workspace) secret(n int) string { return fmt.Sprintf("crowd-secret-%08d-%d", w.number, n) }

// signed tells whether a request has the signature of one of the account's secrets.
func (w *workspace) signed(q url.Values) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for n := w.secrets; n >= 0; n-- {
		if q.Get("signature") == signature(w.secret(n), q) {
			return true
		}
	}
	return false
}

// numbered is the workspace whose number follows a prefix, with what comes behind it; nil: none.
func (c *Crowd) numbered(text, prefix string) (w *workspace, rest string) {
	var n int
	if len(text) < len(prefix)+8 || text[:len(prefix)] != prefix {
		return nil, ""
	}
	if _, err := fmt.Sscanf(text[len(prefix):len(prefix)+8], "%d", &n); err != nil || n < 0 || n >= len(c.workspaces) {
		return nil, ""
	}
	return c.workspaces[n], text[len(prefix)+8:]
}
