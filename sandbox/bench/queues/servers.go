package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
)

// server is what a queue keeps its jobs in.
type server interface {
	spent(ctx context.Context) (cost, error) // so far, without what is this process's own
	kept(ctx context.Context) (int64, error) // bytes; 0 when it does not tell
}

// errNone says that a program is not on this machine.
var errNone = errors.New("not installed")

// process is a server in a folder of its own.
type process struct {
	dir string
	cmd *exec.Cmd
}

// start runs a program, on one CPU if one is given, as somebody else if need be.
func (p *process) start(ctx context.Context, cpu string, who *syscall.Credential, program string, args ...string) error {
	if cpu != "" {
		program, args = "taskset", append([]string{"-c", cpu, program}, args...)
	}
	p.cmd = exec.CommandContext(ctx, program, args...)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: who, Setpgid: true} // ^C is for this process
	p.cmd.Dir = p.dir
	return p.cmd.Start()
}

func (p *process) stop() {
	if p.cmd != nil && p.cmd.Process != nil {
		_ = p.cmd.Process.Signal(syscall.SIGINT) // PostgreSQL's fast shutdown, Redis's shutdown
		_ = p.cmd.Wait()
	}
	_ = os.RemoveAll(p.dir)
}

// redisServer is a redis-server with the durability that the project asks for in its README.
type redisServer struct {
	process
	port int
	own  *redis.Client // looks at it; what it asks is not counted
}

func startRedis(ctx context.Context, cpu string) (*redisServer, error) {
	dir, err := os.MkdirTemp("", "queues-redis-")
	if err != nil {
		return nil, err
	}
	port, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	r := &redisServer{process: process{dir: dir}, port: port}
	err = r.start(ctx, cpu, nil, "redis-server", "--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--dir", dir,
		"--appendonly", "yes", "--appendfsync", "everysec", "--save", "", "--auto-aof-rewrite-percentage", "0")
	if err != nil {
		return nil, err
	}
	r.own = redis.NewClient(r.options())
	return r, until(ctx, func() error { return r.own.Ping(ctx).Err() })
}

func (r *redisServer) options() *redis.Options {
	return &redis.Options{Addr: "127.0.0.1:" + strconv.Itoa(r.port), PoolSize: 100}
}

// empty is a client of the server, which has nothing left; what it asks is counted.
func (r *redisServer) empty(ctx context.Context, asked *atomic.Int64) (*redis.Client, error) {
	rdb := redis.NewClient(r.options())
	rdb.AddHook(counter{asked})
	return rdb, r.own.FlushAll(ctx).Err()
}

// counter counts what a client sends.
type counter struct{ n *atomic.Int64 }

// DialHook implements [redis.Hook].
func (c counter) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements [redis.Hook].
func (c counter) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error { c.n.Add(1); return next(ctx, cmd) }
}

// ProcessPipelineHook implements [redis.Hook]: a pipeline is one round trip.
func (c counter) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error { c.n.Add(1); return next(ctx, cmds) }
}

func (r *redisServer) spent(ctx context.Context) (c cost, err error) {
	info, err := r.own.InfoMap(ctx, "commandstats").Result()
	if err != nil {
		return c, err
	}
	for _, stats := range info["Commandstats"] {
		calls, _, _ := strings.Cut(strings.TrimPrefix(stats, "calls="), ",")
		n, err := strconv.ParseInt(calls, 10, 64)
		if err != nil {
			return c, err
		}
		c.commands += n
	}
	c.server, err = cpuOf(r.cmd.Process.Pid)
	return c, err
}

// kept is what Redis holds: the data, and the tables of its keys; no buffers and no scripts.
func (r *redisServer) kept(ctx context.Context) (int64, error) {
	said, err := r.own.Do(ctx, "MEMORY", "STATS").Result()
	if err != nil {
		return 0, err
	}
	stats, _ := said.(map[any]any)
	database, _ := stats["db.0"].(map[any]any) // none when there is no key
	total := int64(0)
	for _, part := range []any{stats["dataset.bytes"], database["overhead.hashtable.main"], database["overhead.hashtable.expires"]} {
		n, _ := part.(int64)
		total += n
	}
	return total, nil
}

// postgresServer is a PostgreSQL as it comes.
type postgresServer struct {
	process
	port int
}

func startPostgres(ctx context.Context, cpu string) (*postgresServer, error) {
	bin, err := postgresBin()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "queues-postgres-")
	if err != nil {
		return nil, err
	}
	who, err := ordinary(dir)
	if err != nil {
		return nil, err
	}
	port, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	s := &postgresServer{process: process{dir: dir}, port: port}
	initialize := exec.CommandContext(ctx, filepath.Join(bin, "initdb"), "--pgdata", filepath.Join(dir, "data"), "--username", "bench", "--auth", "trust", "--no-sync")
	initialize.SysProcAttr, initialize.Dir = &syscall.SysProcAttr{Credential: who}, dir
	if out, err := initialize.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	err = s.start(ctx, cpu, who, filepath.Join(bin, "postgres"), "-D", filepath.Join(dir, "data"), "-p", strconv.Itoa(port),
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="+dir, "-c", "max_connections=200")
	if err != nil {
		return nil, err
	}
	return s, until(ctx, func() error {
		conn, err := pgx.Connect(ctx, s.url("postgres"))
		if err != nil {
			return err
		}
		return conn.Close(ctx)
	})
}

// postgresBin is where PostgreSQL's own programs are: Debian keeps them off the PATH.
func postgresBin() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err == nil && len(found) > 0 {
		return filepath.Dir(found[len(found)-1]), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", errNone
	}
	return filepath.Dir(path), nil
}

// ordinary is somebody who is not root, as PostgreSQL demands, and gives him the folder; nil when
// nobody else is needed.
func ordinary(dir string) (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.Atoi(nobody.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(nobody.Gid)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, os.Chown(dir, uid, gid)
}

func (s *postgresServer) url(database string) string {
	return fmt.Sprintf("postgres://bench@127.0.0.1:%d/%s", s.port, database)
}

// empty is a pool of connections to a new database.
func (s *postgresServer) empty(ctx context.Context, asked *atomic.Int64, synchronous string) (*pgxpool.Pool, error) {
	conn, err := pgx.Connect(ctx, s.url("postgres"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, statement := range []string{"DROP DATABASE IF EXISTS bench WITH (FORCE)", "CREATE DATABASE bench"} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return nil, err
		}
	}
	config, err := pgxpool.ParseConfig(s.url("bench"))
	if err != nil {
		return nil, err
	}
	config.MaxConns = 50
	config.ConnConfig.RuntimeParams["synchronous_commit"] = synchronous
	config.ConnConfig.Tracer = tracer{asked}
	return pgxpool.NewWithConfig(ctx, config)
}

// tracer counts statements.
type tracer struct{ n *atomic.Int64 }

// TraceQueryStart implements [pgx.QueryTracer].
func (t tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	t.n.Add(1)
	return ctx
}

// TraceQueryEnd implements [pgx.QueryTracer].
func (t tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (s *postgresServer) spent(context.Context) (c cost, err error) {
	c.server, err = cpuOf(s.cmd.Process.Pid)
	return c, err
}

func (s *postgresServer) kept(context.Context) (int64, error) { return 0, nil }

func freePort(ctx context.Context) (int, error) {
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// until repeats f until it succeeds, for ten seconds.
func until(ctx context.Context, f func() error) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		err := f()
		if err == nil || ctx.Err() != nil {
			tick.Stop()
			return err
		}
		<-tick.C
	}
}
