package conn

import (
	"bufio"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Level is the severity of a [Finding]. The zero value is Good.
type Level int

// The levels.
const (
	Good    Level = iota
	Caution       // the app works; data could be lost, or the check failed
	Bad           // data will be lost, or nothing works
)

// Finding is the result of one check of this Redis.
type Finding struct {
	About   string // "persistence", "eviction", …
	Level   Level
	Message string // a sentence or two: the state, and its possible cost
	Do      string // the remedy; "" = no remedy is needed
}

// Durability returns a sentence for each way in which this Redis could lose data,
// with the consequences.
func (s *Server) Durability(ctx context.Context) []string {
	persistence := s.persistence(ctx)
	findings := []Finding{persistence}
	if persistence.Message != noPersistence {
		findings = append(findings, s.eviction(ctx), s.replication(ctx))
	}
	var says []string
	for _, f := range findings {
		if f.Level != Good || f.About == aboutReplication && f.Message != noReplicas {
			says = append(says, f.Message)
		}
	}
	return says
}

// Values of [Finding].About.
const (
	aboutPersistence = "persistence"
	aboutEviction    = "eviction"
	aboutReplication = "replication"
)

const (
	noPersistence = "Redis does not tell how it keeps its data: if it restarts, orders, drafts and accepted jobs may be forgotten."
	noReplicas    = "Redis has no replicas: nothing is lost in a failover, and nobody takes over when it is gone."
)

// persistence checks what a restart or a power cut costs.
func (s *Server) persistence(ctx context.Context) Finding {
	info, err := s.info(ctx, aboutPersistence)
	switch {
	case err != nil:
		return Finding{aboutPersistence, Caution, noPersistence, "Look with redis-cli: it should have appendonly yes."}
	case info["aof_enabled"] != "1":
		return Finding{
			aboutPersistence, Bad, "Redis has no append-only file (appendonly no): a restart or a power cut loses everything since its last snapshot: orders would lose their channel, and accepted forms and clicks would be forgotten.",
			"Set appendonly yes in redis.conf, or at once: redis-cli config set appendonly yes, then config rewrite.",
		}
	}
	return s.fsync(ctx)
}

// fsync checks what a power cut costs although Redis has an append-only file.
func (s *Server) fsync(ctx context.Context) Finding {
	f := Finding{About: aboutPersistence, Level: Caution, Do: "Set appendfsync always, if a lost second matters more than some speed."}
	written, err := s.setting(ctx, "appendfsync")
	switch {
	case err != nil || written == "":
		f.Message = "Redis does not tell its appendfsync: unless it is always, a power cut can lose what it confirmed last."
	case written == "always":
		return Finding{About: aboutPersistence, Message: "Redis writes every change to its append-only file before it confirms it (appendfsync always): a power cut loses nothing."}
	case written == "everysec":
		f.Message = "Redis writes its file once a second (appendfsync everysec): a power cut can lose the last second: a form or click that was accepted then would be forgotten, and an order that was sent then must be looked for by its reference."
	default:
		f.Message = "Redis leaves writing its file to the system (appendfsync " + written + "): a power cut can lose half a minute: forms and clicks that were accepted then would be forgotten, and orders that were sent then must be looked for by their reference."
		f.Do = "Set appendfsync always, or everysec at least."
	}
	return f
}

// replication checks what the loss of this Redis costs although replicas copy it. It confirms writes
// before the replicas have them; neither appendfsync always nor min-replicas-to-write changes
// that. WAIT does not choose the replica that takes over. See
// https://redis.io/docs/latest/operate/oss_and_stack/management/replication/
func (s *Server) replication(ctx context.Context) Finding {
	info, err := s.info(ctx, aboutReplication)
	if err != nil {
		return Finding{About: aboutReplication, Level: Caution, Message: "Redis does not tell whether others copy it: if they do, a failover can lose what it confirmed last."}
	}
	number, _ := strconv.Atoi(info["connected_slaves"])
	switch wanted := waitsFor(s.db.Redis); {
	case info["role"] == "slave":
		return Finding{
			aboutReplication, Bad, "REDIS_URL leads to a replica: it takes no writes, so that nothing can be ordered.",
			"Let it lead to the main server (\"redis-cli info replication\" has its master_host and master_port), or to the Sentinels.",
		}
	case wanted > 0 && number < wanted:
		return Finding{
			aboutReplication, Bad, fmt.Sprintf("REDIS_URL says wait_replicas=%d and Redis has %d: until it has more, no form or click is taken and what was taken waits.", wanted, number),
			"Bring the replicas back, or ask for fewer in REDIS_URL.",
		}
	case wanted > 0:
		return Finding{About: aboutReplication, Message: fmt.Sprintf("Redis has replicas, and every write waits for %d of them (wait_replicas): losing a write in a failover is rarer, not impossible, since another replica may take over.", wanted)}
	case number == 0:
		return Finding{About: aboutReplication, Message: noReplicas}
	}
	return Finding{
		aboutReplication, Caution, "Redis has replicas, which copy it after it has confirmed: a failover can lose what it confirmed in the last moments, also with appendfsync always. A form or click that was accepted then would be forgotten, and an order that was sent then must be looked for by its reference; min-replicas-to-write and min-replicas-max-lag bound how long that can go unnoticed, and ?wait_replicas=1 in REDIS_URL makes it rarer.",
		"Add ?wait_replicas=1 to REDIS_URL.",
	}
}

// eviction checks what a full memory costs.
func (s *Server) eviction(ctx context.Context) Finding {
	f := Finding{About: aboutEviction, Level: Caution, Do: "Set maxmemory-policy noeviction."}
	memory, err := s.info(ctx, "memory")
	policy := memory["maxmemory_policy"]
	switch {
	case err != nil || policy == "":
		f.Message = "Redis does not tell its eviction policy: unless it is noeviction, a full memory silently drops orders and jobs."
	case policy == "noeviction":
		return Finding{About: aboutEviction, Message: "Redis drops nothing when its memory is full (maxmemory-policy noeviction)."}
	default:
		f.Message = "Redis evicts keys when its memory is full (maxmemory-policy " + policy + "): orders and jobs would silently disappear; it must be noeviction."
		f.Level = Bad
	}
	return f
}

// setting reads a setting of the node that has our keys.
func (s *Server) setting(ctx context.Context, name string) (string, error) {
	node, err := s.db.Node(ctx)
	if err != nil {
		return "", err
	}
	all, err := node.ConfigGet(ctx, name).Result()
	return all[name], err
}

// info reads a section of INFO from the node that has our keys.
func (s *Server) info(ctx context.Context, section string) (map[string]string, error) {
	node, err := s.db.Node(ctx)
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
