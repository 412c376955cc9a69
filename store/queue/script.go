package queue

import (
	"context"
	"embed"
	"encoding/json"
	"strings"

	"github.com/redis/go-redis/v9"
)

// The scripts are the files of lua, one each; what several of them need is in lua/shared and
// stands before them. Each begins with what it does, its KEYS and what it returns, and gets
// one JSON document as its only argument: the struct that stands beside the method which
// runs it. Whole numbers travel in it as text, which is how Redis keeps them: Lua would make
// doubles of them. Nothing in it is null, which the embedded Redis reads otherwise.

//go:embed lua/*.lua lua/shared/*.lua
var luaFiles embed.FS

// What the scripts share.
var (
	keysLua  = readLua("shared/keys")
	putLua   = readLua("shared/server", "shared/put")
	tokenLua = readLua("shared/token")
)

// readLua returns files of lua, one behind the other.
func readLua(names ...string) string {
	var text strings.Builder
	for _, name := range names {
		file, err := luaFiles.ReadFile("lua/" + name + ".lua")
		if err != nil {
			panic(err) // it is not in the program
		}
		text.Write(file)
	}
	return text.String()
}

// newScript is the script of that name behind what it shares with others.
func newScript(name string, shared ...string) *redis.Script {
	return redis.NewScript(strings.Join(shared, "") + readLua(name))
}

// scope is in the argument of every script: where the queue's keys are.
type scope struct {
	Prefix string `json:"prefix"`
}

func (q *Queue) scope() scope { return scope{Prefix: q.key("")} }

// script runs one of our scripts with its argument.
func (q *Queue) script(ctx context.Context, script *redis.Script, argument any) *redis.Cmd {
	doc, err := json.Marshal(argument)
	if err != nil {
		panic(err) // the arguments are text and numbers
	}
	return script.Run(ctx, q.rdb, q.keys(), string(doc))
}
