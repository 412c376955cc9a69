package chaos

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/conn"
	"darkroom/store/storetest/topology"
)

// redisServer is a real Redis with append-only files, on one machine or on several, of which the one
// that holds our keys can be killed, frozen and started again.
//
// It syncs its file always: with "everysec" Redis answers up to two seconds before it
// writes when the disk is busy, and a killed Redis then forgets what it has confirmed.
type redisServer struct {
	*topology.Redis
	url string                // for the app
	rdb redis.UniversalClient // the harness's own eyes

	mu  sync.Mutex // one thing is done to it at a time
	key string     // who holds it is the one to which that is done
}

// ourKey is in the slot of all our keys.
const ourKey = "{darkroom}:q:stream"

// gone is after how long a node counts as gone, to the others.
const gone = 1500 * time.Millisecond

// tempDir is a folder in memory where there is one: a chaos suite is no test of the disk.
func tempDir() (string, error) {
	if dir, err := os.MkdirTemp("/dev/shm", "darkroom-chaos"); err == nil {
		return dir, nil
	}
	return os.MkdirTemp("", "darkroom-chaos")
}

// startRedis starts one on free ports. Whoever takes over is there only on several machines.
func startRedis(ctx context.Context, dir string, o Options) (*redisServer, error) {
	t := topology.Options{Kind: o.Redis, Server: o.Server, Fsync: "always", Away: gone}
	if o.several() {
		t.Replicas = 1
	}
	if o.Wait {
		t.Replicas = 2 // with one, nothing would be taken after a failover until the dead server is back
	}
	if o.Copies > 0 {
		t.Replicas = o.Copies
	}
	started, err := topology.Start(ctx, filepath.Join(dir, "redis"), t)
	if err != nil {
		return nil, err
	}
	r := &redisServer{Redis: started, url: started.URL(0), key: ourKey}
	if o.Wait {
		and := "?"
		if o.several() {
			and = "&"
		}
		r.url += and + "wait_replicas=1"
	}
	if r.rdb, err = conn.Connect(started.URL(0)); err != nil {
		started.Close()
		return nil, err
	}
	return r, nil
}

// node is the client of the one node that has a key.
func (r *redisServer) node(ctx context.Context, key string) redis.Cmdable {
	if cluster, is := r.rdb.(*redis.ClusterClient); is {
		if node, err := cluster.MasterForKey(ctx, key); err == nil {
			return node
		}
	}
	return r.rdb
}

// bounceAt is bounce for the node that has a key.
func (r *redisServer) bounceAt(ctx context.Context, key string, down time.Duration) error {
	r.mu.Lock()
	r.key = key
	r.mu.Unlock()
	return r.bounce(ctx, down, nil)
}

// bounce kills Redis, leaves it down for a while, does something to its files, and starts it again. On several
// machines another node takes over, and the killed one comes back as its copy.
func (r *redisServer) bounce(ctx context.Context, down time.Duration, meanwhile func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	main, err := r.Main(ctx, r.key)
	if err != nil {
		return err
	}
	main.Kill()
	if r.Kind != topology.One {
		err = r.takenOver(ctx, main)
	}
	pause(ctx, down)
	if meanwhile != nil {
		err = errors.Join(err, meanwhile())
	}
	ctx = context.WithoutCancel(ctx)
	return errors.Join(err, main.Restart(ctx), r.copied(ctx))
}

// takenOver waits until another node than that serves.
func (r *redisServer) takenOver(ctx context.Context, than *topology.Node) error {
	other := poll(ctx, 30*time.Second, 20*time.Millisecond, func() bool {
		now, err := r.Main(ctx, r.key)
		return err == nil && now != than && serves(ctx, now, r.key)
	})
	if !other {
		return errors.New("redis: nobody took over")
	}
	return nil
}

// serves tells whether a node takes writes where a key is.
func serves(ctx context.Context, node *topology.Node, key string) bool {
	rdb := node.Client()
	defer func() { _ = rdb.Close() }()
	return rdb.Set(ctx, key[:strings.IndexByte(key, '}')+1]+":chaos", 1, time.Minute).Err() == nil
}

// copied waits until whoever serves has a copy again: an operator would not have it otherwise either.
func (r *redisServer) copied(ctx context.Context) error {
	if r.Kind == topology.One {
		return nil
	}
	if !poll(ctx, time.Minute, 50*time.Millisecond, func() bool {
		main, err := r.Main(ctx, r.key)
		if err != nil {
			return false
		}
		copies, err := r.ReplicasOf(ctx, main)
		return err == nil && len(copies) > 0 && serves(ctx, main, r.key)
	}) {
		return errors.New("redis: whoever serves has no replica")
	}
	return nil
}

// freeze stops Redis where it stands, for a while: connections stay, nothing answers. On several machines
// another node may take over meanwhile; the frozen one learns of it when it thaws.
func (r *redisServer) freeze(ctx context.Context, d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	main, err := r.Main(ctx, r.key)
	if err != nil {
		return
	}
	main.Freeze()
	pause(ctx, d)
	main.Thaw()
	_ = r.copied(context.WithoutCancel(ctx))
}

// tail is the append-only file that is being written.
func (r *redisServer) tail() (string, error) {
	found, err := filepath.Glob(filepath.Join(r.Nodes[0].Dir, "appendonlydir", "*.incr.aof"))
	if err != nil || len(found) == 0 {
		return "", errors.Join(err, errors.New("redis has no append-only file"))
	}
	newest := found[0]
	for _, f := range found {
		if len(f) > len(newest) || len(f) == len(newest) && f > newest {
			newest = f
		}
	}
	return newest, nil
}

// size is how long that file is.
func (r *redisServer) size() (int64, error) {
	file, err := r.tail()
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// cut shortens that file; only while Redis is down.
func (r *redisServer) cut(to int64) error {
	file, err := r.tail()
	if err != nil {
		return err
	}
	return os.Truncate(file, to)
}

func (r *redisServer) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.rdb.Close()
	r.Close()
}

// describe says what Redis it is, for the head of a report.
func (o Options) describe() string {
	kind := map[topology.Kind]string{topology.Cluster: "a cluster of three masters", topology.Sentinel: "a server behind three Sentinels"}[o.Redis]
	if kind == "" {
		return "one Redis"
	}
	if o.Wait {
		return kind + " with two replicas, wait_replicas=1"
	}
	return kind + " with one replica, without WAIT"
}

// several tells whether somebody takes over from a Redis that dies.
func (o Options) several() bool { return o.Redis == topology.Cluster || o.Redis == topology.Sentinel }

// mayForget tells whether a Redis that dies may take what it confirmed with it: whoever takes over may not
// have it yet.
func (o Options) mayForget() bool { return o.several() && !o.Wait }

// freeAddress is where nobody listens.
func freeAddress(ctx context.Context) (string, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// poll looks every now and then until something holds, at most for so long.
func poll(ctx context.Context, patience, every time.Duration, holds func() bool) bool {
	deadline := time.Now().Add(patience)
	for !holds() {
		if ctx.Err() != nil || time.Now().After(deadline) {
			return false
		}
		pause(ctx, every)
	}
	return true
}
