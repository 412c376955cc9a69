// Package crowd is a Slack of very many workspaces, each with an account of its own at an order service, in one
// process: small enough that ten thousand of them fit beside what is measured. It answers what an app asks for that
// polls and announces, and keeps a ledger of what should have been told and of what was.
//
//	c, err := crowd.Start(crowd.Options{Workspaces: 1000, Orders: 10})
//	err = c.Fill(ctx, rdb, keys)       // installations, accounts and orders, straight into Redis
//	environ := c.Environ()             // of `darkroom serve`, but for its addresses, Redis and its keys
//	c.Change(workspace, order)         // at the service: paused, and at work again the next time
//	err = c.Settle(ctx)                // waits until all changes were told
//	err = c.Check()                    // each message that is lost, doubled, out of order, or elsewhere
//
// Workspaces are numbered from 0, and so are the orders of each. All workspaces have equal ids for channels, people
// and orders, which only the bearer token and the account's key tell apart; the name of each order names the workspace,
// so that a message which one workspace's token posts about an order of another's is seen by its words. Orders are
// owned by channels, have a card that is out, and are followed by nobody; they are being edited.
//
// Everything may be made worse for one workspace: its account's service is slow, hangs or is down
// ([Crowd.Service]). Tokens may end ([Options.TokenLife]). A signature that
// does not fit its account, a dead token, and a method that is not known here are in [Crowd.Check] too.
//
// It checks no blocks: that is what darkroom/sandbox/workspace is for. It is for benchmarks and for chaos.
package crowd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Options say how many there are, and what they are like.
type Options struct {
	Workspaces int
	Orders     int // active ones of each
	Channels   int // of each workspace, over which its orders are spread; 0: 10, at most one for each order
	Services   int // addresses at which the accounts are; 0: 1

	SlackLatency   time.Duration // of each answer of Slack's
	ServiceLatency time.Duration // of each answer of a service's

	TokenLife time.Duration // after which a bot token ends; 0: never
}

// What is the same in all workspaces, and for all accounts.
const (
	SigningSecret = "crowd-signing-secret-0123456789" //nolint:gosec // of no Slack
	clientID      = "1234567890.0987654321"
	clientSecret  = "crowd-client-secret" //nolint:gosec // of no Slack
	person        = "U0MARIA"
	botUser       = "U0DARKROOM"
	botID         = "B0DARKROOM"
	appID         = "A0DARKROOM"
)

// Crowd is a running one. Its methods may be called from several goroutines.
type Crowd struct {
	o       Options
	servers []*http.Server
	slack   string   // its address
	service []string // the addresses of the services
	began   time.Time

	workspaces  []*workspace
	violations  noted        // what should never come: an unknown method, a dead token, a signature that does not fit
	requests    atomic.Int64 // to the services
	polls       atomic.Int64 // of lists of orders, from their first page
	times       times
	untold      atomic.Int64 // changes that were not told yet
	undelivered atomic.Int64 // words to editors that did not arrive yet
	unshown     atomic.Int64 // of those that did, not shown as sent
	renewals    atomic.Int64 // of tokens
	refusals    counts       // of what people sent to the app
	people      *http.Client // through which Slack sends what they do
	ended       chan struct{}
	close       sync.Once
}

// Start starts one on 127.0.0.1.
func Start(o Options) (*Crowd, error) {
	o.Channels, o.Services = cmp.Or(o.Channels, 10), cmp.Or(o.Services, 1)
	c := &Crowd{o: o, began: time.Now(), ended: make(chan struct{}), refusals: counts{of: map[string]int64{}}}
	c.people = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	for n := range o.Workspaces {
		c.workspaces = append(c.workspaces, c.newWorkspace(n))
	}
	base, err := c.serve(http.HandlerFunc(c.serveSlack))
	c.slack = base
	for range o.Services {
		if err == nil {
			base, err = c.serve(http.HandlerFunc(c.serveService))
			c.service = append(c.service, base)
		}
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// serve serves a handler on a free port.
func (c *Crowd) serve(h http.Handler) (string, error) {
	var listen net.ListenConfig
	l, err := listen.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	c.servers = append(c.servers, s)
	go func() { _ = s.Serve(l) }() // until it is closed
	return "http://" + l.Addr().String(), nil
}

// Close ends it, requests that hang too.
func (c *Crowd) Close() {
	c.close.Do(func() {
		close(c.ended)
		for _, s := range c.servers {
			_ = s.Close()
		}
		c.people.CloseIdleConnections()
	})
}

// Environ is the environment of an app for many workspaces: all that serve needs but REDIS_URL, LISTEN_ADDR, ADMIN_ADDR, PUBLIC_URL,
// FILE_SIGNING_KEY and ENCRYPTION_KEY.
func (c *Crowd) Environ() []string {
	return []string{
		"SLACK_CLIENT_ID=" + clientID, "SLACK_CLIENT_SECRET=" + clientSecret, "SLACK_SIGNING_SECRET=" + SigningSecret,
		"SLACK_API_URL=" + c.slack + "/api/", "DARKROOM_ALLOW_PRIVATE_URLS=true",
	}
}

// Len is how many workspaces there are.
func (c *Crowd) Len() int { return len(c.workspaces) }

// Orders is how many orders a workspace has.
func (c *Crowd) Orders(workspace int) int { return len(c.workspaces[workspace].orders) }

// Workspace is the id of one.
func (c *Crowd) Workspace(n int) string { return fmt.Sprintf("T0CROWD%05d", n) }

// Order is the id of an order, which is the same in each workspace.
func (c *Crowd) Order(n int) string { return orderID(n) }

// Channel is the id of the channel that owns an order of a workspace.
func (c *Crowd) Channel(workspace, order int) string { return c.workspaces[workspace].channel(order) }

func orderID(n int) string { return fmt.Sprintf("ord%06d", n) }

func channelID(n int) string { return fmt.Sprintf("C0CROWD%04d", n) }

// noted are errors, the first ones of them.
type noted struct {
	mu   sync.Mutex
	errs []error
	seen int
}

const mostNoted = 50

func (n *noted) add(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.seen++; len(n.errs) < mostNoted {
		n.errs = append(n.errs, err)
	}
}

func (n *noted) err() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return errors.Join(n.errs...)
}

// counts are numbers by name.
type counts struct {
	mu sync.Mutex
	of map[string]int64
}

func (c *counts) add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of[name]++
}

func (c *counts) all() map[string]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.of)
}

// times are kept one by one.
type times struct {
	mu  sync.Mutex
	all []Latency
}

func (t *times) add(one Latency) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, one)
}

func (t *times) take() []Latency {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.all
	t.all = nil
	return all
}
