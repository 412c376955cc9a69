package topology

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

// slots is how many a cluster has.
const slots = 16384

// meet makes a cluster of the nodes: the first ones are masters and share the slots, the others are their replicas.
func (r *Redis) meet(ctx context.Context) error {
	clients, ids := make([]*redis.Client, len(r.Nodes)), make([]string, len(r.Nodes))
	defer func() {
		for _, rdb := range clients {
			_ = rdb.Close()
		}
	}()
	for n, node := range r.Nodes {
		rdb := node.Client()
		clients[n] = rdb
		if n < masters {
			if err := rdb.ClusterAddSlotsRange(ctx, n*slots/masters, (n+1)*slots/masters-1).Err(); err != nil {
				return err
			}
		}
		err := errors.Join(rdb.Do(ctx, "cluster", "set-config-epoch", n+1).Err(), rdb.ClusterMeet(ctx, host, r.Nodes[0].port()).Err())
		if err != nil {
			return err
		}
		if ids[n], err = rdb.Do(ctx, "cluster", "myid").Text(); err != nil {
			return err
		}
	}
	if err := allSay(ctx, clients, fmt.Sprintf("cluster_known_nodes:%d\r", len(clients))); err != nil {
		return err
	}
	for n := masters; n < len(clients); n++ {
		err := until(ctx, "a replica does not know its master", func() bool { return clients[n].ClusterReplicate(ctx, ids[n%masters]).Err() == nil })
		if err != nil {
			return err
		}
	}
	if err := allSay(ctx, clients, "cluster_state:ok"); err != nil {
		return err
	}
	if err := r.agreed(ctx, clients); err != nil {
		return err
	}
	return r.copied(ctx)
}

// allSay waits until every node's CLUSTER INFO has a line.
func allSay(ctx context.Context, clients []*redis.Client, line string) error {
	for _, rdb := range clients {
		err := until(ctx, "the nodes of the cluster do not find each other", func() bool {
			return strings.Contains(rdb.ClusterInfo(ctx).Val(), line)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// agreed waits until every node knows all masters and their replicas.
func (r *Redis) agreed(ctx context.Context, clients []*redis.Client) error {
	for _, rdb := range clients {
		err := until(ctx, "the nodes of the cluster do not know who copies whom", func() bool {
			nodes := 0
			for _, slot := range rdb.ClusterSlots(ctx).Val() { //nolint:staticcheck // Redis 6.2 knows no other
				nodes += len(slot.Nodes)
			}
			return nodes == len(clients)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// owner returns the master of a key's slot, as the first node that answers says.
func (r *Redis) owner(ctx context.Context, key string) (*Node, error) {
	for _, node := range r.Nodes {
		if !node.Runs() {
			continue
		}
		rdb := node.Client()
		slot, err := rdb.ClusterKeySlot(ctx, key).Result()
		all := rdb.ClusterSlots(ctx).Val() //nolint:staticcheck // Redis 6.2 knows no other
		_ = rdb.Close()
		if err != nil {
			continue
		}
		for _, part := range all {
			if part.Start <= int(slot) && int(slot) <= part.End && len(part.Nodes) > 0 {
				return r.at(part.Nodes[0].Addr)
			}
		}
	}
	return nil, errors.New("no node knows who has the slot")
}
