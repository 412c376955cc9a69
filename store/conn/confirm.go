package conn

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/script"
)

// confirmed is a client each of whose writes is confirmed by that many replicas before it
// counts: see [confirm].
type confirmed struct {
	redis.UniversalClient
	waiting
}

// confirming makes rdb wait for replicas, if w says so. In a cluster each node's own client
// waits: WAIT belongs to the node that was written to. A transaction is marked before it goes
// to a node, where it cannot grow any more.
func confirming(rdb redis.UniversalClient, w waiting) redis.UniversalClient {
	if w.replicas == 0 {
		return rdb
	}
	switch c := rdb.(type) {
	case *redis.Client:
		c.AddHook(marked{redis: c})
		c.AddHook(confirm{waiting: w, rdb: c})
	case *redis.ClusterClient:
		c.AddHook(marked{redis: c})
		c.OnNewNode(func(node *redis.Client) { node.AddHook(confirm{waiting: w, rdb: node}) })
	}
	return confirmed{rdb, w}
}

// Unwrap returns the client that does not wait.
func (c confirmed) Unwrap() redis.UniversalClient { return c.UniversalClient }

// waitsFor is for how many replicas rdb waits.
func waitsFor(rdb redis.UniversalClient) int {
	c, _ := rdb.(confirmed)
	return c.replicas
}

// reads are the commands after which nobody waits: those that change nothing, and those with
// which a worker takes a token of the queue, which counts for nothing before it is claimed.
// Whatever is named nowhere here is waited for, and so are scripts but those that say that they only read.
var reads = []string{
	"config", "exists", "get", "hexists", "hget", "hgetall", "hkeys", "hlen", "hmget", "hscan", "info", "lindex", "llen", "lrange", "mget", "ping",
	"scan", "scard", "smembers", "time", "xautoclaim", "xreadgroup", "zcard", "zrange", "zrevrange", "zscore",
}

// own are those by which the library keeps its connections and learns of a cluster: a new
// connection is not yet in the pool that a pipeline takes one from.
var own = []string{"asking", "auth", "client", "cluster", "command", "hello", "readonly", "readwrite", "select", "wait"}

func reading(cmd redis.Cmder) bool {
	return slices.Contains(reads, cmd.Name()) || slices.Contains(own, cmd.Name())
}

// confirm is the hook that makes writes wait. WAIT tells only of what its own connection
// wrote; so it goes out in one pipeline with the write, which keeps one connection, and behind
// one more write. That one is there for steps that find their work done: what an earlier try
// wrote over another connection, unconfirmed, comes before it in the stream that replicas
// read, so that nothing is called confirmed before all that it builds upon is. (Redis 7.0
// counts from any command of the connection; it promises to count from its writes only.) See
// https://redis.io/docs/latest/commands/wait/. Transactions are left to [marked]: the library
// takes the last answer for EXEC's, and within MULTI WAIT returns at once.
type confirm struct {
	anyDial
	waiting
	rdb *redis.Client
}

// anyDial is a hook that leaves connections alone.
type anyDial struct{}

// DialHook implements [redis.Hook].
func (anyDial) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements [redis.Hook]: a write becomes a pipeline.
func (c confirm) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if reading(cmd) || script.ReadsOnly(ctx) {
			return next(ctx, cmd)
		}
		p := c.rdb.Pipeline()
		if err := p.Process(ctx, cmd); err != nil {
			return err
		}
		_, err := p.Exec(ctx)
		return err
	}
}

// ProcessPipelineHook implements [redis.Hook].
func (c confirm) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if isTransaction(cmds) || !slices.ContainsFunc(cmds, func(cmd redis.Cmder) bool { return !reading(cmd) }) {
			return next(ctx, cmds)
		}
		mark := redis.NewStatusCmd(ctx, "set", spaceOf(cmds).Key("confirm"), 1)
		wait := redis.NewIntCmd(ctx, "wait", c.replicas, c.timeout.Milliseconds())
		ran := next(ctx, slices.Concat(cmds, []redis.Cmder{mark, wait}))
		if mark.Err() == nil && mark.Val() == "" && ran != nil {
			return ran // nothing was asked: no connection
		}
		return firstError(cmds, c.requireReplicas(mark, wait))
	}
}

// spaceOf is the keyspace that commands write to: one of its keys is on the node that they went to.
func spaceOf(cmds []redis.Cmder) keyspace.Keyspace {
	for _, cmd := range cmds {
		for _, arg := range cmd.Args() {
			text, _ := arg.(string)
			if space, is := keyspace.Of(text); is {
				return space
			}
		}
	}
	return keyspace.Keyspace{}
}

// firstError returns the first command's error, as the library does. A command that Redis has done
// has err for its own; no value is an answer, too.
func firstError(cmds []redis.Cmder, err error) (first error) {
	for _, cmd := range cmds {
		if err != nil && (cmd.Err() == nil || errors.Is(cmd.Err(), redis.Nil)) {
			cmd.SetErr(err)
		}
		if first == nil {
			first = cmd.Err()
		}
	}
	return first
}

// requireReplicas returns nil when so many replicas have all that was written before.
func (c confirm) requireReplicas(mark *redis.StatusCmd, wait *redis.IntCmd) error {
	if err := errors.Join(mark.Err(), wait.Err()); err != nil {
		return fmt.Errorf("%w: %w", queue.ErrUnconfirmed, err)
	}
	if have := wait.Val(); have < int64(c.replicas) {
		return fmt.Errorf("%w: %d of %d within %s", queue.ErrUnconfirmed, have, c.replicas, c.timeout)
	}
	return nil
}
