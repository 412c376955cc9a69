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

// confirmed is a client whose writes count only once enough replicas have confirmed
// them: see [confirm].
type confirmed struct {
	redis.UniversalClient
	waiting
}

// confirming makes rdb wait for replicas, if w asks for it. In a cluster each node's own client
// waits: WAIT belongs to the node that was written to. A transaction is marked before it goes
// to a node: later no command can be added.
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

// waitsFor returns how many replicas rdb waits for.
func waitsFor(rdb redis.UniversalClient) int {
	c, _ := rdb.(confirmed)
	return c.replicas
}

// reads are the commands that need no confirmation: those that change nothing, and those that take
// a token of the queue, which has no effect before it is claimed. All other commands are
// confirmed, and all scripts except read-only ones.
var reads = []string{
	"config", "exists", "get", "hexists", "hget", "hgetall", "hkeys", "hlen", "hmget", "hscan", "info", "lindex", "llen", "lrange", "mget", "ping",
	"scan", "scard", "smembers", "time", "xautoclaim", "xreadgroup", "zcard", "zrange", "zrevrange", "zscore",
}

// own are the library's commands for connections and clusters: a new connection is not in the
// pool yet, so that a pipeline could not use it.
var own = []string{"asking", "auth", "client", "cluster", "command", "hello", "readonly", "readwrite", "select", "wait"}

func reading(cmd redis.Cmder) bool {
	return slices.Contains(reads, cmd.Name()) || slices.Contains(own, cmd.Name())
}

// confirm is the hook that makes writes wait. WAIT covers only the writes of its own
// connection, so it goes out in one pipeline with the write, which keeps one connection. One
// more write precedes it. That write is for steps that find their work done: an unconfirmed write
// of an earlier try, over another connection, precedes it in the stream that replicas read.
// So a write is confirmed only with all writes that it builds upon. (Redis 7.0 counts from any
// command of the connection, but promises that only for writes.) See
// https://redis.io/docs/latest/commands/wait/. Transactions are left to [marked]: the library
// takes the last answer for EXEC's, and within MULTI WAIT returns at once.
type confirm struct {
	anyDial
	waiting
	rdb *redis.Client
}

// anyDial is a hook that does not change how connections are made.
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
			return ran // nothing was sent: no connection
		}
		return firstError(cmds, c.requireReplicas(mark, wait))
	}
}

// spaceOf returns the keyspace that commands write to. Its keys are on the node of these commands.
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

// firstError returns the first command's error, as the library does. It sets err on commands that
// succeeded or found no value.
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

// requireReplicas returns nil if enough replicas confirmed the writes.
func (c confirm) requireReplicas(mark *redis.StatusCmd, wait *redis.IntCmd) error {
	if err := errors.Join(mark.Err(), wait.Err()); err != nil {
		return fmt.Errorf("%w: %w", queue.ErrUnconfirmed, err)
	}
	if have := wait.Val(); have < int64(c.replicas) {
		return fmt.Errorf("%w: %d of %d within %s", queue.ErrUnconfirmed, have, c.replicas, c.timeout)
	}
	return nil
}
