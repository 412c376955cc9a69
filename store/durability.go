package store

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Durability says, a sentence each, what about this Redis could lose data and
// what that would cost. Nothing to say is good.
func (s *Store) Durability(ctx context.Context) []string {
	persistence, err := s.info(ctx, "persistence")
	if err != nil {
		return []string{"Redis does not tell how it keeps its data: if it restarts, orders, drafts and accepted jobs may be forgotten."}
	}
	written := s.fsync(ctx)
	if persistence["aof_enabled"] != "1" {
		written = "Redis has no append-only file (appendonly no): a restart or a power cut loses everything since its last snapshot: orders would lose their channel, and accepted forms and clicks would be forgotten."
	}
	says := []string{written, s.eviction(ctx), s.failover(ctx)}
	return slices.DeleteFunc(says, func(sentence string) bool { return sentence == "" })
}

// failover says what the loss of this Redis costs although others copy it: it confirms before
// they have what it confirmed, and neither appendfsync always nor min-replicas-to-write
// changes that. WAIT, which comes before we count a write, does not choose who takes over. See
// https://redis.io/docs/latest/operate/oss_and_stack/management/replication/
func (s *Store) failover(ctx context.Context) string {
	replication, err := s.info(ctx, "replication")
	if err != nil {
		return ""
	}
	number, _ := strconv.Atoi(replication["connected_slaves"])
	switch wanted := waitsFor(s.rdb); {
	case wanted > 0 && replication["role"] != "slave" && number < wanted:
		return fmt.Sprintf("REDIS_URL says wait_replicas=%d and Redis has %d: until it has more, no form or click is taken and what was taken waits.", wanted, number)
	case wanted > 0:
		return fmt.Sprintf("Redis has replicas, and every write waits for %d of them (wait_replicas): losing a write in a failover is rarer, not impossible, since another replica may take over.", wanted)
	case replication["role"] != "slave" && number == 0:
		return ""
	}
	return "Redis has replicas, which copy it after it has confirmed: a failover can lose what it confirmed in the last moments, also with appendfsync always. A form or click that was accepted then would be forgotten, and an order that was sent then must be looked for by its reference; min-replicas-to-write and min-replicas-max-lag bound how long that can go unnoticed, and ?wait_replicas=1 in REDIS_URL makes it rarer."
}

// fsync says what a power cut costs although there is an append-only file.
func (s *Store) fsync(ctx context.Context) string {
	node, err := s.node(ctx)
	if err != nil {
		return ""
	}
	config, err := node.ConfigGet(ctx, "appendfsync").Result()
	switch {
	case err != nil || config["appendfsync"] == "":
		return "Redis does not tell its appendfsync: unless it is always, a power cut can lose what it confirmed last."
	case config["appendfsync"] == "always":
		return ""
	case config["appendfsync"] == "everysec":
		return "Redis writes its file once a second (appendfsync everysec): a power cut can lose the last second: a form or click that was accepted then would be forgotten, and an order that was sent then must be looked for by its reference."
	}
	return "Redis leaves writing its file to the system (appendfsync " + config["appendfsync"] + "): a power cut can lose half a minute: forms and clicks that were accepted then would be forgotten, and orders that were sent then must be looked for by their reference."
}

// eviction says what a full memory costs.
func (s *Store) eviction(ctx context.Context) string {
	memory, err := s.info(ctx, "memory")
	policy := memory["maxmemory_policy"]
	switch {
	case err != nil || policy == "":
		return "Redis does not tell its eviction policy: unless it is noeviction, a full memory silently drops orders and jobs."
	case policy == "noeviction":
		return ""
	}
	return "Redis evicts keys when its memory is full (maxmemory-policy " + policy + "): orders and jobs would silently disappear; it must be noeviction."
}

// info reads a section of INFO, of the server that has our keys.
func (s *Store) info(ctx context.Context, section string) (map[string]string, error) {
	node, err := s.node(ctx)
	if err != nil {
		return nil, err
	}
	text, err := node.Info(ctx, section).Result()
	if err != nil {
		return nil, err
	}
	fields := map[string]string{}
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok {
			fields[name] = value
		}
	}
	return fields, nil
}
