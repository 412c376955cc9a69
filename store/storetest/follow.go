package storetest

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// Follow makes it a replica of main, and returns when it has all that main has.
func (s *Server) Follow(main *Server) {
	s.tb.Helper()
	ctx, cancel := context.WithTimeout(s.tb.Context(), 30*time.Second)
	defer cancel()
	if err := main.Client().ConfigSet(ctx, "repl-diskless-sync-delay", "0").Err(); err != nil {
		s.tb.Fatal(err)
	}
	// It would write its file anew right after it has all, and wait for the disk meanwhile.
	if err := s.Client().ConfigSet(ctx, "appendonly", "no").Err(); err != nil {
		s.tb.Fatal(err)
	}
	if err := s.Client().ReplicaOf(ctx, "127.0.0.1", strconv.Itoa(main.port)).Err(); err != nil {
		s.tb.Fatal(err)
	}
	// Right after it has all, Redis may hear only from its next report, a second later.
	rdb := main.Client()
	for inTime := 0; inTime < 3; inTime++ {
		if !follows(ctx, rdb) {
			inTime = -1
		}
		if ctx.Err() != nil {
			s.tb.Fatal("the replica does not follow")
		}
	}
}

// follows writes something, and tells whether a replica has it soon after.
func follows(ctx context.Context, rdb *redis.Client) bool {
	var have *redis.IntCmd
	_, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error { // one connection
		p.Set(ctx, "followed", 1, 0)
		p.Del(ctx, "followed")
		have = redis.NewIntCmd(ctx, "wait", 1, 100)
		return p.Process(ctx, have)
	})
	return err == nil && have.Val() == 1
}
