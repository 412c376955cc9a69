package store

import (
	"context"
	"embed"
	"strings"

	"github.com/redis/go-redis/v9"

	"darkroom/store/queue"
)

// The scripts are the files of lua, one each; what several of them need is in lua/shared and
// stands before them. Each begins with what it does, its KEYS in order and what it returns,
// and gets one JSON document as its only argument: the struct that stands beside the method
// which runs it. Whole numbers travel in it as text, which is how Redis keeps them, and
// documents as text, which is how they are compared: Lua would make something else of both.
// Nothing in it is null, which the embedded Redis reads otherwise.

//go:embed lua/*.lua lua/shared/*.lua
var luaFiles embed.FS

// What the scripts share. Whatever calls now_ms stands behind timeLua.
var (
	timeLua      = readLua("shared/time")
	hashLua      = readLua("shared/hash")
	eventsLua    = readLua("shared/events")
	ownershipLua = readLua("shared/ownership")
	referenceLua = readLua("shared/reference")
	leaveLua     = readLua("shared/leave")
	announcerLua = readLua("shared/announcer")
	finishedLua  = readLua("shared/finished")
	draftLua     = readLua("shared/draft")
	turnLua      = readLua("shared/turn")

	courseLua = queue.PutLua + timeLua + eventsLua + ownershipLua // of a step of an order's course
)

// readLua returns a file of lua.
func readLua(name string) string {
	text, err := luaFiles.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic(err) // it is not in the program
	}
	return string(text)
}

// newScript is the script of that name behind what it shares with others.
func newScript(name string, shared ...string) *redis.Script {
	return redis.NewScript(strings.Join(shared, "") + readLua(name))
}

// script runs one of our scripts with its argument.
func (s *Store) script(ctx context.Context, script *redis.Script, keys []string, argument any) *redis.Cmd {
	return script.Run(ctx, s.rdb, keys, encode(argument))
}

// run runs a script that answers with one whole number.
func (s *Store) run(ctx context.Context, script *redis.Script, keys []string, argument any) (int, error) {
	return s.script(ctx, script, keys, argument).Int()
}
