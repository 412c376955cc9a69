package topology

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// Reshard moves the slot of a key to another master, that key first and then a few keys at a time, as
// redis-cli --cluster reshard does. Before each step it calls between with the number of moved keys; an
// error ends it there.
func (r *Redis) Reshard(ctx context.Context, key string, between func(moved int) error) error {
	from, err := r.owner(ctx, key)
	if err != nil {
		return err
	}
	to := r.Nodes[0]
	if to == from {
		to = r.Nodes[1]
	}
	source, target := from.Client(), to.Client()
	defer func() { _ = source.Close(); _ = target.Close() }()
	slot, err := source.ClusterKeySlot(ctx, key).Result()
	if err != nil {
		return err
	}
	sourceID, err := source.Do(ctx, "cluster", "myid").Text()
	if err != nil {
		return err
	}
	targetID, err := target.Do(ctx, "cluster", "myid").Text()
	if err != nil {
		return err
	}
	err = errors.Join(
		target.Do(ctx, "cluster", "setslot", slot, "importing", sourceID).Err(),
		source.Do(ctx, "cluster", "setslot", slot, "migrating", targetID).Err())
	if err != nil {
		return err
	}
	if err := migrate(ctx, source, to, int(slot), key, between); err != nil {
		return err
	}
	for _, rdb := range []*redis.Client{target, source} {
		if err := rdb.Do(ctx, "cluster", "setslot", slot, "node", targetID).Err(); err != nil {
			return err
		}
	}
	return nil
}

// migrate moves the keys of a slot.
func migrate(ctx context.Context, source *redis.Client, to *Node, slot int, first string, between func(moved int) error) error {
	const atATime = 5
	keys, moved := []string{first}, 0
	for len(keys) > 0 {
		if err := between(moved); err != nil {
			return err
		}
		args := []any{"migrate", host, to.port(), "", 0, 5000, "keys"}
		for _, key := range keys {
			args = append(args, key)
		}
		if err := source.Do(ctx, args...).Err(); err != nil {
			return fmt.Errorf("keys %q: %w", keys, err)
		}
		moved += len(keys)
		var err error
		if keys, err = source.ClusterGetKeysInSlot(ctx, slot, atATime).Result(); err != nil {
			return err
		}
	}
	return nil
}
