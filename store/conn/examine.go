package conn

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"darkroom/store/kv"
	"darkroom/store/queue"

	"github.com/redis/go-redis/v9"
)

const (
	pings     = 20                    // how many are timed
	slowPing  = 20 * time.Millisecond // a median that people notice: an answer takes several commands
	leastLeft = 5000                  // further orders that memory should have room for

	// openOrder and endedOrder are the bytes of an order of five images: while it is open, and a week after
	// its end. `go test ./store -run Weighs` measures them; they are rounded up.
	openOrder  = 15_000
	endedOrder = 2_500
)

// Server examines the Redis that has the keys of a workspace.
type Server struct {
	db    kv.DB
	queue *queue.Queue
}

// NewServer returns a server that examines the Redis with the keys of a queue.
func NewServer(rdb redis.UniversalClient, q *queue.Queue) *Server {
	return &Server{kv.DB{Redis: rdb, Space: q.Keyspace(), Scripts: scripts}, q}
}

// Examine runs all checks of this Redis and returns their findings. It writes one small key that lasts
// a minute, to check that Redis takes writes. If Redis does not answer, it returns one finding, and the
// error.
func (s *Server) Examine(ctx context.Context) ([]Finding, error) {
	if err := s.Ping(ctx); err != nil {
		return []Finding{unreachable(err)}, err
	}
	return []Finding{
		{About: "connection", Message: "Redis answers."},
		s.version(ctx), s.writable(ctx), s.persistence(ctx), s.eviction(ctx), s.replication(ctx), s.latency(ctx), s.memory(ctx),
	}, nil
}

// writable checks whether Redis would take a click.
func (s *Server) writable(ctx context.Context) Finding {
	if err := s.queue.Ready(ctx); err != nil {
		f := Finding{"writes", Bad, "Redis takes no writes (" + causeOf(err) + "): people are told to send it again.", "Free memory or disk, connect to the main server and not to a replica, or bring its replicas back."}
		if redis.HasErrorPrefix(err, "NOPERM") {
			f.Do = allowUser
		}
		return f
	}
	return Finding{About: "writes", Message: "Redis takes writes."}
}

// latency times a few pings.
func (s *Server) latency(ctx context.Context) Finding {
	var took []time.Duration
	for range pings {
		began := time.Now()
		if err := s.Ping(ctx); err != nil {
			break
		}
		took = append(took, time.Since(began))
	}
	if len(took) < pings {
		return Finding{"latency", Bad, fmt.Sprintf("Redis answered %d of %d pings.", len(took), pings), "Look at the network between this machine and Redis."}
	}
	slices.Sort(took)
	f := Finding{About: "latency", Message: fmt.Sprintf("Redis answers in %s, at most in %s, from this machine.", brief(took[pings/2]), brief(took[pings-1]))}
	if took[pings/2] > slowPing {
		f.Level, f.Do = Caution, "Run the app near its Redis: each answer to a person waits for several of these."
	}
	return f
}

// brief formats a short time for people.
func brief(d time.Duration) string {
	if d < time.Millisecond {
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(100 * time.Microsecond).String()
}

// memory estimates how many more orders fit.
func (s *Server) memory(ctx context.Context) Finding {
	f := Finding{About: "memory", Level: Caution, Message: "Redis does not tell how much memory it has left."}
	info, err := s.info(ctx, "memory")
	used, limit := bytesOf(info["used_memory"]), bytesOf(info["maxmemory"])
	of := "maxmemory"
	if limit == 0 {
		limit, of = bytesOf(info["total_system_memory"]), "the whole machine, since there is no maxmemory"
	}
	if err != nil || used == 0 || limit == 0 {
		return f
	}
	left := max(0, limit-used)
	f.Level = Good
	f.Message = fmt.Sprintf("Redis uses %s of %s (%s): enough for some %s more open orders of five images, by estimate (%d kB each, a week after their end %.1f kB).",
		megabytes(used), megabytes(limit), of, thousands(left/openOrder), openOrder/1000, float64(endedOrder)/1000)
	if left/openOrder < leastLeft {
		f.Level, f.Do = Caution, "Give Redis more memory (maxmemory), or keep finished orders for a shorter time (RETENTION). Memory that is full takes nothing new."
	}
	return f
}

// bytesOf parses a number of INFO; 0 for "".
func bytesOf(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

func megabytes(n int64) string {
	if n >= 10e9 {
		return fmt.Sprintf("%d GB", n/1e9)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// thousands rounds down to two digits, as precise as the estimate, and separates thousands.
func thousands(n int64) string {
	unit := int64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	text := strconv.FormatInt(n/unit*unit, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
