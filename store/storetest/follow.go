package storetest

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// Follow makes the server a replica of main, and returns when it has all data of main.
func (s *Server) Follow(main *Server) {
	s.tb.Helper()
	ctx, cancel := context.WithTimeout(s.tb.Context(), 30*time.Second)
	defer cancel()
	s.try(main.Client().ConfigSet(ctx, "repl-diskless-sync-delay", "0").Err())
	// Otherwise it would write its file anew right after the copy, and wait for the disk.
	s.try(s.Client().ConfigSet(ctx, "appendonly", "no").Err())
	s.try(s.Client().ReplicaOf(ctx, "127.0.0.1", strconv.Itoa(main.port)).Err())
	// Right after the copy, main may learn of it only from the replica's next report, a second later.
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

// follows writes a key, and reports whether a replica has it soon after.
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
