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

// marked is the hook that makes transactions wait for replicas. One more command of each, in
// front of EXEC, sets a key that no other transaction sets; then that key's time begins anew. PEXPIRE
// is a write that [confirm] waits for. It finds the key only on a server that has the transaction:
// after a failover in between another may not. It finds it again when its first answer is lost.
type marked struct {
	anyDial
	redis redis.Cmdable
}

// markLife is how long a mark stays; each try to confirm its transaction falls into it.
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
			return ran // nothing was written, or nobody knows
		}
		return firstError(cmds[1:exec], m.confirm(ctx, key))
	}
}

// confirm writes to a transaction's mark, and returns nil when so many replicas have both.
func (m marked) confirm(ctx context.Context, key string) error {
	found, err := m.redis.PExpire(ctx, key, markLife).Result()
	if err == nil && !found {
		return fmt.Errorf("%w: the server that was asked does not have it", queue.ErrUnconfirmed)
	}
	return err
}

// isTransaction tells MULTI … EXEC, with the word before it that a node of a Cluster may want,
// from a pipeline.
func isTransaction(cmds []redis.Cmder) bool {
	begins := cmds[0].Name()
	return begins == "multi" || begins == "asking" && len(cmds) > 1 && cmds[1].Name() == "multi"
}
