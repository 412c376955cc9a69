// Package topology runs Redis for tests, with real processes on free loopback ports: one server, a
// server with replicas behind three Sentinels, or a Cluster of three masters with replicas. Each node
// can be killed, frozen and restarted; it keeps its port, its files and its last role.
//
// The server is the redis-server on PATH, or the program that [Options.Server] names, such as a
// valkey-server.
package topology

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Kind is the topology of a Redis.
type Kind string

// The kinds.
const (
	One      Kind = "one"      // a server; its replicas, if any, never take over
	Sentinel Kind = "sentinel" // a server with replicas; three Sentinels choose the main one
	Cluster  Kind = "cluster"  // three masters, each with replicas that take over
)

// masters is the number of a cluster's masters: the fewest that can agree on a failover.
const masters = 3

// mainName is what Sentinels call the server that they watch.
const mainName = "main"

// Options are the settings of [Start]. The zero value is one server with an append-only file.
type Options struct {
	Kind      Kind
	Server    string        // the program; "" is the redis-server on PATH
	Replicas  int           // of each master; Sentinels need one
	Fsync     string        // appendfsync; "" is no
	Databases int           // of each server; 0 is 16
	Away      time.Duration // the silence after which a master counts as gone; 0 is a second
	Settings  []string      // further lines of each server's configuration
}

// Redis has the processes that [Start] started.
type Redis struct {
	Kind      Kind
	Nodes     []*Node // with data; the first masters come first
	Sentinels []*Node
}

// Start runs a Redis in a folder, which gets its logs and files, and returns when it serves and every
// replica has its master's data. After an error no process is left.
func Start(ctx context.Context, dir string, o Options) (r *Redis, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	o.Kind, o.Away = cmp.Or(o.Kind, One), cmp.Or(o.Away, time.Second)
	r = &Redis{Kind: o.Kind}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	first := 1
	if o.Kind == Cluster {
		first = masters
	}
	for n := range first * (1 + o.Replicas) {
		node, err := start(ctx, o.Server, filepath.Join(dir, fmt.Sprintf("node%d", n)), o.settings())
		if err != nil {
			return r, err
		}
		r.Nodes = append(r.Nodes, node)
	}
	if o.Kind == Cluster {
		return r, r.meet(ctx)
	}
	if err := r.follow(ctx); err != nil || o.Kind == One {
		return r, err
	}
	return r, r.watch(ctx, dir, o)
}

// settings returns the lines of a server's configuration.
func (o Options) settings() []string {
	all := []string{
		"appendonly yes", "appendfsync " + cmp.Or(o.Fsync, "no"), `save ""`, "maxmemory-policy noeviction",
		"repl-diskless-sync yes", "repl-diskless-sync-delay 0",
		"repl-ping-replica-period 1", // a cluster names a replica only once it has heard something
	}
	if o.Databases > 0 {
		all = append(all, fmt.Sprintf("databases %d", o.Databases))
	}
	if o.Kind == Cluster {
		all = append(all, "cluster-enabled yes", "cluster-config-file nodes.conf", fmt.Sprintf("cluster-node-timeout %d", o.Away.Milliseconds()))
	}
	return append(all, o.Settings...)
}

// follow makes all nodes replicas of the first.
func (r *Redis) follow(ctx context.Context) error {
	for _, replica := range r.Nodes[1:] {
		rdb := replica.Client()
		err := errors.Join(rdb.ReplicaOf(ctx, host, r.Nodes[0].port()).Err(), rdb.ConfigRewrite(ctx).Err(), rdb.Close())
		if err != nil {
			return err
		}
	}
	return r.copied(ctx)
}

// copied waits until every replica has its master's data.
func (r *Redis) copied(ctx context.Context) error {
	for _, node := range r.Nodes {
		rdb := node.Client()
		err := until(ctx, "a replica does not follow", func() bool {
			says, err := rdb.Info(ctx, "replication").Result()
			return err == nil && (strings.Contains(says, "role:master") || strings.Contains(says, "master_link_status:up"))
		})
		if err := errors.Join(err, rdb.Close()); err != nil {
			return err
		}
	}
	return nil
}

// URL returns the REDIS_URL of the app, also while no node runs. A cluster ignores db.
func (r *Redis) URL(db int) string {
	nodes, query := r.Nodes, ""
	switch r.Kind {
	case Sentinel:
		nodes, query = r.Sentinels, "&master_name="+mainName
	case One:
		nodes = r.Nodes[:1]
	case Cluster:
		db = 0
	}
	for _, node := range nodes[1:] {
		query += "&addr=" + node.Addr
	}
	path := fmt.Sprintf("/%d", db)
	if r.Kind == Cluster {
		path = ""
	}
	if query != "" {
		query = "?" + query[1:]
	}
	return "redis://" + nodes[0].Addr + path + query
}

// Close kills all processes. Their files stay.
func (r *Redis) Close() {
	for _, node := range append(r.Sentinels, r.Nodes...) {
		node.Kill()
	}
}

// Main returns the node that has a key, as the running nodes see it; right after a failover they may be wrong.
func (r *Redis) Main(ctx context.Context, key string) (*Node, error) {
	switch r.Kind {
	case Sentinel:
		return r.chosen(ctx)
	case Cluster:
		return r.owner(ctx, key)
	default:
		return r.Nodes[0], nil
	}
}

// at returns the node that listens at an address.
func (r *Redis) at(addr string) (*Node, error) {
	for _, node := range r.Nodes {
		if node.Addr == addr {
			return node, nil
		}
	}
	return nil, fmt.Errorf("nobody of ours listens at %s", addr)
}

// ReplicasOf returns the replicas of a node, as it sees them.
func (r *Redis) ReplicasOf(ctx context.Context, node *Node) (all []*Node, err error) {
	rdb := node.Client()
	defer func() { _ = rdb.Close() }()
	says, err := rdb.Info(ctx, "replication").Result()
	for _, other := range r.Nodes {
		if strings.Contains(says, "port="+other.port()+",") {
			all = append(all, other)
		}
	}
	return all, err
}

// until checks a condition every few milliseconds until it holds or ctx ends.
func until(ctx context.Context, otherwise string, holds func() bool) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", otherwise, ctx.Err())
		case <-tick.C:
		}
	}
	return nil
}

// write writes a file of a node.
func write(name string, lines []string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}

// newClient returns a client of one node that does not retry.
func newClient(addr string) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: true, DialTimeout: time.Second, ReadTimeout: 2 * time.Second, MaxRetries: -1})
}
