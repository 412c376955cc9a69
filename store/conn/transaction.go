package conn

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/queue"
)

// marked is the hook that makes transactions wait for replicas. It adds a command before EXEC that sets a
// unique key. Then it renews that key's expiry: PEXPIRE is a write that [confirm] waits for. It finds
// the key only on a server that has the transaction, which another may not have after a failover. If the
// first answer is lost, PEXPIRE can be repeated.
type marked struct {
	anyDial
	redis redis.Cmdable
}

// markLife is how long a mark lives; all tries to confirm its transaction are shorter.
const markLife = time.Minute

// ProcessHook implements [redis.Hook].
func (marked) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

// ProcessPipelineHook implements [redis.Hook].
func (m marked) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if !isTransaction(cmds) {
			return next(ctx, cmds)
		}
		key, exec := spaceOf(cmds).Key("confirm", rand.Text()), len(cmds)-1
		mark := redis.NewStatusCmd(ctx, "set", key, 1, "px", markLife.Milliseconds())
		ran := next(ctx, slices.Insert(slices.Clone(cmds), exec, redis.Cmder(mark)))
		if mark.Val() == "" {
			return ran // nothing was written, or the outcome is unknown
		}
		return firstError(cmds[1:exec], m.confirm(ctx, key))
	}
}

// confirm writes to a transaction's mark. It returns nil if enough replicas have the transaction.
func (m marked) confirm(ctx context.Context, key string) error {
	found, err := m.redis.PExpire(ctx, key, markLife).Result()
	if err == nil && !found {
		return fmt.Errorf("%w: the server that was asked does not have it", queue.ErrUnconfirmed)
	}
	return err
}

// isTransaction reports whether a pipeline is MULTI … EXEC, perhaps after the ASKING that a node of a
// Cluster may want.
func isTransaction(cmds []redis.Cmder) bool {
	begins := cmds[0].Name()
	return begins == "multi" || begins == "asking" && len(cmds) > 1 && cmds[1].Name() == "multi"
}
