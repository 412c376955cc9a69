package queue

import (
	"context"
	"embed"

	"github.com/redis/go-redis/v9"

	"darkroom/store/script"
)

// Lua has the queue's scripts, and the shared files that other packages' scripts may use, see [script.Load].
// USES: put gives a script queue_put, which puts a job, made by [Queue.PutArgs], in the same atomic step as
// the script's own writes:
//
//	-- Approves an order.
//	-- KEYS: order
//	-- USES: put
//	-- Returns 1 when the job was added, 0 when a job of its id is known.
//	redis.call('HSET', order, 'status', a.status)
//	return queue_put(a.job)
//
// The script may change the job before the call. Its keys must be of the queue's keyspace.
//
//go:embed lua/*.lua lua/shared/*.lua
var Lua embed.FS

var scripts = script.Load(Lua)

// script runs one of the queue's scripts. It passes the prefix of the queue's keys to lua/shared/keys.lua. The scripts
// declare only the stream; the other keys are in the same slot.
func (s *space) script(ctx context.Context, name string, args script.Args) *redis.Cmd {
	args["prefix"], args["share"] = s.key(""), s.limit
	return scripts.Run(ctx, s.rdb, name, script.Keys{"stream": s.key("stream")}, args)
}

// did runs a script that returns 1 if it did something, else 0.
func (s *space) did(ctx context.Context, name string, args script.Args) (bool, error) {
	n, err := s.script(ctx, name, args).Int()
	return n == 1, err
}
