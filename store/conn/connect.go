package conn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/queue"
)

// Connect returns a client for a Redis URL. It sends nothing yet. The forms:
//
//	redis://[user:password@]host:6379[/db]            one server; rediss:// with TLS
//	unix://[user:password@]/path/to/redis.sock[?db=1]
//	redis://host:26379[/db]?master_name=NAME[&addr=host2:26379…]   sentinels
//	redis://host:6379?addr=host2:6379[&addr=…]        a cluster; or redis+cluster://host:6379
//
// redis+sentinel:// and rediss+sentinel:// mean sentinels too, rediss+cluster:// a
// cluster with TLS. go-redis reads further options from the query, such as
// pool_size and dial_timeout. With wait_replicas=N, in any form, a write counts only once N
// replicas have it. After wait_timeout (500ms by default, 2s at most) it fails with
// [queue.ErrUnconfirmed]. Connect returns [ErrWait] for malformed values of these. No error
// quotes the URL: it may hold a password.
func Connect(rawURL string) (redis.UniversalClient, error) { return ConnectFor(rawURL, 0) }

// ConnectFor is Connect for a caller that runs so many commands at once with each server, blocking ones included. Each
// gets a connection, made when it is first needed. The pool_size of the URL replaces the number. There are at least as
// many connections as the library's default: ten for each core.
func ConnectFor(rawURL string, commands int) (redis.UniversalClient, error) {
	u, err := url.Parse(strings.TrimSpace(rawURL))
	if err != nil {
		return nil, errors.New("redis: not a URL")
	}
	wait, err := takeWait(u)
	if err != nil {
		return nil, err
	}
	rdb, err := connect(u, commands)
	if err != nil {
		return nil, err
	}
	return confirming(rdb, wait), nil
}

func connect(u *url.URL, commands int) (redis.UniversalClient, error) {
	scheme, form, _ := strings.Cut(u.Scheme, "+")
	u.Scheme = scheme
	switch {
	case scheme != "redis" && scheme != "rediss" && scheme != "unix",
		form != "" && form != "cluster" && form != "sentinel":
		return nil, errors.New("redis: the URL must begin with redis://, rediss:// or unix://")
	case form == "sentinel" || u.Query().Has("master_name"):
		return connectSentinel(u.String(), commands)
	case form == "cluster" || u.Query().Has("addr"):
		return connectCluster(u.String(), commands)
	}
	return connectOne(u.String(), commands)
}

func connectOne(rawURL string, commands int) (redis.UniversalClient, error) {
	o, err := redis.ParseURL(rawURL)
	if err != nil {
		return nil, errURL
	}
	o.ContextTimeoutEnabled = true
	o.PoolSize = poolSize(o.PoolSize, commands)
	return redis.NewClient(o), nil
}

func connectSentinel(rawURL string, commands int) (redis.UniversalClient, error) {
	o, err := redis.ParseFailoverURL(rawURL)
	if err != nil {
		return nil, errURL
	}
	if o.MasterName == "" {
		return nil, errors.New("redis: sentinels need ?master_name=")
	}
	o.ContextTimeoutEnabled = true
	o.PoolSize = poolSize(o.PoolSize, commands)
	rdb := redis.NewFailoverClient(o)
	rdb.AddHook(namedBySentinel{})
	return rdb, nil
}

// perCore is the library's limit of connections to a server, for each core.
const perCore = 10

// poolSize returns the limit of connections to a server: the URL's, or as many as are needed.
func poolSize(said, commands int) int {
	return cmp.Or(said, max(commands, perCore*runtime.GOMAXPROCS(0)))
}

// namedBySentinel is a hook for a client behind Sentinels. A Sentinel that knows no server of the name,
// as for a moment after a reset, answers with no value. The library returns that as the answer to the
// command: an order would seem to be untracked.
type namedBySentinel struct{}

// DialHook implements [redis.Hook].
func (namedBySentinel) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := next(ctx, network, addr)
		if errors.Is(err, redis.Nil) {
			err = fmt.Errorf("%w: the Sentinels know no server of that master_name", queue.ErrNoServer)
		}
		return conn, err
	}
}

// ProcessHook implements [redis.Hook].
func (namedBySentinel) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

// ProcessPipelineHook implements [redis.Hook].
func (namedBySentinel) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func connectCluster(rawURL string, commands int) (redis.UniversalClient, error) {
	o, err := redis.ParseClusterURL(rawURL)
	if err != nil {
		return nil, errURL
	}
	o.ContextTimeoutEnabled = true
	o.PoolSize = poolSize(o.PoolSize, commands)
	// A node that is gone does not answer, so it cannot say who took over. The client reloads the slots
	// only this often, by default once a minute. And by default it would dial a dead node five times
	// before it looks for another.
	o.ClusterStateReloadInterval = cmp.Or(o.ClusterStateReloadInterval, time.Second)
	o.DialerRetries = cmp.Or(o.DialerRetries, 1)
	return redis.NewClusterClient(o), nil
}

// errURL replaces the errors of the library's parser: they quote parts of the URL, and
// a password with an unescaped / or ? may be in any part.
var errURL = errors.New("redis: the URL is not understood; in a password, / ? # and @ are written as %2F %3F %23 and %40")
