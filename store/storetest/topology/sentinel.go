package topology

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// sentinels is the smallest number of Sentinels that works with one missing.
const sentinels = 3

// watch starts the Sentinels and returns when each knows the replicas and the other Sentinels: before that
// they would not agree on a failover.
func (r *Redis) watch(ctx context.Context, dir string, o Options) error {
	main := r.Nodes[0]
	settings := []string{
		fmt.Sprintf("sentinel monitor %s %s %s %d", mainName, host, main.port(), sentinels/2+1),
		fmt.Sprintf("sentinel down-after-milliseconds %s %d", mainName, o.Away.Milliseconds()),
		fmt.Sprintf("sentinel failover-timeout %s %d", mainName, 5*o.Away.Milliseconds()),
	}
	for n := range sentinels {
		node, err := start(ctx, o.Server, filepath.Join(dir, fmt.Sprintf("sentinel%d", n)), settings, "--sentinel")
		if err != nil {
			return err
		}
		r.Sentinels = append(r.Sentinels, node)
	}
	for _, node := range r.Sentinels {
		err := until(ctx, "the Sentinels do not find each other", func() bool {
			knows := askSentinel(node, func(s *redis.SentinelClient) map[string]string { return s.Master(ctx, mainName).Val() })
			return knows["num-slaves"] == fmt.Sprint(len(r.Nodes)-1) && knows["num-other-sentinels"] == fmt.Sprint(sentinels-1)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func askSentinel[T any](node *Node, ask func(*redis.SentinelClient) T) T {
	s := redis.NewSentinelClient(&redis.Options{Addr: node.Addr, DialTimeout: time.Second, ReadTimeout: time.Second, MaxRetries: -1})
	defer func() { _ = s.Close() }()
	return ask(s)
}

// Forget makes the Sentinels forget the server, until [Redis.Remember].
func (r *Redis) Forget(ctx context.Context) error {
	return r.tell(func(s *redis.SentinelClient) error { return s.Remove(ctx, mainName).Err() })
}

// Remember makes the Sentinels watch the node that began as main.
func (r *Redis) Remember(ctx context.Context) error {
	return r.tell(func(s *redis.SentinelClient) error {
		return s.Monitor(ctx, mainName, host, r.Nodes[0].port(), fmt.Sprint(sentinels/2+1)).Err()
	})
}

func (r *Redis) tell(what func(*redis.SentinelClient) error) error {
	for _, node := range r.Sentinels {
		if err := askSentinel(node, what); err != nil {
			return err
		}
	}
	return nil
}

// chosen returns the node that the Sentinels name. They learn of a failover one after the other, so the one
// with the latest epoch counts.
func (r *Redis) chosen(ctx context.Context) (*Node, error) {
	var addr []string
	latest := -1
	for _, node := range r.Sentinels {
		knows := askSentinel(node, func(s *redis.SentinelClient) map[string]string { return s.Master(ctx, mainName).Val() })
		epoch, err := strconv.Atoi(knows["config-epoch"])
		if err != nil || epoch <= latest {
			continue // it does not answer, or has nothing newer to tell
		}
		named := askSentinel(node, func(s *redis.SentinelClient) []string { return s.GetMasterAddrByName(ctx, mainName).Val() })
		if len(named) == 2 {
			addr, latest = named, epoch
		}
	}
	if addr == nil {
		return nil, errors.New("no Sentinel names a server")
	}
	return r.at(net.JoinHostPort(addr[0], addr[1]))
}
